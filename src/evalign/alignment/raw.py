"""Where positions on a document's line are in the raw text it was made from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from evalign.alignment import Alignment, align_documents
from evalign.document import Document, document_from_sentences
from evalign.readers.raw import RawText


@dataclass(frozen=True, eq=False)
class RawMap:
    """Gold positions to characters of the raw text, through an alignment where the two differ."""

    gold: Document
    raw: RawText

    @cached_property
    def _alignment(self) -> Alignment | None:
        if self.gold.line == self.raw.line:
            return None
        pieces = [row.split() for row in self.raw.text.split("\n")]
        return align_documents(self.gold, document_from_sentences(pieces, self.raw.name))

    def offset(self, position: int) -> int | None:
        """The raw character that a position of the gold line stands before; None if the raw text lacks it."""
        if position >= len(self.gold.line):
            return len(self.raw.text)
        if self._alignment is not None:
            there = self._alignment.project(position, position + 1)
            if there is None:
                return None
            position = there[0]
        return int(self.raw.offsets[position])

    def has_newline_before(self, position: int) -> bool:
        """Whether a line of the raw text ends right before a position of the gold line."""
        if not 0 < position < len(self.gold.line):
            return False
        before, after = self.offset(position - 1), self.offset(position)
        return before is not None and after is not None and "\n" in self.raw.text[before:after]
