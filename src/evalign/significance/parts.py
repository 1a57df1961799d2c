"""Intervals and tests of averages over parts: the treebanks of a shared task, the genres of a corpus.

Units are resampled within each part, so that every part stays as large as it is (a stratified bootstrap: Davison and
Hinkley 1997, Bootstrap methods and their application, section 3.2). The parts themselves are not resampled: an interval says what other texts
of the same treebanks would give, not what other treebanks would.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from evalign.errors import CommandError
from evalign.result.parts import Parts, worst_value
from evalign.result.scores import Score
from evalign.significance.assessment import adjust_all, name_ratios
from evalign.significance.drawn import Drawn
from evalign.significance.intervals import find_interval, find_intervals
from evalign.significance.paired import bootstrap_p, randomization_p
from evalign.significance.ratios import Ratios, Sums, Values, ratios_of_rows
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
    """Intervals of macro and micro averages, and, if `paired`, tests of macro averages against the first system's."""
    unknown = [metric for metric in metrics if metric not in parts.metrics]
    if unknown:
        message = f'"{unknown[0]}" was not scored'
        raise CommandError(message, f"one of {', '.join(parts.metrics)}")
    averages = _Averages(parts, resampling, list(metrics or parts.metrics))
    if not averages.reason:
        for stratum in averages.strata:
            averages.add(stratum, test=paired and resampling.test == "randomization")
    systems = range(len(parts.systems))
    micro = parts.micro()
    return PartsSignificance(
        resampling,
        micro.unit_kind,
        averages.n_units,
        averages.reason,
        averages.fixed,
        tuple({metric: averages.macro(system, metric) for metric in averages.metrics} for system in systems),
        tuple({metric: averages.micro(system, metric) for metric in averages.metrics} for system in systems),
        {metric: averages.against_first(metric) for metric in averages.metrics} if paired else {},
    )


class _Mean:
    """A mean over parts in every resample, of those parts that have a value in it."""

    def __init__(self, resamples: int) -> None:
        self._total, self._parts = np.zeros(resamples), np.zeros(resamples)

    def add(self, values: Values | float | None) -> None:
        """One more part."""
        if values is None:
            return
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
        self._joined = parts.micro()
        self._systems = range(len(parts.systems))
        size = resampling.resamples
        self._layers = {metric: self._joined.systems[0].scores[metric].layer for metric in metrics}
        names = {metric: name_ratios(self._joined.systems[0].scores[metric]) for metric in metrics}
        self._macro = {
            (metric, k): {name: _Mean(size) for name in names[metric]}
            for metric in metrics
            for k in self._systems
        }
        self._sums: dict[tuple[str, int], Sums] = {}
        self._trials = {(metric, k): (_Mean(size), _Mean(size)) for metric in metrics for k in self._systems}

    @property
    def n_units(self) -> int:
        """In all parts together; a unit that has a share in several is one unit."""
        together = {stratum.key: stratum.n_units for stratum in self.strata}
        return sum(together.values())

    @property
    def fixed(self) -> tuple[str, ...]:
        """Parts in which there is nothing to resample."""
        return tuple(stratum.name for stratum in self.strata if stratum.n_units < 2)

    @property
    def reason(self) -> str:
        """Why there is nothing to resample in any part."""
        if len(self.fixed) < len(self.strata):
            return ""
        return f"one {self._joined.unit_kind} in each {self._parts.by}: nothing to resample"

    def add(self, stratum: Stratum, *, test: bool) -> None:
        """Resample a part and add it to the averages, and to the trials of the test."""
        scores: dict[Kind, list[Score | None]] = {}
        for metric in self.metrics:
            scores["macro", metric] = [self._find(stratum, metric, system) for system in self._systems]
            joined = [system.scores[metric] for system in self._joined.systems]
            rows = [Score(score.layer, score.units[stratum.rows]) for score in joined]
            scores["micro", metric] = [stratum.spread(score) for score in rows]
        drawn = Drawn(scores, stratum.n_units, self._resampling, stratum.key)
        for metric in self.metrics:
            for system in self._systems:
                self._add_macro(drawn, stratum, metric, system)
                sums = drawn.sums(("micro", metric), system)
                self._sums[metric, system] = self._sums.get((metric, system), np.zeros_like(sums)) + sums
                if test and system:
                    self._add_trials(drawn, stratum, metric, system)

    def _find(self, stratum: Stratum, metric: str, system: int) -> Score | None:
        """A score to resample; None where there is none, or the system failed on this part."""
        found = stratum.result.systems[system]
        score = found.scores.get(metric)
        return None if score is None or not score.available or found.failure else stratum.spread(score)

    def _constant(self, stratum: Stratum, metric: str, system: int, ratio: str) -> float | None:
        """What counts for a part without a score: nothing, or the worst value if the system failed and that is asked for."""
        found = stratum.result.systems[system]
        counts = found.failure and metric in found.scores and self._parts.failures == "zero"
        return worst_value(self._layers[metric], ratio) if counts else None

    def _add_macro(self, drawn: Drawn[Kind], stratum: Stratum, metric: str, system: int) -> None:
        ratios: Ratios = (
            drawn.ratios(("macro", metric), system) if drawn.has(("macro", metric), system) else {}
        )
        for name, mean in self._macro[metric, system].items():
            mean.add(ratios[name] if name in ratios else self._constant(stratum, metric, system, name))

    def _add_trials(self, drawn: Drawn[Kind], stratum: Stratum, metric: str, system: int) -> None:
        """Exchange units with the first system; where one of the two has no score, the part as a whole."""
        headline = self._layers[metric].headline
        kind: Kind = ("macro", metric)
        own, first = self._trials[metric, system]
        if drawn.has(kind, system) and drawn.has(kind, 0):
            mine, theirs = (ratios[headline] for ratios in drawn.exchanged(kind, system, 0))
        else:
            observed = [self._observed(stratum, metric, number) for number in (system, 0)]
            swapped = drawn.exchanges(int(stratum.places[0])) > 0
            mine = np.where(swapped, observed[1], observed[0])
            theirs = np.where(swapped, observed[0], observed[1])
        own.add(mine)
        first.add(theirs)

    def _observed(self, stratum: Stratum, metric: str, system: int) -> float:
        """The headline ratio of a part as the macro average takes it, NaN for none."""
        headline = self._layers[metric].headline
        score = self._find(stratum, metric, system)
        value = self._constant(stratum, metric, system, headline) if score is None else score.value
        return np.nan if value is None else value

    def macro(self, system: int, metric: str) -> dict[str, Interval | None]:
        """Intervals of the macro average."""
        means = self._macro[metric, system]
        if self.reason:
            return dict.fromkeys(means)
        return {name: find_interval(mean.values, self._resampling.confidence) for name, mean in means.items()}

    def micro(self, system: int, metric: str) -> dict[str, Interval | None]:
        """Intervals of the micro average."""
        score = self._joined.systems[system].scores[metric]
        if self.reason or not score.available:
            return dict.fromkeys(self._macro[metric, system])
        found = ratios_of_rows(score.layer, self._sums[metric, system])
        return find_intervals(found, self._resampling.confidence)

    def against_first(self, metric: str) -> tuple[Difference | None, ...]:
        """Macro averages of the headline ratio, minus the first system's."""
        found = [self._compare(metric, system) for system in self._systems[1:]]
        return (None, *adjust_all(found))

    def _compare(self, metric: str, system: int) -> Difference:
        headline = self._layers[metric].headline
        own, first = (self._parts.macro(number, metric).get(headline) for number in (system, 0))
        if own is None or first is None:
            return NOTHING
        if self.reason:
            return Difference(own - first, None, None, None)
        spread = self._macro[metric, system][headline].values - self._macro[metric, 0][headline].values
        if self._resampling.test == "bootstrap":
            p = bootstrap_p(own - first, spread)
        else:
            mine, theirs = self._trials[metric, system]
            p = randomization_p(own - first, mine.values - theirs.values)
        return Difference(own - first, find_interval(spread, self._resampling.confidence), p, None)
