"""`align_cy.arrive` and `leave` in numpy, used where the kernels are not compiled.

They compute all points of an antidiagonal at a time instead of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from evalign.kernels.prices import (
    JUMP_GOES_ON,
    ONE_SIDED,
    OPEN,
    PART,
    REPLACED,
    SUBSTITUTED,
    SUBSTITUTED_PAIR,
)

Row = Any


def advance(
    never: int,
    jump_begins: int,
    characters: Sequence[Row],
    pairs: Sequence[Row],
    jumps: Sequence[Row],
    token_end: Row,
    across: Sequence[Row],
    straight: Sequence[Row],
    out: Sequence[Row],
    trace: Row,
) -> None:
    """Compute scores and traces of the points of an antidiagonal, given what their predecessors offer.

    The rows are those of `align_cy.PathFinder.step`; `out` and `trace` are filled.
    """
    first, second, gain = characters
    here_1, here_2 = pairs
    mark = np.minimum(here_1, here_2)
    less = np.minimum(mark, SUBSTITUTED_PAIR)
    turn = np.minimum(*jumps)
    starts_1, starts_2 = here_1 > 0, here_2 > 0
    equal = np.where(first == second, np.maximum(across[0] + gain + mark, never), never)
    by_gap, by_first_jump, by_second_jump, by_first_part, by_second_part = straight
    part_1 = np.maximum(by_first_part[:-1], never)
    part_2 = np.maximum(by_second_part[1:], never)
    by_gap = by_gap - ONE_SIDED
    gap, bits = _best(
        across[1] - SUBSTITUTED + less,
        (by_gap[:-1], by_gap[1:], part_1, part_2),
        1 << 4,
    )
    gap = np.maximum(gap, never)
    jump_1 = np.maximum(by_first_jump[:-1] - JUMP_GOES_ON, never)
    jump_2 = np.maximum(by_second_jump[1:] - JUMP_GOES_ON, never)
    ended_1, ended_2 = jump_1 + turn, jump_2 + turn
    best, which = _best(equal, (gap, ended_1, ended_2), 1)
    bits |= which
    into_gap, which = _best(equal - OPEN, (gap, ended_1 - OPEN, ended_2 - OPEN), 1 << 2)
    bits |= which
    begin, which = _best(equal, (gap,), 1 << 7)
    bits |= which
    begin = begin + turn - jump_begins
    from_jump, which = _best(begin, (jump_1,), 1 << 8)
    bits |= which
    to_second, which = _best(begin, (jump_1 - jump_begins, jump_2), 1 << 9)
    bits |= which
    part = into_gap - PART
    goes_on = np.where(starts_1, never, part_1)
    begins = np.where(starts_2, part, never)
    bits[goes_on >= begins] |= 1 << 12
    out[5][:] = np.maximum(goes_on, begins)
    both, which = _best(part, (part_1 + np.minimum(here_1, token_end) - REPLACED,), 1 << 11)
    bits |= which
    goes_on = np.where(starts_2, never, part_2)
    begins = np.where(starts_1, both, never)
    bits[goes_on >= begins] |= 1 << 13
    out[6][:] = np.maximum(goes_on, begins)
    out[0][:] = best + mark
    out[1][:] = into_gap + less
    out[2][:] = into_gap
    out[3][:] = from_jump
    out[4][:] = to_second
    states = (equal, gap, jump_1, jump_2, part_1, part_2)
    for row, scores in zip(out[7:], (*states, best), strict=True):
        row[:] = scores
    trace[:] = bits


def _best(score: Row, others: Sequence[Row], unit: int) -> tuple[Row, Row]:
    """Return the highest of `score` and `others` at each point, and a code for the row that it is from.

    The code is 0 for `score`, then `unit`, 2 * `unit` and so on for `others`; of equal scores, the first
    wins.
    """
    which = np.zeros(len(score), np.int16)
    for number, other in enumerate(others, 1):
        higher = other > score
        which[higher] = number * unit
        score = np.maximum(score, other)
    return score, which
