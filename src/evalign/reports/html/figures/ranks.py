"""Rank changes: a line per system over the metrics, named at both ends, the best on top."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from evalign.reports.html.figures.svg import number, svg, tag, text
from evalign.wording import shorten, widest

ROW, TOP, BOTTOM = 34, 40, 12
# The picture is as wide as a page has room for, unless metrics would be too close to each other, or too far apart.
WIDTH, NEAREST, FARTHEST = 1120, 84, 150
# What a node with its value takes.
NODE, NODE_HEIGHT = 52, 22
LONGEST_NAME = 30
# Room for a column of text, and between names and lines.
COLUMN, GAP = 7.2, 12
# Colours and dashes there are; a system after the last gets the first colour with another dash.
COLORS = 8
DASHES = ("", "6 3", "2 3", "8 3 2 3")


class Ranked(NamedTuple):
    """A metric: what it is called, and what each system has, None where that is undefined."""

    name: str
    values: Sequence[float | None]
    lower_is_better: bool = False


def rank(metric: Ranked, before: Sequence[int]) -> list[int]:
    """The place of each system, from 0; equal ones stay in the order they had before, undefined ones are last."""

    def key(system: int) -> tuple[bool, float, int]:
        value = metric.values[system]
        if value is None:
            return True, 0.0, before[system]
        shown = round(value, 2)
        return False, shown if metric.lower_is_better else -shown, before[system]

    order = sorted(range(len(metric.values)), key=key)
    return [order.index(system) for system in range(len(order))]


def rank_systems(metrics: Sequence[Ranked]) -> list[list[int]]:
    """The places of all systems in one metric after the other."""
    places: list[list[int]] = []
    for metric in metrics:
        places.append(rank(metric, places[-1] if places else range(len(metric.values))))
    return places


def ranks(systems: Sequence[str], metrics: Sequence[Ranked]) -> Markup:
    """The picture."""
    names = [shorten(name, LONGEST_NAME) for name in systems]
    margin = widest(names) * COLUMN + GAP + NODE / 2
    gaps = max(1, len(metrics) - 1)
    step = max(NEAREST, min(FARTHEST, (WIDTH - 2 * margin) / gaps), COLUMN * widest(m.name for m in metrics))
    width = 2 * margin + step * gaps
    height = TOP + ROW * len(systems) + BOTTOM
    places = rank_systems(metrics)
    xs = [margin + step * k for k in range(len(metrics))]
    heads = [
        text(x, 18, metric.name, class_="fig-title middle") for x, metric in zip(xs, metrics, strict=True)
    ]
    lines = [
        _system(k, names[k], xs, [place[k] for place in places], [metric.values[k] for metric in metrics])
        for k in range(len(systems))
    ]
    return svg(width, height, *heads, *lines, label=_in_words(systems, metrics, places), class_="ranks")


def _system(
    number_: int, name: str, xs: Sequence[float], places: Sequence[int], values: Sequence[float | None]
) -> Markup:
    ys = [TOP + ROW * (place + 0.5) for place in places]
    paint = f"series series-{number_ % COLORS}"
    dash = DASHES[number_ // COLORS % len(DASHES)]
    # A line of width 0 needs no dash; one without dashes must not have the attribute.
    extra = {"stroke_dasharray": dash} if dash else {}
    parts = [tag("title", name), tag("path", d=_path(xs, ys), class_="fig-track", **extra)]
    for x, y, value in zip(xs, ys, values, strict=True):
        box = {"x": x - NODE / 2, "y": y - NODE_HEIGHT / 2, "width": NODE, "height": NODE_HEIGHT, "rx": 11}
        shown = "-" if value is None else f"{value:.2f}"
        parts.append(tag("rect", class_="fig-node", **box))
        parts.append(text(x, y + 4, shown, class_="fig-value middle"))
    ends = GAP + NODE / 2 - 4
    parts.append(text(xs[0] - ends, ys[0] + 4, name, class_="fig-label end"))
    parts.append(text(xs[-1] + ends, ys[-1] + 4, name, class_="fig-label"))
    return tag("g", *parts, class_=paint)


def _path(xs: Sequence[float], ys: Sequence[float]) -> str:
    """A line that leaves and reaches every node level."""
    pieces = [f"M{number(xs[0])} {number(ys[0])}"]
    for (x1, y1), (x2, y2) in zip(zip(xs, ys, strict=True), list(zip(xs, ys, strict=True))[1:], strict=False):
        half = (x1 + x2) / 2
        pieces.append(f"C{number(half)} {number(y1)} {number(half)} {number(y2)} {number(x2)} {number(y2)}")
    return "".join(pieces)


def _in_words(systems: Sequence[str], metrics: Sequence[Ranked], places: Sequence[Sequence[int]]) -> str:
    told = []
    for metric, place in zip(metrics, places, strict=True):
        order = sorted(range(len(systems)), key=place.__getitem__)
        told.append(f"{metric.name}: {', '.join(systems[k] for k in order)}")
    return f"Systems from best to worst. {'. '.join(told)}"
