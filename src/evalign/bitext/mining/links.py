"""Which terms of two corpora are translations of each other, and how surely.

A term is linked to its translations in the lexicon, each as strongly as it is probable beside the best one, and to terms
that are written like it. Both directions count on their own: a word may be a sure translation of another that has better ones.

A link is weaker where one term is much rarer than the other: model 1 has rare words translate common ones that happen to
stand by them. On training halves of sets like those of the documentation this raised F by one (fr, zh) and two (de).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.bitext.mining.coded import EncodedCorpus
from evalign.bitext.mining.lexicon import Lexicon
from evalign.bitext.pairs import Numbers

Strengths: TypeAlias = npt.NDArray[np.float64]

# A translation that is less probable than this beside the best one is mostly chance.
FAINTEST = 0.1
# Words with the same beginning are taken for the same word (Etchegoyhen and Azpeitia 2016, "Set-Theoretic Alignment for
# Comparable Corpora"): at least so many characters, and this share of the longer word.
SHORTEST_PREFIX = 4
LEAST_SHARED = 0.6
# What a link loses for each unit that the IDF of its terms differ by: the exponent of its strength.
_LOSS = 0.25
# Links that each term keeps; common words have hundreds, of which the others are chance and take time.
MOST_LINKS = 20


class TermLinks(NamedTuple):
    """Links of the terms of one corpus to those of the other, by term."""

    starts: Numbers
    """Where the links of each term begin; one more at the end."""
    terms: Numbers
    """Terms of the other corpus."""
    there: Strengths
    """How surely the other term is a translation of this one."""
    back: Strengths
    """How surely this term is a translation of the other one."""


def link_terms(first: EncodedCorpus, second: EncodedCorpus, lexicon: Lexicon) -> TermLinks:
    """Links of the terms of the first corpus to those of the second, from a lexicon and from how they are written."""
    found: list[dict[int, tuple[float, float]]] = [{} for _ in first.numbers]
    for word, number in first.numbers.items():
        for translation, strength in relative(lexicon.forward.get(word, {})).items():
            if translation in second.numbers:
                found[number][second.numbers[translation]] = strength, 0.0
    for word, number in second.numbers.items():
        for translation, strength in relative(lexicon.backward.get(word, {})).items():
            if translation in first.numbers:
                links = found[first.numbers[translation]]
                links[number] = links.get(number, (0.0, 0.0))[0], strength
    _add_alike(found, first.numbers, second.numbers)
    weakened = _weaken(_pack(found), np.array(first.weights), np.array(second.weights))
    return _keep_best(weakened)


def reverse_links(links: TermLinks, n_terms: int) -> TermLinks:
    """The same links by the terms of the other corpus, of which there are so many."""
    sources = _sources(links)
    order = np.argsort(links.terms, kind="stable")
    starts = np.searchsorted(links.terms[order], np.arange(n_terms + 1))
    return TermLinks(starts, sources[order], links.back[order], links.there[order])


def relative(translations: Mapping[str, float]) -> dict[str, float]:
    """Probabilities as shares of the greatest, without those that are mostly chance.

    >>> relative({"cat": 0.5, "cats": 0.25, "the": 0.01})
    {'cat': 1.0, 'cats': 0.5}
    """
    most = max(translations.values(), default=0.0)
    return {word: share / most for word, share in translations.items() if share >= most * FAINTEST}


def simplify(word: str) -> str:
    """A word without accents and other marks.

    >>> simplify("présidence")
    'presidence'
    """
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))


def likeness(first: str, second: str) -> float:
    """How much of the longer of two words their common beginning is; 0 where it is too little, or one is no word.

    >>> likeness("international", "internationale"), likeness("1945", "1946"), likeness("1945", "1945")
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
    found: list[dict[int, tuple[float, float]]], first: Mapping[str, int], second: Mapping[str, int]
) -> None:
    """Links between terms that are written alike: equal ones, and words with the same beginning."""
    by_start: dict[str, list[tuple[str, int]]] = {}
    for word, number in second.items():
        simple = simplify(word)
        by_start.setdefault(simple[:SHORTEST_PREFIX], []).append((simple, number))
    for word, source in first.items():
        simple = simplify(word)
        links = found[source]
        for other, number in by_start.get(simple[:SHORTEST_PREFIX], ()):
            alike = likeness(simple, other)
            if alike:
                there, back = links.get(number, (0.0, 0.0))
                links[number] = max(there, alike), max(back, alike)


def _pack(found: list[dict[int, tuple[float, float]]]) -> TermLinks:
    sizes = [len(links) for links in found]
    starts = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))).astype(np.int64)
    terms = np.fromiter((term for links in found for term in links), np.int64, int(starts[-1]))
    strengths = [
        np.fromiter((pair[side] for links in found for pair in links.values()), np.float64, int(starts[-1]))
        for side in (0, 1)
    ]
    return TermLinks(starts, terms, *strengths)


def _sources(links: TermLinks) -> Numbers:
    """The term that each link is of."""
    return np.repeat(np.arange(len(links.starts) - 1), np.diff(links.starts))


def _weaken(links: TermLinks, first: Strengths, second: Strengths) -> TermLinks:
    """Links between terms that count differently made weaker, and those left out that become too weak."""
    factors = np.exp(-_LOSS * np.abs(first[_sources(links)] - second[links.terms]))
    weaker = links._replace(there=links.there * factors, back=links.back * factors)
    return _take(weaker, np.maximum(weaker.there, weaker.back) >= FAINTEST)


def _keep_best(links: TermLinks) -> TermLinks:
    """Links that are among the best of both their terms."""
    sources = _sources(links)
    strengths = links.there + links.back
    ranks = [
        _rank(terms, strengths, others) for terms, others in ((sources, links.terms), (links.terms, sources))
    ]
    return _take(links, np.maximum(*ranks) < MOST_LINKS)


def _rank(terms: Numbers, strengths: Strengths, others: Numbers) -> Numbers:
    """The place of each link among those of its term, from 0; of equal ones the first is before."""
    order = np.lexsort((others, -strengths, terms))
    starts = np.flatnonzero(np.diff(terms[order], prepend=-1))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))
    return ranks


def _take(links: TermLinks, kept: npt.NDArray[np.bool_]) -> TermLinks:
    sizes = np.bincount(_sources(links)[kept], minlength=len(links.starts) - 1)
    starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    return TermLinks(starts, links.terms[kept], links.there[kept], links.back[kept])
