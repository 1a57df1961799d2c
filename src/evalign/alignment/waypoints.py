"""Where two lines go on together, found by stretches that occur once in each of them.

Used where the best path cannot be followed from character to character any more: text is missing, moved, or has
something put between all of its tokens.
"""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from math import log2
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.alignment.fold import TOKEN_MARK
from evalign.document import IntArray
from evalign.kernels.chain_cy import chain_pieces, join_seeds
from evalign.kernels.prices import BIT, ONE_SIDED, OPEN

# Bits of a seed beyond log2 of the area: one seed in 256 is there by chance, if characters are drawn at random.
SEED = 8
# What the step from one piece to another costs at most, in log2 of the area: natural phrases recur.
LINK = 4

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
    points = _search(first.codes, first.gains, second.codes, second.gains)
    if not len(points):
        one, other = first.heads, second.heads
        points = _search(first.codes[one], first.gains[one], second.codes[other], second.gains[other])
        points = np.stack([one[points[:, 0]], other[points[:, 1]]], axis=1)
    return [(first.start + int(p), second.start + int(q)) for p, q in points]


def _search(
    first: IntArray, first_gains: npt.NDArray[np.int16], second: IntArray, second_gains: npt.NDArray[np.int16]
) -> Ints:
    """The waypoints of two sequences of characters, as rows."""
    none = np.zeros((0, 2), np.int64)
    if not len(first) or not len(second):
        return none
    area = log2(len(first)) + log2(len(second))
    least = int(BIT * (area + SEED))
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
        int(BIT * LINK * area),
        OPEN,
        ONE_SIDED,
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
    found = np.array(points or none, np.int64).reshape(-1, 2)
    ascends = np.append(True, (np.diff(found, axis=0) > 0).all(axis=1)) if len(found) else np.zeros(0, bool)
    kept: Ints = found[ascends]
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
