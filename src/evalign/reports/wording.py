"""Numbers as people read them."""

from __future__ import annotations

from collections.abc import Iterable

# Ratios that have another name for people, or come in this order.
RATIOS = {"precision": "precision", "recall": "recall", "f1": "F1", "aligned_accuracy": "aligned accuracy"}


def name_ratio(name: str) -> str:
    """A ratio as people call it.

    >>> name_ratio("f1"), name_ratio("two_or_less")
    ('F1', 'two or less')
    """
    return RATIOS.get(name, name.replace("_", " "))


def counted(count: int, noun: str) -> str:
    """A number with its noun: 1 character, 1,204 characters.

    >>> counted(1, "character"), counted(1204, "character")
    ('1 character', '1,204 characters')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


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


def percent(value: float | None) -> str:
    """A ratio as a percentage with two decimals; "-" where it is undefined.

    >>> percent(0.5), percent(None)
    ('50.00', '-')
    """
    return "-" if value is None else f"{100 * value:.2f}"


def decimal(value: float | None, digits: int = 2) -> str:
    """A number that is no share, with so many decimals; "-" where it is undefined.

    >>> decimal(1.25), decimal(None)
    ('1.25', '-')
    """
    return "-" if value is None else f"{value:.{digits}f}"
