"""Intervals and tests of a result.

>>> import evalign
>>> from evalign.significance import Resampling, assess
>>> gold = [["a", "b"], ["c", "d"], ["e", "f"]]
>>> result = evalign.score(gold, [["a", "b"], ["cd"], ["e", "f"]], gold)
>>> found = assess(result, Resampling(resamples=200))
>>> found.n_units, found.unit_kind
(3, 'stretch')
>>> found.interval(1, "tokens", "f1")
Interval(low=1.0, high=1.0)
>>> round(found.against_first["tokens"][1].difference, 3)
0.273
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from evalign.errors import CommandError
from evalign.progress import Progress, counted, no_progress
from evalign.result import Result
from evalign.result.scores import Score
from evalign.significance.drawn import Drawn
from evalign.significance.filled import Mask, are_enough, explain_metric, find_filled, find_reason
from evalign.significance.holm import adjust_all
from evalign.significance.intervals import find_interval, find_intervals
from evalign.significance.paired import bootstrap_p, randomization_p
from evalign.significance.ratios import Ratios, name_ratios
from evalign.significance.settings import DEFAULT, Resampling
from evalign.significance.values import NOTHING, Difference, Interval, Significance

Scores = dict[str, list[Score | None]]
"""Per metric, of each system; None where it has none, or none that means anything."""


def assess(
    result: Result,
    resampling: Resampling = DEFAULT,
    *,
    paired: bool = True,
    metrics: Sequence[str] = (),
    progress: Progress = no_progress,
) -> Significance:
    """Intervals of all scores, and, if `paired`, tests of each two systems; of some metrics only if they are named.

    Units are resampled: gold documents, else the stretches between shared boundaries. Where there is but one there is
    nothing to resample: then there are differences, no intervals and no p-values, and `reason` says why. `reasons` says
    it of metrics that one unit has all of. `progress` is called with the metric that a long run comes to.
    """
    scores = _scores(result, metrics)
    n_units = next(
        (len(score.units) for row in scores.values() for score in row if score), len(result.unit_names)
    )
    reason = find_reason(result.unit_kind, n_units)
    reasons = {} if reason else _find_reasons(scores, result.unit_kind, n_units)
    if reasons and len(reasons) == len(scores):
        reason = next(iter(reasons.values()))
    drawn = Drawn(scores, n_units, resampling)
    intervals: list[dict[str, dict[str, Interval | None]]] = [{} for _ in result.systems]
    against_first, matrix = {}, {}
    for _, (metric, row) in counted([*scores.items()], progress, lambda each: f"resampling {each[0]}"):
        filled = [find_filled([score], n_units) for score in row]
        resampled = [None if reason or not score else drawn.ratios(metric, k) for k, score in enumerate(row)]
        for number, (system, ratios) in enumerate(zip(result.systems, resampled, strict=True)):
            if ratios is not None and are_enough(filled[number]):
                intervals[number][metric] = find_intervals(ratios, resampling.confidence)
            else:
                known = system.scores.get(metric)
                intervals[number][metric] = dict.fromkeys(name_ratios(known.layer) if known else ())
        if paired:
            pairs = _compare(metric, row, resampled, filled, drawn, resampling)
            against_first[metric] = _against_first(pairs, len(row))
            matrix[metric] = _matrix(pairs, len(row))
    return Significance(
        resampling, result.unit_kind, n_units, reason, tuple(intervals), against_first, matrix, reasons
    )


def _find_reasons(scores: Scores, unit_kind: str, n_units: int) -> dict[str, str]:
    """The metrics that one unit has all of, each with the reason why there is nothing to resample."""
    found = {}
    for metric, row in scores.items():
        if find_filled(row, n_units).sum() == 1:
            layer = next(score.layer for score in row if score is not None)
            found[metric] = explain_metric(layer, unit_kind)
    return found


def _scores(result: Result, metrics: Sequence[str]) -> Scores:
    """The scores that can be resampled; a metric that no system has is a `CommandError`."""
    names: dict[str, None] = {}
    for system in result.systems:
        names |= dict.fromkeys(system.scores)
    for metric in metrics:
        if metric not in names:
            message = f'"{metric}" was not scored'
            raise CommandError(message, f"one of {', '.join(names)}")
    found: Scores = {}
    for metric in metrics or names:
        scores = [system.scores.get(metric) for system in result.systems]
        found[metric] = [score if score is not None and score.available else None for score in scores]
    return found


def _compare(
    metric: str,
    row: Sequence[Score | None],
    resampled: Sequence[Ratios | None],
    filled: Sequence[Mask],
    drawn: Drawn[str],
    resampling: Resampling,
) -> dict[tuple[int, int], Difference]:
    """The headline ratio of each two systems, the later minus the earlier one; not yet adjusted."""
    values = [None if score is None else score.value for score in row]
    found = {}
    for first, second in combinations(range(len(row)), 2):
        one, low, high = row[first], values[first], values[second]
        if one is None or low is None or high is None:
            found[first, second] = NOTHING
            continue
        headline = one.layer.headline
        before, after = resampled[first], resampled[second]
        if before is None or after is None or not are_enough(filled[first] | filled[second]):
            found[first, second] = Difference(high - low, None, None, None)
            continue
        spread = after[headline] - before[headline]
        if resampling.test == "bootstrap":
            p = bootstrap_p(high - low, spread)
        else:
            theirs, own = drawn.exchanged(metric, first, second)
            p = randomization_p(high - low, own[headline] - theirs[headline])
        found[first, second] = Difference(high - low, find_interval(spread, resampling.confidence), p, None)
    return found


def _against_first(pairs: dict[tuple[int, int], Difference], n_systems: int) -> tuple[Difference | None, ...]:
    """Every system against the first one, adjusted over the systems."""
    return (None, *adjust_all([pairs[0, system] for system in range(1, n_systems)]))


def _matrix(
    pairs: dict[tuple[int, int], Difference], n_systems: int
) -> tuple[tuple[Difference | None, ...], ...]:
    """Every system against every other, adjusted over all pairs."""
    adjusted = dict(zip(pairs, adjust_all(list(pairs.values())), strict=True))
    return tuple(
        tuple(
            None
            if row == column
            else adjusted[column, row]
            if column < row
            else _reverse(adjusted[row, column])
            for column in range(n_systems)
        )
        for row in range(n_systems)
    )


def _reverse(found: Difference) -> Difference:
    """The other way round."""
    difference = None if found.difference is None else 0.0 - found.difference
    interval = found.interval and Interval(0.0 - found.interval.high, 0.0 - found.interval.low)
    return found._replace(difference=difference, interval=interval)
