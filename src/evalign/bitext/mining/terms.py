"""Sentences as terms that may be translations of each other.

Words between spaces are the terms of the search engine. A run of characters without spaces gives each of its characters,
and each word in it that a lexicon knows, whether or not they overlap: no cut has to be decided on. Measured on sets like
those of the documentation, training halves: characters alone F 57, all bigrams 57, the longest words 55, this 62.

>>> from evalign.bitext.languages import find_language
>>> Cutter(find_language("zh"), frozenset({"有线", "电视"})).cut("有线电视 TV")
['有', '线', '电', '视', '有线', '电视', 'tv']
>>> Cutter(find_language("fr")).cut("L'homme")
['l', 'homme']
"""

from __future__ import annotations

from collections.abc import Iterable

from evalign.bitext.languages import Language
from evalign.bitext.languages.folding import cut_pieces, fold, is_run
from evalign.bitext.languages.terms import index_terms


class Cutter:
    """Cuts sentences of a language; `words` are those that are looked for in runs of characters."""

    def __init__(self, language: Language, words: Iterable[str] = ()) -> None:
        self.language = language
        self.words = frozenset(each for each in map(fold, words) if len(each) > 1 and _is_word(each))
        self._sizes = sorted({len(word) for word in self.words})

    def cut(self, sentence: str) -> list[str]:
        """The terms of a sentence, with every repetition."""
        if self.language.unit == "words":
            return index_terms(self.language, sentence)
        terms: list[str] = []
        for piece in cut_pieces(fold(sentence)):
            if is_run(piece):
                terms += piece
                terms += self._find_words(piece)
            else:
                terms.append(piece)
        return terms

    def cut_entry(self, text: str) -> list[str]:
        """The terms of a word in a dictionary: itself where it is one term.

        >>> from evalign.bitext.languages import find_language
        >>> Cutter(find_language("zh"), ["电视"]).cut_entry("电视"), Cutter(find_language("en")).cut_entry("cable television")
        (['电视'], ['cable', 'television'])
        """
        folded = fold(text)
        return [folded] if folded in self.words else self.cut(text)

    def _find_words(self, run: str) -> list[str]:
        return [
            run[start : start + size]
            for size in self._sizes
            for start in range(len(run) - size + 1)
            if run[start : start + size] in self.words
        ]


def _is_word(folded: str) -> bool:
    """Whether it is one run of characters."""
    return cut_pieces(folded) == [folded] and is_run(folded)
