"""What was counted, metric by metric and system by system: the numbers behind the overview."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evalign.reports.html.text import metric_name
from evalign.reports.verdict import Numbers
from evalign.wording import RATIOS, decimal, name_ratio, percent

COUNTS = ("correct", "gold", "system")


class Grid(NamedTuple):
    """A table: headers, and rows of a metric, a name and numbers."""

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]


def make_counts(numbers: Numbers) -> list[Grid]:
    """Metrics of spans in one table, all others, measure by measure, in another; each only where there are some."""
    spans = [m for m, layer in numbers.layers.items() if {*COUNTS} <= {*layer.fields}]
    others = [metric for metric in numbers.layers if metric not in spans]
    grids = [_span_grid(numbers, spans), _measure_grid(numbers, others)]
    return [grid for grid in grids if grid.rows]


def _span_grid(numbers: Numbers, metrics: Sequence[str]) -> Grid:
    found = {ratio for m in metrics for score in [numbers.score(0, m)] if score for ratio in score.ratios}
    ratios = [ratio for ratio in RATIOS if ratio in found]
    rows = []
    for metric in metrics:
        for k, name in enumerate(numbers.names):
            if numbers.has_failed(k, metric):
                rows.append([metric_name(metric), name, *["failed"] * (len(COUNTS) + len(ratios))])
                continue
            score = numbers.score(k, metric)
            known = score is not None and score.available
            counts = [f"{score.counts[c]:,}" if score and known else "-" for c in COUNTS]
            shares = [
                percent(score.ratios[ratio]) if score and ratio in score.ratios else "" for ratio in ratios
            ]
            rows.append([metric_name(metric), name, *counts, *shares])
    return Grid(["metric", "system", *COUNTS, *(RATIOS[ratio] for ratio in ratios)], rows)


def _measure_grid(numbers: Numbers, metrics: Sequence[str]) -> Grid:
    rows = []
    for metric in metrics:
        layer = numbers.layers[metric]
        scores = [numbers.score(k, metric) for k in range(len(numbers.names))]
        measures = next((list(score.ratios) for score in scores if score is not None), [])
        for measure in measures:
            show = decimal if measure in layer.numbers else percent
            values = [
                "failed"
                if numbers.has_failed(k, metric)
                else "-"
                if score is None
                else show(score.ratios[measure])
                for k, score in enumerate(scores)
            ]
            rows.append([metric_name(metric), name_ratio(measure), *values])
    return Grid(["metric", "measure", *numbers.names], rows)
