"""Intervals and tests of averages over parts: the treebanks of a shared task, the genres of a corpus.

Units are resampled within each part, so that every part stays as large as it is (a stratified bootstrap: Davison and
Hinkley 1997, Bootstrap methods and their application, section 3.2). The parts themselves are not resampled: an interval says what other texts
of the same treebanks would give, not what other treebanks would.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Literal, TypeAlias

import numpy as np

from evalign.errors import CommandError
from evalign.result import Parts
from evalign.result.averages import counted_ratios, mean_ratios
from evalign.result.scores import Score
from evalign.significance.drawn import Drawn
from evalign.significance.filled import NOTHING_TO_RESAMPLE, are_enough, explain_metric, find_filled
from evalign.significance.holm import adjust_all
from evalign.significance.intervals import find_interval, find_intervals
from evalign.significance.paired import bootstrap_p, randomization_p
from evalign.significance.ratios import Sums, Values, name_ratios, ratios_of_rows
from evalign.significance.settings import DEFAULT, Resampling
from evalign.significance.strata import Stratum, find_strata
from evalign.significance.values import NOTHING, Difference, Interval, PartsSignificance

Kind: TypeAlias = tuple[Literal["macro", "micro"], str]
"""An average, and a metric."""


def assess_parts(
    parts: Parts,
    resampling: Resampling = DEFAULT,
    *,
    paired: bool = True,
    metrics: Sequence[str] = (),
) -> PartsSignificance:
    """Intervals of macro and micro averages, and, if `paired`, tests of macro averages against the first system's.

    Two systems are compared over the parts that both have a value for: averages of different treebanks are no test of
    systems. `compared` has how many these are.
    """
    unknown = [metric for metric in metrics if metric not in parts.metrics]
    if unknown:
        message = f'"{unknown[0]}" was not scored'
        raise CommandError(message, f"one of {', '.join(parts.metrics)}")
    averages = _Averages(parts, resampling, list(metrics or parts.metrics))
    if not averages.reason:
        for stratum in averages.strata:
            averages.add(stratum, test=paired and resampling.test == "randomization")
    systems, names = range(len(parts.systems)), averages.metrics
    return PartsSignificance(
        resampling,
        averages.joined.unit_kind,
        averages.n_units,
        averages.reason,
        averages.fixed,
        tuple({metric: averages.macro(system, metric) for metric in names} for system in systems),
        tuple({metric: averages.micro(system, metric) for metric in names} for system in systems),
        {metric: averages.against_first(metric) for metric in names} if paired else {},
        {metric: tuple(len(averages.common(metric, k)) for k in systems) for metric in names},
        averages.reasons,
    )


class _Mean:
    """A mean over parts in every resample, of those parts that have a value in it."""

    def __init__(self, resamples: int) -> None:
        self._total, self._parts = np.zeros(resamples), np.zeros(resamples)
        self.varies = False

    def add(self, values: Values | float | None) -> None:
        """One more part; one number is the same in all resamples."""
        if values is None:
            return
        self.varies |= isinstance(values, np.ndarray)
        defined = ~np.isnan(values)
        self._total += np.where(defined, values, 0.0)
        self._parts += defined

    @property
    def values(self) -> Values:
        """The mean, NaN where no part has a value."""
        return np.where(self._parts > 0, self._total / np.maximum(self._parts, 1), np.nan)


class _Averages:
    """Averages in every resample, built up part by part."""

    def __init__(self, parts: Parts, resampling: Resampling, metrics: list[str]) -> None:
        self._parts, self._resampling, self.metrics = parts, resampling, metrics
        self.strata = find_strata(parts)
        self.joined = parts.micro()
        self._systems = range(len(parts.systems))
        size = resampling.resamples
        self._layers = {metric: self.joined.systems[0].scores[metric].layer for metric in metrics}
        every = list(product(metrics, self._systems))
        self._macro = {
            (metric, k): {name: _Mean(size) for name in name_ratios(self._layers[metric])}
            for metric, k in every
        }
        self._sums: dict[tuple[str, int], Sums] = {}
        self._varying_sums: set[tuple[str, int]] = set()
        self._differences = {each: _Mean(size) for each in every}
        self._trials = {each: _Mean(size) for each in every}

    @property
    def n_units(self) -> int:
        """In all parts together; a unit that has a share in several is one unit."""
        together = {stratum.key: stratum.n_units for stratum in self.strata}
        return sum(together.values())

    @property
    def fixed(self) -> tuple[str, ...]:
        """Parts in which there is nothing to resample."""
        return tuple(stratum.name for stratum in self.strata if stratum.n_units < 2)

    @cached_property
    def reason(self) -> str:
        """Why there is nothing to resample in any part."""
        if len(self.fixed) == len(self.strata):
            return f"one {self.joined.unit_kind} in each {self._parts.by}: {NOTHING_TO_RESAMPLE}"
        all_of = len(self.reasons) == len(self.metrics)
        return next(iter(self.reasons.values())) if all_of else ""

    @cached_property
    def reasons(self) -> dict[str, str]:
        """The metrics that one unit of each part has all of, and so nothing to resample."""
        if len(self.fixed) == len(self.strata):
            return {}
        found = {}
        for metric, layer in self._layers.items():
            sizes = [
                np.count_nonzero(find_filled((self._find(each, metric, k) for k in self._systems), each.n_units))
                for each in self.strata
            ]  # fmt: skip
            if max(sizes, default=0) == 1:
                found[metric] = explain_metric(layer, self.joined.unit_kind, f"each {self._parts.by}")
        return found

    def add(self, stratum: Stratum, *, test: bool) -> None:
        """Resample a part and add it to the averages, and to the trials of the test."""
        scores: dict[Kind, list[Score | None]] = {}
        for metric in self.metrics:
            scores["macro", metric] = [self._find(stratum, metric, system) for system in self._systems]
            joined = [system.scores[metric] for system in self.joined.systems]
            rows = [Score(score.layer, score.units[stratum.rows]) for score in joined]
            scores["micro", metric] = [stratum.spread(score) for score in rows]
        drawn = Drawn(scores, stratum.n_units, self._resampling, stratum.key)
        for metric in self.metrics:
            self._add_macro(drawn, stratum, metric, scores["macro", metric])
            self._add_micro(drawn, metric, scores["micro", metric])
            if test:
                for system in self._systems[1:]:
                    self._add_trials(drawn, stratum, metric, system)

    def _find(self, stratum: Stratum, metric: str, system: int) -> Score | None:
        """A score to resample; None where there is none, or the system failed on this part or in this metric."""
        found = stratum.result.systems[system]
        return stratum.spread(found.scores[metric]) if found.gives(metric) else None

    def _add_macro(
        self, drawn: Drawn[Kind], stratum: Stratum, metric: str, scores: Sequence[Score | None]
    ) -> None:
        """A part's ratios in each resample, or as they are where they do not vary; and how far from the first one's."""
        headlines: list[Values | float | None] = []
        for system, score in enumerate(scores):
            found: Mapping[str, Values | float | None] = (
                drawn.ratios(("macro", metric), system)
                if score is not None and are_enough(find_filled([score], stratum.n_units))
                else self._observed(stratum.name, metric, system)
            )
            for name, mean in self._macro[metric, system].items():
                mean.add(found.get(name))
            headlines.append(found.get(self._layers[metric].headline))
        for system, own in enumerate(headlines):
            if own is not None and headlines[0] is not None:
                self._differences[metric, system].add(own - headlines[0])

    def _add_micro(self, drawn: Drawn[Kind], metric: str, scores: Sequence[Score | None]) -> None:
        """A part's sums in each resample, or as they are where they do not vary."""
        for system, score in enumerate(scores):
            assert score is not None
            key = metric, system
            if are_enough(find_filled([score], len(score.units))):
                sums = drawn.sums(("micro", metric), system)
                self._varying_sums.add(key)
            else:
                sums = score.units.sum(axis=0)[np.newaxis]
            self._sums[key] = self._sums[key] + sums if key in self._sums else sums

    def _add_trials(self, drawn: Drawn[Kind], stratum: Stratum, metric: str, system: int) -> None:
        """Exchange units with the first system; where one of the two failed, the part as a whole."""
        headline = self._layers[metric].headline
        kind: Kind = ("macro", metric)
        trials = self._trials[metric, system]
        if drawn.has(kind, system) and drawn.has(kind, 0):
            own, first = (ratios[headline] for ratios in drawn.exchanged(kind, system, 0))
            trials.add(own - first)
        elif stratum.name in self.common(metric, system):
            mine, theirs = (self._observed(stratum.name, metric, k).get(headline) for k in (system, 0))
            assert mine is not None
            assert theirs is not None
            swapped = drawn.exchanges(int(stratum.places[0])) > 0
            trials.add(np.where(swapped, theirs - mine, mine - theirs))

    def _observed(self, part: str, metric: str, system: int) -> Mapping[str, float | None]:
        """The ratios of a part as the macro average takes them."""
        return counted_ratios(self._parts.results[part].systems[system], metric, self._parts.failures)

    def common(self, metric: str, system: int) -> list[str]:
        """The parts that count in the averages of a system and of the first."""
        first = set(self._parts.covered(0, metric))
        return [part for part in self._parts.covered(system, metric) if part in first]

    def macro(self, system: int, metric: str) -> dict[str, Interval | None]:
        """Intervals of the macro average."""
        return {name: self._interval(mean) for name, mean in self._macro[metric, system].items()}

    def _interval(self, mean: _Mean) -> Interval | None:
        return find_interval(mean.values, self._resampling.confidence) if mean.varies else None

    def micro(self, system: int, metric: str) -> dict[str, Interval | None]:
        """Intervals of the micro average."""
        score = self.joined.systems[system].scores[metric]
        if (metric, system) not in self._varying_sums or not score.available:
            return dict.fromkeys(self._macro[metric, system])
        found = ratios_of_rows(score.layer, self._sums[metric, system])
        return find_intervals(found, self._resampling.confidence)

    def against_first(self, metric: str) -> tuple[Difference | None, ...]:
        """Macro averages of the headline ratio, minus the first system's."""
        found = [self._compare(metric, system) for system in self._systems[1:]]
        return (None, *adjust_all(found))

    def _compare(self, metric: str, system: int) -> Difference:
        """Over the parts that both have a value for."""
        headline = self._layers[metric].headline
        own, first = (
            mean_ratios(self._observed(part, metric, number) for part in self.common(metric, system)).get(headline)
            for number in (system, 0)
        )  # fmt: skip
        if own is None or first is None:
            return NOTHING
        spread = self._differences[metric, system]
        if not spread.varies:
            return Difference(own - first, None, None, None)
        if self._resampling.test == "bootstrap":
            p = bootstrap_p(own - first, spread.values)
        else:
            p = randomization_p(own - first, self._trials[metric, system].values)
        return Difference(own - first, self._interval(spread), p, None)
