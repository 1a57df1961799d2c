"""What a part of a text brings along of its errors: small, and without a document.

    gather_evidence  ->  EvidencePart of a part  ->  EvidenceSum  ->  KeptEvidence of the whole

Added in the order of the text (`evidence_sum`), parts say what the whole text would have said in one piece, word by word.
Texts are cut where a sentence ends on both sides, in equal text: what only the system has between two units is counted
with the second one, and would be with the first if a part ended behind it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

import numpy as np

from evalign.document import Document, IntArray
from evalign.metrics import (
    COUNTED_EMPTY,
    LABEL_METRICS,
    METRICS_WITH_ERRORS,
    Comparison,
    CountTable,
    Metric,
    has_column,
    has_columns,
)
from evalign.metrics.errors import (
    ASPECTS,
    BREAKDOWNS,
    CONTEXT,
    LENGTH,
    NO_SLOTS,
    NO_VALUE,
    Charges,
    ErrorCell,
    ErrorCells,
    GroupedCounts,
    LocatedErrors,
    MetricMarks,
    Mismatch,
    Passage,
    SentenceGroups,
    Surroundings,
    count_groups,
    count_kinds,
    find_candidates,
    find_cells,
    find_charges,
    find_forms,
    find_surrounded,
    group_by_comment,
    group_by_length,
    has_multiword,
    locate_errors,
)
from evalign.results import MOST_EVIDENCE, SystemResult
from evalign.scoring.live_evidence import LiveEvidence
from evalign.scoring.row_sums import add_up

FREQUENCY = "frequency"


class EvidenceHint(NamedTuple):
    """What the sum of parts still has use for: a part need not bring more. It never has use for more than it had."""

    width: int = NO_SLOTS
    """Passages are chosen in slots of this width at least."""
    by_unit: bool = True
    """Whether labels are counted by unit."""
    complete: frozenset[str] = frozenset()
    """Metrics of which all errors that are kept have been found."""


class PartEdges(NamedTuple):
    """The first and the last tokens, or words, of a part: context of errors in its neighbours."""

    first: Sequence[str]
    last: Sequence[str]


class KeptError(NamedTuple):
    """An error, the row of tokens or words it stands in, and how many of these its context lacks before and behind."""

    mismatch: Mismatch
    row: str
    """"gold", "system", or "words" of gold."""
    lacking: tuple[int, int]


class MetricErrors(NamedTuple):
    """The errors of a metric: how many of each kind, and the first ones."""

    kinds: Mapping[str, int]
    first: Sequence[KeptError]


class HashedTotals(NamedTuple):
    """How often there is each label, by its hash, in the order in which labels first appear."""

    hashes: IntArray
    counts: IntArray


class MetricCells(NamedTuple):
    """The cells of a metric, in the order in which they first appear, and how many gold words have each label."""

    cells: Sequence[ErrorCell]
    counts: Sequence[int]
    totals: HashedTotals | Mapping[str, int]
    """Of features by the whole of FEATS, for words are counted that have some of them; of all else by hash."""


class FormRows(NamedTuple):
    """Tokens by unit and hash of their form: correct, gold, system."""

    units: IntArray
    hashes: IntArray
    rows: CountTable


class CommentRows(NamedTuple):
    """Sentences by what a comment says of them, and whether it stands above some that begin no document."""

    grouped: GroupedCounts
    is_inside: bool
    """Above one that is not the first of the part."""
    is_first: bool
    """Above the first of the part, which begins no document, unless it begins the text."""


class PartSentences(NamedTuple):
    """Sentences by length and by comments that were asked for."""

    length: GroupedCounts | None
    comments: Mapping[str, CommentRows]
    """Of those that were asked for, the ones that the part has."""
    ungrouped: GroupedCounts | None
    """All sentences without a value, where there may be a comment that the part has not."""
    asked: tuple[str, ...]
    has_documents: bool
    """Whether units are documents, or a document begins here."""
    are_documents: bool
    """Whether units are documents."""


class PartPassages(NamedTuple):
    """How many passages there are, and those that may be among the `most` chosen of the whole, by slots of a width."""

    total: int
    width: int
    most: int | None
    candidates: Sequence[Passage]


class PartColumns(NamedTuple):
    """Which columns were taken for there, and which are: whether words of a side have something in them."""

    taken: frozenset[str]
    gold: frozenset[str] | None
    """None where there is no word."""
    system: frozenset[str] | None


@dataclass(frozen=True, slots=True, eq=False)
class EvidencePart:
    """Evidence of a part of a text; units count from its beginning, positions from the beginning of the text."""

    columns: PartColumns
    edges: Mapping[str, PartEdges]
    errors: Mapping[str, MetricErrors]
    cells: Mapping[str, MetricCells]
    labels: Mapping[str, GroupedCounts]
    """By kind of breakdown, frequencies aside."""
    forms: FormRows | None
    are_by_unit: bool
    """Whether labels and forms were counted by unit; else all are in unit 0."""
    groups: PartSentences
    passages: PartPassages
    marks: Mapping[str, MetricMarks]
    charges: tuple[str, Charges] | None
    has_multiword: bool
    """Whether words are not simply the tokens; else those errors of words are left out that tokens have too."""


def hash_texts(texts: Sequence[str]) -> IntArray:
    """A number for each of some texts, the same in every process.

    Of a million different texts two have the same with a chance of one in forty million.
    """
    digests = b"".join(
        blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in texts
    )
    return np.frombuffer(digests, np.dtype("<i8")).astype(np.int64)


def name_keys(asked: Sequence[str]) -> list[str]:
    """The keys of comments that may be meant by what a result is split by."""
    return [key for name in asked if name != LENGTH for key in (name, f"meta::{name}")]


# Columns of words, which a file of their format may have or not.
_COLUMNS = ("lemma", "upos", "xpos", "feats", "head", "deprel", "deps")


def gather_evidence(
    system: SystemResult, *, offset: int, passages: int | None, hint: EvidenceHint | None = None
) -> EvidencePart:
    """What is joined of a fresh result of one part, before which gold has so many characters.

    At most so many passages are kept of the whole, and of the part; None for all of them.
    """
    evidence = system.evidence
    if not isinstance(evidence, LiveEvidence):
        message = "evidence of a part is gathered where it was compared, from a fresh result"
        raise TypeError(message)
    comparison, hint = evidence.comparison, hint or EvidenceHint()
    given = [metric.name for metric in evidence.metrics if has_columns(comparison, metric.needs)]
    metrics = [name for name in METRICS_WITH_ERRORS if name in given and not system.fails(name)]
    located = locate_errors(comparison, metrics, all_words=True)
    cells = {name: find_cells(comparison, name) for name in metrics if name in LABEL_METRICS}
    kinds = system.evidence.breakdown_kinds()
    labels = {kind: system.evidence.breakdown_units(kind) for kind in kinds if kind != FREQUENCY}
    return EvidencePart(
        columns=_find_columns(comparison, evidence.metrics),
        edges=_find_edges(comparison),
        errors={
            m: _find_errors(comparison, m, cells.get(m), offset, 0 if m in hint.complete else MOST_EVIDENCE)
            for m in metrics
        },
        cells={name: _sum_cells(metric_cells) for name, metric_cells in cells.items()},
        labels=labels if hint.by_unit else {kind: _in_one(grouped) for kind, grouped in labels.items()},
        forms=_count_forms(comparison, hint) if FREQUENCY in kinds else None,
        are_by_unit=hint.by_unit,
        groups=_group_sentences(evidence),
        passages=_find_passages(comparison, located, passages, offset, hint.width),
        marks={errors.metric: errors.marks(offset) for errors in located},
        charges=find_charges(comparison),
        has_multiword=has_multiword(comparison),
    )


def _find_passages(
    comparison: Comparison, located: Sequence[LocatedErrors], most: int | None, offset: int, width: int
) -> PartPassages:
    total, candidates, width = find_candidates(comparison, located, most, offset=offset, width=width)
    return PartPassages(total, width, most, candidates)


def _find_columns(comparison: Comparison, metrics: Sequence[Metric]) -> PartColumns:
    """Those that something asks for: a column that nobody wants is not read."""
    asked = {need for metric in metrics for need in metric.needs}
    asked |= {need for breakdown in BREAKDOWNS.values() for need in breakdown.needs}
    names = [name for name in _COLUMNS if name in asked]
    sides = [
        frozenset(name for name in names if has_column(side, name)) if side.n_words else None
        for side in (comparison.gold, comparison.system)
    ]
    if comparison.strict and None not in sides:
        # What one side has is counted on both.
        counted = frozenset(COUNTED_EMPTY) & frozenset().union(*filter(None, sides))
        sides = [side | counted if side is not None else None for side in sides]
    taken = frozenset(name for name in names if has_columns(comparison, (name,)))
    return PartColumns(taken, sides[0], sides[1])


def _find_edges(comparison: Comparison) -> dict[str, PartEdges]:
    """The first and the last tokens of both sides, and words of gold."""
    gold, system = comparison.alignment.gold.original, comparison.alignment.system.original
    size = gold.n_words
    words = [
        [gold.word(k) for k in rows]
        for rows in (range(min(size, CONTEXT)), range(max(0, size - CONTEXT), size))
    ]
    return {
        **{name: _token_edges(side) for name, side in (("gold", gold), ("system", system))},
        "words": PartEdges(*words),
    }


def _token_edges(document: Document) -> PartEdges:
    size = document.n_tokens
    return PartEdges(document.tokens(0, min(size, CONTEXT)), document.tokens(max(0, size - CONTEXT), size))


def _find_errors(
    comparison: Comparison, metric: str, cells: ErrorCells | None, offset: int, most: int
) -> MetricErrors:
    kinds = cells.kinds() if cells is not None else count_kinds(comparison, metric)
    errors = cells.surrounded() if cells is not None else find_surrounded(comparison, metric)
    first = [_keep(comparison, *error, offset) for error in islice(errors, most)]
    return MetricErrors(kinds, first)


def _keep(comparison: Comparison, mismatch: Mismatch, around: Surroundings, offset: int) -> KeptError:
    # With raw text, a start is a place in that.
    if comparison.raw is None and mismatch.start is not None:
        mismatch = replace(mismatch, start=mismatch.start + offset)
    gold = comparison.alignment.gold.original
    row = "words" if around.of_words else "gold" if around.document is gold else "system"
    return KeptError(mismatch, row, around.lacking())


def _sum_cells(cells: ErrorCells) -> MetricCells:
    counts, order = cells.counts(), cells.in_text_order()
    totals: HashedTotals | dict[str, int]
    if cells.metric in ASPECTS and ASPECTS[cells.metric].has_features:
        totals = dict(cells.totals)
    else:
        numbers = np.array([*cells.totals.values()], np.int64)
        totals = HashedTotals(hash_texts([*cells.totals]), numbers)
    return MetricCells([cells.cells[k] for k in order], [counts[k] for k in order], totals)


def _in_one(grouped: GroupedCounts) -> GroupedCounts:
    """Counts by group, all of them in unit 0."""
    sums = {metric: add_up([grouped.groups], rows) for metric, rows in grouped.tables.items()}
    groups = next(iter(sums.values()))[0][0]
    tables = {metric: rows for metric, (_, rows, _) in sums.items()}
    return replace(grouped, units=np.zeros_like(groups), groups=groups, tables=tables)


def _count_forms(comparison: Comparison, hint: EvidenceHint) -> FormRows:
    forms = find_forms(comparison)
    units, numbers, rows = forms.count_by_unit()
    if not hint.by_unit:
        (numbers,), rows, _ = add_up([numbers], rows)
        units = np.zeros_like(numbers)
    hashes = hash_texts(forms.labels)
    return FormRows(units, hashes[numbers] if len(hashes) else numbers, rows)


def _group_sentences(evidence: LiveEvidence) -> PartSentences:
    """What `choose_kept` may keep of the whole."""
    comparison, asked = evidence.comparison, evidence.by
    gold = comparison.gold
    are_documents = comparison.units.kind == "document"
    has_documents = are_documents or bool(len(gold.documents))
    if evidence.average == "document" or gold.spans is not None or not gold.n_sentences:
        return PartSentences(None, {}, None, asked, has_documents, are_documents)

    def count(groups: SentenceGroups) -> GroupedCounts:
        return count_groups(comparison, evidence.metrics, groups)

    keys = name_keys(asked)
    present = set(gold.comments.keys if gold.comments is not None and keys else ())
    nothing = SentenceGroups([NO_VALUE], np.zeros(gold.n_sentences, np.int64), "")
    return PartSentences(
        count(group_by_length(gold)) if evidence.average == "micro" or LENGTH in asked else None,
        {key: _note_comment(gold, key, count(group_by_comment(gold, key))) for key in keys if key in present},
        count(nothing) if keys else None,
        asked,
        has_documents,
        are_documents,
    )


def _note_comment(gold: Document, key: str, grouped: GroupedCounts) -> CommentRows:
    """Sentences by a comment, and whether it is above some that begin no document."""
    above = gold.comments.values(key) if gold.comments is not None else ()
    inside = set(above).difference(gold.documents.sentences.tolist())
    return CommentRows(grouped, bool(inside - {0}), 0 in inside)
