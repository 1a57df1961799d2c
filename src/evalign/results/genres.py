"""Genres as names of documents tell them: weblog-blogspot.com_healing, GUM_academic_art."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from evalign.metrics.errors import NONE

DOCUMENT_NAMES = "# newdoc id = NAME in gold"
_CUTS = re.compile(r"[-_/\\]")
_FOLDER = re.compile(r".*[/\\]", re.DOTALL)
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
# A piece that each of more documents has as its own is no genre.
_FEW = 3


class Genres(NamedTuple):
    """A genre for each name, and how it was found."""

    names: Sequence[str]
    source: str


def guess_genres(names: Sequence[str]) -> Genres | None:
    """The first piece of the names in which they differ; None where they tell nothing.

    Pieces end at a hyphen, an underscore or a slash; the last one of a name is the document's own. The folder that all
    files are in is no part of their names.

    >>> guess_genres(["GUM_news_a", "GUM_news_b", "GUM_fiction_c"])
    Genres(names=['news', 'news', 'fiction'], source='names of documents: their second piece')
    """
    pieces = [_CUTS.split(name)[:-1] for name in without_folder(names)]
    for place in range(max(map(len, pieces), default=0)):
        found = [row[place] if place < len(row) and row[place] else NONE for row in pieces]
        told = {genre for genre in found if genre != NONE}
        if len(set(found)) < 2:
            continue
        if len(told) == len(names) > _FEW:
            return None
        ordinal = _ORDINALS[place] if place < len(_ORDINALS) else f"{place + 1}th"
        return Genres(found, f"names of documents: their {ordinal} piece")
    return None


def without_folder(names: Sequence[str]) -> list[str]:
    """Names without the folder that all of them are in, if they are in one."""
    folders = {match[0] if (match := _FOLDER.match(name)) else "" for name in names}
    if len(folders) != 1:
        return list(names)
    size = len(folders.pop())
    return [name[size:] for name in names]
