"""The alignment of two lines of characters: the path through both that earns most bits.

    step                                                                bits
    equal characters: Han 8, kana 7, other letters 4, anything else 5   +
    a gap opens                                                         -4.5
    in it, a substituted pair                                           -2.5
    in it, a character of one line                                      -1.5
    in it, a whole token of one line, or one for one                    -8 instead, if that is less
    a jump over a long stretch of one line begins                       -32
    in it, a character                                                  -1/8
    a jump begins or ends where both lines have a sentence boundary     +12, a token boundary +2
    a pair begins or ends where both lines have a sentence boundary     +1.5, a token boundary +0.5

So a third of wrong letters still earns, unrelated text costs, and leaving out whole sentences costs little. The lines
are put in one order first and swapped back last: gold against system and system against gold meet the same path.

The best path is followed from difference to difference by extension (`kernels.align_cy`): what falls too far below the
best is given up. Where nothing is left, small areas are filled exactly; in large ones, stretches that occur once in each
line show where the lines go on together (`find_waypoints`).
"""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from math import log2
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.alignment.fold import SENTENCE_MARK, TOKEN_MARK, FoldedLine
from evalign.document import IntArray
from evalign.errors import CommandError
from evalign.kernels import align_cy, prices
from evalign.kernels.chain_cy import chain_pieces, join_seeds
from evalign.kernels.prices import BIT, SENTENCE_JUMP, SENTENCE_PAIR, TOKEN_JUMP, TOKEN_PAIR
from evalign.kernels.slide_cy import slide_gaps
from evalign.text import LONGEST_LINE

# The version of the objective and of all constants of the search, for a signature.
MODEL = "2"

# What is further below the best is not followed; the same where first no jumps are tried.
DROP, NEAR_DROP = 300 * BIT, 60 * BIT
# Without jumps, no gap may shift the lines by more characters or cost more bits: a jump might cost less.
MOST_SHIFT, MOST_COST = 4, 40 * BIT
# Points of an area that is filled exactly.
EXACT = 1 << 22
# Antidiagonals and points that are remembered before the best path is settled.
MOST_ANTIDIAGONALS, MOST_POINTS = 1 << 15, 1 << 25
# Points that are followed side by side. A jump for DROP bits leads over 2,144 characters; where more is followed, no way
# is better than another: the lines have nothing in common. (This width also keeps the rows of scores from falling on the
# same places of a processor's cache, which a power of two does not.)
WIDEST = 2464
# How far a one-sided stretch slides: repeated text would let it slide on and on, and text could not be cut before it.
SLIDE_LIMIT = 4096
# The smallest window that can be asked for.
SMALLEST_WINDOW = 64

# Kinds of pieces of a path.
EQUAL, SUBSTITUTED, ONE_SIDED, JUMP = range(4)

_CODES = align_cy.codes()
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
    """The pieces of a path through two lines, in order, in folded characters."""

    gold: IntArray
    """Lengths on the gold side."""
    system: IntArray
    places: IntArray
    """Shared places: the length of an equal or paired piece, 1 for an unequal one, 0 for a one-sided one."""
    kinds: npt.NDArray[np.uint8]
    """EQUAL, SUBSTITUTED, ONE_SIDED or JUMP."""


class Walk(NamedTuple):
    """A path through two lines in their own order, and what is needed to know where they can be cut."""

    pieces: npt.NDArray[np.int32]
    """Rows: kind as of the kernel, length in the first line, in the second."""
    stands: npt.NDArray[np.int32]
    """Where the walk began anew: position in both lines, how many of the equal characters behind it need not have been
    seen, and how far it had looked in both lines before. All of them, if they were asked for."""
    ends: npt.NDArray[np.int32]
    """Sentence boundaries of both lines, if they were asked for, up to which the path is the same if the lines end
    there."""
    lost: tuple[int, int] | None
    """Where nothing was found within the window any more, if that happened: what follows is one-sided."""
    points: int
    """Points computed, which is what takes time."""


def align_characters(
    gold: FoldedLine,
    system: FoldedLine,
    *,
    window: int | None = None,
    swap: bool | None = None,
) -> CharacterPath:
    """Align two lines; of parts, `swap` says which line of the whole comes first.

    Text that was displaced is looked for within a window.
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
    """How far a one-sided stretch slides: no further than text is looked for."""
    return SLIDE_LIMIT if window is None else min(SLIDE_LIMIT, window)


def comes_later(one: IntArray, other: IntArray) -> bool:
    """An order of lines that has nothing to do with which is gold, and that their first difference tells.

    So it is known before the ends of the lines are; where one line is the beginning of the other, it comes first.
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
    """The best path from the start of both lines to their ends; `limit` is for the characters of both."""
    together = len(first.codes) + len(second.codes)
    if together > limit:
        problem = f"two texts that differ, of {together:,} characters together"
        raise CommandError(problem, f"at most {limit:,}", "score them in parts: `stream=True`")
    return PathWalker(first, second, find_ends=find_ends).walk(window)


class PathWalker:
    """A path that is being found; `finder` is the kernel that follows it, in one of its forms."""

    def __init__(
        self,
        first: FoldedLine,
        second: FoldedLine,
        *,
        find_ends: bool = False,
        finder: type[align_cy.PathFinder] = align_cy.PathFinder,
    ) -> None:
        self.first, self.second = first, second
        self.n, self.m = len(first.codes), len(second.codes)
        left, right = _prepare(first, -1), _reverse_columns(_prepare(second, -2))
        most = self.n + self.m + 1
        # np.empty takes address space, not memory, until it is written.
        self.pieces = np.empty(most, np.uint8), np.empty(most, np.int32), np.empty(most, np.int32)
        self.stands = np.empty((most if find_ends else 0, 5), np.int32)
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
            (DROP, NEAR_DROP, MOST_SHIFT, MOST_COST),
        )

    def walk(self, window: int | None) -> Walk:
        """From the start of both lines to their ends, or to where nothing is found within the window."""
        finder = self.finder
        targets = [(self.n, self.m)]
        i = j = 0
        lost = None
        while targets:
            end = targets[-1]
            status, i, j = self._extend(i, j, end)
            if status == _CODES["ARRIVED"]:
                targets.pop()
                continue
            if _is_small(end[0] - i, end[1] - j):
                finder.fill(i, j, *end)
                i, j = targets.pop()
                continue
            near = end if window is None else (min(end[0], i + window), min(end[1], j + window))
            finder.see(*near)
            points = self._find_waypoints((i, j), near)
            if points:
                targets += points[::-1]
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
        return Walk(pieces, self.stands[:n_stands].copy(), self.ends[:n_ends].copy(), lost, n_points)

    def _extend(self, i: int, j: int, end: tuple[int, int]) -> tuple[int, int, int]:
        stop: tuple[int, int, int] = self.finder.walk(i, j, *end)
        return stop

    def _find_waypoints(self, start: tuple[int, int], end: tuple[int, int]) -> list[tuple[int, int]]:
        """Points between two others that the path goes through, by stretches that occur once in both lines."""
        (i, j), (p, q) = start, end
        if i == p or j == q:
            return []
        return find_waypoints(self._stretch(self.first, i, p), self._stretch(self.second, j, q))

    def _stretch(self, line: FoldedLine, start: int, end: int) -> Stretch:
        codes = line.codes[start:end]
        return Stretch(start, codes, _gains(codes), line.marks[start:end])

    def _add_jumps(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """What lies between two points is one-sided."""
        self.finder.add(_CODES["JUMP"], end[0] - start[0], 0)
        self.finder.add(_CODES["JUMP"], 0, end[1] - start[1])

    def _walk_back(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """From `end` backwards as far as the path can be followed; what lies between that and `start` is one-sided."""
        (i, j), (p, q) = start, end
        back = PathWalker(_reverse(self.first, i, p), _reverse(self.second, j, q))
        status, a, b = back._extend(0, 0, (p - i, q - j))
        if status == _CODES["DEAD"]:
            a, b = back.finder.keep_best()
        self._add_jumps(start, (p - a, q - b))
        rows = [column[: back.finder.count()[0]][::-1].tolist() for column in back.pieces]
        for piece in zip(*rows, strict=True):
            self.finder.add(*piece)


class _Line(NamedTuple):
    """A line as the kernel wants it; columns are one longer than the line."""

    before: npt.NDArray[np.int32]
    gain: npt.NDArray[np.int16]
    pair: npt.NDArray[np.int16]
    jump: npt.NDArray[np.int16]
    token_end: npt.NDArray[np.int16]


def _prepare(line: FoldedLine, nothing: int) -> _Line:
    n = len(line.codes)
    before = np.empty(n + 1, np.int32)
    gain = np.zeros(n + 1, np.int16)
    before[0], before[1:] = nothing, line.codes
    gain[1:] = _gains(line.codes)
    ranks = _ranks(line.marks)
    pair = _PAIR_MARKS[ranks]
    token_end = np.zeros(n + 1, np.int16)
    boundaries = np.flatnonzero(ranks)
    token_end[boundaries[:-1]] = pair[boundaries[1:]]
    return _Line(before, gain, pair, _JUMP_MARKS[ranks], token_end)


def _reverse_columns(line: _Line) -> _Line:
    """The same backwards."""
    before, gain, pair, jump, token_end = (np.ascontiguousarray(column[::-1]) for column in line)
    return _Line(before, gain, pair, jump, token_end)  # type: ignore[arg-type]


def _ranks(marks: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """0 within a token, 1 at a token boundary, 2 at a sentence boundary."""
    ranks: npt.NDArray[np.uint8] = (marks >= TOKEN_MARK).view(np.uint8)
    return ranks + (marks >= SENTENCE_MARK).view(np.uint8)


def _gains(codes: IntArray) -> npt.NDArray[np.int16]:
    """What each character earns if it is paired with an equal one."""
    table = np.zeros(0x110000, np.int16)
    present = np.zeros(0x110000, bool)
    present[codes] = True
    for code in np.flatnonzero(present).tolist():
        table[code] = BIT * count_bits(code)
    gains: npt.NDArray[np.int16] = table[codes]
    return gains


def count_bits(code: int) -> int:
    """What a character says, by its class: no statistics of a text, so that parts give what the whole gives."""
    if any(low <= code <= high for low, high in _HAN):
        return 8
    if any(low <= code <= high for low, high in _KANA):
        return 7
    return 4 if unicodedata.category(chr(code)).startswith("L") else 5


def _is_small(a: int, b: int) -> bool:
    """Whether an area is small enough to be filled exactly."""
    return (a + 1) * (b + 1) <= EXACT and a + b + 2 <= MOST_ANTIDIAGONALS and min(a, b) + 8 <= WIDEST


def _reverse(line: FoldedLine, start: int, end: int) -> FoldedLine:
    """A stretch of a line, backwards."""
    codes = np.ascontiguousarray(line.codes[start:end][::-1])
    marks = np.ascontiguousarray(line.marks[start : end + 1][::-1])
    return line._replace(codes=codes, marks=marks)


def split_pieces(
    pieces: npt.NDArray[np.int32], first: FoldedLine, second: FoldedLine
) -> npt.NDArray[np.int32]:
    """Pieces by kind: gaps are substituted or one-sided, and what is equal in paired ones is equal."""
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
    # Pieces in which something is equal are cut into runs of equal and of other pairs.
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
    """Pieces with equal ones that follow each other as one."""
    equal = pieces[:, 0] == EQUAL
    heads = np.flatnonzero(np.append(True, ~(equal[1:] & equal[:-1])))
    joined = pieces[heads]
    joined[:, 1:] = np.add.reduceat(pieces[:, 1:], heads, axis=0)
    return joined


def slide_pieces(
    pieces: npt.NDArray[np.int32], first: FoldedLine, second: FoldedLine, limit: int
) -> npt.NDArray[np.int32]:
    """Pieces with one-sided stretches between equal ones where they earn most, then at sentence and token boundaries.

    The path has them there already if that is near; in text that repeats itself it may be far.
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
    # What slid to the very end of both lines has left an empty run there, or made one.
    head, tail = int(runs[0, 2]), int(runs[-1, 2])
    if head or tail:
        edge = np.array([[EQUAL, head, head], [EQUAL, tail, tail]], np.int32)
        slid = np.concatenate([edge[:1], slid, edge[1:]])
    return slid[slid[:, 1:].any(axis=1)]


# Waypoints: where two lines go on together, found by stretches that occur once in each of them. Used where the best path
# cannot be followed from character to character any more: text is missing, moved, or has something put between all of its
# tokens.

# Bits of a seed beyond log2 of the area: one seed in 256 is there by chance, if characters are drawn at random.
SEED_BITS = 8
# What the step from one piece to another costs at most, in log2 of the area: natural phrases recur.
LINK_BITS = 4

# Characters between two pieces on one diagonal that need not be equal: unrelated text loses about a bit per character,
# and what has lost more bits is not followed.
MOST_BETWEEN = 300

Ints = npt.NDArray[np.int64]


class Stretch(NamedTuple):
    """A stretch of a line."""

    start: int
    codes: IntArray
    gains: npt.NDArray[np.int16]
    """What each character earns if it is paired with an equal one, in sixteenths of a bit."""
    marks: npt.NDArray[np.uint8]
    """Where tokens begin."""

    @property
    def heads(self) -> Ints:
        """The positions of the first letters of all tokens that have one."""
        table = np.zeros(0x110000, bool)
        present = np.zeros(0x110000, bool)
        present[self.codes] = True
        for code in np.flatnonzero(present).tolist():
            table[code] = unicodedata.category(chr(code)).startswith("L")
        letters = np.flatnonzero(table[self.codes])
        token = np.cumsum(self.marks[: len(self.codes)] >= TOKEN_MARK)[letters]
        return letters[np.append(True, token[1:] != token[:-1])] if len(letters) else letters


def find_waypoints(first: Stretch, second: Stretch) -> list[tuple[int, int]]:
    """Points that the path goes through, ascending in both lines.

    If the lines themselves have none, the first letters of their tokens are looked at: they see through what every token
    has, as in `word_NN` or `| word |`.
    """
    points = _search_waypoints(first.codes, first.gains, second.codes, second.gains)
    if not len(points):
        one, other = first.heads, second.heads
        points = _search_waypoints(
            first.codes[one], first.gains[one], second.codes[other], second.gains[other]
        )
        points = np.stack([one[points[:, 0]], other[points[:, 1]]], axis=1)
    return [(first.start + int(p), second.start + int(q)) for p, q in points]


def _search_waypoints(
    first: IntArray, first_gains: npt.NDArray[np.int16], second: IntArray, second_gains: npt.NDArray[np.int16]
) -> Ints:
    """The waypoints of two sequences of characters, as rows."""
    none = np.zeros((0, 2), np.int64)
    if not len(first) or not len(second):
        return none
    area = log2(len(first)) + log2(len(second))
    least = int(prices.BIT * (area + SEED_BITS))
    p, ends, q = _find_seeds(first, first_gains, second, second_gains, least)
    if not len(p):
        return none
    # Seeds on one diagonal that overlap, or between which all is equal, are one piece.
    order = np.lexsort((p, p - q))
    p, ends, q = p[order], ends[order], q[order]
    joins = np.empty(len(p), np.uint8)
    join_seeds(first, second, p, ends, q, joins)
    heads = np.flatnonzero(joins == 0)
    tails = np.append(heads[1:], len(p)) - 1
    pieces = np.stack([p[heads], q[heads], ends[tails] - p[heads]], axis=1)
    order = np.lexsort((pieces[:, 1], pieces[:, 0]))
    pieces, heads, tails = np.ascontiguousarray(pieces[order]), heads[order], tails[order]
    bits = np.append(0, np.cumsum(first_gains, dtype=np.int64))
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
    chain = []
    while last >= 0:
        chain.append(last)
        last = int(before[last])
    chain.reverse()
    for one, next_one in pairwise(chain):
        behind = pieces[next_one, :2] - pieces[one, :2] - pieces[one, 2]
        broken[next_one] |= behind.min() > MOST_BETWEEN
    points = []
    for number, piece in enumerate(chain):
        if number == 0 or broken[piece]:
            points.append(_middle(p, ends, q, int(heads[piece])))
        if number == len(chain) - 1 or broken[chain[number + 1]]:
            points.append(_middle(p, ends, q, int(tails[piece])))
    waypoints = np.array(points or none, np.int64).reshape(-1, 2)
    ascends = (
        np.append(True, (np.diff(waypoints, axis=0) > 0).all(axis=1)) if len(waypoints) else np.zeros(0, bool)
    )
    kept: Ints = waypoints[ascends]
    return kept


def _middle(p: Ints, ends: Ints, q: Ints, seed: int) -> tuple[int, int]:
    half = int(ends[seed] - p[seed]) // 2
    return int(p[seed]) + half, int(q[seed]) + half


def _find_seeds(
    first: IntArray,
    first_gains: npt.NDArray[np.int16],
    second: IntArray,
    second_gains: npt.NDArray[np.int16],
    least: int,
) -> tuple[Ints, Ints, Ints]:
    """Starts and ends in the first line, and starts in the second, of stretches that occur once in each.

    A seed is the shortest stretch from its start that has `least`.
    """
    keys, starts, ends = _unique_stretches(first, first_gains, least)
    other_keys, other_starts, _ = _unique_stretches(second, second_gains, least)
    none = np.zeros(0, np.int64)
    if not len(keys) or not len(other_keys):
        return none, none, none
    at = np.minimum(np.searchsorted(other_keys, keys), len(other_keys) - 1)
    same = other_keys[at] == keys
    p, e, q = starts[same], ends[same], other_starts[at[same]]
    # A hash may lie; the first and the last character are looked at.
    true = (first[p] == second[q]) & (first[e - 1] == second[q + e - p - 1])
    return p[true], e[true], q[true]


def _unique_stretches(
    codes: IntArray, gains: npt.NDArray[np.int16], least: int
) -> tuple[npt.NDArray[np.uint64], Ints, Ints]:
    """Hashes, ascending, starts and ends of the stretches that occur once."""
    bits = np.append(0, np.cumsum(gains, dtype=np.int64))
    ends = np.searchsorted(bits, bits[:-1] + least)
    size = int(np.searchsorted(ends, len(codes), side="right"))
    ends = ends[:size]
    # Polynomial hashes modulo 2**64: sums of characters times powers, taken back to power 0 by the inverse powers.
    base = np.uint64(0x9E3779B97F4A7C15)
    inverse = np.uint64(pow(int(base), -1, 1 << 64))
    mixed = (codes.astype(np.uint64) + np.uint64(1)) * np.uint64(0xD6E8FEB86659FD93)
    mixed ^= mixed >> np.uint64(32)
    mixed *= np.cumprod(np.full(len(codes), base))
    sums = np.append(np.uint64(0), np.cumsum(mixed, dtype=np.uint64))
    hashes = sums[ends] - sums[:size]
    hashes *= np.cumprod(np.full(size, inverse))
    order = np.argsort(hashes, kind="stable")
    keys = hashes[order]
    new = np.append(True, keys[1:] != keys[:-1]) if size else np.zeros(0, bool)
    once = new & np.append(new[1:], True) if size else new
    return keys[once], order[once], ends[order[once]]
