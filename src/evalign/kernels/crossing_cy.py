"""Brackets of one side that cross a bracket of the other: that overlap with it in part."""

from __future__ import annotations

from evalign.kernels import buffers
from evalign.kernels.nesting_cy import mark_crossing

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.kernels.parseval_cy import Side

# As in `parseval_cy`: a constant of C cannot be imported from there.
FREE = cython.declare(cython.int, 0)
MATCHED = cython.declare(cython.int, 1)
LEFT_OUT = cython.declare(cython.int, 5)


def is_compiled() -> bool:
    """Whether this module runs as compiled code."""
    return cython.compiled


def codes() -> dict[str, int]:
    """The numbers by name."""
    return {"FREE": FREE, "MATCHED": MATCHED, "LEFT_OUT": LEFT_OUT}


@cython.cfunc
@cython.exceptval(check=False)
def crosses_any(
    start: cython.int,
    end: cython.int,
    starts: cython.int[::1],
    ends: cython.int[::1],
    results: cython.uchar[::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a bracket crosses one of those from first to last, without the last."""
    k: cython.Py_ssize_t
    for k in range(first, last):
        if results[k] != LEFT_OUT:
            if starts[k] < start:
                if start < ends[k] and ends[k] < end:
                    return True
            elif start < starts[k] and starts[k] < end < ends[k]:
                return True
    return False


@cython.final
@cython.cclass
class Crossing:
    """Counts crossing brackets: one by one where they are few, else by a walk along the sentence."""

    patience: cython.Py_ssize_t
    gold_starts: cython.int[::1]
    gold_ends: cython.int[::1]
    starts: cython.int[::1]
    ends: cython.int[::1]
    inner_starts: cython.int[::1]
    inner_ends: cython.int[::1]
    stack: cython.int[::1]
    crossing: cython.uchar[::1]

    def __init__(self, room: int, patience: int = 4) -> None:
        self.patience = patience  # how many comparisons are as good as one step of the walk
        self.gold_starts, self.gold_ends = buffers.ints(room), buffers.ints(room)
        self.starts, self.ends = buffers.ints(room), buffers.ints(room)
        self.inner_starts, self.inner_ends = buffers.ints(room + 1), buffers.ints(room + 1)
        self.stack, self.crossing = buffers.ints(room), buffers.flags(room)

    def count(self, gold: Side, test: Side, n: cython.Py_ssize_t, counts: cython.int[:, ::1]) -> None:
        """Fill the sixth column of the first n rows of counts: test brackets that cross a gold bracket, each once.

        The seventh has the number of words, which both sides share, or 0 where the sentences are not compared.
        The ninth is 0 where every bracket is closed: gold's nest then, and a bracket that is equal to one of them
        crosses none. Where quotes were put back, one that is never closed may cross others of its own side; such a
        sentence takes the square of its brackets, all others linear time. Requires room for the words and for the
        brackets, and starts that never fall from one bracket to the next.
        """
        k: cython.Py_ssize_t
        j: cython.Py_ssize_t
        n_left: cython.Py_ssize_t
        nests: cython.bint
        cuts: cython.int[::1] = test.cuts
        starts: cython.int[::1] = test.starts
        ends: cython.int[::1] = test.ends
        results: cython.uchar[::1] = test.results
        gold_cuts: cython.int[::1] = gold.cuts
        gold_starts: cython.int[::1] = gold.starts
        gold_ends: cython.int[::1] = gold.ends
        gold_results: cython.uchar[::1] = gold.results
        for k in range(n):
            n_left = 0
            nests = counts[k, 8] == 0 or self.do_nest(gold, k)
            for j in range(cuts[k], cuts[k + 1]):
                n_left += results[j] == FREE or (results[j] == MATCHED and not nests)
            j = gold_cuts[k + 1] - gold_cuts[k]
            if nests and n_left * j > self.patience * (counts[k, 6] + j):
                counts[k, 5] += self.walk(gold, test, k, counts[k, 6])
                continue
            for j in range(cuts[k], cuts[k + 1] if n_left else 0):
                if results[j] == FREE or (results[j] == MATCHED and not nests):
                    counts[k, 5] += crosses_any(
                        starts[j],
                        ends[j],
                        gold_starts,
                        gold_ends,
                        gold_results,
                        gold_cuts[k],
                        gold_cuts[k + 1],
                    )

    @cython.cfunc
    @cython.exceptval(-1)
    def do_nest(self, gold: Side, k: cython.Py_ssize_t) -> cython.bint:
        """Whether no gold bracket of sentence k crosses another, and each comes before those in it."""
        i: cython.Py_ssize_t
        depth: cython.Py_ssize_t = 0
        n: cython.Py_ssize_t = choose(
            gold.starts, gold.ends, gold.results, gold.cuts, k, True, self.gold_starts, self.gold_ends
        )
        for i in range(n):
            while depth and self.gold_ends[self.stack[depth - 1]] <= self.gold_starts[i]:
                depth -= 1
            if depth and self.gold_ends[self.stack[depth - 1]] < self.gold_ends[i]:
                return False
            self.stack[depth] = cython.cast(cython.int, i)
            depth += 1
        return True

    @cython.cfunc
    @cython.exceptval(-1)
    def walk(self, gold: Side, test: Side, k: cython.Py_ssize_t, n_words: cython.int) -> cython.int:
        """The number for one long sentence; gold's brackets nest."""
        n_gold: cython.Py_ssize_t = choose(
            gold.starts, gold.ends, gold.results, gold.cuts, k, True, self.gold_starts, self.gold_ends
        )
        n_test: cython.Py_ssize_t = choose(
            test.starts, test.ends, test.results, test.cuts, k, False, self.starts, self.ends
        )
        found: cython.int = mark_crossing(
            self.gold_starts[:n_gold],
            self.gold_ends[:n_gold],
            self.starts[:n_test],
            self.ends[:n_test],
            self.inner_starts[: n_words + 1],
            self.inner_ends[: n_words + 1],
            self.stack[:n_gold],
            self.crossing[:n_test],
        )
        return found


@cython.cfunc
@cython.exceptval(check=False)
def choose(
    starts: cython.int[::1],
    ends: cython.int[::1],
    results: cython.uchar[::1],
    cuts: cython.int[::1],
    k: cython.Py_ssize_t,
    is_gold: cython.bint,
    chosen_starts: cython.int[::1],
    chosen_ends: cython.int[::1],
) -> cython.Py_ssize_t:
    """Copy the brackets of sentence k that count: gold's that are not left out, the test's without a partner.

    One that ends where it starts, or before, crosses nothing.
    """
    n: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t
    for j in range(cuts[k], cuts[k + 1]):
        if starts[j] < ends[j] and (results[j] != LEFT_OUT if is_gold else results[j] == FREE):
            chosen_starts[n] = starts[j]
            chosen_ends[n] = ends[j]
            n += 1
    return n
