"""Write the signature of a result: all options and properties of texts that could change a score.

`summary.make_systems` signs every system's result; `results.signatures` joins and shortens such lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from evalign._version import __version__
from evalign.files import shorten_paths
from evalign.metrics.census import Census, take_census
from evalign.metrics.comparison import Comparison
from evalign.metrics.metric import Metric
from evalign.options import DEFAULT_PRESET, PRESETS, SIGNED, Preset, ScoreOptions
from evalign.scoring.ledger import LINES_DIFFERING, LINES_EQUAL, compare_lines


def make_signature(comparison: Comparison, metrics: Sequence[Metric]) -> str:
    """Return the signature of one comparison of whole texts, for some metrics."""
    alignment, units = comparison.alignment, comparison.units
    columns = {name for metric in metrics for name in metric.needs}
    censuses = take_census(alignment.gold.original, columns), take_census(alignment.system.original)
    raw = "" if comparison.raw is None else fingerprint(comparison.raw.raw.text)
    unit_words = describe_units(units.kind, len(units), units.merged)
    return sign(*censuses, compare_lines(alignment), unit_words, metrics, comparison.options, raw)


def describe_units(kind: str, n: int, merged: int = 1) -> str:
    """Describe units in a signature: their kind and number, and how many stretches were merged into one.

    >>> describe_units("stretch", 1200, 2)
    'stretch(1200)x2'
    """
    return f"{kind}({n})" + (f"x{merged}" if merged > 1 else "")


def sign(
    gold: Census,
    system: Census,
    lines: int,
    units: str,
    metrics: Sequence[Metric],
    options: ScoreOptions,
    raw: str = "",
) -> str:
    """Write a signature, "key:value|key:value|...".

    `lines` says how much the lines differ, as in a `LedgerFacts`, `units` are the units as `describe_units` puts them, `raw` is a fingerprint of the raw text if there is one.
    """
    parts = {"evalign": __version__, "mode": _write_option("mode", options)}
    parts["lines"] = "equal" if lines == LINES_EQUAL else "differ"
    parts["normalize"] = "not-needed" if lines == LINES_EQUAL else _write_option("normalize", options)
    parts["alignment"] = _describe_alignment() if lines == LINES_DIFFERING else "not-needed"
    parts |= {key: _write_option(key, options) for key in ("exceptions", "match", "strategy", "average")}
    parts |= {"unit": units, "spaces": _write_option("spaces", options), "raw": raw}
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
