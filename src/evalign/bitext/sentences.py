"""Split running text into sentences by rules.

This serves inputs whose text is not split into sentences yet, and is only as accurate as they need.

A sentence ends behind a mark such as a full stop, and behind the quotes and brackets that close there; a
blank line always ends it. A dot does not end it behind an abbreviation, an initial or, in German, an ordinal
number, and no mark does before a lower-case letter. `abbreviations.tsv` has short word lists for some
languages; other languages, and those without capitals, go by the general rules.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from evalign.bitext.typography import HAN

_LISTS = Path(__file__).parent / "data" / "abbreviations.tsv"
# Languages that write ordinal numbers with a dot before words with a capital.
_ORDINALS = frozenset({"de"})

# Marks that end a sentence even without a space behind them: Chinese and Japanese, Devanagari, Arabic and
# Urdu, Armenian, Ethiopic, Burmese, Khmer.
_STRONG = "。！？｡．।॥؟۔։።፧။។"
_WEAK = ".!?…‥⁇⁈⁉"
# Quotes and brackets that close behind a mark. Those in `_EITHER` open elsewhere: a space must follow them,
# and behind a strong mark they are not looked for.
_CLOSING = r"""”’»›)\]}」』）】〉》〕］｝〞〟"""
_EITHER = "\"'“‘«‹＂"
# Private use characters stand for something that was taken out, such as a template of Wikipedia. They belong
# to what they follow.
_TAKEN = "\ue000-\uf8ff"
_NOTE = r"\[\d{1,3}\]"

_MARK = re.compile(
    rf"(?P<marks>[{_WEAK}{_STRONG}]+)(?P<closing>(?:[{_CLOSING}{_TAKEN}]|{_NOTE})*)(?P<either>[{_EITHER}{_CLOSING}{_TAKEN}]*)"
)
_IS_STRONG = re.compile(f"[{_STRONG}]")
# In « Oui. » the quote closes behind a space; in „Er ging. »Komm!«“ the same character opens.
_SPACED = re.compile(r"[ \u00a0\u202f]»(?=[\s.,;:!?)]|$)")
_OPENING = re.compile(r"[\s\"'“‘„‚«»‹›(\[{¿¡「『（【《〈*–—―-]*")
_WORD = re.compile(r"\w{1,30}")
_INITIALS = re.compile(r"[^\W\d_](?:[.-]{1,2}[^\W\d_])*")
_NUMBER = re.compile(r"[0-9]+|[IVXLC]+")
_SHORT_NUMBER = re.compile(r"[0-9]{1,3}|[IVXLC]+")
_ROMAN = re.compile(r"[IVXLC]+(?!\w)")
# Particles that continue a Japanese sentence behind a quotation.
_PARTICLES = "とっなのはがをにでもやへか"
_CONTINUING = "，、；：,;:"
_PARAGRAPH = re.compile(r"\n\s*\n|\u2029")
_SPACE = re.compile(r"\s+")
_IS_HAN = re.compile(f"[{HAN}，。、；：！？「」『』（）《》]")
# The longest abbreviation in characters, and how many characters before a mark quotes are counted in.
_LONGEST = 30
_QUOTED = 1000


class _Lists(NamedTuple):
    """Words of a language that matter behind or before a dot, in lower case and without their last dot.

    A dot behind one in `before` never ends a sentence, behind one in `number` not before a number, behind one
    in `seldom` only if the next word is in `beginning`: words that often begin sentences.
    """

    before: frozenset[str] = frozenset()
    seldom: frozenset[str] = frozenset()
    number: frozenset[str] = frozenset()
    beginning: frozenset[str] = frozenset()
    has_ordinals: bool = False


@cache
def _load_lists() -> dict[str, _Lists]:
    lists: dict[str, dict[str, frozenset[str]]] = {}
    for row in _LISTS.read_text(encoding="utf-8").splitlines():
        if not row.startswith("#"):
            language, kind, words = row.split("\t")
            lists.setdefault(language, {})[kind] = frozenset(words.split())
    return {code: _Lists(**kinds, has_ordinals=code in _ORDINALS) for code, kinds in lists.items()}


def split_sentences(text: str, language: str = "") -> list[str]:
    """Split text into sentences, without white space at their ends.

    Line ends inside a sentence become spaces. No character but white space is lost or added. Takes time
    linear in the length of the text.

    >>> split_sentences("Mr. Smith came at 3.30 p.m. He left. “Why?” she asked.", "en")
    ['Mr. Smith came at 3.30 p.m.', 'He left.', '“Why?” she asked.']
    >>> split_sentences("他来了。“你好！”他们说。", "zh")
    ['他来了。', '“你好！”', '他们说。']
    """
    lists = _load_lists().get(re.split("[_-]", language.lower())[0], _Lists())
    sentences = []
    for paragraph in _PARAGRAPH.split(text):
        start = 0
        for mark in _MARK.finditer(paragraph):
            end = _find_end(paragraph, start, mark, lists)
            if end:
                sentences.append(paragraph[start:end])
                start = end
        sentences.append(paragraph[start:])
    return [joined for sentence in sentences if (joined := _join_lines(sentence.strip()))]


def _join_lines(sentence: str) -> str:
    """Put a sentence on one line; lines of Chinese and Japanese are joined without a space."""
    if sentence.isprintable():
        return sentence

    def join(space: re.Match[str]) -> str:
        if space[0].isprintable() or not ("\n" in space[0] or "\r" in space[0]):
            return space[0]
        around = sentence[space.start() - 1], sentence[space.end()]
        return "" if all(map(_IS_HAN.match, around)) else " "

    return _SPACE.sub(join, sentence)


def _find_end(text: str, start: int, mark: re.Match[str], lists: _Lists) -> int:
    """Return the end of the sentence that began at `start` if it ends with this mark; else 0."""
    if _IS_STRONG.search(mark["marks"]):
        return _find_strong_end(text, start, mark)
    end = mark.end()
    if end < len(text) and not text[end].isspace():
        # Chinese and Japanese also use these marks without a space behind them: 你好!我们
        if mark["marks"][-1] in "!?" and mark.start() > start and _IS_HAN.match(text, mark.start() - 1):
            return _find_strong_end(text, start, mark)
        return 0
    spaced = _SPACED.match(text, end)
    end = spaced.end() if spaced else end
    at = _OPENING.match(text, end)
    follows = at.end() if at else end
    if follows == len(text):
        return end
    if text[follows].islower() or text[follows] in _WEAK + _CONTINUING:
        return 0
    if mark["marks"] == "." and not mark["closing"].strip(")") and not mark["either"]:
        return 0 if _goes_on(text, start, mark.start(), follows, lists) else end
    return end


def _find_strong_end(text: str, start: int, mark: re.Match[str]) -> int:
    """Return the end of a sentence behind a mark that needs no space behind it; 0 if the sentence goes on."""
    end = mark.end("closing")
    if text.startswith('"', end):
        # The quote closes if an odd number of quotes stand before it.
        before = max(start, mark.start() - _QUOTED)
        end += text.count('"', before, mark.start()) % 2
    if end == len(text):
        return end
    follows = text[end]
    if follows in _CONTINUING + _CLOSING or (mark["marks"] == "．" and follows.isdigit()):
        return 0
    if end > mark.end("marks") and follows in _PARTICLES:
        return 0
    return end


def _goes_on(text: str, start: int, dot: int, follows: int, lists: _Lists) -> bool:
    """Return whether a dot belongs only to the word before it, so that the sentence goes on.

    `dot` is the offset of the dot, `follows` the one of the next word.
    """
    words = text[max(start, dot - _LONGEST) : dot].split()
    if not words or text[dot - 1].isspace():
        return False
    word = words[-1].lstrip("\"'“‘„‚«»‹›([{¿¡–—-")
    if not word:
        return False
    if _NUMBER.fullmatch(word) and not text[start : dot - len(word)].strip("([ \t\r\n"):
        return True  # the number of an item: 1. First ...
    folded = word.lower()
    if folded in lists.number and (text[follows].isdigit() or _ROMAN.match(text, follows)):
        return True
    if folded in lists.before:
        return True
    next_word = _WORD.match(text, follows)
    begins = next_word is not None and _is_beginning(text, next_word, lists)
    if folded in lists.seldom or (_INITIALS.fullmatch(word) and word.lower() != word.upper()):
        return not begins
    return lists.has_ordinals and bool(_SHORT_NUMBER.fullmatch(word)) and not begins


def _is_beginning(text: str, word: re.Match[str], lists: _Lists) -> bool:
    """Return whether sentences often begin with this word, and it is not an initial."""
    return word[0].lower() in lists.beginning and not (len(word[0]) == 1 and text.startswith(".", word.end()))
