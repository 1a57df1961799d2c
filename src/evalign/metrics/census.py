"""What a document has: how much, which columns, which labels that may be worth a warning.

Asked of a document it is found when it is asked for, so that columns that nobody wants are not read. What was counted in
parts elsewhere answers the same questions (`layers.taken`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from evalign.document import MISSING, Column, Columns, Document
from evalign.errors import Remark, rename_remarks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics.classes import Version

# Lines that are named where words have a label that is worth a warning.
MOST_PLACES = 5


class DocumentSize(NamedTuple):
    """How large a document is."""

    sentences: int
    tokens: int


class Labels(Protocol):
    """What is known of a column of labels."""

    @property
    def is_filled(self) -> bool:
        """Whether any word has a label; `_` stands for none."""

    @property
    def labels(self) -> Collection[str]:
        """The labels, in the order in which they first appear."""

    def times(self, label: str) -> int:
        """How many words have one of the labels."""

    def linenos(self, label: str) -> tuple[int, ...]:
        """The first lines of words that have it."""


class Census(Protocol):
    """What a document has."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def format(self) -> str:
        """Its format."""

    @property
    def n_characters(self) -> int:
        """Characters on its line."""

    @property
    def n_sentences(self) -> int:
        """Sentences."""

    @property
    def n_tokens(self) -> int:
        """Tokens."""

    @property
    def n_words(self) -> int:
        """Words."""

    @property
    def has_columns(self) -> bool:
        """Whether its format says more of words than their forms."""

    @property
    def has_trees(self) -> bool:
        """Whether it has constituents."""

    @property
    def has_spans(self) -> bool:
        """Whether it is a stand-off table."""

    @property
    def has_heads(self) -> bool:
        """Whether any word has a head."""

    @property
    def has_edges(self) -> bool:
        """Whether there is an edge of an enhanced graph."""

    def column(self, name: str) -> Labels:
        """Lemma, upos, xpos, feats or deprel."""

    @property
    def version(self) -> Version:
        """The version of UD that its relations are of."""

    @property
    def remarks(self) -> Sequence[Remark]:
        """What was tolerated while it was read, in the order of the text."""

    @property
    def tree_remarks(self) -> Sequence[Remark]:
        """What is wrong with its dependencies."""

    @property
    def edge_remarks(self) -> Sequence[Remark]:
        """What is wrong with its enhanced graphs."""


class LiveLabels(NamedTuple):
    """A column of a document."""

    column: Column
    columns: Columns

    @property
    def is_filled(self) -> bool:
        """Whether any word has a label."""
        return self.column.is_filled

    @property
    def labels(self) -> Sequence[str]:
        """The labels."""
        return self.column.labels

    def times(self, label: str) -> int:
        """How many words have one of the labels."""
        return int((self.column.ids == self._number(label)).sum())

    def linenos(self, label: str) -> tuple[int, ...]:
        """The first lines of words that have it."""
        words = np.flatnonzero(self.column.ids == self._number(label))
        return tuple(self.columns.linenos[words[:MOST_PLACES]].tolist())

    def _number(self, label: str) -> int:
        return list(self.column.labels).index(label)


class LiveCensus:
    """What a document has, found when it is asked for."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.name, self.format = document.name, document.format
        self.n_characters, self.n_sentences = len(document.line), document.n_sentences
        self.n_tokens, self.n_words = document.n_tokens, document.n_words
        self.has_columns = document.columns is not None
        self.has_trees, self.has_spans = document.trees is not None, document.spans is not None

    @property
    def _columns(self) -> Columns:
        assert self.document.columns is not None
        return self.document.columns

    @property
    def has_heads(self) -> bool:
        """Whether any word has a head."""
        return bool((self._columns.parents != MISSING).any())

    @property
    def has_edges(self) -> bool:
        """Whether there is an edge of an enhanced graph."""
        return bool(len(self._columns.edges.heads))

    def column(self, name: str) -> LiveLabels:
        """A column by its name."""
        return LiveLabels(getattr(self._columns, name), self._columns)

    @property
    def version(self) -> Version:
        """The version of UD that its relations are of."""
        from evalign.metrics.judgement import column_version

        return column_version(self._columns.deprel)

    @property
    def remarks(self) -> Sequence[Remark]:
        """What was tolerated while it was read."""
        return in_text_order(self.document.remarks)

    @property
    def tree_remarks(self) -> Sequence[Remark]:
        """What is wrong with its dependencies."""
        return self._place(self._columns.tree_remarks) if self.has_columns else ()

    @property
    def edge_remarks(self) -> Sequence[Remark]:
        """What is wrong with its enhanced graphs."""
        return self._place(self._columns.edge_remarks) if self.has_columns else ()

    def _place(self, remarks: Sequence[Remark]) -> Sequence[Remark]:
        """Remarks in the order of the text. The document may have got another name after it was read."""
        return in_text_order(rename_remarks(remarks, self.document.name))


def in_text_order(remarks: Sequence[Remark]) -> Sequence[Remark]:
    """Remarks by their first places: an order that does not change when a text is read in parts.

    Where several begin on one line, those on its bytes come first, the others by name: the line may have been cut in two.
    """

    def key(remark: Remark) -> tuple[int, bool, str, str]:
        lineno = remark.places[0].lineno if remark.places else 0
        return lineno, remark.kind not in ("bom", "cr", "crlf"), remark.kind, remark.message

    return sorted(remarks, key=key)


def take_census(document: Document | Census) -> Census:
    """What a document has; what is known of one already stays."""
    return LiveCensus(document) if isinstance(document, Document) else document


def has_something(census: Census, name: str) -> bool:
    """Whether any word has something in a column; a document without words lacks nothing.

    Of FEATS, `_` says that a word has no features: a file has them or not, and in either case they can be judged.
    """
    if name in ("trees", "labels", "tokens") or not census.has_columns or not census.n_words:
        return may_have(census, name)
    if name == "head":
        return census.has_heads
    if name == "deps":
        return census.has_edges
    return name == "feats" or census.column(name).is_filled


def may_have(census: Census, name: str) -> bool:
    """Whether a document of its format can have something in a column, or has what else a metric needs."""
    if name == "trees":
        return census.has_trees
    if name == "labels":
        return census.has_trees or census.has_spans
    if name == "tokens":
        return not census.has_spans
    return census.has_columns


def find_size(census: Census) -> DocumentSize | None:
    """How large a document is; None of a stand-off table, which has no sentences."""
    return None if census.has_spans else DocumentSize(census.n_sentences, census.n_tokens)
