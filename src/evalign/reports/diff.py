"""Errors one by one with the text around them, as `evalign diff` prints them.

Long sentences are cut down to the text around the boundaries that only one side has.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import NamedTuple, TypeAlias

from evalign.metrics.errors.mismatches import BOUNDARY, Mismatch, show_labels
from evalign.metrics.registry import show_metric
from evalign.reports.formats import DIM, GREEN, RED, json_text, painter
from evalign.results.evidence import error_json
from evalign.table import GAP
from evalign.wording import CUT, fold, head, printable, shorten, tail, widest, width_of

_WORD = re.compile(r"[^ ]+")
# Least number of terminal columns of a place.
SHORTEST_PLACE = 12


Stretch: TypeAlias = tuple[int, int]
"""Start and end of some characters of a text."""


class DiffItem(NamedTuple):
    """An error as a diff shows it: a title, and the lines of gold, of the system and of both, "" for none."""

    title: str
    gold: str
    system: str
    both: str = ""
    gold_stretch: Stretch | None = None
    """The part of gold's line that the error is about; None for all of it."""
    system_stretch: Stretch | None = None


def render_diff(mismatches: Iterable[Mismatch], *, columns: int = 100, color: bool = False) -> Iterator[str]:
    """Yield each error as text: gold's line with "-", the system's with "+", and the text around it.

    Boundaries between tokens or sentences are marked in the lines.
    """
    paint = painter(color=color)
    for mismatch in mismatches:
        shown = _show(mismatch, columns - 4)
        places = [("gold", mismatch.gold_place), ("system", mismatch.system_place)]
        shown_places = [(side, printable(str(place))) for side, place in places if place]
        yield f"{shown.title}  {paint(fit_places(shown_places, columns - len(shown.title) - 2), DIM)}\n"
        gold, system = _find_differing(shown) if color else ([], [])
        for mark, text, tint, differing in (
            (" ", shown.both, "", []),
            ("-", shown.gold, RED, gold),
            ("+", shown.system, GREEN, system),
        ):
            lines = fold(text, columns - 4) if text else []
            for k, line in enumerate(_paint_stretches(text, lines, differing, tint, paint)):
                sign = " " if k else paint(mark, tint) if tint else mark
                yield f"  {sign} {line}\n"
        yield "\n"


def _find_differing(shown: DiffItem) -> tuple[list[Stretch], list[Stretch]]:
    """Return the stretches to colour in gold's and in the system's line: the words that only one of them has.

    If one side is empty, the stretch that the error is about is returned for the other.
    """
    if not shown.gold or not shown.system:
        return (
            [shown.gold_stretch or (0, len(shown.gold))],
            [shown.system_stretch or (0, len(shown.system))],
        )
    gold, system = (list(_WORD.finditer(text)) for text in (shown.gold, shown.system))
    words = [[word[0] for word in side] for side in (gold, system)]
    differing: tuple[list[Stretch], list[Stretch]] = [], []
    for kind, i, i_end, j, j_end in SequenceMatcher(None, words[0], words[1], autojunk=False).get_opcodes():
        if kind != "equal":
            sides = (gold[i:i_end], system[j:j_end])
            for side, stretches in zip(sides, differing, strict=True):
                stretches += [(side[0].start(), side[-1].end())] if side else []
    return differing


def _paint_stretches(
    text: str,
    lines: Sequence[str],
    stretches: Sequence[Stretch],
    tint: str,
    paint: Callable[[str, str], str],
) -> Iterator[str]:
    """Yield `lines`, into which `text` was folded, with the `stretches` of the text painted."""
    at = 0
    for line in lines:
        at = text.index(line, at)
        painted, end = "", at
        for start, stop in stretches:
            start, stop = max(start, at), min(stop, at + len(line))
            if start < stop:
                painted += text[end:start] + paint(text[start:stop], tint)
                end = stop
        at += len(line)
        yield painted + text[end:at]


def render_mismatches_json(mismatches: Iterable[Mismatch]) -> Iterator[str]:
    """Yield a JSON object per error, one to a line."""
    for mismatch in mismatches:
        yield json_text({"metric": mismatch.metric, **error_json(mismatch)}) + "\n"


def fit_places(places: Sequence[tuple[str, str]], room: int) -> str:
    """Join places in files on one line of `room` columns.

    `places` has pairs of a side and a place. If the line would be too long, the names of the sides are left
    out; if it still is, the beginnings of places are cut off.
    """
    gap = " " * GAP
    forms = (
        gap.join(f"{side} {place}" for side, place in places),
        gap.join(place for _, place in places),
    )
    each = max(SHORTEST_PLACE, (room + GAP) // max(1, len(places)) - GAP)
    shortest = gap.join(tail(place, each) for _, place in places)
    return next((form for form in forms if width_of(form) <= room), shortest)


def _show(mismatch: Mismatch, columns: int) -> DiffItem:
    if mismatch.metric == "sentences":
        return _sentences_side_by_side(mismatch, columns)
    return _word_in_context(mismatch, columns) if mismatch.word else _tokens_in_context(mismatch, columns)


def _sentences_side_by_side(mismatch: Mismatch, columns: int) -> DiffItem:
    parts = [tuple(map(printable, side)) for side in (mismatch.gold, mismatch.system)]
    excerpt = take_excerpt(parts[0], parts[1], columns)
    title = f"sentences {mismatch.kind}" + (f" ({mismatch.trigger})" if mismatch.trigger else "")
    if excerpt.shown < excerpt.boundaries:
        title += f", {excerpt.shown} of {excerpt.boundaries} boundaries"
    return DiffItem(title, excerpt.gold, excerpt.system)


def _tokens_in_context(mismatch: Mismatch, columns: int) -> DiffItem:
    """Show the tokens of both sides in brackets, with the same context on both lines."""
    sides = [
        shorten(BOUNDARY.join(map(printable, parts)), columns - 2) if parts else ""
        for parts in (mismatch.gold, mismatch.system)
    ]
    before, after = _context(mismatch, columns - widest(sides) - 2)
    gold, system = (f"{before}[{side}]{after}" if side else "" for side in sides)
    stretches = [(len(before), len(before) + len(side) + 2) for side in sides]
    return DiffItem(
        f"{show_metric(mismatch.metric)} {mismatch.kind}", gold, system, "", stretches[0], stretches[1]
    )


def _word_in_context(mismatch: Mismatch, columns: int) -> DiffItem:
    """Show a word in brackets with its context, and below it the labels of gold and system."""
    word = shorten(printable(mismatch.word), columns - 2)
    before, after = _context(mismatch, columns - width_of(word) - 2)
    gold, system = show_labels(mismatch)
    gold, system = gold if mismatch.gold else "", system if mismatch.system else ""
    return DiffItem(
        f"{show_metric(mismatch.metric)} {mismatch.kind}", gold, system, f"{before}[{word}]{after}"
    )


def _context(mismatch: Mismatch, room: int) -> tuple[str, str]:
    """Return as much of the text before and after the error as fits into `room` columns."""
    before, after = printable(mismatch.before), printable(mismatch.after)
    half = max(room // 2, room - width_of(after) - 1)
    before = tail(before, half - 1) + " " if before and half > 4 else ""
    rest = room - width_of(before) - 1
    return before, " " + head(after, rest) if after and rest > 3 else ""


# Excerpts of long sentences.


# How many boundaries of one error are shown at most.
MOST_FOCI = 3
# How many characters `counterpart` searches for, and how far a cut may move to the edge of a token.
KEY, NEAR = 12, 15


@dataclass(frozen=True)
class SideText:
    """The text of one side of an error, in parts that are sentences or tokens.

    A position counts characters without spaces, so it is nearly the same on both sides.
    """

    parts: Sequence[str]

    @cached_property
    def text(self) -> str:
        """The parts joined by marks of boundaries."""
        return BOUNDARY.join(self.parts)

    @cached_property
    def line(self) -> str:
        """The characters of all parts without spaces."""
        return "".join(self.parts).replace(" ", "")

    @cached_property
    def ends(self) -> list[int]:
        """Positions of the inner boundaries."""
        ends, at = [], 0
        for part in self.parts[:-1]:
            at += len(part) - part.count(" ")
            ends.append(at)
        return ends

    @cached_property
    def places(self) -> list[int]:
        """Index in `text` of each character of `line`."""
        indices, at = [], 0
        for part in self.parts:
            indices += [at + k for k, character in enumerate(part) if character != " "]
            at += len(part) + len(BOUNDARY)
        return indices

    def place(self, position: int) -> int:
        """Return the index in `text` of a position."""
        return self.places[position] if position < len(self.places) else len(self.text)

    def counterpart(self, position: int, other: SideText) -> int:
        """Return the position on the other side that corresponds to `position`, at least approximately.

        The result is exact if the characters that follow `position` also occur nearby on the other side.
        """
        slack = abs(len(self.line) - len(other.line))
        key = self.line[position : position + KEY]
        near = max(0, position - slack)
        start = other.line.find(key, near, position + slack + len(key)) if key else -1
        return start if start >= 0 else min(position, len(other.line))

    def around(self, positions: Sequence[int], most: int) -> str:
        """Return the text around `positions`, in about `most` terminal columns; cuts are marked."""
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
        """Move the ends of a stretch by at most `near` characters, so that it cuts no token."""
        if start and (gap := self.text.find(" ", start, start + near)) >= 0:
            start = gap + 1
        if end < len(self.text) and (gap := self.text.rfind(" ", max(start, end - near), end)) >= 0:
            end = gap
        return start, end


@dataclass(frozen=True)
class ErrorExcerpt:
    """The excerpts of both sides of an error."""

    gold: str
    system: str
    shown: int
    """How many of the differing boundaries are in the excerpts."""
    boundaries: int
    """How many differing boundaries there are."""


def take_excerpt(gold_parts: Sequence[str], system_parts: Sequence[str], columns: int) -> ErrorExcerpt:
    """Return both texts whole if each fits into three lines of `columns`, else two lines around what differs.

    The parts of each side are its sentences or tokens.
    """
    gold, system = SideText(gold_parts), SideText(system_parts)
    foci = _foci(gold, system)
    if max(width_of(gold.text), width_of(system.text)) <= 3 * columns:
        return ErrorExcerpt(gold.text, system.text, len(foci), len(foci))
    shown, most = foci[:MOST_FOCI], 2 * columns
    if not shown or not gold.line or not system.line:
        return ErrorExcerpt(shorten(gold.text, most), shorten(system.text, most), 0, 0)
    return ErrorExcerpt(
        gold.around([g for g, _ in shown], most),
        system.around([s for _, s in shown], most),
        len(shown),
        len(foci),
    )


def _foci(gold: SideText, system: SideText) -> list[tuple[int, int]]:
    """Return pairs of positions (gold, system) where only one side has a boundary.

    If neither side has boundaries, return where their texts first differ, or nothing if they are equal.
    """
    pairs = [(at, gold.counterpart(at, system)) for at in gold.ends]
    pairs += [(system.counterpart(at, gold), at) for at in system.ends]
    if not pairs:
        least = min(len(gold.line), len(system.line))
        at = next((k for k in range(least) if gold.line[k] != system.line[k]), least)
        return [(at, at)] if gold.line != system.line else []
    return sorted({(g, s) for g, s in pairs if not (_has(gold.ends, g) and _has(system.ends, s))})


def _has(ends: list[int], position: int) -> bool:
    k = bisect_left(ends, position)
    return k < len(ends) and ends[k] == position
