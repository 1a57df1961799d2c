"""Labels and rows of both sides as integers: shared numbering, multiset matching, and counts by unit.

Metrics and errors compare these integers instead of texts. Equal rows match one to one, so the side with
fewer of them limits the matches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.document import Column, IntArray
from evalign.metrics.counts import Counts


class SharedLabels(NamedTuple):
    """A column of both sides as integers that are equal where the labels are equal."""

    gold: IntArray
    system: IntArray
    labels: list[str]

    def number(self, label: str) -> int:
        """Return the number of `label`, or -1 if neither side has it."""
        return self.labels.index(label) if label in self.labels else -1


def number_labels(gold: Column, system: Column, simplify: Callable[[str], str] | None = None) -> SharedLabels:
    """Number the labels of two columns alike; `simplify` maps labels that count as the same to one label."""
    numbers: dict[str, int] = {}
    sides = []
    for column in (gold, system):
        labels = map(simplify, column.labels) if simplify else column.labels
        table = np.array([numbers.setdefault(label, len(numbers)) for label in labels], np.int32)
        sides.append(table[column.ids] if len(table) else np.zeros(0, np.int32))
    return SharedLabels(sides[0], sides[1], list(numbers))


def number_codes(codes: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], IntArray]:
    """Return the distinct codes in ascending order, and for each code its index among them.

    Used instead of np.unique, which loads numpy.ma.
    """
    order = np.argsort(codes, kind="stable")
    ranked = codes[order]
    first = np.ones(len(codes), bool)
    first[1:] = ranked[1:] != ranked[:-1]
    numbers = np.empty(len(codes), np.int64)
    numbers[order] = np.cumsum(first) - 1
    return ranked[first], numbers


def number_rows(columns: Sequence[IntArray]) -> npt.NDArray[np.int64]:
    """Number rows given as `columns`: equal rows get equal numbers, counted from 0. No value may be below 0.

    Takes at most one sort per column. When the numbers have grown large, they are replaced by consecutive
    ones before the next column, so that products stay within 64 bits.
    """
    numbers: npt.NDArray[np.int64] = columns[0].astype(np.int64)
    for column in columns[1:]:
        wide = int(numbers.max(initial=0)) >= 2**31
        numbers = number_codes(numbers)[1].astype(np.int64) if wide else numbers
        numbers = numbers * (int(column.max(initial=0)) + 1) + column
    return number_codes(numbers)[1].astype(np.int64)


def match_rows(gold: npt.NDArray[np.int64], system: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Return for each gold row whether it is matched by an equal system row.

    Of several equal gold rows the first ones match, as many as the system has.
    """
    kinds = max(int(gold.max(initial=-1)), int(system.max(initial=-1))) + 1
    available = np.bincount(system, minlength=kinds)
    return _rank_equals(gold) < available[gold]


def find_unpaired(partners: IntArray, size: int) -> npt.NDArray[np.bool_]:
    """Return for each of `size` system rows whether it is in none of `partners`, where -1 is no partner."""
    alone = np.ones(size, bool)
    alone[partners[partners >= 0]] = False
    return alone


def _rank_equals(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return for each row how many equal rows come before it."""
    order = np.argsort(numbers, kind="stable")
    ranked = numbers[order]
    rows = np.arange(len(numbers))
    first = np.append(True, ranked[1:] != ranked[:-1])[: len(rows)]
    ranks = np.empty(len(numbers), np.int64)
    ranks[order] = rows - np.maximum.accumulate(np.where(first, rows, 0)) if len(rows) else rows
    return ranks


def hash_texts(texts: Iterable[str]) -> IntArray:
    """Hash each text to a 64-bit number that is the same in every process.

    Among a million distinct texts, two share a number with a probability of one in forty million.
    """
    digests = b"".join(
        blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in texts
    )
    return np.frombuffer(digests, np.dtype("<i8")).astype(np.int64)


# Labels counted by unit, for breakdowns (`errors.breakdowns`).

Sums: TypeAlias = npt.NDArray[np.int64]


class LabelMeanings(NamedTuple):
    """The labels that each number stands for, where one number stands for several.

    A word has one number for its whole FEATS, which stands for all its features.
    """

    cuts: IntArray
    """Where the labels of each number begin in `labels`, and the length of `labels` at the end."""
    labels: IntArray

    @classmethod
    def of(cls, lists: Iterable[Sequence[int]]) -> LabelMeanings:
        """Build from the list of labels of each number."""
        rows = list(lists)
        cuts = np.cumsum([0, *map(len, rows)])
        return cls(cuts, np.array([label for row in rows for label in row], np.int64))

    def expand(self, numbers: IntArray) -> tuple[IntArray, IntArray]:
        """List the labels of `numbers` in order.

        Returns for each label the index in `numbers` it comes from, and the label.
        """
        sizes = np.diff(self.cuts)[numbers]
        owners = np.repeat(np.arange(len(numbers)), sizes)
        within = np.arange(len(owners)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return owners, self.labels[self.cuts[numbers][owners] + within]


class NumberedLabels(NamedTuple):
    """The label numbers of words, tokens, brackets or spans of one side: of all of them, or of some."""

    numbers: IntArray
    cuts: IntArray
    """Where each unit begins among all rows of the side, and the number of rows at the end."""
    rows: IntArray | None = None
    """The rows that `numbers` belong to, ascending; None if all."""
    meanings: LabelMeanings | None = None

    def add_up(self, size: int) -> Sums:
        """Count how often each label occurs; `size` is the number of labels."""
        if self.meanings is None:
            return np.bincount(self.numbers, minlength=size)
        counts = np.bincount(self.numbers, minlength=len(self.meanings.cuts) - 1)
        owners, labels = self.meanings.expand(np.arange(len(counts)))
        return _add_up(labels, counts[owners], size)

    def count_by_unit(self, size: int) -> tuple[Sums, Sums]:
        """Count labels by unit; `size` is the number of labels.

        Returns the codes that occur, unit * size + label, ascending, and how often each occurs.
        """
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
    """Labels of the correct rows, of all gold rows and of all system rows: the data of a breakdown."""

    labels: Sequence[str]
    correct: NumberedLabels
    gold: NumberedLabels
    system: NumberedLabels

    @classmethod
    def of(
        cls, column: SharedLabels, correct: npt.NDArray[np.bool_], cuts: tuple[IntArray, IntArray]
    ) -> LabelCounts:
        """Take all rows of both sides; `correct` marks gold rows, `cuts` are the cuts of the units."""
        rows = np.flatnonzero(correct)
        return cls(
            column.labels,
            NumberedLabels(column.gold[rows], cuts[0], rows),
            NumberedLabels(column.gold, cuts[0]),
            NumberedLabels(column.system, cuts[1]),
        )

    def add_up(self) -> dict[str, Counts]:
        """Return the counts of each label that occurs in gold or in the system."""
        columns = [numbered.add_up(len(self.labels)).tolist() for numbered in self[1:]]
        rows = zip(self.labels, map(Counts, *columns), strict=True)
        return {label: counts for label, counts in rows if counts.gold or counts.system}

    def count_by_unit(self) -> tuple[IntArray, IntArray, Sums]:
        """Count labels by unit.

        Returns the unit and the label of each combination that occurs, and its row of correct, gold and
        system.
        """
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
    """Add up `counts` by number. np.bincount sums doubles, which are exact for counts below 2**53."""
    return np.bincount(numbers, weights=counts, minlength=size).astype(np.int64)
