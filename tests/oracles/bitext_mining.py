"""Mining of sentence pairs, computed word by word and pair by pair.

IBM model 1 follows Brown et al. 1993, section 4.1, with a null word. Coverage and margins follow the
definitions in their modules. Retrieval follows Artetxe and Schwenk 2019, section 3.3, over all pairs of
vectors.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

NONE = 0


def translate(
    pairs: Sequence[tuple[Sequence[int], Sequence[int]]], iterations: int
) -> dict[tuple[int, int], float]:
    """Estimate translation probabilities by IBM model 1.

    Returns the probability of the target word given the source word for each (source, target) that occurs in
    some pair.
    """
    pairs = [((NONE, *source), target) for source, target in pairs]
    together = {(s, t) for source, target in pairs for s in source for t in target}
    partners = defaultdict(set)
    for s, t in together:
        partners[s].add(t)
    shares = {(s, t): 1 / len(partners[s]) for s, t in together}
    for _ in range(iterations):
        counts: dict[tuple[int, int], float] = defaultdict(float)
        for source, target in pairs:
            for t in target:
                total = sum(shares[s, t] for s in source)
                for s in source:
                    counts[s, t] += shares[s, t] / total
        totals: dict[int, float] = defaultdict(float)
        for (s, _), count in counts.items():
            totals[s] += count
        shares = {(s, t): count / totals[s] for (s, t), count in counts.items()}
    return {(s, t): share for (s, t), share in shares.items() if s != NONE}


def idf(corpus: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return the inverse document frequency of each term of `corpus`."""
    terms = {term for sentence in corpus for term in sentence}
    frequencies = {term: sum(term in sentence for sentence in corpus) for term in terms}
    return {term: math.log((len(corpus) + 1) / (frequencies[term] + 0.5)) for term in terms}


def coverage(
    sentence: Sequence[str],
    other: Sequence[str],
    strengths: Mapping[tuple[str, str], float],
    weights: Mapping[str, float],
) -> float:
    """Return the weighted share of `sentence` that is covered by its translations in `other`."""
    total = sum(weights[term] for term in set(sentence))
    covered = sum(
        weights[term] * max((strengths.get((term, word), 0.0) for word in other), default=0.0)
        for term in set(sentence)
    )
    return covered / total if total else 0.0


def harmonic(one: float, two: float) -> float:
    """Return the harmonic mean of two numbers; 0 if either is 0."""
    return 2 * one * two / (one + two) if one and two else 0.0


def ratios(scores: Mapping[tuple[int, int], float], k: int, added: float) -> dict[tuple[int, int], float]:
    """Divide each score by the mean of the best `k` scores on both sides of its pair, plus `added`."""

    def mean(side: int, number: int) -> float:
        best = sorted((score for pair, score in scores.items() if pair[side] == number), reverse=True)
        return sum(best[:k]) / k

    margins = {}
    for (first, second), score in scores.items():
        around = (mean(0, first) + mean(1, second)) / 2 + added
        margins[first, second] = score / around if around > 0 else 0.0
    return margins


def choose(scores: Mapping[tuple[int, int], float]) -> list[tuple[int, int]]:
    """Choose one-to-one pairs greedily, best score first."""
    left = dict(scores)
    chosen = []
    while left:
        best = min(left, key=lambda pair: (-left[pair], pair))
        chosen.append(best)
        left = {pair: score for pair, score in left.items() if pair[0] != best[0] and pair[1] != best[1]}
    return chosen


def cosine(one: Sequence[float], two: Sequence[float]) -> float:
    """Return the cosine of two vectors; 0 if either is all zeros."""
    lengths = math.hypot(*one) * math.hypot(*two)
    return sum(a * b for a, b in zip(one, two, strict=True)) / lengths if lengths else 0.0


def retrieve(
    first: Sequence[Sequence[float]], second: Sequence[Sequence[float]], k: int, how: str
) -> dict[tuple[int, int], float]:
    """Return the pairs of vectors chosen by `how`, with their margins, after comparing all pairs.

    "max" chooses among the best pairs of both directions (Artetxe and Schwenk 2019, section 3.3).
    """
    near = {(i, j): cosine(one, two) for i, one in enumerate(first) for j, two in enumerate(second)}
    ahead = {i: sorted(range(len(second)), key=lambda j: (-near[i, j], j))[:k] for i in range(len(first))}
    behind = {j: sorted(range(len(first)), key=lambda i: (-near[i, j], i))[:k] for j in range(len(second))}

    def margin(i: int, j: int) -> float:
        one = sum(near[i, each] for each in ahead[i]) / len(ahead[i])
        two = sum(near[each, j] for each in behind[j]) / len(behind[j])
        return near[i, j] / ((one + two) / 2) if one + two > 0 else 0.0

    forward = {(i, j): margin(i, j) for i, nearest in ahead.items() for j in nearest}
    backward = {(i, j): margin(i, j) for j, nearest in behind.items() for i in nearest}
    best_of_first = {min((p for p in forward if p[0] == i), key=lambda p: (-forward[p], p)) for i in ahead}
    best_of_second = {
        min((p for p in backward if p[1] == j), key=lambda p: (-backward[p], p)) for j in behind
    }
    kept = {
        "forward": best_of_first,
        "backward": best_of_second,
        "intersect": best_of_first & best_of_second,
        "max": set(choose({pair: margin(*pair) for pair in best_of_first | best_of_second})),
    }[how]
    return {pair: margin(*pair) for pair in kept}
