"""Long sentences cut down to what is around the boundaries that only one side has."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from evalign.metrics.errors import BOUNDARY
from evalign.wording import CUT, shorten, width_of

# Boundaries shown of one error.
MOST_FOCI = 3
# Characters looked for on the other side, and how far a cut may move to a token's edge.
KEY, NEAR = 12, 15


@dataclass(frozen=True)
class SideText:
    """What one side wrote, with its boundaries."""

    parts: Sequence[str]

    @cached_property
    def text(self) -> str:
        """All of it, boundaries shown."""
        return BOUNDARY.join(self.parts)

    @cached_property
    def line(self) -> str:
        """Its characters without spaces."""
        return "".join(self.parts).replace(" ", "")

    @cached_property
    def ends(self) -> list[int]:
        """Where its inner boundaries are, in characters of the line."""
        ends, at = [], 0
        for part in self.parts[:-1]:
            at += len(part) - part.count(" ")
            ends.append(at)
        return ends

    @cached_property
    def places(self) -> list[int]:
        """Where each character of the line stands in the text."""
        found, at = [], 0
        for part in self.parts:
            found += [at + k for k, character in enumerate(part) if character != " "]
            at += len(part) + len(BOUNDARY)
        return found

    def place(self, position: int) -> int:
        """Where a position of the line is in the text."""
        return self.places[position] if position < len(self.places) else len(self.text)

    def counterpart(self, position: int, other: SideText) -> int:
        """A position of this line, about, on the other: exact where what follows is written the same near by."""
        slack = abs(len(self.line) - len(other.line))
        key = self.line[position : position + KEY]
        near = max(0, position - slack)
        found = other.line.find(key, near, position + slack + len(key)) if key else -1
        return found if found >= 0 else min(position, len(other.line))

    def around(self, positions: Sequence[int], most: int) -> str:
        """The text around some positions, in about so many terminal columns."""
        per_column = len(self.text) / max(1, width_of(self.text))
        reach = max(8, int(most * per_column / len(positions) / 2) - 2)
        windows: list[list[int]] = []
        for place in sorted({self.place(position) for position in positions}):
            start, end = max(0, place - reach), min(len(self.text), place + reach)
            if windows and start <= windows[-1][1]:
                windows[-1][1] = end
            else:
                windows.append([start, end])
        near = min(NEAR, reach // 2)
        shown = [self.text[slice(*self._at_edges(start, end, near))] for start, end in windows]
        first = CUT * (windows[0][0] > 0)
        last = CUT * (windows[-1][1] < len(self.text))
        return first + f" {CUT} ".join(shown) + last

    def _at_edges(self, start: int, end: int, near: int) -> tuple[int, int]:
        """A stretch of the text that cuts no token if it need not."""
        if start and (gap := self.text.find(" ", start, start + near)) >= 0:
            start = gap + 1
        if end < len(self.text) and (gap := self.text.rfind(" ", max(start, end - near), end)) >= 0:
            end = gap
        return start, end


@dataclass(frozen=True)
class Excerpt:
    """What to show of both sides."""

    gold: str
    system: str
    shown: int
    """How many of the differing boundaries are in it."""
    boundaries: int
    """How many there are."""


def take_excerpt(gold_parts: Sequence[str], system_parts: Sequence[str], columns: int) -> Excerpt:
    """Both sides whole if neither takes more than three lines, else two lines of each around what differs."""
    gold, system = SideText(gold_parts), SideText(system_parts)
    foci = _foci(gold, system)
    if max(width_of(gold.text), width_of(system.text)) <= 3 * columns:
        return Excerpt(gold.text, system.text, len(foci), len(foci))
    shown, most = foci[:MOST_FOCI], 2 * columns
    if not shown or not gold.line or not system.line:
        return Excerpt(shorten(gold.text, most), shorten(system.text, most), 0, 0)
    return Excerpt(
        gold.around([g for g, _ in shown], most),
        system.around([s for _, s in shown], most),
        len(shown),
        len(foci),
    )


def _foci(gold: SideText, system: SideText) -> list[tuple[int, int]]:
    """Pairs of positions where only one side has a boundary; without boundaries, where the text first differs."""
    found = [(at, gold.counterpart(at, system)) for at in gold.ends]
    found += [(system.counterpart(at, gold), at) for at in system.ends]
    if not found:
        least = min(len(gold.line), len(system.line))
        at = next((k for k in range(least) if gold.line[k] != system.line[k]), least)
        return [(at, at)] if gold.line != system.line else []
    return sorted({(g, s) for g, s in found if not (_has(gold.ends, g) and _has(system.ends, s))})


def _has(ends: list[int], position: int) -> bool:
    k = bisect_left(ends, position)
    return k < len(ends) and ends[k] == position
