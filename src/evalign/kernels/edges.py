"""Equal edges of pairs of words: by the kernel `match_edges`, or by counting where there are very many.

Used for enhanced dependencies, by metrics and compat.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from evalign.kernels.buffers import flags, longs
from evalign.kernels.conllu_columns_cy import codes
from evalign.kernels.match_cy import match_edges

ROOT = codes()["ROOT"]
# Most pairs of edges of a pair of words that are compared one by one.
MAX_PAIRS = 4_096


class EdgeColumns(NamedTuple):
    """The edges of one side, as columns of integers (numpy arrays or plain buffers).

    The edges of word k are those from `cuts[k]` to `cuts[k + 1]`; each has a head (a word or ROOT) and the
    number of its path.
    """

    cuts: memoryview
    heads: memoryview
    paths: memoryview


def count_matched(
    gold: EdgeColumns,
    system: EdgeColumns,
    partners: memoryview,
    *,
    once: bool,
    max_pairs: int = MAX_PAIRS,
) -> memoryview:
    """Count the edges of each gold word that its partner has too (`match_edges`), in linear time.

    Words with more than `max_pairs` pairs of edges are not compared edge by edge, so that no file can make it
    slow.
    """
    right = longs(len(partners))
    taken = flags(len(system.heads))
    if match_edges(*gold, *system, partners, taken, once, max_pairs, right):
        for word, count in enumerate(right):
            if count < 0:
                right[word] = _count_many(gold, system, partners, word, once=once)
    return right


def _count_many(
    gold: EdgeColumns, system: EdgeColumns, partners: memoryview, word: int, *, once: bool
) -> int:
    """Count the equal edges of one word, in a time linear in their number."""
    wanted = Counter(_edges(gold, word))
    available = Counter(_edges(system, int(partners[word])))
    count = 0
    for (head, path), times in wanted.items():
        there = int(partners[head]) if head >= 0 else head
        others = available[there, path] if there >= 0 or head == ROOT else 0
        count += min(times, others) if once else times * others
    return count


def _edges(side: EdgeColumns, word: int) -> list[tuple[int, int]]:
    first, end = int(side.cuts[word]), int(side.cuts[word + 1])
    return list(zip(side.heads[first:end].tolist(), side.paths[first:end].tolist(), strict=True))
