"""Numbers as people read them."""

from __future__ import annotations

from collections.abc import Iterable

from evalign.wording import RATIOS, counted, decimal, name_ratio, percent

__all__ = ["RATIOS", "count_units", "counted", "decimal", "name_ratio", "name_units", "percent"]


def name_units(kinds: Iterable[str]) -> str:
    """What units of some kinds are called together.

    >>> name_units(["stretch", "document", "stretch"]), name_units(["whole"])
    ('stretches/documents', 'texts')
    """
    names = {"stretch": "stretches", "whole": "texts", "group of foreign ids": "groups of foreign ids"}
    return "/".join(names.get(kind, f"{kind}s") for kind in dict.fromkeys(kinds)) or "units"


def count_units(count: int, kind: str) -> str:
    """How many units of a kind.

    >>> count_units(1204, "stretch"), count_units(1, "document")
    ('1,204 stretches', '1 document')
    """
    return f"{count:,} {kind if count == 1 else name_units([kind])}"
