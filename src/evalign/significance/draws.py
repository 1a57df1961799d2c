"""Reproducible random draws, and exact sums of counts over them.

`assessment` and `parts` use `Resampler`, which holds scores and returns sums or ratios of their resamples.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Generic, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from evalign.metrics.comparison import CountTable
from evalign.results.system_result import Score
from evalign.significance.inference import Mask, Ratios, Sums, Values, ratios_of_rows
from evalign.significance.values import DEFAULT_BLOCKS, BlockSizes, Resampling

# Random numbers that stay the same: by seed, on every platform, with every version of numpy.
#
# numpy guarantees only the raw stream of a bit generator (NEP 19), so indices and signs are made of its bits
# here. All metrics and systems share the draws, so that comparisons are made on the same resamples.

Weights: TypeAlias = npt.NDArray[np.float64]
"""A row per resample: how often each unit is in it."""

BOOTSTRAP, RANDOMIZATION = 0, 1
"""First number of a stream's key: the purpose of the stream."""

# Indices drawn at a time; this number fits into a processor's cache.
_MOST_INDICES = 2**16


def make_generator(seed: int, *key: int) -> np.random.PCG64:
    """Return a stream of 64-bit random numbers; different keys give independent streams for the same seed."""
    return np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key))


def draw_resamples(
    stream: np.random.PCG64, n_units: int, resamples: int, blocks: BlockSizes = DEFAULT_BLOCKS
) -> Iterator[Weights]:
    """Yield blocks of bootstrap resamples: n units drawn from n with replacement (Efron 1979).

    A resample takes ceil(n / 2) raw numbers. Each gives two indices: first its lower 32 bits, then its higher
    32 bits are taken as a number b, and the index is b n / 2^32, rounded down. Some units are likelier than
    others by at most n / 2^32. With 100,000 units that is one part in forty thousand, too little for any
    number of resamples to show.
    """
    for rows in _rows(n_units, resamples, blocks):
        weights = np.empty((rows, n_units))
        first = 0
        for few in _cut(rows, _MOST_INDICES // max(1, n_units)):
            for row, drawn in zip(weights[first:], _draw_indices(stream, n_units, few), strict=False):
                row[:] = np.bincount(drawn, minlength=n_units)
            first += few
        yield weights


def _draw_indices(stream: np.random.PCG64, n_units: int, rows: int) -> npt.NDArray[np.intp]:
    """Draw the unit numbers of `rows` resamples, one resample per row."""
    raw = stream.random_raw(rows * ((n_units + 1) // 2))
    halves = raw.astype("<u8", copy=False).view("<u4").reshape(rows, -1)
    indices = halves[:, :n_units].astype(np.uint64)
    indices *= np.uint64(n_units)
    indices >>= np.uint64(32)
    return indices.view(np.int64).astype(np.intp, copy=False)


def draw_swaps(
    stream: np.random.PCG64, n_units: int, resamples: int, blocks: BlockSizes = DEFAULT_BLOCKS
) -> Iterator[Weights]:
    """Yield blocks of trials that say which units two systems exchange: each unit with probability 1/2.

    A trial takes ceil(n / 64) raw numbers; their bits, lowest first, are 1 for a unit that is exchanged.
    """
    raws = -(-n_units // 64)
    for rows in _rows(n_units, resamples, blocks):
        bits = stream.random_raw(rows * raws).astype("<u8", copy=False).view(np.uint8).reshape(rows, -1)
        yield np.unpackbits(bits, axis=1, count=n_units, bitorder="little").astype(np.float64)


def cut_resamples(resamples: int, n_columns: int, blocks: BlockSizes = DEFAULT_BLOCKS) -> Iterator[int]:
    """Cut `resamples` into sizes of blocks, so that a block's sums of `n_columns` columns stay small."""
    return _cut(resamples, max(blocks.most_rows, blocks.sums // max(1, n_columns)))


def _rows(n_units: int, resamples: int, blocks: BlockSizes) -> Iterator[int]:
    """Cut `resamples` into numbers of resamples to draw at a time."""
    return _cut(resamples, min(blocks.most_rows, max(blocks.fewest_rows, blocks.weights // max(1, n_units))))


def _cut(total: int, most: int) -> Iterator[int]:
    """Cut `total` into numbers of at most `most`, or of 1 if `most` is below 1."""
    for done in range(0, total, max(1, most)):
        yield min(max(1, most), total - done)


# Everything to be resampled becomes columns of integers, so that one matrix product sums up all of it
# exactly.
#
# If ratios are taken of sums, the columns are the counts. If a score is a mean over units, each of its ratios
# has columns that hold the ratio of each unit in units of 2^-50, and 1 where that ratio is defined. Sums of
# whole numbers below 2^53 are exact in floating point, in any order; so results depend neither on the library
# that multiplies nor on what else is assessed.

_EXACT = 2**53
_SPLIT = 26
"""Number of lower bits of a column that are summed apart if its sum might not be exact."""
_WIDTH = 64
_MOST_PRODUCTS = 2**18
"""Number of multiplications from which OpenBLAS, which numpy comes with, uses threads."""
_HIGH, _LOW = 2.0**25, 2.0**50


@dataclass(frozen=True, slots=True)
class ResampledScore:
    """A score prepared for resampling: integer columns per unit, and a function from their sums to ratios."""

    columns: CountTable
    totals: npt.NDArray[np.int64]
    """Sum of each column over all units."""
    ratios: Callable[..., Ratios]
    """Function from rows of sums to ratios: all, or only those named in its second argument."""


def prepare_score(score: Score) -> ResampledScore:
    """Prepare a score: its counts, or fixed-point ratios of each unit if the score is a mean of ratios."""
    if score.average == "micro":
        return ResampledScore(score.units, score.units.sum(axis=0), partial(ratios_of_rows, score.metric))
    names = list(score.metric.ratios(score.counts))
    ratios = ratios_of_rows(score.metric, score.units)
    columns = np.stack([column for name in names for column in _fixed_point(ratios[name])], axis=1)
    return ResampledScore(columns, columns.sum(axis=0), partial(_means, names))


def _fixed_point(values: Values) -> tuple[Sums, Sums, Sums]:
    """Convert values to three columns of integers.

    The columns are: multiples of 2^-25, the rest in multiples of 2^-50, and 1 for a defined value, else 0.
    """
    defined = ~np.isnan(values)
    filled = np.where(defined, values, 0.0)
    high = np.rint(filled * _HIGH)
    low = np.rint((filled - high / _HIGH) * _LOW)
    return high.astype(np.int64), low.astype(np.int64), defined.astype(np.int64)


def _means(names: Iterable[str], sums: Sums, only: Collection[str] = ()) -> Ratios:
    """Compute means from sums of fixed-point columns, over the units that have a value."""
    means = {}
    for number, name in enumerate(names):
        if only and name not in only:
            continue
        high, low, defined = (sums[:, 3 * number + k] for k in range(3))
        total = high / _HIGH + low / _LOW
        means[name] = np.where(defined > 0, total / np.maximum(defined, 1), np.nan)
    return means


class ColumnSums:
    """Columns of many scores over the same units; equal columns, such as gold's counts, are kept once."""

    def __init__(self, n_units: int) -> None:
        self.n_units = n_units
        self._columns: list[npt.NDArray[np.int64]] = []
        self._numbers: dict[bytes, int] = {}

    def add(self, columns: CountTable) -> list[list[int]]:
        """Keep `columns`; return for each the numbers of its kept columns: one, or lower and higher bits."""
        return [[self._keep(part) for part in self._split(column)] for column in columns.T]

    @property
    def n_columns(self) -> int:
        """Number of columns kept."""
        return len(self._columns)

    def sum_up(self, draws: Iterable[Weights]) -> Weights:
        """Sum all kept columns with the weights of each resample; return a row per resample."""
        if not self._columns:
            return np.zeros((sum(len(weights) for weights in draws), 0))
        matrix = np.stack(self._columns, axis=1).astype(np.float64)
        return np.concatenate([_multiply(weights, matrix) for weights in draws])

    def _split(self, column: npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]:
        """Split a column into lower and higher bits if its sum over a resample might not be exact."""
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
    """Multiply matrices in pieces so small that the linear algebra library uses no threads.

    Its threads would wait for each other, which takes several times as long on a machine with other work.
    """
    product = np.zeros((len(weights), matrix.shape[1]))
    for first in range(0, matrix.shape[1], _WIDTH):
        tile, total = matrix[:, first : first + _WIDTH], product[:, first : first + _WIDTH]
        depth = max(1, _MOST_PRODUCTS // total.size)
        for start in range(0, len(tile), depth):
            total += weights[:, start : start + depth] @ tile[start : start + depth]
    return product


def take_sums(sums: Weights, places: Sequence[Sequence[int]]) -> Sums:
    """Put together the sums of one score's columns from the sums of all kept columns.

    `places` are the column numbers that `ColumnSums.add` returned.
    """
    sample_sums = sums[:, [parts[0] for parts in places]].astype(np.int64)
    for column, parts in enumerate(places):
        for shift, number in enumerate(parts[1:], 1):
            sample_sums[:, column] += sums[:, number].astype(np.int64) << (_SPLIT * shift)
    return sample_sums


Name = TypeVar("Name", bound=Hashable)


class Resampler(Generic[Name]):
    """Scores by name and system, and the sums and ratios of their resamples; None stands for a missing score.

    `key` distinguishes sets of units that are drawn independently, such as the treebanks of a shared task.
    """

    def __init__(
        self,
        scores: Mapping[Name, Sequence[Score | None]],
        n_units: int,
        resampling: Resampling,
        key: tuple[int, ...] = (),
        blocks: BlockSizes = DEFAULT_BLOCKS,
    ) -> None:
        self._resampling, self._key, self._blocks = resampling, key, blocks
        self._pool = ColumnSums(n_units)
        self._samples: dict[Name, list[tuple[ResampledScore, list[list[int]]] | None]] = {}
        for name, row in scores.items():
            samples = [None if score is None else prepare_score(score) for score in row]
            self._samples[name] = [
                None if sample is None else (sample, self._pool.add(sample.columns)) for sample in samples
            ]

    def has(self, name: Name, system: int) -> bool:
        """Return whether `system` has a score called `name`."""
        return self._samples[name][system] is not None

    @property
    def n_columns(self) -> int:
        """Number of sums per resample."""
        return self._pool.n_columns

    @property
    def fits(self) -> bool:
        """True if the sums of all resamples for intervals may be held in memory at once."""
        return self.n_columns * self._resampling.for_intervals <= self._blocks.held

    def sums(self, name: Name, system: int, block: Weights | None = None) -> Sums:
        """Return a score's sums in each resample for intervals, or in each one of `block` for a test."""
        return take_sums(self._resampled if block is None else block, self._sample(name, system)[1])

    def ratios(
        self, name: Name, system: int, block: Weights | None = None, only: Collection[str] = ()
    ) -> Ratios:
        """Return a score's ratios in each resample for intervals, or in each one of `block` for a test."""
        return self._sample(name, system)[0].ratios(self.sums(name, system, block), only)

    def exchange_difference(
        self, name: Name, systems: tuple[int, int], exchanged: tuple[Sums, Sums], ratio: str
    ) -> Values:
        """Return the first of `systems` minus the second in each trial of an exchange.

        `exchanged` are the sums of both systems over the units that a trial exchanges.
        """
        one, other = (self._sample(name, system)[0] for system in systems)
        moved = exchanged[1] - exchanged[0]
        above, below = (
            sample.ratios(sums, (ratio,))[ratio]
            for sample, sums in ((one, one.totals + moved), (other, other.totals - moved))
        )
        return above - below

    def differ(self, name: Name, system: int, other: int) -> Mask:
        """Return for each unit whether the counts of two systems differ in it."""
        own, theirs = self._sample(name, system)[0], self._sample(name, other)[0]
        differing: Mask = (own.columns != theirs.columns).any(axis=1)
        return differing

    def resample(self, sizes: Sequence[int]) -> Iterator[Weights]:
        """Yield the sums of all columns in bootstrap resamples, in blocks of `sizes`."""
        if list(sizes) == [self._resampling.for_intervals]:  # the resamples for intervals are drawn already
            yield self._resampled
            return
        stream = make_generator(self._resampling.seed, BOOTSTRAP, *self._key)
        for size in sizes:
            yield self._pool.sum_up(draw_resamples(stream, self._pool.n_units, size, self._blocks))

    def exchange(self, sizes: Iterable[int]) -> Iterator[Weights]:
        """Draw trials of a randomization test; yield per batch the sums of all columns over the exchanged units.

        Each trial decides at random for every unit whether the systems exchange their counts in it. A batch has as
        many trials, and its array as many rows, as the next number in `sizes`; columns are those of `_pool`.
        """
        stream = make_generator(self._resampling.seed, RANDOMIZATION, *self._key)
        for size in sizes:
            yield self._pool.sum_up(draw_swaps(stream, self._pool.n_units, size, self._blocks))

    def exchanges(self, unit: int, sizes: Iterable[int]) -> Iterator[Values]:
        """Yield for each trial of `exchange`, in the same batches, 1 if it exchanges `unit` and 0 if not."""
        stream = make_generator(self._resampling.seed, RANDOMIZATION, *self._key)
        for size in sizes:
            yield np.concatenate(
                [weights[:, unit] for weights in draw_swaps(stream, self._pool.n_units, size, self._blocks)]
            )

    @cached_property
    def _resampled(self) -> Weights:
        stream = make_generator(self._resampling.seed, BOOTSTRAP, *self._key)
        size = self._resampling.for_intervals
        return self._pool.sum_up(draw_resamples(stream, self._pool.n_units, size, self._blocks))

    def _sample(self, name: Name, system: int) -> tuple[ResampledScore, list[list[int]]]:
        sample = self._samples[name][system]
        if sample is None:
            message = f"{name} of system {system} has no counts to resample"
            raise LookupError(message)
        return sample
