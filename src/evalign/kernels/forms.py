"""Words of multiword tokens paired by their forms: by the kernel, or without a table for very many words.

`alignment` and `compat` call `pair_stretches`. The pairs are always those of the CoNLL 2018 evaluation: at
gold word g and system word s, equal forms are a pair; otherwise g is dropped if the longest common
subsequence of the remaining words is as long without g, else s.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from math import isqrt

from evalign.kernels.buffers import flags, ints
from evalign.kernels.words_cy import pair_forms, size_tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from evalign.document import IntArray

    IntBuffer: TypeAlias = "memoryview | IntArray"

# Most pairs of forms in a stretch for which the kernel fills a table.
LARGEST_TABLE = 1 << 22
# Most forms on one side alone for which the differences of two sequences are followed one by one.
MOST_DIFFERENCES = 500
# Most places of a form for which its bits are set anew each time it occurs.
_FEW_PLACES = 64

# Answers for g and s whether the longest common subsequence of gold[g:] and system[s:] is as long as that of
# gold[g + 1:] and system[s:].
Survives = Callable[[int, int], bool]


def pair_stretches(
    gold_forms: IntBuffer, system_forms: IntBuffer, spans: IntBuffer, n_spans: int, partners: IntBuffer
) -> None:
    """Pair the words of each stretch (`words_cy.pair_forms`) in memory that grows only with its length.

    Rows of `spans` are (gold first, gold end, system first, system end); `partners` gets the pairs. The time
    depends on how many words differ between the two sides or, if these are very many, is a 64th of the steps
    that a table takes.
    """
    longest, most = size_tables(gold_forms, system_forms, spans, n_spans)
    large = []
    if most > LARGEST_TABLE:
        for k in range(n_spans):
            g, g_end, s, s_end = (int(spans[k, column]) for column in range(4))
            if (g_end - g) * (s_end - s) > LARGEST_TABLE:
                for gold, system in pair_long(gold_forms[g:g_end].tolist(), system_forms[s:s_end].tolist()):
                    partners[g + gold] = s + system
                large.append((k, g_end))
                spans[k, 1] = g  # empty, so that the kernel passes over it
        longest, most = size_tables(gold_forms, system_forms, spans, n_spans)
    pair_forms(gold_forms, system_forms, spans, n_spans, ints(longest + 1), flags(most // 8 + 1), partners)
    for k, g_end in large:
        spans[k, 1] = g_end


def pair_long(gold: Sequence[int], system: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairs of two sequences of forms as (gold index, system index), without a table.

    >>> pair_long([1, 2, 3, 2], [4, 2, 4, 2, 5])
    [(1, 1), (3, 3)]
    """
    # A form that the other side lacks is never part of a common subsequence. A gold word with such a form is
    # dropped where it stands. At such a system word, gold words are dropped first as long as nothing is lost,
    # even those that equal the next system word.
    shared = set(gold) & set(system)
    gold_places = [k for k, form in enumerate(gold) if form in shared]
    system_places = [k for k, form in enumerate(system) if form in shared]
    ours, theirs = [gold[k] for k in gold_places], [system[k] for k in system_places]
    waits = [b - a > 1 for a, b in zip([-1, *system_places], system_places, strict=False)]
    survives = _follow_differences(ours, theirs) or _bit_rows(ours, theirs)
    pairs = []
    g = s = 0
    while g < len(ours) and s < len(theirs):
        if ours[g] == theirs[s] and not waits[s]:
            pairs.append((gold_places[g], system_places[s]))
            g += 1
            s += 1
        elif survives(g, s):
            g += 1
        elif waits[s]:
            waits[s] = False
        else:
            s += 1
    return pairs


def _follow_differences(gold: Sequence[int], system: Sequence[int]) -> Survives | None:
    """Find the shortest edit script from the end backwards (Myers 1986).

    Returns None if it is longer than MOST_DIFFERENCES, otherwise a function that answers as described at
    `Survives`. `reached[d][k]` is, on the diagonal g - s of row k, the first g from which d insertions and
    deletions lead to the end.
    """
    n, m = len(gold), len(system)
    end = n - m
    reached: list[array[int]] = []
    for d in range(MOST_DIFFERENCES + 1):
        row = array("i")
        for diagonal in range(end - d, end + d + 1, 2):
            k = (diagonal - (end - d)) // 2  # in the row before, diagonal - 1 is k - 1, and diagonal + 1 is k
            g = n
            if d:
                before = reached[-1]
                g = min(before[k - 1] if k else n + 1, before[k] - 1 if k < d else n + 1)
            g = max(g, 0, diagonal)
            while g > 0 and g > diagonal and gold[g - 1] == system[g - diagonal - 1]:
                g -= 1
            row.append(g)
        reached.append(row)
        if abs(end) <= d and not (d - end) % 2 and row[(d - end) // 2] == 0:
            break
    else:
        return None

    def reaches(d: int, g: int, s: int) -> bool:
        """Return whether d insertions and deletions lead from g and s to the end.

        The parity of d must be that of g - s - end.
        """
        return abs(g - s - end) <= d and g >= reached[d][(g - s - end + d) // 2]

    def survives(g: int, s: int) -> bool:
        # It does if one difference fewer is left behind g; how many are left is found by bisection.
        odd = (g - s - end) % 2
        low, high = 0, (len(reached) - 1 - odd) // 2
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if reaches(odd + 2 * middle, g, s) else (middle + 1, high)
        d = odd + 2 * low
        return d > 0 and reaches(d - 1, g + 1, s)

    return survives


def _bit_rows(gold: Sequence[int], system: Sequence[int]) -> Survives:
    """Compute the lengths of common subsequences as rows of bits, many at a time (Hyyrö 2004).

    Returns a function that answers as described at `Survives`. Some rows are kept, the others are computed
    again when needed. In row g the lowest m - s bits have as many zeros as the longest common subsequence of
    gold[g:] and system[s:] has words.
    """
    n, m = len(gold), len(system)
    places: dict[int, list[int]] = {}
    for s, form in enumerate(system):
        places.setdefault(form, []).append(m - 1 - s)
    frequent = {
        form: _bits(positions, m) for form, positions in places.items() if len(positions) > _FEW_PLACES
    }
    ones = (1 << m) - 1

    def step(row: int, form: int) -> int:
        mask = frequent[form] if form in frequent else _bits(places[form], m)
        common = row & mask
        return ((row + common) | (row - common)) & ones

    width = isqrt(n) + 1
    kept = {n: ones}
    row = ones
    for g in range(n - 1, -1, -1):
        row = step(row, gold[g])
        if not g % width:
            kept[g] = row
    block: dict[int, int] = {}

    def find_row(g: int) -> int:
        if g not in block:
            block.clear()
            last = min(n, (g // width + 1) * width)
            block[last] = kept[last]
            for k in range(last - 1, g - 1, -1):
                block[k] = step(block[k + 1], gold[k])
        return block[g]

    counts, seen = [0, 0], (-1, -1)

    def survives(g: int, s: int) -> bool:
        nonlocal counts, seen
        rows = find_row(g), find_row(g + 1)
        if seen == (g, s - 1):  # the same rows with one bit less
            counts = [count - (not row >> (m - s) & 1) for count, row in zip(counts, rows, strict=True)]
        else:
            counts = [_zeros(row, m - s) for row in rows]
        seen = (g, s)
        return counts[0] == counts[1]

    return survives


def _bits(places: Sequence[int], size: int) -> int:
    """Return a number with the bits in `places` set, each of which is below `size`."""
    if len(places) == 1:
        return 1 << places[0]
    mask = bytearray(size // 8 + 1)
    for place in places:
        mask[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(mask, "little")


def _zeros(row: int, size: int) -> int:
    return size - (row & ((1 << size) - 1)).bit_count()
