"""Errors in the cells of a table: gold's labels against the system's, each with its kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.document import IntArray
from evalign.layers.comparison import Comparison
from evalign.layers.features import Label
from evalign.layers.kinds import KINDS
from evalign.layers.mismatches import ErrorGroup, Mismatch


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

    def kinds(self) -> dict[str, int]:
        """How many there are of each kind."""
        counts: Counter[str] = Counter()
        for cell, count in zip(self.cells, self._counts(), strict=True):
            counts[cell.kind] += count
        return {kind: counts[kind] for kind in KINDS if kind in counts}

    def mismatches(self) -> Iterator[Mismatch]:
        """Each of them, in the order of the text."""
        for row, number in zip(self.rows.tolist(), self.numbers.tolist(), strict=True):
            yield self._mismatch(row, self.cells[number])

    def groups(self, examples: int = 3) -> list[ErrorGroup]:
        """The cells, fullest first, each with its first examples."""
        counts = self._counts()
        order = np.argsort(self.numbers, kind="stable")
        starts = np.cumsum([0, *counts]).tolist()
        found = []
        for number in sorted(range(len(self.cells)), key=lambda n: (-counts[n], self.cells[n])):
            cell, start = self.cells[number], starts[number]
            rows = order[start : min(start + examples, starts[number + 1])]
            shown = tuple(self._mismatch(row, cell) for row in self.rows[rows].tolist())
            found.append(
                ErrorGroup(
                    cell.kind, "", cell.gold, cell.system, counts[number], shown, self.gold_words[number]
                )
            )
        return found

    def _counts(self) -> list[int]:
        counts: list[int] = np.bincount(self.numbers, minlength=len(self.cells)).tolist()
        return counts

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
