"""A census: how large a document is, which columns and labels it has, and what was odd about it.

`scoring` decides by it which metrics are available and what to warn about. A census is a snapshot of the columns
that were asked for: plain numbers, which can be sent, and which add up over the parts of a text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from evalign.document import MISSING, Column, Columns, Document
from evalign.errors import CommandError, Remark, rename_remarks
from evalign.metrics.comparison import Comparison
from evalign.metrics.relations import Version, find_version
from evalign.ud_labels import UNFILLED

# Number of lines named in a warning about a label.
MOST_PLACES = 5
# The columns that a census can have.
COLUMNS = ("lemma", "upos", "xpos", "feats", "head", "deprel", "deps")
# How many words have each label is counted in these columns; in lemmas and XPOS, how many have `_`.
COUNTED_COLUMNS = ("upos", "deprel")
# Kinds of remarks that name up to MOST_PLACES lines; others name one.
MANY_PLACES = frozenset({
    "broken-tree", "failed-parse", "loose-bracket", "surplus-bracket", "outside", "comment-bracket",
    "missing-head", "head-outside", "cycle", "several-roots", "no-root", "split-spaces",
})  # fmt: skip


class DocumentSize(NamedTuple):
    """The number of sentences and tokens of a document."""

    sentences: int
    tokens: int


@dataclass(frozen=True, slots=True)
class ColumnCensus:
    """What a document has in one column."""

    is_filled: bool
    """Whether any word has something in the column."""
    times: Mapping[str, int] = field(default_factory=dict)
    """How many words have each of the labels that are counted, in order of first appearance.

    For a system these are labels that gold lacks.
    """
    linenos: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """For a system: the line numbers of the first words with each of the labels, at most `MOST_PLACES`."""
    remarks: tuple[Remark, ...] = ()
    """For HEAD and DEPS: remarks on defects of the dependency trees and of the enhanced graphs."""


@dataclass(frozen=True, slots=True)
class Census:
    """The size, format, columns and remarks of a document, or of a part of one."""

    name: str
    format: str
    n_sentences: int
    n_tokens: int
    n_words: int
    has_columns: bool
    """True if the format has columns for words, such as tags, besides their forms."""
    has_trees: bool
    """True if the document has constituents."""
    has_spans: bool
    """True if the document is a stand-off table."""
    has_sentences: bool
    """False for an object in memory without sentence boundaries."""
    columns: Mapping[str, ColumnCensus]
    """The columns that were asked for, if the format has columns."""
    remarks: tuple[Remark, ...]
    """Remarks on what was tolerated while reading, in the order of the text."""

    @property
    def size(self) -> DocumentSize | None:
        """The size of the document, None for a stand-off table, which has no sentences."""
        return None if self.has_spans else DocumentSize(self.n_sentences, self.n_tokens)

    @property
    def version(self) -> Version:
        """The version of UD that gold's relations belong to; needs the column deprel."""
        times = self.columns["deprel"].times
        return find_version(times, times.values())

    def may_have(self, name: str) -> bool:
        """Return whether a document of this format can have the column `name`.

        `trees` stands for constituents, `labels` for constituents or stand-off spans, `tokens` for a division
        into tokens, which all formats but stand-off tables have, and `sentences` for sentence boundaries,
        which objects in memory may lack.
        """
        match name:
            case "trees":
                return self.has_trees
            case "labels":
                return self.has_trees or self.has_spans
            case "tokens":
                return not self.has_spans
            case "sentences":
                return self.has_sentences
        return self.has_columns

    def has(self, name: str) -> bool:
        """Return whether any word has something in the column `name`; true for a document without words.

        FEATS always counts as filled: `_` says that a word has no features, and that can be judged as well.
        """
        if name not in COLUMNS or not self.has_columns or not self.n_words:
            return self.may_have(name)
        return name == "feats" or self.columns[name].is_filled

    def find_lacking(self, needs: Iterable[str]) -> list[str]:
        """Return those of the columns `needs` that the document lacks."""
        return [name for name in needs if not self.has(name)]


def take_census(
    document: Document, columns: Collection[str] = (), gold: Census | None = None, *, counts: bool = True
) -> Census:
    """Take the census of a document, with those of its columns that are in `columns`.

    For the document of a system, `gold` is the census of gold, and labels that gold has are not counted. Without
    `counts`, columns have no labels and no remarks.
    """
    asked = [name for name in COLUMNS if name in columns] if document.columns is not None else []
    return Census(
        document.name,
        document.format,
        document.n_sentences,
        document.n_tokens,
        document.n_words,
        document.columns is not None,
        document.trees is not None,
        document.spans is not None,
        document.has_sentences,
        {name: _look_up(document, name, gold, counts=counts) for name in asked},
        sort_remarks(document.remarks),
    )


def _look_up(document: Document, name: str, gold: Census | None, *, counts: bool) -> ColumnCensus:
    columns = document.columns
    assert columns is not None
    if name not in ("head", "deps"):
        column: Column = getattr(columns, name)
        if counts and (gold is None or gold.has_columns):
            return _count_labels(column, name, columns, gold)
        return ColumnCensus(column.is_filled)
    is_filled = (columns.parents != MISSING).any() if name == "head" else len(columns.edges.heads)
    if not counts:
        return ColumnCensus(bool(is_filled))
    remarks = columns.tree_remarks if name == "head" else columns.edge_remarks
    # The document may have been renamed after it was read.
    return ColumnCensus(bool(is_filled), remarks=sort_remarks(rename_remarks(remarks, document.name)))


def _count_labels(column: Column, name: str, columns: Columns, gold: Census | None) -> ColumnCensus:
    ids, labels = column
    numbers: Sequence[int] = ()
    if name in COUNTED_COLUMNS:
        numbers = range(len(labels))
    elif name != "feats" and UNFILLED in labels:
        numbers = [labels.index(UNFILLED)]
    if gold is not None:
        numbers = [number for number in numbers if labels[number] not in gold.columns[name].times]
    if not numbers:
        return ColumnCensus(column.is_filled)
    totals = np.bincount(ids, minlength=len(labels))
    times = {labels[number]: int(totals[number]) for number in numbers}
    if gold is None:
        return ColumnCensus(column.is_filled, times)
    # Words with these labels, sorted by label; one slice for each.
    is_counted = np.zeros(len(labels), bool)
    is_counted[numbers] = True
    words = np.flatnonzero(is_counted[ids])
    words = words[np.argsort(ids[words], kind="stable")]
    slices = np.split(words, np.cumsum(totals[numbers])[:-1])
    linenos = {
        label: tuple(columns.linenos[words[:MOST_PLACES]].tolist())
        for label, words in zip(times, slices, strict=True)
    }
    return ColumnCensus(column.is_filled, times, linenos)


def join_censuses(parts: Sequence[Census], gold: Census | None = None) -> Census:
    """Add up the censuses of consecutive parts of one document.

    When the parts are of a system, `gold` is the census of all of gold, and labels that gold has are left
    out.
    """
    return replace(
        parts[0],
        n_sentences=sum(part.n_sentences for part in parts),
        n_tokens=sum(part.n_tokens for part in parts),
        n_words=sum(part.n_words for part in parts),
        columns={
            name: _join_columns(
                [part.columns[name] for part in parts], gold.columns.get(name) if gold is not None else None
            )
            for name in parts[0].columns
        },
        remarks=join_remarks(part.remarks for part in parts),
    )


def _join_columns(parts: Sequence[ColumnCensus], gold: ColumnCensus | None) -> ColumnCensus:
    times: dict[str, int] = {}
    linenos: dict[str, tuple[int, ...]] = {}
    for part in parts:
        for label, count in part.times.items():
            times[label] = times.get(label, 0) + count
        for label, first in part.linenos.items():
            linenos[label] = (*linenos.get(label, ()), *first)[:MOST_PLACES]
    for label in gold.times if gold is not None else ():
        times.pop(label, None)
        linenos.pop(label, None)
    remarks = join_remarks(part.remarks for part in parts)
    return ColumnCensus(any(part.is_filled for part in parts), times, linenos, remarks)


def sort_remarks(remarks: Sequence[Remark]) -> tuple[Remark, ...]:
    """Sort remarks by their first places; the order is the same if a text is read in parts.

    Of remarks that begin on one line, those on its bytes come first, because a part may begin inside the
    line. The others are sorted by kind and message.
    """

    def key(remark: Remark) -> tuple[int, bool, str, str]:
        lineno = remark.places[0].lineno if remark.places else 0
        return lineno, remark.kind not in ("bom", "cr", "crlf"), remark.kind, remark.message

    return tuple(sorted(remarks, key=key))


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
    return sort_remarks(list(joined.values()))


def has_column(document: Document, name: str) -> bool:
    """Return whether any word of a document has something in the column `name`; see `Census.has`."""
    return take_census(document, [name], counts=False).has(name)


# Columns that the CoNLL 2018 script counts even if they are empty: to it, `_` is a label.
COUNTED_EMPTY = ("lemma", "upos", "xpos", "feats", "deprel")


def find_lacking_of_both(
    gold: Census, system: Census, needs: Sequence[str], *, strict: bool
) -> tuple[list[str], list[str]]:
    """Return those of the columns `needs` that gold lacks, and those that the system lacks.

    If `strict`, a column that only one side leaves empty is not lacking: the CoNLL 2018 script counts it.
    """
    ours, theirs = gold.find_lacking(needs), system.find_lacking(needs)
    if strict and all(side.has_columns and not side.has_trees for side in (gold, system)):
        counted = ({*ours} ^ {*theirs}) & {*COUNTED_EMPTY}
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
    gold, system = (take_census(side, wanted, counts=False) for side in (comparison.gold, comparison.system))
    return find_lacking_of_both(gold, system, wanted, strict=comparison.options.strict)


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
