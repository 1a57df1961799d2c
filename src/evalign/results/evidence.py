"""Errors, breakdowns and group counts that a saved result keeps, as JSON and back.

Saved results, and results that were counted in parts, answer questions about errors from `KeptEvidence`.
`SplitTables` holds the counts that they can be split by.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple, NotRequired, TypedDict

import numpy as np

from evalign.errors import CommandError, Place, SplitError, option, quote, suggest
from evalign.metrics.counts import Counts
from evalign.metrics.errors.mismatches import ErrorGroup, Mismatch, group_mismatches
from evalign.metrics.errors.passages import Passages, thin_passages
from evalign.metrics.errors.positions import Marks
from evalign.metrics.errors.sentence_groups import LENGTH, GroupedCounts
from evalign.metrics.errors.stages import Losses
from evalign.metrics.metric import LABEL_FIELDS, MOST_PASSAGES
from evalign.metrics.registry import LABEL_METRICS
from evalign.results.shapes import refuse
from evalign.results.system_result import Evidence, SystemResult

# Counts by unit and group, by which a saved result can be split.

# Most units of a result for which label counts are saved by unit. With more units these tables would be
# larger than everything else.
MOST_LABELLED_UNITS = 10_000


class SavedGroups(TypedDict):
    """JSON of `GroupedCounts`: a row for each unit and group that has counts.

    `tables` has the rows of integers by metric; their columns are named in `SavedSystem.units`.
    """

    names: list[str]
    source: str
    left_out: dict[str, str]
    units: list[int]
    groups: list[int]
    tables: dict[str, list[list[int]]]


class SavedTables(TypedDict, total=False):
    """Counts by which the scores of a system can be split, beside the fields of its units."""

    groups: dict[str, SavedGroups]
    breakdown_units: dict[str, SavedGroups]


def groups_json(grouped: GroupedCounts) -> SavedGroups:
    """Return counts by unit and group as JSON."""
    return SavedGroups(
        names=list(grouped.names),
        source=grouped.source,
        left_out=dict(grouped.left_out),
        units=grouped.units.tolist(),
        groups=grouped.groups.tolist(),
        tables={metric: table.tolist() for metric, table in grouped.tables.items()},
    )


def check_rows(where: str, rows: Sequence[Sequence[int]], size: int, width: int) -> None:
    """Raise `ShapeError` unless `rows` are `size` rows of `width` integers from 0 on."""
    if len(rows) != size:
        refuse(where, f"rows: {len(rows)}", str(size))
    if set(map(len, rows)) - {width}:
        refuse(where, "rows of another length", f"{width} integers in each")
    if width and min(map(min, rows), default=0) < 0:
        refuse(where, "a number below 0", "counts")


def check_tables(saved: SavedTables, widths: Mapping[str, int], n_units: int) -> None:
    """Raise `ShapeError` if row numbers, metrics or sizes of a system's group counts contradict each other.

    `widths` is the number of counts by metric.
    """
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


def load_groups(saved: SavedGroups | GroupedCounts) -> GroupedCounts:
    """Load counts by unit and group from JSON; return counts that were never saved as they are."""
    if isinstance(saved, GroupedCounts):
        return saved
    size = len(saved["units"])
    return GroupedCounts(
        saved["names"],
        np.array(saved["units"], np.int64),
        np.array(saved["groups"], np.int64),
        # If there are no rows, their width is unknown.
        {
            metric: np.array(rows, np.int64).reshape(size, -1 if size else 0)
            for metric, rows in saved["tables"].items()
        },
        saved["source"],
        saved["left_out"],
    )


def tables_json(system: SystemResult) -> SavedTables:
    """Return as JSON all kept counts by which the scores of a system can be split."""
    evidence = system.evidence
    saved = SavedTables(groups={by: groups_json(evidence.grouped(by)) for by in evidence.grouped_kept()})
    if system.n_rows > MOST_LABELLED_UNITS:
        return saved
    tables = {}
    for kind in evidence.breakdown_kinds():
        try:
            tables[kind] = groups_json(evidence.breakdown_units(kind))
        except CommandError:  # loaded from a file without this breakdown by unit
            continue
    return {**saved, "breakdown_units": tables}


class SplitTables(NamedTuple):
    """Counts to split by, kept in a saved result (loaded when first needed) or joined from parts."""

    groups: Mapping[str, SavedGroups | GroupedCounts]
    breakdowns: Mapping[str, SavedGroups | GroupedCounts]
    lacks_tables: bool = False
    """True if the file is older than the splitting of saved results, and has no such tables."""

    def grouped(self, by: str) -> GroupedCounts:
        """Return counts of sentences grouped by length or by the comment `by`; `CommandError` if not kept."""
        if by not in self.groups:
            message = f"sentences by {by} were not kept in this result"
            kept = ", ".join(self.groups) or "none"
            advice = "score again and ask for it: " + option("by", by)
            raise CommandError(message, f"one of those that were kept: {kept}", advice)
        return load_groups(self.groups[by])

    def breakdown(self, kind: str) -> GroupedCounts:
        """Return the counts of a breakdown by label and unit; `CommandError` if they were not kept."""
        if kind not in self.breakdowns:
            message = f"breakdown by {kind} was not kept unit by unit in this result"
            expected = f"a result of at most {MOST_LABELLED_UNITS:,} units, saved by this version of evalign"
            raise SplitError(message, expected, "score again, and split the result before it is saved")
        return load_groups(self.breakdowns[kind])


# Errors and breakdowns.

# Most errors saved per metric. Counts by kind are always complete, and those by cell are for up to
# `MOST_CONFUSIONS` cells.
MOST_EVIDENCE = 200


class SavedError(TypedDict):
    """JSON of a `Mismatch`."""

    kind: str
    trigger: str | None
    gold: list[str]
    system: list[str]
    gold_place: str | None
    system_place: str | None
    start: int | None
    before: str
    after: str
    word: str | None
    gold_head: str | None
    system_head: str | None
    raw_file: NotRequired[str | None]
    """Results saved before there could be several raw files lack it."""


class SavedCell(TypedDict):
    """JSON of an `ErrorGroup` of label confusions: how often a gold label was given as a system label."""

    kind: str
    gold: list[str]
    system: list[str]
    count: int
    gold_words: int


class SavedEvidence(TypedDict):
    """The first errors of a metric and how many there are; for metrics of labels also all confusions."""

    total: int
    kept: int
    kinds: dict[str, int]
    errors: list[SavedError]
    cells: NotRequired[list[SavedCell]]


class SavedCounts(TypedDict):
    """Counts of a label and their ratios; false positives and negatives are never read."""

    correct: int
    gold: int
    system: int
    precision: float | None
    recall: float | None
    f1: float | None
    false_positives: NotRequired[int]
    false_negatives: NotRequired[int]


def breakdown_json(rows: Mapping[str, Counts]) -> dict[str, SavedCounts]:
    """Return counts and ratios per label as JSON."""
    return {
        label: SavedCounts(
            correct=counts.correct, gold=counts.gold, system=counts.system,
            false_positives=counts.false_positives, false_negatives=counts.false_negatives,
            precision=counts.precision, recall=counts.recall, f1=counts.f1,
        )
        for label, counts in rows.items()
    }  # fmt: skip


def evidence_json(evidence: Evidence, metric: str) -> SavedEvidence:
    """Return as JSON how many errors of a metric there are, and the first of them."""
    kinds = dict(evidence.kinds(metric))
    kept = [error_json(mismatch) for mismatch in islice(evidence.mismatches(metric), MOST_EVIDENCE)]
    saved = SavedEvidence(total=sum(kinds.values()), kept=len(kept), kinds=kinds, errors=kept)
    if metric in LABEL_METRICS:
        saved["cells"] = [cell_json(group) for group in evidence.groups(metric, 0)]
    return saved


def cell_json(group: ErrorGroup) -> SavedCell:
    """Return a confusion of labels as JSON."""
    return SavedCell(
        kind=group.kind,
        gold=list(group.gold),
        system=list(group.system),
        count=group.count,
        gold_words=group.gold_words,
    )


def error_json(mismatch: Mismatch) -> SavedError:
    """Return an error as JSON."""
    return SavedError(
        kind=mismatch.kind,
        trigger=mismatch.trigger or None,
        gold=list(mismatch.gold),
        system=list(mismatch.system),
        gold_place=str(mismatch.gold_place) if mismatch.gold_place else None,
        system_place=str(mismatch.system_place) if mismatch.system_place else None,
        start=mismatch.start,
        before=mismatch.before,
        after=mismatch.after,
        word=mismatch.word or None,
        gold_head=mismatch.gold_head or None,
        system_head=mismatch.system_head or None,
        raw_file=mismatch.raw_file or None,
    )


class PageEvidence(NamedTuple):
    """What report pages draw: passages, places of all errors, losses by stage; None where not kept."""

    passages: Passages | None
    marks: Marks
    losses: Losses | None


@dataclass(frozen=True, slots=True)
class KeptEvidence:
    """`Evidence` of a saved result or of one counted in parts: first errors, complete counts, breakdowns."""

    counted: Mapping[str, Mapping[str, int]]
    kept: Mapping[str, Sequence[Mismatch]]
    cells: Mapping[str, Sequence[ErrorGroup]]
    breakdowns: Mapping[str, Mapping[str, Counts]]
    drawings: PageEvidence
    tables: SplitTables

    def kinds(self, metric: str) -> Mapping[str, int]:
        """Return the number of errors of each kind, kept or not."""
        self._check(metric)
        return self.counted[metric]

    def mismatches(self, metric: str) -> Iterator[Mismatch]:
        """Iterate over the errors that were kept."""
        self._check(metric)
        return iter(self.kept[metric])

    def groups(self, metric: str, examples: int) -> list[ErrorGroup]:
        """Group the errors of a metric, with up to `examples` examples each.

        For metrics of labels (words or brackets) these are the saved cells, with full counts and with kept
        errors as examples. For metrics of spans only the kept errors are grouped and counted.
        """
        error_groups = group_mismatches(self.mismatches(metric), examples)
        if metric not in self.cells:
            return error_groups
        shown = {(group.kind, group.gold, group.system): group.examples for group in error_groups}
        return [
            replace(cell, examples=shown.get((cell.kind, cell.gold, cell.system), ()))
            for cell in self.cells[metric]
        ]

    def breakdown(self, kind: str) -> Mapping[str, Counts]:
        """Return counts per label; raise `CommandError` if the breakdown was not kept."""
        if kind not in self.breakdowns:
            if self.tables.lacks_tables:
                message = f"breakdown by {kind} was not kept in this result"
                raise CommandError(message, "a result saved by this version of evalign", "score again")
            from evalign.metrics.errors.breakdowns import describe_needs

            message = f"breakdown by {kind} not available in this result"
            raise CommandError(message, describe_needs(kind))
        return self.breakdowns[kind]

    def breakdown_kinds(self) -> Sequence[str]:
        """Return the kinds of breakdowns kept: all that were available when the result was made."""
        return list(self.breakdowns)

    def breakdown_units(self, kind: str) -> GroupedCounts:
        """Return counts per label and unit."""
        self.breakdown(kind)  # raises an error that says what this breakdown needs
        return self.tables.breakdown(kind)

    def grouped(self, by: str) -> GroupedCounts:
        """Return counts of gold sentences grouped by length or by a comment; `CommandError` if not kept."""
        return self.tables.grouped(by)

    def grouped_fields(self) -> Sequence[str]:
        """Return the comments that sentences were grouped by when the result was made."""
        return [by for by in self.tables.groups if by != LENGTH]

    def grouped_kept(self) -> Sequence[str]:
        """Return everything that sentences were grouped by: the comments, and length if kept."""
        return list(self.tables.groups)

    def passages(self, metrics: Sequence[str], most: int | None = None) -> Passages | None:
        """Return the kept passages, with errors of any metric, thinned to at most `most`.

        `total` of the returned value is the number of passages before any were dropped.
        """
        passages = self.drawings.passages
        return passages if passages is None or most is None else thin_passages(passages, most)

    def marks(self, metrics: Sequence[str]) -> Marks:
        """Return the positions of all errors of those of `metrics` that were scored."""
        return {metric: marks for metric, marks in self.drawings.marks.items() if metric in metrics}

    def losses(self) -> Losses | None:
        """Return how much each processing stage cost; None if not known."""
        return self.drawings.losses

    def condense(self, system: SystemResult, passages: int | None = MOST_PASSAGES) -> Evidence:
        """Return itself: nothing refers to a document any more."""
        return self

    def _check(self, metric: str) -> None:
        if metric not in self.kept:
            message = f"this result has no errors of {quote(metric)}"
            advice = "score it before you save the result"
            raise CommandError(message, *suggest(metric, self.kept, advice))


def load_evidence(
    evidence: Mapping[str, SavedEvidence],
    breakdowns: Mapping[str, Mapping[str, SavedCounts]],
    drawings: PageEvidence,
    tables: SplitTables,
) -> KeptEvidence:
    """Load errors by metric and counts by breakdown from JSON; `drawings` and `tables` are kept as given."""
    return KeptEvidence(
        {metric: saved["kinds"] for metric, saved in evidence.items()},
        {
            metric: [_load_error(metric, error) for error in saved["errors"]]
            for metric, saved in evidence.items()
        },
        {
            metric: [_load_cell(cell) for cell in saved["cells"]]
            for metric, saved in evidence.items()
            if "cells" in saved
        },
        {
            kind: {label: Counts(row["correct"], row["gold"], row["system"]) for label, row in rows.items()}
            for kind, rows in breakdowns.items()
        },
        drawings,
        tables,
    )


def _load_cell(saved: SavedCell) -> ErrorGroup:
    gold, system = tuple(saved["gold"]), tuple(saved["system"])
    return ErrorGroup(saved["kind"], "", gold, system, saved["count"], (), saved["gold_words"])


def _load_error(metric: str, saved: SavedError) -> Mismatch:
    return Mismatch(
        metric,
        saved["kind"],
        tuple(saved["gold"]),
        tuple(saved["system"]),
        _load_place(saved["gold_place"]),
        _load_place(saved["system_place"]),
        saved["start"],
        saved["before"],
        saved["after"],
        saved["trigger"] or "",
        saved["word"] or "",
        saved["gold_head"] or "",
        saved["system_head"] or "",
        saved.get("raw_file") or "",  # missing in results saved before there could be several raw files
    )


def _load_place(text: str | None) -> Place | None:
    if text is None:
        return None
    path, _, lineno = text.rpartition(":")
    return Place(path, int(lineno)) if path and lineno.isdigit() else Place(text)
