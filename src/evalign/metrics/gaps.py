"""Gaps of discontinuous brackets: over the words that count, and in shared places.

Two brackets of one start and end are in the same place if their gaps are. A gap that has no word that counts in it, or
none that the other text has, is none.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from evalign.alignment import NOWHERE
from evalign.document import IntArray, Runs, distinct


def narrow_runs(brackets: Mapping[int, Runs], kept: npt.NDArray[np.bool_]) -> dict[int, Runs]:
    """Runs from the first to the last word that counts, those without others between joined; some may have none left."""
    if kept.all():
        return dict(brackets)
    rank = np.concatenate([[0], np.cumsum(kept)])
    tokens = np.flatnonzero(kept)
    found = {}
    for bracket, runs in brackets.items():
        joined: list[tuple[int, int]] = []
        for first, last in runs:
            a, b = int(rank[first]), int(rank[last])
            if joined and joined[-1][1] == a:
                joined[-1] = joined[-1][0], b
            elif a < b:
                joined.append((a, b))
        found[bracket] = tuple((int(tokens[a]), int(tokens[b - 1]) + 1) for a, b in joined)
    return found


# The number for brackets over nothing but empty elements at the beginning of a sentence: they are in no other place
# than those at the end of the sentence before, and not to be taken for them.
LEADING = 1


class GapNumbers:
    """Numbers for gaps in shared places, the same for both sides; 0 where there are none."""

    def __init__(self) -> None:
        self.known: dict[Hashable, int] = {(): 0, "leading": LEADING}

    def number(self, runs: Runs, places: tuple[IntArray, IntArray]) -> int:
        """The number of the gaps between some runs; one of its own if they begin or end at no place."""
        starts, ends = places
        gaps = [(int(ends[a - 1]), int(starts[b])) for (_, a), (b, _) in pairwise(runs)]
        key: Hashable = tuple(gap for gap in gaps if gap[0] != gap[1])
        if any(NOWHERE in gap for gap in gaps):
            key = object()
        return self.known.setdefault(key, len(self.known))


def with_gaps(
    labels: Sequence[IntArray], gaps: Sequence[IntArray], n_labels: int
) -> tuple[Sequence[IntArray], int]:
    """Numbers for labels and gaps together, one column for each side, and how many there may be.

    Without gaps they are those of the labels, of which there are `n_labels`.
    """
    torn = [np.flatnonzero(column) for column in gaps]
    if not any(map(len, torn)):
        return labels, n_labels
    pairs = list(zip(labels, gaps, torn, strict=True))
    codes = [gap[rows].astype(np.int64) * n_labels + label[rows] for label, gap, rows in pairs]
    known = distinct(np.sort(np.concatenate(codes)))
    found = [label.copy() for label in labels]
    for column, rows, code in zip(found, torn, codes, strict=True):
        column[rows] = n_labels + np.searchsorted(known, code)
    return found, n_labels + len(known)
