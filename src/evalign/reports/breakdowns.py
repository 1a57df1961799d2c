"""Scores label by label: a table for each kind of label and each system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from evalign.errors import CommandError
from evalign.layers import Counts
from evalign.reports.confusions import EMPTY
from evalign.reports.escape import printable
from evalign.reports.table import Table, render_text
from evalign.reports.width import fold
from evalign.reports.wording import percent
from evalign.result import SystemResult
from evalign.result.kept import breakdown_json

HEADERS = ("correct", "gold", "system", "precision", "recall", "F1")


class Broken(NamedTuple):
    """A system's counts per label of a kind, or what they are missing for."""

    kind: str
    system: str
    rows: Mapping[str, Counts]
    missing: str = ""

    def table(self, corner: str = "") -> Table:
        """Labels in rows."""
        rows = []
        for label, row in self.rows.items():
            counts = map(str, (row.correct, row.gold, row.system))
            rows.append([label or EMPTY, *counts, *map(percent, (row.precision, row.recall, row.f1))])
        return Table([corner, *HEADERS], rows)


class Breakdowns:
    """Every kind asked for, for every system; a `CommandError` if no system has what a kind needs."""

    def __init__(self, systems: Sequence[SystemResult], kinds: Sequence[str]) -> None:
        self.several = len(systems) > 1
        self.found: list[Broken] = []
        for kind in kinds:
            refusals = []
            for system in systems:
                try:
                    self.found.append(Broken(kind, system.name, system.breakdown(kind)))
                except CommandError as error:
                    refusals.append(error)
                    self.found.append(Broken(kind, system.name, {}, error.found))
            if len(refusals) == len(systems):
                raise refusals[0]

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
        """For a program: a row per system, label and measure, as of scores; ratios from 0 to 1."""
        for broken in self.found:
            for label, row in breakdown_json(broken.rows).items():
                for measure, value in row.items():
                    shown = "" if value is None else str(value)
                    yield [broken.system, f"{broken.kind}:{label}", measure, shown]

    def _title(self, broken: Broken, joint: str) -> str:
        return f"{broken.kind}{joint}{broken.system}" if self.several else broken.kind
