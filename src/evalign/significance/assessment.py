"""Intervals and paired tests of the scores of a `Result`.

>>> import evalign
>>> from evalign.significance.values import Resampling
>>> from evalign.significance.assessment import assess
>>> gold = [["a", "b"], ["c", "d"], ["e", "f"]]
>>> result = evalign.score(gold, [["a", "b"], ["cd"], ["e", "f"]], gold)
>>> significance = assess(result, Resampling(resamples=200))
>>> significance.n_units, significance.unit_kind
(3, 'stretch')
>>> significance.interval(1, "tokens", "f1")
Interval(low=1.0, high=1.0)
>>> round(significance.against_first["tokens"][1].difference, 3)
0.273
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import TypeAlias

from evalign.errors import CommandError, quote, suggest
from evalign.progress import Progress, count_done, counted, no_progress
from evalign.results.result import Result
from evalign.results.system_result import Score
from evalign.significance.draws import Resampler, Weights, cut_resamples
from evalign.significance.inference import (
    Mask,
    Ratios,
    Sums,
    Values,
    adjust_differences,
    can_resample,
    explain_metric,
    find_floor,
    find_interval,
    find_intervals,
    find_p_values,
    find_reason,
    name_ratios,
    units_with_counts,
)
from evalign.significance.values import (
    DEFAULT_BLOCKS,
    DEFAULT_RESAMPLING,
    BlockSizes,
    Difference,
    Floor,
    Interval,
    Resampling,
    Significance,
    Test,
)

Scores = dict[str, list[Score | None]]
"""By metric, the score of each system; None where a system has none of its own."""
Pair: TypeAlias = tuple[str, int, int]
"""A metric, and the numbers of two systems."""


def assess(
    result: Result,
    resampling: Resampling = DEFAULT_RESAMPLING,
    *,
    paired: bool = True,
    metrics: Sequence[str] = (),
    progress: Progress = no_progress,
    blocks: BlockSizes = DEFAULT_BLOCKS,
) -> Significance:
    """Compute intervals of all scores of `result` and, if `paired`, tests of each pair of systems.

    `metrics` limits both to the metrics named. The resampled units are gold documents, else the stretches
    between shared sentence boundaries. With fewer than two units there is nothing to resample: differences
    are given, but no intervals and no p-values, and `reason` of the returned value says why. `reasons` says
    the same of single metrics whose counts are all in one unit. A system that failed has no interval and is
    in no test. `progress` is called with each metric as a
    long run reaches it. `blocks` bound memory and change no number.
    """
    scores = _scores(result, metrics)
    n_units = next(
        (len(score.units) for row in scores.values() for score in row if score), len(result.unit_names)
    )
    reason = find_reason(result.unit_kind, n_units)
    reasons = {} if reason else _find_reasons(scores, result.unit_kind, n_units)
    if reasons and len(reasons) == len(scores):
        reason = next(iter(reasons.values()))
    resampler = Resampler(scores, n_units, resampling, blocks=blocks)
    together = resampler.fits
    intervals: list[dict[str, dict[str, Interval | None]]] = [{} for _ in result.systems]
    pairs: dict[Pair, Difference] = {}
    tested: dict[Pair, float] = {}
    for _, (metric, row) in counted([*scores.items()], progress, lambda each: f"resampling {each[0]}"):
        filled = [units_with_counts([score], n_units) for score in row]
        # With a million resamples the sums of all metrics at once would take gigabytes.
        source = resampler if together else Resampler({metric: row}, n_units, resampling, blocks=blocks)
        resampled = [None if reason or not score else source.ratios(metric, k) for k, score in enumerate(row)]
        for number, (system, ratios) in enumerate(zip(result.systems, resampled, strict=True)):
            if ratios is not None and can_resample(filled[number]):
                intervals[number][metric] = find_intervals(ratios, resampling.confidence)
            else:
                own_score = system.scores.get(metric)
                intervals[number][metric] = dict.fromkeys(name_ratios(own_score.metric) if own_score else ())
        if paired:
            for pair, observed, spread in _compare(metric, row, resampled, filled):
                if observed is not None and spread is not None:
                    tested[pair] = observed
                interval = None if spread is None else find_interval(spread, resampling.confidence)
                pairs[pair] = Difference(observed, interval, None, None)
    resamples = resampling.for_tests(comb(len(result.systems), 2)) if paired else 0
    sizes = [*cut_resamples(resamples, resampler.n_columns, blocks)] if tested else []
    p_values = _test(resampler, scores, tested, resampling.test, sizes, progress)
    pairs = {pair: difference._replace(p=p_values.get(pair)) for pair, difference in pairs.items()}
    against_first, matrix, floors = {}, {}, {}
    for metric, row in scores.items() if paired else ():
        differences = {
            (first, second): difference
            for (name, first, second), difference in pairs.items()
            if name == metric
        }
        # Adjusted over the systems; None for the first.
        others = [differences[0, system] for system in range(1, len(row))]
        against_first[metric] = (None, *adjust_differences(others))
        matrix[metric] = _matrix(differences, len(row))
        floors[metric] = _find_floor(resampler, metric, differences, resampling, resamples)
    return Significance(
        resampling, result.unit_kind, n_units, reason, tuple(intervals), against_first, matrix, reasons, resamples, floors
    )  # fmt: skip


def _find_reasons(scores: Scores, unit_kind: str, n_units: int) -> dict[str, str]:
    """Find the metrics whose counts are all in one unit; return, by name, why they cannot be resampled."""
    reasons = {}
    for name, row in scores.items():
        if units_with_counts(row, n_units).sum() == 1:
            metric = next(score.metric for score in row if score is not None)
            reasons[name] = explain_metric(metric, unit_kind)
    return reasons


def _scores(result: Result, metrics: Sequence[str]) -> Scores:
    """Return the scores to resample, None for one that is not available or stands for a failure.

    Raises `CommandError` for a metric that no system has.
    """
    names: dict[str, None] = {}
    for system in result.systems:
        names |= dict.fromkeys(system.scores)
    for metric in metrics:
        if metric not in names:
            message = f"{quote(metric)} was not scored"
            raise CommandError(message, *suggest(metric, names))
    by_metric: Scores = {}
    for metric in metrics or names:
        by_metric[metric] = [
            system.scores[metric] if system.gives(metric) else None for system in result.systems
        ]
    return by_metric


def _compare(
    metric: str, row: Sequence[Score | None], resampled: Sequence[Ratios | None], filled: Sequence[Mask]
) -> Iterator[tuple[Pair, float | None, Values | None]]:
    """Yield each pair of systems with its difference in the headline ratio, observed and in each resample.

    Differences are the later system minus the earlier one; a difference that cannot be computed is None.
    """
    for first, second in combinations(range(len(row)), 2):
        pair = metric, first, second
        one, other = row[first], row[second]
        if one is None or other is None or one.value is None or other.value is None:
            yield pair, None, None
            continue
        headline, before, after = one.metric.headline, resampled[first], resampled[second]
        if before is None or after is None or not can_resample(filled[first] | filled[second]):
            yield pair, other.value - one.value, None
        else:
            yield pair, other.value - one.value, after[headline] - before[headline]


def _test(
    resampler: Resampler[str],
    scores: Scores,
    tested: Mapping[Pair, float],
    test: Test,
    sizes: Sequence[int],
    progress: Progress,
) -> dict[Pair, float | None]:
    """Return p-values of the differences in `tested`, not yet adjusted.

    `sizes` are the numbers of resamples in each block.
    """
    headlines = {
        metric: next(score.metric.headline for score in scores[metric] if score) for metric, *_ in tested
    }
    stage = f"testing {len(tested):,} differences"

    def draw() -> Iterator[Iterator[tuple[Pair, Values]]]:
        is_bootstrap = test == "bootstrap"
        blocks = resampler.resample(sizes) if is_bootstrap else resampler.exchange(sizes)
        of_block = _resampled_differences if is_bootstrap else _exchanged_differences
        for sums in count_done(blocks, sizes, progress, stage):
            yield of_block(resampler, tested, headlines, sums)

    return find_p_values(test, tested, draw, lambda pair: int(resampler.differ(*pair).sum()))


def _resampled_differences(
    resampler: Resampler[str], tested: Iterable[Pair], headlines: Mapping[str, str], sums: Weights
) -> Iterator[tuple[Pair, Values]]:
    """Yield, for each pair in `tested`, the difference in each bootstrap resample of a block."""
    values: dict[int, Values] = {}
    of_metric = ""
    for metric, first, second in tested:
        if metric != of_metric:
            values, of_metric = {}, metric
        for system in (first, second):
            if system not in values:
                only = headlines[metric]
                values[system] = resampler.ratios(metric, system, sums, (only,))[only]
        yield (metric, first, second), values[second] - values[first]


def _exchanged_differences(
    resampler: Resampler[str], tested: Iterable[Pair], headlines: Mapping[str, str], sums: Weights
) -> Iterator[tuple[Pair, Values]]:
    """Yield, for each pair in `tested`, the difference in each trial of a block, after exchanging units."""
    system_sums: dict[int, Sums] = {}
    of_metric = ""
    for metric, first, second in tested:
        if metric != of_metric:
            system_sums, of_metric = {}, metric
        for system in (first, second):
            if system not in system_sums:
                system_sums[system] = resampler.sums(metric, system, sums)
        difference = resampler.exchange_difference(
            metric, (second, first), (system_sums[second], system_sums[first]), headlines[metric]
        )
        yield (metric, first, second), difference


def _find_floor(
    resampler: Resampler[str],
    metric: str,
    pairs: Mapping[tuple[int, int], Difference],
    resampling: Resampling,
    resamples: int,
) -> Floor | None:
    """Find how low p-values of a metric can get, against the first system and over all pairs.

    Returns None if no pair is tested.
    """
    tested = [pair for pair, difference in pairs.items() if difference.p is not None]
    if not tested:
        return None
    differing = {pair: int(resampler.differ(metric, *pair).sum()) for pair in tested}
    first = [pair for pair in tested if not pair[0]]
    return Floor(
        find_floor(
            resampling.test, len(first), resamples, max((differing[pair] for pair in first), default=0)
        ),
        find_floor(resampling.test, len(tested), resamples, max(differing.values())),
        max(differing.values()),
    )


def _matrix(
    pairs: dict[tuple[int, int], Difference], n_systems: int
) -> tuple[tuple[Difference | None, ...], ...]:
    """Return the differences of all ordered pairs of systems, adjusted over all unordered pairs."""
    adjusted = dict(zip(pairs, adjust_differences(list(pairs.values())), strict=True))
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


def _reverse(difference: Difference) -> Difference:
    """Return the difference of the same two systems in the other order."""
    value = None if difference.difference is None else 0.0 - difference.difference
    interval = difference.interval and Interval(0.0 - difference.interval.high, 0.0 - difference.interval.low)
    return difference._replace(difference=value, interval=interval)
