"""Errors of parts joined: the first ones with the text around them, how many there are, which label was taken for which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evalign.document import IntArray
from evalign.metrics import KINDS, ErrorGroup, Mismatch
from evalign.metrics.errors import CONTEXT, MOST_CELLS, Cell
from evalign.results.evidence import MOST_EVIDENCE
from evalign.results.pieces.piece import Edges, HashedTotals, KeptError, MetricCells, MetricErrors, hash_texts
from evalign.results.pieces.sums import RowSums

# Labels of a metric whose words are counted: those that gold has first. A cell with another one is left out, which takes
# a text of which a million lemmas are known before it.
MOST_LABELS = 1_000_000


@dataclass(slots=True)
class _Open:
    """A kept error whose context goes on in the next part."""

    metric: str
    number: int
    row: str
    known: int
    lacking: int


class JoinedErrors:
    """The errors of some metrics, in the order of the text."""

    def __init__(self) -> None:
        self.kinds: dict[str, Counter[str]] = {}
        self.kept: dict[str, list[Mismatch]] = {}
        self._open: list[_Open] = []
        self._last: dict[str, list[str]] = {}

    @property
    def complete(self) -> frozenset[str]:
        """Metrics of which no more errors are kept."""
        return frozenset(metric for metric, kept in self.kept.items() if len(kept) >= MOST_EVIDENCE)

    def add(self, errors: Mapping[str, MetricErrors], edges: Mapping[str, Edges]) -> None:
        """Add those of the next part."""
        self._go_on(edges)
        for metric, found in errors.items():
            self.kinds.setdefault(metric, Counter()).update(found.kinds)
            kept = self.kept.setdefault(metric, [])
            for error in found.first[: MOST_EVIDENCE - len(kept)]:
                if error.lacking[1]:
                    known = CONTEXT - error.lacking[1]
                    self._open.append(_Open(metric, len(kept), error.row, known, error.lacking[1]))
                kept.append(self._begin(error))
        for row, edge in edges.items():
            self._last[row] = [*self._last.get(row, ()), *edge.last][-CONTEXT:]

    def count(self, metric: str) -> dict[str, int]:
        """How many there are of each kind."""
        return {kind: self.kinds[metric][kind] for kind in KINDS if kind in self.kinds[metric]}

    def _begin(self, error: KeptError) -> Mismatch:
        """An error with what parts before it say."""
        mismatch, lacking = error.mismatch, error.lacking[0]
        before = self._last.get(error.row, [])[-lacking:] if lacking else []
        if not before:
            return mismatch
        own = [mismatch.before] if lacking < CONTEXT else []
        return replace(mismatch, before=" ".join([*before, *own]))

    def _go_on(self, edges: Mapping[str, Edges]) -> None:
        """Errors of parts before with what this one says."""
        for error in self._open:
            behind = edges[error.row].first[: error.lacking]
            if behind:
                mismatch = self.kept[error.metric][error.number]
                own = [mismatch.after] if error.known else []
                self.kept[error.metric][error.number] = replace(mismatch, after=" ".join([*own, *behind]))
                error.known += len(behind)
                error.lacking -= len(behind)
        self._open = [error for error in self._open if error.lacking]


class JoinedCells:
    """Which label was taken for which, of one metric."""

    def __init__(self, metric: str) -> None:
        self.metric = metric
        self._counts: dict[Cell, int] = {}
        self._features: dict[str, int] = {}
        self._hashed = RowSums(1, 1, MOST_LABELS)

    def add(self, found: MetricCells) -> None:
        """Add those of the next part."""
        for cell, count in zip(found.cells, found.counts, strict=True):
            if cell in self._counts or len(self._counts) < MOST_CELLS:
                self._counts[cell] = self._counts.get(cell, 0) + count
        if isinstance(found.totals, HashedTotals):
            self._hashed.add([found.totals.hashes], found.totals.counts[:, None])
            return
        for feats, count in found.totals.items():
            if feats in self._features or len(self._features) < MOST_LABELS:
                self._features[feats] = self._features.get(feats, 0) + count

    def groups(self) -> list[ErrorGroup]:
        """The cells, fullest first."""
        cells = list(self._counts)
        groups = [
            ErrorGroup(cell.kind, "", cell.gold, cell.system, self._counts[cell], (), gold_words)
            for cell, gold_words in zip(cells, self._count_gold_words(cells), strict=True)
            if gold_words is not None
        ]
        return sorted(groups, key=lambda group: (-group.count, (group.kind, group.gold, group.system)))

    def _count_gold_words(self, cells: Sequence[Cell]) -> Sequence[int | None]:
        """Per cell how many gold words have its label; None where that is not known."""
        if self._features:
            from evalign.metrics.errors import count_gold_words

            return count_gold_words(self.metric, self._features, cells)
        (hashes,), rows = self._hashed.rows()
        labels = [cell.gold[0] if cell.gold else None for cell in cells]
        found = iter(_look_up([label for label in labels if label is not None], hashes, rows[:, 0]))
        return [0 if label is None else next(found) for label in labels]


def _look_up(labels: Sequence[str], hashes: IntArray, counts: IntArray) -> list[int | None]:
    if not len(hashes):
        return [None] * len(labels)
    wanted = hash_texts(labels)
    places = np.minimum(np.searchsorted(hashes, wanted), len(hashes) - 1)
    known = (hashes[places] == wanted).tolist()
    return [
        count if is_known else None for count, is_known in zip(counts[places].tolist(), known, strict=True)
    ]
