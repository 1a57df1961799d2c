"""Sentences cut into the terms that a lexicon translates. For scripts without spaces, words are found first.

Words between spaces are the terms of the search engine. A run of characters without spaces gives every single
character, and every word in it that a lexicon has, overlapping or not, so no segmentation has to be chosen. F
measured on the training halves of sets like those of the documentation: characters alone 57, all bigrams 57,
the longest words 55, this 62.

>>> from evalign.bitext.languages import find_language
>>> Cutter(find_language("zh"), frozenset({"有线", "电视"})).cut("有线电视 TV")
['有', '线', '电', '视', '有线', '电视', 'tv']
>>> Cutter(find_language("fr")).cut("L'homme")
['l', 'homme']
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from evalign.bitext.languages import Language, cut_pieces, fold_text, index_terms, is_run


class Cutter:
    """Cuts sentences of a language into terms; `words` are looked for in runs without spaces."""

    def __init__(self, language: Language, words: Iterable[str] = ()) -> None:
        self.language = language
        self.words = frozenset(each for each in map(fold_text, words) if len(each) > 1 and _is_word(each))
        self._sizes = sorted({len(word) for word in self.words})

    def cut(self, sentence: str) -> list[str]:
        """Return the terms of a sentence, with repetitions."""
        if self.language.unit == "words":
            return index_terms(self.language, sentence)
        terms: list[str] = []
        for piece in cut_pieces(fold_text(sentence)):
            if is_run(piece):
                terms += piece
                terms += self._find_words(piece)
            else:
                terms.append(piece)
        return terms

    def cut_entry(self, text: str) -> list[str]:
        """Return the terms of a dictionary entry: just the entry if it is one of `words`.

        >>> from evalign.bitext.languages import find_language
        >>> Cutter(find_language("zh"), ["电视"]).cut_entry("电视"), Cutter(find_language("en")).cut_entry("cable television")
        (['电视'], ['cable', 'television'])
        """
        folded = fold_text(text)
        return [folded] if folded in self.words else self.cut(text)

    def _find_words(self, run: str) -> list[str]:
        return [
            run[start : start + size]
            for size in self._sizes
            for start in range(len(run) - size + 1)
            if run[start : start + size] in self.words
        ]


def _is_word(folded: str) -> bool:
    """Return whether folded text is a single run of a script without spaces."""
    return cut_pieces(folded) == [folded] and is_run(folded)


# Finding words in text without spaces.
#
# A string of characters counts as a word if its parts stand together far more often than by chance, however
# it is cut in two (Sproat and Shih 1990), and if many different characters stand before and behind it
# (Tanaka-Ishii 2005, "Entropy as an Indicator of Context Boundaries").


LONGEST_EXPRESSION = 4
_LEAST_FOUND = 5
# In bits: the pointwise mutual information of the parts, and the entropy of the neighbours on either side.
_LEAST_COHESION = 4.0
_LEAST_ENTROPY = 1.5
# More sentences would add no word that a lexicon learnt from them needs, and every string takes memory.
_SENTENCES_TO_SEARCH = 200_000


def find_expressions(sentences: Iterable[str]) -> frozenset[str]:
    """Return the words of two to four characters in sentences without spaces.

    >>> lines = "甲电视乙|丙电视丁|戊电视己|庚电视辛|壬电视癸".split("|")
    >>> find_expressions([*lines, *"子丑寅卯辰巳午未申酉戌亥" * 6])
    frozenset({'电视'})
    """
    runs = [
        piece
        for sentence in islice(sentences, _SENTENCES_TO_SEARCH)
        for piece in cut_pieces(fold_text(sentence))
        if is_run(piece)
    ]
    counts = _count_strings(runs)
    total = sum(map(len, runs))
    cohering = {
        each
        for each, count in counts.items()
        if len(each) > 1 and count >= _LEAST_FOUND and _cohesion(each, counts, total) >= _LEAST_COHESION
    }
    return _keep_open(runs, cohering)


def _count_strings(runs: Sequence[str]) -> Counter[str]:
    """Count all strings of up to `LONGEST_EXPRESSION` characters.

    A longer string is counted only if both strings that are one character shorter are frequent.
    """
    counts = Counter(character for run in runs for character in run)
    often = {each for each, count in counts.items() if count >= _LEAST_FOUND}
    for size in range(2, LONGEST_EXPRESSION + 1):
        longer = Counter(
            run[k : k + size]
            for run in runs
            for k in range(len(run) - size + 1)
            if run[k : k + size - 1] in often and run[k + 1 : k + size] in often
        )
        counts += longer
        often = {each for each, count in longer.items() if count >= _LEAST_FOUND}
    return counts


def _cohesion(string: str, counts: Mapping[str, int], total: int) -> float:
    """Return the pointwise mutual information of both parts of a string, in bits, at its weakest cut."""
    parts = max(counts[string[:k]] * counts[string[k:]] for k in range(1, len(string)))
    return math.log2(counts[string] * total / parts)


def _keep_open(runs: Sequence[str], strings: set[str]) -> frozenset[str]:
    """Return the strings that have many different neighbours on either side.

    The end of a run counts as one.
    """
    around: tuple[dict[str, Counter[str]], dict[str, Counter[str]]] = {}, {}
    for run in runs:
        for size in range(2, LONGEST_EXPRESSION + 1):
            for k in range(len(run) - size + 1):
                string = run[k : k + size]
                if string in strings:
                    around[0].setdefault(string, Counter())[run[k - 1 : k]] += 1
                    around[1].setdefault(string, Counter())[run[k + size : k + size + 1]] += 1
    return frozenset(
        string
        for string in strings
        if min(_entropy(side[string].values()) for side in around) >= _LEAST_ENTROPY
    )


def _entropy(counts: Iterable[int]) -> float:
    values = [*counts]
    total = sum(values)
    return -sum(each / total * math.log2(each / total) for each in values)
