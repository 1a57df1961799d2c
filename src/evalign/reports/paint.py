"""Colours for a terminal."""

from __future__ import annotations

from collections.abc import Callable

BOLD, DIM, RED, GREEN, YELLOW = "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m"
CYAN = "\x1b[36m"
_END = "\x1b[0m"


def painter(*, color: bool) -> Callable[[str, str], str]:
    """A function that paints text in a tint, or leaves it as it is where colours are not wanted."""

    def paint(text: str, tint: str) -> str:
        return f"{tint}{text}{_END}" if color else text

    return paint
