"""Precision and recall of extracted pairs at every threshold, one pair and one threshold at a time.

Pairs are counted as sets, without sorting; means and ratios are exact fractions (spec of bitext, section 3).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import NamedTuple

Pair = tuple[int, int]


class Counts(NamedTuple):
    """Numbers of correct, gold and system pairs."""

    correct: int
    gold: int
    system: int


def keep_best(lines: Collection[tuple[int, int, float]]) -> dict[Pair, float]:
    """Return each pair with the best of its scores."""
    best: dict[Pair, float] = {}
    for first, second, score in lines:
        best[first, second] = max(score, best.get((first, second), score))
    return best


def count(gold: Collection[Pair], system: Collection[Pair]) -> Counts:
    """Count correct, gold and system pairs, ignoring repetitions."""
    return Counts(len(set(gold) & set(system)), len(set(gold)), len(set(system)))


def f1(counts: Counts) -> Fraction:
    """Return 2 correct / (gold + system); 0 if there are no pairs at all."""
    return Fraction(2 * counts.correct, counts.gold + counts.system or 1)


def keep(scored: Mapping[Pair, float], threshold: float) -> set[Pair]:
    """Return the pairs that score at least `threshold`."""
    return {pair for pair, score in scored.items() if score >= threshold}


def trace(gold: Collection[Pair], scored: Mapping[Pair, float]) -> list[tuple[float, Counts]]:
    """Return each distinct score, highest first, with the counts when it is the threshold."""
    return [(t, count(gold, keep(scored, t))) for t in sorted(set(scored.values()), reverse=True)]


def find_best(gold: Collection[Pair], scored: Mapping[Pair, float]) -> float | None:
    """Return the threshold with the best F1, the highest one if several are equally good.

    None if there are no scores.
    """
    best = None
    for threshold, counts in trace(gold, scored):
        if best is None or f1(counts) > best[0]:
            best = f1(counts), threshold
    return None if best is None else best[1]


def average_precision(gold: Collection[Pair], scored: Mapping[Pair, float]) -> Fraction:
    """Return the mean over gold pairs of the precision at the pair's own score.

    A gold pair that the system lacks counts 0.
    """
    total = Fraction(0)
    for pair in gold:
        if pair in scored:
            counts = count(gold, keep(scored, scored[pair]))
            total += Fraction(counts.correct, counts.system)
    return total / len(gold)


def recall_at(gold: Collection[Pair], scored: Mapping[Pair, float], most: int) -> int:
    """Count gold pairs whose rank is `most` or better.

    The rank of a pair is the number of pairs with the same first id that score at least as much, itself
    included.
    """
    n_ranked = 0
    for first, second in gold:
        mine = scored.get((first, second))
        if mine is None:
            continue
        rank = sum(1 for (other, _), score in scored.items() if other == first and score >= mine)
        n_ranked += rank <= most
    return n_ranked


def several(pairs: Collection[Pair], side: int) -> int:
    """Count the ids of one side that occur in several pairs."""
    ids = [pair[side] for pair in pairs]
    return sum(ids.count(id) > 1 for id in set(ids))
