"""One-to-one pairs from candidates, the best first."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalign.bitext.mining.candidates import Candidates


def choose_pairs(candidates: Candidates) -> Candidates:
    """Candidates by falling score, each only where neither of its sentences is taken; of equal ones the first ids first."""
    order = np.lexsort((candidates.second, candidates.first, -candidates.scores))
    taken: tuple[set[int], set[int]] = set(), set()
    kept: list[int] = []
    ids = zip(
        order.tolist(), candidates.first[order].tolist(), candidates.second[order].tolist(), strict=True
    )
    for which, first, second in ids:
        if first not in taken[0] and second not in taken[1]:
            taken[0].add(first)
            taken[1].add(second)
            kept.append(which)
    chosen: npt.NDArray[np.int64] = np.array(kept, np.int64)
    return candidates.take(chosen)
