"""Errors one by one: gold's side, the system's side, and the text around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple, TypeAlias

from evalign.metrics import Mismatch, show_metric
from evalign.metrics.errors import BOUNDARY, show_labels
from evalign.reports.escape import json_text
from evalign.reports.excerpt import take_excerpt
from evalign.reports.paint import DIM, GREEN, RED, painter
from evalign.reports.table import GAP
from evalign.results import error_json
from evalign.wording import fold, head, printable, shorten, tail, widest, width_of

_WORD = re.compile(r"[^ ]+")
# Columns that a place gets at least.
SHORTEST_PLACE = 12


Stretch: TypeAlias = tuple[int, int]
"""The start and end of some characters of a text."""


class Shown(NamedTuple):
    """An error as a diff shows it: a title, and the texts of gold, of the system and of both; empty if there is none."""

    title: str
    gold: str
    system: str
    both: str = ""
    gold_stretch: Stretch | None = None
    """What the error is about in gold's text; None if that is all of it."""
    system_stretch: Stretch | None = None


def render_diff(mismatches: Iterable[Mismatch], *, columns: int = 100, color: bool = False) -> Iterator[str]:
    """Each error as two lines, gold's with "-" and the system's with "+", boundaries shown, text around them."""
    paint = painter(color=color)
    for mismatch in mismatches:
        shown = _show(mismatch, columns - 4)
        places = [("gold", mismatch.gold_place), ("system", mismatch.system_place)]
        told = [(side, printable(str(place))) for side, place in places if place]
        yield f"{shown.title}  {paint(fit_places(told, columns - len(shown.title) - 2), DIM)}\n"
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


def _find_differing(shown: Shown) -> tuple[list[Stretch], list[Stretch]]:
    """The words that only gold's text has, and those that only the system's has.

    Of a text that the other side has no counterpart for, what the error is about.
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
    """The `lines` that a text was folded into, with some stretches of the text painted."""
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
    return Shown(title, excerpt.gold, excerpt.system)


def _tokens_in_context(mismatch: Mismatch, columns: int) -> Shown:
    """What either side wrote, in brackets, with the same context on both lines."""
    sides = [
        shorten(BOUNDARY.join(map(printable, parts)), columns - 2) if parts else ""
        for parts in (mismatch.gold, mismatch.system)
    ]
    before, after = _context(mismatch, columns - widest(sides) - 2)
    gold, system = (f"{before}[{side}]{after}" if side else "" for side in sides)
    stretches = [(len(before), len(before) + len(side) + 2) for side in sides]
    return Shown(
        f"{show_metric(mismatch.metric)} {mismatch.kind}", gold, system, "", stretches[0], stretches[1]
    )


def _word_in_context(mismatch: Mismatch, columns: int) -> Shown:
    """The word in brackets with its context, and below it how either side labels it."""
    word = shorten(printable(mismatch.word), columns - 2)
    before, after = _context(mismatch, columns - width_of(word) - 2)
    gold, system = show_labels(mismatch)
    gold, system = gold if mismatch.gold else "", system if mismatch.system else ""
    return Shown(f"{show_metric(mismatch.metric)} {mismatch.kind}", gold, system, f"{before}[{word}]{after}")


def _context(mismatch: Mismatch, room: int) -> tuple[str, str]:
    """As much as there is room for of what stands before and after."""
    before, after = printable(mismatch.before), printable(mismatch.after)
    half = max(room // 2, room - width_of(after) - 1)
    before = tail(before, half - 1) + " " if before and half > 4 else ""
    rest = room - width_of(before) - 1
    return before, " " + head(after, rest) if after and rest > 3 else ""
