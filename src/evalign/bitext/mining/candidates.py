"""Candidate pairs of sentences with scores: choosing pairs one to one, and turning scores into ratio margins.

Both methods of mining use them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evalign.bitext.pairs import Numbers, Scores


@dataclass(frozen=True, eq=False)
class Candidates:
    """Pairs of sentence numbers, each pair once, with a score for each."""

    first: Numbers
    second: Numbers
    scores: Scores

    def take(self, which: npt.NDArray[np.int64] | npt.NDArray[np.bool_]) -> Candidates:
        """Return some of the candidates; `which` is an array of indices or a mask."""
        return Candidates(self.first[which], self.second[which], self.scores[which])

    def with_scores(self, scores: Scores) -> Candidates:
        """Return the same pairs with other scores."""
        return replace(self, scores=scores)

    def __len__(self) -> int:
        return len(self.first)


def choose_pairs(candidates: Candidates) -> Candidates:
    """Choose pairs one to one: by falling score, each only if neither of its sentences is taken.

    Ties go to the smaller first number, then to the smaller second one.
    """
    order = np.lexsort((candidates.second, candidates.first, -candidates.scores))
    taken: tuple[set[int], set[int]] = set(), set()
    kept: list[int] = []
    ids = zip(
        order.tolist(), candidates.first[order].tolist(), candidates.second[order].tolist(), strict=True
    )
    for which, first, second in ids:
        if first not in taken[0] and second not in taken[1]:
            taken[0].add(first)
            taken[1].add(second)
            kept.append(which)
    chosen: npt.NDArray[np.int64] = np.array(kept, np.int64)
    return candidates.take(chosen)


# The ratio margin.
#
# A sentence of common words is near to many others, and a score that is high for one sentence is low for
# another. So a score is divided by the mean of the best k scores of both its sentences (Artetxe and Schwenk
# 2019, "Margin-based Parallel Corpus Mining with Multilingual Sentence Embeddings", section 3.2, ratio).


def take_ratios(candidates: Candidates, k: int, *, added: float = 0.0) -> Scores:
    """Divide every score by the mean of the best `k` scores of its two sentences.

    Scores that a sentence lacks count as 0. `added` is added to that mean: it keeps a sentence that resembles
    hardly anything from getting a high ratio with what it resembles most.
    """
    means = [
        _mean_of_best(numbers, candidates.scores, k) for numbers in (candidates.first, candidates.second)
    ]
    around = (means[0] + means[1]) / 2 + added
    ratios: Scores = np.divide(candidates.scores, around, out=np.zeros(len(around)), where=around > 0)
    return ratios


def _mean_of_best(numbers: Numbers, scores: Scores, k: int) -> Scores:
    """For each candidate, return the mean of the best `k` scores of its sentence in `numbers`."""
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
    result = np.empty(len(order))
    result[order] = means[group]
    return result


@dataclass(frozen=True)
class MiningSizes:
    """How mining is cut into pieces, and which work is too small for workers.

    The pairs that are found do not depend on it.
    """

    smallest_words: int = 100_000
    """From how many words of both languages together workers learn the lexicon."""
    smallest_sentences: int = 6_000
    """From how many sentences of both languages together workers search for candidates."""
    sentences_per_block: int = 512
    """How many sentences a block of queries has at least; at most 16 times as many."""
    pairs_per_block: int = 1 << 14
    """How many candidates are scored at a time."""
    sentences_per_batch: int = 1024
    """How many sentences the encoder gets at a time."""
    smallest_seconds: float = 2.0
    """From how many expected seconds workers encode sentences."""
    smallest_similarities: int = 1 << 27
    """From how many pairs of vectors workers compare them."""
    similarities_per_block: int = 1 << 24
    """How many similarities are in memory at a time: 64 MB, and some 150 MB more while the best are found."""
    fewest_vectors: int = 1 << 9
    """How many vectors a worker gets at a time, at least."""
    most_vectors: int = 1 << 12
    """How many vectors a worker gets at a time, at most.

    With `others_per_block` these are 150 MB if vectors have 1,024 numbers, and some seconds of work.
    """
    others_per_block: int = 1 << 15
    """How many vectors of the other language they are compared with at a time."""


MINING_SIZES = MiningSizes()
