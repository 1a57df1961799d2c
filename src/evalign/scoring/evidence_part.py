"""Evidence of one part of a text: errors, breakdowns and passages, in compact form without the documents.

    gather_evidence  ->  EvidencePart of a part  ->  EvidenceSum  ->  KeptEvidence of the whole

`count` gathers an `EvidencePart` from each part's fresh comparison; `evidence_sum` adds them up in text
order. The sum is identical to the evidence of the whole text scored in one piece. This requires that texts
are cut only inside equal text where a sentence ends on both sides. Otherwise text that only the system has
between two units, which is counted with the second unit, would be counted with the first if a part ended
right after that text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

import numpy as np

from evalign.document import Document, IntArray
from evalign.metrics.census import COLUMNS, COUNTED_EMPTY, has_column, has_columns
from evalign.metrics.comparison import Comparison, CountTable
from evalign.metrics.errors.all_errors import count_kinds, find_cells
from evalign.metrics.errors.breakdowns import BREAKDOWNS, find_forms
from evalign.metrics.errors.label_errors import ASPECTS
from evalign.metrics.errors.mismatches import CONTEXT, ErrorCell, ErrorCells, Mismatch, Surroundings
from evalign.metrics.errors.passages import Passage, find_candidates
from evalign.metrics.errors.positions import (
    NO_SLOTS,
    LocatedErrors,
    MetricMarks,
    has_multiword,
    locate_errors,
)
from evalign.metrics.errors.sentence_groups import (
    LENGTH,
    NO_VALUE,
    GroupedCounts,
    SentenceGroups,
    count_groups,
    group_by_comment,
    group_by_length,
)
from evalign.metrics.errors.span_errors import find_surrounded
from evalign.metrics.errors.stages import Charges, find_charges
from evalign.metrics.metric import Metric
from evalign.metrics.registry import LABEL_METRICS, METRICS_WITH_ERRORS
from evalign.results.evidence import MOST_EVIDENCE
from evalign.scoring.live_evidence import LiveEvidence
from evalign.scoring.row_sums import add_up

FREQUENCY = "frequency"


class EvidenceHint(NamedTuple):
    """The evidence that the sum of parts still needs; a part may leave out the rest.

    Only a hint: evidence beyond it is ignored. During a run the needs only shrink, so an old hint is safe.
    """

    width: int = NO_SLOTS
    """Least width of the slots that passages are chosen in: stretches of gold's line, in characters."""
    by_unit: bool = True
    """True if labels are counted by unit, false if for the part as a whole."""
    complete: frozenset[str] = frozenset()
    """Metrics that already have as many errors as are kept; no more are needed."""


class PartEdges(NamedTuple):
    """The first and last `CONTEXT` tokens, or words, of a part: context of errors in neighbouring parts."""

    first: Sequence[str]
    last: Sequence[str]


class KeptError(NamedTuple):
    """An error whose context may reach into the parts before and after."""

    mismatch: Mismatch
    row: str
    """The tokens that the context is made of: "gold" or "system" for tokens of a side, "words" for gold's
    words."""
    lacking: tuple[int, int]
    """How many tokens or words of context are missing before and after the error, as the part ends there."""


class MetricErrors(NamedTuple):
    """The errors of a metric in a part: the number of each kind, and the first errors in full."""

    kinds: Mapping[str, int]
    first: Sequence[KeptError]


class HashedTotals(NamedTuple):
    """The number of gold words with each label; labels are given as hashes, in order of first appearance."""

    hashes: IntArray
    counts: IntArray


class MetricCells(NamedTuple):
    """The confusions of a metric in a part: cells (gold label, system label) with counts, in text order."""

    cells: Sequence[ErrorCell]
    counts: Sequence[int]
    """Per cell, the number of errors in it."""
    totals: HashedTotals | Mapping[str, int]
    """Number of gold words by label: for features by the whole FEATS value, as words with some features are
    counted in the end; for all other labels by hash."""


class FormRows(NamedTuple):
    """Counts of tokens (correct, gold, system) by unit and hash of the token's form."""

    units: IntArray
    hashes: IntArray
    rows: CountTable


class CommentRows(NamedTuple):
    """Counts of sentences grouped by the value of one comment, and where the comment stands.

    A comment describes sentences, not documents, if it stands above a sentence that is not the first of a
    document.
    """

    grouped: GroupedCounts
    is_inside: bool
    """True if the comment stands above a sentence that is neither the first of a document nor of the part."""
    is_first: bool
    """True if the comment stands above the first sentence of the part, and no document is marked to begin
    there. At the start of the whole text such a comment may still describe a document."""


class PartSentences(NamedTuple):
    """Counts of a part's gold sentences, grouped by length and by the requested comments."""

    length: GroupedCounts | None
    comments: Mapping[str, CommentRows]
    """Counts by the value of each requested comment that the part has, by key of the comment."""
    ungrouped: GroupedCounts | None
    """Counts with all sentences in the group without a value, for comments that only other parts have; None
    if no comment was requested."""
    asked: tuple[str, ...]
    """Names that the result will be split by."""
    has_documents: bool
    """True if units are documents, or a document begins in this part."""
    are_documents: bool
    """True if units are documents."""


class PartPassages(NamedTuple):
    """The passages (blocks of sentences with errors) of a part that are candidates for the whole text."""

    total: int
    """Number of blocks with an error in the part."""
    width: int
    """Width of the slots of gold's line, in characters; candidates are the first passage of each slot."""
    most: int | None
    """How many passages are kept of the whole text; None for all."""
    candidates: Sequence[Passage]


class PartColumns(NamedTuple):
    """The columns that a part was compared by, and those that each side fills in it."""

    taken: frozenset[str]
    """Columns that the comparison treated as filled on both sides."""
    gold: frozenset[str] | None
    """Columns that some gold word fills; None if the part has no gold word."""
    system: frozenset[str] | None
    """Columns that some word of the system fills; None if it has no word in the part."""


@dataclass(frozen=True, slots=True, eq=False)
class EvidencePart:
    """The evidence of one system in one part.

    Units are numbered within the part, positions count from the text's start.
    """

    columns: PartColumns
    edges: Mapping[str, PartEdges]
    """First and last tokens of "gold" and "system", and "words" of gold."""
    errors: Mapping[str, MetricErrors]
    """Errors by metric."""
    cells: Mapping[str, MetricCells]
    """Confusions by metric, for the metrics that compare labels."""
    labels: Mapping[str, GroupedCounts]
    """Counts of labels by kind of breakdown, all kinds but frequency."""
    forms: FormRows | None
    """Counts of tokens by form, for the breakdown by frequency; None if the part has no such breakdown."""
    are_by_unit: bool
    """True if labels and forms were counted by unit; otherwise all are in unit 0."""
    groups: PartSentences
    passages: PartPassages
    marks: Mapping[str, MetricMarks]
    """Positions of all errors, by metric."""
    charges: tuple[str, Charges] | None
    """The metric whose loss is split by stage, and the loss; None without brackets or labelled arcs."""
    has_multiword: bool
    """True if words differ from tokens in the part; if in no part, errors of words repeat those of tokens."""


def hash_texts(texts: Sequence[str]) -> IntArray:
    """Hash each text to a 64-bit number that is the same in every process.

    Among a million distinct texts, two share a number with a probability of one in forty million.
    """
    digests = b"".join(
        blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in texts
    )
    return np.frombuffer(digests, np.dtype("<i8")).astype(np.int64)


def name_keys(asked: Sequence[str]) -> list[str]:
    """List the keys of comments that the names in `asked` may mean: each name, and the name with "meta::"."""
    return [key for name in asked if name != LENGTH for key in (name, f"meta::{name}")]


# Columns of words that a file may leave empty.


def gather_evidence(
    evidence: LiveEvidence, *, offset: int, passages: int | None, hint: EvidenceHint | None = None
) -> EvidencePart:
    """Gather the evidence of one part from its fresh result, whose evidence must be a `LiveEvidence`.

    `offset` is the characters of gold before the part; `passages` is how many passages are kept of the whole
    text, and so the most that a part needs, or None for all; `hint` says what may be left out.
    """
    comparison, hint = evidence.comparison, hint or EvidenceHint()
    given = [metric.name for metric in evidence.metrics if has_columns(comparison, metric.needs)]
    metrics = [name for name in METRICS_WITH_ERRORS if name in given]
    located = locate_errors(comparison, metrics, all_words=True)
    cells = {name: find_cells(comparison, name) for name in metrics if name in LABEL_METRICS}
    kinds = evidence.breakdown_kinds()
    labels = {kind: evidence.breakdown_units(kind) for kind in kinds if kind != FREQUENCY}
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
    """Find the filled columns among those that a metric or breakdown needs; other columns are not read."""
    asked = {need for metric in metrics for need in metric.needs}
    asked |= {need for breakdown in BREAKDOWNS.values() for need in breakdown.needs}
    names = [name for name in COLUMNS if name in asked]
    sides = [
        frozenset(name for name in names if has_column(side, name)) if side.n_words else None
        for side in (comparison.gold, comparison.system)
    ]
    if comparison.options.strict and None not in sides:
        # Strict mode counts a column on both sides if one side fills it.
        counted = frozenset(COUNTED_EMPTY) & frozenset().union(*filter(None, sides))
        sides = [side | counted if side is not None else None for side in sides]
    taken = frozenset(name for name in names if has_columns(comparison, (name,)))
    return PartColumns(taken, sides[0], sides[1])


def _find_edges(comparison: Comparison) -> dict[str, PartEdges]:
    """Return the first and last tokens of both sides, and words of gold."""
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
    first = [_keep_error(comparison, *error, offset) for error in islice(errors, most)]
    return MetricErrors(kinds, first)


def _keep_error(comparison: Comparison, mismatch: Mismatch, around: Surroundings, offset: int) -> KeptError:
    # With raw text, `start` is a position in the raw text and needs no offset.
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
    """Add up counts over units: all groups are in unit 0 then."""
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
    """Group the sentences of a part in all ways that `choose_kept` may choose for the whole text."""
    comparison, asked = evidence.comparison, evidence.by
    gold, average = comparison.gold, comparison.options.average
    are_documents = comparison.units.kind == "document"
    has_documents = are_documents or bool(len(gold.documents))
    if average == "document" or gold.spans is not None or not gold.n_sentences:
        return PartSentences(None, {}, None, asked, has_documents, are_documents)

    def count(groups: SentenceGroups) -> GroupedCounts:
        return count_groups(comparison, evidence.metrics, groups)

    keys = name_keys(asked)
    present = set(gold.comments.keys if gold.comments is not None and keys else ())
    nothing = SentenceGroups([NO_VALUE], np.zeros(gold.n_sentences, np.int64), "")
    return PartSentences(
        count(group_by_length(gold)) if average == "micro" or LENGTH in asked else None,
        {key: _note_comment(gold, key, count(group_by_comment(gold, key))) for key in keys if key in present},
        count(nothing) if keys else None,
        asked,
        has_documents,
        are_documents,
    )


def _note_comment(gold: Document, key: str, grouped: GroupedCounts) -> CommentRows:
    """Return `grouped` with a note on whether the comment `key` stands above sentences inside documents."""
    above = gold.comments.values(key) if gold.comments is not None else ()
    inside = set(above).difference(gold.documents.sentences.tolist())
    return CommentRows(grouped, bool(inside - {0}), 0 in inside)
