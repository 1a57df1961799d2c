"""The best position for a stretch that only one line has, where equal characters allow several positions.

"the cat . the cat . the dog ." against "the cat . the dog ." lacks "the cat ." as much as "cat . the": all
positions are equally good for the characters, but one of them is where sentences begin and end.
`alignment.character_alignment` calls `slide_gaps`.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython

from evalign.kernels import prices


def is_compiled() -> bool:
    """Return whether this module runs as compiled code."""
    return cython.compiled


# What a pair, and a jump, earns by beginning or ending at a boundary of both lines.
TOKEN_PAIR = cython.declare(cython.int, prices.TOKEN_PAIR)
SENTENCE_PAIR = cython.declare(cython.int, prices.SENTENCE_PAIR)
TOKEN_JUMP = cython.declare(cython.int, prices.TOKEN_JUMP)
SENTENCE_JUMP = cython.declare(cython.int, prices.SENTENCE_JUMP)
SENTENCE_MARK = cython.declare(cython.int, 4)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def rank(
    own: cython.uchar[::1], other: cython.uchar[::1], start: cython.int, end: cython.int, point: cython.int
) -> cython.int:
    """Return how well a stretch from `start` to `end` agrees with boundaries; higher is better.

    Sentence boundaries at its two ends count most, then token boundaries, then the boundary of the other line
    at `point`.
    """
    return 10 * (own[start] + own[end]) + other[point]


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def earn(one: cython.uchar, other: cython.uchar, token: cython.int, sentence: cython.int) -> cython.int:
    """Return what is earned at a point with these two marks.

    That is `sentence` if both lines have a sentence boundary, `token` if both have any boundary, else 0.
    """
    if not one or not other:
        return 0
    return sentence if one == SENTENCE_MARK and other == SENTENCE_MARK else token


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
    is_jump: cython.bint,
) -> cython.int:
    """Return how far to slide a stretch: to where it earns most bits.

    The result is from -`left` to `right` characters. Of positions that earn equally many bits, the one with
    the highest `rank` is taken, and of these the leftmost. `own` are the marks of the line that has the
    stretch, from `start` to `end`; `other` are those of the line that lacks it, at `point`.
    """
    d: cython.int = 0
    best: cython.int
    best_bits: cython.int
    best_rank: cython.int
    bits: cython.int
    pairs: cython.int = 0
    new_rank: cython.int
    while -d < left and codes[start + d - 1] == codes[end + d - 1]:
        d -= 1
    best = d
    best_bits = turn(own, other, start + d, end + d, point + d) if is_jump else 0
    best_rank = rank(own, other, start + d, end + d, point + d)
    while d < right and codes[start + d] == codes[end + d]:
        # The pair behind the stretch is now before it.
        pairs += earn(own[start + d], other[point + d], TOKEN_PAIR, SENTENCE_PAIR)
        pairs -= earn(own[end + d], other[point + d], TOKEN_PAIR, SENTENCE_PAIR)
        d += 1
        pairs += earn(own[start + d], other[point + d], TOKEN_PAIR, SENTENCE_PAIR)
        pairs -= earn(own[end + d], other[point + d], TOKEN_PAIR, SENTENCE_PAIR)
        bits = pairs + (turn(own, other, start + d, end + d, point + d) if is_jump else 0)
        new_rank = rank(own, other, start + d, end + d, point + d)
        if bits > best_bits or (bits == best_bits and new_rank > best_rank):
            best, best_bits, best_rank = d, bits, new_rank
    return best


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def turn(
    own: cython.uchar[::1], other: cython.uchar[::1], start: cython.int, end: cython.int, point: cython.int
) -> cython.int:
    """Return what a jump from `start` to `end` earns by beginning and ending at boundaries of both lines."""
    return earn(own[start], other[point], TOKEN_JUMP, SENTENCE_JUMP) + earn(
        own[end], other[point], TOKEN_JUMP, SENTENCE_JUMP
    )


def slide_gaps(
    first: cython.int[::1],
    second: cython.int[::1],
    first_marks: cython.uchar[::1],
    second_marks: cython.uchar[::1],
    runs: cython.int[:, ::1],
    jumps: cython.uchar[::1],
    most: cython.int,
) -> int:
    """Slide one-sided stretches between two runs to where they earn most, then to boundaries.

    Returns how many moved. None slides by more than `most` characters; `jumps` says of each gap between two
    runs whether it is a jump.

    Requires `runs` of equal characters (start in first, start in second, length) in order, with one of length
    0 at each end of the lines; changes them in place. Marks, one longer than the lines, are 1 at a token
    boundary, 4 at a sentence boundary, else 0, so that one sentence boundary outweighs two of tokens. Each
    character is looked at a bounded number of times.
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
            d = best_slide(first, first_marks, second_marks, i, runs[k + 1, 0], j, left, right, jumps[k])
        else:
            d = best_slide(second, second_marks, first_marks, j, runs[k + 1, 1], i, left, right, jumps[k])
        runs[k, 2] += d
        runs[k + 1, 0] += d
        runs[k + 1, 1] += d
        runs[k + 1, 2] -= d
        moved += d != 0
    return moved
