"""Checks of sentences: are language and script right, are quotes and brackets paired, is one a copy of another.

`bitext.build` uses these checks to leave out sentences, and again to verify finished data sets.

>>> has_unpaired_quotes('He said "yes.'), has_unpaired_brackets("See (above]."), fold_copy("In 2023, SOUP!")
(True, True, 'in0soup')
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache, lru_cache
from typing import NamedTuple

from evalign.bitext.languages import Language, count_expressions, cut_words, fold_text

_CLOSED_BY = dict(zip("([{（［｛《〈【〔〖〘⟨", ")]}）］｝》〉】〕〗〙⟩", strict=True))
_OPENED_BY = {closing: opening for opening, closing in _CLOSED_BY.items()}
_BRACKETS = re.compile(f"[{re.escape(''.join((*_CLOSED_BY, *_OPENED_BY)))}]")

_QUOTES = re.compile('["＂“”„‟«»〝〞〟″‶❝❞「」『』﹁﹂﹃﹄｢｣⹂]')

_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W_]+")

# Scripts by the first word of the Unicode name of a character, where that word is not itself the name of the
# script.
_SCRIPTS = {
    "CJK": "Han",
    "IDEOGRAPHIC": "Han",
    "KANGXI": "Han",
    "FULLWIDTH": "Latin",
    "HALFWIDTH": "Katakana",
}
# All letters in this range are Latin.
_LATIN = re.compile("[\x00-\u024f]*")
# How many letters of an alphabet say about as much as one Chinese character, one Korean syllable or one kana.
_DENSE = {"Han": 4, "Hangul": 3, "Hiragana": 2, "Katakana": 2}


def has_unpaired_quotes(sentence: str) -> bool:
    """Return whether a sentence has an odd number of double quotes, of whatever shape.

    Single quotes are ignored because they are apostrophes as well.

    >>> has_unpaired_quotes("« Oui », dit-il."), has_unpaired_quotes("“Yes, he said.")
    (False, True)
    """
    return len(_QUOTES.findall(sentence)) % 2 == 1


def has_unpaired_brackets(sentence: str) -> bool:
    """Return whether a bracket is not closed, not opened, or closed by a bracket of another kind.

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
    """Reduce a sentence to what its copies share: no case, spaces or punctuation, 0 for every number.

    >>> fold_copy("Version 1.10 (beta)") == fold_copy("version 2,3 - BETA")
    True
    """
    return _DIGITS.sub("0", "".join(_LETTERS.findall(fold_text(sentence))))


@cache
def find_script(character: str) -> str:
    """Return the script of a letter by its Unicode name, or "" if the character is not a letter.

    >>> find_script("é"), find_script("ж"), find_script("中"), find_script("ア"), find_script("1")
    ('Latin', 'Cyrillic', 'Han', 'Katakana', '')
    """
    if unicodedata.category(character) not in ("Lu", "Ll", "Lt", "Lo"):
        return ""
    first = unicodedata.name(character, "").partition(" ")[0]
    return _SCRIPTS.get(first, first.capitalize())


SIMPLIFIED, TRADITIONAL = "simplified script", "traditional script"
CHINESE_SCRIPTS = (SIMPLIFIED, TRADITIONAL)


def find_chinese_script(sentence: str) -> str:
    """Return `SIMPLIFIED` or `TRADITIONAL`, whichever more characters of a sentence are of; "" if as many.

    Characters that only GB 2312 has are simplified, those that only Big5 has traditional; most characters are
    in both.

    >>> find_chinese_script("这里有两个学校"), find_chinese_script("這裡有兩個學校"), find_chinese_script("中文")
    ('simplified script', 'traditional script', '')
    """
    simplified, traditional = _find_script_characters()
    balance = sum((character in traditional) - (character in simplified) for character in sentence)
    return TRADITIONAL if balance > 0 else SIMPLIFIED if balance < 0 else ""


@cache
def _find_script_characters() -> tuple[frozenset[str], frozenset[str]]:
    """Return the characters that are only simplified, and those that are only traditional."""
    every = "".join(map(chr, range(0x4E00, 0xA000)))
    gb2312, big5 = (frozenset(every.encode(codec, "ignore").decode(codec)) for codec in ("gb2312", "big5"))
    return gb2312 - big5, big5 - gb2312


def find_rare_script(n_simplified: int, n_traditional: int, n_sentences: int) -> str:
    """Return the one of both scripts that at most one sentence in twenty has; "" if there is none.

    >>> find_rare_script(95, 5, 100), find_rare_script(94, 6, 100), find_rare_script(0, 100, 100)
    ('traditional script', '', 'simplified script')
    """
    if n_simplified == n_traditional or 20 * min(n_simplified, n_traditional) > n_sentences:
        return ""
    return TRADITIONAL if n_traditional < n_simplified else SIMPLIFIED


class WrongLanguage(NamedTuple):
    """A test for sentences that are clearly not in their own language, given the other language of the pair.

    It goes by script where the settings of the own language say which scripts it has. Where both languages
    are written in the same script, it goes by telling words: stop words that only one of the two languages
    has. A sentence that neither test decides on counts as right.
    """

    own: Language
    other: Language
    least_script: float
    """The smallest share of letters, weighted as in `measure_scripts`, that must be of own scripts."""
    least_words: int
    """Number of telling words of the other language that makes a sentence suspicious."""
    least_share: float
    """A suspicious sentence is wrong if at least this share of its telling words is of the other language."""

    def holds_for(self, sentence: str) -> bool:
        """Return whether a sentence is clearly in the wrong language."""
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
        # Both are the floats nearest to their exact values, so that a quotient equal to the share compares as
        # equal.
        return other / (own + other) >= self.least_share


def _count_telling(language: Language, other: Language, folded: str) -> int:
    """Count the words of a folded sentence that are stop words of `language` but not of `other`."""
    words = _telling_words(language.stop_words, other.stop_words)
    if language.unit == "characters":
        return count_expressions(words, folded)
    return len([word for word in cut_words(folded) if word in words])


@lru_cache(maxsize=16)
def _telling_words(mine: frozenset[str], theirs: frozenset[str]) -> frozenset[str]:
    return mine - theirs


def _share_script(one: Language, two: Language) -> bool:
    """Return whether two languages may share a script: also true if the scripts of one are not known."""
    return not one.scripts or not two.scripts or bool({*one.scripts} & {*two.scripts})


def measure_scripts(sentence: str, scripts: tuple[str, ...]) -> float:
    """Return the weighted share of letters that are in one of `scripts`; 1 if there is no letter.

    Letters of dense scripts weigh more: a Chinese character, for example, as much as four letters of an
    alphabet.

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
