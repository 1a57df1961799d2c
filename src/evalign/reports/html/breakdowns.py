"""The section on results in parts: a table per metric with a row per treebank or genre, and the averages.

A single system has one table with a column per metric. The numbers are those that a terminal shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from evalign.reports.html.markup import metric_name, shorten_names, shorten_units, visible
from evalign.reports.html.overview import ScoreCell, describe_p, show_gain
from evalign.reports.parts import FAILED, PartRow, PartsView, describe_failures
from evalign.reports.significance import LEGEND, AssessedParts
from evalign.reports.verdict import tell_standing
from evalign.results.result import Parts
from evalign.wording import best_of, decimal, name_ratio, percent


class PartTableRow(NamedTuple):
    """A row of a table of parts: a part or an average."""

    name: str
    units: str
    """Number of units in the row; "" for the macro average."""
    cells: Sequence[ScoreCell]
    is_average: bool = False
    size: Sequence[str] = ()
    """Sentences and tokens of gold, for treebanks of a run."""


class PartTable(NamedTuple):
    """One metric in all parts with a column per system, or all metrics of a single system."""

    title: str
    metric: str
    columns: Sequence[str]
    lines: Sequence[PartTableRow]
    has_metric_rows: bool = False
    """True if the page shows metrics as rows and parts as columns, because there are more metrics."""


class PartsSection(NamedTuple):
    """The section on parts, ready for the template."""

    by: str
    source: str
    """Number of parts, and where their names come from."""
    units: str
    """Header of the column with numbers of units."""
    tables: Sequence[PartTable]
    failures: Sequence[str]
    """A line per failure: system, part and reason."""
    notes: Sequence[str]
    """Notes on the averages, the parts they cover, and resampling."""
    is_tested: bool
    sizes: Sequence[str] = ()
    """Headers of the columns with sizes."""


def make_parts_section(parts: Parts, assessed: AssessedParts) -> PartsSection:
    """Make the tables of parts, with averages last, and the notes on them."""
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
    """Join the tables of a single system, one per metric, into one."""
    lines = [
        first._replace(cells=[table.lines[k].cells[0] for table in tables])
        for k, first in enumerate(tables[0].lines)
    ]
    names = [metric_name(table.metric) for table in tables]
    return PartTable("all metrics", "", names, lines, len(names) > len(lines))


def _notes(view: PartsView, assessed: AssessedParts) -> tuple[list[str], list[str]]:
    """Return the failures, and the other notes that a terminal shows, except the legend of its marks."""
    failed = describe_failures(view.parts)
    lines = [*view.describe_averages(), *(line for line in assessed.notes() if line != LEGEND)]
    lines += view.parts.warnings if view.parts.whole is not None else ()
    names = (*view.parts.systems, *view.parts.results, *view.parts.metrics)
    shown = [_sentence(line, names) for line in lines if line not in failed]
    return [_sentence(line, names) for line in failed], shown


def _sentence(line: str, names: tuple[str, ...]) -> str:
    """Make a line a sentence, with a capital unless it begins with a name."""
    return f"{visible(line if line.startswith(names) else line[:1].upper() + line[1:])}."


class _PartTableRows:
    """Makes the rows of parts and averages."""

    def __init__(self, parts: Parts, assessed: AssessedParts) -> None:
        self.parts, self.assessed = parts, assessed
        self.view = PartsView(parts, list(parts.metrics), assessed)
        shown = shorten_units(list(parts.results)) if parts.by == "document" else list(parts.results)
        self.names = dict(zip(parts.results, shown, strict=True))
        self.alpha = assessed.significance.resampling.alpha

    def line(self, row: PartRow, metric: str) -> PartTableRow:
        """Return the row of a part or an average in one metric."""
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
        # For averages this is over the parts that both have, so it may differ from what is shown.
        return shown._replace(
            gain=show_gain(difference.difference, factor=1 if entry.headline in entry.numbers else 100),
            standing=tell_standing(difference, self.alpha, lower=entry.headline in entry.lower_is_better),
            p=describe_p(difference.adjusted),
        )
