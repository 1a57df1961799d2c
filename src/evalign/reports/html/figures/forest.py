"""The forest plot: for each system a point and its interval, with a line where the baseline is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from evalign.reports.html.figures.scale import Scale, fit, tick_label
from evalign.reports.html.figures.svg import line, number, svg, tag, text
from evalign.wording import shorten

WIDTH, ROW, TOP, BOTTOM = 386, 26, 34, 26
# Where names end, and where the plot does; values stand behind it.
PLOT_START, PLOT_END = 132, 330
LONGEST_NAME = 20
# Half the size of a point.
RADIUS = 4.5


class Point(NamedTuple):
    """One row: a system, or a metric; values as shown, which is in percent where they are shares."""

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    mark: str = ""
    """How it stands to the baseline: baseline, better, worse, same; nothing where that is not known."""


def forest(title: str, points: Sequence[Point], *, note: str = "") -> Markup:
    """A panel: the first point is the baseline where there are several and it says so."""
    height = TOP + ROW * len(points) + BOTTOM
    known = [v for p in points for v in (p.value, p.low, p.high) if v is not None]
    scale = fit(known, PLOT_START, PLOT_END)
    bottom = height - BOTTOM
    parts = [text(0, 16, title, class_="fig-title"), text(WIDTH, 16, note, class_="fig-note end")]
    parts += _axis(scale, bottom) if known else []
    baseline = next((p.value for p in points if p.mark == "baseline"), None)
    if baseline is not None:
        x = scale(baseline)
        parts.append(line(x, TOP - 4, x, bottom, class_="fig-baseline"))
    parts += [_row(point, scale, TOP + ROW * (k + 0.5)) for k, point in enumerate(points)]
    return svg(WIDTH, height, *parts, label=_in_words(title, points), class_="forest")


def _axis(scale: Scale, y: float) -> list[Markup]:
    ticks = scale.ticks(3)
    # More would run into each other.
    ticks = ticks[::2] if len(ticks) > 4 else ticks
    step = ticks[1] - ticks[0] if len(ticks) > 1 else 1.0
    parts = [line(PLOT_START, y, PLOT_END, y, class_="fig-axis")]
    for tick in ticks:
        x = scale(tick)
        parts.append(line(x, TOP - 4, x, y, class_="fig-grid"))
        parts.append(text(x, y + 15, tick_label(tick, step), class_="fig-tick middle"))
    return parts


def _row(point: Point, scale: Scale, y: float) -> Markup:
    name = text(0, y + 4, shorten(point.name, LONGEST_NAME), class_="fig-label small")
    parts = [tag("title", point.name), name]
    if point.value is None:
        return tag("g", *parts, text(WIDTH, y + 4, "-", class_="fig-value end"))
    if point.low is not None and point.high is not None:
        low, high = scale(point.low), scale(point.high)
        parts.append(line(low, y, high, y, class_="fig-interval"))
        parts += [line(x, y - 4, x, y + 4, class_="fig-interval") for x in (low, high)]
    parts.append(_symbol(scale(point.value), y, point.mark))
    parts.append(text(WIDTH, y + 4, f"{point.value:.2f}", class_="fig-value end"))
    return tag("g", *parts)


def _symbol(x: float, y: float, mark: str) -> Markup:
    """A diamond for the baseline, a triangle up or down for what differs beyond chance, a ring for what does not."""
    r = RADIUS + 1
    shapes = {
        "baseline": [(0, -r), (r, 0), (0, r), (-r, 0)],
        "better": [(0, -r), (r, r * 0.8), (-r, r * 0.8)],
        "worse": [(0, r), (r, -r * 0.8), (-r, -r * 0.8)],
    }
    if mark not in shapes:
        return tag("circle", cx=x, cy=y, r=RADIUS, class_=f"fig-point {mark or 'plain'}")
    corners = " ".join(f"{number(x + dx)},{number(y + dy)}" for dx, dy in shapes[mark])
    return tag("polygon", points=corners, class_=f"fig-point {mark}")


def _in_words(title: str, points: Sequence[Point]) -> str:
    told = []
    for point in points:
        value = "undefined" if point.value is None else f"{point.value:.2f}"
        if point.low is not None and point.high is not None:
            value += f", from {point.low:.2f} to {point.high:.2f}"
        told.append(f"{point.name} {value}")
    return f"{title}: {'; '.join(told)}"
