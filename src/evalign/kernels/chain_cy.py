"""Stretches that two lines share, to the heaviest sequence of them that ascends in both."""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython

# Predecessors of a piece that are looked at one by one.
NEAREST = cython.declare(cython.int, 64)


def is_compiled() -> bool:
    """Whether this module runs as compiled code."""
    return cython.compiled


def join_seeds(
    first: cython.int[::1],
    second: cython.int[::1],
    starts: cython.longlong[::1],
    ends: cython.longlong[::1],
    others: cython.longlong[::1],
    joins: cython.uchar[::1],
) -> None:
    """Say of each seed, ordered by diagonal and start, whether it continues the one before it.

    It does if both are on one diagonal and overlap, or all characters between them are equal. `starts` and `ends` are in
    the first line, `others` starts in the second.
    """
    k: cython.Py_ssize_t
    i: cython.longlong
    shift: cython.longlong
    for k in range(len(starts)):
        joins[k] = 0
        if k == 0 or starts[k] - others[k] != starts[k - 1] - others[k - 1]:
            continue
        shift = others[k] - starts[k]
        i = ends[k - 1]
        while i < starts[k] and first[i] == second[i + shift]:
            i += 1
        joins[k] = i >= starts[k]


@cython.cfunc
@cython.exceptval(check=False)
def link_cost(
    shift: cython.longlong, most: cython.longlong, opens: cython.longlong, one_sided: cython.longlong
) -> cython.longlong:
    """What the way between two pieces costs whose diagonals differ by `shift`."""
    return min(most, opens + one_sided * abs(shift))


def chain_pieces(
    pieces: cython.longlong[:, ::1],
    bits: cython.longlong[::1],
    by_end: cython.longlong[::1],
    ranks: cython.longlong[::1],
    reach: cython.longlong[::1],
    most: cython.longlong,
    opens: cython.longlong,
    one_sided: cython.longlong,
    scores: cython.longlong[::1],
    before: cython.longlong[::1],
    broken: cython.uchar[::1],
    tree: cython.longlong[::1],
) -> int:
    """The last piece of the heaviest chain, or -1 if none has more than 0; `before` leads back from it.

    Pieces (start in first, start in second, length) ascend by start. What they earn is the difference of `bits`; a link
    costs what a gap does, at most `most`, and where it costs that the piece behind it is `broken` off. An overlap with
    the piece before is cut off. `by_end` orders pieces by their end in the first line, `ranks` are their ranks by their
    end in the second, `reach` says how many end there before a piece starts. `tree` is one longer than the others.
    """
    n: cython.Py_ssize_t = len(pieces)
    k: cython.Py_ssize_t
    t: cython.Py_ssize_t
    last: cython.Py_ssize_t = -1
    entered: cython.Py_ssize_t = 0
    node: cython.longlong
    overlap: cython.longlong
    cost: cython.longlong
    score: cython.longlong
    best: cython.longlong
    p: cython.longlong
    q: cython.longlong
    length: cython.longlong
    for k in range(n + 1):
        tree[k] = -1
    for k in range(n):
        p, q, length = pieces[k, 0], pieces[k, 1], pieces[k, 2]
        cost = link_cost(p - q, most, opens, one_sided)
        best = bits[p + length] - bits[p] - cost
        before[k] = -1
        broken[k] = cost == most
        for t in range(k - 1, max(-1, k - 1 - NEAREST), -1):
            if pieces[t, 0] >= p or pieces[t, 1] >= q:
                continue
            overlap = max(0, pieces[t, 0] + pieces[t, 2] - p, pieces[t, 1] + pieces[t, 2] - q)
            if overlap >= length:
                continue
            cost = link_cost(p - q - pieces[t, 0] + pieces[t, 1], most, opens, one_sided)
            score = scores[t] + bits[p + length] - bits[p + overlap] - cost
            if score > best:
                best = score
                before[k] = t
                broken[k] = cost == most
        # All others that end before this one begins: a tree of the best by rank of their end (Fenwick 1994).
        while entered < n and pieces[by_end[entered], 0] + pieces[by_end[entered], 2] <= p:
            t = by_end[entered]
            entered += 1
            node = ranks[t] + 1
            while node <= n:
                if tree[node] < 0 or scores[tree[node]] < scores[t]:
                    tree[node] = t
                node += node & -node
        node = reach[k]
        while node > 0:
            t = tree[node]
            if t >= 0 and scores[t] + bits[p + length] - bits[p] - most > best:
                best = scores[t] + bits[p + length] - bits[p] - most
                before[k] = t
                broken[k] = 1
            node -= node & -node
        scores[k] = best
        if best > 0 and (last < 0 or best > scores[last]):
            last = k
    return last
