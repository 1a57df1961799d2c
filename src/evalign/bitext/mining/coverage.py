"""How much of two sentences is covered by translations of each other.

The coverage of a sentence is the share of its terms that have a translation in the other one: each counts its IDF in the
corpus, times the strength of its best translation. The score of a pair is the harmonic mean of both coverages.
"""

from __future__ import annotations

import numpy as np

from evalign.bitext.mining.coded import EncodedCorpus
from evalign.bitext.mining.links import TermLinks
from evalign.bitext.pairs import Numbers, Scores


def score_coverage(
    first: EncodedCorpus, second: EncodedCorpus, links: TermLinks, pairs: tuple[Numbers, Numbers]
) -> Scores:
    """The score of each pair; the pairs are ordered by their first sentences."""
    terms: dict[int, frozenset[int]] = {}
    scores = np.zeros(len(pairs[0]))
    linked: dict[int, list[tuple[int, float, float]]] = {}
    at = -1
    for which, (one, two) in enumerate(zip(pairs[0].tolist(), pairs[1].tolist(), strict=True)):
        if one != at:
            at, linked = one, _links_of(first.sentences[one], links)
        if two not in terms:
            terms[two] = frozenset(second.sentences[two])
        scores[which] = _score(first, second, linked, one, two, terms[two])
    return scores


def _links_of(sentence: tuple[int, ...], links: TermLinks) -> dict[int, list[tuple[int, float, float]]]:
    """For each term of the other language the terms of a sentence that it is linked to, and how surely."""
    linked: dict[int, list[tuple[int, float, float]]] = {}
    for term in sentence:
        span = slice(links.starts[term], links.starts[term + 1])
        rows = zip(
            links.terms[span].tolist(), links.there[span].tolist(), links.back[span].tolist(), strict=True
        )
        for other, there, back in rows:
            linked.setdefault(other, []).append((term, there, back))
    return linked


def _score(
    first: EncodedCorpus,
    second: EncodedCorpus,
    linked: dict[int, list[tuple[int, float, float]]],
    one: int,
    two: int,
    terms: frozenset[int],
) -> float:
    best: dict[int, float] = {}
    covering = 0.0
    # Sorted, so that sums are the same on every run.
    for other in sorted(linked.keys() & terms):
        most = 0.0
        for term, there, back in linked[other]:
            if there > best.get(term, 0.0):
                best[term] = there
            most = max(most, back)
        covering += most * second.weights[other]
    covered = sum(strength * first.weights[term] for term, strength in best.items())
    if not covered or not covering:
        return 0.0
    covered, covering = covered / first.totals[one], covering / second.totals[two]
    return 2 * covered * covering / (covered + covering)
