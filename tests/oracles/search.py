"""Search by going through all sentences: BM25 as in Robertson and Zaragoza 2009, section 3.4.

The inverse document frequency is the variant that is never negative, ln(1 + (N - n + 0.5) / (n + 0.5)). The
parameters are k1 = 1.2 and b = 0.75.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

K1 = 1.2
B = 0.75


def search(
    sentences: Sequence[Sequence[str]], terms: Sequence[str], minimum: int, weights: Sequence[float] = ()
) -> dict[int, float]:
    """Return the score of every sentence that has at least `minimum` of the distinct terms.

    A term that is repeated in `terms` counts as often as it is repeated.
    """
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
    """Return the BM25 contribution of one term that `sentence` contains."""
    having = sum(term in each for each in sentences)
    idf = math.log(1 + (len(sentences) - having + 0.5) / (having + 0.5))
    times = sentence.count(term)
    return idf * times * (K1 + 1) / (times + K1 * (1 - B + B * len(sentence) / average))


def are_near(sentence: Sequence[str], first: str, second: str, slop: int) -> bool:
    """Return whether `second` occurs within `slop` positions of the position right behind a `first`."""
    places = [
        (i, j) for i, a in enumerate(sentence) for j, b in enumerate(sentence) if (a, b) == (first, second)
    ]
    return any(abs(j - (i + 1)) <= slop for i, j in places)
