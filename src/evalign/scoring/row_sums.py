"""Rows of integers added up under keys, as they come, in little room."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import numpy as np

from evalign.document import IntArray
from evalign.metrics import CountTable
from evalign.metrics.errors import GroupedCounts

Keys: TypeAlias = list[IntArray]
"""Columns of numbers that are a key together."""

# Rows that wait until they are added to the others, at least.
_FEWEST_WAITING = 1 << 16
# Columns that are added up at once.
_COLUMNS = 16


def add_up(keys: Sequence[IntArray], rows: IntArray) -> tuple[Keys, CountTable, IntArray]:
    """The different keys, ascending, the sum of the rows of each, and the first row that each is of."""
    distinct, order, starts = _find_different(keys)
    return distinct, _sum(rows, order, starts), order[starts]


def _find_different(keys: Sequence[IntArray]) -> tuple[Keys, IntArray, IntArray]:
    """The different keys, ascending, an order that brings equal ones together, and where each begins in it."""
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
    """The same in small integers; a few columns at a time, for wide ones take four times the room."""
    width = rows.shape[1]
    blocks = [_narrow(_sum(rows[:, k : k + _COLUMNS], order, starts)) for k in range(0, width, _COLUMNS)]
    return np.concatenate(blocks, axis=1) if blocks else np.zeros((len(starts), 0), np.uint16)


def _narrow(rows: IntArray) -> IntArray:
    """The same in the smallest integers that hold them: most counts of a unit are small."""
    largest = rows.max(initial=0)
    kind = next((kind for kind in (np.uint16, np.uint32) if largest <= np.iinfo(kind).max), np.int64)
    return rows.astype(kind)


class RowSums:
    """Rows under keys of one or several numbers, of which those that come first are kept if there may be only so many."""

    def __init__(self, n_keys: int, width: int, most: int | None = None) -> None:
        self._keys: Keys = [np.zeros(0, np.int64) for _ in range(n_keys)]
        self._rows: IntArray = np.zeros((0, width), np.uint16)
        self._most = most
        self._seen: IntArray = np.zeros(0, np.int64)
        self._n_seen = 0
        self._waiting: list[tuple[Keys, IntArray]] = []
        self._n_waiting = 0

    def __len__(self) -> int:
        """How many different keys there are."""
        self._settle()
        return len(self._rows)

    @property
    def size(self) -> int:
        """At most so many different keys there are, which is known at once."""
        return len(self._rows) + self._n_waiting

    def add(self, keys: Sequence[IntArray], rows: IntArray) -> None:
        """Add rows to those of the same keys; they are not looked at until there are many."""
        self._waiting.append(([*keys], _narrow(rows)))
        self._n_waiting += len(rows)
        if self._n_waiting > max(_FEWEST_WAITING, len(self._rows) // 2):
            self._settle()

    def rows(self) -> tuple[Keys, IntArray]:
        """The different keys, ascending, and the sum of the rows of each, in integers that may be small."""
        self._settle()
        return self._keys, self._rows

    def change(self, change: Callable[[Keys], Keys]) -> None:
        """Other keys; rows whose keys become the same are added up."""
        self._settle()
        self._put(change(self._keys), self._rows, self._seen)

    def choose_columns(self, chosen: Sequence[int]) -> None:
        """Some of the integers of each row."""
        self._settle()
        self._rows = self._rows[:, chosen]

    def _settle(self) -> None:
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
        """All rows, those of equal keys added up."""
        self._keys, order, starts = _find_different(keys)
        self._rows, self._seen = _sum_narrow(rows, order, starts), seen[order[starts]]
        if self._most is not None and len(self._rows) > self._most:
            last = np.partition(self._seen, self._most - 1)[self._most - 1]
            left = self._seen <= last
            self._keys = [column[left] for column in self._keys]
            self._rows, self._seen = self._rows[left], self._seen[left]


class GroupSums:
    """Counts by unit and group of parts whose groups have names of their own."""

    def __init__(self, first: GroupedCounts) -> None:
        self._widths = {metric: table.shape[1] for metric, table in first.tables.items()}
        self._names: dict[str, int] = {}
        self._sums = RowSums(2, sum(self._widths.values()))
        self.source, self.left_out = first.source, first.left_out

    def add(self, grouped: GroupedCounts, units: IntArray) -> None:
        """Add those of a part, given the number that each of its units has in the whole."""
        self._forget(metric for metric in self._widths if metric not in grouped.tables)
        numbers = np.array(
            [self._names.setdefault(name, len(self._names)) for name in grouped.names], np.int64
        )
        tables = [grouped.tables[metric] for metric in self._widths]
        rows = np.concatenate(tables, axis=1) if tables else np.zeros((len(grouped.units), 0), np.int64)
        self._sums.add([units[grouped.units], numbers[grouped.groups]], rows)

    def _forget(self, metrics: Iterable[str]) -> None:
        """Metrics that a part has not: the whole has none of them either."""
        lost = set(metrics)
        if lost:
            columns = np.repeat([metric not in lost for metric in self._widths], [*self._widths.values()])
            self._sums.choose_columns(np.flatnonzero(columns).tolist())
            self._widths = {metric: width for metric, width in self._widths.items() if metric not in lost}

    def change_units(self, change: Callable[[IntArray], IntArray]) -> None:
        """Other numbers of units."""
        self._sums.change(lambda keys: [change(keys[0]), keys[1]])

    @property
    def names(self) -> Sequence[str]:
        """Names of the groups, in the order in which they came."""
        return list(self._names)

    def totals(self) -> dict[str, list[int]]:
        """The sum over all units of the rows of each group."""
        keys, rows = self._sums.rows()
        numbers, sums, _ = add_up(keys[1:], rows)
        names = self.names
        return {names[k]: row for k, row in zip(numbers[0].tolist(), sums.tolist(), strict=True)}

    def grouped(self, names: Sequence[str]) -> GroupedCounts:
        """All of it, by unit and then in the order of the names."""
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
