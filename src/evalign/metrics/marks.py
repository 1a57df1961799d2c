"""Marks: where on the gold line the errors of a metric are, by kind, for pictures of a few hundred pixels.

Of up to `MOST_MARKS` errors every position is kept. Of more, the first of each kind in every slot of the line (`slots`),
with how many there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeAlias

import numpy as np

from evalign.document import IntArray
from evalign.metrics.kinds import KINDS
from evalign.metrics.slots import NO_SLOTS, find_width, first_in_slots

# Positions kept of a metric.
MOST_MARKS = 100_000

Positions: TypeAlias = list[int] | list[int | list[int]]
"""A number: one error there. Two: so many errors, the first of them there."""


class Ticks(NamedTuple):
    """Errors of one kind: ascending positions, and how many there are at each or behind it."""

    positions: IntArray
    counts: IntArray

    @classmethod
    def at(cls, positions: IntArray) -> Ticks:
        """One error at each position."""
        return cls(positions, np.ones(len(positions), np.int64))

    def thinned(self, width: int) -> Ticks:
        """The first of each slot."""
        firsts = np.flatnonzero(first_in_slots(self.positions, width))
        if len(firsts) == len(self.positions):
            return self
        return Ticks(self.positions[firsts], np.add.reduceat(self.counts, firsts))

    def to_list(self) -> Positions:
        """Positions, with their counts where these are not 1."""
        positions: list[int] = self.positions.tolist()
        if (self.counts == 1).all():
            return positions
        rows = zip(positions, self.counts.tolist(), strict=True)
        return [position if count == 1 else [position, count] for position, count in rows]


class MetricMarks(NamedTuple):
    """Errors of a metric by kind, and the width of the slots they were counted in."""

    kinds: Mapping[str, Ticks]
    width: int = NO_SLOTS

    def thinned(self, most: int | None = None) -> MetricMarks:
        """At most so many, in slots of the width that they have or of a larger one."""
        places = [ticks.positions for ticks in self.kinds.values()]
        width = find_width(places, MOST_MARKS if most is None else most, self.width)
        return MetricMarks({kind: ticks.thinned(width) for kind, ticks in self.kinds.items()}, width)

    def to_dict(self) -> dict[str, Positions]:
        """Positions by kind, in the order that kinds have."""
        return {kind: self.kinds[kind].to_list() for kind in KINDS if kind in self.kinds}


class Unfolded(NamedTuple):
    """Marks as who draws them wants them: ascending positions, and how many errors come before each."""

    positions: Sequence[int]
    before: Sequence[int]
    """One more than there are positions."""


def unfold(marks: Positions) -> Unfolded:
    """Positions and how many errors come before each.

    >>> unfold([2, [5, 3], 9])
    Unfolded(positions=[2, 5, 9], before=[0, 1, 4, 5])
    """
    pairs = [mark if isinstance(mark, list) else (mark, 1) for mark in marks]
    return Unfolded([pair[0] for pair in pairs], [*accumulate((pair[1] for pair in pairs), initial=0)])
