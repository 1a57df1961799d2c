"""All scores over one set of units, resampled together."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np

from evalign.result.scores import Score
from evalign.significance.columns import Pool, Sample, make_sample, take_sums
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

    def sums(self, name: Name, system: int) -> Sums:
        """The sums of each resample."""
        return take_sums(self._resampled, self._sample(name, system)[1])

    def ratios(self, name: Name, system: int) -> Ratios:
        """The ratios of each resample."""
        return self._sample(name, system)[0].ratios(self.sums(name, system))

    def exchanged(self, name: Name, system: int, other: int) -> tuple[Ratios, Ratios]:
        """The ratios of two systems in each trial, in which they have exchanged each unit or not."""
        own, own_places = self._sample(name, system)
        theirs, their_places = self._sample(name, other)
        moved = take_sums(self._given, their_places) - take_sums(self._given, own_places)
        return (
            own.ratios(own.columns.sum(axis=0) + moved),
            theirs.ratios(theirs.columns.sum(axis=0) - moved),
        )

    def exchanges(self, unit: int) -> Values:
        """Whether each trial exchanges a unit: 1 or 0."""
        return np.concatenate([weights[:, unit] for weights in self._swaps()])

    @cached_property
    def _resampled(self) -> Weights:
        stream = make_stream(self._resampling.seed, BOOTSTRAP, *self._key)
        return self._pool.sum_up(draw_resamples(stream, self._pool.n_units, self._resampling.resamples))

    @cached_property
    def _given(self) -> Weights:
        """Sums over the units that each trial exchanges."""
        return self._pool.sum_up(self._swaps())

    def _swaps(self) -> Iterator[Weights]:
        stream = make_stream(self._resampling.seed, RANDOMIZATION, *self._key)
        return draw_swaps(stream, self._pool.n_units, self._resampling.resamples)

    def _sample(self, name: Name, system: int) -> tuple[Sample, list[list[int]]]:
        found = self._samples[name][system]
        if found is None:
            message = f"{name} of system {system} is not there to be resampled"
            raise LookupError(message)
        return found
