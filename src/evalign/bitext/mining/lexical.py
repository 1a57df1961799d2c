"""Pairs by a lexicon: sentences whose words are translations of each other.

Candidates are searched for in both directions, scored by `coverage`, and each score is compared with those around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from evalign.bitext.mining.candidates import Candidates
from evalign.bitext.mining.coded import Coded, code_sentences
from evalign.bitext.mining.coverage import score_pairs
from evalign.bitext.mining.lexicon import Lexicon
from evalign.bitext.mining.links import Links, link_terms, turn
from evalign.bitext.mining.margin import take_ratios
from evalign.bitext.mining.postings import Postings, gather_links
from evalign.bitext.mining.terms import Cutter
from evalign.bitext.pairs import Numbers, Scores
from evalign.bitext.sharing import Sent, cut_evenly, ending
from evalign.engines import Engine, SerialEngine, run_ordered
from evalign.progress import Progress, Step, no_progress

# Added to what a score is divided by: the coverage that two sentences have by chance.
_BY_CHANCE = 0.02
# How many sentences are searched for at a time, and how many pairs are scored; of many, some times as many.
BLOCK = 512
PAIRS = 1 << 14
# Fewer sentences are searched for before workers have begun.
LEAST_SENTENCES = 6_000


def find_lexical(
    texts: tuple[Sequence[str], Sequence[str]],
    cutters: tuple[Cutter, Cutter],
    lexicon: Lexicon,
    *,
    most: int,
    k: int,
    stage: str = "searching",
    progress: Progress = no_progress,
    engine: Engine | None = None,
) -> Candidates:
    """Candidates among the sentences of two corpora, at most so many for each sentence of either, with their scores."""
    first, second = (
        code_sentences(map(cutter.cut, side)) for side, cutter in zip(texts, cutters, strict=True)
    )
    links = link_terms(first, second, lexicon)
    where = engine if engine and len(first) + len(second) >= LEAST_SENTENCES else SerialEngine()
    # The terms as text have done their part.
    sent = Sent(Linked(replace(first, numbers={}), replace(second, numbers={}), links))
    pairs = find_candidates(sent, most, stage=stage, progress=progress, engine=where)
    found = Candidates(*pairs, _score(sent, pairs, f"{stage}, scores", progress, where))
    found = found.take(found.scores > 0)
    return found.with_scores(take_ratios(found, k, added=_BY_CHANCE))


@dataclass(frozen=True, eq=False)
class Linked:
    """Two corpora and the links between their terms."""

    first: Coded
    second: Coded
    links: Links

    @cached_property
    def ways(self) -> tuple[_Way, _Way]:
        """What is searched in both directions: the second corpus for the first, the first for the second."""
        turned = turn(self.links, len(self.second.weights))
        return _Way(self.first, self.second, self.links), _Way(self.second, self.first, turned)


class _Way:
    """Sentences of one corpus that are searched for in the other."""

    def __init__(self, queries: Coded, corpus: Coded, links: Links) -> None:
        self._queries, self._links = queries, links
        self._weights = np.array(queries.weights)
        self._postings = Postings(corpus)

    def search(self, number: int, most: int) -> Numbers:
        """The likeliest sentences of the other corpus for a sentence."""
        terms = self._queries.sentences[number]
        if not terms:
            return np.empty(0, np.int64)
        others, there, back = gather_links(self._links, terms, self._weights)
        return self._postings.search(others, there / self._queries.totals[number], back, most)


class _Block(NamedTuple):
    """Sentences of the first or the second corpus that are searched for."""

    side: int
    start: int
    end: int


def find_candidates(
    linked: Sent[Linked],
    most: int,
    *,
    stage: str = "searching",
    progress: Progress = no_progress,
    engine: Engine | None = None,
) -> tuple[Numbers, Numbers]:
    """Pairs of sentences of which one is among the likeliest translations of the other, ordered by first and second."""
    where = engine or SerialEngine()
    sizes = len(linked.value.first), len(linked.value.second)
    blocks = [
        _Block(side, *block)
        for side, size in enumerate(sizes)
        for block in cut_evenly(size, BLOCK, where, most=16 * BLOCK)
    ]
    keys = [np.empty(0, np.int64)]
    done = 0
    progress(Step(stage, 0, sum(sizes)))
    with ending(where.run(partial(_search, linked, most), blocks)) as found:
        for number, some in found:
            keys.append(some)
            done += blocks[number].end - blocks[number].start
            progress(Step(stage, done, sum(sizes)))
    packed = np.unique(np.concatenate(keys))
    return packed // max(sizes[1], 1), packed % max(sizes[1], 1)


def _search(linked: Sent[Linked], most: int, block: _Block) -> Numbers:
    """Pairs of a block, each as one number."""
    width = len(linked.value.second)
    way = linked.value.ways[block.side]
    keys = [np.empty(0, np.int64)]
    for number in range(block.start, block.end):
        found = way.search(number, most)
        keys.append(found * width + number if block.side else number * width + found)
    return np.concatenate(keys)


def _score(
    linked: Sent[Linked], pairs: tuple[Numbers, Numbers], stage: str, progress: Progress, engine: Engine
) -> Scores:
    """The score of each pair."""
    n = len(pairs[0])
    blocks = (
        (pairs[0][start : start + PAIRS], pairs[1][start : start + PAIRS]) for start in range(0, n, PAIRS)
    )
    scores = [np.empty(0)]
    done = 0
    with ending(run_ordered(engine, partial(_score_block, linked), blocks)) as found:
        for some in found:
            scores.append(some)
            done += len(some)
            progress(Step(stage, done, n))
    return np.concatenate(scores)


def _score_block(linked: Sent[Linked], pairs: tuple[Numbers, Numbers]) -> Scores:
    return score_pairs(linked.value.first, linked.value.second, linked.value.links, pairs)
