"""What is known of extracted pairs beside their counts: average precision, thresholds and where they come from, review."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.reports.table import COLUMN, GAP, Table, render_text
from evalign.results import Pairing, Result, SystemResult, Threshold, pairing_numbers
from evalign.wording import fold, percent, widest

TRAINED = "trained threshold"
ORACLE = "oracle threshold"
AVERAGE_PRECISION = "average precision"
CORRECTED = "precision after review"


def pairing_table(result: Result, names: Sequence[str]) -> Table:
    """A row per number and a column per system; without rows where there is nothing of the kind."""
    return _table(result.systems, names, several=len(result.systems) > 1)


def _table(systems: Sequence[SystemResult], names: Sequence[str], *, several: bool) -> Table:
    found = [system.pairing or Pairing() for system in systems]
    rows = [
        [AVERAGE_PRECISION, *map(_average_precision, found)],
        [TRAINED, *(_threshold(each.get("trained")) for each in found)],
        ["  F1 on training", *(_f1(each.get("trained")) for each in found)],
        [ORACLE, *(_threshold(each.get("oracle")) for each in found)],
        [CORRECTED, *map(show_corrected, found)],
    ]
    headers = names if several else ["value"]
    return Table(["", *headers], [row for row in rows if any(cell != "-" for cell in row[1:])])


def render_pairing(result: Result, names: Sequence[str], columns: int, *, bold: bool) -> list[str]:
    """For a terminal: as many systems abreast as there is room for, then what has to be said of the numbers."""
    whole = pairing_table(result, names)
    labels = widest(row[0] for row in whole.rows)
    need = max(COLUMN, widest(cell for row in whole.rows for cell in row[1:])) + GAP
    abreast = max(1, (columns - labels) // need)
    shown = []
    for k in range(0, len(names), abreast):
        table = _table(result.systems[k : k + abreast], names[k : k + abreast], several=len(names) > 1)
        shown += [render_text(table, columns=columns, bold=bold)] if table.rows else []
    notes = "".join(f"{line}\n" for note in pairing_notes(result) for line in fold(note, columns))
    return [*shown, notes] if notes else shown


def _average_precision(pairing: Pairing) -> str:
    return percent(pairing.get("average_precision"))


def _threshold(threshold: Threshold | None) -> str:
    return "-" if threshold is None else show_score(threshold["threshold"])


def show_score(score: float) -> str:
    """A score as people read it.

    >>> show_score(0.93), show_score(0.123456789)
    ('0.93', '0.123457')
    """
    return f"{score:.6g}"


def _f1(threshold: Threshold | None) -> str:
    return "-" if threshold is None else percent(threshold["f1"])


def show_corrected(pairing: Pairing) -> str:
    """The precision that a review corrected, with its interval."""
    review = pairing.get("review")
    if review is None or not review["reviewed"]:
        return "-"
    return f"{percent(review['precision'])} [{percent(review['low'])}, {percent(review['high'])}]"


def pairing_notes(result: Result) -> list[str]:
    """What has to be said of these numbers, so that nobody takes one for another."""
    found = [system.pairing for system in result.systems if system.pairing]
    notes = []
    if any("trained" in each for each in found):
        notes.append(
            "pairs-trained keeps the pairs that score at least the threshold that is best on the training split: "
            "this is the number to report."
        )
    if any("oracle" in each for each in found):
        notes.append(
            "pairs-oracle has the threshold that is best on this gold itself: a bound, no result of a system."
        )
        if not any("trained" in each for each in found):
            notes.append(
                "The number to report is that of a threshold chosen on the training split: --training GOLD SYSTEM."
            )
    if any(show_corrected(each) != "-" for each in found):
        notes.append(
            "precision after review: if false pairs are parallel as often as those that were looked at; its interval "
            "is Wilson's, of 95 %."
        )
    return notes


def pairing_rows(result: Result) -> list[list[str]]:
    """The same for a spreadsheet: system, metric, measure and value; ratios from 0 to 1."""
    return [
        [system.name, metric, measure, repr(value)]
        for system in result.systems
        for metric, measure, value in pairing_numbers(system.pairing or Pairing())
    ]
