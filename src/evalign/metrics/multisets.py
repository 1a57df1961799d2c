"""Rows of integers that both sides have: of equal ones as many as the side with fewer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from evalign.document import IntArray
from evalign.metrics.errors.cells import number_codes


def number_rows(columns: Sequence[IntArray]) -> npt.NDArray[np.int64]:
    """A number per row, the same for rows that are equal in every column; no value below 0.

    Takes a sort per column. What was told apart so far is numbered from 0, so that nothing outgrows 64 bits.
    """
    numbers: npt.NDArray[np.int64] = columns[0].astype(np.int64)
    for column in columns[1:]:
        wide = int(numbers.max(initial=0)) >= 2**31
        numbers = number_codes(numbers)[1].astype(np.int64) if wide else numbers
        numbers = numbers * (int(column.max(initial=0)) + 1) + column
    return number_codes(numbers)[1].astype(np.int64)


def match_rows(gold: npt.NDArray[np.int64], system: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Per gold row whether it is matched: of equal ones the first, as many as the system has."""
    kinds = max(int(gold.max(initial=-1)), int(system.max(initial=-1))) + 1
    available = np.bincount(system, minlength=kinds)
    return _rank_equals(gold) < available[gold]


def _rank_equals(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Per row how many equal ones come before it."""
    order = np.argsort(numbers, kind="stable")
    ranked = numbers[order]
    rows = np.arange(len(numbers))
    first = np.append(True, ranked[1:] != ranked[:-1])[: len(rows)]
    ranks = np.empty(len(numbers), np.int64)
    ranks[order] = rows - np.maximum.accumulate(np.where(first, rows, 0)) if len(rows) else rows
    return ranks
