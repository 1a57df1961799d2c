"""All scores over one set of units, resampled together."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np

from evalign.results import Score
from evalign.significance.columns import Pool, Sample, make_sample, take_sums
from evalign.significance.filled import Mask
from evalign.significance.ratios import Ratios, Sums, Values
from evalign.significance.settings import Resampling
from evalign.significance.streams import (
    BOOTSTRAP,
    RANDOMIZATION,
    Weights,
    draw_resamples,
    draw_swaps,
    make_stream,
)

Name = TypeVar("Name", bound=Hashable)
MOST_HELD = 2**24
"""So many sums are held in memory, 128 MB: those of 16,000 columns where nobody asks for more than 1,000 resamples."""


class Drawn(Generic[Name]):
    """Scores by name and system, None where there is none, and the sums of their resamples.

    `key` tells apart sets of units that are drawn independently, as the treebanks of a shared task.
    """

    def __init__(
        self,
        scores: Mapping[Name, Sequence[Score | None]],
        n_units: int,
        resampling: Resampling,
        key: tuple[int, ...] = (),
    ) -> None:
        self._resampling, self._key = resampling, key
        self._pool = Pool(n_units)
        self._samples: dict[Name, list[tuple[Sample, list[list[int]]] | None]] = {}
        for name, row in scores.items():
            samples = [None if score is None else make_sample(score) for score in row]
            self._samples[name] = [
                None if sample is None else (sample, self._pool.add(sample.columns)) for sample in samples
            ]

    def has(self, name: Name, system: int) -> bool:
        """Whether there is such a score."""
        return self._samples[name][system] is not None

    @property
    def n_columns(self) -> int:
        """How many sums each resample has."""
        return self._pool.n_columns

    @property
    def fits(self) -> bool:
        """Whether the sums of all resamples that intervals are made of may be held at once."""
        return self.n_columns * self._resampling.for_intervals <= MOST_HELD

    def sums(self, name: Name, system: int, block: Weights | None = None) -> Sums:
        """The sums of each resample that intervals are made of, or of each of a block for a test."""
        return take_sums(self._resampled if block is None else block, self._sample(name, system)[1])

    def ratios(
        self, name: Name, system: int, block: Weights | None = None, only: Collection[str] = ()
    ) -> Ratios:
        """The ratios of each resample that intervals are made of, or of each of a block for a test."""
        return self._sample(name, system)[0].ratios(self.sums(name, system, block), only)

    def exchange_difference(
        self, name: Name, systems: tuple[int, int], given: tuple[Sums, Sums], ratio: str
    ) -> Values:
        """How far a system is above another in each trial, given the sums over the units that they exchange in it."""
        one, other = (self._sample(name, system)[0] for system in systems)
        moved = given[1] - given[0]
        above, below = (
            sample.ratios(sums, (ratio,))[ratio]
            for sample, sums in ((one, one.totals + moved), (other, other.totals - moved))
        )
        return above - below

    def differ(self, name: Name, system: int, other: int) -> Mask:
        """The units in which two systems differ, so that exchanging them changes something."""
        own, theirs = self._sample(name, system)[0], self._sample(name, other)[0]
        found: Mask = (own.columns != theirs.columns).any(axis=1)
        return found

    def resample(self, sizes: Sequence[int]) -> Iterator[Weights]:
        """Sums of all columns in bootstrap resamples, a block of each of some sizes."""
        if list(sizes) == [self._resampling.for_intervals]:  # they are drawn already
            yield self._resampled
            return
        stream = make_stream(self._resampling.seed, BOOTSTRAP, *self._key)
        for size in sizes:
            yield self._pool.sum_up(draw_resamples(stream, self._pool.n_units, size))

    def exchange(self, sizes: Iterable[int]) -> Iterator[Weights]:
        """Sums of all columns over the units that each trial exchanges, a block of each of some sizes."""
        stream = make_stream(self._resampling.seed, RANDOMIZATION, *self._key)
        for size in sizes:
            yield self._pool.sum_up(draw_swaps(stream, self._pool.n_units, size))

    def exchanges(self, unit: int, sizes: Iterable[int]) -> Iterator[Values]:
        """Whether each trial exchanges a unit, 1 or 0, in blocks of the same sizes."""
        stream = make_stream(self._resampling.seed, RANDOMIZATION, *self._key)
        for size in sizes:
            yield np.concatenate(
                [weights[:, unit] for weights in draw_swaps(stream, self._pool.n_units, size)]
            )

    @cached_property
    def _resampled(self) -> Weights:
        stream = make_stream(self._resampling.seed, BOOTSTRAP, *self._key)
        return self._pool.sum_up(draw_resamples(stream, self._pool.n_units, self._resampling.for_intervals))

    def _sample(self, name: Name, system: int) -> tuple[Sample, list[list[int]]]:
        found = self._samples[name][system]
        if found is None:
            message = f"{name} of system {system} is not there to be resampled"
            raise LookupError(message)
        return found
