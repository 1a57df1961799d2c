"""Numbers and units as reports write them."""

from __future__ import annotations

from evalign.wording import (
    RATIOS,
    best_of,
    count_units,
    counted,
    decimal,
    find_ratio,
    name_ratio,
    name_units,
    percent,
)

__all__ = [
    "RATIOS",
    "best_of",
    "count_units",
    "counted",
    "decimal",
    "find_ratio",
    "name_ratio",
    "name_units",
    "percent",
]
