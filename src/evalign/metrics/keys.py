"""Labels and rows of both sides as numbers: numbered alike, matched, and counted by unit.

Metrics and errors compare these numbers instead of texts. Of equal rows as many match as the side with fewer has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.document import Column, IntArray
from evalign.metrics.counts import Counts


class SharedLabels(NamedTuple):
    """A column of both sides in numbers that are equal where the labels are."""

    gold: IntArray
    system: IntArray
    labels: list[str]

    def number(self, label: str) -> int:
        """The number of a label, or -1."""
        return self.labels.index(label) if label in self.labels else -1


def number_labels(gold: Column, system: Column, simplify: Callable[[str], str] | None = None) -> SharedLabels:
    """One numbering for two columns; labels that are the same once simplified are one."""
    numbers: dict[str, int] = {}
    sides = []
    for column in (gold, system):
        labels = map(simplify, column.labels) if simplify else column.labels
        table = np.array([numbers.setdefault(label, len(numbers)) for label in labels], np.int32)
        sides.append(table[column.ids] if len(table) else np.zeros(0, np.int32))
    return SharedLabels(sides[0], sides[1], list(numbers))


def number_codes(codes: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], IntArray]:
    """The distinct codes, and which of them each is (np.unique would load numpy.ma)."""
    order = np.argsort(codes, kind="stable")
    ranked = codes[order]
    first = np.ones(len(codes), bool)
    first[1:] = ranked[1:] != ranked[:-1]
    numbers = np.empty(len(codes), np.int64)
    numbers[order] = np.cumsum(first) - 1
    return ranked[first], numbers


def number_rows(columns: Sequence[IntArray]) -> npt.NDArray[np.int64]:
    """A number per row, the same for rows that are equal in every column; no value below 0.

    Takes a sort per column. What was told apart so far is numbered from 0, so that nothing outgrows 64 bits.
    """
    numbers: npt.NDArray[np.int64] = columns[0].astype(np.int64)
    for column in columns[1:]:
        wide = int(numbers.max(initial=0)) >= 2**31
        numbers = number_codes(numbers)[1].astype(np.int64) if wide else numbers
        numbers = numbers * (int(column.max(initial=0)) + 1) + column
    return number_codes(numbers)[1].astype(np.int64)


def match_rows(gold: npt.NDArray[np.int64], system: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Per gold row whether it is matched: of equal ones the first, as many as the system has."""
    kinds = max(int(gold.max(initial=-1)), int(system.max(initial=-1))) + 1
    available = np.bincount(system, minlength=kinds)
    return _rank_equals(gold) < available[gold]


def _rank_equals(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Per row how many equal ones come before it."""
    order = np.argsort(numbers, kind="stable")
    ranked = numbers[order]
    rows = np.arange(len(numbers))
    first = np.append(True, ranked[1:] != ranked[:-1])[: len(rows)]
    ranks = np.empty(len(numbers), np.int64)
    ranks[order] = rows - np.maximum.accumulate(np.where(first, rows, 0)) if len(rows) else rows
    return ranks


# Labels counted by unit: what breakdowns are made of.

Sums: TypeAlias = npt.NDArray[np.int64]


class LabelMeanings(NamedTuple):
    """What each number stands for, where that is several labels: features are told by the whole of FEATS."""

    cuts: IntArray
    """Where the labels of each number begin: one more than there are numbers."""
    labels: IntArray

    @classmethod
    def of(cls, lists: Iterable[Sequence[int]]) -> LabelMeanings:
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


class NumberedLabels(NamedTuple):
    """Numbers of labels of some rows of a side: words, tokens, brackets."""

    numbers: IntArray
    cuts: IntArray
    """Cuts by unit of all rows of the side."""
    rows: IntArray | None = None
    """Which rows they are of, ascending; None for all."""
    meanings: LabelMeanings | None = None

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
        code_units, numbers = np.divmod(codes, max(width, 1))
        owners, labels = self.meanings.expand(numbers)
        expanded: Sums = code_units[owners].astype(np.int64) * size + labels
        codes, numbers = number_codes(expanded)
        return codes, _add_up(numbers, counts[owners], len(codes))


class LabelCounts(NamedTuple):
    """What a breakdown counts: labels of what is correct, of all in gold, and of all in the system."""

    labels: Sequence[str]
    correct: NumberedLabels
    gold: NumberedLabels
    system: NumberedLabels

    def add_up(self) -> dict[str, Counts]:
        """Counts per label, without labels that are on neither side."""
        columns = [numbered.add_up(len(self.labels)).tolist() for numbered in self[1:]]
        rows = zip(self.labels, map(Counts, *columns), strict=True)
        return {label: counts for label, counts in rows if counts.gold or counts.system}

    def count_by_unit(self) -> tuple[IntArray, IntArray, Sums]:
        """A row of correct, gold and system for each unit and label that is there: units, labels, rows."""
        size = max(len(self.labels), 1)
        columns = [numbered.count_by_unit(size) for numbered in self[1:]]
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
