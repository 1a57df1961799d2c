"""Shared places: positions that both lines have, so that spans of one can be compared with spans of the other.

Equal characters and substituted stretches of equal length take a place per character; a substituted stretch of unequal
length is one place with nothing inside; what only one line has is in no place.
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
    """One document's tokens and sentences in shared places; NOWHERE where an end has none or lies inside one."""

    token_starts: IntArray
    token_ends: IntArray
    sentence_starts: IntArray
    sentence_ends: IntArray
    token_progress: IntArray
    """Per token, how many shared places the document has entered by its end."""
    token_reach: IntArray
    """The same, NOWHERE where the token ends inside a place."""

    @property
    def spans(self) -> tuple[IntArray, IntArray]:
        """Starts and ends of the tokens."""
        return self.token_starts, self.token_ends


def equal_places(document: Document) -> SidePlaces:
    """Places of a document whose line is the other one's: its positions."""
    cuts, ends = document.cuts, document.sentence_cuts
    return SidePlaces(cuts[:-1], cuts[1:], ends[:-1], ends[1:], cuts[1:], cuts[1:])


def count_equal_before(lengths: IntArray, equal: npt.NDArray[np.bool_]) -> IntArray:
    """Per folded position of one side how many characters before it are in equal pieces, given the pieces' lengths.

    The array is one longer than the folded line; differences of two entries count a stretch.
    """
    return np.append(np.int32(0), np.cumsum(np.repeat(equal, lengths), dtype=np.int32))


class CharacterPlaces(NamedTuple):
    """Per folded character of one side: the place it starts at, and whether a span may start before or end behind it."""

    places: IntArray
    may_start: npt.NDArray[np.bool_]
    may_end: npt.NDArray[np.bool_]


def place_characters(lengths: IntArray, places: IntArray) -> CharacterPlaces:
    """Places of one side's characters, given the lengths of its pieces and the places each piece takes."""
    base = np.zeros(len(places), np.int32)
    np.cumsum(places[:-1], out=base[1:])
    segment = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    starts = np.zeros(len(lengths), np.int32)
    np.cumsum(lengths[:-1], out=starts[1:])
    offset = np.arange(len(segment), dtype=np.int32) - starts[segment]
    single = ((places == 1) & (lengths > 1))[segment]
    where = base[segment] + np.where(single, 0, offset)
    where[(places == 0)[segment]] = NOWHERE
    # A segment whose one place the other side fills with more characters holds one here: both ends are free.
    may_start = ~single | (offset == 0)
    may_end = ~single | (offset == lengths[segment] - 1)
    return CharacterPlaces(where.astype(np.int32), may_start, may_end)


def place_side(document: Document, folded_cuts: IntArray, characters: CharacterPlaces) -> SidePlaces:
    """A document's tokens from first to last shared character, its sentences from first to last token."""
    n = len(characters.places)
    shared = characters.places != NOWHERE
    index = np.arange(n, dtype=np.int32)
    # For every character the next shared one (n: none) and the last shared one (-1: none).
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
    # What brings nothing shared stands where the token before it ended.
    inside = covered & (token_ends == NOWHERE)
    bearer = np.where(covered, np.arange(len(covered)), 0)
    bearer = np.maximum.accumulate(bearer) if len(bearer) else bearer
    reach = np.where(inside[bearer], NOWHERE, progress).astype(np.int32)
    # A token without characters sits behind the token before it.
    empty = np.diff(document.cuts) == 0
    token_starts[empty] = token_ends[empty] = reach[empty]
    heads, tails = document.sentences[:-1], document.sentences[1:] - 1
    return SidePlaces(token_starts, token_ends, token_starts[heads], token_ends[tails], progress, reach)


# Blocks: the smallest stretches that begin and end at a boundary on both sides. Of sentences they are the m:n aligned
# pairs of Jo et al. 2024 (Figures 2 and 3), of tokens the groups of Figure 4. What only one side has stands alone, 1:0 or
# 0:1.


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Stretches of gold and system rows, in order: cuts, one longer than there are blocks."""

    gold: IntArray
    system: IntArray

    def __len__(self) -> int:
        return len(self.gold) - 1

    def __iter__(self) -> Iterator[tuple[range, range]]:
        gold, system = self.gold.tolist(), self.system.tolist()
        for k in range(len(self)):
            yield range(gold[k], gold[k + 1]), range(system[k], system[k + 1])

    def sizes(self) -> Counter[str]:
        """How many blocks there are of each kind, as "2:1"."""
        gold, system = np.diff(self.gold).astype(np.int64), np.diff(self.system)
        wide = int(system.max(initial=0)) + 1
        kinds, counts = np.unique(gold * wide + system, return_counts=True)
        rows = zip(kinds.tolist(), counts.tolist(), strict=True)
        return Counter({f"{kind // wide}:{kind % wide}": count for kind, count in rows})


def make_blocks(gold_reach: IntArray, system_reach: IntArray) -> Blocks:
    """Blocks from how far, in shared places, each side has come by the end of each row (`SidePlaces.token_reach`)."""
    gold_values, gold_first, gold_counts = _steps(gold_reach)
    system_values, system_first, system_counts = _steps(system_reach)
    # Both ascend, so a look-up finds the values they share without sorting anything.
    there = np.minimum(np.searchsorted(system_values, gold_values), len(system_values) - 1)
    in_gold = np.flatnonzero(system_values[there] == gold_values)
    in_system = there[in_gold]
    # Rows that bring nothing shared repeat the reach of the row before: each stands alone, behind the boundary.
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
    """The distinct reaches, from 0 before the first row, with the row that got there first and how many stand there."""
    rows = np.append(-1, np.flatnonzero(reach != NOWHERE))
    values = np.append(0, reach[rows[1:]])
    first = np.flatnonzero(np.append(True, np.diff(values) > 0))
    return values[first], rows[first], np.diff(np.append(first, len(values)))


def _with_lone_rows(
    gold_ends: IntArray, gold_alone: IntArray, system_ends: IntArray, system_alone: IntArray
) -> tuple[IntArray, IntArray]:
    """Cuts with the lone rows behind each boundary cut off one by one, gold's first."""
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
