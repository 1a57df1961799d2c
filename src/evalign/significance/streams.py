"""Random numbers that stay the same: by seed, on every platform, with every version of numpy.

numpy keeps only the raw stream of a bit generator the same (NEP 19), so indices and signs are made of its bits here.
Metrics and systems share the draws: whatever is compared is compared on the same resamples.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Weights: TypeAlias = npt.NDArray[np.float64]
"""A row per resample: how often each unit is in it."""

BOOTSTRAP, RANDOMIZATION = 0, 1
"""First keys of a stream: what it is for."""

# So many weights at a time are small; but a table of many units should not be read too often.
_MOST_WEIGHTS = 2**19
_FEWEST_ROWS, _MOST_ROWS = 16, 64
# So many sums at a time: few enough for memory, enough that the work on each piece is numpy's.
_MOST_SUMS = 2**20
# So many indices stay in a processor's cache.
_MOST_INDICES = 2**16


def make_stream(seed: int, *key: int) -> np.random.PCG64:
    """A stream of 64 random bits at a time; other keys of the same seed give streams that know nothing of it."""
    return np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key))


def draw_resamples(stream: np.random.PCG64, n_units: int, resamples: int) -> Iterator[Weights]:
    """Bootstrap resamples, some at a time: as many units as there are, drawn with replacement (Efron 1979).

    A resample takes ceil(n / 2) raw numbers. Each gives two indices, of its lower and then of its higher 32 bits b:
    b n / 2^32, rounded down. Some units are likelier than others by at most n / 2^32, in 100,000 units one part in
    forty thousand: far below what any number of resamples could show.
    """
    for rows in _rows(n_units, resamples):
        weights = np.empty((rows, n_units))
        first = 0
        for few in _blocks(rows, _MOST_INDICES // max(1, n_units)):
            for row, drawn in zip(weights[first:], _draw_indices(stream, n_units, few), strict=False):
                row[:] = np.bincount(drawn, minlength=n_units)
            first += few
        yield weights


def _draw_indices(stream: np.random.PCG64, n_units: int, rows: int) -> npt.NDArray[np.intp]:
    """Units of some resamples, a row each."""
    raw = stream.random_raw(rows * ((n_units + 1) // 2))
    halves = raw.astype("<u8", copy=False).view("<u4").reshape(rows, -1)
    indices = halves[:, :n_units].astype(np.uint64)
    indices *= np.uint64(n_units)
    indices >>= np.uint64(32)
    return indices.view(np.int64).astype(np.intp, copy=False)


def draw_swaps(stream: np.random.PCG64, n_units: int, resamples: int) -> Iterator[Weights]:
    """Which units two systems exchange, some trials at a time: each unit with probability 1/2.

    A trial takes ceil(n / 64) raw numbers; their bits, lowest first, are 1 for a unit that is exchanged.
    """
    raws = -(-n_units // 64)
    for rows in _rows(n_units, resamples):
        bits = stream.random_raw(rows * raws).astype("<u8", copy=False).view(np.uint8).reshape(rows, -1)
        yield np.unpackbits(bits, axis=1, count=n_units, bitorder="little").astype(np.float64)


def cut_resamples(resamples: int, n_columns: int) -> Iterator[int]:
    """How many resamples to sum up at a time, so that the sums of so many columns stay small."""
    return _blocks(resamples, max(_MOST_ROWS, _MOST_SUMS // max(1, n_columns)))


def _rows(n_units: int, resamples: int) -> Iterator[int]:
    """How many resamples to have at a time."""
    return _blocks(resamples, min(_MOST_ROWS, max(_FEWEST_ROWS, _MOST_WEIGHTS // max(1, n_units))))


def _blocks(total: int, most: int) -> Iterator[int]:
    """A number as a sum of numbers of some size, at least 1."""
    for done in range(0, total, max(1, most)):
        yield min(max(1, most), total - done)
