"""Ratios of thousands of rows of counts at once.

A layer's `ratios` is written for one row. It adds, multiplies and divides, so it can as well be given whole columns: objects that
do arithmetic like integers. Rows in which something is undefined are then given to it one by one, as the
layer alone knows what it makes of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from evalign.metrics import Layer

Sums: TypeAlias = npt.NDArray[np.int64]
"""A row of counts per resample."""
Values: TypeAlias = npt.NDArray[np.float64]
"""A value per resample, NaN where it is undefined."""
Ratios: TypeAlias = Mapping[str, Values]
Numbers: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.floating[Any]]

# Columns are divided as floating-point numbers: of larger integers those would have lost digits that Python keeps.
_MOST = 2**50


def name_ratios(layer: Layer) -> list[str]:
    """The names of a layer's ratios, defined or not."""
    return list(layer.ratios(dict.fromkeys(layer.fields, 0)))


def ratios_of_rows(layer: Layer, rows: Sums, only: Collection[str] = ()) -> Ratios:
    """Each ratio of every row, or only those named, NaN where it is undefined."""
    names = only or name_ratios(layer)
    found = {name: np.full(len(rows), np.nan) for name in names}
    if not len(rows):
        return found
    left = np.arange(len(rows))
    if int(np.abs(rows).max(initial=0)) < _MOST:
        columns = {name: _Column(values) for name, values in zip(layer.fields, rows.T, strict=True)}
        try:
            at_once = layer.ratios(cast("Mapping[str, int]", columns))
        except TypeError:  # it does more than arithmetic
            pass
        else:
            found = {name: _values(at_once[name], len(rows)) for name in names}
            left = np.flatnonzero(np.isnan(np.stack(list(found.values()))).any(axis=0))
    if len(left):
        _fill_one_by_one(layer, rows, left, found)
    return found


def _fill_one_by_one(
    layer: Layer, rows: Sums, left: npt.NDArray[np.intp], found: Mapping[str, Values]
) -> None:
    """The ratios of the rows that are left; of rows that are equal, which few units give many of, once."""
    distinct, which = np.unique(rows[left], axis=0, return_inverse=True)
    of_each = [layer.ratios(dict(zip(layer.fields, counts, strict=True))) for counts in distinct.tolist()]
    for name, values in found.items():
        known = np.array([np.nan if one[name] is None else one[name] for one in of_each], np.float64)
        values[left] = known[which.reshape(-1)]


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
