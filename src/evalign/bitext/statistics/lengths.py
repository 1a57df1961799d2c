"""How long sentences are: a histogram, its mean, median and deciles."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import overload

from evalign.bitext.statistics.shapes import SavedLengths, rounded
from evalign.significance import quantile

DECILES = tuple(share / 10 for share in range(1, 10))
_NEARLY_ALL = (0.01, 0.99)


class _Ordered(Sequence[float]):
    """All lengths in ascending order, as if they were written out: there may be millions."""

    def __init__(self, histogram: Mapping[int, int]) -> None:
        self._lengths = sorted(histogram)
        self._behind = list(accumulate(histogram[length] for length in self._lengths))

    def __len__(self) -> int:
        return self._behind[-1]

    @overload
    def __getitem__(self, place: int) -> float: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[float]: ...
    def __getitem__(self, place: int | slice) -> float | Sequence[float]:
        if isinstance(place, slice):
            return [self[k] for k in range(*place.indices(len(self)))]
        return self._lengths[bisect_right(self._behind, place)]


def summarize_lengths(histogram: Mapping[int, int]) -> SavedLengths | None:
    """What a histogram says, from length to number of sentences; None where there is no sentence.

    >>> found = summarize_lengths({10: 3, 20: 1})
    >>> found["mean"], found["median"], found["deciles"][-1]
    (12.5, 10.0, 17.0)
    """
    counts = {length: n for length, n in sorted(histogram.items()) if n}
    if not counts:
        return None
    ordered = _Ordered(counts)
    return SavedLengths(
        sentences=len(ordered),
        mean=rounded(sum(length * n for length, n in counts.items()) / len(ordered)),
        median=rounded(quantile(ordered, 0.5)),
        deciles=[rounded(quantile(ordered, share)) for share in DECILES],
        percentiles=[rounded(quantile(ordered, share)) for share in _NEARLY_ALL],
        histogram={str(length): n for length, n in counts.items()},
    )
