"""Pairs of sentences that may be translations, with a score for each, and the best of them one to one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evalign.bitext.pairs import Numbers, Scores


@dataclass(frozen=True, eq=False)
class Candidates:
    """Pairs of the numbers of sentences, each once."""

    first: Numbers
    second: Numbers
    scores: Scores

    def take(self, which: npt.NDArray[np.int64] | npt.NDArray[np.bool_]) -> Candidates:
        """Some of them."""
        return Candidates(self.first[which], self.second[which], self.scores[which])

    def with_scores(self, scores: Scores) -> Candidates:
        """The same pairs with other scores."""
        return replace(self, scores=scores)

    def __len__(self) -> int:
        return len(self.first)


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
