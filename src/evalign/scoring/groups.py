"""What a fresh result can be split by within its units: comments of gold's sentences, lengths, labels."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from evalign.document import Document
from evalign.errors import CommandError
from evalign.metrics import Comparison, Layer, Units
from evalign.metrics.errors import (
    LENGTH,
    Grouped,
    count_groups,
    find_field,
    group_by_comment,
    group_by_length,
    sentence_fields,
)


def find_firsts(gold: Document, units: Units) -> Collection[int]:
    """The sentences that documents begin with: those of the units, if they are documents."""
    if units.kind == "document":
        found: list[int] = np.searchsorted(gold.sentences, units.tokens).tolist()
        return found
    return [int(first) for first in gold.documents.sentences]


def count_grouped(comparison: Comparison, metrics: Sequence[Layer], average: str, by: str) -> Grouped:
    """Gold sentences by length or by a comment."""
    if average == "document":
        message = f"sentences by {by} with --average document"
        advice = "leave out --average: counts of all sentences of a part are added up"
        raise CommandError(message, "--average micro or sentence", advice)
    gold = comparison.gold
    groups = group_by_length(gold) if by == LENGTH else group_by_comment(gold, by)
    return count_groups(comparison, metrics, groups)


def find_grouped_fields(comparison: Comparison) -> list[str]:
    """The comments that stand above single sentences."""
    return sentence_fields(comparison.gold, find_firsts(comparison.gold, comparison.units))


def choose_kept(comparison: Comparison, average: str, asked: Sequence[str]) -> list[str]:
    """What a saved result can be split by later: lengths always, comments of sentences where they were asked for."""
    gold = comparison.gold
    if average == "document" or gold.spans is not None or not gold.n_sentences:
        return []
    kept = [LENGTH] if average == "micro" or LENGTH in asked else []
    if asked:
        fields = find_grouped_fields(comparison)
        found = [find_field(fields, name) for name in asked if name != LENGTH]
        kept += dict.fromkeys(name for name in found if name is not None)
    return kept


def count_labels(comparison: Comparison, kind: str, metrics: Sequence[Layer]) -> Grouped:
    """Counts per label and unit, of labels in the order in which they are shown."""
    from evalign.metrics.errors import BREAKDOWNS, find_labelled, sort_labels

    found = find_labelled(comparison, kind)
    units, numbers, rows = found.count_by_unit()
    breakdown = BREAKDOWNS[kind]
    # What has an order has it in every system alike, whatever is there.
    names = list(found.labels) if breakdown.is_ordered else sort_labels(found.add_up(), kind)
    ranks = {name: rank for rank, name in enumerate(names)}
    groups = np.array([ranks.get(label, -1) for label in found.labels] or [0])[numbers]
    order = np.lexsort([groups, units])
    metric = find_metric(comparison, kind, metrics)
    return Grouped(names, units[order], groups[order], {metric: rows[order]}, breakdown.source)


def find_metric(comparison: Comparison, kind: str, metrics: Sequence[Layer]) -> str:
    """The metric that labels of a kind are shown as."""
    from evalign.metrics.errors import BREAKDOWNS

    if kind == "xpos" and (comparison.gold.trees is not None or comparison.system.trees is not None):
        return "tags"
    if kind == "label" and comparison.gold.spans is not None and metrics:
        return metrics[0].name  # a stand-off table has a layer of its own
    return BREAKDOWNS[kind].metric or kind
