"""Make the result of a text from its tally: what only the whole of a text can tell.

These are the metrics that are available, scores, ledgers, signatures, warnings, and names of units. Nothing
is counted any more, and nothing is asked whether the text was scored as a whole or in parts, but for its
errors: those of a whole are found in its comparison, those of parts were gathered.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from evalign.errors import call
from evalign.metrics.census import find_lacking_of_both
from evalign.metrics.metric import Metric
from evalign.results.result import Result
from evalign.results.system_result import CountsAlone, Evidence, NoEvidence, Score, SystemResult
from evalign.scoring.ledger import make_ledger
from evalign.scoring.live_evidence import LiveEvidence
from evalign.scoring.metric_choice import available_metrics
from evalign.scoring.request import WINDOW, ScoreRequest
from evalign.scoring.signature import sign
from evalign.scoring.tally import SystemTally, Tally
from evalign.scoring.units import UnitFields, find_documents
from evalign.scoring.warnings import make_warnings, warn_of_columns

TYPE_CHECKING = False
if TYPE_CHECKING:
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
    gold = comparison.alignment.gold.original
    return UnitFields(gold, find_documents(gold, comparison.raw), comparison.units)


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
