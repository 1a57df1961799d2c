"""Where two lines meet again after a long stretch that only one of them has, or that has nothing in common.

Stretches of characters that occur once on each side are matched, and the longest chain of them in the same order on
both sides is taken (as patience diff takes unique lines). The area looked at grows until the chain is convincing.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.document import IntArray

# Characters in an anchor (a power of two: hashes are made by doubling). A chain convinces in a part of the text if both
# lines have a quarter of the part left behind its start, and an eighth of that are anchors: a sentence that comes
# again elsewhere is as long as a chain of 64, but the lines do not go on together behind it.
ANCHOR = 32
CONVINCING = 64
NEAREST = 4096


class Anchors(NamedTuple):
    """Points from which two lines go on together, ascending, and how much of each line was looked at to find them."""

    points: list[tuple[int, int]]
    seen: tuple[int, int]


def find_anchors(first: IntArray, second: IntArray, i: int, j: int, window: int | None = None) -> Anchors:
    """Points (p, q), p >= i and q >= j, from which the lines go on together; none if they never do.

    What is further away than a window is not looked at.
    """
    reach = NEAREST if window is None else min(NEAREST, window)
    while True:
        left, right = first[i : i + reach], second[j : j + reach]
        seen = min(i + reach, len(first)), min(j + reach, len(second))
        everything = seen == (len(first), len(second))
        chain = longest_chain(*common_points(left, right))
        if everything or reach == window or convinces(chain, reach):
            # Near the end of the part the chain may yet turn out wrong.
            limit = len(first) + len(second) if everything else reach * 3 // 4
            points = [(i + p, j + q) for k, (p, q) in enumerate(chain) if k == 0 or max(p, q) < limit]
            return Anchors(points, seen)
        reach = reach * 4 if window is None else min(reach * 4, window)


def convinces(chain: list[tuple[int, int]], reach: int) -> bool:
    """Whether the lines go on together from the start of a chain to the end of the part it was found in."""
    if len(chain) < CONVINCING:
        return False
    rest = reach - max(chain[0])
    return 4 * rest >= reach and 8 * len(chain) >= rest


def common_points(left: IntArray, right: IntArray) -> tuple[IntArray, IntArray]:
    """Starts of the anchors that occur once in each, ascending on the left."""
    left_keys, left_starts = unique_hashes(left)
    right_keys, right_starts = unique_hashes(right)
    _, on_left, on_right = np.intersect1d(left_keys, right_keys, assume_unique=True, return_indices=True)
    p, q = left_starts[on_left], right_starts[on_right]
    order = np.argsort(p)
    p, q = p[order], q[order]
    # A hash may lie; the ends of the anchor are looked at. What still lies starts no run and costs little.
    same = (left[p] == right[q]) & (left[p + ANCHOR - 1] == right[q + ANCHOR - 1])
    return p[same].astype(np.int32), q[same].astype(np.int32)


def unique_hashes(codes: IntArray) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    """Hashes of the anchors that occur once, with their starts."""
    hashes = codes.astype(np.uint64)
    width = 1
    while width < ANCHOR and len(hashes) > width:
        # An odd multiplier loses no bits; it differs per step so that permuted halves differ.
        hashes = hashes[:-width] * np.uint64(0x9E3779B97F4A7C15 + 2 * width) + hashes[width:]
        hashes ^= hashes >> np.uint64(29)
        width *= 2
    if width < ANCHOR:
        return np.zeros(0, np.uint64), np.zeros(0, np.int64)
    keys, starts, counts = np.unique(hashes, return_index=True, return_counts=True)
    return keys[counts == 1], starts[counts == 1]


def longest_chain(p: IntArray, q: IntArray) -> list[tuple[int, int]]:
    """The longest sequence of points that ascends on both sides; p ascends already."""
    tails: list[int] = []
    tail_points: list[int] = []
    before = [-1] * len(q)
    values = q.tolist()
    for k, value in enumerate(values):
        at = bisect_left(tails, value)
        before[k] = tail_points[at - 1] if at else -1
        if at == len(tails):
            tails.append(value)
            tail_points.append(k)
        else:
            tails[at] = value
            tail_points[at] = k
    chain = []
    k = tail_points[-1] if tail_points else -1
    while k >= 0:
        chain.append((int(p[k]), values[k]))
        k = before[k]
    return chain[::-1]
