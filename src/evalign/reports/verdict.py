"""The verdict on several systems in a sentence or two: who is ahead in what, and whether that may be chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from evalign.metrics import Metric, show_metric
from evalign.results import Result, Score
from evalign.significance import Difference, Interval, Significance
from evalign.wording import best_of, decimal, join_words, percent

_ALL = "all others"


class AssessedScores:
    """The scores of a result and what resampling found, asked for by system and metric."""

    def __init__(self, result: Result, significance: Significance, names: Sequence[str]) -> None:
        self.result, self.significance, self.names = result, significance, names
        metrics: dict[str, Metric] = {}
        for system in result.systems:
            for name, score in system.scores.items():
                metrics.setdefault(name, score.metric)
        self.metrics = metrics
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
        return self.significance.intervals[system].get(metric, {}).get(self.metrics[metric].headline)

    def difference(self, system: int, metric: str) -> Difference | None:
        """What a system has more than the baseline."""
        if self.significance.reason or metric not in self.significance.against_first:
            return None
        if self.has_failed(system, metric) or self.has_failed(0, metric):
            return None
        return self.significance.against_first[metric][system]

    def standing(self, metric: str, difference: Difference | None) -> str:
        """Whether a difference is beyond chance, and to the good."""
        return tell_standing(difference, self.alpha, lower=self.lower(metric))

    def lower(self, metric: str) -> bool:
        """Whether less is better."""
        entry = self.metrics[metric]
        return entry.headline in entry.lower_is_better

    def scale(self, metric: str) -> int:
        """What a value is multiplied by to be shown: 100 for a share."""
        entry = self.metrics[metric]
        return entry.scale(entry.headline)

    def shown(self, metric: str, value: float | None) -> str:
        """A value as it is printed."""
        return decimal(value) if self.scale(metric) == 1 else percent(value)


def tell_standing(difference: Difference | None, alpha: float, *, lower: bool) -> str:
    """Whether a difference is beyond chance, and to the good: where less is better, if it is `lower`."""
    if difference is None or difference.difference is None or difference.adjusted is None:
        return ""
    if difference.adjusted >= alpha or not difference.difference:
        return "same"
    return "better" if (difference.difference > 0) != lower else "worse"


class Standing(NamedTuple):
    """How systems stand in one metric."""

    metric: str
    values: Sequence[float | None]
    lower: bool
    """Whether less is better."""
    scale: int
    """What a value is multiplied by where it is shown."""
    is_ahead: Callable[[int, int], bool | None]
    """Whether one system is better than another beyond chance; None where that was not tested."""


def give_verdict(numbers: AssessedScores) -> list[str]:
    """Say who is ahead in what, and against whom that may be chance: sentences without their full stops.

    There is nothing to say about a single system, or about systems that score the same.
    """
    standings = [
        Standing(
            metric,
            numbers.values(metric),
            numbers.lower(metric),
            numbers.scale(metric),
            partial(_is_ahead, numbers, metric),
        )
        for metric in numbers.metrics
    ]
    return tell_leads(numbers.names, standings)


def tell_leads(names: Sequence[str], standings: Sequence[Standing]) -> list[str]:
    """The verdict on systems of these `names`, given how they stand in each metric."""
    leads: dict[str, list[str]] = {}
    doubts: dict[str, list[str]] = {}
    untested: dict[str, list[str]] = {}
    is_tested = False
    for metric, values, lower, scale, is_ahead in standings:
        best = best_of(values, lowest=lower, scale=scale)
        if not best:
            continue
        leads.setdefault(join_words([names[k] for k in best]), []).append(show_metric(metric))
        others = [k for k, value in enumerate(values) if k not in best and value is not None]
        tests = {k: [is_ahead(one, k) for one in best] for k in others}
        is_tested = is_tested or any({True, False} & {*outcomes} for outcomes in tests.values())
        doubtful = [k for k in others if False in tests[k]]
        unknown = [k for k in others if None in tests[k] and k not in doubtful]
        for rivals, metrics in ((doubtful, doubts), (unknown, untested)):
            if rivals:
                who = _ALL if len(rivals) == len(others) > 1 else join_words([names[k] for k in rivals])
                metrics.setdefault(who, []).append(show_metric(metric))
    every = [show_metric(standing.metric) for standing in standings]
    if not leads and len(names) > 1:
        same = [
            show_metric(standing.metric)
            for standing in standings
            if any(v is not None for v in standing.values)
        ]
        return [f"All systems score the same in {_join_metrics(same, same)}"] if same else []
    sentences = [
        f"{leader} {_verb(leader, names)} ahead in {_join_metrics(some, every)}"
        for leader, some in leads.items()
    ]
    if doubts:
        sentences.append(f"Not beyond chance: {_list_rivals(doubts, every)}")
    if untested and is_tested:
        sentences.append(f"Not tested: {_list_rivals(untested, every)}")
    elif untested:
        sentences.append("Whether that is chance was not tested")
    return sentences


def _list_rivals(rivals: Mapping[str, Sequence[str]], every: Sequence[str]) -> str:
    """Metrics, each with the systems in question."""
    return "; ".join(f"in {_join_metrics(some, every)} against {who}" for who, some in rivals.items())


def _is_ahead(numbers: AssessedScores, metric: str, one: int, other: int) -> bool | None:
    """Whether a system is better than another beyond chance; than the baseline, or that than it, as the table says."""
    if metric not in numbers.significance.matrix or numbers.significance.reason:
        return None
    if other == 0:
        return numbers.standing(metric, numbers.difference(one, metric)) == "better"
    if one == 0:
        return numbers.standing(metric, numbers.difference(other, metric)) == "worse"
    return numbers.standing(metric, numbers.significance.matrix[metric][one][other]) == "better"


def _join_metrics(names: Sequence[str], every: Sequence[str]) -> str:
    """Metrics by name; where nearly all of many are meant, those that are not.

    >>> _join_metrics(["LAS", "UAS"], ["LAS", "UAS"]), _join_metrics(list("abcd"), list("abcde"))
    ('LAS and UAS', 'all metrics but e')
    """
    others = [name for name in every if name not in names]
    if len(names) < 4 or len(others) > len(names) // 4:
        return join_words(names)
    return f"all metrics but {join_words(others)}" if others else f"all {len(every)} metrics"


def _verb(leader: str, names: Sequence[str]) -> str:
    return "is" if leader in names else "are"
