"""The nearest vectors of another set, exactly: all are compared, in blocks, so that their similarities are never all in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.progress import Progress, Step, no_progress

Vectors: TypeAlias = npt.NDArray[np.float32]

# Numbers of a block of similarities: 64 MB of them, and some 150 MB more while the best are found.
_MOST_SIMILARITIES = 1 << 24


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


def find_nearest(
    vectors: Vectors, others: Vectors, k: int, *, stage: str = "comparing", progress: Progress = no_progress
) -> Neighbours:
    """The k nearest of the others for each vector, or all where there are fewer; vectors have length 1 or 0."""
    k = min(k, len(others))
    numbers = np.empty((len(vectors), k), np.int64)
    similarities = np.empty((len(vectors), k), np.float32)
    for block in _blocks(len(vectors), len(others)):
        progress(Step(stage, block.start, len(vectors)))
        found = vectors[block] @ others.T
        numbers[block], similarities[block] = _best(found, k)
    return Neighbours(numbers, similarities)


def _blocks(n: int, width: int) -> Iterator[slice]:
    size = max(1, _MOST_SIMILARITIES // max(width, 1))
    return (slice(start, min(start + size, n)) for start in range(0, n, size))


def _best(similarities: Vectors, k: int) -> tuple[npt.NDArray[np.int64], Vectors]:
    """The columns of the k greatest of each row, of equal ones the first, and these."""
    width = similarities.shape[1]
    if k == width:
        columns = np.broadcast_to(np.arange(width), similarities.shape)
    else:
        columns = np.argpartition(similarities, width - k, axis=1)[:, width - k :]
        least = np.take_along_axis(similarities, columns, 1).min(axis=1, keepdims=True)
        # Where others equal the least that was kept, the first of them are meant.
        for row in np.flatnonzero((similarities >= least).sum(axis=1) > k):
            kept = np.flatnonzero(similarities[row] >= least[row, 0])
            columns[row] = kept[np.argsort(-similarities[row, kept], kind="stable")[:k]]
    values = np.take_along_axis(similarities, columns, 1)
    order = np.lexsort((columns, -values), axis=1)
    return np.take_along_axis(columns, order, 1), np.take_along_axis(values, order, 1)
