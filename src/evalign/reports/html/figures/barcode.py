"""The barcode of a document: a tick where each error is, its shape by kind.

The same shapes are drawn by documents.js when another system or metric is chosen; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from evalign.reports.html.figures.svg import svg, tag

WIDTH, HEIGHT = 600, 18
# What a tick of each kind is, drawn from the place of the error; half ticks above and below are opposites, as are
# splits and merges, heads and labels.
SHAPES = {
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


def barcode(marks: Mapping[str, Sequence[int]], start: int, length: int, *, label: str) -> Markup:
    """The errors of one document, whose text begins at `start` of the gold line."""
    parts = [tag("rect", x=0, y=0, width=WIDTH, height=HEIGHT, class_="fig-ground")]
    for kind, positions in marks.items():
        if positions:
            places = sorted({place_of(position - start, length) for position in positions})
            path = "".join(SHAPES.get(kind, SHAPES["confused"]).format(x=x) for x in places)
            parts.append(tag("path", d=path, class_=f"tick tick-{kind}"))
    return svg(WIDTH, HEIGHT, *parts, label=label, class_="barcode", preserveAspectRatio="none")


def place_of(offset: int, length: int) -> int:
    """Where on the barcode an error is: whole pixels, so that many errors in one place are one tick."""
    return min(WIDTH - 6, max(1, int(1 + (WIDTH - 7) * offset / max(1, length))))
