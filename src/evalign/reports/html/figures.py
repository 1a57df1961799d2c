"""Figures of the page as inline SVG, drawn without a browser: forest plots, ranks, losses by stage.

Elements and scales come first, then each figure. The barcodes of documents and the curve of pairs are drawn
in the modules of their sections with these elements.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from evalign.reports.html.markup import visible
from evalign.wording import shorten, widest

# Elements of SVG: strings in them are escaped, only elements (Markup) are not.


def tag(name: str, *children: str, **attributes: str | float) -> Markup:
    """Return an element; `class_` becomes the attribute class, `stroke_width` becomes stroke-width.

    >>> print(tag("text", "a < b", x=1.50, class_="label"))
    <text x="1.5" class="label">a &lt; b</text>
    """
    written = [Markup('{}="{}"').format(_attribute(key), _shown(value)) for key, value in attributes.items()]
    inner = Markup("").join(_child(child) for child in children)
    return Markup("<{}>{}</{}>").format(Markup(" ").join([Markup(name), *written]), inner, Markup(name))


def svg(width: float, height: float, *children: str, label: str, **attributes: str | float) -> Markup:
    """Return an SVG picture of `children`; `label` describes it for screen readers."""
    box = f"0 0 {number(width)} {number(height)}"
    return tag(
        "svg", *children, viewBox=box, width=width, height=height, role="img", aria_label=label, **attributes
    )


def text(x: float, y: float, content: str, **attributes: str | float) -> Markup:
    """Return a text element."""
    return tag("text", content, x=x, y=y, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, **attributes: str | float) -> Markup:
    """Return a line element."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)


def number(value: float) -> str:
    """Format a coordinate with at most two decimals.

    >>> number(3.14159), number(2.0), number(-0.001)
    ('3.14', '2', '0')
    """
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def _attribute(key: str) -> Markup:
    # Capitals are kept: SVG has names like viewBox.
    return Markup(key.rstrip("_").replace("_", "-"))


def _shown(value: str | float) -> str:
    return visible(value) if isinstance(value, str) else number(value)


def _child(child: str) -> Markup:
    return child if isinstance(child, Markup) else escape(visible(child))


# Scales and axes.


# Steps of an axis are these times a power of ten.
_STEPS = (1, 2, 2.5, 5, 10)


class Scale(NamedTuple):
    """A linear map from values (low to high) to coordinates (start to end)."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the coordinate of a value."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, about: int = 4) -> list[float]:
        """Return round values within the scale, about as many as `about`.

        >>> Scale(77.2, 98.9, 0, 100).ticks()
        [80.0, 85.0, 90.0, 95.0]
        """
        step = _round_step((self.high - self.low) / about)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [k * step for k in range(first, last + 1)]


def fit_scale(values: Iterable[float], start: float, end: float, *, room: float = 0.06) -> Scale:
    """Return a scale that holds all values with some room at both ends.

    A single value gets room around it too. The scale goes below 0 only if a value does.
    """
    numbers = list(values) or [0.0]
    low, high = min(numbers), max(numbers)
    spare = (high - low) * room or max(abs(high) * 0.01, 1.0)
    # Values that are never negative need no room below 0.
    return Scale(low - spare if low < 0 else max(low - spare, 0.0), high + spare, start, end)


def tick_label(value: float, step: float) -> str:
    """Format a value for an axis, with the decimals that its `step` has.

    >>> tick_label(80.0, 5.0), tick_label(0.25, 0.05)
    ('80', '0.25')
    """
    decimals = max(0, -math.floor(math.log10(step) + 1e-9)) if step else 0
    if step and abs(round(step, decimals) - step) > 1e-9:
        decimals += 1
    return f"{value:.{decimals}f}"


def _round_step(wanted: float) -> float:
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(step * power for step in _STEPS if step * power >= 0.7 * wanted)


# The forest plot: for each system a point and its interval, with a line where the baseline is.


FOREST_WIDTH, FOREST_ROW, FOREST_TOP, FOREST_BOTTOM = 386, 26, 34, 26
# Where the plot begins, after the names, and where it ends, before the values.
PLOT_START, PLOT_END = 132, 330
LONGEST_FOREST_NAME = 20
# Half the size of a point.
FOREST_RADIUS = 4.5


class ForestPoint(NamedTuple):
    """A row of a forest plot: a system or a metric. Values are as shown, shares in percent."""

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    mark: str = ""
    """How the row compares with the baseline: "baseline", "better", "worse" or "same"; "" if unknown."""


def draw_forest(title: str, points: Sequence[ForestPoint], *, note: str = "") -> Markup:
    """Draw a forest plot: a point and its interval per row, with a line at the point marked "baseline"."""
    height = FOREST_TOP + FOREST_ROW * len(points) + FOREST_BOTTOM
    numbers = [v for p in points for v in (p.value, p.low, p.high) if v is not None]
    scale = fit_scale(numbers, PLOT_START, PLOT_END)
    bottom = height - FOREST_BOTTOM
    parts = [text(0, 16, title, class_="fig-title"), text(FOREST_WIDTH, 16, note, class_="fig-note end")]
    parts += _forest_axis(scale, bottom) if numbers else []
    baseline = next((p.value for p in points if p.mark == "baseline"), None)
    if baseline is not None:
        x = scale(baseline)
        parts.append(line(x, FOREST_TOP - 4, x, bottom, class_="fig-baseline"))
    parts += [
        _forest_row(point, scale, FOREST_TOP + FOREST_ROW * (k + 0.5)) for k, point in enumerate(points)
    ]
    return svg(FOREST_WIDTH, height, *parts, label=_forest_in_words(title, points), class_="forest")


def _forest_axis(scale: Scale, y: float) -> list[Markup]:
    ticks = scale.ticks(3)
    # More labels would overlap.
    ticks = ticks[::2] if len(ticks) > 4 else ticks
    step = ticks[1] - ticks[0] if len(ticks) > 1 else 1.0
    parts = [line(PLOT_START, y, PLOT_END, y, class_="fig-axis")]
    for tick in ticks:
        x = scale(tick)
        parts.append(line(x, FOREST_TOP - 4, x, y, class_="fig-grid"))
        parts.append(text(x, y + 15, tick_label(tick, step), class_="fig-tick middle"))
    return parts


def _forest_row(point: ForestPoint, scale: Scale, y: float) -> Markup:
    name = text(0, y + 4, shorten(point.name, LONGEST_FOREST_NAME), class_="fig-label small")
    parts = [tag("title", point.name), name]
    if point.value is None:
        return tag("g", *parts, text(FOREST_WIDTH, y + 4, "-", class_="fig-value end"))
    if point.low is not None and point.high is not None:
        low, high = scale(point.low), scale(point.high)
        parts.append(line(low, y, high, y, class_="fig-interval"))
        parts += [line(x, y - 4, x, y + 4, class_="fig-interval") for x in (low, high)]
    parts.append(_forest_symbol(scale(point.value), y, point.mark))
    parts.append(text(FOREST_WIDTH, y + 4, f"{point.value:.2f}", class_="fig-value end"))
    return tag("g", *parts)


def _forest_symbol(x: float, y: float, mark: str) -> Markup:
    """Return the symbol of a point.

    A diamond is the baseline, triangles up and down are significantly better and worse, a ring is anything
    else.
    """
    r = FOREST_RADIUS + 1
    shapes = {
        "baseline": [(0, -r), (r, 0), (0, r), (-r, 0)],
        "better": [(0, -r), (r, r * 0.8), (-r, r * 0.8)],
        "worse": [(0, r), (r, -r * 0.8), (-r, -r * 0.8)],
    }
    if mark not in shapes:
        return tag("circle", cx=x, cy=y, r=FOREST_RADIUS, class_=f"fig-point {mark or 'plain'}")
    corners = " ".join(f"{number(x + dx)},{number(y + dy)}" for dx, dy in shapes[mark])
    return tag("polygon", points=corners, class_=f"fig-point {mark}")


def _forest_in_words(title: str, points: Sequence[ForestPoint]) -> str:
    descriptions = []
    for point in points:
        value = "undefined" if point.value is None else f"{point.value:.2f}"
        if point.low is not None and point.high is not None:
            value += f", from {point.low:.2f} to {point.high:.2f}"
        descriptions.append(f"{point.name} {value}")
    return f"{title}: {'; '.join(descriptions)}"


# Ranks: a line per system over the metrics, named at both ends, the best on top.


RANKS_ROW, RANKS_TOP, RANKS_BOTTOM = 34, 40, 12
# Width of the picture, and limits for the distance between metrics, which take precedence.
RANKS_WIDTH, NEAREST, FARTHEST = 1120, 84, 150
# Size of a node, which holds a value.
NODE, NODE_HEIGHT = 52, 22
LONGEST_RANKED_NAME = 30
# Width of a character, and the gap between names and lines.
RANKS_COLUMN, RANKS_GAP = 7.2, 12
# Number of colours, and the dashes; systems beyond the last colour get the first one with another dash.
COLORS = 8
DASHES = ("", "6 3", "2 3", "8 3 2 3")


class RankedMetric(NamedTuple):
    """A metric and the value of each system, None where undefined."""

    name: str
    values: Sequence[float | None]
    lower_is_better: bool = False


def rank_values(metric: RankedMetric, before: Sequence[int]) -> list[int]:
    """Return the rank of each system, from 0.

    Values that are equal as shown keep the order of the ranks `before`; undefined ones are last.
    """

    def key(system: int) -> tuple[bool, float, int]:
        value = metric.values[system]
        if value is None:
            return True, 0.0, before[system]
        shown = round(value, 2)
        return False, shown if metric.lower_is_better else -shown, before[system]

    order = sorted(range(len(metric.values)), key=key)
    return [order.index(system) for system in range(len(order))]


def rank_systems(metrics: Sequence[RankedMetric]) -> list[list[int]]:
    """Return the ranks of all systems in each metric, in order."""
    places: list[list[int]] = []
    for metric in metrics:
        places.append(rank_values(metric, places[-1] if places else range(len(metric.values))))
    return places


def draw_ranks(systems: Sequence[str], metrics: Sequence[RankedMetric]) -> Markup:
    """Draw a line per system through its ranks in the metrics."""
    names = [shorten(name, LONGEST_RANKED_NAME) for name in systems]
    margin = widest(names) * RANKS_COLUMN + RANKS_GAP + NODE / 2
    gaps = max(1, len(metrics) - 1)
    step = max(
        NEAREST,
        min(FARTHEST, (RANKS_WIDTH - 2 * margin) / gaps),
        RANKS_COLUMN * widest(m.name for m in metrics),
    )
    width = 2 * margin + step * gaps
    height = RANKS_TOP + RANKS_ROW * len(systems) + RANKS_BOTTOM
    places = rank_systems(metrics)
    xs = [margin + step * k for k in range(len(metrics))]
    heads = [
        text(x, 18, metric.name, class_="fig-title middle") for x, metric in zip(xs, metrics, strict=True)
    ]
    lines = [
        _ranked_system(
            k, names[k], xs, [place[k] for place in places], [metric.values[k] for metric in metrics]
        )
        for k in range(len(systems))
    ]
    return svg(width, height, *heads, *lines, label=_ranks_in_words(systems, metrics, places), class_="ranks")


def _ranked_system(
    number_: int, name: str, xs: Sequence[float], places: Sequence[int], values: Sequence[float | None]
) -> Markup:
    ys = [RANKS_TOP + RANKS_ROW * (place + 0.5) for place in places]
    paint = f"series series-{number_ % COLORS}"
    dash = DASHES[number_ // COLORS % len(DASHES)]
    # A solid line must not have the attribute.
    extra = {"stroke_dasharray": dash} if dash else {}
    parts = [tag("title", name), tag("path", d=_rank_path(xs, ys), class_="fig-track", **extra)]
    for x, y, value in zip(xs, ys, values, strict=True):
        box = {"x": x - NODE / 2, "y": y - NODE_HEIGHT / 2, "width": NODE, "height": NODE_HEIGHT, "rx": 11}
        shown = "-" if value is None else f"{value:.2f}"
        parts.append(tag("rect", class_="fig-node", **box))
        parts.append(text(x, y + 4, shown, class_="fig-value middle"))
    ends = RANKS_GAP + NODE / 2 - 4
    parts.append(text(xs[0] - ends, ys[0] + 4, name, class_="fig-label end"))
    parts.append(text(xs[-1] + ends, ys[-1] + 4, name, class_="fig-label"))
    return tag("g", *parts, class_=paint)


def _rank_path(xs: Sequence[float], ys: Sequence[float]) -> str:
    """Return a path that enters and leaves every node horizontally."""
    pieces = [f"M{number(xs[0])} {number(ys[0])}"]
    for (x1, y1), (x2, y2) in zip(zip(xs, ys, strict=True), list(zip(xs, ys, strict=True))[1:], strict=False):
        half = (x1 + x2) / 2
        pieces.append(f"C{number(half)} {number(y1)} {number(half)} {number(y2)} {number(x2)} {number(y2)}")
    return "".join(pieces)


def _ranks_in_words(
    systems: Sequence[str], metrics: Sequence[RankedMetric], places: Sequence[Sequence[int]]
) -> str:
    orders = []
    for metric, place in zip(metrics, places, strict=True):
        order = sorted(range(len(systems)), key=place.__getitem__)
        orders.append(f"{metric.name}: {', '.join(systems[k] for k in order)}")
    return f"Systems from best to worst. {'. '.join(orders)}"


# Losses by stage: steps from 100 down to F1.


LOSS_WIDTH, LOSS_HEIGHT, LOSS_TOP, LOSS_BOTTOM = 380, 240, 48, 30
LOSS_START, LOSS_BAR = 30, 42
LONGEST_LOSS_NAME = 34
# The axis begins below F1 by this share of what was lost, so that the last bar has a body.
LOSS_BELOW = 0.6


def draw_waterfall(name: str, metric: str, f1: float, stages: Sequence[tuple[str, float]]) -> Markup:
    """Draw the loss by stage of processing: bars that step from 100 down to F1.

    `f1` and the points of each of the `stages` are in percent.
    """
    floor = max(0.0, f1 - max(LOSS_BELOW * (100 - f1), 1.0))
    scale = Scale(floor, 100.0, LOSS_HEIGHT - LOSS_BOTTOM, LOSS_TOP)
    step = (LOSS_WIDTH - LOSS_START) / (len(stages) + 2)
    parts = [text(0, 16, shorten(name, LONGEST_LOSS_NAME), class_="fig-title"), *_loss_axis(scale)]
    parts.append(_loss_bar(LOSS_START, step, scale, 100.0, floor, "whole", "100", "all right"))
    level = 100.0
    for k, (stage, points) in enumerate(stages, 1):
        left = LOSS_START + step * k
        parts.append(_loss_bar(left, step, scale, level, level - points, "lost", f"−{points:.2f}", stage))
        level -= points
    parts.append(
        _loss_bar(
            LOSS_START + step * (len(stages) + 1),
            step,
            scale,
            f1,
            floor,
            "whole",
            f"{f1:.2f}",
            f"{metric} F1",
        )
    )
    losses = ", ".join(f"{stage} {points:.2f}" for stage, points in stages)
    label = f"{name}: {metric} F1 {f1:.2f}; points lost to {losses}"
    return svg(LOSS_WIDTH, LOSS_HEIGHT, *parts, label=label, class_="waterfall")


def _loss_axis(scale: Scale) -> list[Markup]:
    parts = []
    for tick in scale.ticks(4):
        y = scale(tick)
        parts.append(line(LOSS_START, y, LOSS_WIDTH, y, class_="fig-grid"))
        parts.append(text(LOSS_START - 6, y + 4, f"{tick:g}", class_="fig-tick end"))
    return parts


def _loss_bar(
    left: float, step: float, scale: Scale, high: float, low: float, kind: str, shown: str, name: str
) -> Markup:
    """Return a bar with its number above, its name below, and a line that leads to the next."""
    y, bottom = scale(high), scale(low)
    x = left + (step - LOSS_BAR) / 2
    parts = [
        tag(
            "rect",
            x=x,
            y=y,
            width=LOSS_BAR,
            height=max(bottom - y, 1.0),
            class_=f"fig-bar {kind}",
        ),
        text(x + LOSS_BAR / 2, y - 6, shown, class_="fig-value middle"),
        text(x + LOSS_BAR / 2, LOSS_HEIGHT - LOSS_BOTTOM + 17, name, class_="fig-tick middle"),
    ]
    if kind == "lost":
        parts.append(line(x - (step - LOSS_BAR), y, x, y, class_="fig-lead"))
        parts.append(line(x + LOSS_BAR, bottom, x + step, bottom, class_="fig-lead"))
    return tag("g", *parts)
