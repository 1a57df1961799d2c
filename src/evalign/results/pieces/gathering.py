"""What a part of a text brings along of its errors, to be joined with other parts (`result.pieces`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Protocol, runtime_checkable

import numpy as np

from evalign.document import Document
from evalign.metrics import (
    COUNTED_EMPTY,
    LABEL_METRICS,
    METRICS_WITH_ERRORS,
    Comparison,
    Layer,
    count_kinds,
    has_column,
    has_columns,
)
from evalign.metrics.errors import (
    ASPECTS,
    BREAKDOWNS,
    CONTEXT,
    LENGTH,
    NONE,
    Cells,
    Grouped,
    Located,
    Mismatch,
    SentenceGroups,
    Surroundings,
    count_groups,
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
from evalign.results.evidence import MOST_EVIDENCE
from evalign.results.pieces.labels import FREQUENCY
from evalign.results.pieces.piece import (
    CommentRows,
    Edges,
    EvidencePiece,
    FormRows,
    HashedTotals,
    KeptError,
    MetricCells,
    MetricErrors,
    PassagePiece,
    PieceColumns,
    SentencePiece,
    Wanted,
    hash_texts,
)
from evalign.results.pieces.sentences import name_keys
from evalign.results.pieces.sums import add_up
from evalign.results.system_result import SystemResult

# Columns of words, which a file of their format may have or not.
_COLUMNS = ("lemma", "upos", "xpos", "feats", "head", "deprel", "deps")


@runtime_checkable
class Compared(Protocol):
    """Evidence that still has the documents (`evaluate.evidence.FreshEvidence`)."""

    @property
    def comparison(self) -> Comparison:
        """What is compared."""

    @property
    def metrics(self) -> tuple[Layer, ...]:
        """What is scored."""

    @property
    def average(self) -> str:
        """How scores are averaged."""

    @property
    def by(self) -> tuple[str, ...]:
        """What the result will be split by."""


def gather_evidence(
    system: SystemResult, *, offset: int, passages: int | None, wanted: Wanted | None = None
) -> EvidencePiece:
    """What is joined of a fresh result of one part, before which gold has so many characters.

    At most so many passages are kept of the whole, and of the part; None for all of them.
    """
    evidence = system.evidence
    if not isinstance(evidence, Compared):
        message = "evidence of a part is gathered where it was compared, from a fresh result"
        raise TypeError(message)
    comparison, wanted = evidence.comparison, wanted or Wanted()
    given = [layer.name for layer in evidence.metrics if has_columns(comparison, layer.needs)]
    metrics = [metric for metric in METRICS_WITH_ERRORS if metric in given and not system.fails(metric)]
    located = locate_errors(comparison, metrics, all_words=True)
    cells = {metric: find_cells(comparison, metric) for metric in metrics if metric in LABEL_METRICS}
    kinds = system.evidence.breakdown_kinds()
    labels = {kind: system.evidence.breakdown_units(kind) for kind in kinds if kind != FREQUENCY}
    return EvidencePiece(
        columns=_find_columns(comparison, evidence.metrics),
        edges=_find_edges(comparison),
        errors={
            m: _find_errors(comparison, m, cells.get(m), offset, 0 if m in wanted.complete else MOST_EVIDENCE)
            for m in metrics
        },
        cells={metric: _sum_cells(found) for metric, found in cells.items()},
        labels=labels if wanted.by_unit else {kind: _in_one(found) for kind, found in labels.items()},
        forms=_count_forms(comparison, wanted) if FREQUENCY in kinds else None,
        are_by_unit=wanted.by_unit,
        groups=_group_sentences(evidence),
        passages=_find_passages(comparison, located, passages, offset, wanted.width),
        marks={errors.metric: errors.marks(offset) for errors in located},
        charges=find_charges(comparison),
        has_multiword=has_multiword(comparison),
    )


def _find_passages(
    comparison: Comparison, located: Sequence[Located], most: int | None, offset: int, width: int
) -> PassagePiece:
    total, candidates, width = find_candidates(comparison, located, most, offset=offset, width=width)
    return PassagePiece(total, width, most, candidates)


def _find_columns(comparison: Comparison, metrics: Sequence[Layer]) -> PieceColumns:
    """Those that something asks for: a column that nobody wants is not read."""
    asked = {need for layer in metrics for need in layer.needs}
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
    return PieceColumns(taken, sides[0], sides[1])


def _find_edges(comparison: Comparison) -> dict[str, Edges]:
    """The first and the last tokens of both sides, and words of gold."""
    gold, system = comparison.alignment.gold.original, comparison.alignment.system.original
    size = gold.n_words
    words = [
        [gold.word(k) for k in rows]
        for rows in (range(min(size, CONTEXT)), range(max(0, size - CONTEXT), size))
    ]
    return {
        **{name: _token_edges(side) for name, side in (("gold", gold), ("system", system))},
        "words": Edges(*words),
    }


def _token_edges(document: Document) -> Edges:
    size = document.n_tokens
    return Edges(document.tokens(0, min(size, CONTEXT)), document.tokens(max(0, size - CONTEXT), size))


def _find_errors(
    comparison: Comparison, metric: str, cells: Cells | None, offset: int, most: int
) -> MetricErrors:
    kinds = cells.kinds() if cells is not None else count_kinds(comparison, metric)
    found = cells.surrounded() if cells is not None else find_surrounded(comparison, metric)
    first = [_keep(comparison, *error, offset) for error in islice(found, most)]
    return MetricErrors(kinds, first)


def _keep(comparison: Comparison, mismatch: Mismatch, around: Surroundings, offset: int) -> KeptError:
    # With raw text, a start is a place in that.
    if comparison.raw is None and mismatch.start is not None:
        mismatch = replace(mismatch, start=mismatch.start + offset)
    gold = comparison.alignment.gold.original
    row = "words" if around.of_words else "gold" if around.document is gold else "system"
    return KeptError(mismatch, row, around.lacking())


def _sum_cells(found: Cells) -> MetricCells:
    counts, order = found.counts(), found.in_text_order()
    totals: HashedTotals | dict[str, int]
    if found.metric in ASPECTS and ASPECTS[found.metric].has_features:
        totals = dict(found.totals)
    else:
        numbers = np.array([*found.totals.values()], np.int64)
        totals = HashedTotals(hash_texts([*found.totals]), numbers)
    return MetricCells([found.cells[k] for k in order], [counts[k] for k in order], totals)


def _in_one(grouped: Grouped) -> Grouped:
    """Counts by group, all of them in unit 0."""
    found = {metric: add_up([grouped.groups], rows) for metric, rows in grouped.tables.items()}
    groups = next(iter(found.values()))[0][0]
    tables = {metric: rows for metric, (_, rows, _) in found.items()}
    return replace(grouped, units=np.zeros_like(groups), groups=groups, tables=tables)


def _count_forms(comparison: Comparison, wanted: Wanted) -> FormRows:
    found = find_forms(comparison)
    units, numbers, rows = found.count_by_unit()
    if not wanted.by_unit:
        (numbers,), rows, _ = add_up([numbers], rows)
        units = np.zeros_like(numbers)
    hashes = hash_texts(found.labels)
    return FormRows(units, hashes[numbers] if len(hashes) else numbers, rows)


def _group_sentences(evidence: Compared) -> SentencePiece:
    """What `groups.choose_kept` may keep of the whole."""
    comparison, asked = evidence.comparison, evidence.by
    gold = comparison.gold
    are_documents = comparison.units.kind == "document"
    has_documents = are_documents or bool(len(gold.documents))
    if evidence.average == "document" or gold.spans is not None or not gold.n_sentences:
        return SentencePiece(None, {}, None, asked, has_documents, are_documents)

    def count(groups: SentenceGroups) -> Grouped:
        return count_groups(comparison, evidence.metrics, groups)

    keys = name_keys(asked)
    known = set(gold.comments.keys if gold.comments is not None and keys else ())
    nothing = SentenceGroups([NONE], np.zeros(gold.n_sentences, np.int64), "")
    return SentencePiece(
        count(group_by_length(gold)) if evidence.average == "micro" or LENGTH in asked else None,
        {key: _note_comment(gold, key, count(group_by_comment(gold, key))) for key in keys if key in known},
        count(nothing) if keys else None,
        asked,
        has_documents,
        are_documents,
    )


def _note_comment(gold: Document, key: str, grouped: Grouped) -> CommentRows:
    """Sentences by a comment, and whether it is above some that begin no document."""
    above = gold.comments.values(key) if gold.comments is not None else ()
    inside = set(above).difference(gold.documents.sentences.tolist())
    return CommentRows(grouped, bool(inside - {0}), 0 in inside)
