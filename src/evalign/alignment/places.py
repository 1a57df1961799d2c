"""Shared places: positions that both lines have, by which spans of one are compared with spans of the other.

Equal characters and substituted stretches of equal length take a place per character. A substituted stretch
of unequal lengths is one place with nothing inside. What only one line has is in no place. `Alignment` holds
the places of both documents, and the blocks made from them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.document import Document, IntArray

NOWHERE = -1


class SidePlaces(NamedTuple):
    """Starts and ends of one document's tokens and sentences in shared places.

    NOWHERE where an end has no place, or lies inside one.
    """

    token_starts: IntArray
    token_ends: IntArray
    sentence_starts: IntArray
    sentence_ends: IntArray
    token_progress: IntArray
    """Per token, how many shared places the document has entered by its end."""
    token_reach: IntArray
    """Like `token_progress`, but NOWHERE where the token ends inside a place."""

    @property
    def spans(self) -> tuple[IntArray, IntArray]:
        """Starts and ends of the tokens."""
        return self.token_starts, self.token_ends


def equal_places(document: Document) -> SidePlaces:
    """Return the places of all token and sentence bounds of a document whose line equals the other's.

    Nothing has to be aligned then: the place of each bound is its own position on the line.
    """
    cuts, ends = document.cuts, document.sentence_cuts
    return SidePlaces(cuts[:-1], cuts[1:], ends[:-1], ends[1:], cuts[1:], cuts[1:])


def count_equal_before(lengths: IntArray, equal: npt.NDArray[np.bool_]) -> IntArray:
    """Return, per folded position of one side, how many characters before it are in equal pieces.

    `lengths` are the lengths of the pieces on this side, `equal` marks the equal ones. The result is one
    longer than the folded line; the difference of two entries is the count for a stretch.
    """
    return np.append(np.int32(0), np.cumsum(np.repeat(equal, lengths), dtype=np.int32))


class CharacterPlaces(NamedTuple):
    """Per folded character of one side: its place or NOWHERE, and whether spans may start or end at it.

    `may_start` says whether a span may start before the character, `may_end` whether one may end behind it.
    """

    places: IntArray
    may_start: npt.NDArray[np.bool_]
    may_end: npt.NDArray[np.bool_]


def place_characters(lengths: IntArray, places: IntArray) -> CharacterPlaces:
    """Return the places of one side's characters, given each piece's length and number of places."""
    base = np.zeros(len(places), np.int32)
    np.cumsum(places[:-1], out=base[1:])
    segment = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    starts = np.zeros(len(lengths), np.int32)
    np.cumsum(lengths[:-1], out=starts[1:])
    offset = np.arange(len(segment), dtype=np.int32) - starts[segment]
    single = ((places == 1) & (lengths > 1))[segment]
    where = base[segment] + np.where(single, 0, offset)
    where[(places == 0)[segment]] = NOWHERE
    # In a single place with several characters, only the first may start a span, and only the last may end
    # one.
    may_start = ~single | (offset == 0)
    may_end = ~single | (offset == lengths[segment] - 1)
    return CharacterPlaces(where.astype(np.int32), may_start, may_end)


def place_side(document: Document, folded_cuts: IntArray, characters: CharacterPlaces) -> SidePlaces:
    """Place tokens from their first to their last shared character, sentences from first to last token.

    `folded_cuts` has the folded position of each position of the line, `characters` the places of the folded
    characters.
    """
    n = len(characters.places)
    shared = characters.places != NOWHERE
    index = np.arange(n, dtype=np.int32)
    # For every character the next shared one (n: none) and the previous shared one (-1: none), itself
    # included.
    following = np.minimum.accumulate(np.where(shared, index, n)[::-1])[::-1] if n else index
    previous = np.maximum.accumulate(np.where(shared, index, -1)) if n else index
    cuts = folded_cuts[document.cuts]
    starts, ends = cuts[:-1], cuts[1:]
    first = np.append(following, n)[starts]
    last = np.append(previous, -1)[ends - 1]
    covered = (first < ends) & (last >= starts)
    first, last = np.where(covered, first, 0), np.where(covered, last, 0)
    padded = characters if n else CharacterPlaces(np.zeros(1, np.int32), np.ones(1, bool), np.ones(1, bool))
    token_starts = np.where(covered & padded.may_start[first], padded.places[first], NOWHERE).astype(np.int32)
    token_ends = np.where(covered & padded.may_end[last], padded.places[last] + 1, NOWHERE).astype(np.int32)
    entered = np.where(covered, padded.places[last] + 1, 0).astype(np.int32)
    progress = np.maximum.accumulate(entered) if len(entered) else entered
    # A token without shared characters stands where the token before it ended.
    inside = covered & (token_ends == NOWHERE)
    bearer = np.where(covered, np.arange(len(covered)), 0)
    bearer = np.maximum.accumulate(bearer) if len(bearer) else bearer
    reach = np.where(inside[bearer], NOWHERE, progress).astype(np.int32)
    # A token without characters is an empty span behind the token before it.
    empty = np.diff(document.cuts) == 0
    token_starts[empty] = token_ends[empty] = reach[empty]
    heads, tails = document.sentences[:-1], document.sentences[1:] - 1
    return SidePlaces(token_starts, token_ends, token_starts[heads], token_ends[tails], progress, reach)


# Blocks: the smallest stretches that begin and end at a boundary on both sides. Blocks of sentences are the
# m:n aligned pairs of Jo et al. 2024 (Figures 2 and 3), blocks of tokens the groups of Figure 4. A row that
# only one side has is a block by itself, 1:0 or 0:1.


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Consecutive stretches of gold rows and of system rows, where rows are sentences or tokens.

    Block k has the gold rows `gold[k]` to `gold[k + 1]` and the system rows `system[k]` to `system[k + 1]`,
    either of which may be none. Iteration yields both ranges of each block.
    """

    gold: IntArray
    system: IntArray

    def __len__(self) -> int:
        return len(self.gold) - 1

    def __iter__(self) -> Iterator[tuple[range, range]]:
        gold, system = self.gold.tolist(), self.system.tolist()
        for k in range(len(self)):
            yield range(gold[k], gold[k + 1]), range(system[k], system[k + 1])

    def sizes(self) -> Counter[str]:
        """Return how many blocks there are of each kind, such as "2:1"."""
        gold, system = np.diff(self.gold).astype(np.int64), np.diff(self.system)
        wide = int(system.max(initial=0)) + 1
        kinds, counts = np.unique(gold * wide + system, return_counts=True)
        rows = zip(kinds.tolist(), counts.tolist(), strict=True)
        return Counter({f"{kind // wide}:{kind % wide}": count for kind, count in rows})


def make_blocks(gold_reach: IntArray, system_reach: IntArray) -> Blocks:
    """Make blocks that end where the rows of both sides have the same reach.

    The reach of a row is the number of shared places that its side has entered by the end of the row, or
    NOWHERE (`SidePlaces.token_reach`). Rows are sentences or tokens.
    """
    gold_values, gold_first, gold_counts = _steps(gold_reach)
    system_values, system_first, system_counts = _steps(system_reach)
    # Both sides ascend, so a look-up finds their common values without sorting.
    there = np.minimum(np.searchsorted(system_values, gold_values), len(system_values) - 1)
    in_gold = np.flatnonzero(system_values[there] == gold_values)
    in_system = there[in_gold]
    # Rows without shared characters repeat the reach of the row before: each is a block by itself behind the
    # boundary.
    gold_alone, system_alone = gold_counts[in_gold] - 1, system_counts[in_system] - 1
    gold_ends = np.append(gold_first[in_gold] + 1, len(gold_reach))
    system_ends = np.append(system_first[in_system] + 1, len(system_reach))
    if not (gold_alone.any() or system_alone.any()):
        gold_cuts, system_cuts = gold_ends, system_ends
    else:
        gold_cuts, system_cuts = _with_lone_rows(gold_ends, gold_alone, system_ends, system_alone)
    empty = (np.diff(gold_cuts) == 0) & (np.diff(system_cuts) == 0)
    keep = np.append(True, ~empty)
    return Blocks(gold_cuts[keep].astype(np.int32), system_cuts[keep].astype(np.int32))


def _steps(reach: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return the distinct values of `reach` in order, beginning with 0 before the first row.

    Returns also the row that reached each value first (-1 before the first row), and how many rows have that
    value.
    """
    rows = np.append(-1, np.flatnonzero(reach != NOWHERE))
    values = np.append(0, reach[rows[1:]])
    first = np.flatnonzero(np.append(True, np.diff(values) > 0))
    return values[first], rows[first], np.diff(np.append(first, len(values)))


def _with_lone_rows(
    gold_ends: IntArray, gold_alone: IntArray, system_ends: IntArray, system_alone: IntArray
) -> tuple[IntArray, IntArray]:
    """Return the cuts of both sides, with a block for each lone row behind a boundary, those of gold first.

    `gold_alone` and `system_alone` have the numbers of lone rows behind each boundary.
    """
    gold_cuts, system_cuts = [], []
    lone = (gold_alone + system_alone).tolist()
    for k, (g, s) in enumerate(zip(gold_ends.tolist(), system_ends.tolist(), strict=True)):
        gold_cuts.append(g)
        system_cuts.append(s)
        if k < len(lone) and lone[k]:
            for _ in range(int(gold_alone[k])):
                g += 1
                gold_cuts.append(g)
                system_cuts.append(s)
            for _ in range(int(system_alone[k])):
                s += 1
                gold_cuts.append(g)
                system_cuts.append(s)
    return np.array(gold_cuts, np.int32), np.array(system_cuts, np.int32)
