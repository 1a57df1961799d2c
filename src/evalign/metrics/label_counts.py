"""Labels counted: over a whole text, or unit by unit in as many rows as there is something to say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.document import IntArray
from evalign.metrics.counts import Counts
from evalign.metrics.errors.cells import number_codes

Sums: TypeAlias = npt.NDArray[np.int64]


class Meanings(NamedTuple):
    """What each number stands for, where that is several labels: features are told by the whole of FEATS."""

    cuts: IntArray
    """Where the labels of each number begin: one more than there are numbers."""
    labels: IntArray

    @classmethod
    def of(cls, lists: Iterable[Sequence[int]]) -> Meanings:
        """From the labels of each number."""
        rows = list(lists)
        cuts = np.cumsum([0, *map(len, rows)])
        return cls(cuts, np.array([label for row in rows for label in row], np.int64))

    def expand(self, numbers: IntArray) -> tuple[IntArray, IntArray]:
        """Per label of some numbers: which of the numbers it is of, and the label."""
        sizes = np.diff(self.cuts)[numbers]
        owners = np.repeat(np.arange(len(numbers)), sizes)
        within = np.arange(len(owners)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return owners, self.labels[self.cuts[numbers][owners] + within]


class Tally(NamedTuple):
    """Numbers of labels of some rows of a side: words, tokens, brackets."""

    numbers: IntArray
    cuts: IntArray
    """Cuts by unit of all rows of the side."""
    rows: IntArray | None = None
    """Which rows they are of, ascending; None for all."""
    meanings: Meanings | None = None

    def add_up(self, size: int) -> Sums:
        """How often there is each of so many labels."""
        if self.meanings is None:
            return np.bincount(self.numbers, minlength=size)
        counts = np.bincount(self.numbers, minlength=len(self.meanings.cuts) - 1)
        owners, labels = self.meanings.expand(np.arange(len(counts)))
        return _add_up(labels, counts[owners], size)

    def count_by_unit(self, size: int) -> tuple[Sums, Sums]:
        """The labels of each unit as codes, unit times size plus label, ascending, and how often each is there."""
        units = np.repeat(np.arange(len(self.cuts) - 1), np.diff(self.cuts))
        units = units if self.rows is None else units[self.rows]
        width = size if self.meanings is None else len(self.meanings.cuts) - 1
        codes, numbers = number_codes(units * width + self.numbers)
        counts = np.bincount(numbers, minlength=len(codes))
        if self.meanings is None:
            return codes, counts
        found, numbers = np.divmod(codes, max(width, 1))
        owners, labels = self.meanings.expand(numbers)
        expanded: Sums = found[owners].astype(np.int64) * size + labels
        codes, numbers = number_codes(expanded)
        return codes, _add_up(numbers, counts[owners], len(codes))


class Labelled(NamedTuple):
    """What a breakdown counts: labels of what is correct, of all in gold, and of all in the system."""

    labels: Sequence[str]
    correct: Tally
    gold: Tally
    system: Tally

    def add_up(self) -> dict[str, Counts]:
        """Counts per label, without labels that are on neither side."""
        columns = [tally.add_up(len(self.labels)).tolist() for tally in self[1:]]
        rows = zip(self.labels, map(Counts, *columns), strict=True)
        return {label: counts for label, counts in rows if counts.gold or counts.system}

    def count_by_unit(self) -> tuple[IntArray, IntArray, Sums]:
        """A row of correct, gold and system for each unit and label that is there: units, labels, rows."""
        size = max(len(self.labels), 1)
        columns = [tally.count_by_unit(size) for tally in self[1:]]
        codes, numbers = number_codes(np.concatenate([codes for codes, _ in columns]))
        rows = np.zeros((len(codes), len(columns)), np.int64)
        at = 0
        for k, (own, counts) in enumerate(columns):
            rows[numbers[at : at + len(own)], k] = counts
            at += len(own)
        units, labels = np.divmod(codes, size)
        return units, labels, rows


def _add_up(numbers: IntArray, counts: Sums, size: int) -> Sums:
    """Sums of counts by number; doubles hold them exactly."""
    return np.bincount(numbers, weights=counts, minlength=size).astype(np.int64)
