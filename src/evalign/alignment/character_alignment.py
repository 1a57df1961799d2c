"""The alignment of two lines of characters: the path through both that earns most bits.

    step                                                                 bits
    equal characters: Han 8, kana 7, other letters 4, anything else 5    +
    a gap opens                                                          -4.5
    a substituted pair in a gap                                          -2.5
    a character of one line in a gap                                     -1.5
    a part of one token in a gap, where the other line has a boundary    -6 instead, if that is less
    a part up to its token's end, and one of the other line behind it    -7.5 for both, if that is less
    a jump over a long stretch of one line begins                        -32
    a character in a jump                                                -1/8
    a jump begins or ends where both lines have a sentence boundary      +12, a token boundary +2
    an equal pair begins or ends where both have a sentence boundary     +3, a token boundary +0.5
    a substituted pair begins or ends there                              +1.5, a token boundary +0.5

So text with a third of its letters wrong still earns bits, unrelated text costs bits, and leaving out whole
sentences costs little. The two lines are put into a fixed order first and swapped back last: gold against
system and system against gold take the same path.

The best path is followed from difference to difference by extension (`kernels.align_cy`): points that fall
too far below the best score are dropped. Where no point is left, a small area is filled exactly; in a large
one, stretches that occur once in each line show where the two lines continue together (`find_waypoints`).
A path whose differing text stands elsewhere as well (`kernels.look_up_cy`) is compared with such stretches.
`align_differing` and `cut_points` call this module.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from math import log2
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.alignment.fold import SENTENCE_MARK, TOKEN_MARK, FoldedLine
from evalign.document import IntArray
from evalign.errors import CommandError, Message
from evalign.kernels import align_cy, look_up_cy, prices
from evalign.kernels.chain_cy import chain_pieces, join_seeds
from evalign.kernels.prices import (
    BIT,
    SENTENCE_JUMP,
    SENTENCE_PAIR,
    SUBSTITUTED_PAIR,
    TOKEN_JUMP,
    TOKEN_PAIR,
)
from evalign.kernels.slide_cy import slide_gaps
from evalign.text import LONGEST_LINE

# Version of the objective and of all constants of the search, for the signature of a result.
MODEL = "3"

# Points further below the best score are dropped: DROP in general, NEAR_DROP in the first try, without jumps.
DROP, NEAR_DROP = 300 * BIT, 60 * BIT
# Most characters that a gap may shift the lines by, and most that it may cost, in the try without jumps:
# beyond that a jump might cost less.
MOST_SHIFT, MOST_COST = 4, 40 * BIT
# Most points of an area that is filled exactly.
EXACT = 1 << 22
# Most antidiagonals and points that an extension remembers before it must settle on a path.
MOST_ANTIDIAGONALS, MOST_POINTS = 1 << 15, 1 << 25
# Most points that are followed side by side. A jump for DROP bits leads over 2,144 characters; where more
# points are followed, no path is better than another: the lines have nothing in common. (Being no power of
# two, this width also keeps the rows of scores from falling on the same places of a processor's cache.)
WIDEST = 2464
# Text that differs is looked for within LOOKED_AHEAD characters from where the difference begins. Where it stands
# elsewhere, the lines are searched for a chain within SEARCHED characters, from BEFORE ones before the end of the
# difference; the chain serves all doubts of the first half of them.
LOOKED_AHEAD, SEARCHED, BEFORE = 4096, 8192, 256
# Most characters that a one-sided stretch slides. Repeated text would let it slide on and on, and the text
# could not be cut before it.
SLIDE_LIMIT = 4096
# The smallest window that a caller may choose.
SMALLEST_WINDOW = 64

Ints = npt.NDArray[np.int64]
_Point: TypeAlias = tuple[int, int]

# Kinds of pieces of a path.
EQUAL, SUBSTITUTED, ONE_SIDED, JUMP = range(4)

_CODES = align_cy.codes()
_KEYED = look_up_cy.codes()["KEYED"]
_PAIR_MARKS = np.array([0, TOKEN_PAIR, SENTENCE_PAIR], np.int16)
_JUMP_MARKS = np.array([0, TOKEN_JUMP, SENTENCE_JUMP], np.int16)
_HAN = (
    (0x3005, 0x3007),
    (0x3021, 0x3029),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
_KANA = (
    (0x3041, 0x3096),
    (0x309D, 0x309F),
    (0x30A1, 0x30FF),
    (0x31F0, 0x31FF),
    (0xFF66, 0xFF9D),
    (0x1AFF0, 0x1B16F),
)


class CharacterPath(NamedTuple):
    """The pieces of a path through two lines, in order; lengths are in folded characters."""

    gold: IntArray
    """Length of each piece on the gold side, and in `system` on the system side."""
    system: IntArray
    places: IntArray
    """Shared places of each piece: its length if it is equal or paired one to one, 1 if its two lengths
    differ, 0 if it is one-sided."""
    kinds: npt.NDArray[np.uint8]
    """EQUAL, SUBSTITUTED, ONE_SIDED or JUMP."""


class Walk(NamedTuple):
    """A path through two lines in their fixed order, and what is needed to know where they can be cut."""

    pieces: npt.NDArray[np.int32]
    """Rows of (kind as in the kernel, length in the first line, length in the second line)."""
    stands: npt.NDArray[np.int32]
    """Rows for the points where the walk began anew: position in the first and in the second line, how many
    of the equal characters that follow could be cut off without changing how the walk goes on, how far it had
    looked in both lines before, and how far they must be known for that. Filled only with `find_ends`."""
    ends: npt.NDArray[np.int32]
    """Rows of (position in the first, in the second line) for sentence boundaries of both lines up to which
    the path would be the same if the lines ended there. Filled only with `find_ends`."""
    lost: tuple[int, int] | None
    """Position in both lines from which nothing was found within the window; all that follows is one-sided.
    None if that did not happen."""
    bounded: npt.NDArray[np.int32]
    """Rows of (position in the first, in the second line) where searches began that ended at the window,
    whatever they found."""
    points: int
    """Number of points computed, to which the time is proportional."""


def align_characters(
    gold: FoldedLine,
    system: FoldedLine,
    *,
    window: int | None = None,
    swap: bool | None = None,
) -> CharacterPath:
    """Align two folded lines: find the path through both that earns most bits.

    Displaced text is searched for within `window` characters (None: everywhere). Equally good paths are chosen
    between by which line comes first, so that swapping gold and system swaps the result. `swap` is True if the
    system line comes first; None lets `comes_later` decide. A part of a text is given the answer for the whole.
    """
    if swap is None:
        swap = comes_later(gold.codes, system.codes)
    first, second = (system, gold) if swap else (gold, system)
    pieces = walk_characters(first, second, window).pieces
    pieces = slide_pieces(split_pieces(pieces, first, second), first, second, find_slide_limit(window))
    kinds = pieces[:, 0].astype(np.uint8)
    ours, theirs = np.ascontiguousarray(pieces[:, 1]), np.ascontiguousarray(pieces[:, 2])
    places = np.where(ours == theirs, ours, 1)
    places[kinds >= ONE_SIDED] = 0
    return CharacterPath(theirs if swap else ours, ours if swap else theirs, places, kinds)


def find_slide_limit(window: int | None) -> int:
    """Return how far a one-sided stretch may slide: SLIDE_LIMIT characters, and never beyond `window`."""
    return _within(window, SLIDE_LIMIT)


def comes_later(one: IntArray, other: IntArray) -> bool:
    """Return whether `one` comes after `other` in an order that does not depend on which of them is gold.

    The first difference decides, so the order is known before the lines have been read to their ends. If one
    line is the beginning of the other, the shorter one comes first.
    """
    size = min(len(one), len(other))
    differing = one[:size] != other[:size]
    if not differing.any():
        return len(one) > len(other)
    at = int(differing.argmax())
    return bool(one[at] > other[at])


def walk_characters(
    first: FoldedLine,
    second: FoldedLine,
    window: int | None = None,
    *,
    find_ends: bool = False,
    limit: int = LONGEST_LINE,
) -> Walk:
    """Find the best path from the start of both lines to their ends.

    `window` limits the search for displaced text. `find_ends` also records where the lines can be cut. Raises
    CommandError if both lines together have more than `limit` characters.
    """
    together = len(first.codes) + len(second.codes)
    if together > limit:
        problem = f"two texts that differ, of {together:,} characters together"
        raise CommandError(problem, f"at most {limit:,}", Message("score them in parts: {stream=True}"))
    return PathWalker(first, second, window, find_ends=find_ends).walk()


class PathWalker:
    """A walk along the best path through two lines.

    It decides what to do where an extension ends; `finder`, the kernel in its compiled or plain form,
    computes the extensions and collects the path.
    """

    def __init__(
        self,
        first: FoldedLine,
        second: FoldedLine,
        window: int | None = None,
        *,
        find_ends: bool = False,
        finder: type[align_cy.PathFinder] = align_cy.PathFinder,
    ) -> None:
        self.first, self.second, self.window = first, second, window
        self.n, self.m = len(first.codes), len(second.codes)
        self.chain: _LocalChain | None = None
        self.bounded: list[_Point] = []
        earned = self.earned = _earned_by_code(first.codes, second.codes)
        left, ahead = _prepare(first, earned, -1), _prepare(second, earned, -2)
        # The kernel requires the second line in reverse order.
        right = _Line(*(np.ascontiguousarray(column[::-1]) for column in ahead))  # type: ignore[arg-type]
        most = self.n + self.m + 1
        # np.empty takes address space, not memory, until it is written.
        self.pieces = np.empty(most, np.uint8), np.empty(most, np.int32), np.empty(most, np.int32)
        self.stands = np.empty((most if find_ends else 0, 7), np.int32)
        self.ends = np.empty((most if find_ends else 0, 2), np.int32)
        size = MOST_ANTIDIAGONALS
        room = (
            np.empty((_CODES["N_ROWS"], WIDEST), np.int16), np.empty((_CODES["N_ROWS"], WIDEST), np.int32),
            np.empty(MOST_POINTS, np.int16),
            np.empty(size, np.int32), np.empty(size, np.int64), np.empty(size, np.int32),
            np.empty(size, np.int32), np.empty(size, np.uint8),
            np.empty((size, 3), np.int32), np.empty((size if find_ends else 0, 3), np.int32),
        )  # fmt: skip
        self.finder = finder(
            (left.before, left.gain, left.pair, left.jump),
            (right.before, right.pair, right.jump, right.token_end),
            self.pieces,
            room,
            (self.stands, self.ends),
            look_up_cy.LookUp(
                (first.codes, _keys(first.codes)),
                (second.codes, _keys(second.codes)),
                (earned, room[8]),
                _within(window, LOOKED_AHEAD),
                MOST_SHIFT + 1,
            ),
            (DROP, NEAR_DROP, MOST_SHIFT, MOST_COST),
        )

    def walk(self) -> Walk:
        """Walk from the start of both lines to their ends, or to where nothing is found within the window."""
        finder = self.finder
        targets = [(self.n, self.m)]
        # Targets to which the path is kept without a doubt.
        trusted: set[_Point] = set()
        i = j = 0
        lost = None
        while targets:
            end = targets[-1]
            status, i, j = finder.walk(i, j, *end, end in trusted)
            waypoint: _Point | None = None
            while status == _CODES["DOUBTED"]:
                p, q, i, j = finder.doubt()
                waypoint = self._correct((i, j), (p, q), end)
                if waypoint is not None:
                    finder.give_up(i)
                    break
                status, i, j = finder.go_on()
            if status == _CODES["ARRIVED"]:
                targets.pop()
                continue
            waypoint = waypoint or end
            if _is_small(waypoint[0] - i, waypoint[1] - j):
                finder.fill(i, j, *waypoint)
                i, j = waypoint
                if waypoint == end:
                    targets.pop()
                continue
            if status == _CODES["DOUBTED"]:
                targets.append(waypoint)
                trusted.add(waypoint)
                continue
            near = self._limit((i, j), end, None)
            finder.see(*near)
            points = find_waypoints(*self._stretches((i, j), near))
            if points:
                targets += reversed(points)
                trusted.update(points if end in trusted else ())
                continue
            i, j = finder.keep_best()
            if near != end:
                lost = i, j
                self._add_jumps((i, j), end)
                break
            self._walk_back((i, j), end)
            i, j = targets.pop()
        n_pieces, n_stands, n_ends, n_points = finder.count()
        kinds, ours, theirs = (column[:n_pieces] for column in self.pieces)
        pieces = np.stack([kinds, ours, theirs], axis=1, dtype=np.int32)
        stands, ends = self.stands[:n_stands].copy(), self.ends[:n_ends].copy()
        bounded = np.array(self.bounded, np.int32).reshape(-1, 2)
        return Walk(pieces, stands, ends, lost, bounded, n_points)

    def _limit(self, start: _Point, end: _Point, most: int | None) -> _Point:
        """Return the point up to which a search from `start` goes: `end`, at most `most` characters away."""
        far = end if most is None else (min(end[0], start[0] + most), min(end[1], start[1] + most))
        near = far
        if self.window is not None:
            near = min(far[0], start[0] + self.window), min(far[1], start[1] + self.window)
        if near != far and start[0] < end[0] and start[1] < end[1]:
            self.bounded.append(start)
        return near

    def _correct(self, start: _Point, doubt: _Point, end: _Point) -> _Point | None:
        """Return a point that the path from `start` is to go through instead, or None if the path is kept.

        `doubt` is the end of a difference whose text stands elsewhere too. The point is `end` where all up to
        it can be filled exactly.
        """
        begin = max(start[0], doubt[0] - BEFORE), max(start[1], doubt[1] - BEFORE)
        reach = _within(self.window, SEARCHED)
        if all(b < a + reach for a, b in zip(begin, end, strict=True)) and _is_small(
            end[0] - start[0], end[1] - start[1]
        ):
            return end
        chain = self.chain
        if (
            chain is None
            or chain.end != end
            or any(b > a + reach // 2 for a, b in zip(chain.begin, doubt, strict=True))
        ):
            near = self._limit(begin, end, SEARCHED)
            self.finder.see(*near)
            chain = self.chain = _LocalChain(begin, end, *self._search(begin, near))
        return chain.correct(start, doubt)

    def _search(self, start: _Point, end: _Point) -> tuple[Ints, Ints]:
        """Return the pieces of the chain between two points, and a point in the first seed of each."""
        chain = _find_chain(*self._stretches(start, end))
        shift = np.array(start)
        return chain.pieces + np.append(shift, 0), chain.heads + shift

    def _stretches(self, start: _Point, end: _Point) -> Iterator[Stretch]:
        """Yield what lies between two points in the first and in the second line."""
        for line, begin, stop in zip((self.first, self.second), start, end, strict=True):
            codes = line.codes[begin:stop]
            yield Stretch(begin, codes, self.earned[codes], line.marks[begin:stop])

    def _add_jumps(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Append a jump over each line from `start` to `end`: all between these two points is one-sided."""
        self.finder.add(_CODES["JUMP"], end[0] - start[0], 0)
        self.finder.add(_CODES["JUMP"], 0, end[1] - start[1])

    def _walk_back(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Follow the path backwards from `end` as far as possible.

        What lies between `start` and the point reached is one-sided.
        """
        (i, j), (p, q) = start, end
        back = PathWalker(_reverse(self.first, i, p), _reverse(self.second, j, q))
        status, a, b = back.finder.walk(0, 0, p - i, q - j, trusts=True)
        if status == _CODES["DEAD"]:
            a, b = back.finder.keep_best()
        self._add_jumps(start, (p - a, q - b))
        rows = [column[: back.finder.count()[0]][::-1].tolist() for column in back.pieces]
        for piece in zip(*rows, strict=True):
            self.finder.add(*piece)


class _Line(NamedTuple):
    """The columns of a line for `align_cy.PathFinder`, each with an entry more than it has characters."""

    before: npt.NDArray[np.int32]
    gain: npt.NDArray[np.int16]
    pair: npt.NDArray[np.int16]
    jump: npt.NDArray[np.int16]
    token_end: npt.NDArray[np.int16]


def _within(window: int | None, most: int) -> int:
    return most if window is None else min(most, window)


def _prepare(line: FoldedLine, earned: npt.NDArray[np.int16], nothing: int) -> _Line:
    n = len(line.codes)
    before = np.empty(n + 1, np.int32)
    gain = np.zeros(n + 1, np.int16)
    before[0], before[1:] = nothing, line.codes
    gain[1:] = earned[line.codes]
    ranks = _ranks(line.marks)
    pair = _PAIR_MARKS[ranks]
    token_end = np.zeros(n + 1, np.int16)
    boundaries = np.flatnonzero(ranks)
    token_end[boundaries[:-1]] = np.minimum(pair[boundaries[1:]], SUBSTITUTED_PAIR)
    return _Line(before, gain, pair, _JUMP_MARKS[ranks], token_end)


def _ranks(marks: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return 0 for positions within a token, 1 for token boundaries, 2 for sentence boundaries."""
    ranks: npt.NDArray[np.uint8] = (marks >= TOKEN_MARK).view(np.uint8)
    return ranks + (marks >= SENTENCE_MARK).view(np.uint8)


def _earned_by_code(*lines: IntArray) -> npt.NDArray[np.int16]:
    """Return what each character of the lines earns if paired with an equal one, in sixteenths of a bit, by code."""
    size = 1 + max(int(codes.max(initial=0)) for codes in lines)
    table, present = np.zeros(size, np.int16), np.zeros(size, bool)
    for codes in lines:
        present[codes] = True
    for code in np.flatnonzero(present).tolist():
        table[code] = BIT * count_bits(code)
    return table


def _keys(codes: IntArray) -> npt.NDArray[np.uint16]:
    """Return a key of the KEYED characters from each position on; towards the end, of those that are left."""
    keys = np.empty(len(codes), np.uint16)
    block = 1 << 13  # so that little memory is needed beside the keys
    for start in range(0, len(codes), block):
        mixed = codes[start : start + block + _KEYED].astype(np.uint32)
        size = 1
        while size < _KEYED:
            # Keys of twice as many characters.
            mixed[:-size] += mixed[size:] * np.uint32(pow(0x9E3779B1, size, 1 << 32))
            size *= 2
        mixed *= np.uint32(0x85EBCA6B)
        mixed >>= np.uint32(16)
        keys[start : start + block] = mixed[:block]
    return keys


def count_bits(code: int) -> int:
    """Return how many bits a pair of this character earns.

    The number depends on the class of the character alone, not on statistics of a text, so that the parts of
    a text are aligned as the whole text is.
    """
    if any(low <= code <= high for low, high in _HAN):
        return 8
    if any(low <= code <= high for low, high in _KANA):
        return 7
    return 4 if unicodedata.category(chr(code)).startswith("L") else 5


def _is_small(a: int, b: int) -> bool:
    """Return whether an area of `a` by `b` characters is small enough to be filled exactly."""
    return (a + 1) * (b + 1) <= EXACT and a + b + 2 <= MOST_ANTIDIAGONALS and min(a, b) + 8 <= WIDEST


def _reverse(line: FoldedLine, start: int, end: int) -> FoldedLine:
    """Return a stretch of a line in reverse order: its characters and boundaries."""
    codes = np.ascontiguousarray(line.codes[start:end][::-1])
    marks = np.ascontiguousarray(line.marks[start : end + 1][::-1])
    return line._replace(codes=codes, marks=marks)


def split_pieces(
    pieces: npt.NDArray[np.int32], first: FoldedLine, second: FoldedLine
) -> npt.NDArray[np.int32]:
    """Turn the kernel's pieces into EQUAL, SUBSTITUTED, ONE_SIDED and JUMP pieces.

    A gap with characters of one line alone is one-sided. A gap of equal lengths is split into runs of equal
    and of substituted pairs.
    """
    kinds, a, b = pieces.T
    rows = pieces.copy()
    rows[:, 0] = np.where(
        kinds == _CODES["EQUAL"], EQUAL, np.where(kinds == _CODES["JUMP"], JUMP, SUBSTITUTED)
    )
    rows[(rows[:, 0] == SUBSTITUTED) & ((a == 0) | (b == 0)), 0] = ONE_SIDED
    starts = np.zeros((len(pieces) + 1, 2), np.int64)
    np.cumsum(pieces[:, 1:], axis=0, out=starts[1:])
    paired = np.flatnonzero((rows[:, 0] == SUBSTITUTED) & (a == b))
    lengths = a[paired].astype(np.int64)
    offsets = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    left, right = (np.repeat(starts[paired, side], lengths) + offsets for side in range(2))
    same = first.codes[left] == second.codes[right]
    if not same.any():
        return rows
    # Paired gaps are cut into runs of equal and of different pairs.
    owner = np.repeat(paired, lengths)
    new_run = np.append(True, (same[1:] != same[:-1]) | (owner[1:] != owner[:-1]))
    heads = np.flatnonzero(new_run)
    sizes = np.diff(np.append(heads, len(same)))
    runs = np.stack([np.where(same[heads], EQUAL, SUBSTITUTED), sizes, sizes], axis=1)
    rest = np.ones(len(rows), bool)
    rest[paired] = False
    order = np.argsort(np.append(np.flatnonzero(rest), owner[heads]), kind="stable")
    return _join_equal(np.concatenate([rows[rest], runs.astype(np.int32)])[order])


def _join_equal(pieces: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Join EQUAL pieces that follow each other."""
    equal = pieces[:, 0] == EQUAL
    heads = np.flatnonzero(np.append(True, ~(equal[1:] & equal[:-1])))
    joined = pieces[heads]
    joined[:, 1:] = np.add.reduceat(pieces[:, 1:], heads, axis=0)
    return joined


def slide_pieces(
    pieces: npt.NDArray[np.int32], first: FoldedLine, second: FoldedLine, limit: int
) -> npt.NDArray[np.int32]:
    """Slide one-sided pieces that stand between equal ones to where they earn most.

    Among equally good positions, sentence and token boundaries are preferred. No piece slides by more than
    `limit` characters. The path search finds the best position itself if it is a few characters
    away; in text that repeats itself, such as a doubled sentence, it may be much farther. Returns the pieces with
    their new lengths.
    """
    equal = np.flatnonzero(pieces[:, 0] == EQUAL)
    runs = np.zeros((len(equal) + 2, 3), np.int32)
    ends = np.cumsum(pieces[:, 1:], axis=0)
    runs[1:-1, :2] = ends[equal] - pieces[equal, 1:]
    runs[1:-1, 2] = pieces[equal, 1]
    runs[-1, :2] = len(first.codes), len(second.codes)
    before = np.append(0, np.cumsum(pieces[:, 0] == JUMP))[np.concatenate([[0], equal, [len(pieces)]])]
    jumps = (np.diff(before) > 0).view(np.uint8)
    slide_gaps(first.codes, second.codes, first.marks, second.marks, runs, jumps, limit)
    slid = pieces.copy()
    slid[equal, 1] = slid[equal, 2] = runs[1:-1, 2]
    # A piece that slid away from an end of both lines leaves an equal run there; one that slid to it, an
    # empty run.
    head, tail = int(runs[0, 2]), int(runs[-1, 2])
    if head or tail:
        edge = np.array([[EQUAL, head, head], [EQUAL, tail, tail]], np.int32)
        slid = np.concatenate([edge[:1], slid, edge[1:]])
    return slid[slid[:, 1:].any(axis=1)]


# Waypoints: points where two lines go on together, found by stretches that occur once in each of them. They
# are used where the best path cannot be followed from character to character: text is missing, moved, or has
# something put between all of its tokens.

# Bits of a seed beyond log2 of the area: with characters drawn at random, one seed in 256 would occur by
# chance.
SEED_BITS = 8
# Most that the step from one piece to another costs, in log2 of the area. It is more than chance would ask
# for, because natural phrases recur.
LINK_BITS = 4

# Most characters between two pieces that the path is expected to be followed through; they need not be equal.
# Unrelated text loses about a bit per character, and a path that has lost more bits is not followed.
MOST_BETWEEN = 300

# Most tokens between two waypoints that were found by the first letters of tokens.
MOST_TOKENS = 128


class Stretch(NamedTuple):
    """A stretch of a line, to be searched for waypoints."""

    start: int
    codes: IntArray
    gains: npt.NDArray[np.int16]
    """What each character earns if paired with an equal one, in sixteenths of a bit."""
    marks: npt.NDArray[np.uint8]
    """Token and sentence boundaries, as in `FoldedLine.marks`."""

    @property
    def heads(self) -> Ints:
        """Positions of the first letter of each token that has a letter."""
        table = np.zeros(0x110000, bool)
        present = np.zeros(0x110000, bool)
        present[self.codes] = True
        for code in np.flatnonzero(present).tolist():
            table[code] = unicodedata.category(chr(code)).startswith("L")
        letters = np.flatnonzero(table[self.codes])
        token = np.cumsum(self.marks[: len(self.codes)] >= TOKEN_MARK)[letters]
        return letters[np.append(True, token[1:] != token[:-1])] if len(letters) else letters

    def at(self, positions: Ints) -> Stretch:
        """Return the stretch with only the characters at `positions`."""
        return self._replace(codes=self.codes[positions], gains=self.gains[positions])


def find_waypoints(first: Stretch, second: Stretch) -> list[_Point]:
    """Find points that the path is to go through, as (position in the first line, in the second), ascending.

    If the lines have none, the first letters of their tokens are searched instead. These are the same even if
    one side adds something to every token, as in `word_NN` or `| word |`. The path can then not be followed far
    from any of them, so that every MOST_TOKENS tokens there is one.
    """
    points = _find_chain(first, second).waypoints()
    if not len(points):
        heads, other_heads = first.heads, second.heads
        points = _find_chain(first.at(heads), second.at(other_heads)).waypoints(MOST_TOKENS)
        points = np.stack([heads[points[:, 0]], other_heads[points[:, 1]]], axis=1)
    return [(first.start + int(p), second.start + int(q)) for p, q in points]


class _SharedChain(NamedTuple):
    """The heaviest chain of stretches that two sequences share."""

    pieces: Ints
    """Rows of (start in the first, start in the second, length), without overlaps."""
    broken: npt.NDArray[np.uint8]
    """True if the path cannot be followed from the piece before."""
    heads: Ints
    """A point inside the first seed of each piece, and in `tails` inside the last one."""
    tails: Ints
    seeds: Ints
    """Points inside all seeds of the pieces, ascending."""

    def waypoints(self, most: int | None = None) -> Ints:
        """Return points at both ends of each group of pieces, and with `most` one every `most` characters."""
        points: list[tuple[int, int]] = []
        n = len(self.pieces)
        for k in range(n):
            if k == 0 or self.broken[k]:
                points.append((int(self.heads[k, 0]), int(self.heads[k, 1])))
            if k == n - 1 or self.broken[k + 1]:
                points.append((int(self.tails[k, 0]), int(self.tails[k, 1])))
        if most is not None:
            points = _fill_in(points, self.seeds, most)
        waypoints = np.array(points, np.int64).reshape(-1, 2)
        kept: Ints = waypoints[
            np.append(True, (np.diff(waypoints, axis=0) > 0).all(axis=1))[: len(waypoints)]
        ]
        return kept


def _fill_in(points: list[tuple[int, int]], seeds: Ints, most: int) -> list[tuple[int, int]]:
    """Put points of `seeds` between the first and the last of each pair of `points`, `most` apart."""
    filled = []
    for (i, j), (p, q) in zip(points[::2], points[1::2], strict=True):
        filled.append((i, j))
        a, b = np.searchsorted(seeds[:, 0], [i, p])
        for x, y in seeds[a:b].tolist():
            if x >= filled[-1][0] + most and j < y < q and y > filled[-1][1]:
                filled.append((x, y))
        filled.append((p, q))
    return filled


def _find_chain(first: Stretch, second: Stretch) -> _SharedChain:
    """Find the heaviest chain of seeds, which occur once in the characters of each stretch."""
    no_points = np.zeros((0, 2), np.int64)
    nothing = _SharedChain(np.zeros((0, 3), np.int64), np.zeros(0, np.uint8), no_points, no_points, no_points)
    if not len(first.codes) or not len(second.codes):
        return nothing
    area = log2(len(first.codes)) + log2(len(second.codes))
    p, ends, q = _find_seeds(first, second, int(prices.BIT * (area + SEED_BITS)))
    if not len(p):
        return nothing
    # Seeds on one diagonal that overlap, or have only equal characters between them, are one piece.
    order = np.argsort(((p - q) << 32) + p)
    p, ends, q = p[order], ends[order], q[order]
    joins = np.empty(len(p), np.uint8)
    join_seeds(first.codes, second.codes, p, ends, q, joins)
    heads = np.flatnonzero(joins == 0)
    tails = np.append(heads[1:], len(p)) - 1
    pieces = np.stack([p[heads], q[heads], ends[tails] - p[heads]], axis=1)
    order = np.argsort((pieces[:, 0] << 32) + pieces[:, 1])
    pieces, heads, tails = np.ascontiguousarray(pieces[order]), heads[order], tails[order]
    bits = np.append(0, np.cumsum(first.gains, dtype=np.int64))
    before = np.empty(len(pieces), np.int64)
    broken = np.empty(len(pieces), np.uint8)
    by_end = np.argsort(pieces[:, 0] + pieces[:, 2], kind="stable")
    ranks = np.argsort(np.argsort(pieces[:, 1] + pieces[:, 2], kind="stable"), kind="stable")
    reach = np.searchsorted(np.sort(pieces[:, 1] + pieces[:, 2]), pieces[:, 1], side="right")
    scores, tree = np.empty(len(pieces), np.int64), np.empty(len(pieces) + 1, np.int64)
    last = chain_pieces(
        pieces,
        bits,
        by_end,
        ranks,
        reach,
        int(prices.BIT * LINK_BITS * area),
        prices.OPEN,
        prices.ONE_SIDED,
        scores,
        before,
        broken,
        tree,
    )
    backwards = []
    while last >= 0:
        backwards.append(last)
        last = int(before[last])
    chain = np.array(backwards[::-1], np.int64)
    pieces, broken, heads, tails = pieces[chain], broken[chain], heads[chain], tails[chain]
    behind = pieces[1:, :2] - pieces[:-1, :2] - pieces[:-1, 2:]
    broken[1:] |= behind.min(axis=1) > MOST_BETWEEN
    # Overlaps are cut off the later piece.
    overlap = np.maximum(-behind.min(axis=1), 0)
    pieces[1:] += np.stack([overlap, overlap, -overlap], axis=1)
    half = (ends - p) // 2
    points = np.stack([p + half, q + half], axis=1)
    sizes = tails - heads + 1
    rows = np.arange(sizes.sum()) + np.repeat(heads - np.cumsum(sizes) + sizes, sizes)
    return _SharedChain(pieces, broken, points[heads], points[tails], points[rows])


class _LocalChain(NamedTuple):
    """The chain of a search around a doubt; it serves the doubts that follow, too."""

    begin: _Point
    """Where the search began."""
    end: _Point
    """The target of the walk."""
    pieces: Ints
    heads: Ints
    """A point inside the first seed of each piece."""

    def correct(self, start: _Point, doubt: _Point) -> _Point | None:
        """Return a point that the path from `start` is to go through, or None if the chain agrees with it.

        The path is that through `doubt`, which is the end of a difference.
        """
        ends = self.pieces[:, :2] + self.pieces[:, 2:]
        k = int(min(np.searchsorted(ends[:, side], doubt[side], side="right") for side in range(2)))
        if k == len(self.pieces):
            return None
        i, j, length = self.pieces[k].tolist()
        if abs(doubt[0] - doubt[1] - i + j) <= MOST_SHIFT or (i > doubt[0] and j > doubt[1]):
            return None
        chosen = None
        for (a, b, _), head in zip(self.pieces[k::-1].tolist(), self.heads[k::-1].tolist(), strict=True):
            if abs(i - j - a + b) > MOST_SHIFT or head[0] <= start[0] or head[1] <= start[1]:
                break
            chosen = head[0], head[1]
        if chosen is not None:
            return chosen
        offset = max(start[0] - i, start[1] - j) + MOST_SHIFT
        return (i + offset, j + offset) if offset < length else None


def _find_seeds(first: Stretch, second: Stretch, least: int) -> tuple[Ints, Ints, Ints]:
    """Find seeds, which occur once in the characters of each stretch.

    A seed is the shortest sequence of characters from its start that earns `least` or more. Returns starts and
    ends in `first`, and starts in `second`.
    """
    keys, starts, ends = _unique_sequences(first, least)
    other_keys, other_starts, _ = _unique_sequences(second, least)
    none = np.zeros(0, np.int64)
    if not len(keys) or not len(other_keys):
        return none, none, none
    at = np.minimum(np.searchsorted(other_keys, keys), len(other_keys) - 1)
    same = other_keys[at] == keys
    p, e, q = starts[same], ends[same], other_starts[at[same]]
    # Hashes may collide, so the first and the last character are compared.
    codes, other_codes = first.codes, second.codes
    true = (codes[p] == other_codes[q]) & (codes[e - 1] == other_codes[q + e - p - 1])
    return p[true], e[true], q[true]


def _unique_sequences(stretch: Stretch, least: int) -> tuple[npt.NDArray[np.uint64], Ints, Ints]:
    """Find sequences that occur once in a stretch, each the shortest from its start that earns `least` or more.

    Returns their hashes, ascending, and their starts and ends.
    """
    codes, bits = stretch.codes, np.append(0, np.cumsum(stretch.gains, dtype=np.int64))
    ends = np.searchsorted(bits, bits[:-1] + least)
    size = int(np.searchsorted(ends, len(codes), side="right"))
    ends = ends[:size]
    # Polynomial hashes modulo 2**64: sums of characters times powers, taken back to power 0 by the inverse
    # powers.
    base = np.uint64(0x9E3779B97F4A7C15)
    inverse = np.uint64(pow(int(base), -1, 1 << 64))
    mixed = (codes.astype(np.uint64) + np.uint64(1)) * np.uint64(0xD6E8FEB86659FD93)
    mixed ^= mixed >> np.uint64(32)
    mixed *= np.cumprod(np.full(len(codes), base))
    sums = np.append(np.uint64(0), np.cumsum(mixed, dtype=np.uint64))
    hashes = sums[ends] - sums[:size]
    hashes *= np.cumprod(np.full(size, inverse))
    order = np.argsort(hashes)  # of equal ones none is kept, so their order is of no account
    keys = hashes[order]
    new = np.append(True, keys[1:] != keys[:-1]) if size else np.zeros(0, bool)
    once = new & np.append(new[1:], True) if size else new
    return keys[once], order[once], ends[order[once]]
