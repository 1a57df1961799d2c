"""Documents: what each scored, and where in it the errors are.

A row is a document. Where gold has none, or far too many, a row is a piece of the text, cut at equal distances.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from evalign.metrics import prf
from evalign.metrics.errors import Marks, Positions, find_field, unfold
from evalign.reports.html.text import short_units
from evalign.results import Result, guess_genres

# More documents than these are shown as pieces of the text.
MOST_DOCUMENTS = 5000
# Rows drawn without a script, and for each turn of "show more" with one.
MOST_DRAWN = 200
# Into how many pieces a text without documents is cut.
STRETCHES = 40


class Row(NamedTuple):
    """A document or a piece of the text."""

    name: str
    genre: str
    start: int
    """Where it begins on the gold line."""
    length: int
    units: tuple[int, int]
    """The units it is made of: the first, and one behind the last; the same where it is a piece of one."""


class Drawn(NamedTuple):
    """A row with its errors, as it is drawn without a script."""

    row: Row
    rate: float | None
    errors: int
    marks: Mapping[str, Sequence[int]]


def find_rows(result: Result) -> list[Row]:
    """The documents, sorted as they stand in the text; pieces where there are none, or one, or too many."""
    starts, length = list(result.unit_starts), result.length
    if not starts:
        return []
    ends = [*starts[1:], length]
    if result.unit_kind == "document" and 1 < len(starts) <= MOST_DOCUMENTS:
        genres = find_genres(result)
        return [
            Row(name, genre, start, end - start, (k, k + 1))
            for k, (name, genre, start, end) in enumerate(
                zip(short_units(result.unit_names), genres, starts, ends, strict=True)
            )
        ]
    return _pieces(starts, length)


def find_genres(result: Result) -> list[str]:
    """The genre of each unit, as gold's comments or the names of documents tell it; empty where they do not."""
    key = find_field(result.unit_fields, "genre")
    if key is not None:
        return list(result.unit_fields[key])
    found = guess_genres(result.unit_names) if result.unit_kind == "document" else None
    return list(found.names) if found else [""] * len(result.unit_names)


def _pieces(starts: Sequence[int], length: int) -> list[Row]:
    """Stretches of about the same length; of whole units, if these are small enough."""
    cuts = [length * k // STRETCHES for k in range(STRETCHES + 1)]
    whole = len(starts) >= 2 * STRETCHES
    firsts = [bisect_left(starts, cut) for cut in cuts]
    if whole:
        firsts[-1] = len(starts)
        cuts = [*(starts[first] for first in firsts[:-1]), length]
    rows = []
    for k in range(STRETCHES):
        if cuts[k + 1] > cuts[k]:
            units = (firsts[k], firsts[k + 1]) if whole else (firsts[k], firsts[k])
            name = f"characters {cuts[k] + 1:,} to {cuts[k + 1]:,}"
            rows.append(Row(name, "", cuts[k], cuts[k + 1] - cuts[k], units))
    return rows


def rate_rows(
    result: Result, system: int, metric: str, rows: Sequence[Row], marks: Marks
) -> list[float | None]:
    """What F1 of each row lacks of 100; of a piece of a unit, of which F1 is not known, errors per 100 characters."""
    score = result.systems[system].scores.get(metric)
    if score is None or not score.available or not rows:
        return [None] * len(rows)
    if rows[0].units[0] == rows[0].units[1]:
        found = count_errors(marks.get(metric, {}), rows)
        return [100 * n / row.length if row.length else None for n, row in zip(found, rows, strict=True)]
    columns = [score.layer.fields.index(name) for name in ("correct", "gold", "system")]
    sums = np.zeros((len(score.units) + 1, 3), np.int64)
    np.cumsum(score.units[:, columns], axis=0, out=sums[1:])
    rates: list[float | None] = []
    for row in rows:
        correct, gold, system_ = (sums[row.units[1]] - sums[row.units[0]]).tolist()
        f1 = prf({"correct": correct, "gold": gold, "system": system_})["f1"]
        rates.append(None if f1 is None else round(100 - 100 * f1, 2))
    return rates


def count_errors(kinds: Mapping[str, Positions], rows: Sequence[Row]) -> list[int]:
    """How many errors are in each row; of errors that are counted together, where the first of them is."""
    found = [unfold(marks) for marks in kinds.values()]
    return [
        sum(
            before[bisect_left(places, row.start + row.length)] - before[bisect_left(places, row.start)]
            for places, before in found
        )
        for row in rows
    ]


def draw_rows(
    rows: Sequence[Row], rates: Sequence[float | None], kinds: Mapping[str, Positions]
) -> list[Drawn]:
    """The rows with most errors, by genre and then by rate."""
    counts = count_errors(kinds, rows)
    order = sorted(range(len(rows)), key=lambda k: (-counts[k], -(rates[k] or 0), k))[:MOST_DRAWN]
    order.sort(key=lambda k: (rows[k].genre, -(rates[k] or 0), k))
    places = {kind: unfold(marks).positions for kind, marks in kinds.items()}
    return [Drawn(rows[k], rates[k], counts[k], _within(places, rows[k])) for k in order]


def _within(kinds: Mapping[str, Sequence[int]], row: Row) -> dict[str, Sequence[int]]:
    found = {}
    for kind, places in kinds.items():
        some = places[bisect_left(places, row.start) : bisect_left(places, row.start + row.length)]
        if some:
            found[kind] = some
    return found
