"""The heaviest chain of stretches that two lines share: a sequence that ascends in both lines.

`alignment.character_alignment` searches for waypoints with it.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython

# Number of predecessors of a piece that are looked at one by one.
NEAREST = cython.declare(cython.int, 64)


def is_compiled() -> bool:
    """Return whether this module runs as compiled code."""
    return cython.compiled


def join_seeds(
    first: cython.int[::1],
    second: cython.int[::1],
    starts: cython.longlong[::1],
    ends: cython.longlong[::1],
    others: cython.longlong[::1],
    joins: cython.uchar[::1],
) -> None:
    """Mark each seed that continues the one before it, where seeds are ordered by diagonal and start.

    It does if both are on one diagonal and overlap, or if all characters between them are equal. `starts` and
    `ends` are in the first line, `others` are starts in the second; `joins` gets 1 or 0 per seed.
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
    """Return what it costs to link pieces whose diagonals differ by `shift`: a gap, at most `most`."""
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
    """Find the heaviest chain; returns its last piece, or -1 if no chain earns more than 0.

    `before` gets the piece before each piece in the chain that ends with it, or -1. Pieces are (start in
    first, start in second, length), ascending by start. A piece earns the difference of `bits` (cumulated
    over the first line) between its ends. A link costs what a gap does, at most `most`; where it costs
    `most`, the piece behind it is marked in `broken`. An overlap with the piece before is cut off.

    Requires `by_end`, the pieces ordered by their ends in the first line; `ranks`, their ranks by their ends
    in the second; `reach`, how many pieces end in the second before or where a piece starts. `scores`,
    `before` and `broken` have an entry per piece, `tree` one more. Looks at the NEAREST pieces before each
    piece one by one, and at all others in logarithmic time, as links of cost `most`.
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
        # All others that end before this piece begins: a tree of the best by rank of their end (Fenwick
        # 1994).
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
