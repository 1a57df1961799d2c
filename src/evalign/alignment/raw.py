"""Where positions on a document's line are in the raw text it was made from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalign.alignment import Side, align_documents
from evalign.alignment.places import NOWHERE
from evalign.document import Document, IntArray, document_from_sentences
from evalign.readers.raw import RawText
from evalign.text import WHITE_SPACE

_PIECES = re.compile(f"[^{WHITE_SPACE}]+")


@dataclass(frozen=True, eq=False)
class RawMap:
    """Gold positions to characters of the raw text, through an alignment where the two differ."""

    gold: Document
    raw: RawText

    @cached_property
    def _offsets(self) -> IntArray:
        """Per character of the gold line its offset in the raw text, NOWHERE where that lacks it."""
        if self.gold.line == self.raw.line:
            return self.raw.offsets
        pieces = document_from_sentences([_PIECES.findall(self.raw.text)], self.raw.name)
        alignment = align_documents(self.gold, pieces)
        # From gold to the places both have, and from the first raw character in each place to its offset.
        there = np.full(alignment.n_places, NOWHERE)
        raw_places = _places(alignment.system)
        known = np.flatnonzero(raw_places != NOWHERE)[::-1]
        there[raw_places[known]] = self.raw.offsets[known]
        gold_places = _places(alignment.gold)
        return np.where(gold_places == NOWHERE, NOWHERE, np.append(there, NOWHERE)[gold_places])

    @property
    def n_missing(self) -> int:
        """How many characters of the gold line the raw text lacks."""
        return int((self._offsets == NOWHERE).sum())

    def offset(self, position: int) -> int | None:
        """The raw character that a position of the gold line stands before; None if the raw text lacks it."""
        if position >= len(self.gold.line):
            return len(self.raw.text)
        offset = int(self._offsets[position])
        return None if offset == NOWHERE else offset

    def has_newline_before(self, position: int) -> bool:
        """Whether a line of the raw text ends right before a position of the gold line."""
        if not 0 < position < len(self.gold.line):
            return False
        before, after = self.offset(position - 1), self.offset(position)
        return before is not None and after is not None and "\n" in self.raw.text[before:after]


def _places(side: Side) -> IntArray:
    """The place each character of a document's line, as read, begins in; inside a rewritten token, its first."""
    old, new = side.original.cuts, side.document.cuts
    tokens = np.repeat(np.arange(len(old) - 1), np.diff(old))
    within = np.arange(len(tokens)) - old[tokens]
    same = (np.diff(old) == np.diff(new))[tokens]
    positions = new[tokens] + np.where(same, within, 0)
    if side.characters is None:
        return positions
    places = np.append(side.characters.places, NOWHERE)[side.cuts[positions]]
    return np.where(np.diff(new)[tokens] > 0, places, NOWHERE)
