"""Errors of any metric that has some: found one by one, counted by kind, or grouped.

These functions choose between the modules for spans, labels of words, and brackets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evalign.metrics.comparison import Comparison
from evalign.metrics.errors.mismatches import ErrorCells, ErrorGroup, Mismatch, PairCounts, group_mismatches
from evalign.metrics.errors.span_errors import count_misplaced, find_misplaced
from evalign.metrics.registry import LABEL_METRICS


def find_mismatches(comparison: Comparison, metric: str) -> Iterator[Mismatch]:
    """Return the errors of `metric` in the order of the text.

    Raises `CommandError` at once, not on iteration, if a column is missing.
    """
    if metric in LABEL_METRICS:
        return find_cells(comparison, metric).mismatches()
    return find_misplaced(comparison, metric)


def count_kinds(comparison: Comparison, metric: str) -> Mapping[str, int]:
    """Count the errors of `metric` of each kind."""
    if metric in LABEL_METRICS:
        return find_cells(comparison, metric).kinds()
    return count_misplaced(comparison, metric)


def group_errors(comparison: Comparison, metric: str, examples: int = 3) -> list[ErrorGroup]:
    """Group the errors of `metric` by kind and by what was written, most frequent first.

    Each group keeps its first errors as examples, at most `examples` of them.
    """
    if metric in LABEL_METRICS:
        return find_cells(comparison, metric).groups(examples)
    return group_mismatches(find_misplaced(comparison, metric), examples)


def count_label_pairs(comparison: Comparison, metric: str) -> PairCounts:
    """Count the pairs of words or brackets whose labels `metric` compares."""
    if metric != "brackets":
        from evalign.metrics.errors.label_errors import count_pairs

        return count_pairs(comparison, metric)
    pairs = int((comparison.constituents.in_place_unlabelled >= 0).sum())
    return PairCounts(pairs, 0, 0, "bracket")


def find_cells(comparison: Comparison, metric: str) -> ErrorCells:
    """Find the errors of a metric of labels; raises `CommandError` if a column is missing."""
    if metric == "brackets":
        from evalign.metrics.errors.bracket_errors import find_misbracketed

        return find_misbracketed(comparison)
    from evalign.metrics.errors.label_errors import find_confusions

    return find_confusions(comparison, metric)
