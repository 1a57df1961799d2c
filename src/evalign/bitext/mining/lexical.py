"""Pairs by a lexicon: sentences whose words are translations of each other.

Candidates are searched for in both directions, scored by `coverage`, and each score is compared with those around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from evalign.bitext.mining.candidates import Candidates
from evalign.bitext.mining.coded import Coded, code_sentences
from evalign.bitext.mining.coverage import score_pairs
from evalign.bitext.mining.lexicon import Lexicon
from evalign.bitext.mining.links import Links, link_terms, turn
from evalign.bitext.mining.margin import take_ratios
from evalign.bitext.mining.postings import Postings, gather_links
from evalign.bitext.mining.terms import Cutter
from evalign.bitext.pairs import Numbers
from evalign.progress import Progress, Step, no_progress

# Added to what a score is divided by: the coverage that two sentences have by chance.
_BY_CHANCE = 0.02


def find_lexical(
    texts: tuple[Sequence[str], Sequence[str]],
    cutters: tuple[Cutter, Cutter],
    lexicon: Lexicon,
    *,
    most: int,
    k: int,
    stage: str = "searching",
    progress: Progress = no_progress,
) -> Candidates:
    """Candidates among the sentences of two corpora, at most so many for each sentence of either, with their scores."""
    first, second = (
        code_sentences(map(cutter.cut, side)) for side, cutter in zip(texts, cutters, strict=True)
    )
    links = link_terms(first, second, lexicon)
    pairs = find_candidates(first, second, links, most, stage=stage, progress=progress)
    found = Candidates(*pairs, score_pairs(first, second, links, pairs))
    found = found.take(found.scores > 0)
    return found.with_scores(take_ratios(found, k, added=_BY_CHANCE))


def find_candidates(
    first: Coded,
    second: Coded,
    links: Links,
    most: int,
    *,
    stage: str = "searching",
    progress: Progress = no_progress,
) -> tuple[Numbers, Numbers]:
    """Pairs of sentences of which one is among the likeliest translations of the other, ordered by first and second."""
    turned = turn(links, len(second.numbers))
    total = len(first) + len(second)
    keys = []
    for one, found in _search(first, second, links, most):
        progress(Step(stage, one, total))
        keys.append(one * len(second) + found)
    for two, found in _search(second, first, turned, most):
        progress(Step(stage, len(first) + two, total))
        keys.append(found * len(second) + two)
    packed = np.unique(np.concatenate(keys)) if keys else np.empty(0, np.int64)
    return packed // max(len(second), 1), packed % max(len(second), 1)


def _search(queries: Coded, corpus: Coded, links: Links, most: int) -> Iterator[tuple[int, Numbers]]:
    """For each sentence that has terms the likeliest ones of the other corpus."""
    postings = Postings(corpus)
    weights = np.array(queries.weights)
    for number, terms in enumerate(queries.sentences):
        if terms:
            others, there, back = gather_links(links, terms, weights)
            yield number, postings.search(others, there / queries.totals[number], back, most)
