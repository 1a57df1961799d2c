"""The section on documents: the score of each document, and where in it the errors are.

A row is a document. If gold has none, or too many, a row is a piece of the text, cut at equal distances.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from evalign.metrics.counts import prf
from evalign.metrics.errors.positions import Marks, Positions, unfold_positions
from evalign.metrics.errors.sentence_groups import find_field
from evalign.reports.html.figures import svg, tag
from evalign.reports.html.markup import embed, metric_name, shorten_units, visible
from evalign.results.result import Result
from evalign.results.split import guess_genres
from evalign.wording import decimal

# With more documents than this, pieces of the text are shown instead.
MOST_DOCUMENTS = 5000
# Number of rows drawn without a script, and for each "show more" with one.
MOST_DRAWN = 200
# Number of pieces that a text without documents is cut into.
MOST_PIECES = 40
ERROR_RATE = "error rate"


class TextPiece(NamedTuple):
    """A document or a piece of the text."""

    name: str
    genre: str
    start: int
    """Position on the gold line where it begins."""
    length: int
    """Length on the gold line, in characters."""
    units: tuple[int, int]
    """Range of the units it consists of, the end exclusive; empty if it is a piece of one unit."""


class DrawnDocument(NamedTuple):
    """A row of the table as shown without a script."""

    name: str
    genre: str
    rate: str
    errors: int
    picture: Markup


class DocumentSection(NamedTuple):
    """The documents of a run: the first ones drawn, all of them as data."""

    system: str
    metric: str
    kind: str
    """Name for a row: document or piece."""
    rate: str
    """Name for the number of a row: error rate, or errors per 100 characters."""
    total: int
    lines: Sequence[DrawnDocument]
    data: Markup


def find_pieces(result: Result) -> list[TextPiece]:
    """Return the documents in the order of the text; pieces if there are fewer than two or too many."""
    starts, length = list(result.unit_starts), result.length
    if not starts:
        return []
    ends = [*starts[1:], length]
    if result.unit_kind == "document" and 1 < len(starts) <= MOST_DOCUMENTS:
        genres = find_genres(result)
        return [
            TextPiece(name, genre, start, end - start, (k, k + 1))
            for k, (name, genre, start, end) in enumerate(
                zip(shorten_units(result.unit_names), genres, starts, ends, strict=True)
            )
        ]
    return _pieces(starts, length)


def find_genres(result: Result) -> list[str]:
    """Return the genre of each unit, from comments of gold or names of documents; "" if unknown."""
    key = find_field(result.unit_fields, "genre")
    if key is not None:
        return list(result.unit_fields[key])
    genres = guess_genres(result.unit_names) if result.unit_kind == "document" else None
    return list(genres.names) if genres else [""] * len(result.unit_names)


def _pieces(starts: Sequence[int], length: int) -> list[TextPiece]:
    """Cut the text into pieces of about the same length; of whole units, if these are small enough."""
    cuts = [length * k // MOST_PIECES for k in range(MOST_PIECES + 1)]
    whole = len(starts) >= 2 * MOST_PIECES
    firsts = [bisect_left(starts, cut) for cut in cuts]
    if whole:
        firsts[-1] = len(starts)
        cuts = [*(starts[first] for first in firsts[:-1]), length]
    rows = []
    for k in range(MOST_PIECES):
        if cuts[k + 1] > cuts[k]:
            units = (firsts[k], firsts[k + 1]) if whole else (firsts[k], firsts[k])
            name = f"characters {cuts[k] + 1:,} to {cuts[k + 1]:,}"
            rows.append(TextPiece(name, "", cuts[k], cuts[k + 1] - cuts[k], units))
    return rows


def rate_pieces(
    result: Result, system: int, metric: str, rows: Sequence[TextPiece], marks: Marks
) -> list[float | None]:
    """Return the error rate of each row, 100 minus F1.

    For pieces of a unit, which have no F1, return errors per 100 characters instead. None where undefined.
    """
    score = result.systems[system].scores.get(metric)
    if score is None or not score.available or not rows:
        return [None] * len(rows)
    if rows[0].units[0] == rows[0].units[1]:
        counts = count_errors(marks.get(metric, {}), rows)
        return [100 * n / row.length if row.length else None for n, row in zip(counts, rows, strict=True)]
    columns = [score.metric.fields.index(name) for name in ("correct", "gold", "system")]
    sums = np.zeros((len(score.units) + 1, 3), np.int64)
    np.cumsum(score.units[:, columns], axis=0, out=sums[1:])
    rates: list[float | None] = []
    for row in rows:
        correct, gold, system_ = (sums[row.units[1]] - sums[row.units[0]]).tolist()
        f1 = prf({"correct": correct, "gold": gold, "system": system_})["f1"]
        rates.append(None if f1 is None else round(100 - 100 * f1, 2))
    return rates


def count_errors(kinds: Mapping[str, Positions], rows: Sequence[TextPiece]) -> list[int]:
    """Count the errors in each row; errors recorded together belong to the row of the first of them."""
    unfolded = [unfold_positions(marks) for marks in kinds.values()]
    return [
        sum(
            before[bisect_left(places, row.start + row.length)] - before[bisect_left(places, row.start)]
            for places, before in unfolded
        )
        for row in rows
    ]


def draw_pieces(
    rows: Sequence[TextPiece], rates: Sequence[float | None], kinds: Mapping[str, Positions]
) -> list[DrawnDocument]:
    """Draw the rows with most errors, sorted by genre and then by rate, highest first."""
    counts = count_errors(kinds, rows)
    order = sorted(range(len(rows)), key=lambda k: (-counts[k], -(rates[k] or 0), k))[:MOST_DRAWN]
    order.sort(key=lambda k: (rows[k].genre, -(rates[k] or 0), k))
    places = {kind: unfold_positions(marks).positions for kind, marks in kinds.items()}
    return [
        DrawnDocument(
            visible(rows[k].name) or "(no name)",
            visible(rows[k].genre),
            decimal(rates[k]),
            counts[k],
            draw_barcode(
                _within(places, rows[k]), rows[k].start, rows[k].length, label=f"{counts[k]} errors"
            ),
        )
        for k in order
    ]


def _within(kinds: Mapping[str, Sequence[int]], row: TextPiece) -> dict[str, Sequence[int]]:
    positions = {}
    for kind, places in kinds.items():
        some = places[bisect_left(places, row.start) : bisect_left(places, row.start + row.length)]
        if some:
            positions[kind] = some
    return positions


def make_document_section(
    result: Result, names: Sequence[str], marks: Sequence[Marks]
) -> DocumentSection | None:
    """Make the section for the first system that has errors, in the metric that has most of them.

    `names` are those of the systems, `marks` their errors by metric and kind. None if nothing can be shown.
    """
    rows = find_pieces(result)
    system = next((k for k, by_metric in enumerate(marks) if any(map(_count_all, by_metric.values()))), None)
    if not rows or system is None:
        return None
    metric = max(marks[system], key=lambda name: _count_all(marks[system][name]))
    rates = rate_pieces(result, system, metric, rows, marks[system])
    whole = rows[0].units[1] > rows[0].units[0]
    return DocumentSection(
        names[system],
        metric_name(metric),
        "document"
        if result.unit_kind == "document" and rows[0].units[1] - rows[0].units[0] == 1
        else "piece",
        ERROR_RATE if whole else "errors per 100 characters",
        len(rows),
        draw_pieces(rows, rates, marks[system][metric]),
        embed({"rows": rows, "system": system, "metric": metric, "most": MOST_DRAWN}),
    )


def _count_all(kinds: Mapping[str, Positions]) -> int:
    return sum(unfold_positions(marks).before[-1] for marks in kinds.values())


# The barcode of a document has a tick where each error is; its shape shows the kind.
#
# documents.js draws the same shapes when another system or metric is chosen; a test compares the two.


BARCODE_WIDTH, BARCODE_HEIGHT = 600, 18
# SVG path of a tick by kind of error, from its x. Ticks of opposite kinds (split and merge, head and label) are
# lower and upper halves.
BARCODE_SHAPES = {
    "split": "M{x} 9v9",
    "merge": "M{x} 0v9",
    "shifted": "M{x} 0l3 6l-3 6l3 6",
    "missing": "M{x} 5h4v8h-4z",
    "inserted": "M{x} 0v3m0 3v3m0 3v3m0 3v3",
    "rewritten": "M{x} 4l5 10m0 -10l-5 10",
    "confused": "M{x} 3v12",
    "label": "M{x} 0v9",
    "head": "M{x} 9v9",
    "both": "M{x} 0v18",
    "crossing": "M{x} 4l5 10m0 -10l-5 10",
}


def draw_barcode(marks: Mapping[str, Sequence[int]], start: int, length: int, *, label: str) -> Markup:
    """Draw the errors of a document, whose text begins at `start` on the gold line."""
    parts = [tag("rect", x=0, y=0, width=BARCODE_WIDTH, height=BARCODE_HEIGHT, class_="fig-ground")]
    for kind, positions in marks.items():
        if positions:
            places = sorted({place_tick(position - start, length) for position in positions})
            path = "".join(BARCODE_SHAPES.get(kind, BARCODE_SHAPES["confused"]).format(x=x) for x in places)
            parts.append(tag("path", d=path, class_=f"tick tick-{kind}"))
    return svg(
        BARCODE_WIDTH, BARCODE_HEIGHT, *parts, label=label, class_="barcode", preserveAspectRatio="none"
    )


def place_tick(offset: int, length: int) -> int:
    """Return the x of an error in whole pixels, so that many errors at one place are one tick."""
    return min(BARCODE_WIDTH - 6, max(1, int(1 + (BARCODE_WIDTH - 7) * offset / max(1, length))))
