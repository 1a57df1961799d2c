"""Results in parts: a table per metric with a row per treebank or genre, and the averages named.

Of a single system there is one table, with a column per metric. The numbers are those that a terminal shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from evalign.reports.html.markup import metric_name, shorten_names, shorten_units, visible
from evalign.reports.html.overview import ScoreCell, describe_p, show_gain
from evalign.reports.parts import FAILED, PartRow, PartsView
from evalign.reports.significance import LEGEND, AssessedParts
from evalign.reports.verdict import tell_standing
from evalign.results import Parts
from evalign.wording import best_of, decimal, name_ratio, percent


class PartTableRow(NamedTuple):
    """A part, or an average."""

    name: str
    units: str
    """How many units it has; nothing where each part weighs the same."""
    cells: Sequence[ScoreCell]
    is_average: bool = False
    size: Sequence[str] = ()
    """Sentences and tokens of gold, of a treebank of a run."""


class PartTable(NamedTuple):
    """One metric in all parts, a column per system; of one system all metrics, a column each."""

    title: str
    metric: str
    columns: Sequence[str]
    lines: Sequence[PartTableRow]
    has_metric_rows: bool = False
    """Whether the page shows a row per metric and a column per line: where there are more metrics than lines."""


class PartsSection(NamedTuple):
    """Parts, ready for the page."""

    by: str
    source: str
    """How many there are, and where their names come from."""
    units: str
    """What the column of unit numbers is called."""
    tables: Sequence[PartTable]
    failures: Sequence[str]
    """Who failed on what, and why."""
    notes: Sequence[str]
    """What the averages are, which parts they are of, what was resampled and tested."""
    is_tested: bool
    sizes: Sequence[str] = ()
    """What the columns of sizes are called."""


def make_parts_section(parts: Parts, assessed: AssessedParts) -> PartsSection:
    """A table for each metric, averages last, and what to know of them."""
    several = len(parts.systems) > 1
    assessed = assessed if several else replace(assessed, paired=False)
    lines = _PartTableRows(parts, assessed)
    names = shorten_names(parts.systems)
    tables = [
        PartTable(
            f"{metric_name(metric)}, {name_ratio(lines.view.model(metric).metric.headline)}",
            metric,
            names,
            [lines.line(row, metric) for row in lines.view.rows],
        )
        for metric in parts.metrics
    ]
    failures, notes = _notes(lines.view, assessed)
    return PartsSection(
        visible(parts.by),
        visible(parts.source),
        lines.view.units_title(),
        tables if several else [_join(tables)],
        failures,
        notes,
        any(cell.standing for table in tables for line in table.lines for cell in line.cells),
        lines.view.size_titles,
    )


def _join(tables: Sequence[PartTable]) -> PartTable:
    """Tables of one system as one."""
    lines = [
        first._replace(cells=[table.lines[k].cells[0] for table in tables])
        for k, first in enumerate(tables[0].lines)
    ]
    names = [metric_name(table.metric) for table in tables]
    return PartTable("all metrics", "", names, lines, len(names) > len(lines))


def _notes(view: PartsView, assessed: AssessedParts) -> tuple[list[str], list[str]]:
    """Failures with their reasons, and whatever else a terminal says below the table, but for marks it alone has."""
    failed = view.describe_failures()
    lines = [*view.describe_averages(), *(line for line in assessed.notes() if line != LEGEND)]
    lines += view.parts.warnings if view.parts.whole is not None else ()
    names = (*view.parts.systems, *view.parts.results, *view.parts.metrics)
    shown = [_sentence(line, names) for line in lines if line not in failed]
    return [_sentence(line, names) for line in failed], shown


def _sentence(line: str, names: tuple[str, ...]) -> str:
    """A line as a sentence; a name that it begins with stays as it is."""
    return f"{visible(line if line.startswith(names) else line[:1].upper() + line[1:])}."


class _PartTableRows:
    """The rows of parts and averages, cell by cell."""

    def __init__(self, parts: Parts, assessed: AssessedParts) -> None:
        self.parts, self.assessed = parts, assessed
        self.view = PartsView(parts, list(parts.metrics), assessed)
        shown = shorten_units(list(parts.results)) if parts.by == "document" else list(parts.results)
        self.names = dict(zip(parts.results, shown, strict=True))
        self.alpha = 1 - assessed.significance.resampling.confidence

    def line(self, row: PartRow, metric: str) -> PartTableRow:
        """A part or an average, in one metric."""
        entry = self.view.model(metric).metric
        headline = entry.headline
        systems = range(len(self.parts.systems))
        values = [self.view.ratios(row, k, metric).get(headline) for k in systems]
        compared = values if self.view.are_comparable(row, metric) else ()
        best = best_of(compared, lowest=headline in entry.lower_is_better, scale=entry.scale(headline))
        cells = [self._cell(row, k, metric, value)._replace(best=k in best) for k, value in enumerate(values)]
        name = row.name if row.average else self.names[row.name]
        return PartTableRow(visible(name), row.units, cells, bool(row.average), row.size)

    def _cell(self, row: PartRow, system: int, metric: str, value: float | None) -> ScoreCell:
        entry = self.view.model(metric).metric
        show = decimal if entry.headline in entry.numbers else percent
        if not row.average and self.parts.fails(row.name, system, metric):
            return ScoreCell(FAILED, "" if value is None else f"counts as {show(value)}")
        interval = self.assessed.interval(row.name, row.average, system, metric, entry.headline)
        shown = ScoreCell(show(value), f"{show(interval.low)}–{show(interval.high)}" if interval else "")
        difference = self.assessed.difference(row.name, row.average, system, metric) if system else None
        if difference is None or difference.difference is None:
            return shown
        # Of averages this is over the parts that both have, so it need not be what one average is above the other.
        return shown._replace(
            gain=show_gain(difference.difference, factor=1 if entry.headline in entry.numbers else 100),
            standing=tell_standing(difference, self.alpha, lower=entry.headline in entry.lower_is_better),
            p=describe_p(difference.adjusted),
        )
