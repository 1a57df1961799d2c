"""What a sentence may be left out for: the wrong language, marks without a partner, a copy in the other language.

>>> has_unpaired_quotes('He said "yes.'), has_unpaired_brackets("See (above]."), fold_copy("In 2023, SOUP!")
(True, True, 'in0soup')
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache, lru_cache
from typing import NamedTuple

from evalign.bitext.languages import Language, count_expressions
from evalign.bitext.terms import cut_words, fold_text

_CLOSED_BY = dict(zip("([{（［｛《〈【〔〖〘⟨", ")]}）］｝》〉】〕〗〙⟩", strict=True))
_OPENED_BY = {closing: opening for opening, closing in _CLOSED_BY.items()}
_BRACKETS = re.compile(f"[{re.escape(''.join((*_CLOSED_BY, *_OPENED_BY)))}]")

_QUOTES = re.compile('["＂“”„‟«»〝〞〟″‶❝❞「」『』﹁﹂﹃﹄｢｣⹂]')

_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W_]+")

# The first words of character names, where they are not the names of scripts.
_SCRIPTS = {
    "CJK": "Han",
    "IDEOGRAPHIC": "Han",
    "KANGXI": "Han",
    "FULLWIDTH": "Latin",
    "HALFWIDTH": "Katakana",
}
# All letters here are Latin ones.
_LATIN = re.compile("[\x00-\u024f]*")
# A Chinese character or a syllable of Korean says about as much as so many letters of an alphabet.
_DENSE = {"Han": 4, "Hangul": 3, "Hiragana": 2, "Katakana": 2}


def has_unpaired_quotes(sentence: str) -> bool:
    """Whether the number of double quotes in a sentence, of whatever shape, is odd.

    Single quotes are not looked at: they are apostrophes as well.

    >>> has_unpaired_quotes("« Oui », dit-il."), has_unpaired_quotes("“Yes, he said.")
    (False, True)
    """
    return len(_QUOTES.findall(sentence)) % 2 == 1


def has_unpaired_brackets(sentence: str) -> bool:
    """Whether a bracket is not closed, not opened, or closed by another one.

    >>> has_unpaired_brackets("a (b [c] d)"), has_unpaired_brackets("a) b"), has_unpaired_brackets("(a [b) c]")
    (False, True, True)
    """
    opened: list[str] = []
    for mark in _BRACKETS.findall(sentence):
        if mark in _CLOSED_BY:
            opened.append(mark)
        elif not opened or opened.pop() != _OPENED_BY[mark]:
            return True
    return bool(opened)


def fold_copy(sentence: str) -> str:
    """A sentence without what copies of it may differ in: case, spaces, punctuation, which digits its numbers have.

    >>> fold_copy("Version 1.10 (beta)") == fold_copy("version 2,3 - BETA")
    True
    """
    return _DIGITS.sub("0", "".join(_LETTERS.findall(fold_text(sentence))))


@cache
def find_script(character: str) -> str:
    """The script of a letter, as Unicode calls it; nothing for what is no letter.

    >>> find_script("é"), find_script("ж"), find_script("中"), find_script("ア"), find_script("1")
    ('Latin', 'Cyrillic', 'Han', 'Katakana', '')
    """
    if unicodedata.category(character) not in ("Lu", "Ll", "Lt", "Lo"):
        return ""
    first = unicodedata.name(character, "").partition(" ")[0]
    return _SCRIPTS.get(first, first.capitalize())


class WrongLanguage(NamedTuple):
    """Tells a sentence that is clearly not in its own language, given the other language of the pair.

    By script where the own language says which scripts it has; by stop words that only one of the two languages has
    where both are written in the same script. What neither tells is taken for right.
    """

    own: Language
    other: Language
    least_script: float
    """The least share of letters, weighed by how much they say, that must be of scripts of the own language."""
    least_words: int
    """How many stop words of the other language make a sentence suspicious."""
    least_share: float
    """The least share that these have among stop words of either language in a sentence of the wrong one."""

    def holds_for(self, sentence: str) -> bool:
        """Whether a sentence is clearly in the wrong language."""
        scripts = self.own.scripts
        if scripts and measure_scripts(sentence, scripts) < self.least_script:
            return True
        if not _share_script(self.own, self.other):
            return False
        folded = fold_text(sentence)
        other = _count_telling(self.other, self.own, folded)
        if other < self.least_words:
            return False
        own = _count_telling(self.own, self.other, folded)
        # The quotient of two counts is the float nearest to it, as the share is to its decimal: equal ones are equal.
        return other / (own + other) >= self.least_share


def _count_telling(language: Language, other: Language, folded: str) -> int:
    """How many words of a sentence are stop words of one language and not of the other."""
    words = _telling_words(language.stop_words, other.stop_words)
    if language.unit == "characters":
        return count_expressions(words, folded)
    return len([word for word in cut_words(folded) if word in words])


@lru_cache(maxsize=16)
def _telling_words(mine: frozenset[str], theirs: frozenset[str]) -> frozenset[str]:
    return mine - theirs


def _share_script(one: Language, two: Language) -> bool:
    """Whether two languages may be written in the same script; of one whose scripts are not known they may."""
    return not one.scripts or not two.scripts or bool({*one.scripts} & {*two.scripts})


def measure_scripts(sentence: str, scripts: tuple[str, ...]) -> float:
    """The share of letters that are of some scripts, each weighed by how much it says; 1 where there is no letter.

    >>> measure_scripts("使用 mdadm 参数", ("Han",)) > 0.7, measure_scripts("1, 2, 3", ("Latin",))
    (True, 1.0)
    """
    if "Latin" in scripts and _LATIN.fullmatch(sentence):
        return 1.0
    own = total = 0
    for character, n in Counter(sentence).items():
        script = find_script(character)
        if script:
            weight = n * _DENSE.get(script, 1)
            total += weight
            own += weight * (script in scripts)
    return own / total if total else 1.0
