"""Scores by label: a table for each kind of label and each system. `scores` adds them to its tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from evalign.errors import CommandError
from evalign.metrics.counts import Counts
from evalign.metrics.errors.mismatches import NO_TEXT
from evalign.reports.formats import fold_notes, render_text
from evalign.results.evidence import breakdown_json
from evalign.results.result import Parts, Result
from evalign.table import Table
from evalign.wording import percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.reports.significance import Assessed, AssessedParts
    from evalign.significance.values import Interval

HEADERS = ("correct", "gold", "system", "precision", "recall", "F1")


class LabelBreakdown(NamedTuple):
    """Counts by label of one kind for one system, or the reason why they are missing."""

    kind: str
    system: str
    rows: Mapping[str, Counts]
    missing: str = ""
    intervals: Mapping[str, Mapping[str, Interval | None]] | None = None
    """By label and ratio; None if intervals were not requested."""
    level: str = ""

    def table(self, corner: str = "") -> Table:
        """Return a table with a row per label; `corner` is its first header."""
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
    """Breakdowns by every requested kind of label for every system, of a result or of all treebanks of a run.

    Raises `CommandError` if no system has the data that a kind needs.
    """

    def __init__(
        self,
        result: Result | Parts,
        kinds: Sequence[str],
        assessed: Assessed | AssessedParts | None = None,
    ) -> None:
        systems = (result if isinstance(result, Result) else result.micro()).systems
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

    def _add_intervals(
        self, result: Result | Parts, kinds: Sequence[str], assessed: Assessed | AssessedParts
    ) -> None:
        """Resample the units of each label; no intervals if the result keeps no labels by unit."""
        from evalign.significance.assessment import assess

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
        """Yield each table with its title as text for a terminal."""
        for label_table in self.label_tables:
            title = label_table.missing or f"per {self._title(label_table, ': ')}"
            table = render_text(label_table.table(), columns=columns, bold=bold) if label_table.rows else ""
            yield fold_notes([title], columns) + table

    def tables(self) -> list[Table]:
        """Return the tables for Markdown, LaTeX and Typst, with their titles in the corner."""
        return [table.table(self._title(table, ", ")) for table in self.label_tables]

    def rows(self) -> Iterator[list[str]]:
        """Yield rows for CSV: system, kind and label, measure, value and the ends of its interval."""
        for table in self.label_tables:
            for label, row in breakdown_json(table.rows).items():
                for measure, value in row.items():
                    shown = "" if value is None else str(value)
                    ends = (table.intervals or {}).get(label, {}).get(measure)
                    yield [table.system, f"{table.kind}:{label}", measure, shown, *map(str, ends or ())]

    def _title(self, table: LabelBreakdown, joint: str) -> str:
        return f"{table.kind}{joint}{table.system}" if self.several else table.kind
