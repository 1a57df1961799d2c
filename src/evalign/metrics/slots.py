"""Some of many places on a line: the first in each slot, or the first of each kind in it.

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


def first_of_kinds(places: IntArray, kinds: Sequence[IntArray], width: int) -> IntArray:
    """The rows of ascending `places` that are the first of one of the `kinds` in a slot of the `width`.

    A kind is the ascending rows of those places that have it. Without slots every row is the first in its own.

    >>> first_of_kinds(np.array([0, 2, 3, 9]), [np.array([0, 1, 3]), np.array([2])], 8)
    array([0, 2, 3])
    """
    if not width:
        return np.arange(len(places))
    is_first = np.zeros(len(places), bool)
    for rows in kinds:
        is_first[rows[first_in_slots(places[rows], width)]] = True
    return np.flatnonzero(is_first)


def choose_candidates(
    places: IntArray, kinds: Sequence[IntArray], most: int | None, width: int = NO_SLOTS
) -> tuple[IntArray, int]:
    """The rows that `choose_rows` may choose of these places and more behind them, and the width of their slots.

    The width is the smallest, from `width` on, for which at most `most` slots have a place. It only grows as places are
    added, and so does what is chosen in the end: whoever has the candidates of parts has those of the whole.
    """
    if most == 0:
        return np.zeros(0, np.int64), width
    if most is not None:
        width = find_width([places], most, width)
    return first_of_kinds(places, kinds, width), width


def choose_rows(
    places: IntArray, kinds: Sequence[IntArray], most: int | None, width: int = NO_SLOTS
) -> IntArray:
    """At most `most` rows of `places`: the first of every kind in each slot, of the narrowest slots that leave few enough.

    Fewer rows than there are kinds cannot have one of each: then they are the first of any kind in each slot.
    """
    rows, width = choose_candidates(places, kinds, most, width)
    if most is None:
        return rows
    narrowest = width
    while len(rows) > most:
        if places[-1] < width:
            return np.flatnonzero(first_in_slots(places, narrowest))
        width *= 2
        rows = first_of_kinds(places, kinds, width)
    return rows
