"""Where a stretch that only one line has is best said to lie.

"the cat . the cat . the dog ." against "the cat . the dog ." lacks "the cat ." as much as "cat . the": all places are
equally good for the characters, one of them is where sentences begin and end.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython


def is_compiled() -> bool:
    """Whether this module runs as compiled code."""
    return cython.compiled


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def rank(
    own: cython.uchar[::1], other: cython.uchar[::1], start: cython.int, end: cython.int, point: cython.int
) -> cython.int:
    """How well a stretch lies: sentence boundaries at its two ends, then token boundaries, then at the other's point."""
    return 10 * (own[start] + own[end]) + other[point]


@cython.cfunc
@cython.exceptval(check=False)
def best_slide(
    codes: cython.int[::1],
    own: cython.uchar[::1],
    other: cython.uchar[::1],
    start: cython.int,
    end: cython.int,
    point: cython.int,
    left: cython.int,
    right: cython.int,
) -> cython.int:
    """How far to slide, at most `left` characters back or `right` on; the leftmost of the best."""
    d: cython.int = 0
    best: cython.int
    best_rank: cython.int
    this: cython.int
    while -d < left and codes[start + d - 1] == codes[end + d - 1]:
        d -= 1
    best = d
    best_rank = rank(own, other, start + d, end + d, point + d)
    while d < right and codes[start + d] == codes[end + d]:
        d += 1
        this = rank(own, other, start + d, end + d, point + d)
        if this > best_rank:
            best, best_rank = d, this
    return best


def slide_gaps(
    first: cython.int[::1],
    second: cython.int[::1],
    first_marks: cython.uchar[::1],
    second_marks: cython.uchar[::1],
    runs: cython.int[:, ::1],
    most: cython.int,
) -> int:
    """Slide every one-sided stretch between two runs to sentence, else token boundaries; returns how many moved.

    None slides by more than `most` characters.

    Requires runs (start in first, start in second, length) in order, with one of length 0 at each end of the lines;
    changes them in place. Marks, one longer than the lines, are 1 at a token boundary, 4 at a sentence boundary, else
    0, so that one sentence boundary outweighs two of tokens. Each character is looked at a bounded number of times.
    """
    n_runs: cython.Py_ssize_t = len(runs)
    k: cython.Py_ssize_t
    moved: cython.int = 0
    left: cython.int
    right: cython.int
    d: cython.int
    i: cython.int
    j: cython.int
    for k in range(n_runs - 1):
        i = runs[k, 0] + runs[k, 2]
        j = runs[k, 1] + runs[k, 2]
        if (runs[k + 1, 0] == i) == (runs[k + 1, 1] == j):
            continue
        # A run may vanish only at an end both lines share: anywhere else it would join two gaps.
        left = runs[k, 2] - (0 if runs[k, 0] == 0 and runs[k, 1] == 0 else 1)
        right = runs[k + 1, 2] - 1
        if runs[k + 1, 0] + runs[k + 1, 2] == len(first) and runs[k + 1, 1] + runs[k + 1, 2] == len(second):
            right += 1
        left, right = min(left, most), min(right, most)
        if runs[k + 1, 1] == j:
            d = best_slide(first, first_marks, second_marks, i, runs[k + 1, 0], j, left, right)
        else:
            d = best_slide(second, second_marks, first_marks, j, runs[k + 1, 1], i, left, right)
        runs[k, 2] += d
        runs[k + 1, 0] += d
        runs[k + 1, 1] += d
        runs[k + 1, 2] -= d
        moved += d != 0
    return moved
