"""Intervals and tests of averages over parts: the treebanks of a shared task, the genres of a corpus.

Units are resampled within each part, so that every part keeps its size (a stratified bootstrap: Davison and
Hinkley 1997, Bootstrap methods and their application, section 3.2). The parts themselves are not resampled:
an interval says what other texts of the same treebanks would give, not what other treebanks would.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.errors import CommandError, quote, suggest
from evalign.progress import Progress, count_done, counted, no_progress
from evalign.results.result import Parts, Result
from evalign.results.system_result import Score, counted_ratios, has_no_row, mean_ratios
from evalign.significance.draws import Resampler, Weights, cut_resamples
from evalign.significance.inference import (
    NOTHING_TO_RESAMPLE,
    Mask,
    Sums,
    Values,
    adjust_differences,
    bootstrap_p_values,
    can_resample,
    explain_metric,
    find_floor,
    find_interval,
    find_intervals,
    find_p_values,
    name_ratios,
    name_unit,
    ratios_of_rows,
    units_with_counts,
)
from evalign.significance.values import (
    DEFAULT_BLOCKS,
    DEFAULT_RESAMPLING,
    NOTHING,
    BlockSizes,
    Difference,
    Floor,
    Interval,
    PartsSignificance,
    Resampling,
)

# The units of a run in parts, and which of them are drawn together.
#
# Units of a treebank are resampled within that treebank, which keeps its size. If a result was split within
# its units, as by sentence length, a document has a share in several parts; it is then drawn once for all of
# them.


@dataclass(frozen=True, slots=True)
class Stratum:
    """The units of one part, among the units that are drawn together."""

    name: str
    result: Result
    rows: slice
    """Rows of this part among the rows of all parts."""
    places: npt.NDArray[np.intp]
    """For each row of the part, the number of its unit among the units drawn."""
    n_units: int
    """Number of units drawn."""
    key: tuple[int, ...]
    """Key of the random stream: parts with the same key are drawn together."""

    def spread(self, score: Score) -> Score:
        """Return `score` of this part with a row per drawn unit, zeros where the part has no share in it."""
        table = np.zeros((self.n_units, len(score.metric.fields)), np.int64)
        table[self.places] = score.units
        return Score(score.metric, table, score.average, score.available)


def find_strata(parts: Parts) -> list[Stratum]:
    """Return the strata of all parts with units; a part whose gold could not be read has none."""
    sizes = [result.systems[0].n_rows for result in parts.results.values()]
    cuts = np.append(0, np.cumsum(sizes)).tolist()
    together = share_units(parts)
    strata = []
    for number, (name, result) in enumerate(parts.results.items()):
        rows, size = slice(cuts[number], cuts[number + 1]), sizes[number]
        if together and parts.whole is not None:
            places = np.asarray(parts.units[name], np.intp)
            strata.append(Stratum(name, result, rows, places, parts.whole.systems[0].n_rows, ()))
        elif size:
            strata.append(Stratum(name, result, rows, np.arange(size), size, (number,)))
    return strata


def share_units(parts: Parts) -> bool:
    """Return whether any unit of the split result is in several parts."""
    units = [unit for numbers in parts.units.values() for unit in numbers]
    return len(set(units)) < len(units)


# Averages over different parts do not say which system is better.


def cover_alike(parts: Parts, metric: str, average: Literal["macro", "micro"]) -> bool:
    """Return whether the averages of all systems cover the same parts, and so are comparable.

    A system that failed everywhere is not compared.
    """
    systems = [k for k in range(len(parts.systems)) if not parts.fails_everywhere(k, metric)]
    if average == "macro":
        covered = [set(parts.covered(number, metric)) for number in systems]
    else:
        # A system without an average is not compared.
        covered = [_added_up(parts, k, metric) for k in systems if can_add_up(parts, k, metric)]
    return all(names == covered[0] for names in covered[1:])


def can_add_up(parts: Parts, number: int, metric: str) -> bool:
    """Return whether the counts of all parts can be added up, including those the system failed on."""
    results = parts.results.values()
    return parts.failures == "skip" or not any(has_no_row(r.systems[number], metric) for r in results)


def _added_up(parts: Parts, number: int, metric: str) -> set[str]:
    """Return the parts whose counts are in the micro average of a system."""
    names = set()
    for name, result in parts.results.items():
        system = result.systems[number]
        score = system.scores.get(metric)
        left_out = bool(system.failure) and parts.failures == "skip"
        if score is not None and score.available and not left_out:
            names.add(name)
    return names


def covers_alike(run: Parts, metric: str) -> bool:
    """Return whether groups of a run are of the same treebanks for all systems; labels are of all its metrics."""
    metrics = [metric] if metric in run.metrics else run.metrics
    return all(cover_alike(run, each, "micro") for each in metrics)


AverageKey: TypeAlias = tuple[Literal["macro", "micro"], str]
"""Kind of average, and metric."""
Average: TypeAlias = tuple[str, int]
"""A metric, and the number of the system whose macro average it is."""


def assess_parts(
    parts: Parts,
    resampling: Resampling = DEFAULT_RESAMPLING,
    *,
    paired: bool = True,
    metrics: Sequence[str] = (),
    progress: Progress = no_progress,
    blocks: BlockSizes = DEFAULT_BLOCKS,
) -> PartsSignificance:
    """Compute intervals of macro and micro averages and, if `paired`, tests against the first system.

    Macro averages are tested. Two systems are compared over the parts that both have a value for, since
    averages over different treebanks do not compare systems; `compared` of the returned value counts these
    parts. A system that failed on all parts is in no test. `metrics` limits the work to the metrics named. `progress` is called with the stages of a long run.
    `blocks` bound memory and change no number.
    """
    unknown = [metric for metric in metrics if metric not in parts.metrics]
    if unknown:
        message = f"{quote(unknown[0])} was not scored"
        raise CommandError(message, *suggest(unknown[0], parts.metrics))
    averages = _Averages(parts, resampling, list(metrics or parts.metrics), blocks)
    if not averages.reason:
        for _, stratum in counted(averages.strata, progress, lambda _: "resampling averages"):
            averages.add(stratum)
    systems, names = range(len(parts.systems)), averages.metrics
    tests = _Tests(averages, resampling) if paired else None
    against_first = tests.against_first(progress) if tests else {}
    return PartsSignificance(
        resampling,
        averages.joined.unit_kind,
        averages.n_units,
        averages.reason,
        averages.fixed,
        tuple({metric: averages.macro(system, metric) for metric in names} for system in systems),
        tuple({metric: averages.micro(system, metric) for metric in names} for system in systems),
        against_first,
        {metric: tuple(len(averages.common(metric, k)) for k in systems) for metric in names},
        averages.reasons,
        tests.resamples if tests else 0,
        {metric: tests.floor(metric, row) for metric, row in against_first.items()} if tests else {},
    )


class _Mean:
    """Mean over parts in every resample, taken over the parts that have a value in it."""

    def __init__(self, resamples: int) -> None:
        self._total, self._parts = np.zeros(resamples), np.zeros(resamples)
        self.varies = False

    def add(self, values: Values | float | None) -> None:
        """Add a part: a value per resample, one number for all resamples, or None for no value."""
        if values is None:
            return
        self.varies |= isinstance(values, np.ndarray)
        defined = ~np.isnan(values)
        self._total += np.where(defined, values, 0.0)
        self._parts += defined

    @property
    def values(self) -> Values:
        """The mean in every resample, NaN where no part has a value."""
        return np.where(self._parts > 0, self._total / np.maximum(self._parts, 1), np.nan)


class _Averages:
    """Averages over parts in every resample, built up part by part."""

    def __init__(self, parts: Parts, resampling: Resampling, metrics: list[str], blocks: BlockSizes) -> None:
        self.blocks = blocks
        self.parts, self._resampling, self.metrics = parts, resampling, metrics
        self.strata = find_strata(parts)
        self.joined = parts.micro()
        self.systems = range(len(parts.systems))
        size = resampling.for_intervals
        self.metric_of = {metric: self.joined.systems[0].scores[metric].metric for metric in metrics}
        every = list(product(metrics, self.systems))
        self._macro = {
            (metric, k): {name: _Mean(size) for name in name_ratios(self.metric_of[metric])}
            for metric, k in every
        }
        self._sums: dict[tuple[str, int], Sums] = {}
        self._varying_sums: set[tuple[str, int]] = set()
        self.differences = {each: _Mean(size) for each in every}

    @property
    def n_units(self) -> int:
        """Number of units in all parts together; a unit with a share in several parts is counted once."""
        together = {stratum.key: stratum.n_units for stratum in self.strata}
        return sum(together.values())

    @property
    def fixed(self) -> tuple[str, ...]:
        """Names of the parts with fewer than two units, which cannot be resampled."""
        return tuple(stratum.name for stratum in self.strata if stratum.n_units < 2)

    @cached_property
    def reason(self) -> str:
        """Why no part can be resampled; empty if one can."""
        if len(self.fixed) == len(self.strata):
            return f"one {name_unit(self.joined.unit_kind)} in each {self.parts.by}: {NOTHING_TO_RESAMPLE}"
        all_of = len(self.reasons) == len(self.metrics)
        return next(iter(self.reasons.values())) if all_of else ""

    @cached_property
    def reasons(self) -> dict[str, str]:
        """By metric: why it cannot be resampled, as in each part all its counts are in one unit."""
        if len(self.fixed) == len(self.strata):
            return {}
        reasons = {}
        for name, metric in self.metric_of.items():
            sizes = [
                np.count_nonzero(units_with_counts((self.find(each, name, k) for k in self.systems), each.n_units))
                for each in self.strata
            ]  # fmt: skip
            if max(sizes, default=0) == 1:
                reasons[name] = explain_metric(metric, self.joined.unit_kind, f"each {self.parts.by}")
        return reasons

    def add(self, stratum: Stratum) -> None:
        """Resample a part and add it to the averages."""
        scores: dict[AverageKey, list[Score | None]] = {}
        for metric in self.metrics:
            scores["macro", metric] = [self.find(stratum, metric, system) for system in self.systems]
            joined = [system.scores[metric] for system in self.joined.systems]
            rows = [Score(score.metric, score.units[stratum.rows]) for score in joined]
            scores["micro", metric] = [stratum.spread(score) for score in rows]
        resampler = Resampler(scores, stratum.n_units, self._resampling, stratum.key, self.blocks)
        for metric in self.metrics:
            self._add_macro(resampler, stratum, metric, scores["macro", metric])
            self._add_micro(resampler, metric, scores["micro", metric])

    def find(self, stratum: Stratum, metric: str, system: int) -> Score | None:
        """Return the score to resample; None if there is none or the system failed on this part or metric."""
        system_result = stratum.result.systems[system]
        return stratum.spread(system_result.scores[metric]) if system_result.gives(metric) else None

    def _add_macro(
        self, resampler: Resampler[AverageKey], stratum: Stratum, metric: str, scores: Sequence[Score | None]
    ) -> None:
        """Add a part's ratios to the macro averages, and their differences from the first system's."""
        headlines: list[Values | float | None] = []
        for system, score in enumerate(scores):
            ratios = self.resampled(resampler, stratum, metric, system, score)
            for name, mean in self._macro[metric, system].items():
                mean.add(ratios.get(name))
            headlines.append(ratios.get(self.metric_of[metric].headline))
        for system, own in enumerate(headlines):
            if own is not None and headlines[0] is not None:
                self.differences[metric, system].add(own - headlines[0])

    def resampled(
        self,
        resampler: Resampler[AverageKey],
        stratum: Stratum,
        metric: str,
        system: int,
        score: Score | None,
        sums: Weights | None = None,
    ) -> Mapping[str, Values | float | None]:
        """Return a part's ratios in each resample, or in each of `sums`; one number if they do not vary."""
        if score is not None and can_resample(units_with_counts([score], stratum.n_units)):
            return resampler.ratios(("macro", metric), system, sums)
        return self.observed(stratum.name, metric, system)

    def _add_micro(
        self, resampler: Resampler[AverageKey], metric: str, scores: Sequence[Score | None]
    ) -> None:
        """Add a part's sums in each resample to the micro averages; constant sums where they do not vary."""
        for system, score in enumerate(scores):
            assert score is not None
            key = metric, system
            if can_resample(units_with_counts([score], len(score.units))):
                sums = resampler.sums(("micro", metric), system)
                self._varying_sums.add(key)
            else:
                sums = score.units.sum(axis=0)[np.newaxis]
            self._sums[key] = self._sums[key] + sums if key in self._sums else sums

    def observed(self, part: str, metric: str, system: int) -> Mapping[str, float | None]:
        """Return the ratios of a part as the macro average counts them."""
        return counted_ratios(self.parts.results[part].systems[system], metric, self.parts.failures)

    def common(self, metric: str, system: int) -> list[str]:
        """Return the parts that count in the averages of both `system` and the first system.

        There are none if one of the two failed everywhere: what failures count as says nothing of the system.
        """
        if any(self.parts.fails_everywhere(number, metric) for number in (0, system)):
            return []
        first = set(self.parts.covered(0, metric))
        return [part for part in self.parts.covered(system, metric) if part in first]

    def macro(self, system: int, metric: str) -> dict[str, Interval | None]:
        """Return the intervals of a system's macro average, by ratio."""
        return {name: self._interval(mean) for name, mean in self._macro[metric, system].items()}

    def _interval(self, mean: _Mean) -> Interval | None:
        return find_interval(mean.values, self._resampling.confidence) if mean.varies else None

    def micro(self, system: int, metric: str) -> dict[str, Interval | None]:
        """Return the intervals of a system's micro average, by ratio."""
        score = self.joined.systems[system].scores[metric]
        if (metric, system) not in self._varying_sums or not score.available:
            return dict.fromkeys(self._macro[metric, system])
        ratios = ratios_of_rows(score.metric, self._sums[metric, system])
        return find_intervals(ratios, self._resampling.confidence)

    def compare(self, metric: str, system: int) -> tuple[Difference, bool]:
        """Return a system's macro average minus the first one's over common parts, and whether it varies."""
        headline = self.metric_of[metric].headline
        own, first = (
            mean_ratios(self.observed(part, metric, number) for part in self.common(metric, system)).get(headline)
            for number in (system, 0)
        )  # fmt: skip
        if own is None or first is None:
            return NOTHING, False
        spread = self.differences[metric, system]
        return Difference(own - first, self._interval(spread), None, None), spread.varies


class _Tests:
    """Tests of macro averages against the first system's."""

    def __init__(self, averages: _Averages, resampling: Resampling) -> None:
        self._averages, self._resampling = averages, resampling
        self.resamples = resampling.for_tests(len(averages.systems) - 1)
        self._resamplers = (
            [self._make_resampler(stratum) for stratum in averages.strata] if not averages.reason else []
        )

    def _make_resampler(
        self, stratum: Stratum
    ) -> tuple[Stratum, Resampler[AverageKey], dict[str, list[Score | None]]]:
        """Return a part, a new resampler for it, and its scores by metric.

        The resampler of the intervals cannot be used, because a test may need more resamples.
        """
        averages = self._averages
        scores = {
            metric: [averages.find(stratum, metric, system) for system in averages.systems]
            for metric in averages.metrics
        }
        named: dict[AverageKey, list[Score | None]] = {
            ("macro", metric): row for metric, row in scores.items()
        }
        resampler = Resampler(named, stratum.n_units, self._resampling, stratum.key, averages.blocks)
        return stratum, resampler, scores

    def against_first(self, progress: Progress) -> dict[str, tuple[Difference | None, ...]]:
        """Return, by metric, each system's difference from the first, adjusted over the systems."""
        averages, systems = self._averages, self._averages.systems[1:]
        comparisons = {key: averages.compare(*key) for key in product(averages.metrics, systems)}
        tested = {
            key: difference.difference
            for key, (difference, varies) in comparisons.items()
            if varies and difference.difference is not None
        }
        p_values = self._test(tested, progress) if tested else {}
        return {
            metric: (None, *adjust_differences([comparisons[metric, k][0]._replace(p=p_values.get((metric, k))) for k in systems]))
            for metric in averages.metrics
        }  # fmt: skip

    def _test(self, tested: Mapping[Average, float], progress: Progress) -> dict[Average, float | None]:
        """Return the p-values of the differences in `tested`, not yet adjusted."""
        is_bootstrap = self._resampling.test == "bootstrap"
        if (
            is_bootstrap and self.resamples == self._resampling.for_intervals
        ):  # the resamples for intervals are drawn already
            spreads = [(key, self._averages.differences[key].values) for key in tested]
            return bootstrap_p_values(tested, lambda: [spreads])
        columns = max(resampler.n_columns for _, resampler, _ in self._resamplers) + 2 * len(tested)
        sizes = [*cut_resamples(self.resamples, columns, self._averages.blocks)]

        def draw() -> Iterator[Iterator[tuple[Average, Values]]]:
            blocks = self._resample(tested, sizes) if is_bootstrap else self._exchange(tested, sizes)
            for block in count_done(blocks, sizes, progress, "testing averages"):
                yield ((key, mean.values) for key, mean in block.items())

        return find_p_values(self._resampling.test, tested, draw, lambda key: self._count_differing(*key))

    def _resample(self, tested: Iterable[Average], sizes: Sequence[int]) -> Iterator[dict[Average, _Mean]]:
        """Yield the differences of averages in bootstrap resamples, in blocks of the given sizes."""
        averages = self._averages
        streams = [resampler.resample(sizes) for _, resampler, _ in self._resamplers]
        for size in sizes:
            means = {key: _Mean(size) for key in tested}
            for (stratum, resampler, scores), stream in zip(self._resamplers, streams, strict=True):
                sums = next(stream)
                firsts = {
                    metric: averages.resampled(resampler, stratum, metric, 0, scores[metric][0], sums)
                    for metric in averages.metrics
                }
                for (metric, system), mean in means.items():
                    headline = averages.metric_of[metric].headline
                    score = scores[metric][system]
                    own = averages.resampled(resampler, stratum, metric, system, score, sums).get(headline)
                    first = firsts[metric].get(headline)
                    if own is not None and first is not None:
                        mean.add(own - first)
            yield means

    def _exchange(self, tested: Iterable[Average], sizes: Sequence[int]) -> Iterator[dict[Average, _Mean]]:
        """Yield the differences of averages after random exchanges, in blocks of the given sizes."""
        streams = [
            (resampler.exchange(sizes), self._exchange_whole(stratum, resampler, tested, sizes))
            for stratum, resampler, _ in self._resamplers
        ]
        for size in sizes:
            means = {key: _Mean(size) for key in tested}
            for (stratum, resampler, _), (stream, whole) in zip(self._resamplers, streams, strict=True):
                given = next(stream)
                swapped = None if whole is None else next(whole) > 0
                for (metric, system), mean in means.items():
                    headline = self._averages.metric_of[metric].headline
                    if self._has_both(resampler, metric, system):
                        kind: AverageKey = ("macro", metric)
                        sums = resampler.sums(kind, system, given), resampler.sums(kind, 0, given)
                        mean.add(resampler.exchange_difference(kind, (system, 0), sums, headline))
                    elif swapped is not None and (apart := self._apart(stratum, metric, system)) is not None:
                        mean.add(np.where(swapped, -apart, apart))
            yield means

    def _exchange_whole(
        self,
        stratum: Stratum,
        resampler: Resampler[AverageKey],
        tested: Iterable[Average],
        sizes: Sequence[int],
    ) -> Iterator[Values] | None:
        """Yield for each trial whether a part is exchanged as a whole, 1 or 0; None if no average needs it.

        An average needs it if one of its two systems failed on the part. The part is exchanged in the trials
        that exchange its first unit.
        """
        if not len(stratum.places) or all(self._has_both(resampler, *average) for average in tested):
            return None
        return resampler.exchanges(int(stratum.places[0]), sizes)

    def _has_both(self, resampler: Resampler[AverageKey], metric: str, system: int) -> bool:
        """Return whether both systems have scores whose units can be exchanged.

        If not, the part is exchanged as a whole.
        """
        return resampler.has(("macro", metric), system) and resampler.has(("macro", metric), 0)

    def _apart(self, stratum: Stratum, metric: str, system: int) -> float | None:
        """Return a system's headline ratio in a part minus the first one's; None unless both count there."""
        if stratum.name not in self._averages.common(metric, system):
            return None
        headline = self._averages.metric_of[metric].headline
        mine, theirs = (self._averages.observed(stratum.name, metric, k).get(headline) for k in (system, 0))
        assert mine is not None
        assert theirs is not None
        return mine - theirs

    def floor(self, metric: str, row: Sequence[Difference | None]) -> Floor | None:
        """Return how low p-values of a metric can be; None if there is no test."""
        tested = [
            system
            for system, difference in enumerate(row)
            if difference is not None and difference.p is not None
        ]
        if not tested:
            return None
        differing = max(self._count_differing(metric, system) for system in tested)
        least = find_floor(self._resampling.test, len(tested), self.resamples, differing)
        return Floor(least, least, differing)

    def _count_differing(self, metric: str, system: int) -> int:
        """Count the units in which a system differs from the first; a unit in several parts counts once."""
        masks: dict[tuple[int, ...], Mask] = {}
        for stratum, resampler, _ in self._resamplers:
            mask = masks.setdefault(stratum.key, np.zeros(stratum.n_units, bool))
            if self._has_both(resampler, metric, system):
                mask |= resampler.differ(("macro", metric), system, 0)
            elif self._apart(stratum, metric, system):
                mask[stratum.places[:1]] = True
        return sum(int(mask.sum()) for mask in masks.values())
