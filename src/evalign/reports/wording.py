"""Numbers in words."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """A number with its noun: 1 character, 1,204 characters.

    >>> counted(1, "character"), counted(1204, "character")
    ('1 character', '1,204 characters')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
