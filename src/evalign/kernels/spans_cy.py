"""Equal spans of two columns. Plain integers in, plain integers out."""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython


def is_compiled() -> bool:
    """Whether this module runs as compiled code."""
    return cython.compiled


def pair_spans(
    gold_starts: cython.int[:],
    gold_ends: cython.int[:],
    system_starts: cython.int[:],
    system_ends: cython.int[:],
    partners: cython.int[:],
) -> int:
    """Pair equal spans one to one; the number of pairs is the size of the multiset intersection.

    Requires that the rows whose start and end are both 0 or more ascend by (start, end); other rows have no place
    and pair with nothing. Writes into `partners`, as long as the gold column, the system row of each gold row or
    -1. Takes len(gold) + len(system) steps and allocates nothing.
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
