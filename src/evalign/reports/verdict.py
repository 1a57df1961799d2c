"""The verdict on several systems in words: who is ahead in what, and whether that may be chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from evalign.metrics.metric import Metric
from evalign.metrics.registry import show_metric
from evalign.results.result import Result
from evalign.results.system_result import Score
from evalign.significance.values import Difference, Interval, Significance
from evalign.wording import best_of, decimal, join_words, percent

_ALL = "all others"


class AssessedScores:
    """The scores of a result with intervals and tests, by number of the system and name of the metric."""

    def __init__(self, result: Result, significance: Significance, names: Sequence[str]) -> None:
        self.result, self.significance, self.names = result, significance, names
        metrics: dict[str, Metric] = {}
        for system in result.systems:
            for name, score in system.scores.items():
                metrics.setdefault(name, score.metric)
        self.metrics = metrics
        self.alpha = significance.resampling.alpha

    def score(self, system: int, metric: str) -> Score | None:
        """Return a score; None if the system has none."""
        return self.result.systems[system].scores.get(metric)

    def value(self, system: int, metric: str) -> float | None:
        """Return the headline ratio of a metric; None if the system failed or has no score."""
        score = self.score(system, metric)
        return None if score is None or self.has_failed(system, metric) else score.value

    def has_failed(self, system: int, metric: str) -> bool:
        """Return whether the system failed; a value that averages count a failure as is not a score."""
        return self.result.systems[system].fails(metric)

    def values(self, metric: str) -> list[float | None]:
        """Return the headline ratio of every system."""
        return [self.value(k, metric) for k in range(len(self.names))]

    def interval(self, system: int, metric: str) -> Interval | None:
        """Return the interval of the headline ratio; None if there is none, or the system failed."""
        if self.significance.reason or self.has_failed(system, metric):
            return None
        return self.significance.intervals[system].get(metric, {}).get(self.metrics[metric].headline)

    def difference(self, system: int, metric: str) -> Difference | None:
        """Return the difference from the baseline, the first system; None if it was not tested."""
        if self.significance.reason or metric not in self.significance.against_first:
            return None
        if self.has_failed(system, metric) or self.has_failed(0, metric):
            return None
        return self.significance.against_first[metric][system]

    def standing(self, metric: str, difference: Difference | None) -> str:
        """Return "better", "worse", "same" or "" (not tested), as `tell_standing` does."""
        return tell_standing(difference, self.alpha, lower=self.lower(metric))

    def lower(self, metric: str) -> bool:
        """Return whether less is better."""
        entry = self.metrics[metric]
        return entry.headline in entry.lower_is_better

    def scale(self, metric: str) -> int:
        """Return the factor that a value is shown with: 100 for a share, else 1."""
        entry = self.metrics[metric]
        return entry.scale(entry.headline)

    def shown(self, metric: str, value: float | None) -> str:
        """Format a value of the headline ratio."""
        return decimal(value) if self.scale(metric) == 1 else percent(value)


def tell_standing(difference: Difference | None, alpha: float, *, lower: bool) -> str:
    """Return "better" or "worse" for a significant difference, "same" for any other, "" if it was not tested.

    `alpha` is the level of significance; `lower` says whether less is better.
    """
    if difference is None or difference.difference is None or difference.adjusted is None:
        return ""
    if difference.adjusted >= alpha or not difference.difference:
        return "same"
    return "better" if (difference.difference > 0) != lower else "worse"


class Standing(NamedTuple):
    """The values of all systems in one metric, and which differences are significant."""

    metric: str
    values: Sequence[float | None]
    lower: bool
    """True if less is better."""
    scale: int
    """The factor that values are shown with."""
    is_ahead: Callable[[int, int], bool | None]
    """Returns whether one system is significantly better than another; None if that was not tested."""


def give_verdict(numbers: AssessedScores) -> list[str]:
    """Say which system is ahead in which metrics, and against which rivals this may be chance.

    Returns sentences without full stops; none about a single system. Systems with equal scores are said to
    score the same. A system that failed is in no sentence.
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
    """Return the sentences of a verdict on systems called `names`, given their standing in each metric."""
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
    if not leads:
        same = [
            show_metric(standing.metric)
            for standing in standings
            if sum(value is not None for value in standing.values) > 1
        ]
        return [f"All systems score the same in {_join_metrics(same, same)}"] if same else []
    sentences = [
        f"{leader} {'is' if leader in names else 'are'} ahead in {_join_metrics(some, every)}"
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
    """Join metrics, each group with the rivals it concerns; `every` are all metrics compared."""
    return "; ".join(f"in {_join_metrics(some, every)} against {who}" for who, some in rivals.items())


def _is_ahead(numbers: AssessedScores, metric: str, one: int, other: int) -> bool | None:
    """Return whether system `one` is significantly better than `other`; None if that was not tested.

    If one of the two is the baseline (0), the tests against the baseline decide, as the table shows them.
    """
    if metric not in numbers.significance.matrix or numbers.significance.reason:
        return None
    if other == 0:
        return numbers.standing(metric, numbers.difference(one, metric)) == "better"
    if one == 0:
        return numbers.standing(metric, numbers.difference(other, metric)) == "worse"
    return numbers.standing(metric, numbers.significance.matrix[metric][one][other]) == "better"


def _join_metrics(names: Sequence[str], every: Sequence[str]) -> str:
    """Join names of metrics; if they are many and nearly all of `every`, name only the exceptions.

    >>> _join_metrics(["LAS", "UAS"], ["LAS", "UAS"]), _join_metrics(list("abcd"), list("abcde"))
    ('LAS and UAS', 'all metrics but e')
    """
    others = [name for name in every if name not in names]
    if len(names) < 4 or len(others) > len(names) // 4:
        return join_words(names)
    return f"all metrics but {join_words(others)}" if others else f"all {len(every)} metrics"
