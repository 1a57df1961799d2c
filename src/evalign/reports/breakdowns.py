"""Scores label by label: a table for each kind of label and each system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from evalign.errors import CommandError
from evalign.metrics import Counts
from evalign.metrics.errors import NO_TEXT
from evalign.reports.formats import render_text
from evalign.results import Result, breakdown_json
from evalign.table import Table
from evalign.wording import fold, percent, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.reports.significance import Assessed
    from evalign.significance import Interval

HEADERS = ("correct", "gold", "system", "precision", "recall", "F1")


class LabelTable(NamedTuple):
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
        self.found: list[LabelTable] = []
        for kind in kinds:
            refusals = []
            for system in systems:
                try:
                    self.found.append(LabelTable(kind, system.name, system.breakdown(kind)))
                except CommandError as error:
                    refusals.append(error)
                    self.found.append(LabelTable(kind, system.name, {}, error.found))
            if len(refusals) == len(systems):
                raise refusals[0]
        if assessed is not None and assessed.intervals:
            self._add_intervals(result, kinds, assessed)

    def _add_intervals(self, result: Result, kinds: Sequence[str], assessed: Assessed) -> None:
        """Resample the units that have a label; a result that keeps no labels by unit has no intervals of them."""
        from evalign.significance import assess

        found: dict[tuple[str, int], dict[str, Mapping[str, Interval | None]]] = {}
        for kind in kinds:
            try:
                parts = result.split(kind)
            except CommandError:
                continue
            for label, part in parts.results.items():
                resampled = assess(part, assessed.significance.resampling, paired=False)
                for n, by_metric in enumerate(resampled.intervals):
                    found.setdefault((kind, n), {})[label] = next(iter(by_metric.values()), {})
        owners = [(kind, n) for kind in kinds for n in range(len(result.systems))]
        self.found = [
            broken._replace(intervals=found.get(owner, {}), level=assessed.level)
            for owner, broken in zip(owners, self.found, strict=True)
        ]

    def render(self, *, columns: int, bold: bool) -> Iterator[str]:
        """For a terminal: tables with titles."""
        for broken in self.found:
            title = broken.missing or f"per {self._title(broken, ': ')}"
            table = render_text(broken.table(), columns=columns, bold=bold) if broken.rows else ""
            yield "\n".join([*fold(printable(title), columns), table])

    def tables(self) -> list[Table]:
        """For a page: what a table is about stands in its corner."""
        return [broken.table(self._title(broken, ", ")) for broken in self.found]

    def rows(self) -> Iterator[list[str]]:
        """For a program: a row per system, label and measure, as of scores; ratios from 0 to 1, ends of intervals."""
        for broken in self.found:
            for label, row in breakdown_json(broken.rows).items():
                for measure, value in row.items():
                    shown = "" if value is None else str(value)
                    ends = (broken.intervals or {}).get(label, {}).get(measure)
                    yield [broken.system, f"{broken.kind}:{label}", measure, shown, *map(str, ends or ())]

    def _title(self, broken: LabelTable, joint: str) -> str:
        return f"{broken.kind}{joint}{broken.system}" if self.several else broken.kind
