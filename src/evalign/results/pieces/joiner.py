"""Pieces of evidence joined, part by part, in room that does not grow with the text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from evalign.document import IntArray
from evalign.metrics import LABEL_METRICS, Mismatch
from evalign.metrics.errors import Charges, make_losses
from evalign.results.evidence import KeptEvidence, PageEvidence, SplitTables
from evalign.results.pieces.drawn import JoinedMarks, JoinedPassages
from evalign.results.pieces.errors import JoinedCells, JoinedErrors
from evalign.results.pieces.labels import JoinedLabels
from evalign.results.pieces.piece import EvidencePiece, PieceColumns, Wanted
from evalign.results.pieces.sentences import JoinedSentences


class EvidenceJoiner:
    """Evidence of one system that grows piece by piece, in the order of the text.

    Units are those of the whole; a text whose units are only known in the end, as neighbours are merged, may number them
    as they come, and merge them here (`merge_units`) or in the end (`result`).
    """

    def __init__(self) -> None:
        self._columns = JoinedColumns()
        self._errors = JoinedErrors()
        self._cells: dict[str, JoinedCells] | None = None
        self._labels = JoinedLabels()
        self._sentences = JoinedSentences()
        self._passages = JoinedPassages()
        self._marks = JoinedMarks()
        self._charges: tuple[str, Charges] | None = None
        self._has_multiword = False
        self._n_parts = 0

    @property
    def wanted(self) -> Wanted:
        """What the next parts may leave out: a hint for who gathers, also for parts that are under way by then."""
        return Wanted(self._passages.width, self._labels.is_by_unit, self._errors.complete)

    @property
    def mistaken(self) -> frozenset[str]:
        """Columns that the text has, as far as it is known, and that some part was compared without.

        A part whose words all have `_` in a column does not know that other parts have it: it has to be told
        (`Comparison.filled`), and gathered again. Where this is not empty, the result would not be that of the whole.
        """
        return self._columns.mistaken

    @property
    def columns(self) -> frozenset[str]:
        """Columns that words of both sides have something in, as far as the text is known."""
        return self._columns.known

    def add(self, piece: EvidencePiece, units: IntArray) -> None:
        """Add the evidence of the next part, given the number that each of its units has in the whole."""
        self._columns.add(piece.columns)
        self._errors.add(piece.errors, piece.edges)
        if self._cells is None:
            self._cells = {metric: JoinedCells(metric) for metric in piece.cells}
        # What a part has not, as gold or system has nothing in its columns, the whole has not.
        self._cells = {metric: cells for metric, cells in self._cells.items() if metric in piece.cells}
        for metric, cells in self._cells.items():
            cells.add(piece.cells[metric])
        self._labels.add(piece.labels, piece.forms, units if piece.are_by_unit else units[:1])
        self._sentences.add(piece.groups, units)
        self._passages.add(piece.passages, units)
        self._marks.add(piece.marks)
        self._add_charges(piece.charges)
        self._has_multiword = self._has_multiword or piece.has_multiword
        self._n_parts += 1

    def _add_charges(self, charges: tuple[str, Charges] | None) -> None:
        if not self._n_parts or charges is None:
            self._charges = charges
        elif self._charges is not None:
            self._charges = charges[0], self._charges[1].joined(charges[1])

    def merge_units(self, size: int) -> None:
        """Take so many neighbouring units as one: unit 5 is unit 2 of pairs, and so are those that are added from now on."""
        self._change_units(lambda units: units // size)

    def _change_units(self, change: Callable[[IntArray], IntArray]) -> None:
        self._labels.change_units(change)
        self._sentences.change_units(change)
        self._passages.change_units(change)

    def result(self, units: IntArray | None = None) -> KeptEvidence:
        """Evidence of the whole, given the last number of each unit if it is another one."""
        if units is not None:
            numbers = np.asarray(units)
            self._change_units(lambda found: numbers[found])
        cells = self._cells or {}
        metrics = [m for m in self._errors.kept if m in cells or m not in LABEL_METRICS]
        breakdowns, by_unit = self._labels.breakdowns()
        kept: Mapping[str, list[Mismatch]] = {metric: self._errors.kept[metric] for metric in metrics}
        drawings = PageEvidence(
            self._passages.passages(self.columns, with_words=self._has_multiword),
            self._marks.marks(with_words=self._has_multiword),
            make_losses(*self._charges) if self._charges else None,
        )
        return KeptEvidence(
            {metric: self._errors.count(metric) for metric in metrics},
            kept,
            {metric: joined.groups() for metric, joined in cells.items()},
            breakdowns,
            drawings,
            SplitTables(self._sentences.grouped(), by_unit),
        )


class JoinedColumns:
    """Which columns the text has, and which of them parts were compared with."""

    def __init__(self) -> None:
        self._sides: list[frozenset[str] | None] = [None, None]
        self._taken: frozenset[str] | None = None

    def add(self, found: PieceColumns) -> None:
        """Add those of a part."""
        for number, side in enumerate((found.gold, found.system)):
            if side is not None:
                self._sides[number] = side | (self._sides[number] or frozenset())
        self._taken = found.taken if self._taken is None else self._taken & found.taken

    @property
    def known(self) -> frozenset[str]:
        """Columns that both sides have something in; one without words lacks nothing that the other has."""
        gold, system = self._sides
        if gold is None or system is None:
            return gold or system or frozenset()
        return gold & system

    @property
    def mistaken(self) -> frozenset[str]:
        """Columns that the text has and some part was compared without."""
        return self.known - (self._taken or frozenset())
