"""Sums of integer rows by key, in little memory: rows with the same key are added as they come.

`evidence_sum` keeps counts by unit and label, or by unit and hash of a form, in these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import numpy as np

from evalign.document import IntArray
from evalign.metrics.comparison import CountTable
from evalign.metrics.errors.sentence_groups import GroupedCounts

Keys: TypeAlias = list[IntArray]
"""Columns of numbers, one entry per row; the numbers of a row together are its key."""

# At least this many rows are collected before they are added to the sums.
_FEWEST_WAITING = 1 << 16
# Number of columns that are summed at a time.
_COLUMNS = 16


def add_up(keys: Sequence[IntArray], rows: IntArray) -> tuple[Keys, CountTable, IntArray]:
    """Sum the rows of each key.

    Returns the distinct keys, ascending, their sums, and the index of each one's first row.
    """
    distinct, order, starts = _find_different(keys)
    return distinct, _sum(rows, order, starts), order[starts]


def _find_different(keys: Sequence[IntArray]) -> tuple[Keys, IntArray, IntArray]:
    """Sort keys.

    Returns the distinct keys, ascending, the stable order of rows by key, and each key's start in it.
    """
    order = np.lexsort([*keys][::-1])
    ordered = [column[order] for column in keys]
    first = np.ones(len(order), bool)
    first[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in ordered])
    starts = np.flatnonzero(first)
    return [column[starts] for column in ordered], order, starts


def _sum(rows: IntArray, order: IntArray, starts: IntArray) -> CountTable:
    if not len(starts):
        return np.zeros((0, rows.shape[1]), np.int64)
    return np.add.reduceat(rows[order], starts, axis=0, dtype=np.int64)


def _sum_narrow(rows: IntArray, order: IntArray, starts: IntArray) -> IntArray:
    """Sum the rows of each key into small integers.

    A few columns are summed at a time, as sums in 64 bits take up to four times the memory of the result.
    """
    width = rows.shape[1]
    blocks = [_narrow(_sum(rows[:, k : k + _COLUMNS], order, starts)) for k in range(0, width, _COLUMNS)]
    return np.concatenate(blocks, axis=1) if blocks else np.zeros((len(starts), 0), np.uint16)


def _narrow(rows: IntArray) -> IntArray:
    """Convert rows to the smallest integer type that holds them; most counts of a unit fit into 16 bits."""
    largest = rows.max(initial=0)
    kind = next((kind for kind in (np.uint16, np.uint32) if largest <= np.iinfo(kind).max), np.int64)
    return rows.astype(kind)


class RowSums:
    """Sums of rows by key: a key is `n_keys` numbers, a row is `width` integers.

    With `most`, at most that many keys are kept: the ones that were added first.
    """

    def __init__(self, n_keys: int, width: int, most: int | None = None) -> None:
        self._keys: Keys = [np.zeros(0, np.int64) for _ in range(n_keys)]
        self._rows: IntArray = np.zeros((0, width), np.uint16)
        self._most = most
        self._seen: IntArray = np.zeros(0, np.int64)
        self._n_seen = 0
        self._waiting: list[tuple[Keys, IntArray]] = []
        self._n_waiting = 0

    def __len__(self) -> int:
        """Number of distinct keys."""
        self._settle()
        return len(self._rows)

    @property
    def size(self) -> int:
        """An upper bound of the number of distinct keys, known without summing."""
        return len(self._rows) + self._n_waiting

    def add(self, keys: Sequence[IntArray], rows: IntArray) -> None:
        """Add rows to those with the same keys. Rows are collected and summed when there are many."""
        self._waiting.append(([*keys], _narrow(rows)))
        self._n_waiting += len(rows)
        if self._n_waiting > max(_FEWEST_WAITING, len(self._rows) // 2):
            self._settle()

    def rows(self) -> tuple[Keys, IntArray]:
        """Return the distinct keys, ascending, and the sum of the rows of each (of any integer type)."""
        self._settle()
        return self._keys, self._rows

    def change(self, change: Callable[[Keys], Keys]) -> None:
        """Replace all keys by `change(keys)`, and add up rows whose keys become equal."""
        self._settle()
        self._put(change(self._keys), self._rows, self._seen)

    def choose_columns(self, chosen: Sequence[int]) -> None:
        """Keep only the `chosen` integers of each row, by index."""
        self._settle()
        self._rows = self._rows[:, chosen]

    def _settle(self) -> None:
        """Sum the collected rows."""
        if not self._waiting:
            return
        keys = [
            np.concatenate(column) for column in zip(self._keys, *(k for k, _ in self._waiting), strict=True)
        ]
        rows = np.concatenate([self._rows, *(rows for _, rows in self._waiting)])
        seen = np.append(self._seen, self._n_seen + np.arange(self._n_waiting))
        self._n_seen += self._n_waiting
        self._waiting, self._n_waiting = [], 0
        self._put(keys, rows, seen)

    def _put(self, keys: Sequence[IntArray], rows: IntArray, seen: IntArray) -> None:
        """Replace all sums by those of `rows`; `seen` numbers rows as they came, to keep the first keys."""
        self._keys, order, starts = _find_different(keys)
        self._rows, self._seen = _sum_narrow(rows, order, starts), seen[order[starts]]
        if self._most is not None and len(self._rows) > self._most:
            last = np.partition(self._seen, self._most - 1)[self._most - 1]
            left = self._seen <= last
            self._keys = [column[left] for column in self._keys]
            self._rows, self._seen = self._rows[left], self._seen[left]


class GroupSums:
    """A sum of the `GroupedCounts` of parts, by unit and group.

    Groups are matched by name, as each part numbers its own.
    """

    def __init__(self, first: GroupedCounts) -> None:
        self._widths = {metric: table.shape[1] for metric, table in first.tables.items()}
        self._names: dict[str, int] = {}
        self._sums = RowSums(2, sum(self._widths.values()))
        self.source, self.left_out = first.source, first.left_out

    def add(self, grouped: GroupedCounts, units: IntArray) -> None:
        """Add the counts of a part; `units` has, per unit of the part, its number in the whole text."""
        self._forget(metric for metric in self._widths if metric not in grouped.tables)
        numbers = np.array(
            [self._names.setdefault(name, len(self._names)) for name in grouped.names], np.int64
        )
        tables = [grouped.tables[metric] for metric in self._widths]
        rows = np.concatenate(tables, axis=1) if tables else np.zeros((len(grouped.units), 0), np.int64)
        self._sums.add([units[grouped.units], numbers[grouped.groups]], rows)

    def _forget(self, metrics: Iterable[str]) -> None:
        """Drop the given metrics: the whole text does not have a metric that some part lacks."""
        lost = set(metrics)
        if lost:
            columns = np.repeat([metric not in lost for metric in self._widths], [*self._widths.values()])
            self._sums.choose_columns(np.flatnonzero(columns).tolist())
            self._widths = {metric: width for metric, width in self._widths.items() if metric not in lost}

    def change_units(self, change: Callable[[IntArray], IntArray]) -> None:
        """Renumber the units by `change`, from old numbers to new ones."""
        self._sums.change(lambda keys: [change(keys[0]), keys[1]])

    @property
    def names(self) -> Sequence[str]:
        """Names of the groups, in order of first appearance."""
        return list(self._names)

    def totals(self) -> dict[str, list[int]]:
        """Return the counts of each group over all units, all metrics in one row."""
        keys, rows = self._sums.rows()
        numbers, sums, _ = add_up(keys[1:], rows)
        names = self.names
        return {names[k]: row for k, row in zip(numbers[0].tolist(), sums.tolist(), strict=True)}

    def grouped(self, names: Sequence[str]) -> GroupedCounts:
        """Return all counts, sorted by unit and then by group in the order of `names`."""
        (units, numbers), rows = self._sums.rows()
        ranks = {name: rank for rank, name in enumerate(names)}
        groups = np.array([ranks[name] for name in self._names] or [0], np.int64)[numbers]
        order = np.lexsort([groups, units])
        ends = np.cumsum([*self._widths.values()]).tolist()
        tables = {
            metric: rows[order, end - width : end].astype(np.int64)
            for (metric, width), end in zip(self._widths.items(), ends, strict=True)
        }
        return GroupedCounts(names, units[order], groups[order], tables, self.source, self.left_out)
