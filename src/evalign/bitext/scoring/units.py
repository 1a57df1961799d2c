"""What counts of pairs are kept by: a first id with all its pairs, gold's and every system's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalign.bitext.ids import format_id
from evalign.bitext.pairs import IdPairs, Numbers
from evalign.metrics import CountTable
from evalign.scoring import MOST_UNITS

KIND = "foreign id"
"""The first language is the foreign one where the second is English, as in the BUCC shared tasks."""
MERGED = "group of foreign ids"
"""Neighbours that are one unit, where there are very many."""


@dataclass(frozen=True, eq=False)
class PairUnits:
    """First ids in their order; above so many, neighbours are one unit."""

    language: str
    starts: Numbers
    """The first number of every unit."""
    merged: int = 1
    """How many ids are in one."""

    def __len__(self) -> int:
        return max(1, len(self.starts))

    @property
    def kind(self) -> str:
        """What one of them is."""
        return MERGED if self.merged > 1 else KIND

    @property
    def names(self) -> Sequence[str]:
        """The ids; of several in one the first."""
        before = "from " if self.merged > 1 else ""
        return [f"{before}{format_id(self.language, number)}" for number in self.starts.tolist()]

    def describe(self) -> str:
        """As signatures have it."""
        return f"{KIND.replace(' ', '-')}({len(self.starts)})" + (
            f"x{self.merged}" if self.merged > 1 else ""
        )

    def count_nothing(self, columns: int) -> CountTable:
        """The same where there is nothing to count, so many columns."""
        return np.zeros((len(self), columns), np.int64)

    def find(self, firsts: Numbers) -> Numbers:
        """The unit of every first id."""
        found: Numbers = np.searchsorted(self.starts, firsts, side="right") - 1
        return found

    def count(self, *columns: Numbers) -> CountTable:
        """A row per unit: how often each column of units has it."""
        return np.stack([np.bincount(column, minlength=len(self)) for column in columns], axis=1)


def find_pair_units(gold: IdPairs, systems: Sequence[IdPairs], most: int = MOST_UNITS) -> PairUnits:
    """The units that gold and systems have between them."""
    language = next((pairs.languages[0] for pairs in (gold, *systems) if len(pairs)), "")
    firsts = np.concatenate([gold.first, *(system.first for system in systems)])
    # Pairs are ordered by first id, so that sorting merges what is sorted already.
    firsts = np.sort(firsts, kind="stable")
    starts = firsts[np.append(True, np.diff(firsts) != 0)] if len(firsts) else firsts
    merged = max(1, -(-len(starts) // most))
    return PairUnits(language, starts[::merged], merged)


def count_found(pairs: IdPairs, is_correct: npt.NDArray[np.bool_], most: int) -> Numbers:
    """First ids of the gold pairs that are among the best candidates of their first sentence, so many of them.

    The rank of a pair is the number of candidates that score as much or more: who gives many pairs the same score
    gains nothing by it.
    """
    order = np.lexsort((-pairs.levels, pairs.first))
    first, ranked = pairs.first[order], pairs.levels[order]
    is_new = np.append(True, np.diff(first) != 0)[: len(first)]
    # A run ends where the id or the score changes; the rank of all in it is that of its last.
    ends_run = np.append((np.diff(first) != 0) | (ranked[1:] != ranked[:-1]), True)[: len(first)]
    begin = np.maximum.accumulate(np.where(is_new, np.arange(len(first)), 0))
    lasts = np.flatnonzero(ends_run)
    last = lasts[np.searchsorted(lasts, np.arange(len(first)))]
    rank = last - begin + 1
    kept = is_correct[order] & (rank <= most)
    found: Numbers = first[kept]
    return found
