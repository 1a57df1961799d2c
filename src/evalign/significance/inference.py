"""From sums of draws to ratios, intervals and p-values, several tests at once included."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt

from evalign.metrics import Metric
from evalign.results import Score
from evalign.significance.values import Difference, Interval, Test

# Ratios of thousands of rows of counts at once.
#
# A metric's `ratios` is written for one row. It adds, multiplies and divides, so it can as well be given whole columns:
# objects that do arithmetic like integers. Rows in which something is undefined are then given to it one by one, as the
# metric alone knows what it makes of them.

Sums: TypeAlias = npt.NDArray[np.int64]
"""A row of counts per resample."""
Values: TypeAlias = npt.NDArray[np.float64]
"""A value per resample, NaN where it is undefined."""
Ratios: TypeAlias = Mapping[str, Values]
Numbers: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.floating[Any]]

# Columns are divided as floating-point numbers: of larger integers those would have lost digits that Python keeps.
_MOST = 2**50


def name_ratios(metric: Metric) -> list[str]:
    """The names of a metric's ratios, defined or not."""
    return list(metric.ratios(dict.fromkeys(metric.fields, 0)))


def ratios_of_rows(metric: Metric, rows: Sums, only: Collection[str] = ()) -> Ratios:
    """Each ratio of every row, or only those named, NaN where it is undefined."""
    names = only or name_ratios(metric)
    ratios = {name: np.full(len(rows), np.nan) for name in names}
    if not len(rows):
        return ratios
    left = np.arange(len(rows))
    if int(np.abs(rows).max(initial=0)) < _MOST:
        columns = {name: _Column(values) for name, values in zip(metric.fields, rows.T, strict=True)}
        try:
            at_once = metric.ratios(cast("Mapping[str, int]", columns))
        except TypeError:  # it does more than arithmetic
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
    """The ratios of the rows that are left; of rows that are equal, which few units give many of, once."""
    distinct, which = np.unique(rows[left], axis=0, return_inverse=True)
    of_each = [metric.ratios(dict(zip(metric.fields, counts, strict=True))) for counts in distinct.tolist()]
    for name, values in ratios.items():
        computed = np.array([np.nan if one[name] is None else one[name] for one in of_each], np.float64)
        values[left] = computed[which.reshape(-1)]


class _Column:
    """A column of numbers that adds, subtracts, multiplies and divides as one number does; x / 0 is NaN.

    It is never false, as one number is that must not be divided by; and it does not compare. A quotient is only computed
    where somebody asks for it: a test wants one ratio of several.
    """

    __slots__ = ("_quotient", "_values")

    def __init__(self, values: Numbers | None, quotient: tuple[Numbers, Numbers] | None = None) -> None:
        self._values, self._quotient = values, quotient

    @property
    def values(self) -> Numbers:
        """The numbers."""
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
    # Compared by identity they would just not be equal; so they say that they cannot be.
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        message = "a column does not compare"
        raise TypeError(message)


def _numbers(value: _Column | float) -> Numbers | float:
    return value.values if isinstance(value, _Column) else value


def _values(value: object, n_rows: int) -> Values:
    """A ratio of all rows: a column, or what is the same in each."""
    if isinstance(value, _Column):
        return value.values.astype(np.float64)
    return np.full(n_rows, np.nan if value is None else cast("float", value))


def adjust_p_values(values: Sequence[float | None]) -> list[float | None]:
    """P-values after Holm's step-down correction, in the same order; None stays None and counts as no test.

    The smallest of m is multiplied by m, the next by m - 1, and so on; none becomes smaller than the one before it, or
    larger than 1 (Holm 1979, A simple sequentially rejective multiple test procedure).

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
    """The same differences with p-values adjusted for as many tests."""
    adjusted = adjust_p_values([difference.p for difference in differences])
    return [difference._replace(adjusted=p) for difference, p in zip(differences, adjusted, strict=True)]


# Which units have anything of a metric: where fewer than two have, there is nothing to resample.
#
# Windows of Pk slide over a whole document, and all of them are in the row of the unit that it begins in. Where gold
# names no documents that is one row of many, and drawing it never, once or twice says nothing of other texts.

Mask: TypeAlias = npt.NDArray[np.bool_]
NOTHING_TO_RESAMPLE = "nothing to resample"


def units_with_counts(scores: Iterable[Score | None], n_units: int) -> Mask:
    """Per unit: whether one of the scores has counted anything in it."""
    filled = np.zeros(n_units, bool)
    for score in scores:
        if score is not None:
            filled |= score.units.any(axis=1)
    return filled


def can_resample(filled: Mask) -> bool:
    """Whether there is something to resample."""
    return int(np.count_nonzero(filled)) > 1


def find_reason(unit_kind: str, n_units: int) -> str:
    """Why there is nothing to resample in a result; empty where there is.

    >>> find_reason("document", 1)
    'one document: nothing to resample'
    """
    if n_units > 1:
        return ""
    if unit_kind == "whole":
        return f"counted as a whole: {NOTHING_TO_RESAMPLE}"
    return f"{'one' if n_units else 'no'} {name_unit(unit_kind)}: {NOTHING_TO_RESAMPLE}"


def name_unit(kind: str) -> str:
    """A kind of unit as people call it: a stretch between shared sentence boundaries is a unit like any other."""
    return "unit" if kind == "stretch" else kind


def explain_metric(metric: Metric, unit_kind: str, where: str = "") -> str:
    """Why there is nothing to resample of a metric that one unit has all of; `where` is "each treebank" of a run."""
    if metric.reach == "document" and unit_kind != "document":
        return f"counted over {where or 'all of gold'} as one document: {NOTHING_TO_RESAMPLE}"
    return f"in one {name_unit(unit_kind)}{f' of {where}' if where else ''} only: {NOTHING_TO_RESAMPLE}"


def find_interval(values: Values, confidence: float) -> Interval | None:
    """Quantiles that leave out the same share on either side; undefined values (NaN) are left out before.

    >>> find_interval(np.array([4.0, 1.0, 2.0, 3.0, np.nan]), 0.5)
    Interval(low=1.75, high=3.25)
    """
    defined: list[float] = np.sort(values[~np.isnan(values)]).tolist()
    if not defined:
        return None
    outside = (1 - confidence) / 2
    return Interval(quantile(defined, outside), quantile(defined, 1 - outside))


def find_intervals(ratios: Ratios, confidence: float) -> dict[str, Interval | None]:
    """An interval for each ratio."""
    return {name: find_interval(values, confidence) for name, values in ratios.items()}


def quantile(ordered: Sequence[float], share: float) -> float:
    """A quantile, linear between neighbours: definition 7 of Hyndman and Fan (1996), numpy's own default.

    Written out, as numpy's last digits have changed between its versions.
    """
    place = share * (len(ordered) - 1)
    before = int(place)
    behind = min(before + 1, len(ordered) - 1)
    return ordered[before] + (ordered[behind] - ordered[before]) * (place - before)


# P-values of differences between systems on the same units.
#
# Both tests count how often chance alone gives a difference at least as large, either way round, and count the observed
# one with them, so that no p-value is 0 (Noreen 1989). Differences come some resamples at a time, as thousands of
# resamples of many pairs of systems would not fit into memory.

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
            centred = values[~np.isnan(values)] - centres.get(key, 0.0)
            limit = abs(observed[key]) - _TOLERANCE * max(1.0, abs(observed[key]))
            large[key] += int(np.count_nonzero(np.abs(centred) >= limit))
            total[key] += len(centred)
    return {key: (1 + large[key]) / (1 + total[key]) if total[key] else None for key in observed}


class _Sum:
    """An exact sum of many numbers, some at a time: rounded once, so that it is the same on every platform."""

    def __init__(self) -> None:
        self._partials: list[float] = []
        self.count = 0

    def add(self, values: Values) -> None:
        """More numbers; what rounding loses is kept as one more number."""
        self.count += len(values)
        addends = [*values.tolist(), *self._partials]
        self._partials = []
        while left := math.fsum(chain(addends, (-partial for partial in self._partials))):
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
