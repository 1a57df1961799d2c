"""Spans of one document found on the other: through the shared places, and back through the normalisation."""

from __future__ import annotations

import numpy as np

from evalign.alignment.places import NOWHERE, CharacterPlaces
from evalign.document import Document, IntArray


def move_position(position: int, old: Document, new: Document, *, is_end: bool) -> int:
    """A position on one form of a document's line, on the other: exact but inside a token that was rewritten."""
    if not old.n_tokens:
        return 0
    after = int(np.searchsorted(old.cuts, position, side="left" if is_end else "right"))
    token = min(max(after - 1, 0), old.n_tokens - 1)
    offset = position - int(old.cuts[token])
    length, new_length = (int(d.cuts[token + 1] - d.cuts[token]) for d in (old, new))
    if length != new_length:
        # Inside a rewritten token only its ends have a counterpart.
        offset = 0 if offset == 0 else new_length if offset == length else (new_length if is_end else 0)
    return int(new.cuts[token]) + offset


def project_span(
    start: int,
    end: int,
    source: tuple[CharacterPlaces, IntArray],
    target: tuple[CharacterPlaces, IntArray],
) -> tuple[int, int] | None:
    """A span of one normalised line on the other, from its first to its last shared character; None if it has none."""
    characters, cuts = source
    places = characters.places[cuts[start] : cuts[end]]
    shared = places[places != NOWHERE]
    if not len(shared):
        return None
    others, other_cuts = target
    there = np.flatnonzero(others.places != NOWHERE)
    values = others.places[there]
    first = there[np.searchsorted(values, shared[0], side="left")]
    last = there[np.searchsorted(values, shared[-1], side="right") - 1]
    begin = int(np.searchsorted(other_cuts, first, side="right")) - 1
    return begin, int(np.searchsorted(other_cuts, last, side="right"))
