"""Averages over the parts of a result, and what failures count as; `Parts` computes with these functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from evalign.metrics.metric import Metric
from evalign.results.system_result import SystemResult, mean

Failures = Literal["skip", "zero"]
"""How averages treat a part that a system failed on: "skip" leaves it out, "zero" counts the worst value.

A system can also fail on a single metric: gold can be judged by it in that part, and the system gave nothing
for it.
"""


def order_metrics(listed: Iterable[Iterable[str]]) -> list[str]:
    """Merge lists of metric names into one list that keeps the order of each list as far as possible.

    >>> order_metrics([["tokens", "las"], ["tokens", "upos", "las"]])
    ['tokens', 'upos', 'las']
    """
    names: list[str] = []
    for some in listed:
        at = 0
        for name in some:
            if name not in names:
                names.insert(at, name)
            at = names.index(name) + 1
    return names


def worst_value(metric: Metric, ratio: str) -> float | None:
    """Return the worst value of a ratio: 0, or 1 for error rates; None for a number without bounds."""
    if ratio in metric.numbers:
        return None
    return 1.0 if ratio in metric.lower_is_better else 0.0


def counted_ratios(system: SystemResult, metric: str, failures: Failures) -> Mapping[str, float | None]:
    """Return the ratios of a part as the macro average counts them; empty if the part lacks the metric."""
    score = system.scores.get(metric)
    if score is None:
        return {}
    if failures == "skip" or not system.fails(metric):
        return dict.fromkeys(score.ratios) if system.failure else score.ratios
    return {ratio: worst_value(score.metric, ratio) for ratio in score.ratios}


def has_headline(system: SystemResult, metric: str, failures: Failures) -> bool:
    """Return whether a part counts in the average of the metric's headline ratio."""
    ratios = counted_ratios(system, metric, failures)
    return bool(ratios) and ratios[system.scores[metric].metric.headline] is not None


def has_no_row(system: SystemResult, metric: str) -> bool:
    """Return whether a system failed on a metric without counts that could be added up.

    A failure usually has the counts of an empty output. There are none if these would be better than the
    failure deserves: if an empty output does not get the metric's worst value, or if the system gave words
    but left a column empty.
    """
    score = system.scores.get(metric)
    return score is not None and system.fails(metric) and not (score.available and system.failure)


def mean_ratios(parts: Iterable[Mapping[str, float | None]]) -> dict[str, float | None]:
    """Average each ratio over the parts that have it.

    >>> mean_ratios([{"f1": 0.5}, {}, {"f1": None}, {"f1": 1.0}])
    {'f1': 0.75}
    """
    values_of: dict[str, list[float | None]] = {}
    for ratios in parts:
        for ratio, value in ratios.items():
            values_of.setdefault(ratio, []).append(value)
    return {ratio: mean(values) for ratio, values in values_of.items()}
