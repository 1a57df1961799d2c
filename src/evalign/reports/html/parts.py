"""Results in parts: a table per metric with a row per treebank or genre, and the averages named.

Of a single system there is one table, with a column per metric.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evalign.reports.html.overview import Cell
from evalign.reports.html.text import short_names, short_units, visible
from evalign.reports.scores import best_of
from evalign.reports.significance import AssessedParts
from evalign.reports.wording import decimal, name_ratio, percent
from evalign.result import Parts, Result, Score
from evalign.significance import Interval

Intervals = Sequence[Interval | None]


class PartLine(NamedTuple):
    """A part, or an average."""

    name: str
    units: str
    """How many units it has."""
    cells: Sequence[Cell]
    is_average: bool = False


class PartTable(NamedTuple):
    """One metric in all parts, a column per system; of one system all metrics, a column each."""

    title: str
    metric: str
    columns: Sequence[str]
    lines: Sequence[PartLine]


def make_part_tables(parts: Parts, assessed: AssessedParts) -> list[PartTable]:
    """A table for each metric, averages last."""
    averaged = _Averaged(parts, assessed)
    names = short_names(parts.systems)
    tables = [
        PartTable(
            f"{visible(metric)}, {name_ratio(averaged.layers[metric].headline)}",
            visible(metric),
            names,
            averaged.lines(metric),
        )
        for metric in parts.metrics
    ]
    return [_join(tables)] if len(names) == 1 else tables


def _join(tables: Sequence[PartTable]) -> PartTable:
    """Tables of one system as one."""
    lines = [
        first._replace(cells=[table.lines[k].cells[0] for table in tables])
        for k, first in enumerate(tables[0].lines)
    ]
    return PartTable("all metrics", "", [table.metric for table in tables], lines)


class _Averaged:
    """Parts, their averages, and what resampling found of both."""

    def __init__(self, parts: Parts, assessed: AssessedParts) -> None:
        self.parts, self.micro = parts, parts.micro()
        self.found, self.averages = assessed.parts, assessed.found
        shown = short_units(list(parts.results)) if parts.by == "document" else list(parts.results)
        self.names = dict(zip(parts.results, shown, strict=True))
        self.layers = {metric: self.micro.systems[0].scores[metric].layer for metric in parts.metrics}

    def lines(self, metric: str) -> list[PartLine]:
        """All parts, then macro and micro average."""
        lines = [self._part(name, part, metric) for name, part in self.parts.results.items()]
        headline, systems = self.layers[metric].headline, range(len(self.parts.systems))
        macro = [self.parts.macro(k, metric).get(headline) for k in systems]
        micro = [system.scores[metric].value for system in self.micro.systems]
        for name, values, found in (
            ("macro average", macro, self.averages.macro),
            ("micro average", micro, self.averages.micro),
        ):
            known = bool(found) and not self.averages.reason
            intervals = [found[k].get(metric, {}).get(headline) if known else None for k in systems]
            units = f"{len(self.micro.unit_names):,}"
            cells = self._cells(metric, values, intervals)
            if not self._is_fair(metric):
                cells = [cell._replace(best=False) for cell in cells]
            lines.append(PartLine(name, units, cells, is_average=True))
        return lines

    def _is_fair(self, metric: str) -> bool:
        """Whether the averages of all systems are over the same parts; else none of them is best."""
        covered = [self.parts.covered(k, metric) for k in range(len(self.parts.systems))]
        return all(some == covered[0] for some in covered)

    def _part(self, name: str, part: Result, metric: str) -> PartLine:
        scores: list[Score | None] = [system.scores.get(metric) for system in part.systems]
        values = [None if score is None else score.value for score in scores]
        found, headline = self.found[name], self.layers[metric].headline
        known = bool(found.intervals) and not found.reason
        intervals = [
            found.intervals[k].get(metric, {}).get(headline) if known else None for k in range(len(values))
        ]
        cells = [
            cell._replace(value="failed", interval="", best=False) if system.failure else cell
            for cell, system in zip(self._cells(metric, values, intervals), part.systems, strict=True)
        ]
        return PartLine(visible(self.names[name]), f"{len(part.unit_names):,}", cells)

    def _cells(self, metric: str, values: Sequence[float | None], intervals: Intervals) -> list[Cell]:
        layer = self.layers[metric]
        show = decimal if layer.headline in layer.numbers else percent
        best = best_of(values, lowest=layer.headline in layer.lower_is_better)
        return [
            Cell(show(value), f"{show(found.low)}–{show(found.high)}" if found else "", best=k in best)
            for k, (value, found) in enumerate(zip(values, intervals, strict=True))
        ]
