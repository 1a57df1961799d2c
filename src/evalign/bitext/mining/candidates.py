"""Pairs of sentences that may be translations, with a score for each: the best one to one, and scores as margins."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evalign.bitext.pairs import Numbers, Scores


@dataclass(frozen=True, eq=False)
class Candidates:
    """Pairs of the numbers of sentences, each once."""

    first: Numbers
    second: Numbers
    scores: Scores

    def take(self, which: npt.NDArray[np.int64] | npt.NDArray[np.bool_]) -> Candidates:
        """Some of them."""
        return Candidates(self.first[which], self.second[which], self.scores[which])

    def with_scores(self, scores: Scores) -> Candidates:
        """The same pairs with other scores."""
        return replace(self, scores=scores)

    def __len__(self) -> int:
        return len(self.first)


def choose_pairs(candidates: Candidates) -> Candidates:
    """Candidates by falling score, each only where neither of its sentences is taken; of equal ones the first ids first."""
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


# Scores in the light of what else is near: the ratio margin.
#
# A sentence of common words is near to many others, and a score that is high for one sentence is low for another. So
# a score is divided by the mean of the best k of both its sentences (Artetxe and Schwenk 2019, "Margin-based Parallel
# Corpus Mining with Multilingual Sentence Embeddings", section 3.2, ratio).


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
    result = np.empty(len(order))
    result[order] = means[group]
    return result


@dataclass(frozen=True)
class MiningSizes:
    """How mining is cut into pieces, and what is too small to be sent to workers. The pairs are the same whatever it is."""

    smallest_words: int = 100_000
    """From how many words of both languages on workers learn the lexicon."""
    smallest_sentences: int = 6_000
    """From how many sentences on workers search for candidates."""
    sentences_per_block: int = 512
    """How many sentences are searched for at a time, at least; of many, up to 16 times as many."""
    pairs_per_block: int = 1 << 14
    """How many candidates are scored at a time."""
    sentences_per_batch: int = 1024
    """How many sentences the encoder gets at a time."""
    smallest_seconds: float = 2.0
    """From how many expected seconds on workers encode sentences."""
    smallest_similarities: int = 1 << 27
    """From how many products of vectors on workers compare them."""
    similarities_per_block: int = 1 << 24
    """How many products are in memory at a time: 64 MB of them, and some 150 MB more while the best are found."""
    fewest_vectors: int = 1 << 9
    """How many vectors a worker gets at a time, at least."""
    most_vectors: int = 1 << 12
    """The same, at most: with the others 150 MB where vectors have 1,024 numbers, and some seconds of work."""
    others_per_block: int = 1 << 15
    """How many vectors of the other language they are compared with."""


MINING_SIZES = MiningSizes()
