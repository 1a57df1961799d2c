"""Sentences of parts in groups, joined: by length, and by the comments that were asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evalign.document import IntArray
from evalign.metrics.errors import LENGTH, LENGTHS, NONE, Grouped, find_field, sort_names
from evalign.results.pieces.piece import CommentRows, SentencePiece
from evalign.results.pieces.sums import GroupSums


class JoinedSentences:
    """Gold sentences by length and by comments."""

    def __init__(self) -> None:
        self._asked: tuple[str, ...] = ()
        self._length: GroupSums | None = None
        self._comments: dict[str, GroupSums] = {}
        self._sources: dict[str, str] = {}
        self._of_sentences: set[str] = set()
        self._above_first: set[str] = set()
        self._has_documents = self._are_documents = False
        self._n_parts = 0

    def add(self, found: SentencePiece, units: IntArray) -> None:
        """Add those of the next part, given the number that each of its units has in the whole."""
        self._asked = found.asked
        if found.length is not None:
            self._length = self._length or GroupSums(found.length)
            self._length.add(found.length, units)
        if found.ungrouped is not None:
            for key in name_keys(found.asked):
                rows = found.comments[key].grouped if key in found.comments else found.ungrouped
                sums = self._comments.setdefault(key, GroupSums(rows))
                sums.add(rows, units)
        for key, above in found.comments.items():
            self._note(key, above)
        self._has_documents = self._has_documents or found.has_documents
        self._are_documents = self._are_documents or found.are_documents
        self._n_parts += 1

    def _note(self, key: str, rows: CommentRows) -> None:
        """Where a comment comes from, and whether it is of sentences."""
        self._sources[key] = rows.grouped.source
        if rows.is_inside or (rows.is_first and self._n_parts):
            self._of_sentences.add(key)
        elif rows.is_first:
            self._above_first.add(key)

    def change_units(self, change: Callable[[IntArray], IntArray]) -> None:
        """Other numbers of units."""
        for sums in (*([self._length] if self._length else []), *self._comments.values()):
            sums.change_units(change)

    def grouped(self) -> dict[str, Grouped]:
        """By length, and by those comments that stand above sentences, as `evaluate.groups.choose_kept` says."""
        found = {LENGTH: self._length.grouped(LENGTHS)} if self._length else {}
        fields = {*self._sources}
        if self._has_documents:
            # If units are documents, one begins with the text.
            fields = self._of_sentences | (set() if self._are_documents else self._above_first)
        for name in self._asked:
            key = find_field(fields, name) if name != LENGTH else None
            if key is not None:
                sums = self._comments[key]
                sums.source = self._sources[key]
                found.setdefault(key, sums.grouped(sort_names({*sums.names, NONE})))
        return found


def name_keys(asked: Sequence[str]) -> list[str]:
    """The keys of comments that may be meant by what a result is split by."""
    return [key for name in asked if name != LENGTH for key in (name, f"meta::{name}")]
