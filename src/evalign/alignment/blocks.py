"""Blocks: the smallest stretches that begin and end at a boundary on both sides.

Of sentences they are the m:n aligned pairs of Jo et al. 2024 (Figures 2 and 3), of tokens the groups of Figure 4. What
only one side has stands alone, 1:0 or 0:1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from evalign.alignment.places import NOWHERE
from evalign.document import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Stretches of gold and system rows, in order: cuts, one longer than there are blocks."""

    gold: IntArray
    system: IntArray

    def __len__(self) -> int:
        return len(self.gold) - 1

    def __iter__(self) -> Iterator[tuple[range, range]]:
        gold, system = self.gold.tolist(), self.system.tolist()
        for k in range(len(self)):
            yield range(gold[k], gold[k + 1]), range(system[k], system[k + 1])

    def sizes(self) -> Counter[str]:
        """How many blocks there are of each kind, as "2:1"."""
        gold, system = np.diff(self.gold).astype(np.int64), np.diff(self.system)
        wide = int(system.max(initial=0)) + 1
        kinds, counts = np.unique(gold * wide + system, return_counts=True)
        rows = zip(kinds.tolist(), counts.tolist(), strict=True)
        return Counter({f"{kind // wide}:{kind % wide}": count for kind, count in rows})


def make_blocks(gold_reach: IntArray, system_reach: IntArray) -> Blocks:
    """Blocks from how far, in shared places, each side has come by the end of each row (`SidePlaces.token_reach`)."""
    gold_values, gold_first, gold_counts = _steps(gold_reach)
    system_values, system_first, system_counts = _steps(system_reach)
    # Both ascend, so a look-up finds the values they share without sorting anything.
    there = np.minimum(np.searchsorted(system_values, gold_values), len(system_values) - 1)
    in_gold = np.flatnonzero(system_values[there] == gold_values)
    in_system = there[in_gold]
    # Rows that bring nothing shared repeat the reach of the row before: each stands alone, behind the boundary.
    gold_alone, system_alone = gold_counts[in_gold] - 1, system_counts[in_system] - 1
    gold_ends = np.append(gold_first[in_gold] + 1, len(gold_reach))
    system_ends = np.append(system_first[in_system] + 1, len(system_reach))
    if not (gold_alone.any() or system_alone.any()):
        gold_cuts, system_cuts = gold_ends, system_ends
    else:
        gold_cuts, system_cuts = _with_lone_rows(gold_ends, gold_alone, system_ends, system_alone)
    empty = (np.diff(gold_cuts) == 0) & (np.diff(system_cuts) == 0)
    keep = np.append(True, ~empty)
    return Blocks(gold_cuts[keep].astype(np.int32), system_cuts[keep].astype(np.int32))


def _steps(reach: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """The distinct reaches, from 0 before the first row, with the row that got there first and how many stand there."""
    rows = np.append(-1, np.flatnonzero(reach != NOWHERE))
    values = np.append(0, reach[rows[1:]])
    first = np.flatnonzero(np.append(True, np.diff(values) > 0))
    return values[first], rows[first], np.diff(np.append(first, len(values)))


def _with_lone_rows(
    gold_ends: IntArray, gold_alone: IntArray, system_ends: IntArray, system_alone: IntArray
) -> tuple[IntArray, IntArray]:
    """Cuts with the lone rows behind each boundary cut off one by one, gold's first."""
    gold_cuts, system_cuts = [], []
    lone = (gold_alone + system_alone).tolist()
    for k, (g, s) in enumerate(zip(gold_ends.tolist(), system_ends.tolist(), strict=True)):
        gold_cuts.append(g)
        system_cuts.append(s)
        if k < len(lone) and lone[k]:
            for _ in range(int(gold_alone[k])):
                g += 1
                gold_cuts.append(g)
                system_cuts.append(s)
            for _ in range(int(system_alone[k])):
                s += 1
                gold_cuts.append(g)
                system_cuts.append(s)
    return np.array(gold_cuts, np.int32), np.array(system_cuts, np.int32)
