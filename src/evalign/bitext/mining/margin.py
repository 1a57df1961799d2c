"""Scores in the light of what else is near: the ratio margin.

A sentence of common words is near to many others, and a score that is high for one sentence is low for another. So a score
is divided by the mean of the best k of both its sentences (Artetxe and Schwenk 2019, "Margin-based Parallel Corpus Mining
with Multilingual Sentence Embeddings", section 3.2, ratio).
"""

from __future__ import annotations

import numpy as np

from evalign.bitext.mining.candidates import Candidates
from evalign.bitext.pairs import Numbers, Scores


def take_ratios(candidates: Candidates, k: int, *, added: float = 0.0) -> Scores:
    """Scores over the mean of the best k of both sides; a sentence with fewer has zeros for the others.

    What is added to both means keeps a sentence that hardly resembles anything from being near to what it resembles most.
    """
    means = [
        _mean_of_best(numbers, candidates.scores, k) for numbers in (candidates.first, candidates.second)
    ]
    around = (means[0] + means[1]) / 2 + added
    ratios: Scores = np.divide(candidates.scores, around, out=np.zeros(len(around)), where=around > 0)
    return ratios


def _mean_of_best(numbers: Numbers, scores: Scores, k: int) -> Scores:
    """For each candidate the mean of the best k scores of its sentence."""
    if not len(numbers):
        return np.empty(0)
    order = np.lexsort((-scores, numbers))
    ordered = numbers[order]
    is_new = np.ones(len(order), bool)
    is_new[1:] = ordered[1:] != ordered[:-1]
    group = np.cumsum(is_new) - 1
    rank = np.arange(len(order)) - np.flatnonzero(is_new)[group]
    best = rank < k
    means = np.bincount(group[best], scores[order][best]) / k
    found = np.empty(len(order))
    found[order] = means[group]
    return found
