"""Runs of equal characters of two lines of any length: the rules of section 5 that speak of characters.

    fold -> walk the lines window by window -> slide one-sided stretches -> tell unrelated text

The sides are put in one order first and swapped back last, so that gold against system and system against gold
meet the same runs.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.alignment.anchors import ANCHOR, CONVINCING, find_anchors
from evalign.alignment.fold import Folded
from evalign.document import IntArray
from evalign.kernels.lines_cy import LineAligner
from evalign.kernels.slide_cy import slide_gaps

# Windows: first size, last size, how far before a difference they open, and the run that ends the search. On EWT with
# 0.5 to 20 % noise or every tenth sentence doubled, first sizes 16 and 64 and last sizes 256 and 1,024 change no count.
SMALLEST, LARGEST, BACK, SOLID = 32, 512, 16, 24
# Cells of a stretch that is still aligned exactly; a larger one between two anchors holds no run.
MOST_CELLS = 1 << 24
# How far a one-sided stretch slides: repeated text would let it slide on and on, and text could not be cut before it.
MOST_SLID = 4096
# Per position whether a token or sentence has a boundary there (see `kernels.slide_cy`).
Marks: TypeAlias = npt.NDArray[np.uint8]
# Unrelated text (section 5, rule 5).
GAP_ENDS_AT, UNRELATED_FROM, COUNTED_FROM = 10, 20, 3
# All thresholds, for a signature.
_WINDOWS = (SMALLEST, LARGEST, BACK, SOLID, ANCHOR, CONVINCING)
THRESHOLDS = "-".join(map(str, (*_WINDOWS, MOST_SLID, GAP_ENDS_AT, UNRELATED_FROM, COUNTED_FROM)))


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Equal stretches of two lines in folded positions, in order, and the gaps between them."""

    gold: IntArray
    system: IntArray
    lengths: IntArray
    unrelated: npt.NDArray[np.bool_]
    """Per gap (before each run, and after the last): whether the texts in it have nothing to do with each other."""

    def __len__(self) -> int:
        return len(self.lengths)


def align_lines(
    gold: Folded,
    system: Folded,
    gold_marks: Marks,
    system_marks: Marks,
    *,
    window: int | None = None,
    swap: bool | None = None,
) -> Runs:
    """Align two folded lines; marks say where tokens and sentences have boundaries.

    Text that was displaced is looked for within a window. Of a part, `swap` says which line of the whole comes first.
    """
    if swap is None:
        swap = comes_later(gold.codes, system.codes)
    if swap:
        gold, system, gold_marks, system_marks = system, gold, system_marks, gold_marks
    runs = slide_runs(
        walk_lines(gold.codes, system.codes, window).runs, gold, system, gold_marks, system_marks
    )
    runs, unrelated = _tell_unrelated(runs, len(gold.codes), len(system.codes))
    own, other = (1, 0) if swap else (0, 1)
    return Runs(runs[:, own].copy(), runs[:, other].copy(), runs[:, 2].copy(), unrelated)


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


def slide_runs(
    runs: IntArray, first: Folded, second: Folded, first_marks: Marks, second_marks: Marks
) -> IntArray:
    """Runs with the one-sided stretches between them at sentence, then token boundaries."""
    ends = np.array([[0, 0, 0], [len(first.codes), len(second.codes), 0]], np.int32)
    runs = np.vstack([ends[:1], runs, ends[1:]])
    slide_gaps(first.codes, second.codes, first_marks, second_marks, runs, MOST_SLID)
    slid: IntArray = runs[runs[:, 2] > 0]
    return slid


class Walked(NamedTuple):
    """Two lines as they were walked: runs (start in first, start in second, length), and where the walk stood."""

    runs: IntArray
    stands: IntArray
    """Per stretch of many equal characters: where it begins in both, its length, and how far in both the walk had
    looked before: what is behind had no part in anything that was decided."""
    lost: tuple[int, int] | None
    """Where nothing was found within the window any more, if that happened: the runs end there."""


def walk_lines(first: IntArray, second: IntArray, window: int | None = None) -> Walked:
    """Runs from window to window and, where those fail, from anchor to anchor."""
    # np.empty takes address space, not memory, until it is written.
    shorter = min(len(first), len(second))
    runs, stands = np.empty((shorter + 1, 3), np.int32), np.empty((shorter // 32 + 2, 5), np.int32)
    aligner = _aligner(first, second, runs, LARGEST, LARGEST, stands)
    done, i, j = aligner.walk(0, 0, SMALLEST, LARGEST, BACK, SOLID)
    anchors: deque[tuple[int, int]] = deque()
    lost = None
    while not done:
        while anchors and (anchors[0][0] < i or anchors[0][1] < j):
            anchors.popleft()
        seen = (len(first), len(second))
        if not anchors:
            points, seen = find_anchors(first, second, i, j, window)
            aligner.see(*seen)
            anchors.extend(points)
        if not anchors and seen != (len(first), len(second)):
            lost = i, j
            break
        p, q = anchors[0] if anchors else seen
        count = aligner.count()
        after = count > 0 and bool((runs[count - 1, :2] + runs[count - 1, 2] == (i, j)).all())
        for run in _fill(first[i:p], second[j:q], after=after, before=bool(anchors)).tolist():
            aligner.add_run(run[0] + i, run[1] + j, run[2])
        done, i, j = aligner.walk(p, q, SMALLEST, LARGEST, BACK, SOLID)
    return Walked(runs[: aligner.count()].copy(), stands[: aligner.count_stands()].copy(), lost)


def _aligner(
    first: IntArray, second: IntArray, runs: IntArray, n: int, m: int, stands: IntArray
) -> LineAligner:
    """An aligner with room for windows of n by m characters."""
    rows = np.empty((4, m + 1), np.int64)
    trace = np.empty((n + 1) * (m + 1), np.uint8)
    return LineAligner(first, second, runs, np.empty((min(n, m) + 1, 3), np.int32), rows, trace, stands)


def _fill(first: IntArray, second: IntArray, *, after: bool, before: bool) -> IntArray:
    """Runs of a stretch `after` and `before` a run, exactly; none where it is too large to have been one text."""
    n, m = len(first), len(second)
    if not n or not m or n * m > MOST_CELLS:
        return np.zeros((0, 3), np.int32)
    runs = np.empty((min(n, m) + 1, 3), np.int32)
    aligner = _aligner(first, second, runs, n, m, np.empty((0, 5), np.int32))
    aligner.fill(0, n, 0, m, after, before)
    return runs[: aligner.count()]


def _tell_unrelated(runs: IntArray, n: int, m: int) -> tuple[IntArray, npt.NDArray[np.bool_]]:
    """Drop the short runs of gaps whose sides have nothing to do with each other, and mark what lies between."""
    starts = np.vstack([runs, np.array([[n, m, GAP_ENDS_AT]], np.int32)])
    ends = starts[:, :2] + starts[:, 2:]
    large = np.flatnonzero(starts[:, 2] >= GAP_ENDS_AT)
    gap_of = np.searchsorted(large, np.arange(len(starts)))  # the gap that ends at the next large run
    before = np.vstack([np.zeros((1, 2), np.int32), ends[large[:-1]]])
    sizes = starts[large, :2] - before
    counted = np.where((starts[:, 2] >= COUNTED_FROM) & (starts[:, 2] < GAP_ENDS_AT), starts[:, 2], 0)
    matched = np.bincount(gap_of, weights=counted, minlength=len(large)).astype(np.int64)
    unrelated = (sizes.min(axis=1) >= UNRELATED_FROM) & (4 * matched < sizes.sum(axis=1))
    keep = ~unrelated[gap_of] | (starts[:, 2] >= COUNTED_FROM)
    keep[-1] = True
    return starts[keep][:-1], unrelated[gap_of[keep]]
