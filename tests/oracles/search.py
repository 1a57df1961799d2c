"""Searching sentences by going through all of them: BM25, as Robertson and Zaragoza 2009 (section 3.4) have it.

idf is the one that is never negative, ln(1 + (N - n + 0.5) / (n + 0.5)); k1 = 1.2 and b = 0.75.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

K1 = 1.2
B = 0.75


def search(
    sentences: Sequence[Sequence[str]], terms: Sequence[str], minimum: int, weights: Sequence[float] = ()
) -> dict[int, float]:
    """The score of every sentence that has enough of the distinct terms; a repeated term counts as often as it is there."""
    average = sum(map(len, sentences)) / max(1, len(sentences))
    scores = {}
    for number, sentence in enumerate(sentences):
        present = {term for term in terms if term in sentence}
        if len(present) >= max(1, minimum):
            pairs = zip(terms, weights or [1.0] * len(terms), strict=True)
            scores[number] = sum(
                weight * score(sentences, sentence, term, average)
                for term, weight in pairs
                if term in present
            )
    return scores


def score(sentences: Sequence[Sequence[str]], sentence: Sequence[str], term: str, average: float) -> float:
    """What a term that a sentence has is worth."""
    having = sum(term in each for each in sentences)
    idf = math.log(1 + (len(sentences) - having + 0.5) / (having + 0.5))
    times = sentence.count(term)
    return idf * times * (K1 + 1) / (times + K1 * (1 - B + B * len(sentence) / average))


def are_near(sentence: Sequence[str], first: str, second: str, slop: int) -> bool:
    """Whether the second of two terms is, somewhere, no further than the slop from the place right behind the first."""
    places = [
        (i, j) for i, a in enumerate(sentence) for j, b in enumerate(sentence) if (a, b) == (first, second)
    ]
    return any(abs(j - (i + 1)) <= slop for i, j in places)
