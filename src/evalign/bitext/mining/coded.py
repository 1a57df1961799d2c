"""Sentences of one corpus as numbers of terms, and how much each term tells."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class EncodedCorpus:
    """A corpus: every sentence as the numbers of its distinct terms."""

    numbers: dict[str, int]
    """The number of every term, in order of appearance."""
    sentences: Sequence[tuple[int, ...]]
    weights: Sequence[float]
    """What each term counts: its IDF in this corpus."""
    totals: Sequence[float]
    """What the terms of each sentence count together."""

    def __len__(self) -> int:
        return len(self.sentences)


def encode_corpus(sentences: Iterable[Sequence[str]]) -> EncodedCorpus:
    """The terms of a corpus as numbers.

    >>> encode_corpus([["a", "cat"], ["a", "dog", "a"]]).sentences
    [(0, 1), (0, 2)]
    """
    numbers: dict[str, int] = {}
    coded: list[tuple[int, ...]] = []
    found: Counter[int] = Counter()
    for terms in sentences:
        distinct = tuple(dict.fromkeys(numbers.setdefault(term, len(numbers)) for term in terms))
        coded.append(distinct)
        found.update(distinct)
    weights = [_idf(found[number], len(coded)) for number in range(len(numbers))]
    totals = [math.fsum(weights[number] for number in each) for each in coded]
    return EncodedCorpus(numbers, coded, weights, totals)


def _idf(found: int, sentences: int) -> float:
    """How much a term tells that so many of the sentences have. Always above 0: also what all have was translated."""
    return math.log((sentences + 1) / (found + 0.5))
