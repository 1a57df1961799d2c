"""Mining by a lexicon: pairs of sentences whose words are translations of each other.

Candidates are searched for in both directions and scored by `score_coverage`. Each score is then divided by
the mean of the best scores of its two sentences (`take_ratios`).
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.bitext.mining.candidates import MINING_SIZES, Candidates, MiningSizes, take_ratios
from evalign.bitext.mining.lexicon import Lexicon
from evalign.bitext.mining.word_cutter import Cutter
from evalign.bitext.pairs import Numbers, Scores
from evalign.bitext.workers import Broadcast, closing_results, cut_evenly
from evalign.engines.base import Engine, SerialEngine, run_ordered
from evalign.progress import Progress, Step, no_progress

# Sentences of a corpus as numbers of terms, and how much each term weighs.


@dataclass(frozen=True, eq=False)
class EncodedCorpus:
    """A corpus whose sentences are tuples of the numbers of their distinct terms."""

    numbers: dict[str, int]
    """The number of every term, in order of appearance."""
    sentences: Sequence[tuple[int, ...]]
    weights: Sequence[float]
    """The weight of each term: its IDF in this corpus."""
    totals: Sequence[float]
    """The sum of the weights of each sentence's terms."""

    def __len__(self) -> int:
        return len(self.sentences)


def encode_corpus(sentences: Iterable[Sequence[str]]) -> EncodedCorpus:
    """Encode sentences, given as their terms.

    >>> encode_corpus([["a", "cat"], ["a", "dog", "a"]]).sentences
    [(0, 1), (0, 2)]
    """
    numbers: dict[str, int] = {}
    coded: list[tuple[int, ...]] = []
    frequencies: Counter[int] = Counter()
    for terms in sentences:
        distinct = tuple(dict.fromkeys(numbers.setdefault(term, len(numbers)) for term in terms))
        coded.append(distinct)
        frequencies.update(distinct)
    weights = [_idf(frequencies[number], len(coded)) for number in range(len(numbers))]
    totals = [math.fsum(weights[number] for number in each) for each in coded]
    return EncodedCorpus(numbers, coded, weights, totals)


def _idf(frequency: int, sentences: int) -> float:
    """Return the smoothed inverse document frequency of a term that occurs in `frequency` of `sentences`.

    It is positive even for a term in every sentence, because that term was translated too.
    """
    return math.log((sentences + 1) / (frequency + 0.5))


# Links: which terms of two corpora are translations of each other, and how strongly.
#
# A term is linked to its translations in the lexicon, with a strength of their probability relative to the
# best one, and to terms that are spelled alike. Both directions count on their own: a word may be a sure
# translation of another one that has better translations.
#
# A link is weaker if one term is much rarer than the other, because model 1 makes rare words translations of
# common ones that happen to stand near them. On the training halves of sets like those of the documentation
# this raised F by one (fr, zh) and two (de).

Strengths: TypeAlias = npt.NDArray[np.float64]

# A translation less probable than this, relative to the best one, is mostly chance.
FAINTEST = 0.1
# Words with a common prefix count as the same word (Etchegoyhen and Azpeitia 2016, "Set-Theoretic Alignment
# for Comparable Corpora"): of at least this many characters, and at least this share of the longer word.
SHORTEST_PREFIX = 4
LEAST_SHARED = 0.6
# Per unit that the IDF of both terms differ by, the strength of a link is multiplied by exp(-_LOSS).
_LOSS = 0.25
# How many links a term keeps. Common words have hundreds, and those beyond this number are chance and take
# time.
MOST_LINKS = 20


class TermLinks(NamedTuple):
    """Links from the terms of one corpus to those of the other, ordered by term."""

    starts: Numbers
    """Where the links of each term begin, and one more entry: the number of links."""
    terms: Numbers
    """The linked terms of the other corpus."""
    forward: Strengths
    """How surely the other term is a translation of this one."""
    backward: Strengths
    """How surely this term is a translation of the other one."""


def link_terms(first: EncodedCorpus, second: EncodedCorpus, lexicon: Lexicon) -> TermLinks:
    """Link terms of the first corpus to terms of the second, by a lexicon and by their spelling."""
    links_by_term: list[dict[int, tuple[float, float]]] = [{} for _ in first.numbers]
    for word, number in first.numbers.items():
        for translation, strength in relative_strengths(lexicon.forward.get(word, {})).items():
            if translation in second.numbers:
                links_by_term[number][second.numbers[translation]] = strength, 0.0
    for word, number in second.numbers.items():
        for translation, strength in relative_strengths(lexicon.backward.get(word, {})).items():
            if translation in first.numbers:
                links = links_by_term[first.numbers[translation]]
                links[number] = links.get(number, (0.0, 0.0))[0], strength
    _add_alike(links_by_term, first.numbers, second.numbers)
    weakened = _weaken(_pack(links_by_term), np.array(first.weights), np.array(second.weights))
    return _keep_best(weakened)


def reverse_links(links: TermLinks, n_terms: int) -> TermLinks:
    """Return the same links ordered by the terms of the other corpus; `n_terms` is the number of these."""
    sources = _sources(links)
    order = np.argsort(links.terms, kind="stable")
    starts = np.searchsorted(links.terms[order], np.arange(n_terms + 1))
    return TermLinks(starts, sources[order], links.backward[order], links.forward[order])


def relative_strengths(translations: Mapping[str, float]) -> dict[str, float]:
    """Return probabilities divided by the greatest one, without those that are mostly chance.

    >>> relative_strengths({"cat": 0.5, "cats": 0.25, "the": 0.01})
    {'cat': 1.0, 'cats': 0.5}
    """
    most = max(translations.values(), default=0.0)
    return {word: share / most for word, share in translations.items() if share >= most * FAINTEST}


def strip_accents(word: str) -> str:
    """Remove accents and other combining marks from a word.

    >>> strip_accents("présidence")
    'presidence'
    """
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))


def word_likeness(first: str, second: str) -> float:
    """Return the length of the common prefix of two words as a share of the longer word.

    1 if they are equal; 0 if the prefix is too short, or if one has other characters than letters.

    >>> word_likeness("international", "internationale"), word_likeness("1945", "1946"), word_likeness("1945", "1945")
    (0.9285714285714286, 0.0, 1.0)
    """
    if first == second:
        return 1.0
    if not (first.isalpha() and second.isalpha()):
        return 0.0
    shared = 0
    for one, two in zip(first, second, strict=False):
        if one != two:
            break
        shared += 1
    share = shared / max(len(first), len(second))
    return share if shared >= SHORTEST_PREFIX and share >= LEAST_SHARED else 0.0


def _add_alike(
    links_by_term: list[dict[int, tuple[float, float]]], first: Mapping[str, int], second: Mapping[str, int]
) -> None:
    """Add links between terms that are spelled alike: equal ones, and words with a common prefix."""
    by_start: dict[str, list[tuple[str, int]]] = {}
    for word, number in second.items():
        simple = strip_accents(word)
        by_start.setdefault(simple[:SHORTEST_PREFIX], []).append((simple, number))
    for word, source in first.items():
        simple = strip_accents(word)
        links = links_by_term[source]
        for other, number in by_start.get(simple[:SHORTEST_PREFIX], ()):
            alike = word_likeness(simple, other)
            if alike:
                there, back = links.get(number, (0.0, 0.0))
                links[number] = max(there, alike), max(back, alike)


def _pack(links_by_term: list[dict[int, tuple[float, float]]]) -> TermLinks:
    sizes = [len(links) for links in links_by_term]
    starts = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))).astype(np.int64)
    terms = np.fromiter((term for links in links_by_term for term in links), np.int64, int(starts[-1]))
    strengths = [
        np.fromiter(
            (pair[side] for links in links_by_term for pair in links.values()), np.float64, int(starts[-1])
        )
        for side in (0, 1)
    ]
    return TermLinks(starts, terms, *strengths)


def _sources(links: TermLinks) -> Numbers:
    """Return the term that each link starts from."""
    return np.repeat(np.arange(len(links.starts) - 1), np.diff(links.starts))


def _weaken(links: TermLinks, first: Strengths, second: Strengths) -> TermLinks:
    """Weaken links between terms of different weights, and remove those that become too weak."""
    factors = np.exp(-_LOSS * np.abs(first[_sources(links)] - second[links.terms]))
    weaker = links._replace(forward=links.forward * factors, backward=links.backward * factors)
    return _take(weaker, np.maximum(weaker.forward, weaker.backward) >= FAINTEST)


def _keep_best(links: TermLinks) -> TermLinks:
    """Keep links that are among the best `MOST_LINKS` of both their terms."""
    sources = _sources(links)
    strengths = links.forward + links.backward
    ranks = [
        _rank(terms, strengths, others) for terms, others in ((sources, links.terms), (links.terms, sources))
    ]
    return _take(links, np.maximum(*ranks) < MOST_LINKS)


def _rank(terms: Numbers, strengths: Strengths, others: Numbers) -> Numbers:
    """Return the rank of each link among the links of its term, from 0 for the strongest.

    Among equal strengths, the smaller number in `others` ranks first.
    """
    order = np.lexsort((others, -strengths, terms))
    starts = np.flatnonzero(np.diff(terms[order], prepend=-1))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))
    return ranks


def _take(links: TermLinks, kept: npt.NDArray[np.bool_]) -> TermLinks:
    sizes = np.bincount(_sources(links)[kept], minlength=len(links.starts) - 1)
    starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    return TermLinks(starts, links.terms[kept], links.forward[kept], links.backward[kept])


# Coverage: how much of two sentences is translated by each other.
#
# The coverage of a sentence is the share of its terms that have a translation in the other one: each term
# counts its IDF in the corpus times the strength of its best translation. The score of a pair is the harmonic
# mean of both coverages.


def score_coverage(
    first: EncodedCorpus, second: EncodedCorpus, links: TermLinks, pairs: tuple[Numbers, Numbers]
) -> Scores:
    """Return the coverage score of each pair; `pairs` are ordered by their first sentences."""
    terms: dict[int, frozenset[int]] = {}
    scores = np.zeros(len(pairs[0]))
    linked: dict[int, list[tuple[int, float, float]]] = {}
    at = -1
    for which, (one, two) in enumerate(zip(pairs[0].tolist(), pairs[1].tolist(), strict=True)):
        if one != at:
            at, linked = one, _links_of(first.sentences[one], links)
        if two not in terms:
            terms[two] = frozenset(second.sentences[two])
        scores[which] = _score_pair(first, second, linked, one, two, terms[two])
    return scores


def _links_of(sentence: tuple[int, ...], links: TermLinks) -> dict[int, list[tuple[int, float, float]]]:
    """Map each term of the other language to the terms of a sentence that link to it, with both strengths."""
    linked: dict[int, list[tuple[int, float, float]]] = {}
    for term in sentence:
        span = slice(links.starts[term], links.starts[term + 1])
        rows = zip(
            links.terms[span].tolist(),
            links.forward[span].tolist(),
            links.backward[span].tolist(),
            strict=True,
        )
        for other, there, back in rows:
            linked.setdefault(other, []).append((term, there, back))
    return linked


def _score_pair(
    first: EncodedCorpus,
    second: EncodedCorpus,
    linked: dict[int, list[tuple[int, float, float]]],
    one: int,
    two: int,
    terms: frozenset[int],
) -> float:
    best: dict[int, float] = {}
    covering = 0.0
    # Sorted, so that floats are added in the same order on every run.
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


# Search: an index from terms to the sentences that contain them, to find likely translations of a sentence.
#
# Only sentences that share a link are looked at, never all pairs. A search adds up what `score_coverage` adds
# up, except that a term counts once for every link instead of once for its best link: so the best by the
# search are nearly always among the best by coverage. The weights of a search engine are further from it: on
# sets of some 2,000 by 2,000 sentences, French and German with English, the first 20 hits of tantivy had 84 %
# of the translations, the first 10 of this 99 %.

# A term in more than this share of the sentences, or this number if that is more, is not searched for: it
# tells little, and has most of the postings.
_LARGEST_SHARE = 0.02
_LEAST_LIMIT = 500
# Sentences that score less than this share of the best one are not ranked, unless there are too few others.
_FAR = 0.3


class Postings:
    """An inverted index: for every term of a corpus, the sentences that contain it."""

    def __init__(self, corpus: EncodedCorpus) -> None:
        sizes = np.fromiter(map(len, corpus.sentences), np.int64, len(corpus))
        terms = np.fromiter((term for each in corpus.sentences for term in each), np.int64, int(sizes.sum()))
        order = np.argsort(terms, kind="stable")
        self._sentences: Numbers = np.repeat(np.arange(len(corpus)), sizes)[order]
        self._starts: Numbers = np.searchsorted(terms[order], np.arange(len(corpus.weights) + 1))
        self._sizes = np.diff(self._starts)
        self._sizes[self._sizes > max(_LEAST_LIMIT, _LARGEST_SHARE * len(corpus))] = 0
        self._weights: Strengths = np.array(corpus.weights)
        # A sentence without terms is never found; this only avoids a division by 0.
        self._totals: Strengths = np.maximum(np.array(corpus.totals), 1e-9)

    def search(self, terms: Numbers, there: Strengths, back: Strengths, most: int) -> Numbers:
        """Return the likeliest sentences, `most` at most, in no order.

        `terms` are the terms of this corpus that the query links to. `there` is what each adds to the covered
        share of the query, `back` how surely the term itself is covered by the query.
        """
        sizes = self._sizes[terms]
        if not sizes.any():
            return np.empty(0, np.int64)
        first = np.cumsum(sizes) - sizes
        places = np.arange(int(sizes.sum())) + np.repeat(self._starts[terms] - first, sizes)
        sentences = self._sentences[places]
        n = len(self._totals)
        sums = _add_up(sentences, np.repeat(there, sizes), n)
        touched = np.flatnonzero(sums)
        covered = np.minimum(sums[touched], 1.0)
        covering = _add_up(sentences, np.repeat(back * self._weights[terms], sizes), n)[touched]
        covering /= self._totals[touched]
        np.minimum(covering, 1.0, out=covering)
        # Half the harmonic mean, which gives the same order.
        return touched[_find_best(covered * covering / (covered + covering), most)]


def _add_up(numbers: Numbers, shares: Strengths, n: int) -> Strengths:
    return np.bincount(numbers, shares, n).astype(np.float64, copy=False)


def _find_best(scores: Strengths, most: int) -> Numbers:
    best = float(scores.max(initial=0.0))
    if best <= 0.0:
        return np.empty(0, np.int64)
    kept = np.flatnonzero(scores >= best * _FAR)
    if len(kept) < most:
        kept = np.flatnonzero(scores > 0)
    if len(kept) <= most:
        return kept
    # By score and then by number, so that the choice among equal scores is always the same.
    least = -np.partition(-scores[kept], most - 1)[most - 1]
    sure = kept[scores[kept] > least]
    return np.concatenate((sure, kept[scores[kept] == least][: most - len(sure)]))


def gather_links(
    links: TermLinks, terms: tuple[int, ...], weights: Strengths
) -> tuple[Numbers, Strengths, Strengths]:
    """Return all links of the terms of a sentence, as three arrays.

    They are the linked term, what it adds to the covered share of the sentence, and how surely it is covered
    itself.
    """
    spans = [slice(links.starts[term], links.starts[term + 1]) for term in terms]
    sizes = [span.stop - span.start for span in spans]
    others = np.concatenate([links.terms[span] for span in spans])
    there = np.concatenate([links.forward[span] for span in spans]) * np.repeat(weights[list(terms)], sizes)
    return others, there, np.concatenate([links.backward[span] for span in spans])


# The coverage that two sentences have by chance; added to what scores are divided by.
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
    engine: Engine | None = None,
    sizes: MiningSizes = MINING_SIZES,
) -> Candidates:
    """Find candidates among the sentences of two corpora, with ratios as scores.

    For each sentence of either corpus, the `most` likeliest translations are scored by coverage; a score is
    then divided by the mean of the best `k` scores of both sentences.
    """
    first, second = (
        encode_corpus(map(cutter.cut, side)) for side, cutter in zip(texts, cutters, strict=True)
    )
    links = link_terms(first, second, lexicon)
    where = engine if engine and len(first) + len(second) >= sizes.smallest_sentences else SerialEngine()
    # Workers need only the numbers of terms, not their text.
    sent = Broadcast(LinkedCorpora(replace(first, numbers={}), replace(second, numbers={}), links))
    pairs = find_candidates(sent, most, stage=stage, progress=progress, engine=where, sizes=sizes)
    candidates = Candidates(*pairs, _score(sent, pairs, f"{stage}, scores", progress, where, sizes))
    candidates = candidates.take(candidates.scores > 0)
    return candidates.with_scores(take_ratios(candidates, k, added=_BY_CHANCE))


@dataclass(frozen=True, eq=False)
class LinkedCorpora:
    """Two corpora and the links between their terms."""

    first: EncodedCorpus
    second: EncodedCorpus
    links: TermLinks

    @cached_property
    def ways(self) -> tuple[_Way, _Way]:
        """Both directions of search: the second corpus for first sentences, and the other way round."""
        turned = reverse_links(self.links, len(self.second.weights))
        return _Way(self.first, self.second, self.links), _Way(self.second, self.first, turned)


class _Way:
    """One direction of search: sentences of one corpus are searched for in the other."""

    def __init__(self, queries: EncodedCorpus, corpus: EncodedCorpus, links: TermLinks) -> None:
        self._queries, self._links = queries, links
        self._weights = np.array(queries.weights)
        self._postings = Postings(corpus)

    def search(self, number: int, most: int) -> Numbers:
        """Return the likeliest sentences of the other corpus for a sentence."""
        terms = self._queries.sentences[number]
        if not terms:
            return np.empty(0, np.int64)
        others, there, back = gather_links(self._links, terms, self._weights)
        return self._postings.search(others, there / self._queries.totals[number], back, most)


class _Block(NamedTuple):
    """Consecutive sentences to search for: of the first corpus if `side` is 0, of the second if it is 1."""

    side: int
    start: int
    end: int


def find_candidates(
    linked: Broadcast[LinkedCorpora],
    most: int,
    *,
    stage: str = "searching",
    progress: Progress = no_progress,
    engine: Engine | None = None,
    sizes: MiningSizes = MINING_SIZES,
) -> tuple[Numbers, Numbers]:
    """Return pairs in which one sentence is among the `most` likeliest translations of the other.

    Two arrays of sentence numbers, ordered by the first and then by the second.
    """
    where = engine or SerialEngine()
    n_sentences = len(linked.value.first), len(linked.value.second)
    least = sizes.sentences_per_block
    blocks = [
        _Block(side, *block)
        for side, size in enumerate(n_sentences)
        for block in cut_evenly(size, least, where, most=16 * least)
    ]
    keys = [np.empty(0, np.int64)]
    done = 0
    progress(Step(stage, 0, sum(n_sentences)))
    with closing_results(where.run(partial(_search, linked, most), blocks)) as results:
        for number, some in results:
            keys.append(some)
            done += blocks[number].end - blocks[number].start
            progress(Step(stage, done, sum(n_sentences)))
    packed = np.unique(np.concatenate(keys))
    return packed // max(n_sentences[1], 1), packed % max(n_sentences[1], 1)


def _search(linked: Broadcast[LinkedCorpora], most: int, block: _Block) -> Numbers:
    """Search for the sentences of a block; return each pair packed into one integer."""
    width = len(linked.value.second)
    way = linked.value.ways[block.side]
    keys = [np.empty(0, np.int64)]
    for number in range(block.start, block.end):
        sentences = way.search(number, most)
        keys.append(sentences * width + number if block.side else number * width + sentences)
    return np.concatenate(keys)


def _score(
    linked: Broadcast[LinkedCorpora],
    pairs: tuple[Numbers, Numbers],
    stage: str,
    progress: Progress,
    engine: Engine,
    sizes: MiningSizes,
) -> Scores:
    """Return the coverage score of each pair."""
    n, size = len(pairs[0]), sizes.pairs_per_block
    blocks = ((pairs[0][start : start + size], pairs[1][start : start + size]) for start in range(0, n, size))
    scores = [np.empty(0)]
    done = 0
    with closing_results(run_ordered(engine, partial(_score_block, linked), blocks)) as results:
        for some in results:
            scores.append(some)
            done += len(some)
            progress(Step(stage, done, n))
    return np.concatenate(scores)


def _score_block(linked: Broadcast[LinkedCorpora], pairs: tuple[Numbers, Numbers]) -> Scores:
    return score_coverage(linked.value.first, linked.value.second, linked.value.links, pairs)
