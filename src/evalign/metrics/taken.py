"""A census that was taken: what a document has as a few numbers, which can be sent and added.

Of columns only what a choice of metrics or a warning may ask for is kept: of lemmas and XPOS whether some are `_`, of the
labels of a system only those that gold lacks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from evalign.document import Column, IntArray
from evalign.errors import Remark
from evalign.metrics.census import MOST_PLACES, Census, LiveCensus, in_text_order
from evalign.metrics.classes import Version, find_version
from evalign.ud_labels import UNFILLED

LABELLED = ("lemma", "upos", "xpos", "feats", "deprel")
# Columns all of whose labels are kept; of the others only `_` is asked for.
KEPT = ("upos", "deprel")
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
class TakenLabels:
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
    columns: Mapping[str, TakenLabels]
    """The columns that were asked for."""
    remarks: tuple[Remark, ...]
    tree_remarks: tuple[Remark, ...]
    edge_remarks: tuple[Remark, ...]

    def column(self, name: str) -> TakenLabels:
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
    known = gold if gold is not None and gold.has_columns else None
    labelled = [name for name in LABELLED if name in columns and census.has_columns]
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
        {name: _freeze_labels(census, name, known, are_gold=gold is None) for name in labelled},
        tuple(census.remarks),
        tuple(census.tree_remarks) if has_dependencies else (),
        tuple(census.edge_remarks) if has_graphs else (),
    )


def _freeze_labels(census: LiveCensus, name: str, gold: Census | None, *, are_gold: bool) -> TakenLabels:
    labels, columns = census.column(name)
    if name == "feats" or (gold is None and not are_gold):
        return TakenLabels(labels.is_filled)
    known = set() if gold is None else set(gold.column(name).labels)
    wanted = [
        number
        for number, label in enumerate(labels.labels)
        if (name in KEPT or label == UNFILLED) and label not in known
    ]
    if not wanted:
        return TakenLabels(labels.is_filled)
    times = np.bincount(labels.ids, minlength=len(labels.labels)).tolist()
    firsts = {} if are_gold else _find_firsts(labels, wanted, times)
    uses = {}
    for number in wanted:
        linenos = columns.linenos[firsts[number]].tolist() if firsts else ()
        uses[labels.labels[number]] = LabelUse(times[number], tuple(linenos))
    return TakenLabels(labels.is_filled, uses)


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


def _join_labels(parts: Sequence[TakenLabels], known: Collection[str]) -> TakenLabels:
    uses: dict[str, LabelUse] = {}
    for part in parts:
        for label, use in part.uses.items():
            before = uses.get(label)
            if before is None:
                uses[label] = use
            else:
                linenos = (*before.linenos, *use.linenos)[:MOST_PLACES]
                uses[label] = LabelUse(before.times + use.times, linenos)
    for label in known:
        uses.pop(label, None)
    return TakenLabels(any(part.is_filled for part in parts), uses)


def join_remarks(parts: Iterable[Sequence[Remark]]) -> tuple[Remark, ...]:
    """Remarks on parts that follow one another: as often as in all of them, with the first places of all."""
    found: dict[tuple[str, str], Remark] = {}
    for remarks in parts:
        for remark in remarks:
            key = remark.kind, remark.message
            before = found.get(key)
            if before is None:
                found[key] = remark
                continue
            most = MOST_PLACES if remark.kind in MANY_PLACES else 1
            places = tuple(dict.fromkeys((*before.places, *remark.places)))[
                :most
            ]  # two parts may share a line
            found[key] = Remark(*key, before.times + remark.times, places)
    return tuple(in_text_order(list(found.values())))
