"""Whatever is resampled as columns of integers, so that one matrix product sums up all of it exactly.

A score whose ratios are taken of sums has its counts as columns. A score that is a mean over units has, for each
ratio, that ratio of each unit in units of 2^-50, and 1 where it is defined. Sums of whole numbers below 2^53 are exact in
floating point, in any order; so results do not depend on the library that multiplies, nor on what else is assessed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from evalign.metrics import CountTable
from evalign.results import Score
from evalign.significance.ratios import Ratios, Sums, Values, ratios_of_rows
from evalign.significance.streams import Weights

_EXACT = 2**53
_SPLIT = 26
"""Bits of the lower part of numbers whose sums might not be exact."""
_WIDTH = 64
_MOST_PRODUCTS = 2**18
"""From more multiplications on OpenBLAS, which numpy comes with, uses threads."""
_HIGH, _LOW = 2.0**25, 2.0**50


@dataclass(frozen=True, slots=True)
class Sample:
    """What is resampled of one score: integers per unit, and how ratios are had from their sums."""

    columns: CountTable
    totals: npt.NDArray[np.int64]
    """Of each column."""
    ratios: Callable[..., Ratios]
    """All ratios, or only those named."""


def make_sample(score: Score) -> Sample:
    """The counts of a score, or the ratios of each unit where it is a mean of those."""
    if score.average == "micro":
        return Sample(score.units, score.units.sum(axis=0), partial(ratios_of_rows, score.layer))
    names = list(score.layer.ratios(score.counts))
    found = ratios_of_rows(score.layer, score.units)
    columns = np.stack([column for name in names for column in _fixed_point(found[name])], axis=1)
    return Sample(columns, columns.sum(axis=0), partial(_means, names))


def _fixed_point(values: Values) -> tuple[Sums, Sums, Sums]:
    """Values as whole numbers of 2^-25, what is left as whole numbers of 2^-50, and whether they are defined."""
    defined = ~np.isnan(values)
    known = np.where(defined, values, 0.0)
    high = np.rint(known * _HIGH)
    low = np.rint((known - high / _HIGH) * _LOW)
    return high.astype(np.int64), low.astype(np.int64), defined.astype(np.int64)


def _means(names: Iterable[str], sums: Sums, only: Collection[str] = ()) -> Ratios:
    """Means of fixed-point columns over the units that have a value."""
    found = {}
    for number, name in enumerate(names):
        if only and name not in only:
            continue
        high, low, defined = (sums[:, 3 * number + k] for k in range(3))
        total = high / _HIGH + low / _LOW
        found[name] = np.where(defined > 0, total / np.maximum(defined, 1), np.nan)
    return found


class Pool:
    """Columns of many samples over the same units; those that are equal, as gold's counts are, are kept once."""

    def __init__(self, n_units: int) -> None:
        self.n_units = n_units
        self._columns: list[npt.NDArray[np.int64]] = []
        self._numbers: dict[bytes, int] = {}

    def add(self, columns: CountTable) -> list[list[int]]:
        """Keep columns; for each, where it is: its own place, or that of its lower and of its higher bits."""
        return [[self._keep(part) for part in self._split(column)] for column in columns.T]

    @property
    def n_columns(self) -> int:
        """How many columns are kept."""
        return len(self._columns)

    def sum_up(self, draws: Iterable[Weights]) -> Weights:
        """Sums of all columns kept, a row per resample."""
        if not self._columns:
            return np.zeros((sum(len(weights) for weights in draws), 0))
        matrix = np.stack(self._columns, axis=1).astype(np.float64)
        return np.concatenate([_multiply(weights, matrix) for weights in draws])

    def _split(self, column: npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]:
        """A column, or its lower and higher bits where a sum of as many numbers might not be exact."""
        most = int(np.abs(column).max(initial=0))
        if most * len(column) < _EXACT:
            return [column]
        return [column & (2**_SPLIT - 1), column >> _SPLIT]

    def _keep(self, column: npt.NDArray[np.int64]) -> int:
        number = self._numbers.setdefault(column.tobytes(), len(self._columns))
        if number == len(self._columns):
            self._columns.append(column)
        return number


def _multiply(weights: Weights, matrix: Weights) -> Weights:
    """A matrix product, in pieces so small that the library that does it does not share them out among threads.

    Those would wait for each other: where the machine has something else to do, that takes several times as long.
    """
    product = np.zeros((len(weights), matrix.shape[1]))
    for first in range(0, matrix.shape[1], _WIDTH):
        tile, total = matrix[:, first : first + _WIDTH], product[:, first : first + _WIDTH]
        depth = max(1, _MOST_PRODUCTS // total.size)
        for start in range(0, len(tile), depth):
            total += weights[:, start : start + depth] @ tile[start : start + depth]
    return product


def take_sums(sums: Weights, places: Sequence[Sequence[int]]) -> Sums:
    """The sums of one sample's columns among all."""
    found = sums[:, [parts[0] for parts in places]].astype(np.int64)
    for column, parts in enumerate(places):
        for shift, number in enumerate(parts[1:], 1):
            found[:, column] += sums[:, number].astype(np.int64) << (_SPLIT * shift)
    return found
