"""Counts by unit and group as JSON, and back: what a saved result can be split by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypedDict

import numpy as np

from evalign.errors import CommandError
from evalign.metrics import LABEL_FIELDS
from evalign.metrics.errors import Grouped
from evalign.results.shapes import refuse
from evalign.results.systems import SystemResult

# Labels are kept by unit up to so many units: above that, the tables would be larger than all else.
MOST_UNITS = 10_000


class SavedGroups(TypedDict):
    """A row for each unit and group that has something: by metric the integers, as `units` has their names."""

    names: list[str]
    source: str
    left_out: dict[str, str]
    units: list[int]
    groups: list[int]
    tables: dict[str, list[list[int]]]


class SavedTables(TypedDict, total=False):
    """What a system's scores can be split by, beside the fields of its units."""

    groups: dict[str, SavedGroups]
    breakdown_units: dict[str, SavedGroups]


def groups_json(grouped: Grouped) -> SavedGroups:
    """Counts by unit and group as JSON."""
    return SavedGroups(
        names=list(grouped.names),
        source=grouped.source,
        left_out=dict(grouped.left_out),
        units=grouped.units.tolist(),
        groups=grouped.groups.tolist(),
        tables={metric: table.tolist() for metric, table in grouped.tables.items()},
    )


def check_rows(where: str, rows: Sequence[Sequence[int]], size: int, width: int) -> None:
    """Raise `ShapeError` for a table of counts that is not of so many rows and columns."""
    if len(rows) != size:
        refuse(where, f"rows: {len(rows)}", str(size))
    if set(map(len, rows)) - {width}:
        refuse(where, "rows of another length", f"{width} integers in each")
    if width and min(map(min, rows), default=0) < 0:
        refuse(where, "a number below 0", "counts")


def check_tables(saved: SavedTables, widths: Mapping[str, int], n_units: int) -> None:
    """Raise `ShapeError` for counts by unit and group whose pieces do not go together."""
    for by, groups in saved.get("groups", {}).items():
        _check_groups(f"groups.{by}", groups, widths, n_units)
    for kind, groups in saved.get("breakdown_units", {}).items():
        _check_groups(
            f"breakdown_units.{kind}", groups, dict.fromkeys(groups["tables"], len(LABEL_FIELDS)), n_units
        )


def _check_groups(where: str, saved: SavedGroups, widths: Mapping[str, int], n_units: int) -> None:
    size = len(saved["units"])
    for key, numbers, most in (
        ("units", saved["units"], n_units),
        ("groups", saved["groups"], len(saved["names"])),
    ):
        if len(numbers) != size or (size and not 0 <= min(numbers) <= max(numbers) < most):
            refuse(f"{where}.{key}", "numbers of other rows", f"{size} numbers below {most}")
    for metric, rows in saved["tables"].items():
        if metric not in widths:
            refuse(f"{where}.tables", f'"{metric}", which was not scored', ", ".join(widths))
        check_rows(f"{where}.tables.{metric}", rows, size, widths[metric])


def load_groups(saved: SavedGroups | Grouped) -> Grouped:
    """Counts by unit and group from the JSON they were saved as; what was never saved stays."""
    if isinstance(saved, Grouped):
        return saved
    size = len(saved["units"])
    return Grouped(
        saved["names"],
        np.array(saved["units"], np.int64),
        np.array(saved["groups"], np.int64),
        # Of a row that is not there nobody knows the width.
        {
            metric: np.array(rows, np.int64).reshape(size, -1 if size else 0)
            for metric, rows in saved["tables"].items()
        },
        saved["source"],
        saved["left_out"],
    )


def tables_json(system: SystemResult) -> SavedTables:
    """All that a system's scores can be split by and that is kept."""
    evidence = system.evidence
    saved = SavedTables(groups={by: groups_json(evidence.grouped(by)) for by in evidence.grouped_kept()})
    if system.n_rows > MOST_UNITS:
        return saved
    found = {}
    for kind in evidence.breakdown_kinds():
        try:
            found[kind] = groups_json(evidence.breakdown_units(kind))
        except CommandError:  # loaded from a file that has none
            continue
    return {**saved, "breakdown_units": found}


class KeptTables(NamedTuple):
    """What a saved result kept of it, read when it is asked for, or what was joined of parts."""

    groups: Mapping[str, SavedGroups | Grouped]
    breakdowns: Mapping[str, SavedGroups | Grouped]
    is_older: bool = False
    """Whether the file is of before results could be split, and lacks what came with that."""

    def grouped(self, by: str) -> Grouped:
        """Sentences by length or by a comment."""
        if by not in self.groups:
            message = f"sentences by {by} were not kept in this result"
            kept = ", ".join(self.groups) or "none"
            advice = f"score again and ask for it: --by {by}, or score(..., by=[{by!r}])"
            raise CommandError(message, f"one of those that were kept: {kept}", advice)
        return load_groups(self.groups[by])

    def breakdown(self, kind: str) -> Grouped:
        """Labels by unit."""
        if kind not in self.breakdowns:
            message = f"breakdown by {kind} was not kept unit by unit in this result"
            expected = f"a result of at most {MOST_UNITS:,} units, saved by this version of evalign"
            raise CommandError(message, expected, "score again, and split the result before it is saved")
        return load_groups(self.breakdowns[kind])
