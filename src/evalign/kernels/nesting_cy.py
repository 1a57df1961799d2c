"""Brackets of two sides in the same places: which match, and which cross. Plain integers in, plain integers out."""

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
def comes_before(a: cython.int, b: cython.int, c: cython.int, d: cython.int) -> cython.bint:
    """Whether the span a, b opens before c, d: it starts earlier, or starts there and ends later."""
    return a < c or (a == c and b > d)


def match_brackets(
    gold_starts: cython.int[::1],
    gold_ends: cython.int[::1],
    gold_labels: cython.int[::1],
    system_starts: cython.int[::1],
    system_ends: cython.int[::1],
    system_labels: cython.int[::1],
    heads: cython.int[::1],
    following: cython.int[::1],
    partners: cython.int[::1],
) -> int:
    """Pair equal (start, end, label) one to one, first with first; the number of pairs is the multiset intersection.

    Requires that each side's rows are in opening order: by start, then the later end first. `heads`, all -1, has
    room for every label and is left so; `following` has room for every system row. Writes into `partners` the
    system row of each gold row, or -1. Linear also where a chain of brackets has one span.
    """
    n_gold: cython.Py_ssize_t = len(gold_starts)
    n_system: cython.Py_ssize_t = len(system_starts)
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    last: cython.Py_ssize_t
    start: cython.int
    end: cython.int
    found: cython.int
    pairs: cython.Py_ssize_t = 0
    while i < n_gold:
        start, end = gold_starts[i], gold_ends[i]
        while j < n_system and comes_before(system_starts[j], system_ends[j], start, end):
            j += 1
        last = j
        while last < n_system and system_starts[last] == start and system_ends[last] == end:
            last += 1
        # The system's rows of this span, listed by label; backwards, so that the first is on top.
        for k in range(last - 1, j - 1, -1):
            following[k] = heads[system_labels[k]]
            heads[system_labels[k]] = k
        while i < n_gold and gold_starts[i] == start and gold_ends[i] == end:
            found = heads[gold_labels[i]]
            partners[i] = found
            if found >= 0:
                heads[gold_labels[i]] = following[found]
                pairs += 1
            i += 1
        for k in range(j, last):
            heads[system_labels[k]] = -1
        j = last
    return pairs


def mark_crossing(
    gold_starts: cython.int[::1],
    gold_ends: cython.int[::1],
    starts: cython.int[::1],
    ends: cython.int[::1],
    inner_starts: cython.int[::1],
    inner_ends: cython.int[::1],
    stack: cython.int[::1],
    crossing: cython.uchar[::1],
) -> int:
    """Mark the spans that overlap some gold bracket in part; returns how many do.

    Requires that the gold brackets are in opening order and nest. `inner_starts` and `inner_ends` have room for every
    place and one more, `stack` for every gold bracket. Of the gold brackets that have a place strictly inside, the
    innermost ends first and starts last: a span crosses one of them if the innermost around its start ends inside it, or
    the innermost around its end starts inside it.
    """
    n_gold: cython.Py_ssize_t = len(gold_starts)
    n_places: cython.Py_ssize_t = len(inner_starts)
    depth: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    place: cython.int
    found: cython.Py_ssize_t = 0
    for place in range(n_places):
        while depth and gold_ends[stack[depth - 1]] <= place:
            depth -= 1
        # What is still open began earlier and ends later: it has this place strictly inside.
        inner_starts[place] = gold_starts[stack[depth - 1]] if depth else -1
        inner_ends[place] = gold_ends[stack[depth - 1]] if depth else -1
        while i < n_gold and gold_starts[i] == place:
            stack[depth] = i
            depth += 1
            i += 1
    for i in range(len(starts)):
        crossing[i] = 0
        if starts[i] < ends[i] and (
            (inner_ends[starts[i]] >= 0 and inner_ends[starts[i]] < ends[i])
            or inner_starts[ends[i]] > starts[i]
        ):
            crossing[i] = 1
            found += 1
    return found
