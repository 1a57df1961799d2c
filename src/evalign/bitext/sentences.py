"""Sentences of running text, by rule: for text that comes without them, and for no more than that.

A sentence ends behind a mark that ends sentences, and behind the quotes and brackets that close there; a blank line
ends it in any case. A dot does not end it behind an abbreviation, an initial or, in German, an ordinal number, and
nothing does where a small letter follows. `abbreviations.tsv` has short lists for some languages; all others, and
those without capitals, go by the general rules.
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

# End a sentence wherever they stand: Chinese and Japanese, Devanagari, Arabic and Urdu, Armenian, Ethiopic, Burmese, Khmer.
_STRONG = "。！？｡．।॥؟۔։።፧။។"
_WEAK = ".!?…‥⁇⁈⁉"
# What closes behind a mark. Some open elsewhere, so a space must follow them, and before 。 they are not looked for.
_CLOSING = r"""”’»›)\]}」』）】〉》〕］｝〞〟"""
_EITHER = "\"'“‘«‹＂"
# Private use: what stands for something taken out, a template of Wikipedia, belongs to what it follows.
_TAKEN = "\ue000-\uf8ff"
_NOTE = r"\[\d{1,3}\]"

_MARK = re.compile(
    rf"(?P<marks>[{_WEAK}{_STRONG}]+)(?P<closing>(?:[{_CLOSING}{_TAKEN}]|{_NOTE})*)(?P<either>[{_EITHER}{_CLOSING}{_TAKEN}]*)"
)
_IS_STRONG = re.compile(f"[{_STRONG}]")
# « Oui. » is closed behind a space; in „Er ging. »Komm!«“ the same sign opens.
_SPACED = re.compile(r"[ \u00a0\u202f]»(?=[\s.,;:!?)]|$)")
_OPENING = re.compile(r"[\s\"'“‘„‚«»‹›(\[{¿¡「『（【《〈*–—―-]*")
_WORD = re.compile(r"\w{1,30}")
_INITIALS = re.compile(r"[^\W\d_](?:[.-]{1,2}[^\W\d_])*")
_NUMBER = re.compile(r"[0-9]+|[IVXLC]+")
_SHORT_NUMBER = re.compile(r"[0-9]{1,3}|[IVXLC]+")
_ROMAN = re.compile(r"[IVXLC]+(?!\w)")
# Particles that go on with a sentence behind a quotation of Japanese.
_PARTICLES = "とっなのはがをにでもやへか"
_CONTINUING = "，、；：,;:"
_PARAGRAPH = re.compile(r"\n\s*\n|\u2029")
_SPACE = re.compile(r"\s+")
_IS_HAN = re.compile(f"[{HAN}，。、；：！？「」『』（）《》]")
# Characters of the longest abbreviation, and those before a mark in which quotes are counted.
_LONGEST = 30
_QUOTED = 1000


class _Lists(NamedTuple):
    """What is known of the words of a language, in lower case and without their last dot."""

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
    """The sentences of a text, without white space at their ends; line ends inside them are made spaces.

    No character but white space is lost or added. Takes time that grows with the length of the text and no faster.

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
    """A sentence on one line; lines of Chinese and Japanese are joined without a space."""
    if sentence.isprintable():
        return sentence

    def join(space: re.Match[str]) -> str:
        if space[0].isprintable() or not ("\n" in space[0] or "\r" in space[0]):
            return space[0]
        around = sentence[space.start() - 1], sentence[space.end()]
        return "" if all(map(_IS_HAN.match, around)) else " "

    return _SPACE.sub(join, sentence)


def _find_end(text: str, start: int, mark: re.Match[str], lists: _Lists) -> int:
    """Where the sentence that began at `start` ends if it ends with this mark; else 0."""
    if _IS_STRONG.search(mark["marks"]):
        return _find_strong_end(text, start, mark)
    end = mark.end()
    if end < len(text) and not text[end].isspace():
        # Chinese and Japanese also write these: 你好!我们
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
    """The end behind a mark that needs no space behind it; 0 where the sentence goes on."""
    end = mark.end("closing")
    if text.startswith('"', end):
        # It closes what is open.
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
    """Whether a dot belongs to the word before it alone; `follows` is where the next word begins."""
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
    """Whether a word is one that sentences begin with, and no initial."""
    return word[0].lower() in lists.beginning and not (len(word[0]) == 1 and text.startswith(".", word.end()))
