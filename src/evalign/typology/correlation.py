"""Correlation and variance of a few numbers, undefined where they say nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

Variance = Literal["population", "sample"]


def correlate(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Pearson's r of two measurements; None where there are fewer than two, or where one of them does not vary.

    >>> correlate([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]), correlate([1.0, 2.0], [5.0, 5.0])
    (1.0, None)
    """
    ours, theirs = _deviations(left), _deviations(right)
    if ours is None or theirs is None:
        return None
    together = math.fsum(a * b for a, b in zip(ours, theirs, strict=True))
    apart = math.sqrt(math.fsum(a * a for a in ours) * math.fsum(b * b for b in theirs))
    return max(-1.0, min(1.0, together / apart))


def _deviations(values: Sequence[float]) -> list[float] | None:
    """Distances from the mean, the largest of them 1, so that no square is too small to hold; None where all are 0."""
    if len(values) < 2 or min(values) == max(values):
        return None
    mean = _mean(values)
    deviations = [value - mean for value in values]
    most = max(map(abs, deviations))
    return [deviation / most for deviation in deviations] if most else None


def correlate_ranks(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Spearman's rho: Pearson's r of the ranks.

    >>> correlate_ranks([1.0, 10.0, 100.0], [0.1, 0.2, 0.9])
    1.0
    """
    return correlate(rank(left), rank(right))


def rank(values: Sequence[float]) -> list[float]:
    """The place of each value in ascending order, from 1; equal values share the mean of their places.

    >>> rank([0.5, 0.1, 0.5])
    [2.5, 1.0, 2.5]
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for k in order[start:end]:
            ranks[k] = (start + 1 + end) / 2
        start = end
    return ranks


def spread(values: Sequence[float], variance: Variance = "population") -> float | None:
    """Variance of some numbers: over n, or over n - 1 for a sample; None where there is nothing to divide by.

    >>> spread([1.0, 3.0]), spread([1.0, 3.0], "sample"), spread([1.0], "sample")
    (1.0, 2.0, None)
    """
    divisor = len(values) - (variance == "sample")
    if divisor < 1:
        return None
    mean = _mean(values)
    return math.fsum((value - mean) ** 2 for value in values) / divisor


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
