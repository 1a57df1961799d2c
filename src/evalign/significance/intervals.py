"""Percentile intervals (Efron and Tibshirani 1993, An introduction to the bootstrap, section 13.3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evalign.significance.ratios import Ratios, Values
from evalign.significance.values import Interval


def find_interval(values: Values, confidence: float) -> Interval | None:
    """Quantiles that leave out the same share on either side; undefined values (NaN) are left out before.

    >>> find_interval(np.array([4.0, 1.0, 2.0, 3.0, np.nan]), 0.5)
    Interval(low=1.75, high=3.25)
    """
    known: list[float] = np.sort(values[~np.isnan(values)]).tolist()
    if not known:
        return None
    outside = (1 - confidence) / 2
    return Interval(quantile(known, outside), quantile(known, 1 - outside))


def find_intervals(ratios: Ratios, confidence: float) -> dict[str, Interval | None]:
    """An interval for each ratio."""
    return {name: find_interval(values, confidence) for name, values in ratios.items()}


def quantile(ordered: Sequence[float], share: float) -> float:
    """A quantile, linear between neighbours: definition 7 of Hyndman and Fan (1996), numpy's own default.

    Written out, as numpy's last digits have changed between its versions.
    """
    place = share * (len(ordered) - 1)
    before = int(place)
    behind = min(before + 1, len(ordered) - 1)
    return ordered[before] + (ordered[behind] - ordered[before]) * (place - before)
