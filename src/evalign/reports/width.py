"""Text measured as a terminal shows it, and shortened or broken to fit."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from itertools import takewhile

from evalign.names import file_name, tell_apart

# With names as they are shortened for tables: whoever sets a table needs both.
__all__ = [
    "CUT",
    "file_name",
    "fold",
    "head",
    "shorten",
    "tail",
    "tell_apart",
    "widest",
    "width_of",
]

CUT = "…"


def width_of(text: str) -> int:
    """Columns a text takes on a terminal: two for a wide character, none for a mark.

    >>> width_of("tea"), width_of("北京"), width_of("e\N{COMBINING ACUTE ACCENT}")
    (3, 4, 1)
    """
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(character: str) -> int:
    # Marks, and the vowels and final consonants that close a Hangul syllable.
    if unicodedata.category(character) in ("Mn", "Me") or "\u1160" <= character <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def head(text: str, most: int) -> str:
    """The beginning of a text in at most so many columns.

    >>> head("by the way", 7)
    'by the…'
    """
    return text if width_of(text) <= most else _fitting(text, most - 1) + CUT * (most > 0)


def tail(text: str, most: int) -> str:
    """The end of a text in at most so many columns.

    >>> tail("by the way", 8)
    '…the way'
    """
    if width_of(text) <= most:
        return text
    kept = _fitting(text[::-1], most - 1)[::-1]
    # A mark whose letter did not fit would stand on the sign of the cut.
    orphans = len(list(takewhile(lambda c: not _width(c), kept)))
    return CUT * (most > 0) + kept[orphans:].lstrip()


def shorten(text: str, most: int) -> str:
    """Text in at most so many columns, the middle left out: names differ at their ends.

    >>> shorten("runs/english/system.txt", 14)
    'runs/en…em.txt'
    """
    if width_of(text) <= most:
        return text
    end = tail(text, max(0, most // 2))
    return _fitting(text, most - width_of(end)) + (end or CUT * (most > 0))


def _fitting(text: str, most: int) -> str:
    """As many characters from the start as so many columns hold."""
    used = 0
    for k, character in enumerate(text):
        used += _width(character)
        if used > most:
            return text[:k]
    return text


def fold(text: str, most: int) -> list[str]:
    """Text in lines of at most so many columns, broken at spaces where there are any.

    >>> fold("one two three", 8)
    ['one two', 'three']
    """
    lines, line = [], ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if width_of(joined) <= most:
            line = joined
            continue
        lines += [line] if line else []
        while width_of(word) > most:
            piece = _fitting(word, most) or word[:1]
            lines.append(piece)
            word = word[len(piece) :]
        line = word
    return [*lines, line] if line or not lines else lines


def widest(texts: Iterable[str]) -> int:
    """The width of the widest of some texts, 0 if there is none."""
    return max(map(width_of, texts), default=0)
