"""Area under the ROC curve: the share of pairs of a planted and a native sentence where the planted one scores higher.

Equal scores count one half, so that it is the Mann-Whitney statistic over the number of pairs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from evalign.typology import rank, spread

# The normal distribution has 95 % of its mass within so many standard deviations.
Z = 1.959964


class Area(NamedTuple):
    """An area under the curve and an interval of 95 %."""

    auc: float
    low: float
    high: float


def find_area(planted: Sequence[float], native: Sequence[float]) -> Area:
    """The area, with the interval of DeLong, DeLong and Clarke-Pearson (1988, Biometrics 44), cut off at 0 and 1.

    Their placements are had from three rankings (Sun and Xu 2014, IEEE Signal Processing Letters 21), in n log n steps.
    Both sides have two scores or more.

    >>> find_area([3.0, 4.0], [1.0, 2.0])
    Area(auc=1.0, low=1.0, high=1.0)
    """
    m, n = len(planted), len(native)
    ranks = rank([*planted, *native])
    above = [(r - own) / n for r, own in zip(ranks[:m], rank(planted), strict=True)]
    below = [1 - (r - own) / m for r, own in zip(ranks[m:], rank(native), strict=True)]
    auc = math.fsum(above) / m
    variance = (spread(above, "sample") or 0.0) / m + (spread(below, "sample") or 0.0) / n
    half = Z * math.sqrt(variance)
    return Area(auc, max(0.0, auc - half), min(1.0, auc + half))


def find_chance(m: int, n: int) -> tuple[float, float]:
    """Where the area of scores that say nothing lies, 95 times in a hundred (Mann and Whitney 1947).

    >>> [round(end, 3) for end in find_chance(100, 100)]
    [0.42, 0.58]
    """
    half = Z * math.sqrt((m + n + 1) / (12 * m * n))
    return max(0.0, 0.5 - half), min(1.0, 0.5 + half)
