"""Scores label by label: a table for each kind of label and each system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from evalign.errors import CommandError
from evalign.metrics import Counts
from evalign.metrics.errors import NO_TEXT
from evalign.reports.formats import fold_notes, render_text
from evalign.results import Result, breakdown_json
from evalign.table import Table
from evalign.wording import percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.reports.significance import Assessed
    from evalign.significance import Interval

HEADERS = ("correct", "gold", "system", "precision", "recall", "F1")


class LabelBreakdown(NamedTuple):
    """A system's counts per label of a kind, or what they are missing for."""

    kind: str
    system: str
    rows: Mapping[str, Counts]
    missing: str = ""
    intervals: Mapping[str, Mapping[str, Interval | None]] | None = None
    """By label and ratio; None if none are wanted."""
    level: str = ""

    def table(self, corner: str = "") -> Table:
        """Labels in rows."""
        rows = []
        for label, row in self.rows.items():
            counts = map(str, (row.correct, row.gold, row.system))
            cells = [label or NO_TEXT, *counts, *map(percent, (row.precision, row.recall, row.f1))]
            if self.intervals is not None:
                cells.append(_show_interval(self.intervals.get(label, {}).get("f1")))
            rows.append(cells)
        more = [] if self.intervals is None else [f"{self.level} interval"]
        return Table([corner, *HEADERS, *more], rows)


def _show_interval(interval: Interval | None) -> str:
    return "-" if interval is None else f"[{percent(interval.low)}, {percent(interval.high)}]"


class Breakdowns:
    """Every kind asked for, for every system; a `CommandError` if no system has what a kind needs."""

    def __init__(self, result: Result, kinds: Sequence[str], assessed: Assessed | None = None) -> None:
        systems = result.systems
        self.several = len(systems) > 1
        self.label_tables: list[LabelBreakdown] = []
        for kind in kinds:
            refusals = []
            for system in systems:
                try:
                    self.label_tables.append(LabelBreakdown(kind, system.name, system.breakdown(kind)))
                except CommandError as error:
                    refusals.append(error)
                    self.label_tables.append(LabelBreakdown(kind, system.name, {}, error.found))
            if len(refusals) == len(systems):
                raise refusals[0]
        if assessed is not None and assessed.intervals:
            self._add_intervals(result, kinds, assessed)

    def _add_intervals(self, result: Result, kinds: Sequence[str], assessed: Assessed) -> None:
        """Resample the units that have a label; a result that keeps no labels by unit has no intervals of them."""
        from evalign.significance import assess

        intervals: dict[tuple[str, int], dict[str, Mapping[str, Interval | None]]] = {}
        for kind in kinds:
            try:
                parts = result.split(kind)
            except CommandError:
                continue
            for label, part in parts.results.items():
                resampled = assess(part, assessed.significance.resampling, paired=False)
                for n, by_metric in enumerate(resampled.intervals):
                    intervals.setdefault((kind, n), {})[label] = next(iter(by_metric.values()), {})
        owners = [(kind, n) for kind in kinds for n in range(len(result.systems))]
        self.label_tables = [
            table._replace(intervals=intervals.get(owner, {}), level=assessed.level)
            for owner, table in zip(owners, self.label_tables, strict=True)
        ]

    def render(self, *, columns: int, bold: bool) -> Iterator[str]:
        """For a terminal: tables with titles."""
        for label_table in self.label_tables:
            title = label_table.missing or f"per {self._title(label_table, ': ')}"
            table = render_text(label_table.table(), columns=columns, bold=bold) if label_table.rows else ""
            yield fold_notes([title], columns) + table

    def tables(self) -> list[Table]:
        """For a page: what a table is about stands in its corner."""
        return [table.table(self._title(table, ", ")) for table in self.label_tables]

    def rows(self) -> Iterator[list[str]]:
        """For a program: a row per system, label and measure, as of scores; ratios from 0 to 1, ends of intervals."""
        for table in self.label_tables:
            for label, row in breakdown_json(table.rows).items():
                for measure, value in row.items():
                    shown = "" if value is None else str(value)
                    ends = (table.intervals or {}).get(label, {}).get(measure)
                    yield [table.system, f"{table.kind}:{label}", measure, shown, *map(str, ends or ())]

    def _title(self, table: LabelBreakdown, joint: str) -> str:
        return f"{table.kind}{joint}{table.system}" if self.several else table.kind
