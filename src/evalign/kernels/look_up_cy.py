"""Look up the text of a difference in the characters that follow in the other line.

`kernels.align_cy` asks for each path that it has settled. If the text stands elsewhere too, the path is doubted: where
sentences resemble each other, it may have gone on beside the right one.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython

from typing import Any

from evalign.kernels import prices

# A difference of a path ends with as many equal pairs as earn SAME, if they come within MOST_DIFFERING
# characters; its text is looked for elsewhere if it begins at least APART characters behind the one before. What
# is looked for earns SOUGHT, and has at least KEYED characters, as a character earns eight bits at most.
SAME = cython.declare(cython.int, 20 * prices.BIT)
SOUGHT = cython.declare(cython.int, 60 * prices.BIT)
MOST_DIFFERING = cython.declare(cython.int, 100)
APART = cython.declare(cython.int, 64)
KEYED = cython.declare(cython.int, 8)
# Keys are compared by blocks of this many.
BLOCK = cython.declare(cython.int, 128)

# Kinds of pieces, as in `align_cy`; greater ones are jumps.
EQUAL = cython.declare(cython.int, 0)
GAP = cython.declare(cython.int, 1)


def codes() -> dict[str, int]:
    """Return the constants that callers need, by name."""
    return {"KEYED": KEYED}


def is_compiled() -> bool:
    """Return whether this module runs as compiled code."""
    return cython.compiled


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_key(
    keys: cython.pointer[cython.ushort], count: cython.Py_ssize_t, wanted: cython.ushort
) -> cython.Py_ssize_t:
    """Return the first of `count` places at which `keys` has `wanted`, or `count`."""
    cython.declare(place=cython.Py_ssize_t, k=cython.Py_ssize_t, hit=cython.ushort)
    cython.declare(yes=cython.ushort, no=cython.ushort)
    place, yes, no = 0, 1, 0
    while place + BLOCK <= count:
        hit = 0
        for k in range(BLOCK):
            hit = hit | (yes if keys[place + k] == wanted else no)
        if hit:
            break
        place += BLOCK
    while place < count and keys[place] != wanted:
        place += 1
    return place


@cython.cfunc
@cython.exceptval(check=False)
def next_key(
    keys: cython.ushort[::1], place: cython.Py_ssize_t, last: cython.Py_ssize_t, wanted: cython.ushort
) -> cython.Py_ssize_t:
    """Return the first place from `place` to `last` at which `keys` has `wanted`, or the one behind `last`."""
    count: cython.Py_ssize_t = last - place + 1
    if cython.compiled:
        count = find_key(cython.address(keys[place]), count, wanted)
    else:
        equal = keys[place : last + 1] == wanted
        count = int(equal.argmax()) if equal.any() else count
    return place + count


@cython.cclass
class LookUp:
    """Looks for the text of the differences of a path.

    Requires the characters of both lines; per line, a key of the KEYED characters from each position on, equal
    where these are equal; `earned`, what a pair of a character earns, by code; and `pieces`, rows of (kind, length
    in the first line, length in the second), in which a path is written, the last piece first. Text is looked for
    within `reach` characters, and from `least` ones behind the difference on.
    """

    cython.declare(first=cython.int[::1], first_keys=cython.ushort[::1])
    cython.declare(second=cython.int[::1], second_keys=cython.ushort[::1])
    cython.declare(earned=cython.short[::1], pieces=cython.int[:, ::1], reach=cython.int, least=cython.int)
    # The piece to be looked at next and where it begins, the end of the lines, and the least i + j of a
    # difference that counts.
    cython.declare(piece=cython.Py_ssize_t, i=cython.int, j=cython.int)
    cython.declare(goal_i=cython.int, goal_j=cython.int, begins_from=cython.int)
    # The end of the last difference, and how far the lines had to be known.
    cython.declare(end_i=cython.int, end_j=cython.int, known_i=cython.int, known_j=cython.int)

    def __init__(
        self,
        first: tuple[Any, Any],
        second: tuple[Any, Any],
        columns: tuple[Any, Any],
        reach: int,
        least: int,
    ) -> None:
        self.first, self.first_keys = first
        self.second, self.second_keys = second
        self.earned, self.pieces = columns
        self.reach, self.least = reach, least
        self.end_i = self.end_j = self.known_i = self.known_j = 0

    def end(self) -> tuple[int, int]:
        """Return where the last difference ends."""
        return self.end_i, self.end_j

    def needed(self) -> tuple[int, int]:
        """Return how far both lines must be known for all answers so far."""
        return self.known_i, self.known_j

    def begin(
        self, n_pieces: cython.int, i: cython.int, j: cython.int, goal_i: cython.int, goal_j: cython.int
    ) -> None:
        """Look at the path in `pieces` next; it begins at (i, j), and nothing behind the goal counts."""
        self.piece, self.i, self.j = n_pieces - 1, i, j
        self.goal_i, self.goal_j, self.begins_from = goal_i, goal_j, 0

    def find(self) -> bool:
        """Find the next difference of the path whose text stands farther on in the other line; False for none."""
        cython.declare(k=cython.Py_ssize_t, i=cython.int, j=cython.int)
        while self.piece >= 0:
            k, i, j = self.piece, self.i, self.j
            self.piece, self.i, self.j = k - 1, i + self.pieces[k, 1], j + self.pieces[k, 2]
            if self.pieces[k, 0] != GAP or i + j < self.begins_from:
                continue
            self.begins_from = i + j + 2 * APART
            self.known_i = max(self.known_i, i + self.reach)
            self.known_j = max(self.known_j, j + self.reach)
            if self.find_end(k, i, j) and (
                self.stands(self.first, self.first_keys, self.second, self.second_keys,
                            i, self.end_i, self.goal_i, j, self.end_j, self.goal_j)
                or self.stands(self.second, self.second_keys, self.first, self.first_keys,
                               j, self.end_j, self.goal_j, i, self.end_i, self.goal_i)
            ):  # fmt: skip
                return True
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def find_end(self, k: cython.Py_ssize_t, i: cython.int, j: cython.int) -> cython.bint:
        """Set the end of the difference that begins at (i, j), with piece k.

        Returns whether it has one, within MOST_DIFFERING characters and before a jump.
        """
        cython.declare(bits=cython.int, most_i=cython.int, most_j=cython.int, left=cython.int)
        most_i, most_j, bits = i + MOST_DIFFERING, j + MOST_DIFFERING, 0
        while k >= -1 and i < most_i and j < most_j:
            if k >= 0 and self.pieces[k, 0] > GAP:
                return False
            if k >= 0 and self.pieces[k, 0] == GAP:
                i, j, bits = i + self.pieces[k, 1], j + self.pieces[k, 2], 0
                k -= 1
                continue
            # Equal characters go on behind the end of the path.
            left = self.pieces[k, 1] if k >= 0 else MOST_DIFFERING
            while left > 0 and bits < SAME and i < most_i and j < most_j:
                if k < 0 and (i >= self.goal_i or j >= self.goal_j or self.first[i] != self.second[j]):
                    return False
                bits += self.earned[self.first[i]]
                i, j, left = i + 1, j + 1, left - 1
            if bits >= SAME:
                self.end_i, self.end_j = i, j
                return True
            k -= 1
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def stands(
        self,
        own: cython.int[::1],
        own_keys: cython.ushort[::1],
        other: cython.int[::1],
        other_keys: cython.ushort[::1],
        start: cython.int,
        end: cython.int,
        goal: cython.int,
        other_start: cython.int,
        other_end: cython.int,
        other_goal: cython.int,
    ) -> cython.bint:
        """Return whether one line's text of a difference stands behind the difference in the other line."""
        cython.declare(size=cython.int, bits=cython.int, k=cython.int, wanted=cython.ushort)
        cython.declare(place=cython.Py_ssize_t, last=cython.Py_ssize_t)
        size, bits = 0, 0
        while start + size < goal and (bits < SOUGHT or start + size < end):
            bits += self.earned[own[start + size]]
            size += 1
        # A single character that is repeated says nothing.
        if bits < SOUGHT or own_keys[start] == own_keys[start + 1]:
            return False
        wanted = own_keys[start]
        place = other_end + self.least
        last = min(other_start + self.reach, other_goal) - size
        while place <= last:
            place = next_key(other_keys, place, last, wanted)
            if place <= last:
                k = 0
                while k < size and own[start + k] == other[place + k]:
                    k += 1
                if k == size:
                    return True
            place += 1
        return False
