"""Errors one can see: one by one as a diff, or ranked by kind and by what was written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from evalign.layers import ErrorGroup, Mismatch
from evalign.reports.escape import json_text, printable
from evalign.reports.excerpt import BOUNDARY, take_excerpt
from evalign.reports.paint import DIM, GREEN, RED, painter
from evalign.reports.table import GAP, RENDERERS, Table, render_text
from evalign.reports.width import file_name, fit_path, fold, head, shorten, tail, widest, width_of
from evalign.reports.wording import counted
from evalign.result.saved import error_json

ARROW, NOTHING = " -> ", "(nothing)"
# Columns that text must have before whole paths are shown, what a place gets otherwise, and at least.
ROOM_FOR_TEXT, LONGEST_PLACE, SHORTEST_PLACE = 40, 30, 12
# Columns of text around a boundary in a table that is no terminal's.
WIDE_EXAMPLE = 80
INDENT = 7


def render_diff(mismatches: Iterable[Mismatch], *, columns: int = 100, color: bool = False) -> Iterator[str]:
    """Each error as two lines, gold's with "-" and the system's with "+", boundaries shown, text around them."""
    paint = painter(color=color)
    for mismatch in mismatches:
        if mismatch.metric == "sentences":
            title, gold, system = _sentences_side_by_side(mismatch, columns - 4)
        else:
            title, gold, system = _tokens_in_context(mismatch, columns - 4)
        places = [("gold", mismatch.gold_place), ("system", mismatch.system_place)]
        told = [(side, printable(str(place))) for side, place in places if place]
        yield f"{title}  {paint(fit_places(told, columns - len(title) - 2), DIM)}\n"
        for mark, lines, tint in (("-", gold, RED), ("+", system, GREEN)):
            for k, line in enumerate(lines):
                yield "  " + paint(f"{' ' if k else mark} {line}", tint) + "\n"
        yield "\n"


def fit_places(places: Sequence[tuple[str, str]], room: int) -> str:
    """Sides with their places on one line: whole, else files alone, else their ends."""
    gap = " " * GAP
    forms = (
        gap.join(f"{side} {place}" for side, place in places),
        gap.join(f"{side} {file_name(place)}" for side, place in places),
        gap.join(file_name(place) for _, place in places),
    )
    each = max(SHORTEST_PLACE, (room + GAP) // max(1, len(places)) - GAP)
    shortest = gap.join(fit_path(place, each) for _, place in places)
    return next((form for form in forms if width_of(form) <= room), shortest)


def _sentences_side_by_side(mismatch: Mismatch, columns: int) -> tuple[str, list[str], list[str]]:
    parts = [tuple(map(printable, side)) for side in (mismatch.gold, mismatch.system)]
    excerpt = take_excerpt(parts[0], parts[1], columns)
    title = f"sentences {mismatch.kind}" + (f" ({mismatch.trigger})" if mismatch.trigger else "")
    if excerpt.shown < excerpt.boundaries:
        title += f", {excerpt.shown} of {excerpt.boundaries} boundaries"
    lines = [fold(side, columns) if side else [] for side in (excerpt.gold, excerpt.system)]
    return title, lines[0], lines[1]


def _tokens_in_context(mismatch: Mismatch, columns: int) -> tuple[str, list[str], list[str]]:
    """What either side wrote, in brackets, with the same context on both lines."""
    sides = [
        shorten(BOUNDARY.join(map(printable, parts)), columns - 2) if parts else ""
        for parts in (mismatch.gold, mismatch.system)
    ]
    room = columns - widest(sides) - 2
    before, after = printable(mismatch.before), printable(mismatch.after)
    half = max(room // 2, room - width_of(after) - 1)
    before = tail(before, half - 1) + " " if before and half > 4 else ""
    rest = room - width_of(before) - 1
    after = " " + head(after, rest) if after and rest > 3 else ""
    lines = [[f"{before}[{side}]{after}"] if side else [] for side in sides]
    return f"{mismatch.metric} {mismatch.kind}", lines[0], lines[1]


def render_mismatches_json(mismatches: Iterable[Mismatch]) -> Iterator[str]:
    """A JSON object per error."""
    for mismatch in mismatches:
        yield json_text({"metric": mismatch.metric, **error_json(mismatch)}) + "\n"


@dataclass(frozen=True, slots=True)
class RankedErrors:
    """The errors of a metric: how many of each kind, and what was written, commonest first."""

    metric: str
    kinds: Mapping[str, int]
    groups: Sequence[ErrorGroup]


def render_errors(
    found: Sequence[RankedErrors],
    format: str = "table",
    *,
    most: int = 20,
    columns: int = 100,
    color: bool = False,
) -> str:
    """Errors ranked: how many of each kind, then what was written, with an example's place."""
    if format == "json":
        return json_text([_ranked_json(ranked) for ranked in found], indent=2) + "\n"
    if format == "csv":
        return RENDERERS["csv"](_long_table(found))
    if format in RENDERERS:
        return "\n".join(RENDERERS[format](_wide_table(ranked)) for ranked in found)
    return "\n".join(_render_ranked(r, most or len(r.groups), columns, color=color) for r in found)


def _ranked_json(ranked: RankedErrors) -> dict[str, object]:
    groups: list[dict[str, object]] = []
    for group in ranked.groups:
        written = (
            {"trigger": group.trigger or None}
            if ranked.metric == "sentences"
            else {"gold": list(group.gold), "system": list(group.system)}
        )
        examples = [error_json(example) for example in group.examples]
        groups.append({"kind": group.kind, **written, "count": group.count, "examples": examples})
    return {"metric": ranked.metric, "kinds": dict(ranked.kinds), "groups": groups}


def _place(group: ErrorGroup) -> str:
    return str(group.examples[0].gold_place or group.examples[0].system_place or "")


def _long_table(found: Sequence[RankedErrors]) -> Table:
    """A row per metric and group; of sentences, the first example."""
    headers = ["metric", "kind", "trigger", "count", "gold", "system", "first place"]
    rows = []
    for ranked in found:
        for group in ranked.groups:
            example = group.examples[0]
            sides = [BOUNDARY.join(side) for side in (example.gold, example.system)]
            rows.append([ranked.metric, group.kind, group.trigger, str(group.count), *sides, _place(group)])
    return Table(headers, rows, "lllrnnn")


def _headers(metric: str) -> list[str]:
    return (
        ["count", "kind", "trigger", "first example", "first place"]
        if metric == "sentences"
        else ["count", "kind", "written", "first place"]
    )


def _wide_table(ranked: RankedErrors) -> Table:
    is_sentences = ranked.metric == "sentences"
    rows = [
        [
            *_labels(group, ranked.metric),
            _example(group, WIDE_EXAMPLE) if is_sentences else _written(group),
            _place(group),
        ]
        for group in ranked.groups
    ]
    return Table(_headers(ranked.metric), rows, "rlll" + "l" * is_sentences)


def _labels(group: ErrorGroup, metric: str) -> list[str]:
    labels = [str(group.count), group.kind]
    return [*labels, group.trigger] if metric == "sentences" else labels


def _render_ranked(ranked: RankedErrors, most: int, columns: int, *, color: bool) -> str:
    kinds = sorted(ranked.kinds.items(), key=lambda item: -item[1])
    listed = ", ".join(f"{count:,} {kind}" for kind, count in kinds)
    title = f"{ranked.metric}: {counted(sum(ranked.kinds.values()), 'error')}" + f" ({listed})" * bool(listed)
    groups = ranked.groups[:most]
    if not groups:
        return title + "\n"
    by_sentence = ranked.metric == "sentences"
    table = _sentence_table(groups, columns) if by_sentence else _token_table(groups, columns)
    lines = render_text(table, columns=columns, bold=color).splitlines(keepends=True)
    if by_sentence:
        examples = _examples(groups, columns - INDENT)
        below = [f"{' ' * INDENT}{example}\n" for example in examples]
        lines[1:] = chain.from_iterable(zip(lines[1:], below, strict=True))
    rest = len(ranked.groups) - most
    more = f"and {counted(rest, 'rarer one')}; --most 0 shows all\n" if rest > 0 else ""
    return "".join([title, "\n", *lines, more])


def _sentence_table(groups: Sequence[ErrorGroup], columns: int) -> Table:
    """Rows under each of which an example goes."""
    rows = [_labels(group, "sentences") for group in groups]
    headers = ["count", "kind", "trigger", "first place"]
    taken = sum(widest([headers[k], *(row[k] for row in rows)]) + GAP for k in range(3))
    places = [fit_path(printable(_place(group)), columns - taken) for group in groups]
    return Table(headers, [[*row, place] for row, place in zip(rows, places, strict=True)], "rlll")


def _token_table(groups: Sequence[ErrorGroup], columns: int) -> Table:
    """What was written gets the room that counts, kinds and names of files leave."""
    headers = _headers("tokens")
    rows = [_labels(group, "tokens") for group in groups]
    taken = sum(widest([headers[k], *(row[k] for row in rows)]) + GAP for k in range(2)) + GAP
    places = [printable(_place(group)) for group in groups]
    needed = min(ROOM_FOR_TEXT, widest(map(_written, groups)))
    if columns - taken - widest(places) < needed:
        places = [fit_path(file_name(place), LONGEST_PLACE) for place in places]
    room = max(24, columns - taken - max(widest(places), len(headers[-1])))
    written = [_written(group, room) for group in groups]
    body = [[*row, text, place] for row, text, place in zip(rows, written, places, strict=True)]
    return Table(headers, body, "rlll")


def _written(group: ErrorGroup, room: int = 0) -> str:
    """What gold wrote and what the system wrote, either shortened if there is not enough room."""
    sides = [printable(" ".join(side)) or NOTHING for side in (group.gold, group.system)]
    if room and width_of(ARROW.join(sides)) > room:
        free = room - len(ARROW)
        lesser = min(map(width_of, sides))
        longest = max(free // 2, free - lesser)
        sides = [shorten(side, longest) for side in sides]
    return ARROW.join(sides)


def _edge(group: ErrorGroup) -> tuple[str, str] | None:
    """What stands before and after the first boundary that only one side has."""
    example = group.examples[0]
    parts = example.gold if len(example.gold) > 1 else example.system
    return (printable(parts[0]), printable(parts[1])) if len(parts) > 1 else None


def _example(group: ErrorGroup, room: int, left: int = 0) -> str:
    """The text around the boundary of a group's first example, with at least `left` columns before it."""
    edge = _edge(group)
    if edge is None:
        example = group.examples[0]
        return head(printable((example.gold or example.system)[0]), room)
    free = room - len(BOUNDARY)
    before = tail(edge[0], left or max(free // 2, free - width_of(edge[1])))
    before = " " * (left - width_of(before)) + before
    return before + BOUNDARY + head(edge[1], free - width_of(before))


def _examples(groups: Sequence[ErrorGroup], room: int) -> list[str]:
    """Examples with their boundaries one under the other."""
    edges = [edge for edge in map(_edge, groups) if edge]
    free = room - len(BOUNDARY)
    before, after = widest(edge[0] for edge in edges), widest(edge[1] for edge in edges)
    left = min(before, max(free // 2, free - after))
    return [_example(group, room, left) for group in groups]
