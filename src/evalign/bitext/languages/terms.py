"""Sentences as a search engine sees them: how long they are, what is indexed of them, what is searched for.

>>> from evalign.bitext.languages import Language, find_language
>>> make_query(Language("en", stop_words=frozenset({"the", "of"})), "The rights of the whole nation are at stake")
Query(terms=('rights', 'whole'), minimum=1, phrase_slop=5, pair_slop=5, weights=())

Chinese is cut into bigrams of characters (Zweigenbaum et al. 2018, section 2.3); a locution before a comma and stop
expressions are not searched for:

>>> make_query(find_language("zh"), "由此可见，有线电视的用户很多").terms
('有线', '线电', '电视', '用户')
"""

from __future__ import annotations

import re
from functools import lru_cache

from evalign.bitext.languages.folding import cut_pieces, cut_words, find_word, fold, is_run, pair_characters
from evalign.bitext.languages.settings import Language
from evalign.bitext.search import Query

_HAS_WORD = re.compile(r"[^\W_]").search
# What stands between spaces and has neither letter nor digit in it; one search of a sentence, not one of each word.
_MARKS_ALONE = re.compile(r"(?<!\S)(?:[^\w\s]|_)+(?!\S)")


def count_units(language: Language, sentence: str) -> int:
    """How long a sentence is: words between spaces, without those of marks alone; or characters, without spaces.

    >>> count_units(Language("fr"), "Il a dit : « l'homme »"), count_units(Language("zh", "characters"), "用 mdadm 参数。")
    (4, 9)
    """
    if language.unit == "words":
        return len(sentence.split()) - len(_MARKS_ALONE.findall(sentence))
    return sum(map(len, sentence.split()))


def fits(language: Language, sentence: str) -> bool:
    """Whether a sentence is neither too short nor too long."""
    return language.fits(count_units(language, sentence))


def index_terms(language: Language, sentence: str) -> list[str]:
    """The terms of a sentence, in their order and with every repetition, stop words included.

    >>> index_terms(Language("fr"), "L'Été, l'homme"), index_terms(Language("zh", "characters"), "有线电视TV")
    (['l', 'été', 'l', 'homme'], ['有线', '线电', '电视', 'tv'])
    """
    folded = fold(sentence)
    if language.unit == "words":
        return cut_words(folded)
    terms: list[str] = []
    for piece in cut_pieces(folded):
        if is_run(piece):
            terms += pair_characters(piece)
        else:
            terms.append(piece)
    return terms


def make_query(language: Language, sentence: str) -> Query | None:
    """What is searched for to find a place for a sentence; None where only stop words are left."""
    begun = _without_locution(language, sentence)
    find = _search_words if language.unit == "words" else _search_characters
    terms = tuple(dict.fromkeys(find(language, begun)))
    if not terms:
        return None
    # As Solr's mm: a percentage is rounded down.
    minimum = max(1, len(terms) * language.minimum_should_match // 100)
    return Query(terms, minimum, language.phrase_slop, language.pair_slop)


def _search_words(language: Language, sentence: str) -> list[str]:
    tokens = [token for token in sentence.split() if _HAS_WORD(token)]
    words = cut_words(fold(" ".join(tokens[: language.query])))
    return [word for word in words if word not in language.stop_words]


def _search_characters(language: Language, sentence: str) -> list[str]:
    """Bigrams of the first characters that are left without stop expressions, in the order of the paper's section 2.3."""
    folded = fold(sentence)
    stop = _expressions(language.stop_words)
    begun = _first_characters(stop.sub(" ", folded) if stop else folded, language.query)
    terms: list[str] = []
    for piece in cut_pieces(begun):
        if not is_run(piece):
            terms += [piece] if piece not in language.stop_words else []
        elif len(piece) > 1:
            # What stop expressions leave alone makes no bigram, and is in no index.
            terms += pair_characters(piece)
    return terms


def _without_locution(language: Language, sentence: str) -> str:
    """A sentence without the locution it begins with, unless that is all there is."""
    if not language.locution:
        return sentence
    found = _locution(language.locution, language.commas).match(sentence)
    return sentence[found.end() :] if found and _HAS_WORD(sentence, found.end()) else sentence


@lru_cache(maxsize=64)
def _locution(most: int, commas: str) -> re.Pattern[str]:
    marks = re.escape(commas)
    # A comma between digits ends no locution.
    return re.compile(rf"\s*[^{marks}]{{1,{most}}}(?<!\d)[{marks}]|\s*[^{marks}]{{1,{most}}}[{marks}](?!\d)")


def _first_characters(folded: str, most: int) -> str:
    """The first characters, spaces not counted; a word that would be cut is left out, unless it is the first."""
    places = [place for place, character in enumerate(folded) if not character.isspace()]
    if len(places) <= most:
        return folded
    start, end = find_word(folded, places[most])
    return folded[:start] if _HAS_WORD(folded[:start]) else folded[:end]


def count_expressions(expressions: frozenset[str], folded: str) -> int:
    """How often stop expressions occur in a text without spaces, none within another one.

    >>> count_expressions(frozenset({"一", "一方面"}), "一方面是一切")
    2
    """
    found = _expressions(expressions)
    return len(found.findall(folded)) if found else 0


@lru_cache(maxsize=64)
def _expressions(stop_words: frozenset[str]) -> re.Pattern[str] | None:
    """All stop expressions of characters, of two the longer first; those of letters are words."""
    listed = sorted(
        (each for each in stop_words if each and is_run(each)), key=lambda each: (-len(each), each)
    )
    return re.compile("|".join(map(re.escape, listed))) if listed else None
