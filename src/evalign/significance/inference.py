"""From sums of resamples to ratios, intervals and p-values, with correction for several tests.

`assessment` and `parts` call these functions; none of them draws random numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt

from evalign.metrics.metric import Metric
from evalign.results.system_result import Score
from evalign.significance.values import Difference, Interval, Test

# Ratios of thousands of rows of counts at once.
#
# A metric's `ratios` is written for one row. It adds, multiplies and divides, so it can be called with whole
# columns instead: objects that do arithmetic like integers. Rows with an undefined ratio are then passed to
# it one by one, as only the metric decides what to return for them.

Sums: TypeAlias = npt.NDArray[np.int64]
"""A row of counts per resample."""
Values: TypeAlias = npt.NDArray[np.float64]
"""A value per resample, NaN where it is undefined."""
Ratios: TypeAlias = Mapping[str, Values]
Numbers: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.floating[Any]]

# Columns are divided as floating-point numbers, which would lose digits of larger integers that Python keeps.
_MOST = 2**50


def name_ratios(metric: Metric) -> list[str]:
    """Return the names of a metric's ratios, whether or not they are defined for given counts."""
    return list(metric.ratios(dict.fromkeys(metric.fields, 0)))


def ratios_of_rows(metric: Metric, rows: Sums, only: Collection[str] = ()) -> Ratios:
    """Compute each ratio of every row, NaN where it is undefined; only the ratios named in `only`, if any."""
    names = only or name_ratios(metric)
    ratios = {name: np.full(len(rows), np.nan) for name in names}
    if not len(rows):
        return ratios
    left = np.arange(len(rows))
    if int(np.abs(rows).max(initial=0)) < _MOST:
        columns = {name: _Column(values) for name, values in zip(metric.fields, rows.T, strict=True)}
        try:
            at_once = metric.ratios(cast("Mapping[str, int]", columns))
        except TypeError:  # `ratios` does more than arithmetic, such as comparing
            pass
        else:
            ratios = {name: _values(at_once[name], len(rows)) for name in names}
            left = np.flatnonzero(np.isnan(np.stack(list(ratios.values()))).any(axis=0))
    if len(left):
        _fill_one_by_one(metric, rows, left, ratios)
    return ratios


def _fill_one_by_one(
    metric: Metric, rows: Sums, left: npt.NDArray[np.intp], ratios: Mapping[str, Values]
) -> None:
    """Fill in the ratios of the rows numbered in `left`, computing equal rows once.

    With few units there are many equal rows among the resamples.
    """
    distinct, which = np.unique(rows[left], axis=0, return_inverse=True)
    of_each = [metric.ratios(dict(zip(metric.fields, counts, strict=True))) for counts in distinct.tolist()]
    for name, values in ratios.items():
        computed = np.array([np.nan if one[name] is None else one[name] for one in of_each], np.float64)
        values[left] = computed[which.reshape(-1)]


class _Column:
    """A column of numbers that adds, subtracts, multiplies and divides as one number does; x / 0 is NaN.

    A column is always true, because `ratios` may test a denominator before dividing by it. Comparing a column
    raises TypeError. A quotient is computed only when its values are needed: a test needs one ratio of
    several.
    """

    __slots__ = ("_quotient", "_values")

    def __init__(self, values: Numbers | None, quotient: tuple[Numbers, Numbers] | None = None) -> None:
        self._values, self._quotient = values, quotient

    @property
    def values(self) -> Numbers:
        """The numbers; a quotient is computed at the first access."""
        if self._values is None:
            assert self._quotient is not None
            with np.errstate(divide="ignore", invalid="ignore"):
                divided = self._quotient[0] / self._quotient[1]
            divided[~np.isfinite(divided)] = np.nan
            self._values = divided
        return self._values

    def __add__(self, other: _Column | float) -> _Column:
        return _Column(self.values + _numbers(other))

    def __sub__(self, other: _Column | float) -> _Column:
        return _Column(self.values - _numbers(other))

    def __rsub__(self, other: float) -> _Column:
        return _Column(other - self.values)

    def __mul__(self, other: _Column | float) -> _Column:
        return _Column(self.values * _numbers(other))

    def __truediv__(self, other: _Column | float) -> _Column:
        return _Column(None, (self.values, np.asarray(_numbers(other))))

    __radd__ = __add__
    __rmul__ = __mul__
    # By default objects are compared by identity, and two columns would silently be unequal; so comparing
    # raises.
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        message = "a column does not compare"
        raise TypeError(message)


def _numbers(value: _Column | float) -> Numbers | float:
    return value.values if isinstance(value, _Column) else value


def _values(value: object, n_rows: int) -> Values:
    """Return a ratio as an array: the values of a column, or a constant repeated for each row."""
    if isinstance(value, _Column):
        return value.values.astype(np.float64)
    return np.full(n_rows, np.nan if value is None else cast("float", value))


def adjust_p_values(values: Sequence[float | None]) -> list[float | None]:
    """Adjust p-values by Holm's step-down correction; keep their order. None stays None and is not counted.

    The smallest of m is multiplied by m, the next by m - 1, and so on; none becomes smaller than the one
    before it, or larger than 1 (Holm 1979, A simple sequentially rejective multiple test procedure).

    >>> adjust_p_values([0.01, 0.04, 0.03, None])
    [0.03, 0.06, 0.06, None]
    """
    order = sorted((value, number) for number, value in enumerate(values) if value is not None)
    adjusted: list[float | None] = [None] * len(values)
    least = 0.0
    for rank, (value, number) in enumerate(order):
        least = max(least, min(1.0, (len(order) - rank) * value))
        adjusted[number] = least
    return adjusted


def adjust_differences(differences: Sequence[Difference]) -> list[Difference]:
    """Return the differences with their p-values adjusted for the number of tests among them."""
    adjusted = adjust_p_values([difference.p for difference in differences])
    return [difference._replace(adjusted=p) for difference, p in zip(differences, adjusted, strict=True)]


# Which units have any counts of a metric: if fewer than two have, there is nothing to resample.
#
# The windows of Pk slide over a whole document, and all of them are in the row of the unit in which the
# document begins. If gold names no documents, one row has all the counts, and drawing it never, once or twice
# says nothing about other texts.

Mask: TypeAlias = npt.NDArray[np.bool_]
NOTHING_TO_RESAMPLE = "nothing to resample"


def units_with_counts(scores: Iterable[Score | None], n_units: int) -> Mask:
    """Return for each unit whether any of `scores` has a count above 0 in it."""
    filled = np.zeros(n_units, bool)
    for score in scores:
        if score is not None:
            filled |= score.units.any(axis=1)
    return filled


def can_resample(filled: Mask) -> bool:
    """Return whether at least two units have counts."""
    return int(np.count_nonzero(filled)) > 1


def find_reason(unit_kind: str, n_units: int) -> str:
    """Explain why a result has nothing to resample; return "" if there are at least two units.

    >>> find_reason("document", 1)
    'one document: nothing to resample'
    """
    if n_units > 1:
        return ""
    if unit_kind == "whole":
        return f"counted as a whole: {NOTHING_TO_RESAMPLE}"
    return f"{'one' if n_units else 'no'} {name_unit(unit_kind)}: {NOTHING_TO_RESAMPLE}"


def name_unit(kind: str) -> str:
    """Return the name of a kind of unit in messages: "unit" for a stretch between shared boundaries."""
    return "unit" if kind == "stretch" else kind


def explain_metric(metric: Metric, unit_kind: str, where: str = "") -> str:
    """Explain why a metric whose counts are all in one unit cannot be resampled.

    `where` names the scope for averages over parts, such as "each treebank".
    """
    if metric.reach == "document" and unit_kind != "document":
        return f"counted over {where or 'all of gold'} as one document: {NOTHING_TO_RESAMPLE}"
    return f"in one {name_unit(unit_kind)}{f' of {where}' if where else ''} only: {NOTHING_TO_RESAMPLE}"


def find_interval(values: Values, confidence: float) -> Interval | None:
    """Return the central interval of `values` that covers `confidence` of them; undefined values are ignored.

    The same share is cut off at both ends. Returns None if no value is defined.

    >>> find_interval(np.array([4.0, 1.0, 2.0, 3.0, np.nan]), 0.5)
    Interval(low=1.75, high=3.25)
    """
    defined: list[float] = np.sort(values[~np.isnan(values)]).tolist()
    if not defined:
        return None
    outside = (1 - confidence) / 2
    return Interval(quantile(defined, outside), quantile(defined, 1 - outside))


def find_intervals(ratios: Ratios, confidence: float) -> dict[str, Interval | None]:
    """Return the interval of each ratio."""
    return {name: find_interval(values, confidence) for name, values in ratios.items()}


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return a quantile of sorted values, linear between neighbours.

    This is definition 7 of Hyndman and Fan (1996), numpy's default. Written out here because the last digits
    of numpy's have changed between versions.
    """
    place = share * (len(ordered) - 1)
    before = int(place)
    behind = min(before + 1, len(ordered) - 1)
    return ordered[before] + (ordered[behind] - ordered[before]) * (place - before)


# P-values of differences between systems on the same units.
#
# Both tests count how often chance alone gives a difference at least as large, in either direction. The
# observed difference is counted with them, so that no p-value is 0 (Noreen 1989). Differences come in blocks
# of resamples, as thousands of resamples of many pairs of systems would not fit into memory.

Key = TypeVar("Key", bound=Hashable)
Blocks: TypeAlias = Iterable[Iterable[tuple[Key, Values]]]
"""Blocks of resamples: for each comparison its key and its difference in each resample, NaN if undefined."""

_TOLERANCE = 1e-12
"""Differences closer than this are equal: the same ratios, computed in another order."""


def find_p_values(
    test: Test,
    observed: Mapping[Key, float],
    draw: Callable[[], Blocks[Key]],
    differing: Callable[[Key], int],
) -> dict[Key, float | None]:
    """Return the p-value of each observed difference; None if no resample defines that difference.

    `draw` must give the same blocks of resampled differences at each call. `differing` returns the number of
    units in which the two systems of a comparison differ. With few such units, random exchanges may miss the
    only other exchange that gives a difference as large, and the counted p-value falls below the least that
    is possible; the least possible p-value is returned then.
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
    """Compute p-values by the paired bootstrap test from the differences of the resamples.

    Resampled differences spread around the observed difference. Moved to mean 0, they show what to expect if
    the systems were alike: p = (1 + #{|d_b - mean(d)| >= |d|}) / (1 + B) (after Riezler and Maxwell 2005, On
    some pitfalls in automatic evaluation and significance testing for MT). sacrebleu takes absolute values
    before it moves them, and gets smaller p-values (docs/deviations.md). Undefined resamples are left out.
    `draw` is called twice: the first time for the means.
    """
    sums = {key: _Sum() for key in observed}
    for block in draw():
        for key, values in block:
            sums[key].add(values[~np.isnan(values)])
    centres = {key: total.mean for key, total in sums.items() if total.count}
    return _count(observed, draw(), centres)


def randomization_p_values(observed: Mapping[Key, float], blocks: Blocks[Key]) -> dict[Key, float | None]:
    """Compute p-values by the paired approximate randomization test from differences after exchanges.

    If the systems are alike, it does not matter which of them a unit's counts came from: p = (1 + #{|d_t| >=
    |d|}) / (1 + T) (Noreen 1989, Computer-intensive methods for testing hypotheses; Riezler and Maxwell 2005,
    figure 1). Undefined trials are left out.
    """
    return _count(observed, blocks, {})


def _count(
    observed: Mapping[Key, float], blocks: Blocks[Key], centres: Mapping[Key, float]
) -> dict[Key, float | None]:
    """Compute p-values by counting large differences, after subtracting their centre if `centres` has one."""
    large, total = dict.fromkeys(observed, 0), dict.fromkeys(observed, 0)
    for block in blocks:
        for key, values in block:
            centred = values[~np.isnan(values)] - centres.get(key, 0.0)
            limit = abs(observed[key]) - _TOLERANCE * max(1.0, abs(observed[key]))
            large[key] += int(np.count_nonzero(np.abs(centred) >= limit))
            total[key] += len(centred)
    return {key: (1 + large[key]) / (1 + total[key]) if total[key] else None for key in observed}


class _Sum:
    """An exact sum of many numbers in several batches, rounded once: the same on every platform."""

    def __init__(self) -> None:
        self._partials: list[float] = []
        self.count = 0

    def add(self, values: Values) -> None:
        """Add numbers exactly: what rounding loses is kept as a further partial sum."""
        self.count += len(values)
        addends = [*values.tolist(), *self._partials]
        self._partials = []
        while left := math.fsum(chain(addends, (-partial for partial in self._partials))):
            self._partials.append(left)

    @property
    def mean(self) -> float:
        """Mean of all numbers added so far."""
        return math.fsum(self._partials) / self.count


def find_least_p(test: Test, differing: int) -> float:
    """Return the least p-value that `test` can give with any number of resamples.

    `differing` is the number of units in which the two systems differ. Of the 2^u ways to exchange u units at
    least two, all and none, give a difference as large as the observed one. The bootstrap has no such limit:
    two units that agree are enough for a low p-value, which is why it is unreliable with few units.

    >>> find_least_p("randomization", 8), find_least_p("randomization", 0), find_least_p("bootstrap", 8)
    (0.0078125, 1.0, 0.0)
    """
    return min(1.0, 2.0 ** (1 - differing)) if test == "randomization" else 0.0


def find_floor(test: Test, tests: int, resamples: int, differing: int) -> float:
    """Return how low the least p-value of several tests can be after correction.

    `differing` is the largest number of units in which any two compared systems differ. A test counts the
    observed difference among its resamples.

    >>> find_floor("randomization", 55, 1000, 300), find_floor("randomization", 1, 1000, 8)
    (0.054945054945054944, 0.0078125)
    """
    if not differing:
        return 1.0
    return min(1.0, tests * max(1 / (1 + resamples), find_least_p(test, differing)))
