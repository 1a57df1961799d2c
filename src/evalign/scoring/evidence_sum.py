"""`EvidenceSum`: the evidence of consecutive parts, added up in memory that does not grow with the text.

`join` adds each part's `EvidencePart` in text order and takes the `KeptEvidence` of the whole in the end.
`KeyedCounts` adds whatever is counted under keys. "Words" are errors of words, which are dropped at the end
if no part has multiword tokens: then they repeat those of tokens.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple, cast

import numpy as np

from evalign.document import IntArray
from evalign.metrics.comparison import CountTable
from evalign.metrics.counts import Counts
from evalign.metrics.errors.breakdowns import BREAKDOWNS, FREQUENCIES, find_bins, sort_labels
from evalign.metrics.errors.label_errors import count_gold_words
from evalign.metrics.errors.mismatches import MOST_CONFUSIONS, ErrorCell, ErrorGroup, Mismatch
from evalign.metrics.errors.passages import Candidates, Passage, Passages, PassageTree
from evalign.metrics.errors.positions import MOST_MARKS, MetricMarks
from evalign.metrics.errors.sentence_groups import (
    LENGTH,
    LENGTHS,
    NO_VALUE,
    GroupedCounts,
    find_field,
    sort_names,
)
from evalign.metrics.errors.stages import Charges, make_losses
from evalign.metrics.keys import hash_texts
from evalign.metrics.metric import KINDS, LABEL_FIELDS
from evalign.results.evidence import (
    MOST_EVIDENCE,
    MOST_LABELLED_UNITS,
    KeptEvidence,
    PageEvidence,
    SplitTables,
)
from evalign.scoring.evidence_part import FREQUENCY, CountedThing, EvidencePart

# At least this many rows are collected before they are added to the sums.
_FEWEST_WAITING = 1 << 16
# Number of columns that are summed at a time.
_COLUMNS = 16


@dataclass(frozen=True, slots=True)
class EvidenceLimits:
    """Limits of what is kept of a text; evidence beyond them is left out."""

    cells: int = MOST_CONFUSIONS
    """Most distinct confusions of a metric; the first to appear are kept."""
    labels: int = 1_000_000
    """Most labels of a metric whose gold words are counted; the first in gold are kept. A confusion of
    another label is left out, which takes a text with a million lemmas before it."""
    forms: int = 2_000_000
    """Most distinct forms of tokens. How often a form is in gold is known only at the end, so a text with
    more forms has no breakdown by frequency."""
    form_rows: int = 1_000_000
    """Most pairs of form and unit; if there are more, frequencies are not counted by unit."""
    marks: int = MOST_MARKS
    """Most positions of errors of a metric; with more, errors are counted by slot, a stretch of gold's
    line."""


# Limits of evidence that is kept of a text in memory: those of saved results.
UNLIMITED = EvidenceLimits(labels=sys.maxsize, forms=sys.maxsize, form_rows=sys.maxsize)


class _Rows(NamedTuple):
    """Rows of integers, each with its key: a unit and a number."""

    units: IntArray
    numbers: IntArray
    rows: IntArray


class KeyedCounts:
    """Sums of rows of integers under keys; a key is a unit, and a name or the hash of a name.

    With `most`, at most that many keys are kept: the ones that were added first. With `most_by_unit`, units are
    given up if there are more keys.
    """

    def __init__(
        self,
        first: GroupedCounts,
        *,
        is_by_unit: bool = False,
        most: int | None = None,
        most_by_unit: int | None = None,
    ) -> None:
        self.is_by_unit = is_by_unit
        """True if rows are kept by unit; else all are in unit 0."""
        self._is_complete = True
        self._most, self._most_by_unit = most, most_by_unit
        self._source, self._left_out = first.source, first.left_out
        self._widths = {metric: table.shape[1] for metric, table in first.tables.items()}
        self._numbers: dict[Hashable, int] = {}
        none = np.zeros(0, np.int64)
        self._sums = _Rows(none, none, np.zeros((0, sum(self._widths.values())), np.uint16))
        self._waiting: list[_Rows] = []
        self._n_waiting = 0

    def add(self, part: GroupedCounts, units: IntArray) -> None:
        """Add the rows of the next part; `units` are the numbers of its units in the whole text.

        Names are matched, as each part numbers its own. Rows are collected, and summed when there are many.
        """
        self._keep_metrics(part.tables)
        numbers = part.groups
        if part.names:
            ids = self._numbers
            numbers = np.array([ids.setdefault(name, len(ids)) for name in part.names], np.int64)[numbers]
        tables = [part.tables[metric] for metric in self._widths]
        rows = np.concatenate([np.zeros((len(numbers), 0), np.uint16), *tables], axis=1)
        units = units[part.units] if self.is_by_unit else np.zeros_like(numbers)
        self._waiting.append(_Rows(units, numbers, _narrow(rows)))
        self._n_waiting += len(rows)
        if self._n_waiting > max(_FEWEST_WAITING, len(self._sums.rows) // 2):
            self._settle()

    def _keep_metrics(self, metrics: Mapping[str, IntArray]) -> None:
        """Drop all metrics but these: the whole text does not have a metric that some part lacks."""
        if not self._widths.keys() <= metrics.keys():
            self._settle()
            left = np.repeat([metric in metrics for metric in self._widths], [*self._widths.values()])
            self._sums = self._sums._replace(rows=self._sums.rows[:, left])
            self._widths = {metric: width for metric, width in self._widths.items() if metric in metrics}

    def merge_units(self, size: int) -> None:
        """Merge each `size` neighbouring units into one."""
        self._settle()
        self._put(self._sums._replace(units=self._sums.units // size))

    def leave_units(self) -> None:
        """From now on count for the whole text instead of by unit."""
        if self.is_by_unit:
            self.is_by_unit = False
            self._settle()
            self._put(self._sums._replace(units=np.zeros_like(self._sums.units)))

    def _settle(self) -> None:
        """Sum the collected rows."""
        if self._waiting:
            rows = _Rows(*map(np.concatenate, zip(self._sums, *self._waiting, strict=True)))
            self._waiting, self._n_waiting = [], 0
            self._put(rows)

    def _put(self, rows: _Rows) -> None:
        """Replace all sums by those of `rows`, as many as the limits allow."""
        self._sums, firsts = _add_up(rows)
        if self.is_by_unit and self._most_by_unit is not None and len(firsts) > self._most_by_unit:
            self.leave_units()
        elif self._most is not None and len(firsts) > self._most:
            self._is_complete = False
            left = np.sort(np.argpartition(firsts, self._most)[: self._most])
            self._sums = _Rows(*(column[left] for column in self._sums))
            self._numbers = dict(islice(self._numbers.items(), self._most))

    @property
    def is_complete(self) -> bool:
        """True if all keys were kept."""
        self._settle()
        return self._is_complete

    def totals(self) -> tuple[IntArray, CountTable]:
        """Return the numbers of all names, or their hashes, in ascending order, and their sums over all units."""
        self._settle()
        totals, _ = _add_up(self._sums._replace(units=np.zeros_like(self._sums.units)))
        return totals.numbers, totals.rows.astype(np.int64)

    @property
    def names(self) -> Sequence[Any]:
        """The names, in order of first appearance; none if there are only hashes."""
        return [*self._numbers]

    def by_name(self) -> dict[Any, list[int]]:
        """Return the sums of each name over all units, in order of first appearance."""
        names = self.names
        numbers, rows = self.totals()
        return {names[k]: row for k, row in zip(numbers.tolist(), rows.tolist(), strict=True)}

    def count_each(self, texts: Sequence[str]) -> list[int | None]:
        """Return the count of each of `texts`, which were added by hash; None for one that was not added."""
        hashes, rows = self.totals()
        wanted: list[int] = hash_texts(texts).tolist()
        there = {*wanted}
        counts = {
            each: count
            for each, count in zip(hashes.tolist(), rows[:, 0].tolist(), strict=True)
            if each in there
        }
        return [counts.get(each) for each in wanted]

    def regrouped(self, find_groups: Callable[[CountTable], IntArray], names: Sequence[str]) -> KeyedCounts:
        """Return the same counts under other names.

        `find_groups` gives for the sums of each old name over all units its new name, as an index into `names`.
        """
        numbers, totals = self.totals()
        groups = find_groups(totals)[np.searchsorted(numbers, self._sums.numbers)]
        rows = GroupedCounts(names, self._sums.units, groups, self._split(self._sums.rows), self._source)
        counts = KeyedCounts(rows, is_by_unit=self.is_by_unit)
        counts.add(rows, np.arange(rows.units.max(initial=0) + 1))
        return counts

    def grouped(self, names: Sequence[str]) -> GroupedCounts:
        """Return all counts, sorted by unit and then by name in the order of `names`."""
        self._settle()
        sums = self._sums
        ranks: dict[Hashable, int] = {name: rank for rank, name in enumerate(names)}
        # Names without rows have no rank.
        groups = np.array([ranks.get(name, -1) for name in self._numbers] or [0], np.int64)[sums.numbers]
        order = np.lexsort([groups, sums.units])
        tables = self._split(sums.rows[order])
        return GroupedCounts(names, sums.units[order], groups[order], tables, self._source, self._left_out)

    def _split(self, rows: IntArray) -> dict[str, CountTable]:
        """Split rows into the table of each metric."""
        ends = np.cumsum([*self._widths.values()]).tolist()
        widths = zip(self._widths.items(), ends, strict=True)
        return {metric: rows[:, end - width : end].astype(np.int64) for (metric, width), end in widths}


def _add_up(rows: _Rows) -> tuple[_Rows, IntArray]:
    """Sum the rows of each key, in ascending order of the keys; return also the index of each one's first row."""
    order = np.lexsort([rows.numbers, rows.units])
    units, numbers = rows.units[order], rows.numbers[order]
    first = np.ones(len(order), bool)
    first[1:] = (units[1:] != units[:-1]) | (numbers[1:] != numbers[:-1])
    starts = np.flatnonzero(first)
    # A few columns at a time: sums in 64 bits take up to four times the memory of the result.
    sums: list[IntArray] = [np.zeros((len(starts), 0), np.uint16)]
    if len(starts):
        for k in range(0, rows.rows.shape[1], _COLUMNS):
            columns = rows.rows[:, k : k + _COLUMNS][order]
            sums.append(_narrow(np.add.reduceat(columns, starts, axis=0, dtype=np.int64)))
    summed = np.concatenate(sums, axis=1) if len(starts) else rows.rows
    return _Rows(units[starts], numbers[starts], summed), order[starts]


def _narrow(rows: IntArray) -> IntArray:
    """Convert rows to the smallest integer type that holds them; most counts of a unit fit into 16 bits."""
    largest = rows.max(initial=0)
    kind = next((kind for kind in (np.uint16, np.uint32) if largest <= np.iinfo(kind).max), np.int64)
    return rows.astype(kind)


WORDS = "words"
_GOLD = LABEL_FIELDS.index("gold")
# The parts of a passage's tree (kept for either side), and the columns that each needs.
_TREE_NEEDS = {"heads": ("head", "deprel"), "relations": ("head", "deprel"), "tags": ("upos",)}


class EvidenceSum:
    """The evidence of one system, added part by part in text order.

    Rows are kept by unit of the whole text. If the units are known only in the end, because neighbours are
    merged, they may be numbered as they come, and merged by `merge_units` at any time.
    """

    def __init__(self, limits: EvidenceLimits = EvidenceLimits()) -> None:  # noqa: B008 - frozen
        self._limits = limits
        self._filled: list[frozenset[str] | None] = [None, None]
        self._left_out: frozenset[str] = frozenset()
        self._counts: dict[CountedThing, KeyedCounts] = {}
        self._groups: dict[str, KeyedCounts] = {}
        self._by: tuple[str, ...] = ()
        self._fields: frozenset[str] = frozenset()
        self._errors: dict[str, list[Mismatch]] = {}
        self._passages = Candidates(0, (), 0)
        self._marks: dict[str, MetricMarks] = {}
        self._charges: tuple[str, Charges] | None = None
        self._has_multiword = False
        self._is_empty = True

    @property
    def columns(self) -> frozenset[str]:
        """Columns that both sides fill somewhere in the text so far.

        If one side has no words, those that the other side fills.
        """
        gold, system = self._filled
        if gold is None or system is None:
            return gold or system or frozenset()
        return gold & system

    @property
    def wrongly_empty(self) -> frozenset[str]:
        """Columns that both sides fill somewhere in the text so far, and that some part was compared without.

        A part whose words all have `_` in a column does not know that other parts fill it: it must be
        compared again, with `Comparison.filled`. While this is not empty, the sum differs from the evidence
        of the whole text.
        """
        return self.columns & self._left_out

    def add(self, part: EvidencePart, units: IntArray) -> None:
        """Add the evidence of the next part; `units` are the numbers of its units in the whole text.

        What some part lacks is dropped: gold or the system has its columns empty there, and everywhere if it
        is not `wrongly_empty`.
        """
        if self._is_empty:
            self._counts = {thing: self._open(thing, rows) for thing, rows in part.counts.items()}
            self._charges, self._by, self._is_empty = part.charges, part.by, False
        else:
            self._counts = {thing: each for thing, each in self._counts.items() if thing in part.counts}
            self._charges = _join_charges(self._charges, part.charges)
        self._left_out |= part.left_out
        for number, side in enumerate(part.filled):
            if side is not None:
                self._filled[number] = side | (self._filled[number] or frozenset())
        if units.max(initial=0) >= MOST_LABELLED_UNITS:
            # A saved result with many units keeps no labels by unit.
            for thing, counts in self._counts.items():
                if thing.what == "breakdown":
                    counts.leave_units()
        for thing, counts in self._counts.items():
            counts.add(part.counts[thing], units)
        for by, rows in part.groups.items():
            self._groups.setdefault(by, KeyedCounts(rows, is_by_unit=True)).add(rows, units)
        for metric, errors in part.errors.items():
            kept = self._errors.setdefault(metric, [])
            kept += errors[: MOST_EVIDENCE - len(kept)]
        self._passages = self._passages.joined(part.passages.numbered(units))
        for metric, marks in part.marks.items():
            before = self._marks.get(metric, MetricMarks({}))
            self._marks[metric] = before.joined(marks, self._limits.marks)
        self._fields |= part.fields
        self._has_multiword = self._has_multiword or part.has_multiword

    def _open(self, thing: CountedThing, first: GroupedCounts) -> KeyedCounts:
        """Return empty sums with the limits of what is counted."""
        limits = self._limits
        if thing.what == "cells":
            return KeyedCounts(first, most=limits.cells)
        if thing.what == "gold labels":
            return KeyedCounts(first, most=limits.labels)
        if thing.of == FREQUENCY:
            return KeyedCounts(first, is_by_unit=True, most=limits.forms, most_by_unit=limits.form_rows)
        return KeyedCounts(first, is_by_unit=thing.what == "breakdown")

    def merge_units(self, size: int) -> None:
        """Merge each `size` neighbouring units into one: with size 2, unit 5 becomes unit 2.

        Parts that are added later must be numbered by merged units.
        """
        for counts in (*self._counts.values(), *self._groups.values()):
            counts.merge_units(size)
        for passage in self._passages.passages:
            passage["unit"] //= size

    def result(self) -> KeptEvidence:
        """Return the evidence of the whole text."""
        kinds = {metric: counts.by_name() for metric, counts in self._find("kinds").items()}
        breakdowns, by_unit = self._break_down()
        marks = {m: marks for m, marks in self._marks.items() if m in kinds and self._keeps(m)}
        return KeptEvidence(
            {
                metric: {kind: counts[kind][0] for kind in KINDS if kind in counts}
                for metric, counts in kinds.items()
            },
            {metric: self._errors[metric] for metric in kinds},
            {metric: self._group_errors(metric, cells) for metric, cells in self._find("cells").items()},
            breakdowns,
            PageEvidence(
                self._choose_passages(),
                {metric: each.to_dict() for metric, each in marks.items()},
                make_losses(*self._charges) if self._charges else None,
            ),
            SplitTables(self._group_sentences(), by_unit),
        )

    def _find(self, what: str) -> dict[str, KeyedCounts]:
        return {thing.of: counts for thing, counts in self._counts.items() if thing.what == what}

    def _keeps(self, metric: str) -> bool:
        return self._has_multiword or metric != WORDS

    def _group_errors(self, metric: str, confusions: KeyedCounts) -> list[ErrorGroup]:
        """Return the confusions of a metric as groups of errors, most frequent first.

        A confusion is left out if the total of its gold label is unknown.
        """
        cells: dict[ErrorCell, list[int]] = confusions.by_name()
        groups = [
            ErrorGroup(cell.kind, "", cell.gold, cell.system, count, (), gold_words)
            for (cell, (count,)), gold_words in zip(
                cells.items(), self._count_gold_words(metric, [*cells]), strict=True
            )
            if gold_words is not None
        ]
        return sorted(groups, key=lambda group: (-group.count, (group.kind, group.gold, group.system)))

    def _count_gold_words(self, metric: str, cells: Sequence[ErrorCell]) -> Sequence[int | None]:
        """Return per cell the number of gold words with its gold label; None if the label was not counted."""
        labels = self._counts[CountedThing("gold labels", metric)]
        if labels.names:
            return count_gold_words(metric, {feats: row[0] for feats, row in labels.by_name().items()}, cells)
        counts = labels.count_each(["".join(cell.gold) for cell in cells])
        return [count if cell.gold else 0 for cell, count in zip(cells, counts, strict=True)]

    def _break_down(self) -> tuple[dict[str, dict[str, Counts]], dict[str, GroupedCounts]]:
        """Return the counts of each label by kind of breakdown, and by unit for kinds that keep them so."""
        breakdowns: dict[str, dict[str, Counts]] = {}
        by_unit: dict[str, GroupedCounts] = {}
        for kind, counts in self._find("breakdown").items():
            if not counts.is_complete:
                continue
            is_ordered, labels = BREAKDOWNS[kind].is_ordered, counts
            if kind == FREQUENCY:  # of counts by form those by how often the form is in gold
                labels = counts.regrouped(lambda totals: find_bins(totals[:, _GOLD]), FREQUENCIES)
            totals = {label: Counts(*row) for label, row in labels.by_name().items()}
            names = sort_labels(totals, kind)
            breakdowns[kind] = {label: totals[label] for label in names}
            if labels.is_by_unit:
                by_unit[kind] = labels.grouped(FREQUENCIES if is_ordered else names)
        return breakdowns, by_unit

    def _group_sentences(self) -> dict[str, GroupedCounts]:
        """Return the counts by length and by those comments of sentences that were requested.

        The choice is that of `metrics.errors.choose_kept`.
        """
        groups = {LENGTH: self._groups[LENGTH].grouped(LENGTHS)} if LENGTH in self._groups else {}
        for name in self._by:
            key = find_field(self._fields, name) if name != LENGTH else None
            if key is not None and key in self._groups and key not in groups:
                counts = self._groups[key]
                groups[key] = counts.grouped(sort_names({*counts.names, NO_VALUE}))
        return groups

    def _choose_passages(self) -> Passages:
        """Choose the passages to keep, without the errors and trees that the whole text would not show."""
        passages = self._passages.choose()
        for passage in passages["list"]:
            passage["errors"] = [error for error in passage["errors"] if self._keeps(error["metric"])]
            if "tree" in passage:
                _fit_tree(passage, self.columns)
        return passages


def _join_charges(
    before: tuple[str, Charges] | None, behind: tuple[str, Charges] | None
) -> tuple[str, Charges] | None:
    """Add the losses by stage of two parts; None if either has none."""
    if before is None or behind is None:
        return None
    return before[0], before[1].joined(behind[1])


def _fit_tree(passage: Passage, columns: frozenset[str]) -> None:
    """Drop the labels and arcs in the tree of a passage whose columns are not among `columns`.

    They come from parts where one side has no word: such a side does not count as lacking any column.
    """
    lacking = {kind for kind, needs in _TREE_NEEDS.items() if not columns.issuperset(needs)}
    left = {key: value for key, value in passage["tree"].items() if key.partition("_")[2] not in lacking}
    if left:
        passage["tree"] = cast("PassageTree", left)
    else:
        del passage["tree"]
