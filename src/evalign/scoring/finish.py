"""Make the result of a text from its tally: what only the whole of a text can tell.

These are the metrics that are available, scores, ledgers, warnings, names of units, and the signature (all
options and properties of texts that could change a score). Nothing is counted any more. It matters only for
errors whether the text was scored as a whole or in parts: those of a whole are found in its comparison when
they are asked for, those of parts were gathered.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

import numpy as np

from evalign._version import __version__
from evalign.errors import call
from evalign.files import shorten_paths
from evalign.metrics.census import Census, find_lacking_of_both, take_census
from evalign.metrics.comparison import Comparison
from evalign.metrics.metric import Metric
from evalign.options import DEFAULT_PRESET, PRESETS, SIGNED, Preset, ScoreOptions
from evalign.results.result import Result
from evalign.results.system_result import CountsAlone, Evidence, NoEvidence, Score, SystemResult
from evalign.scoring.ledger import LINES_DIFFERING, LINES_EQUAL, find_lines, make_ledger
from evalign.scoring.live_evidence import LiveEvidence
from evalign.scoring.metric_choice import available_metrics
from evalign.scoring.request import WINDOW, ScoreRequest
from evalign.scoring.tally import SystemTally, Tally, UnitFields, describe_units, find_documents
from evalign.scoring.warnings import make_warnings, warn_of_columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.alignment.raw_map import RawMap
    from evalign.results.evidence import KeptEvidence

# The warning of a run with `split_spaces`.
NO_COLUMNS = "tokens are cut at their spaces: metrics over tags, lemmas and heads are not available"


def finish(request: ScoreRequest, tally: Tally) -> Result:
    """Make the result of a text from the sum of all tallies."""
    options = request.options
    gold, units = tally.gold, tally.units
    censuses = [system.census for system in tally.systems]
    metrics = available_metrics(options, gold, censuses)
    systems = tuple(_finish_system(request, tally, system, metrics) for system in tally.systems)
    comparison = tally.systems[0].comparison
    raw = comparison.raw if comparison is not None else None
    ledgers = [system.ledger for system in systems]
    warnings = (
        *make_warnings(gold, list(zip(censuses, ledgers, strict=True)), raw, metrics),
        *warn_of_columns(gold, censuses, metrics, options, has_raw=raw is not None),
        *options.bracket_rules.messages,
        *([NO_COLUMNS] if options.split_spaces and not gold.has_trees else ()),
        *([_warn_of_window(request.window or WINDOW, tally.n_bounded)] if tally.n_bounded else ()),
    )
    return Result(
        gold.name,
        systems,
        units.kind,
        units.names,
        warnings,
        units.starts.tolist(),
        units.length,
        _find_fields(tally),
        gold.size,
    )


def _finish_system(
    request: ScoreRequest, tally: Tally, system: SystemTally, metrics: tuple[Metric, ...]
) -> SystemResult:
    options = request.options
    gold, census, ledger, units = tally.gold, system.census, system.ledger, tally.units
    scores = {}
    for metric in metrics:
        # Of a part all is counted that its format can have, and the printed algorithm counts few metrics.
        lacking = find_lacking_of_both(gold, census, metric.needs, strict=options.strict)
        is_available = metric.name in system.rows and not any(lacking)
        rows = np.zeros((units.size, len(metric.fields)), np.int64)
        if is_available:
            rows = system.table(metric.name)
        scores[metric.name] = Score(metric, rows, options.average, is_available)
    raw = system.comparison.raw if system.comparison is not None else None
    signature = sign(gold, census, ledger.lines, units.describe(), metrics, options, raw)
    if tally.n_bounded:
        signature += f"|window:{request.window or WINDOW}"
    evidence = _find_evidence(request, tally, system, metrics)
    return SystemResult(census.name, scores, make_ledger(ledger, gold, census), signature, evidence)


def _find_evidence(
    request: ScoreRequest, tally: Tally, system: SystemTally, metrics: tuple[Metric, ...]
) -> Evidence:
    if system.comparison is not None:
        # The printed algorithm counts other errors than a comparison by place.
        is_printed = request.options.strategy == "printed"
        return NoEvidence() if is_printed else LiveEvidence(system.comparison, metrics, request.by)
    if system.evidence is None:
        return CountsAlone()
    evidence = system.begin_sum(tally.units.size).result()
    return _drop_hidden_groups(evidence, {metric.name for metric in metrics})


def _find_fields(tally: Tally) -> Mapping[str, Sequence[str]]:
    """Return the values of comments of gold for each unit: those gathered of parts, or found when asked for."""
    if tally.fields is not None:
        return tally.fields.by_key(tally.units.size)
    comparison = tally.systems[0].comparison
    if comparison is None or comparison.alignment.gold.original.comments is None:
        return {}
    gold, units = comparison.alignment.gold.original, comparison.units
    documents = find_documents(gold, comparison.raw)
    if units.kind not in ("document", "sentence") or not len(documents):
        return {}
    return UnitFields(gold, documents, units)


def _warn_of_window(window: int, times: int) -> str:
    return (
        f"searches that ended at the window of {window:,} characters: {times:,}; "
        "text displaced further counts as missing and extra "
        f"(a larger window: {call('window=N', '<window> N')})"
    )


def _drop_hidden_groups(evidence: KeptEvidence, metrics: Collection[str]) -> KeptEvidence:
    """Drop the sentence groups of all but `metrics`.

    Parts also count metrics that the result does not show.
    """
    from evalign.results.evidence import load_groups

    groups = {}
    for by, grouped in evidence.tables.groups.items():
        counts = load_groups(grouped)
        groups[by] = replace(
            counts,
            tables={name: table for name, table in counts.tables.items() if name in metrics},
            left_out={name: why for name, why in counts.left_out.items() if name in metrics},
        )
    return replace(evidence, tables=evidence.tables._replace(groups=groups))


# The signature: all options and properties of texts that could change a score; `results.signatures` joins and
# shortens such lines.


def make_signature(comparison: Comparison, metrics: Sequence[Metric]) -> str:
    """Return the signature of one comparison of whole texts, for some metrics."""
    columns = {name for metric in metrics for name in metric.needs}
    gold, system = comparison.alignment.gold.original, comparison.alignment.system.original
    censuses = take_census(gold, columns), take_census(system, columns)
    units = comparison.units
    described = describe_units(units.kind, len(units), units.merged)
    lines = find_lines(comparison.alignment)
    return sign(*censuses, lines, described, metrics, comparison.options, comparison.raw)


def sign(
    gold: Census,
    system: Census,
    lines: int,
    units: str,
    metrics: Sequence[Metric],
    options: ScoreOptions,
    raw: RawMap | None = None,
) -> str:
    """Write a signature, "key:value|key:value|...".

    `lines` says how much the lines differ (`ledger.LINES_EQUAL`, ...), `units` are the units as
    `describe_units` puts them, `raw` is the raw text that all are compared on, if there is one.
    """
    parts = {"evalign": __version__, "mode": _write_option("mode", options)}
    parts["lines"] = "equal" if lines == LINES_EQUAL else "differ"
    parts["normalize"] = "not-needed" if lines == LINES_EQUAL else _write_option("normalize", options)
    parts["alignment"] = "not-needed" if lines != LINES_DIFFERING else _describe_alignment()
    parts |= {key: _write_option(key, options) for key in ("exceptions", "match", "strategy", "average")}
    parts |= {"unit": units, "spaces": _write_option("spaces", options)}
    parts["raw"] = "" if raw is None else fingerprint(raw.raw.text)
    shown = _list_keys(gold, system, metrics, options)
    parts |= {key: _write_option(key, options) for key in SIGNED if key in shown}
    if parts.get("relations") == "auto":
        parts["relations"] = gold.version
    # Escape bars in names of files and in the marks that may end a sentence: a bar separates entries.
    return "|".join(f"{key}:{value.replace('|', '%7C')}" for key, value in parts.items() if value)


def _list_keys(gold: Census, system: Census, metrics: Sequence[Metric], options: ScoreOptions) -> set[str]:
    """List the keys that a signature has only because of the metrics, or of what the documents have."""
    keys = {key for metric in metrics for key in metric.signature}
    if any({*metric.needs} - {"sentences"} for metric in metrics):
        keys.add("feature-values")  # a breakdown by feature may be asked of any of them
    if gold.has_trees or system.has_trees:
        keys |= {"preset", "empty", *(["punctuation"] if options.bracket_rules.delete else [])}
    if not (gold.has_columns and system.has_columns):
        keys.discard("relations")
    return keys


def _write_option(key: str, options: ScoreOptions) -> str:
    """Write the value of the option that has a key; empty for one that was not given."""
    match key:
        case "match":
            return options.match_by
        case "candidates":
            return options.marks
        case "normalize":
            from evalign.alignment.normalize import choose_rules

            return "+".join(rule.name for rule in choose_rules(options.normalize)) or "none"
        case "exceptions":
            if not options.exceptions:
                return "none"
            # A file of the same name may hold another list.
            content = fingerprint(str(sorted(options.exceptions.words.items())))
            credited = "+credited" if options.credit_exceptions else ""
            return f"{_name_file(options.exceptions)}({content}){credited}"
        case "vocabulary":
            return "" if options.vocabulary is None else fingerprint("\n".join(options.vocabulary))
        case "weights":
            weights = options.weights
            if weights is None:
                return ""
            made_of = f",{weights.version}" if weights.version else ""
            return f"{_name_file(weights.name)}({weights.digest}{made_of})"
        case "preset":
            return _describe_preset(options.bracket_rules)
    declared = SIGNED[key]
    value = getattr(options, declared.name)
    written = declared.metadata.get("written")
    return written[value] if written else str(value)


def _describe_preset(preset: Preset) -> str:
    """Name the preset for brackets: a preset by name, a file by name and a fingerprint of its content."""
    if preset in (DEFAULT_PRESET, *PRESETS.values()):
        return preset.name
    content = (
        sorted(preset.delete),
        sorted(preset.equal),
        sorted(preset.quotes),
        preset.cut,
        preset.labelled,
    )
    return f"{_name_file(preset.name)}({fingerprint(repr(content))})"


def _describe_alignment() -> str:
    from evalign.alignment.character_alignment import MODEL

    return MODEL


def _name_file(path: str) -> str:
    """Return the name of a file without its folders."""
    [name] = shorten_paths([path])
    return name


def fingerprint(text: str) -> str:
    """Return the first 8 hexadecimal digits of the SHA-256 of a text."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
