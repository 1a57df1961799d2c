"""Precision and recall at every threshold: a line of steps for each system, with its thresholds marked on it.

A step is a threshold. Pairs of equal score come in together, so there is nothing between two steps, and no slope joins
them; the area under the steps is the average precision.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from evalign.reports.html.figures.ranks import COLORS, DASHES
from evalign.reports.html.figures.scale import Scale
from evalign.reports.html.figures.svg import line, number, svg, tag, text
from evalign.wording import shorten

WIDTH = 416
LEFT, RIGHT, TOP, BOTTOM = 28, 376, 26, 336
# Between the plot and the rows of the legend, and how high these are.
BELOW, ROW = 46, 23
LONGEST_NAME = 34
# Half the size of a point: the larger shape is seen around the smaller one where both are in one place.
TRAINED, ORACLE, ALL = 7.5, 12.0, 7.5
# What is nearer hides the number inside of a point.
NEAR = 14
# Where the shapes of the legend stand, two in a row.
COLUMNS = (12, 176)
# F1 that lines are drawn for, in percent.
EQUAL_F1 = (20, 40, 60, 80)

_RECALL = Scale(0, 100, LEFT, RIGHT)
_PRECISION = Scale(0, 100, BOTTOM, TOP)
_KINDS = {
    "trained": "trained threshold",
    "oracle": "oracle threshold",
    "all": "all pairs, without scores",
}


class Mark(NamedTuple):
    """Precision, recall and F1 in percent, at a threshold if there is one, as it is shown."""

    precision: float
    recall: float
    f1: float
    threshold: str = ""


class Series(NamedTuple):
    """One system."""

    name: str
    steps: Sequence[tuple[float, float]]
    """Recall and precision in percent at every threshold, highest first; nothing where there are no scores."""
    average_precision: float | None = None
    trained: Mark | None = None
    oracle: Mark | None = None
    all: Mark | None = None
    """All pairs, where there are no steps."""


def curve(systems: Sequence[Series]) -> Markup:
    """The picture, with a legend below it."""
    kinds = [kind for kind in _KINDS if any(_mark(system, kind) for system in systems)]
    height = BOTTOM + BELOW + ROW * (len(systems) + _rows(kinds))
    several = len(systems) > 1
    parts = [*_equal_f1(), *_axes()]
    parts += [_steps(k, system) for k, system in enumerate(systems) if system.steps]
    # The larger shapes below the smaller ones.
    for kind in ("oracle", "all", "trained"):
        parts += [_point(k, system, kind, several=several) for k, system in enumerate(systems)]
    parts += _legend(systems, kinds)
    return svg(WIDTH, height, *parts, label=_in_words(systems), class_="curve")


def _mark(system: Series, kind: str) -> Mark | None:
    return {"trained": system.trained, "oracle": system.oracle, "all": system.all}[kind]


def _axes() -> list[Markup]:
    parts = [
        text(0, 12, "precision", class_="fig-note"),
        text(RIGHT, BOTTOM + 33, "recall", class_="fig-note end"),
    ]
    for tick in range(0, 101, 20):
        x, y = _RECALL(tick), _PRECISION(tick)
        parts.append(line(LEFT, y, RIGHT, y, class_="fig-grid"))
        parts.append(text(LEFT - 6, y + 4, str(tick), class_="fig-tick end"))
        parts.append(text(x, BOTTOM + 17, str(tick), class_="fig-tick middle"))
    return [*parts, line(LEFT, BOTTOM, RIGHT, BOTTOM, class_="fig-axis")]


def _equal_f1() -> list[Markup]:
    """Lines of equal F1, named where recall is 100."""
    parts = []
    for f1 in EQUAL_F1:
        # R = F/2 (1 + e^u) and P = F/2 (1 + e^-u), from where precision is 100 to where recall is.
        most = math.log(200 / f1 - 1)
        places = [math.exp(most * (k - 16) / 16) for k in range(33)]
        points = [(f1 / 2 * (1 + e), f1 / 2 * (1 + 1 / e)) for e in places]
        path = "M" + "L".join(f"{number(_RECALL(r))} {number(_PRECISION(p))}" for r, p in points)
        parts.append(tag("path", d=path, class_="fig-equal"))
        parts.append(text(RIGHT + 5, _PRECISION(points[-1][1]) + 4, f"F1 {f1}", class_="fig-tick"))
    return parts


def _paint(k: int) -> str:
    return f"series series-{k % COLORS}"


def _dash(k: int) -> dict[str, str]:
    dash = DASHES[k % len(DASHES)]
    return {"stroke_dasharray": dash} if dash else {}


def _steps(k: int, system: Series) -> Markup:
    """From the highest threshold on: straight down or up to its precision, then along to its recall."""
    pieces: list[str] = []
    at = "", ""
    for recall, precision in system.steps:
        x, y = number(_RECALL(recall)), number(_PRECISION(precision))
        if not pieces:
            pieces.append(f"M{number(LEFT)} {y}")
        elif y != at[1]:
            pieces.append(f"V{y}")
        if x != at[0]:
            pieces.append(f"H{x}")
        at = x, y
    path = tag("path", d="".join(pieces), class_="fig-curve", **_dash(k))
    return tag("g", tag("title", system.name), path, class_=_paint(k))


def _point(k: int, system: Series, kind: str, *, several: bool) -> Markup:
    """A point with the number of its system inside, unless the other point of the system is in front of it."""
    mark = _mark(system, kind)
    if mark is None:
        return Markup()
    x, y = _RECALL(mark.recall), _PRECISION(mark.precision)
    other = system.trained if kind == "oracle" else None
    hidden = (
        other is not None and math.dist((x, y), (_RECALL(other.recall), _PRECISION(other.precision))) < NEAR
    )
    shown = str(k + 1) if several and not hidden else ""
    told = tag("title", f"{system.name}, {_tell(kind, mark)}")
    return tag("g", told, *_symbol(x, y, kind, shown), class_=_paint(k))


def _symbol(x: float, y: float, kind: str, shown: str, size: float = 1.0) -> list[Markup]:
    """A full disc for the threshold of training, an empty diamond for the oracle's, a full square for all pairs."""
    label = [text(x, y + 3.6, shown, class_=f"fig-number {kind} middle")] if shown else []
    if kind == "trained":
        return [tag("circle", cx=x, cy=y, r=TRAINED * size, class_="fig-mark trained"), *label]
    r = (ORACLE if kind == "oracle" else ALL) * size
    offsets = [(0, -r), (r, 0), (0, r), (-r, 0)] if kind == "oracle" else [(-r, -r), (r, -r), (r, r), (-r, r)]
    corners = " ".join(f"{number(x + dx)},{number(y + dy)}" for dx, dy in offsets)
    return [tag("polygon", points=corners, class_=f"fig-mark {kind}"), *label]


def _legend(systems: Sequence[Series], kinds: Sequence[str]) -> list[Markup]:
    """What the shapes are, then a row per system: its number, its line, its name, its average precision."""
    top = BOTTOM + BELOW + 8.0
    parts = []
    for n, kind in enumerate(kinds):
        x, y = COLUMNS[n % len(COLUMNS)], top + ROW * (n // len(COLUMNS))
        parts.append(tag("g", *_symbol(x, y, kind, "", 0.75), class_="fig-legend"))
        parts.append(text(x + 14, y + 4, _KINDS[kind], class_="fig-tick"))
    top += ROW * _rows(kinds)
    for k, system in enumerate(systems):
        y = top + ROW * k
        row = (
            [text(COLUMNS[0], y + 4, str(k + 1), class_="fig-label small middle")] if len(systems) > 1 else []
        )
        if system.steps:
            row.append(tag("path", d=f"M28 {number(y)}h34", class_="fig-curve", **_dash(k)))
        elif system.all:
            row += _symbol(45, y, "all", "", 0.75)
        row.append(text(72, y + 4, shorten(system.name, LONGEST_NAME), class_="fig-label small"))
        if system.average_precision is not None:
            row.append(text(WIDTH, y + 4, f"AP {system.average_precision:.2f}", class_="fig-value end"))
        parts.append(tag("g", tag("title", system.name), *row, class_=_paint(k)))
    return parts


def _rows(kinds: Sequence[str]) -> int:
    return -(-len(kinds) // len(COLUMNS))


def _tell(kind: str, mark: Mark) -> str:
    at = f" {mark.threshold}" if mark.threshold else ""
    return f"{_KINDS[kind]}{at}: precision {mark.precision:.2f}, recall {mark.recall:.2f}, F1 {mark.f1:.2f}"


def _in_words(systems: Sequence[Series]) -> str:
    told = []
    for system in systems:
        average = system.average_precision
        said = [] if average is None else [f"average precision {average:.2f}"]
        said += [_tell(kind, mark) for kind in _KINDS if (mark := _mark(system, kind))]
        told.append(f"{system.name}: {'; '.join(said) or 'nothing to draw'}")
    return f"Precision by recall. {'. '.join(told)}"
