"""Extracted pairs as sets of tuples: precision and recall at every threshold, one pair and one threshold at a time.

Whatever is a mean or a ratio is a fraction here; nothing is sorted to be counted (spec of bitext, section 3).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import NamedTuple

Pair = tuple[int, int]


class Counts(NamedTuple):
    """Pairs that are right, and all of both sides."""

    correct: int
    gold: int
    system: int


def keep_best(lines: Collection[tuple[int, int, float]]) -> dict[Pair, float]:
    """Every pair with the best of its scores."""
    best: dict[Pair, float] = {}
    for first, second, score in lines:
        best[first, second] = max(score, best.get((first, second), score))
    return best


def count(gold: Collection[Pair], system: Collection[Pair]) -> Counts:
    """Over sets."""
    return Counts(len(set(gold) & set(system)), len(set(gold)), len(set(system)))


def f1(counts: Counts) -> Fraction:
    """2 c / (g + s); 0 of nothing."""
    return Fraction(2 * counts.correct, counts.gold + counts.system or 1)


def keep(scored: Mapping[Pair, float], threshold: float) -> set[Pair]:
    """The pairs that score as much or more."""
    return {pair for pair, score in scored.items() if score >= threshold}


def trace(gold: Collection[Pair], scored: Mapping[Pair, float]) -> list[tuple[float, Counts]]:
    """The counts at every distinct score, the highest first."""
    return [(t, count(gold, keep(scored, t))) for t in sorted(set(scored.values()), reverse=True)]


def find_best(gold: Collection[Pair], scored: Mapping[Pair, float]) -> float | None:
    """The threshold of the best F1; of equal ones the highest."""
    best = None
    for threshold, counts in trace(gold, scored):
        if best is None or f1(counts) > best[0]:
            best = f1(counts), threshold
    return None if best is None else best[1]


def average_precision(gold: Collection[Pair], scored: Mapping[Pair, float]) -> Fraction:
    """The precision at the score of each gold pair, 0 where it is not found; their mean."""
    total = Fraction(0)
    for pair in gold:
        if pair in scored:
            counts = count(gold, keep(scored, scored[pair]))
            total += Fraction(counts.correct, counts.system)
    return total / len(gold)


def recall_at(gold: Collection[Pair], scored: Mapping[Pair, float], most: int) -> int:
    """How many gold pairs have a rank of so much or better; as many as score the same or more are before a pair."""
    n_ranked = 0
    for first, second in gold:
        mine = scored.get((first, second))
        if mine is None:
            continue
        rank = sum(1 for (other, _), score in scored.items() if other == first and score >= mine)
        n_ranked += rank <= most
    return n_ranked


def several(pairs: Collection[Pair], side: int) -> int:
    """How many ids of a side are in several pairs."""
    ids = [pair[side] for pair in pairs]
    return sum(ids.count(id) > 1 for id in set(ids))
