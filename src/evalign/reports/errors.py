"""Errors one can see: one by one as a diff, or ranked by kind and by what was written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from evalign.layers import ErrorGroup, Mismatch
from evalign.reports.escape import printable
from evalign.reports.paint import DIM, GREEN, RED, painter
from evalign.reports.table import RENDERERS, Table, render_text, shorten
from evalign.result import error_json

BOUNDARY = " ¦ "


def render_diff(mismatches: Iterable[Mismatch], *, columns: int = 100, color: bool = False) -> Iterator[str]:
    """Each error as two lines, gold's with "-" and the system's with "+", boundaries shown, text around them."""
    paint = painter(color=color)
    for mismatch in mismatches:
        places = "  ".join(
            f"{side} {printable(str(place))}"
            for side, place in (("gold", mismatch.gold_place), ("system", mismatch.system_place))
            if place
        )
        kind = f"{mismatch.metric} {mismatch.kind}" + (f" ({mismatch.trigger})" if mismatch.trigger else "")
        yield f"{kind}  {paint(places, DIM)}\n"
        around = mismatch.metric != "sentences"
        for mark, parts, tint in (("-", mismatch.gold, RED), ("+", mismatch.system, GREEN)):
            if not parts:
                continue
            text = BOUNDARY.join(map(printable, parts))
            if around:
                room = max(8, (columns - len(text) - 8) // 2)
                before = _tail(printable(mismatch.before), room)
                after = _head(printable(mismatch.after), room)
                yield f"  {paint(mark, tint)} {before} {paint(f'[{text}]', tint)} {after}\n".replace(
                    "  [", " ["
                )
            else:
                yield f"  {paint(f'{mark} {text}', tint)}\n"
        yield "\n"


def _tail(text: str, most: int) -> str:
    return text if len(text) <= most else "…" + text[-most + 1 :]


def _head(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def render_mismatches_json(mismatches: Iterable[Mismatch]) -> Iterator[str]:
    """A JSON object per error."""
    for mismatch in mismatches:
        yield json.dumps({"metric": mismatch.metric, **error_json(mismatch)}, ensure_ascii=False) + "\n"


def render_groups(
    metric: str,
    kinds: Mapping[str, int],
    groups: Sequence[ErrorGroup],
    format: str = "table",
    *,
    most: int = 20,
    columns: int = 100,
    color: bool = False,
) -> str:
    """Errors ranked: how many of each kind, then what was written, with an example's place."""
    if format == "json":
        shown = {"metric": metric, "kinds": dict(kinds), "groups": [_group_json(group) for group in groups]}
        return json.dumps(shown, ensure_ascii=False, indent=2) + "\n"
    table = Table(
        ["written", "kind", "count", "first place"], [_group_row(metric, g) for g in groups[:most]], 2
    )
    if format in RENDERERS:
        return RENDERERS[format](Table(table.headers, [_group_row(metric, g) for g in groups], 2))
    total = sum(kinds.values())
    listed = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items(), key=lambda item: -item[1]))
    head = f"{metric}: {total} errors" + (f" ({listed})" if listed else "") + "\n"
    if not groups:
        return head
    rest = len(groups) - most
    more = f"and {rest} rarer ones; --most {len(groups)} shows all\n" if rest > 0 else ""
    rows = [[shorten(row[0], max(24, columns - 52)), *row[1:3], shorten(row[3], 30)] for row in table.rows]
    return head + render_text(Table(table.headers, rows, 2), columns=columns, bold=color) + more


def _group_row(metric: str, group: ErrorGroup) -> list[str]:
    example = group.examples[0]
    if metric == "sentences":
        parts = example.gold if len(example.gold) > 1 else example.system
        edge = _tail(parts[0], 24) + BOUNDARY + _head(parts[1], 24) if len(parts) > 1 else " ".join(parts)
        written = f"{example.trigger or 'sentence'}: {edge}"
    else:
        written = f"{' '.join(group.gold) or '(nothing)'} -> {' '.join(group.system) or '(nothing)'}"
    return [written, group.kind, str(group.count), str(example.gold_place or example.system_place)]


def _group_json(group: ErrorGroup) -> dict[str, object]:
    return {
        "kind": group.kind,
        "gold": list(group.gold),
        "system": list(group.system),
        "count": group.count,
        "examples": [error_json(example) for example in group.examples],
    }
