"""Errors in the cells of a table: gold's labels against the system's, each with its kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.document import IntArray
from evalign.metrics.comparison import Comparison
from evalign.metrics.errors.features import Label
from evalign.metrics.errors.mismatches import ErrorGroup, Mismatch, Surroundings
from evalign.metrics.layer import KINDS

# Cells that are told apart: those that come first in the text. Errors in others are counted by kind alone.
MOST_CELLS = 50_000


class Cell(NamedTuple):
    """Which label was taken for which; an empty one where a side has none."""

    kind: str
    gold: Label
    system: Label


class Pairing(NamedTuple):
    """How many words, or brackets, have a partner, and how many words of either side have none."""

    pairs: int
    gold_only: int
    system_only: int
    noun: str = "word"


@dataclass(frozen=True, eq=False)
class Cells(ABC):
    """The errors of a metric, each in a cell."""

    comparison: Comparison
    metric: str
    rows: IntArray
    """What is wrong, in the order of the text."""
    numbers: IntArray
    """Which of the cells each is in."""
    cells: Sequence[Cell]
    gold_words: Sequence[int]
    """Per cell: how many there are in gold that could be in it."""
    totals: Mapping[str, int]
    """How many there are in gold that could be in any, by label."""

    def kinds(self) -> dict[str, int]:
        """How many there are of each kind."""
        counts: Counter[str] = Counter()
        for cell, count in zip(self.cells, self.counts(), strict=True):
            counts[cell.kind] += count
        return {kind: counts[kind] for kind in KINDS if kind in counts}

    def mismatches(self) -> Iterator[Mismatch]:
        """Each of them, in the order of the text."""
        for mismatch, _ in self.surrounded():
            yield mismatch

    def surrounded(self) -> Iterator[tuple[Mismatch, Surroundings]]:
        """The same, with what each stands in."""
        for row, number in zip(self.rows.tolist(), self.numbers.tolist(), strict=True):
            yield self._mismatch(row, self.cells[number]), self._around(row)

    def groups(self, examples: int = 3) -> list[ErrorGroup]:
        """The cells, fullest first, each with its first examples; of very many those that come first in the text."""
        counts = self.counts()
        order = np.argsort(self.numbers, kind="stable")
        starts = np.cumsum([0, *counts]).tolist()
        found = []
        for number in sorted(self.in_text_order()[:MOST_CELLS], key=lambda n: (-counts[n], self.cells[n])):
            cell, start = self.cells[number], starts[number]
            rows = order[start : min(start + examples, starts[number + 1])]
            shown = tuple(self._mismatch(row, cell) for row in self.rows[rows].tolist())
            found.append(
                ErrorGroup(
                    cell.kind, "", cell.gold, cell.system, counts[number], shown, self.gold_words[number]
                )
            )
        return found

    def in_text_order(self) -> list[int]:
        """Numbers of the cells, those first that have the first error in the text."""
        firsts = np.zeros(len(self.cells), np.int64)
        firsts[self.numbers[::-1]] = np.arange(len(self.numbers))[::-1]
        order: list[int] = np.argsort(firsts, kind="stable").tolist()
        return order

    def counts(self) -> list[int]:
        """How many errors are in each cell."""
        counts: list[int] = np.bincount(self.numbers, minlength=len(self.cells)).tolist()
        return counts

    @abstractmethod
    def _around(self, row: int) -> Surroundings:
        """What one of them stands in."""

    @abstractmethod
    def _mismatch(self, row: int, cell: Cell) -> Mismatch:
        """One of them, with its places and the text around it."""


def number_codes(codes: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], IntArray]:
    """The distinct codes, and which of them each is (np.unique would load numpy.ma)."""
    order = np.argsort(codes, kind="stable")
    ranked = codes[order]
    first = np.ones(len(codes), bool)
    first[1:] = ranked[1:] != ranked[:-1]
    numbers = np.empty(len(codes), np.int64)
    numbers[order] = np.cumsum(first) - 1
    return ranked[first], numbers
