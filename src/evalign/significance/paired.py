"""P-values of differences between systems on the same units.

Both tests count how often chance alone gives a difference at least as large, either way round, and count the observed
one with them, so that no p-value is 0 (Noreen 1989). Differences come some resamples at a time, as thousands of
resamples of many pairs of systems would not fit into memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import chain
from typing import TypeAlias, TypeVar

import numpy as np

from evalign.significance.ratios import Values
from evalign.significance.settings import Test

Key = TypeVar("Key", bound=Hashable)
Blocks: TypeAlias = Iterable[Iterable[tuple[Key, Values]]]
"""For some resamples at a time: what is compared, and its difference in each of these, NaN where it is undefined."""

_TOLERANCE = 1e-12
"""Differences as near as this are equal: the same ratios, computed in another order."""


def find_p_values(
    test: Test,
    observed: Mapping[Key, float],
    draw: Callable[[], Blocks[Key]],
    differing: Callable[[Key], int],
) -> dict[Key, float | None]:
    """The p-value of each difference.

    `draw` gives the same differences of resamples whenever it is called; `differing` the number of units in which the
    two systems of a difference are not alike. Random exchanges of a few units may miss the one other exchange that gives
    a difference as large, so that counting them finds a p-value below the least there can be: then it is the least.
    """
    if test == "bootstrap":
        return bootstrap_p_values(observed, draw)
    counted = randomization_p_values(observed, draw())
    return {
        key: None if p is None else max(p, find_least_p(test, differing(key))) for key, p in counted.items()
    }


def bootstrap_p_values(
    observed: Mapping[Key, float], draw: Callable[[], Blocks[Key]]
) -> dict[Key, float | None]:
    """The paired bootstrap test, given the differences of the resamples.

    Resampled differences spread about the observed one; moved to mean 0 they are what there would be if the systems were
    alike: p = (1 + #{|d_b - mean(d)| >= |d|}) / (1 + B) (after Riezler and Maxwell 2005, On some pitfalls in automatic
    evaluation and significance testing for MT). sacrebleu takes absolute values before it moves them, and finds smaller
    p-values (docs/deviations.md). Undefined resamples are left out. They are drawn twice: once for the mean.
    """
    sums = {key: _Sum() for key in observed}
    for block in draw():
        for key, values in block:
            sums[key].add(values[~np.isnan(values)])
    centres = {key: total.mean for key, total in sums.items() if total.count}
    return _count(observed, draw(), centres)


def randomization_p_values(observed: Mapping[Key, float], blocks: Blocks[Key]) -> dict[Key, float | None]:
    """The paired approximate randomization test, given the differences after random exchanges.

    If the systems are alike it does not matter which of them a unit's counts came from:
    p = (1 + #{|d_t| >= |d|}) / (1 + T) (Noreen 1989, Computer-intensive methods for testing hypotheses; Riezler and
    Maxwell 2005, figure 1). Undefined trials are left out.
    """
    return _count(observed, blocks, {})


def _count(
    observed: Mapping[Key, float], blocks: Blocks[Key], centres: Mapping[Key, float]
) -> dict[Key, float | None]:
    """P-values by counting differences, moved by their centre if they have one."""
    large, total = dict.fromkeys(observed, 0), dict.fromkeys(observed, 0)
    for block in blocks:
        for key, values in block:
            known = values[~np.isnan(values)] - centres.get(key, 0.0)
            limit = abs(observed[key]) - _TOLERANCE * max(1.0, abs(observed[key]))
            large[key] += int(np.count_nonzero(np.abs(known) >= limit))
            total[key] += len(known)
    return {key: (1 + large[key]) / (1 + total[key]) if total[key] else None for key in observed}


class _Sum:
    """An exact sum of many numbers, some at a time: rounded once, so that it is the same on every platform."""

    def __init__(self) -> None:
        self._partials: list[float] = []
        self.count = 0

    def add(self, values: Values) -> None:
        """More numbers; what rounding loses is kept as one more number."""
        self.count += len(values)
        known = [*values.tolist(), *self._partials]
        self._partials = []
        while left := math.fsum(chain(known, (-partial for partial in self._partials))):
            self._partials.append(left)

    @property
    def mean(self) -> float:
        """The mean of all of them."""
        return math.fsum(self._partials) / self.count


def find_least_p(test: Test, differing: int) -> float:
    """The least p-value that a test can find however many resamples it has, given the units in which two systems differ.

    Of the 2^u ways to exchange u units at least two, all and none, give a difference as large as the observed one. The
    bootstrap knows no such limit: two units that agree are enough for it, which is why it is not to be relied on where
    units are few.

    >>> find_least_p("randomization", 8), find_least_p("randomization", 0), find_least_p("bootstrap", 8)
    (0.0078125, 1.0, 0.0)
    """
    return min(1.0, 2.0 ** (1 - differing)) if test == "randomization" else 0.0


def find_floor(test: Test, tests: int, resamples: int, differing: int) -> float:
    """How low the least p-value of some tests can be after correction, given the most units any two systems differ in.

    A test counts the observed difference among its resamples.

    >>> find_floor("randomization", 55, 1000, 300), find_floor("randomization", 1, 1000, 8)
    (0.054945054945054944, 0.0078125)
    """
    if not differing:
        return 1.0
    return min(1.0, tests * max(1 / (1 + resamples), find_least_p(test, differing)))
