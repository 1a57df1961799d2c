"""Equal spans, brackets and edges of two sides, and crossing brackets. Plain integers in and out.

Alignment, metrics and compat use it.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython

# The head of an edge from the root, as in `conllu_columns_cy`.
ROOT = cython.declare(cython.int, -1)


def is_compiled() -> bool:
    """Return whether this module runs as compiled code."""
    return cython.compiled


def pair_spans(
    gold_starts: cython.int[:],
    gold_ends: cython.int[:],
    system_starts: cython.int[:],
    system_ends: cython.int[:],
    partners: cython.int[:],
) -> int:
    """Pair equal spans one to one; returns the number of pairs, the size of the multiset intersection.

    Requires that the rows whose start and end are both 0 or more ascend by (start, end); other rows have no
    place and pair with nothing. Writes into `partners`, as long as the gold column, the system row of each
    gold row or -1. Takes len(gold) + len(system) steps and allocates nothing.
    """
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t = 0
    n_gold: cython.Py_ssize_t = len(gold_starts)
    n_system: cython.Py_ssize_t = len(system_starts)
    pairs: cython.Py_ssize_t = 0
    for i in range(n_gold):
        partners[i] = -1
        if gold_starts[i] < 0 or gold_ends[i] < 0:
            continue
        while j < n_system and (
            system_starts[j] < 0
            or system_ends[j] < 0
            or system_starts[j] < gold_starts[i]
            or (system_starts[j] == gold_starts[i] and system_ends[j] < gold_ends[i])
        ):
            j += 1
        if j < n_system and system_starts[j] == gold_starts[i] and system_ends[j] == gold_ends[i]:
            partners[i] = j
            pairs += 1
            j += 1
    return pairs


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def comes_before(a: cython.int, b: cython.int, c: cython.int, d: cython.int) -> cython.bint:
    """Return whether the span (a, b) opens before the span (c, d).

    A span opens before another if it starts earlier, or starts in the same place and ends later.
    """
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
    """Pair equal (start, end, label) one to one, first with first; returns the number of pairs.

    That is the size of the multiset intersection. Requires that each side's rows are in opening order: by
    start, then the later end first. `heads`, all -1, has room for every label and is left so; `following` has
    room for every system row. Writes into `partners` the system row of each gold row, or -1. Linear, even
    where a chain of brackets has one span.
    """
    n_gold: cython.Py_ssize_t = len(gold_starts)
    n_system: cython.Py_ssize_t = len(system_starts)
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    last: cython.Py_ssize_t
    start: cython.int
    end: cython.int
    partner: cython.int
    pairs: cython.Py_ssize_t = 0
    while i < n_gold:
        start, end = gold_starts[i], gold_ends[i]
        while j < n_system and comes_before(system_starts[j], system_ends[j], start, end):
            j += 1
        last = j
        while last < n_system and system_starts[last] == start and system_ends[last] == end:
            last += 1
        # List the system rows of this span by label, backwards, so that the first is on top.
        for k in range(last - 1, j - 1, -1):
            following[k] = heads[system_labels[k]]
            heads[system_labels[k]] = k
        while i < n_gold and gold_starts[i] == start and gold_ends[i] == end:
            partner = heads[gold_labels[i]]
            partners[i] = partner
            if partner >= 0:
                heads[gold_labels[i]] = following[partner]
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

    Requires that the gold brackets are in opening order and nest. `inner_starts` and `inner_ends` have room
    for every place and one more, `stack` for every gold bracket. Of the gold brackets that have a place
    strictly inside, the innermost ends first and starts last: a span crosses one of them if the innermost
    around its start ends inside the span, or the innermost around its end starts inside it.
    """
    n_gold: cython.Py_ssize_t = len(gold_starts)
    n_places: cython.Py_ssize_t = len(inner_starts)
    depth: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    place: cython.int
    n_crossing: cython.Py_ssize_t = 0
    for place in range(n_places):
        while depth and gold_ends[stack[depth - 1]] <= place:
            depth -= 1
        # A bracket that is still open began earlier and ends later: it has this place strictly inside.
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
            n_crossing += 1
    return n_crossing


def match_edges(
    gold_cuts: cython.int[::1],
    gold_heads: cython.int[::1],
    gold_paths: cython.int[::1],
    system_cuts: cython.int[::1],
    system_heads: cython.int[::1],
    system_paths: cython.int[::1],
    partners: cython.int[::1],
    taken: cython.uchar[::1],
    once: cython.bint,
    most: cython.longlong,
    right: cython.longlong[::1],
) -> int:
    """Count, per gold word, the edges that its partner has too; returns how many words were left uncounted.

    Two edges are equal if they have the same path, and their heads are partners or both the root. With
    `once`, each edge is matched at most once. Otherwise every gold edge is compared with every system edge,
    as in the UD tools script, so that an edge that both sides have twice counts four times. `right` gets the
    counts; a pair of words with more than `most` pairs of edges is left uncounted and gets -1. `taken`, all
    0, has a byte per system edge.
    """
    left: cython.Py_ssize_t = 0
    g: cython.Py_ssize_t
    s: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    head: cython.int
    for g in range(len(partners)):
        right[g] = 0
        s = partners[g]
        if s < 0:
            continue
        if (
            cython.cast(cython.longlong, gold_cuts[g + 1] - gold_cuts[g])
            * (system_cuts[s + 1] - system_cuts[s])
            > most
        ):
            right[g] = -1
            left += 1
            continue
        for a in range(gold_cuts[g], gold_cuts[g + 1]):
            head = gold_heads[a]
            if head >= 0:
                head = partners[head]
                if head < 0:
                    continue
            elif head != ROOT:
                continue
            for b in range(system_cuts[s], system_cuts[s + 1]):
                if system_heads[b] == head and system_paths[b] == gold_paths[a] and not taken[b]:
                    right[g] += 1
                    if once:
                        taken[b] = 1
                        break
    return left
