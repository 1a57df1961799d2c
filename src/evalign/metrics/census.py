"""A census: how large a document is, which columns and labels it has, and what was odd about it.

`scoring` decides by it which metrics are available and what to warn about. The census of a document
(`LiveCensus`) looks things up when asked, so columns that nobody needs are not read. A census taken of a part
(`TakenCensus`) keeps the answers as plain numbers, which can be sent and added up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np

from evalign.document import MISSING, Column, Columns, Document, IntArray
from evalign.errors import CommandError, Remark, rename_remarks
from evalign.metrics.comparison import Comparison
from evalign.metrics.relations import Version, find_version
from evalign.ud_labels import UNFILLED

# Number of lines named in a warning about a label.
MOST_PLACES = 5


class DocumentSize(NamedTuple):
    """The number of sentences and tokens of a document."""

    sentences: int
    tokens: int


class LiveColumnCensus(NamedTuple):
    """The census of a column, looked up in the document when asked."""

    column: Column
    columns: Columns

    @property
    def is_filled(self) -> bool:
        """Whether any word has a label."""
        return self.column.is_filled

    @property
    def labels(self) -> Sequence[str]:
        """The labels, in order of first appearance."""
        return self.column.labels

    def times(self, label: str) -> int:
        """Return how many words have `label`."""
        return int((self.column.ids == self._number(label)).sum())

    def linenos(self, label: str) -> tuple[int, ...]:
        """Return the line numbers of the first words that have `label`, at most `MOST_PLACES`."""
        words = np.flatnonzero(self.column.ids == self._number(label))
        return tuple(self.columns.linenos[words[:MOST_PLACES]].tolist())

    def _number(self, label: str) -> int:
        return list(self.column.labels).index(label)


class LiveCensus:
    """The census of a document, looked up in the document when asked."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.name, self.format = document.name, document.format
        self.n_characters, self.n_sentences = len(document.line), document.n_sentences
        self.n_tokens, self.n_words = document.n_tokens, document.n_words
        self.has_columns = document.columns is not None
        self.has_trees, self.has_spans = document.trees is not None, document.spans is not None
        self.has_sentences = document.has_sentences

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
        """Return the census of the column `name`: lemma, upos, xpos, feats or deprel."""
        return LiveColumnCensus(getattr(self._columns, name), self._columns)

    @property
    def version(self) -> Version:
        """The version of UD that the relations belong to."""
        from evalign.metrics.word_comparison import column_version

        return column_version(self._columns.deprel)

    @property
    def remarks(self) -> Sequence[Remark]:
        """Remarks on what was tolerated while reading, in the order of the text."""
        return sort_remarks(self.document.remarks)

    @property
    def tree_remarks(self) -> Sequence[Remark]:
        """Remarks on defects of the dependency trees."""
        return self._place(self._columns.tree_remarks) if self.has_columns else ()

    @property
    def edge_remarks(self) -> Sequence[Remark]:
        """Remarks on defects of the enhanced graphs."""
        return self._place(self._columns.edge_remarks) if self.has_columns else ()

    def _place(self, remarks: Sequence[Remark]) -> Sequence[Remark]:
        """Sort remarks by place and rename their files.

        The document may have been renamed after it was read.
        """
        return sort_remarks(rename_remarks(remarks, self.document.name))


def sort_remarks(remarks: Sequence[Remark]) -> Sequence[Remark]:
    """Sort remarks by their first places; the order is the same if a text is read in parts.

    Of remarks that begin on one line, those on its bytes come first, because a part may begin inside the
    line. The others are sorted by kind and message.
    """

    def key(remark: Remark) -> tuple[int, bool, str, str]:
        lineno = remark.places[0].lineno if remark.places else 0
        return lineno, remark.kind not in ("bom", "cr", "crlf"), remark.kind, remark.message

    return sorted(remarks, key=key)


def _live(document):
    return LiveCensus(document) if isinstance(document, Document) else document


def take_census(document, columns, gold=None):
    return freeze(LiveCensus(document), columns, gold)


def census_has(census: Census, name: str) -> bool:
    """Return whether any word has something in the column `name`; true for a document without words.

    FEATS always counts as filled: `_` says that a word has no features, and that can be judged as well.
    """
    if name in ("trees", "labels", "tokens", "sentences") or not census.has_columns or not census.n_words:
        return may_have(census, name)
    if name == "head":
        return census.has_heads
    if name == "deps":
        return census.has_edges
    return name == "feats" or census.column(name).is_filled


def may_have(census: Census, name: str) -> bool:
    """Return whether a document of this format can have the column `name`.

    `trees` stands for constituents, `labels` for constituents or stand-off spans, `tokens` for a division
    into tokens, which all formats but stand-off tables have, and `sentences` for sentence boundaries, which
    objects in memory may lack.
    """
    if name == "trees":
        return census.has_trees
    if name == "labels":
        return census.has_trees or census.has_spans
    if name == "tokens":
        return not census.has_spans
    if name == "sentences":
        return census.has_sentences
    return census.has_columns


def find_size(census: Census) -> DocumentSize | None:
    """Return the size of a document, None for a stand-off table, which has no sentences."""
    return None if census.has_spans else DocumentSize(census.n_sentences, census.n_tokens)


LABEL_COLUMNS = ("lemma", "upos", "xpos", "feats", "deprel")

# A taken census: plain numbers that can be sent and added up.
#
# It keeps only what the choice of metrics or a warning may need. For lemmas and XPOS it says whether some are
# `_`; the census of a system keeps only labels that gold lacks.

# Columns whose labels are all kept; of other columns only `_` is kept.
KEPT_COLUMNS = ("upos", "deprel")
# Up to this many labels, the words are scanned once for each; for more labels they are sorted.
MOST_SCANS = 8
# Kinds of remarks that name up to MOST_PLACES lines; others name one.
MANY_PLACES = frozenset({
    "broken-tree", "failed-parse", "loose-bracket", "surplus-bracket", "outside", "comment-bracket",
    "missing-head", "head-outside", "cycle", "several-roots", "no-root", "split-spaces",
})  # fmt: skip


class LabelUse(NamedTuple):
    """How many words have a label, and where the first of them are."""

    times: int
    linenos: tuple[int, ...] = ()
    """Line numbers of the first words, at most `MOST_PLACES`."""


@dataclass(frozen=True, slots=True)
class TakenColumnCensus:
    """The part of the census of a column that is kept as plain numbers."""

    is_filled: bool = False
    uses: Mapping[str, LabelUse] = field(default_factory=dict)

    @property
    def labels(self) -> Collection[str]:
        """The labels that are kept, in order of first appearance."""
        return self.uses.keys()

    def times(self, label: str) -> int:
        """Return how many words have `label`, one of those kept."""
        return self.uses[label].times

    def linenos(self, label: str) -> tuple[int, ...]:
        """Return the line numbers of the first words that have `label`, at most `MOST_PLACES`."""
        return self.uses[label].linenos


ColumnCensus: TypeAlias = LiveColumnCensus | TakenColumnCensus
"""The labels of one column and the words that have them."""


@dataclass(frozen=True, slots=True)
class TakenCensus:
    """The census of a document, or of a part of one, as plain numbers."""

    name: str
    format: str
    n_characters: int
    """Number of characters on the line."""
    n_sentences: int
    n_tokens: int
    n_words: int
    has_columns: bool
    """True if the format has columns for words, such as tags, besides their forms."""
    has_trees: bool
    """True if the document has constituents."""
    has_spans: bool
    """True if the document is a stand-off table."""
    has_heads: bool
    """Whether any word has a head."""
    has_edges: bool
    """Whether there is an edge of an enhanced graph."""
    columns: Mapping[str, TakenColumnCensus]
    """The columns that were asked for."""
    remarks: tuple[Remark, ...]
    """Remarks on what was tolerated while reading, in the order of the text."""
    tree_remarks: tuple[Remark, ...]
    """Remarks on defects of the dependency trees."""
    edge_remarks: tuple[Remark, ...]
    """Remarks on defects of the enhanced graphs."""
    has_sentences: bool = True

    def column(self, name: str) -> TakenColumnCensus:
        """Return the census of the column `name`, one of those asked for."""
        return self.columns[name]

    @property
    def version(self) -> Version:
        """The version of UD that the relations belong to; needs the column deprel."""
        uses = self.columns["deprel"].uses
        return find_version(uses, [use.times for use in uses.values()])


Census: TypeAlias = LiveCensus | TakenCensus
"""The size, format, columns and remarks of a document."""


def freeze(census: Census, columns: Collection[str], gold: Census | None = None) -> TakenCensus:
    """Take the census of a document as plain numbers, with the columns `columns`.

    When `census` is that of a system, `gold` is the census of gold, and labels that gold has are left out.
    """
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
        census.has_sentences,
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
    """Find the first words of each label number in `wanted`; `times` are the counts of all labels."""
    if len(wanted) <= MOST_SCANS:
        return {number: np.flatnonzero(column.ids == number)[:MOST_PLACES] for number in wanted}
    order = np.argsort(column.ids, kind="stable")
    ends = np.cumsum(times).tolist()
    return {number: order[ends[number] - times[number] : ends[number]][:MOST_PLACES] for number in wanted}


def join_censuses(parts: Sequence[TakenCensus], gold: TakenCensus | None = None) -> TakenCensus:
    """Add up the censuses of consecutive parts of one document.

    When the parts are of a system, `gold` is the census of all of gold, and labels that gold has are left
    out.
    """
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
    """Merge the remarks on consecutive parts: add up equal ones and keep their first places."""
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
    """Return whether any word of a document has something in the column `name`; see `census_has`."""
    return census_has(_live(document), name)


# Columns that the CoNLL 2018 script counts even if they are empty: to it, `_` is a label.
COUNTED_EMPTY = ("lemma", "upos", "xpos", "feats", "deprel")


def find_lacking(document: Document | Census, needs: Sequence[str]) -> list[str]:
    """Return those of the columns `needs` that a document lacks."""
    census = _live(document)
    return [name for name in needs if not census_has(census, name)]


def find_lacking_of_both(
    gold: Document | Census, system: Document | Census, needs: Sequence[str], *, strict: bool
) -> tuple[list[str], list[str]]:
    """Return those of the columns `needs` that gold lacks, and those that the system lacks.

    If `strict`, a column that only one side leaves empty is not lacking: the CoNLL 2018 script counts it.
    """
    sides = _live(gold), _live(system)
    ours, theirs = (find_lacking(side, needs) for side in sides)
    if not strict or not all(side.has_columns and not side.has_trees for side in sides):
        return ours, theirs
    counted = {name for name in {*ours} ^ {*theirs} if name in COUNTED_EMPTY}
    ours, theirs = ([name for name in lacking if name not in counted] for lacking in (ours, theirs))
    return ours, theirs


def has_columns(comparison: Comparison, needs: Sequence[str]) -> bool:
    """Return whether both sides of a comparison have all the columns `needs`."""
    return not any(_find_lacking_of(comparison, needs))


def check_columns(comparison: Comparison, needs: Sequence[str], wanted: str) -> None:
    """Raise `CommandError` if a side of a comparison lacks any of the columns `needs`.

    The message says that `wanted` is not available, which columns are missing, and from which file.
    """
    sides = comparison.gold, comparison.system
    for side, lacking in zip(sides, _find_lacking_of(comparison, needs), strict=True):
        if lacking:
            message = f"{wanted} not available: no word of {side.name} has {name_columns(lacking, 'or')}"
            raise CommandError(message, f"{name_columns(needs)} in gold and system")


def _find_lacking_of(comparison: Comparison, needs: Sequence[str]) -> tuple[list[str], list[str]]:
    wanted = [name for name in needs if name not in comparison.filled]
    return find_lacking_of_both(comparison.gold, comparison.system, wanted, strict=comparison.options.strict)


def name_columns(needs: Sequence[str], joint: str = "and") -> str:
    """Join the names that CoNLL-U gives to the columns `needs`, the last one with the word `joint`.

    >>> name_columns(["head", "deprel"])
    'HEAD and DEPREL'
    """
    descriptions = {
        "trees": "a tree",
        "labels": "a bracket or stand-off span",
        "tokens": "tokens of its own",
        "sentences": "a sentence boundary",
    }
    *others, last = (descriptions.get(name, name.upper()) for name in needs)
    return f"{', '.join(others)} {joint} {last}" if others else last
