"""The first section of a run: scores of systems by metric, with figures and counts.

The first system is the baseline that the others are compared with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from evalign.metrics.definitions.catalogue import load_definitions
from evalign.reports.formats import exact
from evalign.reports.html.figures import ForestPoint, RankedMetric, draw_forest, draw_ranks, rank_systems
from evalign.reports.html.markup import metric_name
from evalign.reports.verdict import AssessedScores, give_verdict
from evalign.significance.values import Interval
from evalign.wording import RATIOS, best_of, decimal, name_ratio, percent, show_p


class Head(NamedTuple):
    """The header of a metric's column or row."""

    name: str
    ratio: str
    """Name of the headline ratio."""
    title: str
    """Title of the definition of the metric, "" if there is none."""
    lower_is_better: bool


class ScoreCell(NamedTuple):
    """A score of one system as shown, with interval, difference from the baseline and test."""

    value: str
    interval: str = ""
    gain: str = ""
    standing: str = ""
    p: str = ""
    best: bool = False


class Matrix(NamedTuple):
    """Differences of all pairs of systems in one metric: the row's system minus the column's."""

    metric: str
    title: str
    """The metric as it is shown."""
    rows: Sequence[tuple[str, Sequence[ScoreCell]]]


@dataclass(frozen=True)
class Overview:
    """The content of the first section of a run."""

    heads: Sequence[Head]
    rows: Sequence[tuple[str, Sequence[ScoreCell]]]
    """The name and the cells of each system, in the order of `heads`."""
    long_rows: Sequence[Sequence[str]]
    """The scores for a spreadsheet, a row per number."""
    summary: Sequence[str]
    forests: Sequence[tuple[str, Markup]]
    ranks: Markup | None
    matrices: Sequence[Matrix]

    @property
    def has_metric_rows(self) -> bool:
        """True if metrics are rows and systems columns, because there are more metrics than systems."""
        return len(self.heads) > len(self.rows) or len(self.rows) == 1

    @property
    def all_are_f1(self) -> bool:
        """True if F1 is the headline ratio of every metric, so that the page need say so only once."""
        return all(head.ratio == "F1" for head in self.heads)

    @property
    def has_intervals(self) -> bool:
        """True if any score has an interval."""
        return any(cell.interval for _, cells in self.rows for cell in cells)

    @property
    def is_tested(self) -> bool:
        """True if any system was compared with the baseline by a test."""
        return any(cell.standing for _, cells in self.rows for cell in cells)


def show_gain(difference: float, factor: float = 100) -> str:
    """Format a difference with its sign; `factor` turns shares into points.

    >>> show_gain(0.015), show_gain(-0.015)
    ('+1.50', '−1.50')
    """
    return f"{factor * difference:+.2f}".replace("-", "−")


def describe_p(p: float | None) -> str:
    """Format a p-value with as many decimals as a terminal shows.

    >>> describe_p(0.00004), describe_p(0.03214), describe_p(None)
    ('p < 0.0001', 'p = 0.0321', '')
    """
    if p is None:
        return ""
    shown = show_p(p)
    return f"p < {shown[1:]}" if shown.startswith("<") else f"p = {shown}"


def make_overview(numbers: AssessedScores) -> Overview:
    """Make the content of the overview section."""
    systems = range(len(numbers.names))
    cells = {metric: _column(numbers, metric) for metric in numbers.metrics}
    return Overview(
        [_head(numbers, metric) for metric in numbers.metrics],
        [(numbers.names[k], [column[k] for column in cells.values()]) for k in systems],
        _long_rows(numbers),
        give_verdict(numbers),
        _forests(numbers),
        _ranks(numbers),
        [_matrix(numbers, metric) for metric in numbers.metrics] if len(numbers.names) > 2 else [],
    )


def _head(numbers: AssessedScores, metric: str) -> Head:
    entry = numbers.metrics[metric]
    ratio = name_ratio(entry.headline)
    definition = load_definitions().get(metric)
    return Head(metric_name(metric), ratio, definition.title if definition else "", numbers.lower(metric))


def _column(numbers: AssessedScores, metric: str) -> list[ScoreCell]:
    values = numbers.values(metric)
    best = best_of(values, lowest=numbers.lower(metric), scale=numbers.scale(metric))
    cells = []
    for k, value in enumerate(values):
        difference = numbers.difference(k, metric) if k else None
        gain = ""
        if k and value is not None and values[0] is not None:
            gain = show_gain(value - values[0], numbers.scale(metric))
        cells.append(
            ScoreCell(
                "failed" if numbers.has_failed(k, metric) else numbers.shown(metric, value),
                _range(numbers, metric, numbers.interval(k, metric)),
                gain,
                numbers.standing(metric, difference),
                describe_p(difference.adjusted) if difference else "",
                k in best,
            )
        )
    return cells


def _range(numbers: AssessedScores, metric: str, interval: Interval | None) -> str:
    if interval is None:
        return ""
    return f"{numbers.shown(metric, interval.low)}–{numbers.shown(metric, interval.high)}"


def _long_rows(numbers: AssessedScores) -> list[list[str]]:
    heads = ["system", "metric", "measure", "value", "low", "high", "gain", "p", "p_holm"]
    rows = [heads]
    for k, system in enumerate(numbers.result.systems):
        for metric, score in system.scores.items():
            difference = numbers.difference(k, metric) if k else None
            for measure, value in score.to_dict().items():
                headline = measure == score.metric.headline
                interval = (
                    None
                    if numbers.significance.reason
                    else numbers.significance.intervals[k].get(metric, {}).get(measure)
                )
                tested = (
                    (difference.difference, difference.p, difference.adjusted)
                    if difference and headline
                    else (None,) * 3
                )
                numbers_shown = (value, *(interval or (None, None)), *tested)
                rows.append([system.name, metric, measure, *map(exact, numbers_shown)])
    return rows


def _forests(numbers: AssessedScores) -> list[tuple[str, Markup]]:
    """Draw a forest plot per metric; of a single system one, with a row per metric."""
    if len(numbers.names) > 1:
        return [
            (
                metric,
                draw_forest(metric_name(metric), _points(numbers, metric), note=_head(numbers, metric).ratio),
            )
            for metric in numbers.metrics
        ]
    shares = [metric for metric in numbers.metrics if numbers.scale(metric) == 100]
    points = [_point(numbers, 0, metric)._replace(name=metric_name(metric)) for metric in shares]
    return [("metrics", draw_forest(numbers.names[0], points, note="percent"))] if points else []


def _points(numbers: AssessedScores, metric: str) -> list[ForestPoint]:
    points = [_point(numbers, k, metric) for k in range(len(numbers.names))]
    return [points[0]._replace(mark="baseline"), *points[1:]]


def _point(numbers: AssessedScores, system: int, metric: str) -> ForestPoint:
    value, interval = numbers.value(system, metric), numbers.interval(system, metric)
    factor = numbers.scale(metric)
    mark = numbers.standing(metric, numbers.difference(system, metric) if system else None)
    return ForestPoint(
        numbers.names[system],
        None if value is None else factor * value,
        factor * interval.low if interval else None,
        factor * interval.high if interval else None,
        mark,
    )


def _ranks(numbers: AssessedScores) -> Markup | None:
    """Draw the ranks in all metrics whose headline is F1; None if the ranks are the same in all."""
    metrics = [
        RankedMetric(metric_name(name), [None if v is None else 100 * v for v in numbers.values(name)])
        for name, metric in numbers.metrics.items()
        if metric.headline == "f1"
    ]
    places = rank_systems(metrics)
    return draw_ranks(numbers.names, metrics) if any(place != places[0] for place in places) else None


def _matrix(numbers: AssessedScores, metric: str) -> Matrix:
    lines = numbers.significance.matrix.get(metric, ())
    rows = []
    for name, line in zip(numbers.names, lines, strict=False):
        cells = []
        for difference in line:
            if difference is None or difference.difference is None:
                cells.append(ScoreCell("" if difference is None else "-"))
                continue
            shown = show_gain(difference.difference, numbers.scale(metric))
            standing = numbers.standing(metric, difference)
            cells.append(ScoreCell(shown, standing=standing, p=describe_p(difference.adjusted)))
        rows.append((name, cells))
    return Matrix(metric, metric_name(metric), rows)


# The counts that the overview is computed from.


COUNTS = ("correct", "gold", "system")


class Grid(NamedTuple):
    """A table for the page: headers, and rows of a metric, a name and numbers."""

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]


def make_counts(numbers: AssessedScores) -> list[Grid]:
    """Make the tables of counts: one of span metrics, one of all others by measure, unless empty."""
    spans = [m for m, metric in numbers.metrics.items() if {*COUNTS} <= {*metric.fields}]
    others = [name for name in numbers.metrics if name not in spans]
    grids = [_span_grid(numbers, spans), _measure_grid(numbers, others)]
    return [grid for grid in grids if grid.rows]


def _span_grid(numbers: AssessedScores, metrics: Sequence[str]) -> Grid:
    named = {ratio for m in metrics for score in [numbers.score(0, m)] if score for ratio in score.ratios}
    ratios = [ratio for ratio in RATIOS if ratio in named]
    rows = []
    for metric in metrics:
        for k, name in enumerate(numbers.names):
            if numbers.has_failed(k, metric):
                rows.append([metric_name(metric), name, *["failed"] * (len(COUNTS) + len(ratios))])
                continue
            score = numbers.score(k, metric)
            is_available = score is not None and score.available
            counts = [f"{score.counts[c]:,}" if score and is_available else "-" for c in COUNTS]
            shares = [
                percent(score.ratios[ratio]) if score and ratio in score.ratios else "" for ratio in ratios
            ]
            rows.append([metric_name(metric), name, *counts, *shares])
    return Grid(["metric", "system", *COUNTS, *(RATIOS[ratio] for ratio in ratios)], rows)


def _measure_grid(numbers: AssessedScores, metrics: Sequence[str]) -> Grid:
    rows = []
    for name in metrics:
        metric = numbers.metrics[name]
        scores = [numbers.score(k, name) for k in range(len(numbers.names))]
        measures = next((list(score.ratios) for score in scores if score is not None), [])
        for measure in measures:
            show = decimal if measure in metric.numbers else percent
            values = [
                "failed"
                if numbers.has_failed(k, name)
                else "-"
                if score is None
                else show(score.ratios[measure])
                for k, score in enumerate(scores)
            ]
            rows.append([metric_name(name), name_ratio(measure), *values])
    return Grid(["metric", "measure", *numbers.names], rows)
