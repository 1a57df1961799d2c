"""Queries for a search engine: the interface of the engine, and how a sentence becomes a query.

The interface is small, so that another engine can replace tantivy. To an engine, a sentence is a list of
terms, and its number is its position in the order of indexing.

>>> from evalign.bitext.languages import Language, find_language
>>> make_query(Language("en", stop_words=frozenset({"the", "of"})), "The rights of the whole nation are at stake")
Query(terms=('rights', 'whole'), minimum=1, phrase_slop=5, pair_slop=5, weights=())

Chinese is cut into bigrams of characters (Zweigenbaum et al. 2018, section 2.3); a locution before a comma
and stop expressions are left out of the query:

>>> make_query(find_language("zh"), "由此可见，有线电视的用户很多").terms
('有线', '线电', '电视', '用户')
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple, Protocol

from evalign.bitext.languages import (
    Language,
    cut_pieces,
    cut_words,
    find_word,
    fold_text,
    is_run,
    match_expressions,
    pair_characters,
)

_HAS_WORD = re.compile(r"[^\W_]").search


class Query(NamedTuple):
    """Terms to search for: a hit contains at least `minimum` of them.

    Phrases of the terms raise the score of a hit, but are never required.
    """

    terms: tuple[str, ...]
    minimum: int = 1
    """How many of the distinct terms a sentence must contain."""
    phrase_slop: int | None = None
    """How far terms may be moved to form the phrase of all terms; None for no such phrase."""
    pair_slop: int | None = None
    """How far terms may be moved to form the phrase of two neighbours; None for no such phrases."""
    weights: tuple[float, ...] = ()
    """The weight of each term; empty if all are 1."""


class Hit(NamedTuple):
    """A sentence found by a search: its number in the index, and its score."""

    number: int
    score: float


class SearchIndex(Protocol):
    """An index of sentences that can be searched."""

    def search(self, query: Query, most: int) -> list[Hit]:
        """Return the best sentences, `most` at most, by falling score and then by number."""


def make_query(language: Language, sentence: str) -> Query | None:
    """Return the query that finds sentences like this one; None if only stop words are left."""
    begun = _without_locution(language, sentence)
    find = _search_words if language.unit == "words" else _search_characters
    terms = tuple(dict.fromkeys(find(language, begun)))
    if not terms:
        return None
    # Rounded down, as Solr does with a percentage in "mm" (minimum should match).
    minimum = max(1, len(terms) * language.minimum_should_match // 100)
    return Query(terms, minimum, language.phrase_slop, language.pair_slop)


def _search_words(language: Language, sentence: str) -> list[str]:
    tokens = [token for token in sentence.split() if _HAS_WORD(token)]
    words = cut_words(fold_text(" ".join(tokens[: language.query])))
    return [word for word in words if word not in language.stop_words]


def _search_characters(language: Language, sentence: str) -> list[str]:
    """Return bigrams of the first characters that remain without stop expressions.

    The steps have the order of the paper's section 2.3.
    """
    folded = fold_text(sentence)
    stop = match_expressions(language.stop_words)
    begun = _first_characters(stop.sub(" ", folded) if stop else folded, language.query)
    terms: list[str] = []
    for piece in cut_pieces(begun):
        if not is_run(piece):
            terms.append(piece)
        elif len(piece) > 1:
            # A single character between stop expressions makes no bigram, and is not in the index.
            terms += pair_characters(piece)
    return terms


def _without_locution(language: Language, sentence: str) -> str:
    """Return a sentence without the locution it begins with, unless nothing else is left."""
    if not language.locution:
        return sentence
    match = _locution(language.locution, language.commas).match(sentence)
    return sentence[match.end() :] if match and _HAS_WORD(sentence, match.end()) else sentence


@lru_cache(maxsize=64)
def _locution(most: int, commas: str) -> re.Pattern[str]:
    marks = re.escape(commas)
    # A comma between digits does not end a locution.
    return re.compile(rf"\s*[^{marks}]{{1,{most}}}(?<!\d)[{marks}]|\s*[^{marks}]{{1,{most}}}[{marks}](?!\d)")


def _first_characters(folded: str, most: int) -> str:
    """Return the first `most` characters, not counting spaces.

    A word that would be cut is left out, unless it is the first one.
    """
    places = [place for place, character in enumerate(folded) if not character.isspace()]
    if len(places) <= most:
        return folded
    start, end = find_word(folded, places[most])
    return folded[:start] if _HAS_WORD(folded[:start]) else folded[:end]
