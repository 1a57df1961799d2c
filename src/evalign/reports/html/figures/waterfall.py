"""Loss by stage: from 100 down to F1, a step for each stage that cost something."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from evalign.reports.html.figures.scale import Scale
from evalign.reports.html.figures.svg import line, svg, tag, text
from evalign.wording import shorten

WIDTH, HEIGHT, TOP, BOTTOM = 380, 240, 48, 30
START, BAR = 30, 42
LONGEST_NAME = 34
# The axis begins below F1 by this share of what was lost, so that the last bar has a body.
BELOW = 0.6


def waterfall(name: str, metric: str, f1: float, stages: Sequence[tuple[str, float]]) -> Markup:
    """A panel; F1 and points in percent."""
    floor = max(0.0, f1 - max(BELOW * (100 - f1), 1.0))
    scale = Scale(floor, 100.0, HEIGHT - BOTTOM, TOP)
    step = (WIDTH - START) / (len(stages) + 2)
    parts = [text(0, 16, shorten(name, LONGEST_NAME), class_="fig-title"), *_axis(scale)]
    parts.append(_bar(START, step, scale, 100.0, floor, "whole", "100", "all right"))
    level = 100.0
    for k, (stage, points) in enumerate(stages, 1):
        left = START + step * k
        parts.append(_bar(left, step, scale, level, level - points, "lost", f"−{points:.2f}", stage))
        level -= points
    parts.append(
        _bar(START + step * (len(stages) + 1), step, scale, f1, floor, "whole", f"{f1:.2f}", f"{metric} F1")
    )
    told = ", ".join(f"{stage} {points:.2f}" for stage, points in stages)
    label = f"{name}: {metric} F1 {f1:.2f}; points lost to {told}"
    return svg(WIDTH, HEIGHT, *parts, label=label, class_="waterfall")


def _axis(scale: Scale) -> list[Markup]:
    parts = []
    for tick in scale.ticks(4):
        y = scale(tick)
        parts.append(line(START, y, WIDTH, y, class_="fig-grid"))
        parts.append(text(START - 6, y + 4, f"{tick:g}", class_="fig-tick end"))
    return parts


def _bar(
    left: float, step: float, scale: Scale, high: float, low: float, kind: str, shown: str, name: str
) -> Markup:
    """One bar with its number above and its name below; a line leads on to the next."""
    y, bottom = scale(high), scale(low)
    x = left + (step - BAR) / 2
    parts = [
        tag(
            "rect",
            x=x,
            y=y,
            width=BAR,
            height=max(bottom - y, 1.0),
            class_=f"fig-bar {kind}",
        ),
        text(x + BAR / 2, y - 6, shown, class_="fig-value middle"),
        text(x + BAR / 2, HEIGHT - BOTTOM + 17, name, class_="fig-tick middle"),
    ]
    if kind == "lost":
        parts.append(line(x - (step - BAR), y, x, y, class_="fig-lead"))
        parts.append(line(x + BAR, bottom, x + step, bottom, class_="fig-lead"))
    return tag("g", *parts)
