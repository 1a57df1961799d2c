"""The nearest vectors of another set, exactly: all are compared, in blocks, so that their similarities are never all in memory."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.bitext.pairs import Numbers
from evalign.bitext.sharing import Sent, cut_evenly, ending
from evalign.engines import Engine, SerialEngine
from evalign.progress import Progress, Step, no_progress

Vectors: TypeAlias = npt.NDArray[np.float32]

# Numbers of a block of similarities: 64 MB of them, and some 150 MB more while the best are found.
_MOST_SIMILARITIES = 1 << 24
# Vectors that a worker gets at a time, and others that it compares them with: 150 MB of both where vectors have 1,024
# numbers, and some seconds of work.
_MOST_VECTORS = 1 << 12
_MOST_OTHERS = 1 << 15
_LEAST_VECTORS = 1 << 9
# Fewer similarities are found before workers have begun.
LEAST_SIMILARITIES = 1 << 27
# Products that are less apart may be so by rounding: 32-bit numbers have 24 bits, and sums of thousands lose a few.
_NEAR = 1e-5


class Neighbours(NamedTuple):
    """For each vector its nearest ones of the other set, by falling similarity and then by number."""

    numbers: npt.NDArray[np.int64]
    """(n, k)."""
    similarities: Vectors
    """(n, k): cosines."""

    @property
    def means(self) -> npt.NDArray[np.float64]:
        """The mean similarity of the nearest ones."""
        found: npt.NDArray[np.float64] = self.similarities.mean(axis=1, dtype=np.float64)
        return found


class _Block(NamedTuple):
    """Some of the vectors."""

    start: int
    vectors: Vectors


def find_nearest(
    vectors: Vectors,
    others: Vectors,
    k: int,
    *,
    stage: str = "comparing",
    progress: Progress = no_progress,
    engine: Engine | None = None,
) -> Neighbours:
    """The k nearest of the others for each vector, or all where there are fewer; vectors have length 1 or 0."""
    k = min(k, len(others))
    where = engine if engine and len(vectors) * len(others) >= LEAST_SIMILARITIES else SerialEngine()
    best = Neighbours(
        np.full((len(vectors), k), -1, np.int64), np.full((len(vectors), k), -np.inf, np.float32)
    )
    progress(Step(stage, 0, len(vectors)))
    for before in range(0, len(others), _MOST_OTHERS):
        some = others[before : before + _MOST_OTHERS]
        done = 0
        with ending(where.run(partial(_compare, Sent(some), k), _cut(vectors, where))) as found:
            for _, (start, near) in found:
                rows = slice(start, start + len(near.numbers))
                known = Neighbours(best.numbers[rows], best.similarities[rows])
                joined = _join(known, near._replace(numbers=near.numbers + before), k)
                best.numbers[rows], best.similarities[rows] = joined
                done += len(near.numbers)
                compared = before * len(vectors) + done * len(some)
                progress(Step(stage, compared // len(others), len(vectors)))
    return best


def _cut(vectors: Vectors, engine: Engine) -> Iterator[_Block]:
    for start, end in cut_evenly(len(vectors), _LEAST_VECTORS, engine, most=_MOST_VECTORS):
        yield _Block(start, vectors[start:end])


def _join(one: Neighbours, two: Neighbours, k: int) -> Neighbours:
    """The k nearest of both, of equal ones the first."""
    numbers = np.concatenate((one.numbers, two.numbers), axis=1)
    similarities = np.concatenate((one.similarities, two.similarities), axis=1)
    order = np.lexsort((numbers, -similarities), axis=1)[:, :k]
    return Neighbours(np.take_along_axis(numbers, order, 1), np.take_along_axis(similarities, order, 1))


def _compare(others: Sent[Vectors], k: int, block: _Block) -> tuple[int, Neighbours]:
    """Where a block begins, and the nearest of some others for it."""
    width = len(others.value)
    k = min(k, width)
    numbers = np.empty((len(block.vectors), k), np.int64)
    similarities = np.empty((len(block.vectors), k), np.float32)
    size = max(1, _MOST_SIMILARITIES // width)
    for start in range(0, len(numbers), size):
        vectors = block.vectors[start : start + size]
        columns = _find_best(vectors, others.value, k)
        numbers[start : start + size] = columns
        similarities[start : start + size] = _measure(vectors, others.value, columns)
    return block.start, Neighbours(numbers, similarities)


def _find_best(vectors: Vectors, others: Vectors, k: int) -> Numbers:
    """The k nearest of the others for each vector, of equal ones the first, in no order.

    Products of matrices differ in their last digits by the number of threads, and by what else is multiplied. They say
    which of the others may be among the nearest; where these are more than k, they are measured.
    """
    width = len(others)
    if k == width:
        return np.tile(np.arange(width), (len(vectors), 1))
    found = vectors @ others.T
    columns = np.argpartition(found, width - k, axis=1)[:, width - k :]
    least = np.take_along_axis(found, columns, 1).min(axis=1, keepdims=True) - _NEAR
    for row in np.flatnonzero((found >= least).sum(axis=1) > k):
        if not vectors[row].any():
            columns[row] = np.arange(k)
            continue
        kept = np.flatnonzero(found[row] >= least[row, 0])
        values = np.einsum("ij,j->i", others[kept], vectors[row], dtype=np.float64).astype(np.float32)
        columns[row] = kept[np.argsort(-values, kind="stable")[:k]]
    return columns


def _measure(vectors: Vectors, others: Vectors, columns: Numbers) -> Vectors:
    """Similarities of vectors with some of the others: the same whatever else is measured, and on every machine."""
    found = np.empty(columns.shape, np.float32)
    for which in range(columns.shape[1]):
        # 64 bits, rounded to 32: the order in which numbers were added is not seen any more.
        found[:, which] = np.einsum("ij,ij->i", vectors, others[columns[:, which]], dtype=np.float64)
    return found
