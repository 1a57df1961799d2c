"""Which of several equal characters the raw text lacks, where an alignment may leave out any of them.

    U.S. .     facing  U.S.           the text has one period: the abbreviation has it, the token behind it has none
    no ab | ab  facing  no   and  ab   two files: the second ab is the one that the second file has

A stretch that only the document has can slide as long as the characters at both of its ends are the same. It goes to where
it takes whole tokens, and where no sentence goes from one raw file into the next.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from evalign.alignment.fold import SENTENCE_MARK, FoldedLine
from evalign.alignment.places import NOWHERE
from evalign.document import IntArray

# How many characters a stretch slides at most.
LONGEST_SLIDE = 64
# How many characters at the beginning of a file are looked at for where it begins in the document.
LONGEST_RUN = 4096


class _Gap(NamedTuple):
    """A stretch of folded characters without a place, and how far it can slide to either side."""

    start: int
    end: int
    left: int
    right: int


def settle_gaps(folded: FoldedLine, places: IntArray, files: IntArray | None) -> IntArray:
    """Places of a document's folded characters, with gaps moved to where they take whole tokens.

    `files` has per place the number of the raw file it is in, None where there is one file.
    """
    settled = places.copy()
    if files is not None:
        _return_to_files(folded, settled, files)
    inside = np.concatenate([[False], settled == NOWHERE, [False]])
    starts, ends = np.flatnonzero(inside[1:] & ~inside[:-1]), np.flatnonzero(inside[:-1] & ~inside[1:])
    if not len(starts):
        return settled
    codes = np.append(folded.codes, -1)
    can_slide = (codes[starts] == codes[ends]) | (codes[starts - 1] == codes[ends - 1])
    if files is None:
        is_whole = (folded.marks[starts] > 0) & (folded.marks[ends] > 0)
        # A whole token may still be the first of two that are the same: the text has that one.
        can_slide &= ~is_whole | (codes[starts] == codes[ends])
    sentences = np.append(0, np.cumsum(folded.marks == SENTENCE_MARK))
    for start, end in zip(starts[can_slide].tolist(), ends[can_slide].tolist(), strict=True):
        gap = _find_slides(folded.codes, settled, start, end)
        _move(settled, gap, _choose(gap, folded, settled, sentences, files))
    return settled


def _return_to_files(folded: FoldedLine, places: IntArray, files: IntArray) -> None:
    """Give the beginning of a raw file to the sentence that begins there, not to the end of the one before.

    That is done where both have the same characters, and those at the end of the later ones have no place.
    """
    bounds = np.flatnonzero(folded.marks == SENTENCE_MARK)
    placed = np.flatnonzero(places != NOWHERE)
    owners = np.searchsorted(bounds, placed, side="right")
    heads = np.flatnonzero((np.diff(files[places[placed]]) != 0) & (np.diff(owners) == 0)) + 1
    for start, end in zip(placed[heads].tolist(), bounds[owners[heads]].tolist(), strict=True):
        lacking = np.flatnonzero(places[start : start + LONGEST_RUN] == NOWHERE)
        if not len(lacking):
            continue
        size = int(lacking[0])
        run, there = slice(start, start + size), slice(end, end + size)
        is_free = (places[max(end, start + size) : end + size] == NOWHERE).all()
        if is_free and np.array_equal(folded.codes[run], folded.codes[there]):
            places[there] = places[run].copy()
            places[start : min(end, start + size)] = NOWHERE


def _find_slides(codes: IntArray, places: IntArray, start: int, end: int) -> _Gap:
    """How far a gap can slide: over characters that are equal to those at its other end and have places of their own."""
    left = right = 0
    while left < LONGEST_SLIDE and start - left > 0 and _can_move(places, start - left - 1):
        if codes[start - left - 1] != codes[end - left - 1]:
            break
        left += 1
    while right < LONGEST_SLIDE and end + right < len(codes) and _can_move(places, end + right):
        if codes[start + right] != codes[end + right]:
            break
        right += 1
    return _Gap(start, end, left, right)


def _can_move(places: IntArray, at: int) -> bool:
    """Whether a character has a place, and has it alone."""
    place = places[at]
    beside = (at > 0 and places[at - 1] == place) or (at + 1 < len(places) and places[at + 1] == place)
    return bool(place != NOWHERE and not beside)


def _choose(
    gap: _Gap, folded: FoldedLine, places: IntArray, sentences: IntArray, files: IntArray | None
) -> int:
    """How far to slide: no sentence over two files, whole tokens, in the same sentence, later tokens first."""

    def cost(slide: int) -> tuple[int, bool, bool, int]:
        start, end = gap.start + slide, gap.end + slide
        is_whole = folded.marks[start] > 0 and folded.marks[end] > 0
        is_other = sentences[start + 1] != sentences[gap.start + 1]
        crossing = _count_crossing(gap, slide, places, sentences, files) if files is not None else 0
        return crossing, not is_whole, bool(is_other), -slide if is_whole else abs(slide)

    return min(range(-gap.left, gap.right + 1), key=cost)


def _count_crossing(gap: _Gap, slide: int, places: IntArray, sentences: IntArray, files: IntArray) -> int:
    """How often one raw file follows another inside a sentence, around a gap that has slid."""
    first, last = gap.start - gap.left, gap.end + gap.right
    before, after = _next_placed(places, first - 1, -1), _next_placed(places, last, 1)
    known = [*range(first, gap.start), *range(gap.end, last)]
    owners = [int(files[places[at]]) for at in known]
    at_start, size = gap.left + slide, gap.end - gap.start
    positions = [first + k + (size if k >= at_start else 0) for k in range(len(known))]
    if before is not None:
        positions.insert(0, before)
        owners.insert(0, int(files[places[before]]))
    if after is not None:
        positions.append(after)
        owners.append(int(files[places[after]]))
    rows = zip(owners, owners[1:], positions, positions[1:], strict=False)
    return sum(one != other and sentences[b + 1] == sentences[a + 1] for one, other, a, b in rows)


def _next_placed(places: IntArray, at: int, step: int) -> int | None:
    """The next character with a place, within as many as a gap may slide."""
    for _ in range(LONGEST_SLIDE):
        if not 0 <= at < len(places):
            return None
        if places[at] != NOWHERE:
            return at
        at += step
    return None


def _move(places: IntArray, gap: _Gap, slide: int) -> None:
    """Slide a gap: the characters it goes over take the places on its other side."""
    if slide > 0:
        places[gap.start : gap.start + slide] = places[gap.end : gap.end + slide].copy()
        places[gap.start + slide : gap.end + slide] = NOWHERE
    elif slide < 0:
        places[gap.end + slide : gap.end] = places[gap.start + slide : gap.start].copy()
        places[gap.start + slide : gap.end + slide] = NOWHERE
