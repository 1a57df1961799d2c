"""Numbers and units as reports write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evalign.wording import RATIOS, counted, decimal, find_ratio, name_ratio, percent

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


def name_units(kinds: Iterable[str]) -> str:
    """Name units of some kinds together, in the plural.

    >>> name_units(["document"]), name_units(["stretch"]), name_units(["stretch", "document"]), name_units(["whole"])
    ('documents', 'units', 'units', 'texts')
    """
    names = {"stretch": "units", "whole": "texts", "group of foreign ids": "groups of foreign ids"}
    plurals = {names.get(kind, f"{kind}s") for kind in kinds}
    return plurals.pop() if len(plurals) == 1 else "units"


def count_units(count: int, kind: str) -> str:
    """Count units of a kind.

    >>> count_units(1204, "stretch"), count_units(1, "stretch"), count_units(1, "document")
    ('1,204 units', '1 unit', '1 document')
    """
    one = "unit" if kind == "stretch" else kind
    return f"{count:,} {one if count == 1 else name_units([kind])}"


def best_of(values: Sequence[float | None], *, lowest: bool = False) -> list[int]:
    """Which of some values are best, as shown; none if they are all the same."""
    shown = [None if value is None else round(value, 4) for value in values]
    known = {value for value in shown if value is not None}
    if len(known) < 2:
        return []
    wanted = min(known) if lowest else max(known)
    return [k for k, value in enumerate(shown) if value == wanted]
