"""Some of many places on a line: the first in each slot.

Slots begin at 0 and are as wide as a power of two, the smallest for which few enough are left. Two slots make one of the
next width, so that whoever has the first places of narrow slots, of parts of a text or of all of it, has those of wide
ones as well: what is chosen of chosen ones is what would have been chosen at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from evalign.document import IntArray, distinct

# Every place has a slot of its own, also where several are the same.
NO_SLOTS = 0


def find_width(columns: Sequence[IntArray], most: int, width: int = NO_SLOTS) -> int:
    """The smallest width, from one on, for which at most so many are left of some columns of ascending places.

    Of every column that has something one place is left in the end: `most` is no smaller than there are columns.

    >>> find_width([np.array([0, 1, 5, 6, 7, 9])], 3)
    4
    """
    slots = [column // width if width else column for column in columns]
    if width:
        slots = [distinct(column) for column in slots]
    while sum(map(len, slots)) > most:
        slots = [distinct(column // 2 if width else column) for column in slots]
        width = 2 * width or 1
    return width


def first_in_slots(places: IntArray, width: int) -> npt.NDArray[np.bool_]:
    """Per place, of ascending ones, whether it is the first in its slot."""
    first = np.ones(len(places), bool)
    if width:
        slots = places // width
        first[1:] = slots[1:] != slots[:-1]
    return first


def choose_places(places: IntArray, most: int | None, width: int = NO_SLOTS) -> tuple[IntArray, int]:
    """Which of some ascending places are left, at most so many, in slots of a width or of a larger one; and which width."""
    if most == 0:
        return np.zeros(0, np.int64), width
    if most is not None:
        width = find_width([places], most, width)
    return np.flatnonzero(first_in_slots(places, width)), width
