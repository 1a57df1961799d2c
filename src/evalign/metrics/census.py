"""What a document has: how much, which columns, which labels that may be worth a warning.

Asked of a document it is found when it is asked for, so that columns that nobody wants are not read. What was counted in
parts elsewhere answers the same questions (`take_census`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np

from evalign.document import MISSING, Column, Columns, Document, IntArray
from evalign.errors import CommandError, Remark, rename_remarks
from evalign.metrics.comparison import Comparison
from evalign.metrics.relations import Version, find_version
from evalign.ud_labels import UNFILLED

# Lines that are named where words have a label that is worth a warning.
MOST_PLACES = 5


class DocumentSize(NamedTuple):
    """How large a document is."""

    sentences: int
    tokens: int


class ColumnCensus(Protocol):
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

    def column(self, name: str) -> ColumnCensus:
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


class LiveColumnCensus(NamedTuple):
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

    def column(self, name: str) -> LiveColumnCensus:
        """A column by its name."""
        return LiveColumnCensus(getattr(self._columns, name), self._columns)

    @property
    def version(self) -> Version:
        """The version of UD that its relations are of."""
        from evalign.metrics.word_comparison import column_version

        return column_version(self._columns.deprel)

    @property
    def remarks(self) -> Sequence[Remark]:
        """What was tolerated while it was read."""
        return sort_remarks(self.document.remarks)

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
        return sort_remarks(rename_remarks(remarks, self.document.name))


def sort_remarks(remarks: Sequence[Remark]) -> Sequence[Remark]:
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


def census_has(census: Census, name: str) -> bool:
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


LABEL_COLUMNS = ("lemma", "upos", "xpos", "feats", "deprel")
# A census that was taken: what a document has as a few numbers, which can be sent and added.
#
# Of columns only what a choice of metrics or a warning may ask for is kept: of lemmas and XPOS whether some are `_`, of
# the labels of a system only those that gold lacks.

# Columns all of whose labels are kept; of the others only `_` is asked for.
KEPT_COLUMNS = ("upos", "deprel")
# Labels that words are looked through for one by one; of more, all words are sorted.
MOST_SCANS = 8
# Remarks that name up to MOST_PLACES lines; all others name one.
MANY_PLACES = frozenset({
    "broken-tree", "failed-parse", "loose-bracket", "surplus-bracket", "outside", "comment-bracket",
    "missing-head", "head-outside", "cycle", "several-roots", "no-root", "split-spaces",
})  # fmt: skip


class LabelUse(NamedTuple):
    """The words that have a label."""

    times: int
    linenos: tuple[int, ...] = ()
    """The first lines."""


@dataclass(frozen=True, slots=True)
class TakenColumnCensus:
    """What is kept of a column."""

    is_filled: bool = False
    uses: Mapping[str, LabelUse] = field(default_factory=dict)

    @property
    def labels(self) -> Collection[str]:
        """The labels that are kept, in the order in which they first appear."""
        return self.uses.keys()

    def times(self, label: str) -> int:
        """How many words have one of the labels."""
        return self.uses[label].times

    def linenos(self, label: str) -> tuple[int, ...]:
        """The first lines of words that have it."""
        return self.uses[label].linenos


@dataclass(frozen=True, slots=True)
class TakenCensus:
    """What a document, or a part of one, has."""

    name: str
    format: str
    n_characters: int
    n_sentences: int
    n_tokens: int
    n_words: int
    has_columns: bool
    has_trees: bool
    has_spans: bool
    has_heads: bool
    has_edges: bool
    columns: Mapping[str, TakenColumnCensus]
    """The columns that were asked for."""
    remarks: tuple[Remark, ...]
    tree_remarks: tuple[Remark, ...]
    edge_remarks: tuple[Remark, ...]

    def column(self, name: str) -> TakenColumnCensus:
        """A column that was asked for."""
        return self.columns[name]

    @property
    def version(self) -> Version:
        """The version of UD that its relations are of."""
        uses = self.columns["deprel"].uses
        return find_version(uses, [use.times for use in uses.values()])


def freeze(census: Census, columns: Collection[str], gold: Census | None = None) -> TakenCensus:
    """What a document has in some columns. `gold` is the other side of a system: labels that it has are left out."""
    if isinstance(census, TakenCensus):
        return census
    assert isinstance(census, LiveCensus)
    gold_census = gold if gold is not None and gold.has_columns else None
    labelled = [name for name in LABEL_COLUMNS if name in columns and census.has_columns]
    has_dependencies = census.has_columns and "head" in columns
    has_graphs = census.has_columns and "deps" in columns
    return TakenCensus(
        census.name,
        census.format,
        census.n_characters,
        census.n_sentences,
        census.n_tokens,
        census.n_words,
        census.has_columns,
        census.has_trees,
        census.has_spans,
        has_dependencies and census.has_heads,
        has_graphs and census.has_edges,
        {name: _freeze_labels(census, name, gold_census, are_gold=gold is None) for name in labelled},
        tuple(census.remarks),
        tuple(census.tree_remarks) if has_dependencies else (),
        tuple(census.edge_remarks) if has_graphs else (),
    )


def _freeze_labels(
    census: LiveCensus, name: str, gold: Census | None, *, are_gold: bool
) -> TakenColumnCensus:
    labels, columns = census.column(name)
    if name == "feats" or (gold is None and not are_gold):
        return TakenColumnCensus(labels.is_filled)
    gold_labels = set() if gold is None else set(gold.column(name).labels)
    wanted = [
        number
        for number, label in enumerate(labels.labels)
        if (name in KEPT_COLUMNS or label == UNFILLED) and label not in gold_labels
    ]
    if not wanted:
        return TakenColumnCensus(labels.is_filled)
    times = np.bincount(labels.ids, minlength=len(labels.labels)).tolist()
    firsts = {} if are_gold else _find_firsts(labels, wanted, times)
    uses = {}
    for number in wanted:
        linenos = columns.linenos[firsts[number]].tolist() if firsts else ()
        uses[labels.labels[number]] = LabelUse(times[number], tuple(linenos))
    return TakenColumnCensus(labels.is_filled, uses)


def _find_firsts(column: Column, wanted: Sequence[int], times: Sequence[int]) -> dict[int, IntArray]:
    """The first words of some labels."""
    if len(wanted) <= MOST_SCANS:
        return {number: np.flatnonzero(column.ids == number)[:MOST_PLACES] for number in wanted}
    order = np.argsort(column.ids, kind="stable")
    ends = np.cumsum(times).tolist()
    return {number: order[ends[number] - times[number] : ends[number]][:MOST_PLACES] for number in wanted}


def join_censuses(parts: Sequence[TakenCensus], gold: TakenCensus | None = None) -> TakenCensus:
    """What a document has whose parts follow one another; labels that all of gold has are left out of a system's."""
    first = parts[0]
    names = dict.fromkeys(name for part in parts for name in part.columns)

    def total(size: Callable[[TakenCensus], int]) -> int:
        return sum(map(size, parts))

    return TakenCensus(
        first.name,
        first.format,
        total(lambda part: part.n_characters),
        total(lambda part: part.n_sentences),
        total(lambda part: part.n_tokens),
        total(lambda part: part.n_words),
        any(part.has_columns for part in parts),
        any(part.has_trees for part in parts),
        any(part.has_spans for part in parts),
        any(part.has_heads for part in parts),
        any(part.has_edges for part in parts),
        {
            name: _join_labels(
                [part.columns[name] for part in parts if name in part.columns],
                gold.columns[name].labels if gold is not None and name in gold.columns else (),
            )
            for name in names
        },
        join_remarks(part.remarks for part in parts),
        join_remarks(part.tree_remarks for part in parts),
        join_remarks(part.edge_remarks for part in parts),
    )


def _join_labels(parts: Sequence[TakenColumnCensus], gold_labels: Collection[str]) -> TakenColumnCensus:
    uses: dict[str, LabelUse] = {}
    for part in parts:
        for label, use in part.uses.items():
            before = uses.get(label)
            if before is None:
                uses[label] = use
            else:
                linenos = (*before.linenos, *use.linenos)[:MOST_PLACES]
                uses[label] = LabelUse(before.times + use.times, linenos)
    for label in gold_labels:
        uses.pop(label, None)
    return TakenColumnCensus(any(part.is_filled for part in parts), uses)


def join_remarks(parts: Iterable[Sequence[Remark]]) -> tuple[Remark, ...]:
    """Remarks on parts that follow one another: as often as in all of them, with the first places of all."""
    joined: dict[tuple[str, str], Remark] = {}
    for remarks in parts:
        for remark in remarks:
            key = remark.kind, remark.message
            before = joined.get(key)
            if before is None:
                joined[key] = remark
                continue
            most = MOST_PLACES if remark.kind in MANY_PLACES else 1
            places = tuple(dict.fromkeys((*before.places, *remark.places)))[
                :most
            ]  # two parts may share a line
            joined[key] = Remark(*key, before.times + remark.times, places)
    return tuple(sort_remarks(list(joined.values())))


def has_column(document: Document | Census, name: str) -> bool:
    """Whether any word of a document has something in a column; one without words lacks nothing.

    Of FEATS, `_` says that a word has no features: a file has them or not, and in either case they can be judged.
    """
    return census_has(take_census(document), name)


# The CoNLL 2018 script counts these whatever they hold: an empty column is one of `_`.
COUNTED_EMPTY = ("lemma", "upos", "xpos", "feats", "deprel")


def find_lacking(document: Document | Census, needs: Sequence[str]) -> list[str]:
    """Which of some columns a document has not."""
    census = take_census(document)
    return [name for name in needs if not census_has(census, name)]


def find_lacking_of_both(
    gold: Document | Census, system: Document | Census, needs: Sequence[str], *, strict: bool
) -> tuple[list[str], list[str]]:
    """Which of some columns gold and a system have not.

    If `strict`, a column that one side alone leaves empty is not lacking, as the CoNLL 2018 script counts it.
    """
    sides = take_census(gold), take_census(system)
    ours, theirs = (find_lacking(side, needs) for side in sides)
    if not strict or not all(side.has_columns and not side.has_trees for side in sides):
        return ours, theirs
    counted = {name for name in {*ours} ^ {*theirs} if name in COUNTED_EMPTY}
    ours, theirs = ([name for name in lacking if name not in counted] for lacking in (ours, theirs))
    return ours, theirs


def has_columns(comparison: Comparison, needs: Sequence[str]) -> bool:
    """Whether words of both sides have something in all these columns."""
    return not any(_find_lacking_of(comparison, needs))


def check_columns(comparison: Comparison, needs: Sequence[str], wanted: str) -> None:
    """Raise `CommandError` with the columns that are missing, and from which file."""
    sides = comparison.gold, comparison.system
    for side, lacking in zip(sides, _find_lacking_of(comparison, needs), strict=True):
        if lacking:
            message = f"{wanted} not available: no word of {side.name} has {name_columns(lacking, 'or')}"
            raise CommandError(message, f"{name_columns(needs)} in gold and system")


def _find_lacking_of(comparison: Comparison, needs: Sequence[str]) -> tuple[list[str], list[str]]:
    wanted = [name for name in needs if name not in comparison.filled]
    return find_lacking_of_both(comparison.gold, comparison.system, wanted, strict=comparison.strict)


def name_columns(needs: Sequence[str], joint: str = "and") -> str:
    """Columns by the names that CoNLL-U has for them.

    >>> name_columns(["head", "deprel"])
    'HEAD and DEPREL'
    """
    descriptions = {"trees": "a tree", "labels": "a bracket or stand-off span", "tokens": "tokens of its own"}
    *others, last = (descriptions.get(name, name.upper()) for name in needs)
    return f"{', '.join(others)} {joint} {last}" if others else last
