"""Values to places in a picture, and the round numbers an axis names."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

# What the steps of an axis may begin with.
_STEPS = (1, 2, 2.5, 5, 10)


class Scale(NamedTuple):
    """A straight line from values to places."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """The place of a value."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, about: int = 4) -> list[float]:
        """Round values within the scale, about so many.

        >>> Scale(77.2, 98.9, 0, 100).ticks()
        [80.0, 85.0, 90.0, 95.0]
        """
        step = _round_step((self.high - self.low) / about)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [k * step for k in range(first, last + 1)]


def fit(values: Iterable[float], start: float, end: float, *, room: float = 0.06) -> Scale:
    """A scale that holds all values, with some room at both ends; a single value has some around it, too."""
    known = list(values) or [0.0]
    low, high = min(known), max(known)
    spare = (high - low) * room or max(abs(high) * 0.01, 1.0)
    # What is never below nothing needs no room there.
    return Scale(low - spare if low < 0 else max(low - spare, 0.0), high + spare, start, end)


def tick_label(value: float, step: float) -> str:
    """A value as an axis shows it, with the decimals that its step has.

    >>> tick_label(80.0, 5.0), tick_label(0.25, 0.05)
    ('80', '0.25')
    """
    decimals = max(0, -math.floor(math.log10(step) + 1e-9)) if step else 0
    if step and abs(round(step, decimals) - step) > 1e-9:
        decimals += 1
    return f"{value:.{decimals}f}"


def _round_step(wanted: float) -> float:
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(step * power for step in _STEPS if step * power >= 0.7 * wanted)
