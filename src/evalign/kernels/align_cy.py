"""The best path through two lines of characters: the loops of `alignment.character_alignment`.

A path is made of steps that earn or cost bits; `alignment.character_alignment` has the table. All points (i,
j) with the same i + j, an antidiagonal, are computed side by side from the two antidiagonals before. Scores
are in sixteenths of a bit. An extension keeps them in 16-bit integers, relative to a base that follows the
best score, and may lose scores that are 600 bits or more below the best. An area that is filled exactly has
32-bit scores, and loses none.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython

from evalign.kernels import prices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from evalign.kernels import look_up_cy

if not cython.compiled:
    from evalign.kernels.antidiagonals import advance as advance_arrays

# How a walk or an extension ended.
ARRIVED = cython.declare(cython.int, 0)
SETTLED = cython.declare(cython.int, 1)
DEAD = cython.declare(cython.int, 2)
DOUBTED = cython.declare(cython.int, 3)

# States of a point: after an equal pair, in a gap, in a jump over the first or the second line, in a part of a
# token of the first or the second line.
EQUAL = cython.declare(cython.int, 0)
GAP = cython.declare(cython.int, 1)
JUMP_FIRST = cython.declare(cython.int, 2)
JUMP_SECOND = cython.declare(cython.int, 3)
PART_FIRST = cython.declare(cython.int, 4)
PART_SECOND = cython.declare(cython.int, 5)
JUMP = cython.declare(cython.int, 2)

# Prices as constants of C, for the loops.
OPEN = cython.declare(cython.short, prices.OPEN)
SUBSTITUTED = cython.declare(cython.short, prices.SUBSTITUTED)
ONE_SIDED = cython.declare(cython.short, prices.ONE_SIDED)
PART = cython.declare(cython.short, prices.PART)
REPLACED = cython.declare(cython.short, prices.REPLACED)
JUMP_BEGINS = cython.declare(cython.short, prices.JUMP_BEGINS)
JUMP_GOES_ON = cython.declare(cython.short, prices.JUMP_GOES_ON)
# What a pair earns that begins or ends at a token boundary; more is earned at a sentence boundary.
TOKEN_PAIR = cython.declare(cython.short, prices.TOKEN_PAIR)
# A substituted pair earns no more than this.
SUBSTITUTED_PAIR = cython.declare(cython.short, prices.SUBSTITUTED_PAIR)
# The price of a jump where none is tried; scores lowered by it still fit into 16 bits.
FORBIDDEN = cython.declare(cython.short, 10000)
# Stands for no score, in 16 and in 32 bits: far below any score that is kept. Equal characters earn at most
# CLIMB in 32 antidiagonals, so a score less than CLIMB above NEVER may have been no score 32 antidiagonals
# ago.
NEVER = cython.declare(cython.short, -20000)
FAR = cython.declare(cython.int, -(1 << 29))
CLIMB = cython.declare(cython.short, 3000)
# Scores are moved to a new base when the highest of an antidiagonal has left the range from -HIGH to HIGH.
HIGH = cython.declare(cython.short, 6000)

# A gap that costs at most this costs no more than a jump from token to token; a jump that begins or ends at a
# sentence boundary farther than NEXT_TO characters from the gap leaves more equal characters out than it saves.
WITHIN_SENTENCE = cython.declare(cython.int, prices.JUMP_BEGINS - 2 * prices.TOKEN_JUMP)
NEXT_TO = cython.declare(cython.int, 8)

# Rows of scores: three antidiagonals of each of the two rows that diagonal steps read, two of each of the
# five that straight steps read; then the six states of the antidiagonal itself, and the best state of each
# point.
N_ROWS = cython.declare(cython.int, 23)
ROW_EQUAL = cython.declare(cython.int, 16)
ROW_TOP = cython.declare(cython.int, 22)

Score = cython.fused_type(cython.short, cython.int)


def codes() -> dict[str, int]:
    """Return the constants that callers need, by name."""
    ends = {"ARRIVED": ARRIVED, "DEAD": DEAD, "DOUBTED": DOUBTED}
    return {**ends, "EQUAL": EQUAL, "GAP": GAP, "JUMP": JUMP, "N_ROWS": N_ROWS}


def is_compiled() -> bool:
    """Return whether this module runs as compiled code."""
    return cython.compiled


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.locals(score=Score, part_1=Score, part_2=Score, by_first=Score, by_second=Score)
def arrive(
    count: cython.Py_ssize_t,
    never: Score,
    first: cython.restrict[cython.pointer[cython.int]],
    second: cython.restrict[cython.pointer[cython.int]],
    gain: cython.restrict[cython.pointer[cython.short]],
    first_pair: cython.restrict[cython.pointer[cython.short]],
    second_pair: cython.restrict[cython.pointer[cython.short]],
    from_pair: cython.restrict[cython.pointer[Score]],
    from_substituted: cython.restrict[cython.pointer[Score]],
    from_gap: cython.restrict[cython.pointer[Score]],
    from_first_jump: cython.restrict[cython.pointer[Score]],
    from_second_jump: cython.restrict[cython.pointer[Score]],
    from_first_part: cython.restrict[cython.pointer[Score]],
    from_second_part: cython.restrict[cython.pointer[Score]],
    equal_row: cython.restrict[cython.pointer[Score]],
    gap_row: cython.restrict[cython.pointer[Score]],
    first_jump_row: cython.restrict[cython.pointer[Score]],
    second_jump_row: cython.restrict[cython.pointer[Score]],
    first_part_row: cython.restrict[cython.pointer[Score]],
    second_part_row: cython.restrict[cython.pointer[Score]],
    trace: cython.restrict[cython.pointer[cython.short]],
) -> cython.void:
    """Compute the states of `count` points of an antidiagonal from what their predecessors offer.

    `from_gap` points at the predecessor by the first line; the one by the second line follows it. The rows of
    states are filled with scores, and `trace` gets how the gap states were reached.
    """
    cython.declare(k=cython.Py_ssize_t, here_1=cython.short, here_2=cython.short, mark=cython.short)
    cython.declare(code_1=cython.int, code_2=cython.int, which=cython.short, less=cython.short)
    # Constants and all reads come first, so that the compiler can compute many points at once.
    substituted: cython.short = SUBSTITUTED
    one_sided: cython.short = ONE_SIDED
    goes_on: cython.short = JUMP_GOES_ON
    most: cython.short = SUBSTITUTED_PAIR
    for k in range(count):
        here_1, here_2, code_1, code_2 = first_pair[k], second_pair[k], first[k], second[k]
        part_1, part_2 = from_first_part[k], from_second_part[k]
        by_first, by_second = from_gap[k] - one_sided, from_gap[k + 1] - one_sided
        mark = min(here_2, here_1)
        score = from_pair[k] + gain[k] + mark
        score = score if code_1 == code_2 else never
        equal_row[k] = max(never, score)
        part_1 = max(never, part_1)
        part_2 = max(never, part_2)
        first_part_row[k] = part_1
        second_part_row[k] = part_2
        score = from_first_jump[k] - goes_on
        first_jump_row[k] = max(never, score)
        score = from_second_jump[k] - goes_on
        second_jump_row[k] = max(never, score)
        # Steps in a gap: a substituted pair, a character of either line, a part that ends here.
        less = min(mark, most)
        score = from_substituted[k] - substituted + less
        which, score = 1 << 4 if by_first > score else 0, max(score, by_first)
        which, score = 2 << 4 if by_second > score else which, max(score, by_second)
        which, score = 3 << 4 if part_1 > score else which, max(score, part_1)
        which, score = 4 << 4 if part_2 > score else which, max(score, part_2)
        gap_row[k] = max(never, score)
        trace[k] = which


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.locals(equal=Score, gap=Score, jump_1=Score, jump_2=Score, part_1=Score, part_2=Score)
@cython.locals(ended_1=Score, ended_2=Score, best=Score, score=Score, other=Score, begins=Score)
def leave(
    count: cython.Py_ssize_t,
    never: Score,
    jump_begins: cython.short,
    first_pair: cython.restrict[cython.pointer[cython.short]],
    second_pair: cython.restrict[cython.pointer[cython.short]],
    first_jump: cython.restrict[cython.pointer[cython.short]],
    second_jump: cython.restrict[cython.pointer[cython.short]],
    token_end: cython.restrict[cython.pointer[cython.short]],
    equal_row: cython.restrict[cython.pointer[Score]],
    gap_row: cython.restrict[cython.pointer[Score]],
    first_jump_row: cython.restrict[cython.pointer[Score]],
    second_jump_row: cython.restrict[cython.pointer[Score]],
    first_part_row: cython.restrict[cython.pointer[Score]],
    second_part_row: cython.restrict[cython.pointer[Score]],
    to_pair: cython.restrict[cython.pointer[Score]],
    to_substituted: cython.restrict[cython.pointer[Score]],
    to_gap: cython.restrict[cython.pointer[Score]],
    to_first_jump: cython.restrict[cython.pointer[Score]],
    to_second_jump: cython.restrict[cython.pointer[Score]],
    to_first_part: cython.restrict[cython.pointer[Score]],
    to_second_part: cython.restrict[cython.pointer[Score]],
    top_row: cython.restrict[cython.pointer[Score]],
    trace: cython.restrict[cython.pointer[cython.short]],
) -> cython.void:
    """Compute what `count` points of an antidiagonal offer to their successors from their states.

    The `to_...` rows and `top_row`, the best state of each point, are filled with scores; `trace` gets which
    states the offers come from.
    """
    cython.declare(k=cython.Py_ssize_t, here_1=cython.short, here_2=cython.short)
    cython.declare(mark=cython.short, turn=cython.short)
    cython.declare(end=cython.short, last=cython.short, which=cython.short, bits=cython.short)
    cython.declare(opens=cython.short, part=cython.short, replaced=cython.short)
    cython.declare(less=cython.short, most=cython.short)
    opens, part, replaced, most = OPEN, PART, REPLACED, SUBSTITUTED_PAIR
    for k in range(count):
        here_1, here_2, turn, end = first_pair[k], second_pair[k], first_jump[k], token_end[k]
        last, bits = second_jump[k], trace[k]
        equal, gap, jump_1, jump_2 = equal_row[k], gap_row[k], first_jump_row[k], second_jump_row[k]
        part_1, part_2 = first_part_row[k], second_part_row[k]
        mark = min(here_2, here_1)
        turn = min(last, turn)
        ended_1, ended_2 = jump_1 + turn, jump_2 + turn
        # The best state for a pair that begins here.
        which = 1 if gap > equal else 0
        best = max(equal, gap)
        which, best = 2 if ended_1 > best else which, max(best, ended_1)
        which, best = 3 if ended_2 > best else which, max(best, ended_2)
        to_pair[k], bits = best + mark, bits | which
        top_row[k] = best
        # Jumps begin after an equal pair or a gap, or go on.
        which = 1 << 7 if gap > equal else 0
        score = (max(equal, gap)) + turn - jump_begins
        bits = bits | which | (1 << 8 if jump_1 > score else 0)
        to_first_jump[k] = max(score, jump_1)
        other = jump_1 - jump_begins
        which, score = 1 << 9 if other > score else 0, max(score, other)
        which = 2 << 9 if jump_2 > score else which
        to_second_jump[k] = max(score, jump_2)
        bits = bits | which
        # The best state for a step in a gap that begins here.
        score = equal - opens
        which, score = 1 << 2 if gap > score else 0, max(score, gap)
        ended_1, ended_2 = ended_1 - opens, ended_2 - opens
        which, score = 2 << 2 if ended_1 > score else which, max(score, ended_1)
        which, score = 3 << 2 if ended_2 > score else which, max(score, ended_2)
        bits = bits | which
        less = min(mark, most)
        to_substituted[k], to_gap[k] = score + less, score
        # A part begins where the other line has a boundary, and goes on up to the end of its token at most. A
        # part of the second line may replace one of the first that ends with its token.
        score = score - part
        begins = score if here_2 > 0 else never
        other = part_1 if here_1 == 0 else never
        bits = bits | (1 << 12 if other >= begins else 0)
        to_first_part[k] = max(begins, other)
        other = part_1 + (min(end, here_1)) - replaced
        bits = bits | (1 << 11 if other > score else 0)
        begins = max(score, other)
        begins = begins if here_1 > 0 else never
        other = part_2 if here_2 == 0 else never
        trace[k] = bits | (1 << 13 if other >= begins else 0)
        to_second_part[k] = max(begins, other)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def highest(row: cython.pointer[cython.short], count: cython.Py_ssize_t) -> cython.short:
    """Return the highest of `count` scores; there must be at least one."""
    k: cython.Py_ssize_t
    best: cython.short = row[0]
    for k in range(count):
        best = max(best, row[k])
    return best


@cython.cclass
class PathFinder:
    """A search for the best path through two lines, from point to point.

    Requires, per position of the first line (one more than it has characters): `first`, the code of the
    character before the position; `gain`, what this character earns if paired with an equal one; `first_pair`
    and `first_jump`, what a pair and a jump earn by beginning or ending there, 0 within a token. For the
    second line, in reverse order: `second`, `second_pair`, `second_jump`, and `token_end`, what a
    substituted pair earns where the token ends that the position is in. The codes before the first characters
    must differ. `look_up` is a `look_up_cy.LookUp` of the same lines and `scratch`.

    `pieces` (`kinds`, `firsts`, `seconds`) have room for as many pieces as both lines together have
    characters. In `room`, the rows of scores have room for N_ROWS antidiagonals of an extension or area, and
    two points more; `trace` for all its points; the other columns for as many antidiagonals.
    """

    cython.declare(n=cython.int, m=cython.int)
    cython.declare(first=cython.int[::1], second=cython.int[::1])
    cython.declare(gain=cython.short[::1], token_end=cython.short[::1])
    cython.declare(first_pair=cython.short[::1], second_pair=cython.short[::1])
    cython.declare(first_jump=cython.short[::1], second_jump=cython.short[::1])
    # The path so far, in pieces.
    cython.declare(kinds=cython.uchar[::1], firsts=cython.int[::1])
    cython.declare(seconds=cython.int[::1], n_pieces=cython.Py_ssize_t)
    # What an extension remembers of each of its antidiagonals: the first point (`lows`), where its traces
    # begin (`starts`), and the point of a new best equal pair there, or -1 (`records`).
    cython.declare(rows=cython.short[:, ::1], wide_rows=cython.int[:, ::1], trace=cython.short[::1])
    cython.declare(lows=cython.int[::1], starts=cython.longlong[::1], records=cython.int[::1])
    # The best path of an extension, per antidiagonal: its point there, or -1, and its state; then two copies
    # in pieces.
    cython.declare(path_points=cython.int[::1], path_states=cython.uchar[::1])
    cython.declare(scratch=cython.int[:, ::1], laid=cython.int[:, ::1], n_scratch=cython.Py_ssize_t)
    # The antidiagonal where the extension began, the points it follows, the base of their scores, the best
    # score and where it is, and where the extension ended.
    cython.declare(begin=cython.int, low=cython.int, high=cython.int)
    cython.declare(base=cython.longlong, best=cython.longlong)
    cython.declare(best_at=cython.int, best_point=cython.int)
    cython.declare(end_at=cython.int, end_point=cython.int, end_state=cython.int)
    cython.declare(n_points=cython.longlong, all_points=cython.longlong)
    # The point of a path at which `step_back` is: antidiagonal, position in the first line, state.
    cython.declare(at=cython.int, point=cython.int, state=cython.int)
    # How far any decision has looked in both lines; rows of where the walk stood, with how far it had looked
    # then.
    cython.declare(seen_first=cython.int, seen_second=cython.int)
    cython.declare(stands=cython.int[:, ::1], n_stands=cython.Py_ssize_t)
    # Points where both lines can be cut though no long equal text follows.
    cython.declare(ends=cython.int[:, ::1], n_ends=cython.Py_ssize_t)
    # How far below the best points are followed, and which gaps are kept without trying jumps; how many equal
    # characters were skipped before a difference, and the antidiagonal of the difference.
    cython.declare(drop=cython.int, near_drop=cython.int, shift=cython.int, cost=cython.int)
    cython.declare(skipped=cython.int, difference=cython.int)
    # The walk: where it began anew, how many equal characters follow there, where it leads, how its last
    # extension ended, and whether paths are kept without a doubt.
    cython.declare(from_i=cython.int, from_j=cython.int, run=cython.int)
    cython.declare(goal_i=cython.int, goal_j=cython.int, status=cython.int, trusts=cython.bint)
    # Looks for the text of differences elsewhere, and whether the path in `scratch` was doubted for it.
    cython.declare(look_up=object, is_doubted=cython.bint)

    def __init__(
        self,
        first: tuple[Any, ...],
        second: tuple[Any, ...],
        pieces: tuple[Any, ...],
        room: tuple[Any, ...],
        outputs: tuple[Any, Any],
        look_up: look_up_cy.LookUp,
        limits: tuple[int, int, int, int],
    ) -> None:
        self.first, self.gain, self.first_pair, self.first_jump = first
        self.second, self.second_pair, self.second_jump, self.token_end = second
        self.n, self.m = len(self.first) - 1, len(self.second) - 1
        self.kinds, self.firsts, self.seconds = pieces
        self.rows, self.wide_rows, self.trace, self.lows, self.starts, self.records = room[:6]
        self.path_points, self.path_states, self.scratch, self.laid = room[6:]
        self.stands, self.ends = outputs
        self.look_up = look_up
        self.drop, self.near_drop, self.shift, self.cost = limits
        self.n_pieces = self.n_scratch = self.n_stands = self.n_ends = 0
        self.all_points = 0
        self.seen_first = self.seen_second = self.at = self.point = self.state = 0

    def count(self) -> tuple[int, int, int, int]:
        """Return four counts: pieces of the path so far, rows of `stands`, rows of `ends`, points computed.

        The time is proportional to the last one.
        """
        return self.n_pieces, self.n_stands, self.n_ends, self.all_points

    @cython.ccall
    @cython.exceptval(check=False)
    def see(self, i: cython.int, j: cython.int) -> cython.void:
        """Record that a decision has looked at the lines up to (i, j)."""
        self.seen_first = max(self.seen_first, i)
        self.seen_second = max(self.seen_second, j)

    @cython.ccall
    @cython.exceptval(check=False)
    def add(self, kind: cython.int, a: cython.int, b: cython.int) -> cython.void:
        """Append a piece of `a` characters of the first line and `b` of the second to the path.

        An equal piece is joined with an equal piece before it; a piece without characters is ignored.
        """
        if a == 0 and b == 0:
            return
        k: cython.Py_ssize_t = self.n_pieces
        if kind == EQUAL and k > 0 and self.kinds[k - 1] == EQUAL:
            self.firsts[k - 1] += a
            self.seconds[k - 1] += b
            return
        self.kinds[k] = kind
        self.firsts[k] = a
        self.seconds[k] = b
        self.n_pieces = k + 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def count_equal(self, i: cython.int, j: cython.int, end_i: cython.int, end_j: cython.int) -> cython.int:
        """Return how many characters are equal from (i, j) on, up to (end_i, end_j)."""
        most: cython.int = min(end_i - i, end_j - j)
        length: cython.int = 0
        while length < most and self.first[i + length + 1] == self.second[self.m - j - length - 1]:
            length += 1
        return length

    @cython.cfunc
    @cython.exceptval(check=False)
    def count_back(self, i: cython.int, most: cython.int, bits: cython.int) -> cython.int:
        """Return how many characters at the end of an equal run earn `bits` together.

        The run has `most` characters and ends at position `i` of the first line. If all of it earns less, the
        result is `most`.
        """
        length: cython.int = 0
        while length < most and bits > 0:
            bits -= self.gain[i - length]
            length += 1
        return length

    @cython.cfunc
    @cython.exceptval(check=False)
    def start(
        self, rows: Score[:, ::1], never: Score, i: cython.int, j: cython.int, jump_begins: cython.short
    ) -> cython.void:
        """Begin an extension or an area at (i, j), as after an equal pair."""
        row: cython.int
        mark: cython.short = min(self.first_pair[i], self.second_pair[self.m - j])
        turn: cython.short = min(self.first_jump[i], self.second_jump[self.m - j])
        d: cython.int = i + j
        self.begin = d
        self.low = i
        self.high = i
        self.base = 0
        self.best = 0
        self.best_at = d
        self.best_point = i
        for row in range(16):
            rows[row, 0] = never
            rows[row, 1] = never
            rows[row, 2] = never
        rows[d % 3, 1] = mark
        rows[3 + d % 3, 1] = min(mark, SUBSTITUTED_PAIR) - OPEN
        rows[6 + d % 2, 1] = -OPEN
        rows[8 + d % 2, 1] = turn - jump_begins
        rows[10 + d % 2, 1] = turn - jump_begins
        if self.second_pair[self.m - j]:
            rows[12 + d % 2, 1] = -OPEN - PART
        if self.first_pair[i]:
            rows[14 + d % 2, 1] = -OPEN - PART
        self.lows[0] = i
        self.starts[0] = 0
        self.records[0] = i
        self.trace[0] = 0
        self.n_points = 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def step(
        self, rows: Score[:, ::1], never: Score, d: cython.int, jump_begins: cython.short
    ) -> cython.void:
        """Compute the points from `low` to `high` of antidiagonal d."""
        low: cython.int = self.low
        count: cython.Py_ssize_t = self.high - low + 1
        k: cython.int = d - self.begin
        now: cython.int = d % 3
        before: cython.int = (d + 1) % 3  # two antidiagonals ago
        new: cython.int = d % 2
        old: cython.int = 1 - new
        there: cython.Py_ssize_t = self.m - d + low
        straight: cython.Py_ssize_t = low - self.lows[k - 1]
        across: cython.Py_ssize_t = low - self.lows[k - 2] if k > 1 else 0
        start: cython.longlong = self.n_points
        self.lows[k] = low
        self.starts[k] = start
        self.n_points += count
        if cython.compiled:
            self.enter(rows, never, low, there, count, across, straight, before, old, start)
            self.offer(rows, never, low, there, count, now, new, start, jump_begins)
        else:
            advance_arrays(
                never,
                jump_begins,
                (
                    self.first[low : low + count],
                    self.second[there : there + count],
                    self.gain[low : low + count],
                ),
                (self.first_pair[low : low + count], self.second_pair[there : there + count]),
                (self.first_jump[low : low + count], self.second_jump[there : there + count]),
                self.token_end[there : there + count],
                [rows[row + before, across : across + count] for row in (0, 3)],
                [rows[row + old, straight : straight + count + 1] for row in range(6, 16, 2)],
                [
                    rows[row, 1 : count + 1]
                    for row in (now, 3 + now, *range(6 + new, 16, 2), *range(ROW_EQUAL, N_ROWS))
                ],
                self.trace[start : start + count],
            )
        self.close(rows, never, d, 0)
        self.close(rows, never, d, count + 1)

    @cython.cfunc
    @cython.exceptval(check=False)
    def enter(
        self,
        rows: Score[:, ::1],
        never: Score,
        low: cython.Py_ssize_t,
        there: cython.Py_ssize_t,
        count: cython.Py_ssize_t,
        across: cython.Py_ssize_t,
        straight: cython.Py_ssize_t,
        before: cython.int,
        old: cython.int,
        start: cython.longlong,
    ) -> cython.void:
        """Compute the states of an antidiagonal from the rows of the two antidiagonals before."""
        arrive(
            count,
            never,
            cython.address(self.first[low]),
            cython.address(self.second[there]),
            cython.address(self.gain[low]),
            cython.address(self.first_pair[low]),
            cython.address(self.second_pair[there]),
            cython.address(rows[before, across]),
            cython.address(rows[3 + before, across]),
            cython.address(rows[6 + old, straight]),
            cython.address(rows[8 + old, straight]),
            cython.address(rows[10 + old, straight + 1]),
            cython.address(rows[12 + old, straight]),
            cython.address(rows[14 + old, straight + 1]),
            cython.address(rows[16, 1]),
            cython.address(rows[17, 1]),
            cython.address(rows[18, 1]),
            cython.address(rows[19, 1]),
            cython.address(rows[20, 1]),
            cython.address(rows[21, 1]),
            cython.address(self.trace[start]),
        )

    @cython.cfunc
    @cython.exceptval(check=False)
    def offer(
        self,
        rows: Score[:, ::1],
        never: Score,
        low: cython.Py_ssize_t,
        there: cython.Py_ssize_t,
        count: cython.Py_ssize_t,
        now: cython.int,
        new: cython.int,
        start: cython.longlong,
        jump_begins: cython.short,
    ) -> cython.void:
        """Fill the rows of an antidiagonal that its successors read, from the states of its points."""
        leave(
            count,
            never,
            jump_begins,
            cython.address(self.first_pair[low]),
            cython.address(self.second_pair[there]),
            cython.address(self.first_jump[low]),
            cython.address(self.second_jump[there]),
            cython.address(self.token_end[there]),
            cython.address(rows[16, 1]),
            cython.address(rows[17, 1]),
            cython.address(rows[18, 1]),
            cython.address(rows[19, 1]),
            cython.address(rows[20, 1]),
            cython.address(rows[21, 1]),
            cython.address(rows[now, 1]),
            cython.address(rows[3 + now, 1]),
            cython.address(rows[6 + new, 1]),
            cython.address(rows[8 + new, 1]),
            cython.address(rows[10 + new, 1]),
            cython.address(rows[12 + new, 1]),
            cython.address(rows[14 + new, 1]),
            cython.address(rows[ROW_TOP, 1]),
            cython.address(self.trace[start]),
        )

    @cython.cfunc
    @cython.exceptval(check=False)
    def close(
        self, rows: Score[:, ::1], never: Score, d: cython.int, place: cython.Py_ssize_t
    ) -> cython.void:
        """Block a place in the rows of antidiagonal d: no path goes through it."""
        row: cython.int
        rows[d % 3, place] = never
        rows[3 + d % 3, place] = never
        for row in range(6 + d % 2, 16, 2):
            rows[row, place] = never

    @cython.cfunc
    @cython.exceptval(check=False)
    def rebase(self, d: cython.int) -> cython.void:
        """Keep scores within 16 bits: subtract the best score of antidiagonal d in all rows still to be read.

        Nothing is subtracted as long as the best is between -HIGH and HIGH. A score that has fallen to NEVER,
        and may have risen again since, is set back to NEVER.
        """
        k: cython.int = d - self.begin
        count: cython.Py_ssize_t = self.n_points - self.starts[k]
        count_before: cython.Py_ssize_t = self.starts[k] - self.starts[k - 1]
        cython.declare(row=cython.int, top=cython.short)
        if cython.compiled:
            top = highest(cython.address(self.rows[ROW_TOP, 1]), count)
        else:
            top = int(self.rows[ROW_TOP, 1 : count + 1].max())
        if -HIGH < top < HIGH:
            top = 0
        self.base += top
        self.lower(d % 3, count, top)
        self.lower(3 + d % 3, count, top)
        self.lower((d + 2) % 3, count_before, top)
        self.lower(3 + (d + 2) % 3, count_before, top)
        for row in range(6 + d % 2, 16, 2):
            self.lower(row, count, top)

    @cython.cfunc
    @cython.exceptval(check=False)
    def lower(self, row: cython.int, count: cython.Py_ssize_t, top: cython.int) -> cython.void:
        """Subtract `top` from the scores of a row; entries that are not scores become NEVER."""
        cython.declare(k=cython.Py_ssize_t, score=cython.int)
        for k in range(count + 2):
            score = int(self.rows[row, k])
            self.rows[row, k] = NEVER if score < NEVER + CLIMB else max(score - top, NEVER)

    @cython.cfunc
    @cython.exceptval(check=False)
    def find_best(self, d: cython.int) -> cython.void:
        """Update the best equal pair so far with the points of antidiagonal d.

        Of pairs with the same score, the first is kept.
        """
        k: cython.int = d - self.begin
        count: cython.Py_ssize_t = self.n_points - self.starts[k]
        peak: cython.short
        place: cython.Py_ssize_t = 1
        if cython.compiled:
            peak = highest(cython.address(self.rows[ROW_EQUAL, 1]), count)
        else:
            peak = int(self.rows[ROW_EQUAL, 1 : count + 1].max())
        self.records[k] = -1
        if self.base + peak > self.best:
            while self.rows[ROW_EQUAL, place] != peak:
                place += 1
            self.best = self.base + peak
            self.best_at = d
            self.best_point = self.lows[k] + cython.cast(cython.int, place) - 1
            self.records[k] = self.best_point

    @cython.cfunc
    @cython.exceptval(check=False)
    def trim(self, d: cython.int, drop: cython.int) -> cython.void:
        """Drop points from both ends of antidiagonal d that are more than `drop` below the best."""
        low: cython.int = self.lows[d - self.begin]
        floor: cython.longlong = self.best - drop - self.base
        while self.low <= self.high and self.rows[ROW_TOP, self.low - low + 1] < floor:
            self.low += 1
        while self.low <= self.high and self.rows[ROW_TOP, self.high - low + 1] < floor:
            self.high -= 1
        if self.low > low:
            self.close(self.rows, NEVER, d, self.low - low)
        if self.high - low + 2 <= self.n_points - self.starts[d - self.begin]:
            self.close(self.rows, NEVER, d, self.high - low + 2)

    @cython.cfunc
    @cython.exceptval(check=False)
    def extend(
        self,
        i: cython.int,
        j: cython.int,
        end_i: cython.int,
        end_j: cython.int,
        drop: cython.int,
        jump_begins: cython.short,
        least: cython.int,
        every: cython.int,
    ) -> cython.int:
        """Extend from (i, j) towards (end_i, end_j), following points at most `drop` below the best.

        Returns ARRIVED, SETTLED or DEAD; `end_at`, `end_point` and `end_state` say where the extension ended.
        SETTLED: all paths followed have gone through one point behind the difference, and the best path has
        gained `least` and ends in equal characters that earn `drop`. This is checked once in `every`
        antidiagonals, a multiple of 32. If memory runs out, the extension settles at such a point or in the
        middle of the best path. DEAD: no point is left, or too many are followed side by side, so that no
        path is better than another.
        """
        d: cython.int = i + j
        last: cython.int = end_i + end_j
        widest: cython.int = self.rows.shape[1] - 8
        longest: cython.int = self.lows.shape[0] - 2
        limit: cython.longlong = self.trace.shape[0] - self.rows.shape[1]
        status: cython.int = DEAD
        length: cython.int
        half: cython.int
        self.start(self.rows, NEVER, i, j, jump_begins)
        while d < last:
            d += 1
            length = d - self.begin
            self.low = max(self.low, d - end_j)
            self.high = min(self.high + 1, end_i)
            if self.low > self.high:
                break
            self.see(self.high, d - self.low)
            self.step(self.rows, NEVER, d, jump_begins)
            self.find_best(d)
            self.trim(d, drop)
            if self.low > self.high:
                break
            if length % 32 == 0:
                self.rebase(d)
                if length % every == 0 and self.best >= least and self.is_calm(drop) and self.settle(d):
                    status = SETTLED
                    break
            if self.high - self.low > widest:
                break
            if length >= longest or self.n_points > limit:
                half = (self.best_at - self.begin) // 2
                if (self.settle(d) and 2 * (self.end_at - self.begin) >= half) or self.settle_at(half):
                    status = SETTLED
                break
        else:
            self.end_at = last
            self.end_point = end_i
            self.end_state = self.trace_at(last, end_i) & 3
            # The end is reached, but perhaps only inside a token that goes on behind it.
            if (
                self.rows[ROW_EQUAL + self.end_state, end_i - self.lows[last - self.begin] + 1]
                >= NEVER + CLIMB
            ):
                status = ARRIVED
        self.all_points += self.n_points
        return status

    def fill(self, i: cython.int, j: cython.int, end_i: cython.int, end_j: cython.int) -> None:
        """Append the best path from (i, j) to (end_i, end_j), considering all points in between."""
        d: cython.int
        self.start(self.wide_rows, FAR, i, j, JUMP_BEGINS)
        for d in range(i + j + 1, end_i + end_j + 1):
            self.low = max(i, d - end_j)
            self.high = min(d - j, end_i)
            self.step(self.wide_rows, FAR, d, JUMP_BEGINS)
        self.all_points += self.n_points
        self.end_at = end_i + end_j
        self.end_point = end_i
        self.end_state = self.trace_at(self.end_at, self.end_point) & 3
        self.see(end_i, end_j)
        self.lay_pieces()
        self.append_pieces()

    @cython.cfunc
    @cython.exceptval(check=False)
    def trace_at(self, d: cython.int, i: cython.int) -> cython.int:
        """Return the trace of a point: how its states were reached, as bits."""
        k: cython.int = d - self.begin
        return self.trace[self.starts[k] + i - self.lows[k]]

    @cython.cfunc
    @cython.exceptval(check=False)
    def step_back(self) -> cython.void:
        """Go back one step on the path that leads to `at`, `point` in `state`.

        The trace says where it came from. Changes all three.
        """
        trace: cython.int
        if self.state == GAP:
            trace = (self.trace_at(self.at, self.point) >> 4) & 7
            if trace >= 3:
                # A part of a token ends here, which is not a step by itself.
                self.state = PART_FIRST if trace == 3 else PART_SECOND
            elif trace == 0:
                self.go_back(2, 1)
                self.state = (self.trace_at(self.at, self.point) >> 2) & 3
                return
            else:
                self.go_back(1, 1 if trace == 1 else 0)
                self.state = (self.trace_at(self.at, self.point) >> 2) & 3
                return
        if self.state == EQUAL:
            self.go_back(2, 1)
            self.state = self.trace_at(self.at, self.point) & 3
        elif self.state == JUMP_FIRST:
            self.go_back(1, 1)
            trace = self.trace_at(self.at, self.point)
            if not trace & (1 << 8):
                self.state = (trace >> 7) & 1
        elif self.state == JUMP_SECOND:
            self.go_back(1, 0)
            trace = self.trace_at(self.at, self.point)
            if not (trace >> 9) & 3:
                self.state = (trace >> 7) & 1
            elif (trace >> 9) & 3 == 1:
                self.state = JUMP_FIRST
        elif self.state == PART_FIRST:
            self.go_back(1, 1)
            trace = self.trace_at(self.at, self.point)
            if not trace & (1 << 12):
                self.state = (trace >> 2) & 3
        else:
            self.go_back(1, 0)
            trace = self.trace_at(self.at, self.point)
            if not trace & (1 << 13):
                self.state = PART_FIRST if trace & (1 << 11) else (trace >> 2) & 3

    @cython.cfunc
    @cython.exceptval(check=False)
    def go_back(self, antidiagonals: cython.int, points: cython.int) -> cython.void:
        """Move `at` and `point` back by these numbers."""
        self.at -= antidiagonals
        self.point -= points

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_calm(self, drop: cython.int) -> cython.bint:
        """Return whether the best path so far ends in equal characters that earn `drop`."""
        bits: cython.int = 0
        self.at, self.point, self.state = self.best_at, self.best_point, EQUAL
        if self.at <= self.begin:
            return False
        while self.state == EQUAL and self.at > self.begin:
            bits += self.gain[self.point]
            if bits >= drop:
                return True
            self.step_back()
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def lay_path(self) -> cython.void:
        """Write the best path so far into `path_points` and `path_states`, by antidiagonal."""
        k: cython.int
        for k in range(self.best_at - self.begin + 1):
            self.path_points[k] = -1
        self.at, self.point, self.state = self.best_at, self.best_point, EQUAL
        while self.at > self.begin:
            self.path_points[self.at - self.begin] = self.point
            self.path_states[self.at - self.begin] = self.state
            self.step_back()
        self.path_points[0] = self.point
        self.path_states[0] = EQUAL

    @cython.cfunc
    @cython.exceptval(check=False)
    def meet_path(self, d: cython.int, i: cython.int) -> cython.int:
        """Return the antidiagonal where the path to point i of antidiagonal d leaves the path of `lay_path`.

        Antidiagonals are counted from the first one of the extension.
        """
        cython.declare(k=cython.int, state=cython.int)
        # The rows of states are those of antidiagonal d.
        k = i - self.lows[d - self.begin] + 1
        self.at, self.point, self.state = d, i, EQUAL
        for state in range(GAP, PART_FIRST):
            if self.rows[ROW_EQUAL + state, k] > self.rows[ROW_EQUAL + self.state, k]:
                self.state = state
        while self.at > self.begin:
            k = self.at - self.begin
            if (
                self.at <= self.best_at
                and self.path_points[k] == self.point
                and self.path_states[k] == self.state
            ):
                return k
            self.step_back()
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def settle(self, d: cython.int) -> cython.bint:
        """Find the last point that all paths followed have gone through, and settle on it or before it.

        The rows of states are those of antidiagonal d. Returns what `settle_at` does: whether the point is
        behind the difference, so that a new extension can begin there.
        """
        meeting: cython.int
        self.lay_path()
        meeting = min(self.best_at - self.begin, self.meet_path(d, self.low))
        meeting = min(meeting, self.meet_path(d, self.high))
        return self.settle_at(meeting)

    @cython.cfunc
    @cython.exceptval(check=False)
    def settle_at(self, k: cython.int) -> cython.bint:
        """Set `end_at`, `end_point` and `end_state` to a point on the path of `lay_path`.

        The point is at antidiagonal k of the extension or before. It must be after an equal pair that was the
        best so far, so that nothing is lost by beginning anew. In the last half of the path, a point where
        both lines have a sentence boundary is preferred, because a text can be cut there. Returns whether the
        point is behind the difference.
        """
        chosen: cython.int = 0
        i: cython.int
        while self.begin + k > self.difference:
            i = self.path_points[k]
            if i >= 0 and self.path_states[k] == EQUAL and self.records[k] == i:
                if not chosen:
                    chosen = k
                if self.is_sentence_end(i, self.begin + k - i):
                    chosen = k
                    break
            k -= 1
            if chosen and 2 * k < chosen:
                break
        self.end_at = self.begin + chosen
        self.end_point = self.path_points[chosen]
        self.end_state = EQUAL
        return self.end_at > self.difference

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_sentence_end(self, i: cython.int, j: cython.int) -> cython.bint:
        """Return whether both lines have a sentence boundary at (i, j)."""
        return min(self.first_pair[i], self.second_pair[self.m - j]) > TOKEN_PAIR

    @cython.cfunc
    @cython.exceptval(check=False)
    def lay_pieces(self) -> cython.void:
        """Write the pieces of the path that ends at `end_at`, `end_point` into `scratch`, the last one first.

        `end_state` is its last state. A gap is cut where both lines have a token boundary, but not between
        two parts of which one replaces the other.
        """
        n: cython.Py_ssize_t = 0
        kind: cython.int
        last: cython.int = -1
        cython.declare(at=cython.int, i=cython.int, a=cython.int, b=cython.int, cuts=cython.bint)
        self.at, self.point, self.state = self.end_at, self.end_point, self.end_state
        while self.at > self.begin:
            at, i = self.at, self.point
            kind = self.state
            if kind >= PART_FIRST:
                cuts = False
            else:
                cuts = kind != last or (
                    kind == GAP and min(self.first_pair[i], self.second_pair[self.m - at + i]) > 0
                )
            if kind >= PART_FIRST:
                kind = GAP
            self.step_back()
            a = i - self.point
            b = at - self.at - a
            if cuts or n == 0:
                self.scratch[n, 0] = kind
                self.scratch[n, 1] = a
                self.scratch[n, 2] = b
                n += 1
            else:
                self.scratch[n - 1, 1] += a
                self.scratch[n - 1, 2] += b
            last = kind
        self.n_scratch = n

    @cython.cfunc
    @cython.exceptval(check=False)
    def append_pieces(self) -> cython.void:
        """Append the pieces in `scratch` to the path."""
        k: cython.Py_ssize_t
        for k in range(self.n_scratch - 1, -1, -1):
            self.add(min(self.scratch[k, 0], JUMP), self.scratch[k, 1], self.scratch[k, 2])

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_smooth(self) -> cython.bint:
        """Return whether no gap in `scratch` is so large that a jump might cost less.

        A gap may shift the lines by `shift` characters and cost `cost`. Where no jump can begin or end at a
        sentence boundary, it may shift them farther, but must cost less than a jump between tokens.
        """
        cython.declare(k=cython.Py_ssize_t, i=cython.int, j=cython.int, price=cython.int)
        a: cython.int = 0
        b: cython.int = 0
        i, j = self.end_point, self.end_at - self.end_point
        for k in range(self.n_scratch):
            i, j = i - self.scratch[k, 1], j - self.scratch[k, 2]
            if self.scratch[k, 0] == EQUAL:
                a = b = 0
                continue
            a += self.scratch[k, 1]
            b += self.scratch[k, 2]
            price = OPEN + SUBSTITUTED * min(a, b) + ONE_SIDED * abs(a - b)
            if price > self.cost:
                return False
            if abs(a - b) > self.shift and (price > WITHIN_SENTENCE or self.is_near_sentence_end(i, j, a, b)):
                return False
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_near_sentence_end(self, i: cython.int, j: cython.int, a: cython.int, b: cython.int) -> cython.bint:
        """Return whether both lines have a sentence end in or next to a gap of `a` and `b` characters."""
        cython.declare(k=cython.int, in_first=cython.bint, in_second=cython.bint)
        in_first = in_second = False
        for k in range(max(0, i - NEXT_TO), min(self.n, i + a + NEXT_TO) + 1):
            in_first = in_first or self.first_pair[k] > TOKEN_PAIR
        for k in range(max(0, j - NEXT_TO), min(self.m, j + b + NEXT_TO) + 1):
            in_second = in_second or self.second_pair[self.m - k] > TOKEN_PAIR
        return in_first and in_second

    def walk(
        self, i: cython.int, j: cython.int, end_i: cython.int, end_j: cython.int, trusts: cython.bint
    ) -> tuple[int, int, int]:
        """Append the best path from (i, j) to (end_i, end_j) as far as it can be followed.

        Returns ARRIVED, DEAD or DOUBTED, and the point reached. From difference to difference, an extension
        without jumps and with `near_drop` is tried first, and is kept if none of its gaps is too large
        (`is_smooth`); otherwise one with `drop`. DEAD means that this too finds no path. DOUBTED means that the
        text of a difference stands elsewhere as well (`look_up_cy`): `go_on` keeps the path, `give_up` does not.
        With `trusts` no path is doubted.
        """
        self.from_i, self.from_j, self.goal_i, self.goal_j, self.trusts = i, j, end_i, end_j, trusts
        return self.follow()

    def go_on(self) -> tuple[int, int, int]:
        """Agree to the difference last doubted, and continue the walk; returns what `walk` does."""
        if self.look_up.find():
            return DOUBTED, self.from_i, self.from_j
        self.keep()
        if self.status == ARRIVED:
            return ARRIVED, self.from_i, self.from_j
        return self.follow()

    def doubt(self) -> tuple[int, int, int, int]:
        """Return the end of the difference that is doubted, and the point to go back to before it.

        That is the last sentence boundary of both lines in the equal run before the path, or else where the
        path begins.
        """
        length: cython.int = self.skipped
        while length >= 0 and not self.is_sentence_end(self.from_i + length, self.from_j + length):
            length -= 1
        if length < 0:
            length = self.skipped
        return (*self.look_up.end(), self.from_i + length, self.from_j + length)

    def give_up(self, i: cython.int) -> None:
        """Drop the doubted path; append the equal characters up to `i`, where `doubt` goes back to."""
        self.add(EQUAL, i - self.from_i, i - self.from_i)

    @cython.cfunc
    def follow(self) -> tuple[int, int, int]:
        """Walk on from where the walk begins anew; returns what `walk` does."""
        cython.declare(i=cython.int, j=cython.int)
        while True:
            i, j = self.from_i, self.from_j
            self.run = self.count_equal(i, j, self.goal_i, self.goal_j)
            self.stand(i, j, self.run)
            if i + self.run == self.goal_i and j + self.run == self.goal_j:
                self.add(EQUAL, self.run, self.run)
                return ARRIVED, self.goal_i, self.goal_j
            self.status = self.pass_difference(i, j, self.run, self.goal_i, self.goal_j)
            if self.status == DEAD:
                self.add(EQUAL, self.skipped, self.skipped)
                return DEAD, i + self.skipped, j + self.skipped
            self.is_doubted = False
            if not self.trusts:
                self.look_up.begin(
                    self.n_scratch, i + self.skipped, j + self.skipped, self.goal_i, self.goal_j
                )
                self.is_doubted = self.look_up.find()
            if self.is_doubted:
                return DOUBTED, i, j
            self.keep()
            if self.status == ARRIVED:
                return ARRIVED, self.from_i, self.from_j

    @cython.cfunc
    @cython.exceptval(check=False)
    def keep(self) -> cython.void:
        """Append the path in `scratch`; the walk begins anew where it ends."""
        i: cython.int = self.from_i
        j: cython.int = self.from_j
        self.add(EQUAL, self.skipped, self.skipped)
        self.append_pieces()
        self.from_i, self.from_j = self.end_point, self.end_at - self.end_point
        if self.status != ARRIVED and not self.is_doubted:
            self.confirm(i, j, self.run)

    @cython.cfunc
    @cython.exceptval(check=False)
    def pass_difference(
        self, i: cython.int, j: cython.int, run: cython.int, end_i: cython.int, end_j: cython.int
    ) -> cython.int:
        """Extend from (i, j), where `run` equal characters lead to a difference; write the path to `scratch`.

        Returns the status of `extend`. `skipped` is how many of the equal characters come before the path in
        `scratch`.
        """
        status: cython.int
        self.difference = i + j + 2 * run
        self.skipped = run - self.count_back(i + run, run, self.near_drop)
        status = self.extend(
            i + self.skipped, j + self.skipped, end_i, end_j, self.near_drop, FORBIDDEN, self.drop, 32
        )
        if status == SETTLED or (status == ARRIVED and self.best >= self.drop):
            self.lay_pieces()
            if self.is_smooth():
                return status
        self.skipped = run - self.count_back(i + run, run, self.drop)
        status = self.extend(i + self.skipped, j + self.skipped, end_i, end_j, self.drop, JUMP_BEGINS, 1, 128)
        if status != DEAD:
            self.lay_pieces()
        return status

    @cython.cfunc
    @cython.exceptval(check=False)
    def confirm(self, i: cython.int, j: cython.int, run: cython.int) -> cython.void:
        """Record the point that was just settled in `ends` if the text could be cut there.

        Both lines must have a sentence boundary there, and the path to the point from (i, j), where the walk
        began anew before, must be the same if the lines end there.
        """
        end_i: cython.int = self.end_point
        end_j: cython.int = self.end_at - self.end_point
        skipped: cython.int = self.skipped
        n: cython.Py_ssize_t = self.n_scratch
        k: cython.Py_ssize_t
        if len(self.ends) == self.n_ends or not self.is_sentence_end(end_i, end_j):
            return
        # `stand` recorded how far the walk had looked before it passed the difference.
        k = self.n_stands - 1
        if end_i < self.stands[k, 3] or end_j < self.stands[k, 4]:
            return
        self.laid[:n, :] = self.scratch[:n, :]
        if self.pass_difference(i, j, run, end_i, end_j) != ARRIVED:
            return
        if self.n_scratch != n or self.skipped != skipped:
            return
        for k in range(3 * n):
            if self.laid[k // 3, k % 3] != self.scratch[k // 3, k % 3]:
                return
        self.ends[self.n_ends, 0] = end_i
        self.ends[self.n_ends, 1] = end_j
        self.n_ends += 1

    def keep_best(self) -> tuple[int, int]:
        """Append the path to the best point of the last extension; returns that point."""
        self.end_at, self.end_point, self.end_state = self.best_at, self.best_point, EQUAL
        self.lay_pieces()
        self.append_pieces()
        return self.best_point, self.best_at - self.best_point

    @cython.cfunc
    @cython.exceptval(check=False)
    def stand(self, i: cython.int, j: cython.int, run: cython.int) -> cython.void:
        """Record in `stands` that the walk is at (i, j), before `run` equal characters.

        A row has i, j, a length, how far decisions have looked in both lines, and how far the lines must be
        known for them. The walk would go on in the
        same way after any number of equal characters up to this length, since the rest of the run earns
        `drop` bits; the length is 0 if the whole run earns less.
        """
        cython.declare(length=cython.int, known_first=cython.int, known_second=cython.int)
        if self.n_stands == len(self.stands):
            return
        length = run - self.count_back(i + run, run, self.drop)
        self.stands[self.n_stands, 0] = i
        self.stands[self.n_stands, 1] = j
        self.stands[self.n_stands, 2] = length
        self.stands[self.n_stands, 3] = self.seen_first
        self.stands[self.n_stands, 4] = self.seen_second
        known_first, known_second = self.look_up.needed()
        self.stands[self.n_stands, 5] = max(known_first, self.seen_first)
        self.stands[self.n_stands, 6] = max(known_second, self.seen_second)
        self.n_stands += 1
