"""The verdict on several systems in a sentence or two: who is ahead in what, and whether that may be chance."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.layers.kinds import show_metric
from evalign.layers.layer import Layer
from evalign.reports.wording import best_of, decimal, percent
from evalign.result import Result, Score
from evalign.significance import Difference, Interval, Significance


class Numbers:
    """The scores of a result and what resampling found, asked for by system and metric."""

    def __init__(self, result: Result, significance: Significance, names: Sequence[str]) -> None:
        self.result, self.significance, self.names = result, significance, names
        metrics: dict[str, Layer] = {}
        for system in result.systems:
            for name, score in system.scores.items():
                metrics.setdefault(name, score.layer)
        self.layers = metrics
        self.alpha = 1 - significance.resampling.confidence

    def score(self, system: int, metric: str) -> Score | None:
        """A score, None where the system has none."""
        return self.result.systems[system].scores.get(metric)

    def value(self, system: int, metric: str) -> float | None:
        """The headline of a metric, as a share."""
        score = self.score(system, metric)
        return None if score is None or self.has_failed(system, metric) else score.value

    def has_failed(self, system: int, metric: str) -> bool:
        """Whether the system failed: what it counts as in averages is no score of it."""
        return self.result.systems[system].fails(metric)

    def values(self, metric: str) -> list[float | None]:
        """The headline of all systems."""
        return [self.value(k, metric) for k in range(len(self.names))]

    def interval(self, system: int, metric: str) -> Interval | None:
        """The interval of the headline."""
        if self.significance.reason or self.has_failed(system, metric):
            return None
        return self.significance.intervals[system].get(metric, {}).get(self.layers[metric].headline)

    def difference(self, system: int, metric: str) -> Difference | None:
        """What a system has more than the baseline."""
        if self.significance.reason or metric not in self.significance.against_first:
            return None
        if self.has_failed(system, metric) or self.has_failed(0, metric):
            return None
        return self.significance.against_first[metric][system]

    def standing(self, metric: str, found: Difference | None) -> str:
        """Whether a difference is beyond chance, and to the good."""
        return tell_standing(found, self.alpha, lower=self.lower(metric))

    def lower(self, metric: str) -> bool:
        """Whether less is better."""
        layer = self.layers[metric]
        return layer.headline in layer.lower_is_better

    def factor(self, metric: str) -> float:
        """What a value is multiplied by to be shown: 100 for a share."""
        layer = self.layers[metric]
        return 1.0 if layer.headline in layer.numbers else 100.0

    def shown(self, metric: str, value: float | None) -> str:
        """A value as it is printed."""
        return decimal(value) if self.factor(metric) == 1 else percent(value)


def tell_standing(found: Difference | None, alpha: float, *, lower: bool) -> str:
    """Whether a difference is beyond chance, and to the good: where less is better, if it is `lower`."""
    if found is None or found.difference is None or found.adjusted is None:
        return ""
    if found.adjusted >= alpha or not found.difference:
        return "same"
    return "better" if (found.difference > 0) != lower else "worse"


def give_verdict(numbers: Numbers) -> list[str]:
    """Say who is ahead in what, and against whom that may be chance: sentences without their full stops.

    There is nothing to say about a single system, or about systems that score the same.
    """
    if len(numbers.names) < 2:
        return []
    leads: dict[str, list[str]] = {}
    doubts: dict[str, list[str]] = {}
    untested = []
    for metric in numbers.layers:
        best = best_of(numbers.values(metric), lowest=numbers.lower(metric))
        if not best:
            continue
        leads.setdefault(_join([numbers.names[k] for k in best]), []).append(show_metric(metric))
        if metric not in numbers.significance.matrix or numbers.significance.reason:
            untested.append(show_metric(metric))
        elif rivals := _rivals(numbers, metric, best):
            others = sum(value is not None for value in numbers.values(metric)) - len(best)
            who = "all others" if len(rivals) == others > 1 else _join([numbers.names[k] for k in rivals])
            doubts.setdefault(who, []).append(show_metric(metric))
    sentences = [
        f"{leader} {_verb(leader, numbers.names)} ahead in {_join(some)}" for leader, some in leads.items()
    ]
    if doubts:
        sentences.append(
            f"Not beyond chance: {'; '.join(f'in {_join(some)} against {who}' for who, some in doubts.items())}"
        )
    if untested:
        which = "" if sum(map(len, leads.values())) == len(untested) else f" in {_join(untested)}"
        sentences.append(f"Whether that is chance{which} was not tested")
    return sentences


def _rivals(numbers: Numbers, metric: str, best: Sequence[int]) -> list[int]:
    """The systems that the best are not ahead of beyond chance."""
    return [
        k
        for k, value in enumerate(numbers.values(metric))
        if k not in best and value is not None
        if not all(_is_ahead(numbers, metric, one, k) for one in best)
    ]


def _is_ahead(numbers: Numbers, metric: str, one: int, other: int) -> bool:
    """Whether a system is better than another beyond chance; than the baseline, or that than it, as the table says."""
    if other == 0:
        return numbers.standing(metric, numbers.difference(one, metric)) == "better"
    if one == 0:
        return numbers.standing(metric, numbers.difference(other, metric)) == "worse"
    return numbers.standing(metric, numbers.significance.matrix[metric][one][other]) == "better"


def _join(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _verb(leader: str, names: Sequence[str]) -> str:
    return "is" if leader in names else "are"
