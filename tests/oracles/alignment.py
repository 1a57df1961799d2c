"""Character alignment of two lines by a full table (segmentation rules, section 5, rules 1 and 2).

For short texts: time and memory grow with the product of the lengths.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

Score = tuple[int, int, int]


class Run(NamedTuple):
    """A maximal stretch of equal characters: where it starts on each side, and its length."""

    left: int
    right: int
    length: int


def fold(character: str) -> str:
    """Compatibility decomposition, no marks, lower case (rule 1), of one character.

    May be several characters, which are then compared as one. A character that
    is a mark and nothing else stays as it is, so that it equals only itself.
    """
    decomposed = unicodedata.normalize("NFKD", character)
    kept = "".join(part for part in decomposed if not unicodedata.category(part).startswith("M"))
    return kept.lower() or character


def fold_line(line: Sequence[str]) -> tuple[str, ...]:
    """Each character of a line, folded."""
    return tuple(fold(character) for character in line)


def add(*scores: Score) -> Score:
    """Sum of costs. A cost is (minus equal characters, runs, edits); less is better."""
    return sum(s[0] for s in scores), sum(s[1] for s in scores), sum(s[2] for s in scores)


class Table:
    """Least cost of aligning what is left of both lines, from every pair of positions.

    `fresh`: nothing is known of what came before. `inside`: the characters before
    were an equal pair. `after`: a run has just ended, so a gap or the end follows.
    A gap of a and b characters takes max(a, b) steps, each past one character of
    either side or of both.
    """

    def __init__(self, left: Sequence[str], right: Sequence[str]) -> None:
        """Fill the table from the end."""
        self.left, self.right = left, right
        self.fresh: dict[tuple[int, int], Score] = {}
        self.inside: dict[tuple[int, int], Score] = {}
        self.after: dict[tuple[int, int], Score] = {}
        for i in reversed(range(len(left) + 1)):
            for j in reversed(range(len(right) + 1)):
                self._fill(i, j)

    def _fill(self, i: int, j: int) -> None:
        steps = [(i + 1, j), (i, j + 1), (i + 1, j + 1)]
        costs = [add((0, 0, 1), self.fresh[step]) for step in steps if step in self.fresh]
        self.after[i, j] = min(costs, default=(0, 0, 0))
        self.fresh[i, j] = self.inside[i, j] = self.after[i, j]
        if self.is_equal(i, j):
            taken = add((-1, 0, 0), self.inside[i + 1, j + 1])
            self.inside[i, j] = min(self.after[i, j], taken)
            self.fresh[i, j] = min(self.after[i, j], add((0, 1, 0), taken))

    def is_equal(self, i: int, j: int) -> bool:
        """Whether both lines have a character here, and the same one."""
        return i < len(self.left) and j < len(self.right) and self.left[i] == self.right[j]


def optimal_score(left: Sequence[str], right: Sequence[str]) -> Score:
    """The best (equal characters, runs, edits) of any alignment of two strings (rule 2).

    Most equal folded characters; then fewest runs of them, where the ends of the
    document are not runs; then fewest edits, where a gap with a characters on
    one side and b on the other costs max(a, b).
    """
    equal, runs, edits = Table(fold_line(left), fold_line(right)).fresh[0, 0]
    return -equal, runs, edits


def score_of(runs: Sequence[Run], left: int, right: int) -> Score:
    """The (equal characters, runs, edits) of an alignment of lines of these lengths."""
    edits = i = j = 0
    for run in runs:
        edits += max(run.left - i, run.right - j)
        i, j = run.left + run.length, run.right + run.length
    return sum(run.length for run in runs), len(runs), edits + max(left - i, right - j)


def optimal_alignments(left: Sequence[str], right: Sequence[str]) -> Iterator[list[Run]]:
    """All best alignments of two folded lines, in lexicographic order of their pairs of positions."""
    table = Table(left, right)
    yield from _continue(table, 0, 0, table.fresh[0, 0])


def _continue(table: Table, i: int, j: int, cost: Score) -> Iterator[list[Run]]:
    """All ways to go on from (i, j), where a run has just ended or nothing has begun, at this cost."""
    n, m = len(table.left), len(table.right)
    if cost == (0, 0, max(n - i, m - j)):
        yield []
        return
    for i2 in range(i, n):
        for j2 in range(j, m):
            gap = max(i2 - i, j2 - j)
            if (gap or i == j == 0) and table.is_equal(i2, j2):
                yield from _take_run(table, i2, j2, add(cost, (0, -1, -gap)))


def _take_run(table: Table, i: int, j: int, cost: Score) -> Iterator[list[Run]]:
    """All ways to spend this cost on a run that starts at (i, j), longest first, and on what follows."""
    length = 0
    while table.is_equal(i + length, j + length):
        length += 1
    for taken in range(length, 0, -1):
        rest = add(cost, (taken, 0, 0))
        if table.after[i + taken, j + taken] == rest:
            for runs in _continue(table, i + taken, j + taken, rest):
                yield [Run(i, j, taken), *runs]
