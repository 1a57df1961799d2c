"""Keywords of documents: terms that a document has more often than all the others together.

How far beyond chance is said by the log-likelihood ratio (Dunning 1993, Computational Linguistics 19(1); for keywords
Rayson and Garside 2000, Comparing corpora using frequency profiling). A keyword weighs the root of it, which is
distributed like a standard score, so that one word does not fill the whole vector.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeAlias

Vector: TypeAlias = Mapping[str, float]
"""Weights of keywords; their squares add up to 1."""

MOST_KEYWORDS = 100
# Chi-square of one degree of freedom: by chance this much or more one time in twenty.
LEAST_LIKELIHOOD = 3.84


def log_likelihood(here: int, elsewhere: int, n_here: int, n_elsewhere: int) -> float:
    """How unlike two relative frequencies are; 0 where they are equal.

    >>> round(log_likelihood(10, 10, 100, 1000), 2), abs(log_likelihood(1, 10, 100, 1000)) < 1e-9
    (22.14, True)
    """
    share = (here + elsewhere) / (n_here + n_elsewhere)
    parts = ((here, n_here), (elsewhere, n_elsewhere))
    return 2 * math.fsum(n * math.log(n / (size * share)) for n, size in parts if n)


def find_keywords(terms: Mapping[str, int], everywhere: Mapping[str, int], n_everywhere: int) -> Vector:
    """Keywords of a document among documents that it is one of; none where it is all there is.

    >>> find_keywords({"the": 5, "soup": 5}, {"the": 100, "soup": 5}, 105)
    {'soup': 1.0}
    """
    n_here = sum(terms.values())
    n_elsewhere = n_everywhere - n_here
    found = []
    for term, here in terms.items():
        elsewhere = everywhere[term] - here
        if here * n_elsewhere > elsewhere * n_here:
            likelihood = log_likelihood(here, elsewhere, n_here, n_elsewhere)
            if likelihood >= LEAST_LIKELIHOOD:
                found.append((-likelihood, term))
    best = sorted(found)[:MOST_KEYWORDS]
    length = math.sqrt(math.fsum(-negative for negative, _ in best))
    return {term: math.sqrt(-negative) / length for negative, term in best}
