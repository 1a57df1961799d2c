"""Errors one by one: gold's side, the system's side, and the text around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from evalign.layers import Mismatch
from evalign.layers.kinds import show_metric
from evalign.layers.mismatches import BOUNDARY, show_labels
from evalign.reports.escape import json_text, printable
from evalign.reports.excerpt import take_excerpt
from evalign.reports.paint import DIM, GREEN, RED, painter
from evalign.reports.table import GAP
from evalign.reports.width import fold, head, shorten, tail, widest, width_of
from evalign.result.kept import error_json

# Columns that a place gets at least.
SHORTEST_PLACE = 12


class Shown(NamedTuple):
    """What a diff shows of an error: a title, and lines of both sides, of gold and of the system."""

    title: str
    gold: Sequence[str]
    system: Sequence[str]
    both: Sequence[str] = ()


def render_diff(mismatches: Iterable[Mismatch], *, columns: int = 100, color: bool = False) -> Iterator[str]:
    """Each error as two lines, gold's with "-" and the system's with "+", boundaries shown, text around them."""
    paint = painter(color=color)
    for mismatch in mismatches:
        shown = _show(mismatch, columns - 4)
        places = [("gold", mismatch.gold_place), ("system", mismatch.system_place)]
        told = [(side, printable(str(place))) for side, place in places if place]
        yield f"{shown.title}  {paint(fit_places(told, columns - len(shown.title) - 2), DIM)}\n"
        for mark, lines, tint in ((" ", shown.both, ""), ("-", shown.gold, RED), ("+", shown.system, GREEN)):
            for k, line in enumerate(lines):
                text = f"{' ' if k else mark} {line}"
                yield "  " + (paint(text, tint) if tint else text) + "\n"
        yield "\n"


def render_mismatches_json(mismatches: Iterable[Mismatch]) -> Iterator[str]:
    """A JSON object per error."""
    for mismatch in mismatches:
        yield json_text({"metric": mismatch.metric, **error_json(mismatch)}) + "\n"


def fit_places(places: Sequence[tuple[str, str]], room: int) -> str:
    """Sides with their places on one line: whole, else places alone, else their ends."""
    gap = " " * GAP
    forms = (
        gap.join(f"{side} {place}" for side, place in places),
        gap.join(place for _, place in places),
    )
    each = max(SHORTEST_PLACE, (room + GAP) // max(1, len(places)) - GAP)
    shortest = gap.join(tail(place, each) for _, place in places)
    return next((form for form in forms if width_of(form) <= room), shortest)


def _show(mismatch: Mismatch, columns: int) -> Shown:
    if mismatch.metric == "sentences":
        return _sentences_side_by_side(mismatch, columns)
    return _word_in_context(mismatch, columns) if mismatch.word else _tokens_in_context(mismatch, columns)


def _sentences_side_by_side(mismatch: Mismatch, columns: int) -> Shown:
    parts = [tuple(map(printable, side)) for side in (mismatch.gold, mismatch.system)]
    excerpt = take_excerpt(parts[0], parts[1], columns)
    title = f"sentences {mismatch.kind}" + (f" ({mismatch.trigger})" if mismatch.trigger else "")
    if excerpt.shown < excerpt.boundaries:
        title += f", {excerpt.shown} of {excerpt.boundaries} boundaries"
    lines = [fold(side, columns) if side else [] for side in (excerpt.gold, excerpt.system)]
    return Shown(title, lines[0], lines[1])


def _tokens_in_context(mismatch: Mismatch, columns: int) -> Shown:
    """What either side wrote, in brackets, with the same context on both lines."""
    sides = [
        shorten(BOUNDARY.join(map(printable, parts)), columns - 2) if parts else ""
        for parts in (mismatch.gold, mismatch.system)
    ]
    before, after = _context(mismatch, columns - widest(sides) - 2)
    lines = [[f"{before}[{side}]{after}"] if side else [] for side in sides]
    return Shown(f"{show_metric(mismatch.metric)} {mismatch.kind}", lines[0], lines[1])


def _word_in_context(mismatch: Mismatch, columns: int) -> Shown:
    """The word in brackets with its context, and below it how either side labels it."""
    word = shorten(printable(mismatch.word), columns - 2)
    before, after = _context(mismatch, columns - width_of(word) - 2)
    gold, system = (fold(side, columns) for side in show_labels(mismatch))
    gold, system = gold if mismatch.gold else [], system if mismatch.system else []
    return Shown(
        f"{show_metric(mismatch.metric)} {mismatch.kind}", gold, system, [f"{before}[{word}]{after}"]
    )


def _context(mismatch: Mismatch, room: int) -> tuple[str, str]:
    """As much as there is room for of what stands before and after."""
    before, after = printable(mismatch.before), printable(mismatch.after)
    half = max(room // 2, room - width_of(after) - 1)
    before = tail(before, half - 1) + " " if before and half > 4 else ""
    rest = room - width_of(before) - 1
    return before, " " + head(after, rest) if after and rest > 3 else ""
