"""Two lines of characters to runs of equal ones.

Objective, in this order: most equal characters, then fewest runs of them, then fewest edits (a gap of a and b
characters is max(a, b) edits). It is met exactly inside windows; the windows grow from each difference until an
equal run on the best path is long enough to be trusted, so the cost follows the differences, not the length.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython

# A score is one 64-bit number: equal characters, then runs, then edits; windows stay far below 2**19 characters.
EQUAL = cython.declare(cython.longlong, 1 << 40)
RUN = cython.declare(cython.longlong, 1 << 20)
NEVER = cython.declare(cython.longlong, -(1 << 62))

# Equal characters that are worth a stand.
STAND = cython.declare(cython.int, 64)

# A cell's trace: how the gap state got here (two bits), whether an equal pair continues a run, which state is best.
BOTH = cython.declare(cython.int, 0)
FIRST = cython.declare(cython.int, 1)
SECOND = cython.declare(cython.int, 2)
MOVE = cython.declare(cython.int, 3)
CONTINUES = cython.declare(cython.int, 4)
IN_RUN = cython.declare(cython.int, 8)


def is_compiled() -> bool:
    """Whether this module runs as compiled code."""
    return cython.compiled


@cython.cfunc
@cython.exceptval(check=False)
def next_row(
    code: cython.int,
    others: cython.int[::1],
    was_run: cython.longlong[::1],
    was_gap: cython.longlong[::1],
    run_row: cython.longlong[::1],
    gap_row: cython.longlong[::1],
    marks: cython.uchar[::1],
) -> cython.void:
    """Scores and traces of the row after character `code` of the first line.

    A function of slices, not a method: the compiler then knows that a mark written changes no address read.
    """
    m: cython.Py_ssize_t = others.shape[0]
    y: cython.Py_ssize_t
    mark: cython.int
    run: cython.longlong
    gap: cython.longlong
    corner_run: cython.longlong = was_run[0]
    corner_gap: cython.longlong = was_gap[0]
    corner: cython.longlong = max(corner_run, corner_gap)
    above_run: cython.longlong
    above_gap: cython.longlong
    above: cython.longlong
    left: cython.longlong = corner - 1
    run_row[0] = NEVER
    gap_row[0] = left
    marks[0] = FIRST
    for y in range(1, m + 1):
        run = NEVER
        mark = 0
        if code == others[y - 1]:
            mark = CONTINUES if corner_run >= corner_gap - RUN else 0
            run = max(corner_run, corner_gap - RUN) + EQUAL
        above_run = was_run[y]
        above_gap = was_gap[y]
        above = max(above_run, above_gap)
        gap = corner
        if above > gap:
            gap = above
            mark |= FIRST
            if left > gap:
                gap = left
                mark ^= MOVE
        elif left > gap:
            gap = left
            mark |= SECOND
        gap -= 1
        corner = above
        corner_run = above_run
        corner_gap = above_gap
        if run >= gap:
            mark |= IN_RUN
            left = run
        else:
            left = gap
        run_row[y] = run
        gap_row[y] = gap
        marks[y] = mark


@cython.cclass
class LineAligner:
    """Runs of equal characters of two lines, found window by window.

    Requires codes of characters as 32-bit integers; `runs` has room for (start in first, start in second, length)
    rows, one more than the shorter line has characters. `rows` is 4 by (side + 1) and `trace` (side + 1) by (side + 1)
    where `side` bounds a window's sides (`fill` needs more than `walk`; see there). `stands` has room for as many rows
    as there are to be kept of where the walk stood before at least STAND equal characters: the positions, how many are
    equal, and how far in each line any decision had looked before.
    """

    first: cython.int[::1]
    second: cython.int[::1]
    runs: cython.int[:, ::1]
    n_runs: cython.Py_ssize_t
    window_runs: cython.int[:, ::1]
    n_window: cython.Py_ssize_t
    rows: cython.longlong[:, ::1]
    trace: cython.uchar[::1]
    stands: cython.int[:, ::1]
    n_stands: cython.Py_ssize_t
    seen_first: cython.int
    seen_second: cython.int

    def __init__(
        self,
        first: cython.int[::1],
        second: cython.int[::1],
        runs: cython.int[:, ::1],
        window_runs: cython.int[:, ::1],
        rows: cython.longlong[:, ::1],
        trace: cython.uchar[::1],
        stands: cython.int[:, ::1],
    ) -> None:
        self.first = first
        self.second = second
        self.runs = runs
        self.n_runs = 0
        self.window_runs = window_runs
        self.n_window = 0
        self.rows = rows
        self.trace = trace
        self.stands = stands
        self.n_stands = 0
        self.seen_first = 0
        self.seen_second = 0

    def count(self) -> int:
        """Runs found so far."""
        return self.n_runs

    def count_stands(self) -> int:
        """Stands kept so far."""
        return self.n_stands

    @cython.ccall
    def see(self, i: cython.int, j: cython.int) -> cython.void:
        """A decision has looked at the lines up to (i, j)."""
        self.seen_first = max(self.seen_first, i)
        self.seen_second = max(self.seen_second, j)

    @cython.cfunc
    @cython.exceptval(check=False)
    def stand(self, i: cython.int, j: cython.int, length: cython.int) -> cython.void:
        """Keep that the walk stands at (i, j) before so many equal characters."""
        if length < STAND or self.n_stands == len(self.stands):
            return
        self.stands[self.n_stands, 0] = i
        self.stands[self.n_stands, 1] = j
        self.stands[self.n_stands, 2] = length
        self.stands[self.n_stands, 3] = self.seen_first
        self.stands[self.n_stands, 4] = self.seen_second
        self.n_stands += 1

    @cython.ccall
    def add_run(self, i: cython.int, j: cython.int, length: cython.int) -> cython.void:
        """Append a run, or lengthen the last one where it goes on."""
        if length <= 0:
            return
        k: cython.Py_ssize_t = self.n_runs - 1
        if k >= 0 and self.runs[k, 0] + self.runs[k, 2] == i and self.runs[k, 1] + self.runs[k, 2] == j:
            self.runs[k, 2] += length
            return
        self.runs[self.n_runs, 0] = i
        self.runs[self.n_runs, 1] = j
        self.runs[self.n_runs, 2] = length
        self.n_runs += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def equal_length(self, i: cython.int, j: cython.int) -> cython.int:
        """How many characters are equal from (i, j) on."""
        most: cython.int = min(len(self.first) - i, len(self.second) - j)
        length: cython.int = 0
        while length < most and self.first[i + length] == self.second[j + length]:
            length += 1
        return length

    def walk(
        self,
        i: cython.int,
        j: cython.int,
        smallest: cython.int,
        largest: cython.int,
        back: cython.int,
        solid: cython.int,
    ) -> tuple[bool, int, int]:
        """Align from (i, j) on until both lines end (True) or no window can be trusted (False); where it stopped.

        Windows of `smallest` characters, reopened `back` characters before the difference, are doubled up to
        `largest` until the best path through them has a run of `solid` characters. Requires back < solid.
        """
        n: cython.int = len(self.first)
        m: cython.int = len(self.second)
        length: cython.int
        behind: cython.int
        size: cython.int
        k: cython.Py_ssize_t
        whole: cython.bint
        while True:
            length = self.equal_length(i, j)
            self.stand(i, j, length)
            if i + length == n or j + length == m:
                self.add_run(i, j, length)
                return True, i + length, j + length
            behind = min(length, back)
            self.add_run(i, j, length - behind)
            i += length - behind
            j += length - behind
            size = smallest
            while True:
                whole = i + size >= n and j + size >= m
                # A run that the window reopens whole is not yet one.
                self.see(i + min(n - i, size), j + min(m - j, size))
                self.solve(i, min(n - i, size), j, min(m - j, size), behind < length, whole, False)
                if whole:
                    self.commit(i, j, self.n_window)
                    return True, n, m
                k = self.last_solid(solid)
                if k >= 0 or size >= largest:
                    break
                size = min(size * 2, largest)
            if k < 0:
                k = self.last_early(i, j, size)
                if k <= 0:
                    # Nothing here can be trusted: the caller looks further away.
                    self.add_run(i, j, behind)
                    return False, i + behind, j + behind
            self.commit(i, j, k)
            length = self.window_runs[k, 0]
            j += self.window_runs[k, 1]
            i += length

    def fill(
        self,
        i: cython.int,
        n: cython.int,
        j: cython.int,
        m: cython.int,
        in_run: cython.bint,
        joins: cython.bint,
    ) -> None:
        """Align first[i:i + n] with second[j:j + m] exactly, after a run if `in_run`, before one if `joins`.

        Needs room for n by m cells.
        """
        self.solve(i, n, j, m, in_run, True, joins)
        self.commit(i, j, self.n_window)

    @cython.cfunc
    @cython.exceptval(check=False)
    def commit(self, i: cython.int, j: cython.int, many: cython.Py_ssize_t) -> cython.void:
        """Keep the first runs of the window at (i, j)."""
        k: cython.Py_ssize_t
        for k in range(many):
            self.add_run(i + self.window_runs[k, 0], j + self.window_runs[k, 1], self.window_runs[k, 2])

    @cython.cfunc
    @cython.exceptval(check=False)
    def last_solid(self, solid: cython.int) -> cython.Py_ssize_t:
        """The last run of the window that can be trusted, or -1.

        It has `solid` characters, two more for each that both sides lost before it, and one more (up to three times
        `solid` in all) for each that one side lost: in repeated text a false meeting costs little, but does not last.
        """
        k: cython.Py_ssize_t
        equal: cython.int = 0
        less: cython.int
        more: cython.int
        last: cython.Py_ssize_t = -1
        for k in range(self.n_window):
            less = min(self.window_runs[k, 0], self.window_runs[k, 1]) - equal
            more = max(self.window_runs[k, 0], self.window_runs[k, 1]) - equal
            if self.window_runs[k, 2] >= solid + 2 * less + min(more - less, 2 * solid):
                last = k
            equal += self.window_runs[k, 2]
        return last

    @cython.cfunc
    @cython.exceptval(check=False)
    def last_early(self, i: cython.int, j: cython.int, size: cython.int) -> cython.Py_ssize_t:
        """The last run that starts in the first three quarters of a window that matches in half of them, else -1.

        A match counts in runs of three characters or more: scattered ones are what any two texts share.
        """
        k: cython.Py_ssize_t
        limit: cython.int = size * 3 // 4
        kept: cython.int = 0
        last: cython.Py_ssize_t = -1
        for k in range(self.n_window):
            if self.window_runs[k, 0] >= limit or self.window_runs[k, 1] >= limit:
                break
            last = k
            if self.window_runs[k, 2] >= 3:
                kept += self.window_runs[k, 2]
        return last if last >= 0 and 2 * kept >= limit else -1

    @cython.cfunc
    @cython.exceptval(check=False)
    def solve(
        self,
        i: cython.int,
        n: cython.int,
        j: cython.int,
        m: cython.int,
        in_run: cython.bint,
        whole: cython.bint,
        joins: cython.bint,
    ) -> cython.void:
        """The best path through first[i:i + n] by second[j:j + m], into `window_runs`.

        It starts at the corner, inside a run if `in_run`; it ends at the other corner if `whole`, where a run
        goes on if `joins`, else anywhere on the two far edges. Fills two scores per cell: the best that ends in an
        equal pair, and the best that does not.
        """
        x: cython.int
        y: cython.int
        end_x: cython.int = n
        end_y: cython.int = m
        best: cython.longlong
        edge: cython.longlong = NEVER
        width: cython.Py_ssize_t = m + 1
        was: cython.int
        now: cython.int
        self.start_rows(m, in_run)
        for x in range(n + 1):
            if x:
                was, now = ((x - 1) % 2) * 2, (x % 2) * 2
                next_row(
                    self.first[i + x - 1],
                    self.second[j : j + m],
                    self.rows[was],
                    self.rows[was + 1],
                    self.rows[now],
                    self.rows[now + 1],
                    self.trace[x * width : (x + 1) * width],
                )
            if not whole and x < n:
                # The far edge of the second line.
                best = max(self.rows[(x % 2) * 2, m], self.rows[(x % 2) * 2 + 1, m])
                if best > edge:
                    edge, end_x, end_y = best, x, m
        if not whole:
            for y in range(m + 1):
                best = max(self.rows[(n % 2) * 2, y], self.rows[(n % 2) * 2 + 1, y])
                if best >= edge:
                    edge, end_x, end_y = best, n, y
        elif joins and self.rows[(n % 2) * 2, m] + RUN >= self.rows[(n % 2) * 2 + 1, m]:
            self.trace[n * width + m] |= IN_RUN
        self.trace_back(end_x, end_y, width)

    @cython.cfunc
    @cython.exceptval(check=False)
    def start_rows(self, m: cython.int, in_run: cython.bint) -> cython.void:
        """The row before the first character: nothing matched, the second line's characters are edits."""
        y: cython.int
        self.rows[0, 0] = 0 if in_run else NEVER
        self.rows[1, 0] = NEVER if in_run else 0
        self.trace[0] = IN_RUN if in_run else 0
        for y in range(1, m + 1):
            self.rows[0, y] = NEVER
            self.rows[1, y] = -y
            self.trace[y] = SECOND

    @cython.cfunc
    @cython.exceptval(check=False)
    def trace_back(self, x: cython.int, y: cython.int, width: cython.Py_ssize_t) -> cython.void:
        """Read the runs of the best path that ends at (x, y), in order."""
        mark: cython.int = self.trace[x * width + y]
        in_run: cython.bint = mark & IN_RUN
        length: cython.int = 0
        low: cython.Py_ssize_t = 0
        high: cython.Py_ssize_t
        k: cython.int
        swap: cython.int
        self.n_window = 0
        while x or y:
            if in_run:
                x -= 1
                y -= 1
                length += 1
                in_run = mark & CONTINUES
                mark = self.trace[x * width + y]
                if not in_run or not (x or y):
                    self.window_runs[self.n_window, 0] = x
                    self.window_runs[self.n_window, 1] = y
                    self.window_runs[self.n_window, 2] = length
                    self.n_window += 1
                    length = 0
                continue
            if mark & MOVE != SECOND:
                x -= 1
            if mark & MOVE != FIRST:
                y -= 1
            mark = self.trace[x * width + y]
            in_run = mark & IN_RUN
        high = self.n_window - 1
        while low < high:
            for k in range(3):
                swap = self.window_runs[low, k]
                self.window_runs[low, k] = self.window_runs[high, k]
                self.window_runs[high, k] = swap
            low += 1
            high -= 1
