"""`EvidenceSum`: the evidence of consecutive parts, added up in memory that does not grow with the text.

`join` adds each part's `EvidencePart` in text order and takes the `KeptEvidence` of the whole in the end.
Each `Joined...` class sums one field of the parts. "Words" are errors of words, which are dropped at the end
if no part has multiword tokens: then they repeat those of tokens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import cast

import numpy as np

from evalign.document import IntArray
from evalign.metrics.counts import Counts
from evalign.metrics.errors.breakdowns import BREAKDOWNS, FREQUENCIES, find_bins, sort_labels
from evalign.metrics.errors.mismatches import CONTEXT, MOST_CONFUSIONS, ErrorCell, ErrorGroup, Mismatch
from evalign.metrics.errors.passages import Passage, Passages, PassageTree, choose_again, keep_candidates
from evalign.metrics.errors.positions import MOST_MARKS, NO_SLOTS, Marks, MetricMarks, Ticks
from evalign.metrics.errors.sentence_groups import (
    LENGTH,
    LENGTHS,
    NO_VALUE,
    GroupedCounts,
    find_field,
    sort_names,
)
from evalign.metrics.errors.stages import Charges, make_losses
from evalign.metrics.metric import KINDS, LABEL_FIELDS
from evalign.metrics.registry import LABEL_METRICS
from evalign.results.evidence import (
    MOST_EVIDENCE,
    MOST_LABELLED_UNITS,
    KeptEvidence,
    PageEvidence,
    SplitTables,
)
from evalign.scoring.evidence_part import (
    FREQUENCY,
    CommentRows,
    EvidenceHint,
    EvidencePart,
    FormRows,
    HashedTotals,
    KeptError,
    MetricCells,
    MetricErrors,
    PartColumns,
    PartEdges,
    PartPassages,
    PartSentences,
    hash_texts,
    name_keys,
)
from evalign.scoring.row_sums import GroupSums, RowSums, add_up


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


@dataclass(slots=True)
class _Open:
    """A kept error whose context continues in the next part."""

    metric: str
    number: int
    """Index of the error among the kept errors of the metric."""
    row: str
    """The tokens that the context is made of, as in `KeptError.row`."""
    n_present: int
    """Number of tokens or words of context after the error that are present."""
    lacking: int
    """Number of tokens or words of context after the error that are still missing."""


class JoinedErrors:
    """The sum of `EvidencePart.errors`: errors by metric and kind, and the first ones with their context."""

    def __init__(self) -> None:
        self.kinds: dict[str, Counter[str]] = {}
        self.kept: dict[str, list[Mismatch]] = {}
        self._open: list[_Open] = []
        self._last: dict[str, list[str]] = {}

    @property
    def complete(self) -> frozenset[str]:
        """Metrics that already have `MOST_EVIDENCE` errors, so that later ones are not kept."""
        return frozenset(metric for metric, kept in self.kept.items() if len(kept) >= MOST_EVIDENCE)

    def add(self, errors: Mapping[str, MetricErrors], edges: Mapping[str, PartEdges]) -> None:
        """Add the errors of the next part.

        `edges` are its first and last tokens: context for errors of earlier and later parts.
        """
        self._go_on(edges)
        for metric, metric_errors in errors.items():
            self.kinds.setdefault(metric, Counter()).update(metric_errors.kinds)
            kept = self.kept.setdefault(metric, [])
            for error in metric_errors.first[: MOST_EVIDENCE - len(kept)]:
                if error.lacking[1]:
                    n_present = CONTEXT - error.lacking[1]
                    self._open.append(_Open(metric, len(kept), error.row, n_present, error.lacking[1]))
                kept.append(self._begin(error))
        for row, edge in edges.items():
            self._last[row] = [*self._last.get(row, ()), *edge.last][-CONTEXT:]

    def count(self, metric: str) -> dict[str, int]:
        """Return the number of errors of a metric by kind, kept or not."""
        return {kind: self.kinds[metric][kind] for kind in KINDS if kind in self.kinds[metric]}

    def _begin(self, error: KeptError) -> Mismatch:
        """Return the error with the context before it completed from the last tokens of earlier parts."""
        mismatch, lacking = error.mismatch, error.lacking[0]
        before = self._last.get(error.row, [])[-lacking:] if lacking else []
        if not before:
            return mismatch
        own = [mismatch.before] if lacking < CONTEXT else []
        return replace(mismatch, before=" ".join([*before, *own]))

    def _go_on(self, edges: Mapping[str, PartEdges]) -> None:
        """Complete the context after errors of earlier parts with the first tokens of this part."""
        for error in self._open:
            behind = edges[error.row].first[: error.lacking]
            if behind:
                mismatch = self.kept[error.metric][error.number]
                own = [mismatch.after] if error.n_present else []
                self.kept[error.metric][error.number] = replace(mismatch, after=" ".join([*own, *behind]))
                error.n_present += len(behind)
                error.lacking -= len(behind)
        self._open = [error for error in self._open if error.lacking]


class JoinedCells:
    """The sum of the `MetricCells` of one metric: confusions of labels, and gold words by label."""

    def __init__(self, metric: str, limits: EvidenceLimits) -> None:
        self.metric = metric
        self._limits = limits
        self._counts: dict[ErrorCell, int] = {}
        self._features: dict[str, int] = {}
        self._hashed = RowSums(1, 1, limits.labels)

    def add(self, cells: MetricCells) -> None:
        """Add the cells of the next part."""
        for cell, count in zip(cells.cells, cells.counts, strict=True):
            if cell in self._counts or len(self._counts) < self._limits.cells:
                self._counts[cell] = self._counts.get(cell, 0) + count
        if isinstance(cells.totals, HashedTotals):
            self._hashed.add([cells.totals.hashes], cells.totals.counts[:, None])
            return
        for feats, count in cells.totals.items():
            if feats in self._features or len(self._features) < self._limits.labels:
                self._features[feats] = self._features.get(feats, 0) + count

    def groups(self) -> list[ErrorGroup]:
        """Return the confusions as groups of errors, most frequent first.

        A confusion is left out if the total of its gold label is unknown.
        """
        cells = list(self._counts)
        groups = [
            ErrorGroup(cell.kind, "", cell.gold, cell.system, self._counts[cell], (), gold_words)
            for cell, gold_words in zip(cells, self._count_gold_words(cells), strict=True)
            if gold_words is not None
        ]
        return sorted(groups, key=lambda group: (-group.count, (group.kind, group.gold, group.system)))

    def _count_gold_words(self, cells: Sequence[ErrorCell]) -> Sequence[int | None]:
        """Return per cell the number of gold words with its gold label; None if the label was not counted."""
        if self._features:
            from evalign.metrics.errors.label_errors import count_gold_words

            return count_gold_words(self.metric, self._features, cells)
        (hashes,), rows = self._hashed.rows()
        labels = [cell.gold[0] if cell.gold else None for cell in cells]
        counts = iter(_look_up([label for label in labels if label is not None], hashes, rows[:, 0]))
        return [0 if label is None else next(counts) for label in labels]


def _look_up(labels: Sequence[str], hashes: IntArray, counts: IntArray) -> list[int | None]:
    """Return the count of each label by its hash, None if it has none; `hashes` are ascending."""
    if not len(hashes):
        return [None] * len(labels)
    keys = hash_texts(labels)
    places = np.minimum(np.searchsorted(hashes, keys), len(hashes) - 1)
    matches = (hashes[places] == keys).tolist()
    return [
        count if is_known else None for count, is_known in zip(counts[places].tolist(), matches, strict=True)
    ]


WORDS = "words"
# The parts of a passage's tree (kept for either side), and the columns that each needs.
_TREE_NEEDS = {"heads": ("head", "deprel"), "relations": ("head", "deprel"), "tags": ("upos",)}


class JoinedPassages:
    """The sum of `PartPassages`: candidates among the blocks of sentences with errors, in text order."""

    def __init__(self) -> None:
        self.width = NO_SLOTS
        self._total = 0
        self._most: int | None = None
        self._candidates: list[Passage] = []

    def add(self, part: PartPassages, units: IntArray) -> None:
        """Add the passages of the next part; `units` are the numbers of its units in the whole text."""
        self._total += part.total
        self._most = part.most
        self.width = max(self.width, part.width)
        for passage in part.candidates:
            numbered = passage.copy()
            numbered["unit"] = int(units[passage["unit"]])
            self._candidates.append(numbered)
        self._candidates, self.width = keep_candidates(self._candidates, self._most, self.width)

    def change_units(self, change: Callable[[IntArray], IntArray]) -> None:
        """Renumber the units by `change`, from old numbers to new ones."""
        units = change(np.array([passage["unit"] for passage in self._candidates], np.int64))
        for passage, unit in zip(self._candidates, units.tolist(), strict=True):
            passage["unit"] = unit

    def passages(self, columns: frozenset[str], *, with_words: bool) -> Passages:
        """Choose the passages to keep, and cut their trees down to `columns`.

        Without `with_words`, errors of words are dropped. The passages are changed in place.
        """
        chosen = choose_again(self._candidates, self._most, self.width)
        for passage in chosen:
            if not with_words:
                passage["errors"] = [error for error in passage["errors"] if error["metric"] != WORDS]
            if "tree" in passage:
                _fit_tree(passage, columns)
        return Passages(total=self._total, kept=len(chosen), list=chosen)


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


class JoinedMarks:
    """The sum of `EvidencePart.marks`: positions of errors by metric and kind, at most `most` per metric."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._marks: dict[str, MetricMarks] | None = None
        self._waiting: list[Mapping[str, MetricMarks]] = []
        self._n_waiting = 0

    def add(self, part: Mapping[str, MetricMarks]) -> None:
        """Add the marks of the next part."""
        self._waiting.append(part)
        self._n_waiting += sum(
            len(ticks.positions) for marks in part.values() for ticks in marks.kinds.values()
        )
        if self._n_waiting > self._most:
            self._settle()

    def marks(self, *, with_words: bool) -> Marks:
        """Return the marks to keep by metric; without `with_words`, those of words are left out."""
        self._settle()
        kept = (self._marks or {}).items()
        return {metric: marks.to_dict() for metric, marks in kept if with_words or metric != WORDS}

    def _settle(self) -> None:
        """Join the marks that were collected, and thin them."""
        if not self._waiting:
            return
        parts = [*([] if self._marks is None else [self._marks]), *self._waiting]
        # Drop metrics that any part lacks.
        metrics = [metric for metric in parts[0] if all(metric in part for part in parts)]
        self._marks = {
            metric: _join_marks([part[metric] for part in parts], self._most) for metric in metrics
        }
        self._waiting, self._n_waiting = [], 0


def _join_marks(parts: list[MetricMarks], most: int) -> MetricMarks:
    """Join the marks of one metric in consecutive parts, and thin them to at most `most` positions."""
    kinds = dict.fromkeys(chain.from_iterable(part.kinds for part in parts))
    ticks = {
        kind: Ticks(
            *map(np.concatenate, zip(*(p.kinds[kind] for p in parts if kind in p.kinds), strict=True))
        )
        for kind in kinds
    }
    return MetricMarks(ticks, max(part.width for part in parts)).thinned(most)


class JoinedSentences:
    """Adds up `PartSentences`: counts of each metric over gold sentences grouped for later splits of the result.

    The groups are the length of a sentence in words, and the value of each comment asked for, such as `genre`.
    """

    def __init__(self) -> None:
        self._asked: tuple[str, ...] = ()
        self._length: GroupSums | None = None
        self._comments: dict[str, GroupSums] = {}
        self._sources: dict[str, str] = {}
        self._of_sentences: set[str] = set()
        self._above_first: set[str] = set()
        self._has_documents = self._are_documents = False
        self._n_parts = 0

    def add(self, part: PartSentences, units: IntArray) -> None:
        """Add the sentences of the next part; `units` are the numbers of its units in the whole text."""
        self._asked = part.asked
        if part.length is not None:
            self._length = self._length or GroupSums(part.length)
            self._length.add(part.length, units)
        if part.ungrouped is not None:
            for key in name_keys(part.asked):
                rows = part.comments[key].grouped if key in part.comments else part.ungrouped
                sums = self._comments.setdefault(key, GroupSums(rows))
                sums.add(rows, units)
        for key, above in part.comments.items():
            self._note(key, above)
        self._has_documents = self._has_documents or part.has_documents
        self._are_documents = self._are_documents or part.are_documents
        self._n_parts += 1

    def _note(self, key: str, rows: CommentRows) -> None:
        """Note the source of a comment, and whether it describes sentences or documents."""
        self._sources[key] = rows.grouped.source
        if rows.is_inside or (rows.is_first and self._n_parts):
            self._of_sentences.add(key)
        elif rows.is_first:
            self._above_first.add(key)

    def change_units(self, change: Callable[[IntArray], IntArray]) -> None:
        """Renumber the units by `change`, from old numbers to new ones."""
        for sums in (*([self._length] if self._length else []), *self._comments.values()):
            sums.change_units(change)

    def grouped(self) -> dict[str, GroupedCounts]:
        """Return the counts by length and by those comments of sentences that were requested.

        The choice is that of `metrics.errors.choose_kept`.
        """
        groups = {LENGTH: self._length.grouped(LENGTHS)} if self._length else {}
        fields = {*self._sources}
        if self._has_documents:
            # If units are documents, one begins with the text, and a comment at the start describes it.
            fields = self._of_sentences | (set() if self._are_documents else self._above_first)
        for name in self._asked:
            key = find_field(fields, name) if name != LENGTH else None
            if key is not None:
                sums = self._comments[key]
                sums.source = self._sources[key]
                groups.setdefault(key, sums.grouped(sort_names({*sums.names, NO_VALUE})))
        return groups


def _in_one(units: IntArray) -> IntArray:
    """Renumber all units to 0."""
    return np.zeros_like(units)


class JoinedForms:
    """The sum of `FormRows`: counts of tokens by unit and form, for the breakdown by frequency in gold."""

    def __init__(self, limits: EvidenceLimits) -> None:
        self._limits = limits
        self._sums = RowSums(2, len(LABEL_FIELDS))
        self.is_by_unit = True
        self.is_complete = True
        """True if every form was counted; False once there were too many."""

    def add(self, forms: FormRows, units: IntArray) -> None:
        """Add the tokens of the next part; `units` are the numbers of its units in the whole text."""
        if self.is_complete:
            self._sums.add([units[forms.units], forms.hashes], forms.rows)
            self._make_room()

    def change_units(self, change: Callable[[IntArray], IntArray]) -> None:
        """Renumber the units by `change`, from old numbers to new ones."""
        self._sums.change(lambda keys: [change(keys[0]), keys[1]])

    def leave_units(self) -> None:
        """From now on count by form only, for the whole text instead of by unit."""
        self.is_by_unit = False
        self.change_units(_in_one)

    def _make_room(self) -> None:
        """Give up units, then forms, if there are more rows than the limits allow."""
        most = self._limits.form_rows if self.is_by_unit else self._limits.forms
        if self._sums.size <= most or len(self._sums) <= most:
            return
        if self.is_by_unit:
            self.leave_units()
        if len(self._sums) > self._limits.forms:
            self.is_complete = False
            self._sums = RowSums(2, len(LABEL_FIELDS))

    def grouped(self) -> GroupedCounts:
        """Return counts of tokens by unit and bin of frequency: how often the token's form is in gold."""
        (units, hashes), rows = self._sums.rows()
        (distinct,), sums, _ = add_up([hashes], rows)
        bins = find_bins(sums[:, LABEL_FIELDS.index("gold")])
        groups = bins[np.searchsorted(distinct, hashes)] if len(distinct) else hashes
        (units, groups), rows, _ = add_up([units, groups], rows)
        breakdown = BREAKDOWNS[FREQUENCY]
        return GroupedCounts(FREQUENCIES, units, groups, {breakdown.metric: rows}, breakdown.source)


class JoinedLabels:
    """The sum of `EvidencePart.labels` and `forms`: all breakdowns, by unit while there are few units."""

    def __init__(self, limits: EvidenceLimits) -> None:
        self._kinds: dict[str, GroupSums] | None = None
        self._forms: JoinedForms | None = JoinedForms(limits)
        self.is_by_unit = True

    def add(self, labels: Mapping[str, GroupedCounts], forms: FormRows | None, units: IntArray) -> None:
        """Add labels and forms of the next part; `units` are the numbers of its units in the whole text."""
        if self.is_by_unit and units.max(initial=0) >= MOST_LABELLED_UNITS:
            self.leave_units()
        units = units if self.is_by_unit else _in_one(units)
        if self._kinds is None:
            self._kinds = {kind: GroupSums(grouped) for kind, grouped in labels.items()}
        # Drop kinds that any part lacks.
        self._kinds = {kind: sums for kind, sums in self._kinds.items() if kind in labels}
        for kind, sums in self._kinds.items():
            sums.add(labels[kind], units)
        if forms is None:
            self._forms = None
        elif self._forms is not None:
            self._forms.add(forms, units)

    def leave_units(self) -> None:
        """From now on count for the whole text only.

        A saved result with many units keeps no labels by unit.
        """
        self.is_by_unit = False
        for sums in (self._kinds or {}).values():
            sums.change_units(_in_one)
        if self._forms is not None:
            self._forms.leave_units()

    def change_units(self, change: Callable[[IntArray], IntArray]) -> None:
        """Renumber the units by `change`, from old numbers to new ones."""
        if self.is_by_unit:
            for sums in (self._kinds or {}).values():
                sums.change_units(change)
            if self._forms is not None and self._forms.is_by_unit:
                self._forms.change_units(change)

    def breakdowns(self) -> tuple[dict[str, dict[str, Counts]], dict[str, GroupedCounts]]:
        """Return the counts of each label by kind of breakdown, and by unit for kinds that keep them so."""
        counts: dict[str, dict[str, Counts]] = {}
        by_unit: dict[str, GroupedCounts] = {}
        for kind in BREAKDOWNS:
            if self._kinds is not None and kind in self._kinds:
                totals = {label: Counts(*row) for label, row in self._kinds[kind].totals().items()}
                names = sort_labels(totals, kind)
                counts[kind] = {label: totals[label] for label in names}
                if self.is_by_unit:
                    by_unit[kind] = self._kinds[kind].grouped(names)
            elif kind == FREQUENCY and self._forms is not None and self._forms.is_complete:
                frequencies = self._forms.grouped()
                counts[kind] = _add_up_bins(frequencies)
                if self.is_by_unit and self._forms.is_by_unit:
                    by_unit[kind] = frequencies
        return counts, by_unit


def _add_up_bins(grouped: GroupedCounts) -> dict[str, Counts]:
    """Add up the bins of frequency over all units; leave out empty bins."""
    (rows,) = grouped.tables.values()
    numbers, sums, _ = add_up([grouped.groups], rows)
    names = [FREQUENCIES[number] for number in numbers[0].tolist()]
    return {name: Counts(*row) for name, row in zip(names, sums.tolist(), strict=True) if row[1] or row[2]}


class EvidenceSum:
    """The evidence of one system, added part by part in text order.

    Rows are kept by unit of the whole text. If the units are known only in the end, because neighbours are
    merged, they may be numbered as they come and renumbered later: by `merge_units` at any time, or by
    `result`.
    """

    def __init__(self, limits: EvidenceLimits = EvidenceLimits()) -> None:  # noqa: B008 - frozen
        self._limits = limits
        self._columns = JoinedColumns()
        self._errors = JoinedErrors()
        self._cells: dict[str, JoinedCells] | None = None
        self._labels = JoinedLabels(limits)
        self._sentences = JoinedSentences()
        self._passages = JoinedPassages()
        self._marks = JoinedMarks(limits.marks)
        self._charges: tuple[str, Charges] | None = None
        self._has_multiword = False
        self._n_parts = 0

    @property
    def hint(self) -> EvidenceHint:
        """The evidence that later parts still have to bring; parts under way may bring more."""
        return EvidenceHint(self._passages.width, self._labels.is_by_unit, self._errors.complete)

    @property
    def wrongly_empty(self) -> frozenset[str]:
        """Columns that both sides fill somewhere in the text so far, and that some part was compared without.

        A part whose words all have `_` in a column does not know that other parts fill it: it must be
        compared again, with `Comparison.filled`. While this is not empty, the sum differs from the evidence
        of the whole text.
        """
        return self._columns.wrongly_empty

    @property
    def columns(self) -> frozenset[str]:
        """Columns that both sides fill somewhere in the text so far."""
        return self._columns.filled

    def add(self, part: EvidencePart, units: IntArray) -> None:
        """Add the evidence of the next part; `units` are the numbers of its units in the whole text."""
        self._columns.add(part.columns)
        self._errors.add(part.errors, part.edges)
        if self._cells is None:
            self._cells = {metric: JoinedCells(metric, self._limits) for metric in part.cells}
        # Drop metrics that any part lacks, because gold or the system has their columns empty there.
        self._cells = {metric: cells for metric, cells in self._cells.items() if metric in part.cells}
        for metric, cells in self._cells.items():
            cells.add(part.cells[metric])
        self._labels.add(part.labels, part.forms, units if part.are_by_unit else units[:1])
        self._sentences.add(part.groups, units)
        self._passages.add(part.passages, units)
        self._marks.add(part.marks)
        self._add_charges(part.charges)
        self._has_multiword = self._has_multiword or part.has_multiword
        self._n_parts += 1

    def _add_charges(self, charges: tuple[str, Charges] | None) -> None:
        """Add the losses by stage; None in any part makes the sum None."""
        if not self._n_parts or charges is None:
            self._charges = charges
        elif self._charges is not None:
            self._charges = charges[0], self._charges[1].joined(charges[1])

    def merge_units(self, size: int) -> None:
        """Merge each `size` neighbouring units into one: with size 2, unit 5 becomes unit 2.

        Parts that are added later must be numbered by merged units.
        """
        self._change_units(lambda units: units // size)

    def _change_units(self, change: Callable[[IntArray], IntArray]) -> None:
        self._labels.change_units(change)
        self._sentences.change_units(change)
        self._passages.change_units(change)

    def result(self, units: IntArray | None = None) -> KeptEvidence:
        """Return the evidence of the whole text.

        `units` maps the unit numbers used so far to final ones, if these differ.
        """
        if units is not None:
            numbers = np.asarray(units)
            self._change_units(lambda old: numbers[old])
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
    """The sum of `PartColumns`: columns filled in the text so far, and those all parts were compared by."""

    def __init__(self) -> None:
        self._sides: list[frozenset[str] | None] = [None, None]
        self._taken: frozenset[str] | None = None

    def add(self, part: PartColumns) -> None:
        """Add the columns of the next part."""
        for number, side in enumerate((part.gold, part.system)):
            if side is not None:
                self._sides[number] = side | (self._sides[number] or frozenset())
        self._taken = part.taken if self._taken is None else self._taken & part.taken

    @property
    def filled(self) -> frozenset[str]:
        """Columns that both sides fill; if one side has no words, those that the other side fills."""
        gold, system = self._sides
        if gold is None or system is None:
            return gold or system or frozenset()
        return gold & system

    @property
    def wrongly_empty(self) -> frozenset[str]:
        """Columns that both sides fill in the text so far, and that some part was compared without."""
        return self.filled - (self._taken or frozenset())
