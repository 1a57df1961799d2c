"""Several tests at once."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.significance.values import Difference


def adjust(values: Sequence[float | None]) -> list[float | None]:
    """P-values after Holm's step-down correction, in the same order; None stays None and counts as no test.

    The smallest of m is multiplied by m, the next by m - 1, and so on; none becomes smaller than the one before it, or
    larger than 1 (Holm 1979, A simple sequentially rejective multiple test procedure).

    >>> adjust([0.01, 0.04, 0.03, None])
    [0.03, 0.06, 0.06, None]
    """
    order = sorted((value, number) for number, value in enumerate(values) if value is not None)
    found: list[float | None] = [None] * len(values)
    least = 0.0
    for rank, (value, number) in enumerate(order):
        least = max(least, min(1.0, (len(order) - rank) * value))
        found[number] = least
    return found


def adjust_all(differences: Sequence[Difference]) -> list[Difference]:
    """The same differences with p-values adjusted for as many tests."""
    adjusted = adjust([found.p for found in differences])
    return [found._replace(adjusted=p) for found, p in zip(differences, adjusted, strict=True)]
