"""What is known of extracted pairs beside their counts: average precision, thresholds and where they come from, review."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.reports.table import Table
from evalign.reports.wording import percent
from evalign.result import Result, SystemResult
from evalign.result.pairing import Pairing, Threshold

TRAINED = "threshold from training"
ORACLE = "oracle threshold"
AVERAGE_PRECISION = "average precision"
CORRECTED = "precision after review"


def pairing_table(result: Result, names: Sequence[str]) -> Table:
    """A row per number and a column per system; without rows where there is nothing of the kind."""
    found = [system.pairing or Pairing() for system in result.systems]
    rows = [
        [AVERAGE_PRECISION, *(_average_precision(each) for each in found)],
        [TRAINED, *(_threshold(each.get("trained")) for each in found)],
        ["  F1 on training", *(_f1(each.get("trained")) for each in found)],
        [f"{ORACLE}, chosen on gold itself", *(_threshold(each.get("oracle")) for each in found)],
        [CORRECTED, *(_corrected(each) for each in found)],
    ]
    headers = names if len(names) > 1 else ["value"]
    return Table(["", *headers], [row for row in rows if any(cell != "-" for cell in row[1:])])


def _average_precision(pairing: Pairing) -> str:
    return percent(pairing.get("average_precision"))


def _threshold(threshold: Threshold | None) -> str:
    return "-" if threshold is None else f"{threshold['threshold']:.6g}"


def _f1(threshold: Threshold | None) -> str:
    return "-" if threshold is None else percent(threshold["f1"])


def _corrected(pairing: Pairing) -> str:
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
    if any("review" in each for each in found):
        notes.append(
            "precision after review: if false pairs are parallel as often as those that were looked at; its interval "
            "is Wilson's, of 95 %."
        )
    return notes


def pairing_rows(system: SystemResult) -> list[list[str]]:
    """The same for a spreadsheet: metric, measure and value; ratios from 0 to 1."""
    pairing = system.pairing or Pairing()
    rows: list[list[str]] = []
    if pairing.get("average_precision") is not None:
        rows.append(["pairs", "average_precision", str(pairing["average_precision"])])
    if "trained" in pairing:
        rows.append(["pairs-trained", "threshold", repr(pairing["trained"]["threshold"])])
    if "oracle" in pairing:
        rows.append(["pairs-oracle", "threshold", repr(pairing["oracle"]["threshold"])])
    review = pairing.get("review")
    if review is not None and review["precision"] is not None:
        rows.append([review["of"], "precision_after_review", str(review["precision"])])
    return rows
