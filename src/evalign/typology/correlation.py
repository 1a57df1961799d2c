"""Correlation and variance of small samples; None where they are undefined.

Sums are exact and rounded once at the end, so the variance of numbers that are equal as fractions is exactly
0, and so is a covariance that cancels out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from evalign.typology.options import Variance

Number: TypeAlias = float | Fraction


def correlate(left: Sequence[Number], right: Sequence[Number]) -> float | None:
    """Return Pearson's r of two samples; None if there are fewer than two pairs or one sample does not vary.

    >>> correlate([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]), correlate([1.0, 2.0], [5.0, 5.0])
    (1.0, None)
    """
    ours, theirs = _scale(left)[0], _scale(right)[0]
    ours_varies, theirs_varies = _scatter(ours), _scatter(theirs)
    if not ours_varies or not theirs_varies:
        return None
    products = sum(a * b for a, b in zip(ours, theirs, strict=True))
    together = len(ours) * products - sum(ours) * sum(theirs)
    # The root of the squared ratio is exact where it is a simple fraction: r = 1 comes out as exactly 1.
    size = math.sqrt(Fraction(together * together, ours_varies * theirs_varies))
    return -size if together < 0 else size


class Correlation(NamedTuple):
    """Pearson's r, and the number of treebanks it was computed over."""

    r: float | None
    treebanks: int


def correlate_defined(pairs: Iterable[tuple[Number | None, Number | None]]) -> Correlation:
    """Correlate the pairs of measures of treebanks that have both.

    >>> correlate_defined([(1.0, 4.0), (2.0, None), (3.0, 6.0)])
    Correlation(r=1.0, treebanks=2)
    """
    defined = [(a, b) for a, b in pairs if a is not None and b is not None]
    return Correlation(correlate([a for a, _ in defined], [b for _, b in defined]), len(defined))


def correlate_ranks(left: Sequence[Number], right: Sequence[Number]) -> float | None:
    """Return Spearman's rho: Pearson's r of the ranks.

    >>> correlate_ranks([1.0, 10.0, 100.0], [0.1, 0.2, 0.9])
    1.0
    """
    return correlate(rank(left), rank(right))


def rank(values: Sequence[Number]) -> list[float]:
    """Return the rank of each value in ascending order, from 1; equal values get the mean of their ranks.

    Floats that differ only by rounding errors are not equal: pass differences of scores as fractions.

    >>> rank([0.5, 0.1, 0.5]), rank([0.9 - 0.8, 0.8 - 0.7])
    ([2.5, 1.0, 2.5], [1.0, 2.0])
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


def spread(values: Sequence[Number], variance: Variance = "population") -> float | None:
    """Return the variance of `values`, divided by n ("population") or n - 1 ("sample").

    None if there are too few values to divide.

    >>> spread([1.0, 3.0]), spread([1.0, 3.0], "sample"), spread([1.0], "sample")
    (1.0, 2.0, None)
    """
    scaled, unit = _scale(values)
    return _divide(_scatter(scaled), len(values), unit, variance)


def running_spread(values: Sequence[Number], variance: Variance = "population") -> list[float | None]:
    """Return the variance of the first value, of the first two, and so on.

    >>> running_spread([1.0, 3.0, 5.0])
    [0.0, 1.0, 2.6666666666666665]
    """
    scaled, unit = _scale(values)
    sums, squares = accumulate(scaled), accumulate(value * value for value in scaled)
    return [
        _divide(n * square - total * total, n, unit, variance)
        for n, (total, square) in enumerate(zip(sums, squares, strict=True), 1)
    ]


def _divide(scatter: int, n: int, unit: int, variance: Variance) -> float | None:
    divisor = n - (variance == "sample")
    return scatter / (n * divisor * unit * unit) if divisor > 0 else None


def _scale(values: Sequence[Number]) -> tuple[list[int], int]:
    """Write the values as integer multiples of 1 / d; return the multiples and d."""
    pairs = [value.as_integer_ratio() for value in values]
    unit = math.lcm(*(denominator for _, denominator in pairs))
    return [numerator * (unit // denominator) for numerator, denominator in pairs], unit


def _scatter(values: Sequence[int]) -> int:
    """Return n times the sum of squared distances from the mean; 0 if all values are equal."""
    return len(values) * sum(value * value for value in values) - sum(values) ** 2
