"""Evidence of one part of a text: errors, breakdowns and passages, in compact form without the documents.

    gather_evidence  ->  EvidencePart of a part  ->  EvidenceSum  ->  KeptEvidence of the whole

`count` gathers an `EvidencePart` from each part's fresh comparison; `evidence_sum` adds them up in text
order. There are counts under keys, the first so many of something, and positions. The sum is identical to the
evidence of the whole text scored in one piece, but for the context of errors, which ends where a part ends.
This requires that texts are cut only inside equal text where a sentence ends on both sides. Otherwise text
that only the system has between two units, which is counted with the second unit, would be counted with the
first if a part ended right after that text.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Literal, NamedTuple

import numpy as np

from evalign.metrics.census import COLUMNS, COUNTED_EMPTY, has_column, has_columns
from evalign.metrics.comparison import Comparison
from evalign.metrics.errors.all_errors import find_cells
from evalign.metrics.errors.breakdowns import BREAKDOWNS, find_forms, find_kinds, find_label_counts
from evalign.metrics.errors.label_errors import ASPECTS
from evalign.metrics.errors.mismatches import ErrorCells, Mismatch
from evalign.metrics.errors.passages import Candidates, find_candidates
from evalign.metrics.errors.positions import MetricMarks, locate_errors
from evalign.metrics.errors.sentence_groups import (
    LENGTH,
    GroupedCounts,
    count_groups,
    find_grouped_fields,
    group_by_comment,
    group_by_length,
    name_label_metric,
)
from evalign.metrics.errors.span_errors import count_misplaced, find_misplaced
from evalign.metrics.errors.stages import Charges, find_charges
from evalign.metrics.keys import hash_texts
from evalign.metrics.metric import Metric
from evalign.metrics.registry import LABEL_METRICS, METRICS_WITH_ERRORS
from evalign.results.evidence import MOST_EVIDENCE

FREQUENCY = "frequency"


class CountedThing(NamedTuple):
    """What is counted: the errors of a metric by kind, the labels of a breakdown, and so on."""

    what: Literal["kinds", "cells", "gold labels", "breakdown"]
    """The kinds of errors of a metric, its confusions, or the gold words by label that could be confused;
    else the labels of a breakdown."""
    of: str
    """The metric, or the kind of breakdown."""


@dataclass(frozen=True, slots=True, eq=False)
class EvidencePart:
    """The evidence of one system in one part.

    Units are numbered within the part, positions count from the text's start.
    """

    left_out: frozenset[str]
    """Columns that the comparison left out, as some side does not fill them."""
    filled: tuple[frozenset[str] | None, frozenset[str] | None]
    """Columns that some word of gold fills, and of the system; None for a side without words."""
    counts: Mapping[CountedThing, GroupedCounts]
    """What both sides have the columns for. Groups are numbered in text order; where there may be millions of
    names, they are the hashes of names, and `names` is empty."""
    groups: Mapping[str, GroupedCounts]
    """Counts of metrics by unit and group of gold sentences: by length, and by the comments in `by`. Empty
    without gold sentences."""
    by: tuple[str, ...]
    """Names that the result will be split by."""
    fields: frozenset[str]
    """Comments that describe sentences, not documents."""
    errors: Mapping[str, Sequence[Mismatch]]
    """The first errors of each metric."""
    passages: Candidates
    marks: Mapping[str, MetricMarks]
    """Positions of all errors, by metric."""
    charges: tuple[str, Charges] | None
    """The metric whose loss is split by stage, and the loss; None without brackets or labelled arcs."""
    has_multiword: bool
    """True if words differ from tokens in the part; if in no part, errors of words repeat those of tokens."""


def gather_evidence(
    comparison: Comparison,
    metrics: Sequence[Metric],
    *,
    by: tuple[str, ...] = (),
    offset: int = 0,
    passages: int | None,
    chosen: Collection[str] = METRICS_WITH_ERRORS,
) -> EvidencePart:
    """Gather the evidence of one part from its comparison by `metrics`.

    `by` are names of comments that the result will be split by; `offset` is the characters of gold before the
    part; `passages` is how many passages are kept of the whole text, and so the most that a part needs, or
    None for all. Errors are kept of the metrics in `chosen`.
    """
    scored = [metric.name for metric in metrics if has_columns(comparison, metric.needs)]
    with_errors = [name for name in METRICS_WITH_ERRORS if name in scored and name in chosen]
    counts: dict[CountedThing, GroupedCounts] = {}
    errors: dict[str, list[Mismatch]] = {}
    for name in with_errors:
        if name in LABEL_METRICS:
            cells = find_cells(comparison, name)
            kinds, mismatches = cells.kinds(), cells.mismatches()
            times, order = cells.counts(), cells.in_text_order()
            counts[CountedThing("cells", name)] = _count_names(
                [cells.cells[k] for k in order], [times[k] for k in order]
            )
            counts[CountedThing("gold labels", name)] = _count_gold_labels(cells)
        else:
            kinds, mismatches = count_misplaced(comparison, name), find_misplaced(comparison, name)
        counts[CountedThing("kinds", name)] = _count_names([*kinds], [*kinds.values()])
        errors[name] = [_move(mismatch, offset) for mismatch in islice(mismatches, MOST_EVIDENCE)]
    for kind in find_kinds(comparison):
        counts[CountedThing("breakdown", kind)] = _count_labels(comparison, kind, metrics)
    located = locate_errors(comparison, with_errors, all_words=True)
    left_out, filled = _find_columns(comparison, metrics)
    return EvidencePart(
        left_out=left_out,
        filled=filled,
        counts=counts,
        groups=_group_sentences(comparison, metrics, by),
        by=by,
        fields=_find_fields(comparison, offset) if by else frozenset(),
        errors=errors,
        passages=find_candidates(comparison, located, passages, offset),
        marks={errors.metric: errors.marks(offset) for errors in located},
        charges=find_charges(comparison),
        has_multiword=comparison.has_multiword,
    )


def _find_columns(
    comparison: Comparison, metrics: Sequence[Metric]
) -> tuple[frozenset[str], tuple[frozenset[str] | None, frozenset[str] | None]]:
    """Return `left_out` and `filled` of a part, for the columns that a metric or a breakdown needs.

    Other columns are not read.
    """
    asked = {need for metric in metrics for need in metric.needs}
    asked |= {need for breakdown in BREAKDOWNS.values() for need in breakdown.needs}
    names = [name for name in COLUMNS if name in asked]
    gold, system = (
        frozenset(name for name in names if has_column(side, name)) if side.n_words else None
        for side in (comparison.gold, comparison.system)
    )
    if comparison.options.strict and gold is not None and system is not None:
        # Strict mode counts a column on both sides if one side fills it.
        counted = (gold | system).intersection(COUNTED_EMPTY)
        gold, system = gold | counted, system | counted
    return frozenset(name for name in names if not has_columns(comparison, (name,))), (gold, system)


def _move(mismatch: Mismatch, offset: int) -> Mismatch:
    """Count the position of an error from the beginning of the text, which has `offset` characters more."""
    if not offset or mismatch.start is None:
        return mismatch
    return replace(mismatch, start=mismatch.start + offset)


def _count_names(names: Sequence[Hashable], counts: Sequence[int]) -> GroupedCounts:
    """Make a row of a single count for each name, all in the first unit."""
    table = np.array(counts, np.int64)[:, None]
    return GroupedCounts(names, np.zeros(len(table), np.int64), np.arange(len(table)), {"": table})


def _count_gold_labels(cells: ErrorCells) -> GroupedCounts:
    """Count gold words by label, for features by whole cells of FEATS.

    Other labels are hashed: a text may have millions of lemmas.
    """
    rows = _count_names([*cells.totals], [*cells.totals.values()])
    if cells.metric in ASPECTS and ASPECTS[cells.metric].has_features:
        return rows
    return replace(rows, names=(), groups=hash_texts(cells.totals))


def _count_labels(comparison: Comparison, kind: str, metrics: Sequence[Metric]) -> GroupedCounts:
    """Count the labels of a breakdown by unit; instead of frequencies the forms, whose number is not yet known."""
    is_of_forms = kind == FREQUENCY
    labels = find_forms(comparison) if is_of_forms else find_label_counts(comparison, kind)
    names = labels.labels
    units, keys, rows = labels.count_by_unit()
    if is_of_forms:
        keys, names = hash_texts(names)[keys] if len(keys) else keys, ()
    tables = {name_label_metric(comparison, kind, metrics): rows}
    return GroupedCounts(names, units, keys, tables, BREAKDOWNS[kind].source)


def _group_sentences(
    comparison: Comparison, metrics: Sequence[Metric], by: Sequence[str]
) -> dict[str, GroupedCounts]:
    """Group the sentences of a part in all ways that `choose_kept` may choose for the whole text.

    A name in `by` may mean the comment of this name, or that with "meta::" before it. Sentences have no value of
    a comment that the part lacks: other parts may have it.
    """
    gold, average = comparison.gold, comparison.options.average
    if average == "document" or gold.spans is not None or not gold.n_sentences:
        return {}
    groups = {LENGTH: group_by_length(gold)} if average == "micro" or LENGTH in by else {}
    for key in chain.from_iterable((name, f"meta::{name}") for name in by if name != LENGTH):
        groups[key] = group_by_comment(gold, key)
    return {by: count_groups(comparison, metrics, each) for by, each in groups.items()}


def _find_fields(comparison: Comparison, offset: int) -> frozenset[str]:
    """Return the comments that stand above sentences, and not only where a document begins.

    Units that are documents are taken to begin with the part. If one only continues there, a comment above the
    first sentence stands inside a document.
    """
    gold = comparison.gold
    fields = {*find_grouped_fields(comparison)}
    if offset and gold.comments is not None and 0 not in gold.documents.sentences:
        fields |= {key for key in gold.comments.keys if 0 in gold.comments.values(key)}
    return frozenset(fields)
