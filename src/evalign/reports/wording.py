"""Numbers as people read them."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """A number with its noun: 1 character, 1,204 characters.

    >>> counted(1, "character"), counted(1204, "character")
    ('1 character', '1,204 characters')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def percent(value: float | None) -> str:
    """A ratio as a percentage with two decimals; "-" where it is undefined.

    >>> percent(0.5), percent(None)
    ('50.00', '-')
    """
    return "-" if value is None else f"{100 * value:.2f}"


def decimal(value: float | None) -> str:
    """A ratio that is no share, with two decimals.

    >>> decimal(1.25), decimal(None)
    ('1.25', '-')
    """
    return "-" if value is None else f"{value:.2f}"
