"""The columns of a document's words beside the form, read when they are first asked for.

Most runs want tokens and sentences alone: a document then only knows where the rows of its words begin.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalign.document import Column, Edges, IntArray
from evalign.errors import Remark
from evalign.readers.content import Content
from evalign.readers.written import (
    LabelColumn,
    Trees,
    Written,
    WrittenEdges,
    edge_remarks,
    make_trees,
    no_edges,
    read_edges_of,
    read_written,
    tree_remarks,
)


class ConlluColumns:
    """Columns of the words whose rows begin at `rows`; `cuts` cuts the words into sentences."""

    def __init__(
        self, content: Content, rows: npt.NDArray[np.int64], cuts: IntArray, *, graphs: bool = True
    ) -> None:
        self.content, self.data, self.rows = content, content.data, rows
        self._cuts = np.ascontiguousarray(cuts, np.int32)
        self._graphs = graphs

    def without_graphs(self) -> ConlluColumns:
        """The same, where the ninth column is not DEPS."""
        return ConlluColumns(self.content, self.rows, self._cuts, graphs=False)

    @cached_property
    def _written(self) -> Written:
        return read_written(self.data, self.rows.data)

    @cached_property
    def _trees(self) -> Trees:
        return make_trees(self._written.heads, self._cuts.data)

    @property
    def lemma(self) -> Column:
        """LEMMA."""
        return _column(self._written.lemma)

    @property
    def upos(self) -> Column:
        """UPOS; CPOSTAG in CoNLL-X."""
        return _column(self._written.upos)

    @property
    def xpos(self) -> Column:
        """XPOS; POSTAG in CoNLL-X."""
        return _column(self._written.xpos)

    @property
    def feats(self) -> Column:
        """FEATS."""
        return _column(self._written.feats)

    @property
    def deprel(self) -> Column:
        """DEPREL."""
        return _column(self._written.deprel)

    @cached_property
    def parents(self) -> IntArray:
        """The word each word hangs on."""
        return np.asarray(self._trees.parents)

    @cached_property
    def _edges(self) -> WrittenEdges:
        if not self._graphs:
            return no_edges(len(self.rows))
        return read_edges_of(self.data, self.rows.data, self._cuts.data)

    @cached_property
    def edges(self) -> Edges:
        """DEPS, without the edges from empty nodes."""
        found = self._edges
        return Edges(np.asarray(found.cuts), np.asarray(found.heads), _column(found.paths))

    @cached_property
    def linenos(self) -> IntArray:
        """Line number of each word."""
        ends = np.flatnonzero(np.frombuffer(self.data, np.uint8) == ord("\n"))
        return self.content.linenos((np.searchsorted(ends, self.rows) + 1).astype(np.int32))

    @property
    def tree_remarks(self) -> tuple[Remark, ...]:
        """What is wrong with the trees."""
        return tree_remarks(self.content, self.rows.data, self._cuts.data, self._trees)

    @property
    def edge_remarks(self) -> tuple[Remark, ...]:
        """What is wrong with the edges."""
        return edge_remarks(self.content, self.rows.data, self._edges)


def _column(written: LabelColumn) -> Column:
    return Column(np.asarray(written.ids), written.labels)
