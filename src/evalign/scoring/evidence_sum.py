"""Evidence of consecutive parts added up, in room that does not grow with the text.

`EvidenceSum` takes parts in the order of the text and gives the `KeptEvidence` of the whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import cast

import numpy as np

from evalign.document import IntArray
from evalign.metrics import KINDS, LABEL_FIELDS, LABEL_METRICS, Counts
from evalign.metrics.errors import (
    BREAKDOWNS,
    CONTEXT,
    FREQUENCIES,
    LENGTH,
    LENGTHS,
    MOST_CONFUSIONS,
    MOST_MARKS,
    NO_SLOTS,
    NO_VALUE,
    Charges,
    ErrorCell,
    ErrorGroup,
    GroupedCounts,
    Marks,
    MetricMarks,
    Mismatch,
    Passage,
    Passages,
    PassageTree,
    Ticks,
    choose_again,
    find_bins,
    find_field,
    keep_candidates,
    make_losses,
    sort_labels,
    sort_names,
)
from evalign.results import MOST_EVIDENCE, MOST_LABELLED_UNITS, KeptEvidence, PageEvidence, SplitTables
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
    """How much is kept of a text; what is beyond is left out."""

    cells: int = MOST_CONFUSIONS
    """Confusions of a metric: those that come first."""
    labels: int = 1_000_000
    """Labels of a metric whose words are counted: those that gold has first. A confusion of another one is left out, which
    takes a text of which a million lemmas are known before it."""
    forms: int = 2_000_000
    """Forms of tokens that are told apart. How often a form is in gold is known at the end: of a text with more of them
    there is no breakdown by frequency."""
    form_rows: int = 1_000_000
    """Forms by unit; if there are more, frequencies are not counted by unit."""
    marks: int = MOST_MARKS
    """Positions of errors of a metric, beyond which they are counted in slots."""


@dataclass(slots=True)
class _Open:
    """A kept error whose context goes on in the next part."""

    metric: str
    number: int
    row: str
    n_present: int
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

    def add(self, errors: Mapping[str, MetricErrors], edges: Mapping[str, PartEdges]) -> None:
        """Add those of the next part."""
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

    def _go_on(self, edges: Mapping[str, PartEdges]) -> None:
        """Errors of parts before with what this one says."""
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
    """Which label was taken for which, of one metric."""

    def __init__(self, metric: str, limits: EvidenceLimits) -> None:
        self.metric = metric
        self._limits = limits
        self._counts: dict[ErrorCell, int] = {}
        self._features: dict[str, int] = {}
        self._hashed = RowSums(1, 1, limits.labels)

    def add(self, cells: MetricCells) -> None:
        """Add those of the next part."""
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
        """The cells, fullest first."""
        cells = list(self._counts)
        groups = [
            ErrorGroup(cell.kind, "", cell.gold, cell.system, self._counts[cell], (), gold_words)
            for cell, gold_words in zip(cells, self._count_gold_words(cells), strict=True)
            if gold_words is not None
        ]
        return sorted(groups, key=lambda group: (-group.count, (group.kind, group.gold, group.system)))

    def _count_gold_words(self, cells: Sequence[ErrorCell]) -> Sequence[int | None]:
        """Per cell how many gold words have its label; None where that is not known."""
        if self._features:
            from evalign.metrics.errors import count_gold_words

            return count_gold_words(self.metric, self._features, cells)
        (hashes,), rows = self._hashed.rows()
        labels = [cell.gold[0] if cell.gold else None for cell in cells]
        counts = iter(_look_up([label for label in labels if label is not None], hashes, rows[:, 0]))
        return [0 if label is None else next(counts) for label in labels]


def _look_up(labels: Sequence[str], hashes: IntArray, counts: IntArray) -> list[int | None]:
    if not len(hashes):
        return [None] * len(labels)
    keys = hash_texts(labels)
    places = np.minimum(np.searchsorted(hashes, keys), len(hashes) - 1)
    matches = (hashes[places] == keys).tolist()
    return [
        count if is_known else None for count, is_known in zip(counts[places].tolist(), matches, strict=True)
    ]


WORDS = "words"
# What the tree of a passage has of either side, and the columns of the text it has it for.
_TREE_NEEDS = {"heads": ("head", "deprel"), "relations": ("head", "deprel"), "tags": ("upos",)}


class JoinedPassages:
    """Passages, in the order of the text."""

    def __init__(self) -> None:
        self.width = NO_SLOTS
        self._total = 0
        self._most: int | None = None
        self._candidates: list[Passage] = []

    def add(self, part: PartPassages, units: IntArray) -> None:
        """Add those of the next part, given the number that each of its units has in the whole."""
        self._total += part.total
        self._most = part.most
        self.width = max(self.width, part.width)
        for passage in part.candidates:
            numbered = passage.copy()
            numbered["unit"] = int(units[passage["unit"]])
            self._candidates.append(numbered)
        self._candidates, self.width = keep_candidates(self._candidates, self._most, self.width)

    def change_units(self, change: Callable[[IntArray], IntArray]) -> None:
        """Other numbers of units."""
        units = change(np.array([passage["unit"] for passage in self._candidates], np.int64))
        for passage, unit in zip(self._candidates, units.tolist(), strict=True):
            passage["unit"] = unit

    def passages(self, columns: frozenset[str], *, with_words: bool) -> Passages:
        """Those that are kept, given the columns of the text; without errors of words, where these are those of tokens."""
        chosen = choose_again(self._candidates, self._most, self.width)
        for passage in chosen:
            if not with_words:
                passage["errors"] = [error for error in passage["errors"] if error["metric"] != WORDS]
            if "tree" in passage:
                _fit_tree(passage, columns)
        return Passages(total=self._total, kept=len(chosen), list=chosen)


def _fit_tree(passage: Passage, columns: frozenset[str]) -> None:
    """Leave out what only a part has: one that a side has no word of lacks nothing."""
    lacking = {kind for kind, needs in _TREE_NEEDS.items() if not columns.issuperset(needs)}
    left = {key: value for key, value in passage["tree"].items() if key.partition("_")[2] not in lacking}
    if left:
        passage["tree"] = cast("PassageTree", left)
    else:
        del passage["tree"]


class JoinedMarks:
    """Positions of all errors by metric and kind, `most` of a metric."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._marks: dict[str, MetricMarks] | None = None
        self._waiting: list[Mapping[str, MetricMarks]] = []
        self._n_waiting = 0

    def add(self, part: Mapping[str, MetricMarks]) -> None:
        """Add those of the next part."""
        self._waiting.append(part)
        self._n_waiting += sum(
            len(ticks.positions) for marks in part.values() for ticks in marks.kinds.values()
        )
        if self._n_waiting > self._most:
            self._settle()

    def marks(self, *, with_words: bool) -> Marks:
        """Those that are kept; without words, where these are tokens."""
        self._settle()
        kept = (self._marks or {}).items()
        return {metric: marks.to_dict() for metric, marks in kept if with_words or metric != WORDS}

    def _settle(self) -> None:
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
    """The marks of a metric in parts that follow one another."""
    kinds = dict.fromkeys(chain.from_iterable(part.kinds for part in parts))
    ticks = {
        kind: Ticks(
            *map(np.concatenate, zip(*(p.kinds[kind] for p in parts if kind in p.kinds), strict=True))
        )
        for kind in kinds
    }
    return MetricMarks(ticks, max(part.width for part in parts)).thinned(most)


class JoinedSentences:
    """Gold sentences by length and by comments."""

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
        """Add those of the next part, given the number that each of its units has in the whole."""
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
        """Where a comment comes from, and whether it is of sentences."""
        self._sources[key] = rows.grouped.source
        if rows.is_inside or (rows.is_first and self._n_parts):
            self._of_sentences.add(key)
        elif rows.is_first:
            self._above_first.add(key)

    def change_units(self, change: Callable[[IntArray], IntArray]) -> None:
        """Other numbers of units."""
        for sums in (*([self._length] if self._length else []), *self._comments.values()):
            sums.change_units(change)

    def grouped(self) -> dict[str, GroupedCounts]:
        """By length, and by those comments that stand above sentences, as `choose_kept` says."""
        groups = {LENGTH: self._length.grouped(LENGTHS)} if self._length else {}
        fields = {*self._sources}
        if self._has_documents:
            # If units are documents, one begins with the text.
            fields = self._of_sentences | (set() if self._are_documents else self._above_first)
        for name in self._asked:
            key = find_field(fields, name) if name != LENGTH else None
            if key is not None:
                sums = self._comments[key]
                sums.source = self._sources[key]
                groups.setdefault(key, sums.grouped(sort_names({*sums.names, NO_VALUE})))
        return groups


def _in_one(units: IntArray) -> IntArray:
    """All units as one."""
    return np.zeros_like(units)


class JoinedForms:
    """Tokens by unit and form."""

    def __init__(self, limits: EvidenceLimits) -> None:
        self._limits = limits
        self._sums = RowSums(2, len(LABEL_FIELDS))
        self.is_by_unit = True
        self.is_complete = True
        """Whether every form was counted; there may be too many."""

    def add(self, forms: FormRows, units: IntArray) -> None:
        """Add those of the next part."""
        if self.is_complete:
            self._sums.add([units[forms.units], forms.hashes], forms.rows)
            self._make_room()

    def change_units(self, change: Callable[[IntArray], IntArray]) -> None:
        """Other numbers of units."""
        self._sums.change(lambda keys: [change(keys[0]), keys[1]])

    def leave_units(self) -> None:
        """Count in the whole text alone."""
        self.is_by_unit = False
        self.change_units(_in_one)

    def _make_room(self) -> None:
        most = self._limits.form_rows if self.is_by_unit else self._limits.forms
        if self._sums.size <= most or len(self._sums) <= most:
            return
        if self.is_by_unit:
            self.leave_units()
        if len(self._sums) > self._limits.forms:
            self.is_complete = False
            self._sums = RowSums(2, len(LABEL_FIELDS))

    def grouped(self) -> GroupedCounts:
        """Tokens by how often their form is in gold."""
        (units, hashes), rows = self._sums.rows()
        (distinct,), sums, _ = add_up([hashes], rows)
        bins = find_bins(sums[:, LABEL_FIELDS.index("gold")])
        groups = bins[np.searchsorted(distinct, hashes)] if len(distinct) else hashes
        (units, groups), rows, _ = add_up([units, groups], rows)
        breakdown = BREAKDOWNS[FREQUENCY]
        return GroupedCounts(FREQUENCIES, units, groups, {breakdown.metric: rows}, breakdown.source)


class JoinedLabels:
    """All breakdowns."""

    def __init__(self, limits: EvidenceLimits) -> None:
        self._kinds: dict[str, GroupSums] | None = None
        self._forms: JoinedForms | None = JoinedForms(limits)
        self.is_by_unit = True

    def add(self, labels: Mapping[str, GroupedCounts], forms: FormRows | None, units: IntArray) -> None:
        """Add those of the next part, given the number that each of its units has in the whole."""
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
        """Count in the whole text alone: a saved result has no labels of so many units."""
        self.is_by_unit = False
        for sums in (self._kinds or {}).values():
            sums.change_units(_in_one)
        if self._forms is not None:
            self._forms.leave_units()

    def change_units(self, change: Callable[[IntArray], IntArray]) -> None:
        """Other numbers of units."""
        if self.is_by_unit:
            for sums in (self._kinds or {}).values():
                sums.change_units(change)
            if self._forms is not None and self._forms.is_by_unit:
                self._forms.change_units(change)

    def breakdowns(self) -> tuple[dict[str, dict[str, Counts]], dict[str, GroupedCounts]]:
        """Counts per label by kind; and by unit those kinds of which that is kept."""
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
    (rows,) = grouped.tables.values()
    numbers, sums, _ = add_up([grouped.groups], rows)
    names = [FREQUENCIES[number] for number in numbers[0].tolist()]
    return {name: Counts(*row) for name, row in zip(names, sums.tolist(), strict=True) if row[1] or row[2]}


class EvidenceSum:
    """Evidence of one system that grows part by part, in the order of the text.

    Units are those of the whole; a text whose units are only known in the end, as neighbours are merged, may number them
    as they come, and merge them here (`merge_units`) or in the end (`result`).
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
        """What the next parts may leave out: a hint for who gathers, also for parts that are under way by then."""
        return EvidenceHint(self._passages.width, self._labels.is_by_unit, self._errors.complete)

    @property
    def wrongly_empty(self) -> frozenset[str]:
        """Columns that the text has, as far as it is known, and that some part was compared without.

        A part whose words all have `_` in a column does not know that other parts have it: it has to be told
        (`Comparison.filled`), and gathered again. Where this is not empty, the result would not be that of the whole.
        """
        return self._columns.wrongly_empty

    @property
    def columns(self) -> frozenset[str]:
        """Columns that words of both sides have something in, as far as the text is known."""
        return self._columns.filled

    def add(self, part: EvidencePart, units: IntArray) -> None:
        """Add the evidence of the next part, given the number that each of its units has in the whole."""
        self._columns.add(part.columns)
        self._errors.add(part.errors, part.edges)
        if self._cells is None:
            self._cells = {metric: JoinedCells(metric, self._limits) for metric in part.cells}
        # Drop metrics that any part lacks, as gold or system has nothing in its columns.
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
    """Which columns the text has, and which of them parts were compared with."""

    def __init__(self) -> None:
        self._sides: list[frozenset[str] | None] = [None, None]
        self._taken: frozenset[str] | None = None

    def add(self, part: PartColumns) -> None:
        """Add those of a part."""
        for number, side in enumerate((part.gold, part.system)):
            if side is not None:
                self._sides[number] = side | (self._sides[number] or frozenset())
        self._taken = part.taken if self._taken is None else self._taken & part.taken

    @property
    def filled(self) -> frozenset[str]:
        """Columns that both sides have something in; one without words lacks nothing that the other has."""
        gold, system = self._sides
        if gold is None or system is None:
            return gold or system or frozenset()
        return gold & system

    @property
    def wrongly_empty(self) -> frozenset[str]:
        """Columns that the text has and some part was compared without."""
        return self.filled - (self._taken or frozenset())
