"""Text cut into terms, the same way for indexing, for searching and for counting stop words.

A word is a run of letters, digits, their combining marks and joiners. All other characters separate words:
l'homme is l and homme, RAID-1 is raid and 1. Scripts without spaces are cut into bigrams of characters. All
functions but `fold_text` take folded text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import chain

# Longer runs are not words, and search engines limit the length of a term: so they are cut.
_LONGEST_WORD = 64

# Characters from here on are of scripts that are written without spaces, Thai first. Hangul is among them,
# but Korean is a language of words and never gets here.
_WITHOUT_SPACES = "\u0e00"


def _mark_ranges() -> Iterator[tuple[str, str]]:
    """Yield the first and last character of each range of combining marks.

    They are vowels and accents, which `re` does not count as letters.
    """
    blocks = (range(0x300, 0x2100), range(0x2DE0, 0x2E00), range(0x3099, 0x309B), range(0xA66F, 0xAC00))
    start = end = -2
    for code in chain(*blocks):
        if unicodedata.category(chr(code))[0] != "M":
            continue
        if code > end + 1:
            if start >= 0:
                yield chr(start), chr(end)
            start = code
        end = code
    yield chr(start), chr(end)


# Zero-width joiners and non-joiners stand within words too, as in Persian.
_INNER = "".join(f"{start}-{end}" for start, end in _mark_ranges()) + "\u200c\u200d"
_WORD = re.compile(rf"[\w{_INNER}]{{1,{_LONGEST_WORD}}}")
_RUN = re.compile(rf"[\w{_INNER}]+")
_PIECE = re.compile(rf"[{_WITHOUT_SPACES}-\U0010ffff]+|[^{_WITHOUT_SPACES}-\U0010ffff]{{1,{_LONGEST_WORD}}}")

_WORD_CHARACTER = rf"(?![{_WITHOUT_SPACES}-\U0010ffff])[\w{_INNER}]"
_BEGINS_WITH_WORD = re.compile(_WORD_CHARACTER)

_WIDE = re.compile("[０-９Ａ-Ｚａ-ｚ]")
_NARROW = {
    wide: wide - 0xFEE0 for wide in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))
}


def fold_text(text: str) -> str:
    """Fold text for comparison.

    The result is composed (NFC), case-folded and without soft hyphens; underscores become spaces, full-width
    letters and digits narrow ones.

    >>> fold_text("Straße_1"), fold_text("ＲＡＩＤ阵列")
    ('strasse 1', 'raid阵列')
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
        if "\xad" in text:
            text = text.replace("\xad", "")
        if _WIDE.search(text):
            text = text.translate(_NARROW)
        # Case folding decomposes ŉ, so that an accent behind it can be composed with a letter only now.
        text = unicodedata.normalize("NFC", text.casefold())
    else:
        text = text.lower()
    return text.replace("_", " ") if "_" in text else text


def cut_words(folded: str) -> list[str]:
    """Return the words of folded text.

    >>> cut_words("l'homme a 3,5 ans")
    ['l', 'homme', 'a', '3', '5', 'ans']
    """
    return _WORD.findall(folded)


def cut_pieces(folded: str) -> list[str]:
    """Cut folded text into runs of a script without spaces, and the words between them.

    >>> cut_pieces("使用mdadm参数，如/dev")
    ['使用', 'mdadm', '参数', '如', 'dev']
    """
    return [piece for run in _RUN.findall(folded) for piece in _PIECE.findall(run)]


def find_word(folded: str, place: int) -> tuple[int, int]:
    """Return the start and end of the word that the offset `place` is inside of.

    Both are `place` if it is inside of no word, or at the edge of one.

    >>> find_word("使用mdadm参数", 4), find_word("使用mdadm参数", 7)
    ((2, 7), (7, 7))
    """
    for run in _RUN.finditer(folded):
        if run.start() < place < run.end():
            for piece in _PIECE.finditer(folded, *run.span()):
                if piece.start() < place < piece.end() and not is_run(piece[0]):
                    return piece.span()
    return place, place


def is_run(piece: str) -> bool:
    """Return whether a piece of `cut_pieces` is a run of a script without spaces, not a word."""
    return piece[0] >= _WITHOUT_SPACES


def match_whole(expression: str) -> str:
    """Return a regular expression that matches an expression, but no part of a word in a script with spaces.

    >>> re.findall(match_whole("the"), "the theory的the")
    ['the', 'the']
    """
    before = f"(?<!{_WORD_CHARACTER})" if _BEGINS_WITH_WORD.match(expression) else ""
    behind = f"(?!{_WORD_CHARACTER})" if _BEGINS_WITH_WORD.match(expression[-1:]) else ""
    return before + re.escape(expression) + behind


def pair_characters(run: str) -> Iterable[str]:
    """Return the bigrams of a run; a single character stands for itself.

    >>> list(pair_characters("有线电视")), list(pair_characters("如"))
    (['有线', '线电', '电视'], ['如'])
    """
    return map(str.__add__, run, run[1:]) if len(run) > 1 else (run,)
