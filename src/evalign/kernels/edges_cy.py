"""Edges of enhanced graphs: where they come from, and which of them both sides have."""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython

ROOT = cython.declare(cython.int, -1)  # as in `trees_cy`
OUTSIDE = cython.declare(cython.int, -3)


def is_compiled() -> bool:
    """Whether this module runs as compiled code."""
    return cython.compiled


def settle_edges(
    word_cuts: cython.int[::1],
    cuts: cython.int[::1],
    heads: cython.int[::1],
    nodes: cython.int[::1],
    paths: cython.int[::1],
    first_outside: cython.int[::1],
) -> tuple[int, int]:
    """Heads counted in their sentence to words of the document; edges from an empty node are left out.

    `word_cuts` cuts the words into sentences, `cuts` the edges into words. Writes in place: `cuts`, `heads` (a word,
    ROOT or OUTSIDE) and `paths` have the edges that are kept. Returns how many were left out, and how many come from
    outside the sentence; `first_outside` gets the first word with such an edge.
    """
    sentence: cython.Py_ssize_t
    word: cython.Py_ssize_t
    edge: cython.Py_ssize_t
    first: cython.int
    last: cython.int
    start: cython.Py_ssize_t = 0
    kept: cython.int = 0
    empty: cython.Py_ssize_t = 0
    outside: cython.Py_ssize_t = 0
    for sentence in range(len(word_cuts) - 1):
        first = word_cuts[sentence]
        last = word_cuts[sentence + 1] - first
        for word in range(first, first + last):
            for edge in range(start, cuts[word + 1]):
                if nodes[edge] >= 0:
                    empty += 1
                    continue
                if heads[edge] == 0:
                    heads[kept] = ROOT
                elif heads[edge] <= last:
                    heads[kept] = first + heads[edge] - 1
                else:
                    heads[kept] = OUTSIDE
                    if outside == 0:
                        first_outside[0] = word
                    outside += 1
                paths[kept] = paths[edge]
                kept += 1
            start = cuts[word + 1]
            cuts[word + 1] = kept
    return empty, outside


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
    """How many edges of each gold word its partner has too: the same path from the partner of its head, or the root.

    `once`: each edge is matched with one other. Without it every gold edge is compared with every system edge, as in
    the UD tools script, and the same edge twice counts four times. `taken`, all 0, has a byte per system edge. A pair
    of words with more than `most` pairs of edges gets -1; returns how many there are.
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
