"""Pairs of sentences that may be translations, with a score for each."""

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
