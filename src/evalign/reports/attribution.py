"""The loss by stage: a table of one output, and one of mixed runs beside it."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.errors import CommandError, quote, suggest
from evalign.metrics import Counts, show_metric
from evalign.reports.escape import json_text
from evalign.reports.scores import FORMATS
from evalign.reports.table import RENDERERS, Table, render_text
from evalign.results import list_signatures
from evalign.scoring import RUNS
from evalign.wording import counted, fold, percent, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.scoring import Attribution


POINTS_NOTE = "points are points of F1; they add up to 100 - F1"
FAILED_NOTE = "failed parses: gold sentences that the system has nothing of"
INPUT_NOTE = "gold tokens are given with gold sentences, gold tags with both"


def render_attribution(
    attribution: Attribution, format: str = "table", *, columns: int = 100, color: bool = False
) -> str:
    """An attribution in one of the formats."""
    if format == "json":
        return json_text(attribution.to_dict(), indent=2) + "\n"
    if format == "csv":
        return RENDERERS["csv"](_long_table(attribution))
    tables = [_stage_table(attribution)]
    tables += [_run_table(attribution)] if len(attribution.runs) > 1 else []
    if format in RENDERERS:
        return "\n".join(RENDERERS[format](table) for table in tables)
    if format != "table":
        message = f"unknown format {quote(format)}"
        raise CommandError(message, *suggest(format, FORMATS))
    parts = [render_text(table, columns=columns, bold=color) for table in tables]
    return "\n".join([*parts, _footer(attribution, columns)])


def _stage_table(attribution: Attribution) -> Table:
    """Every stage, and all together, in whole hundredths of a point that add up."""
    rows = (*attribution.rows, attribution.total)
    points = _share_out([row.missed + row.spurious for row in attribution.rows], attribution.counts)
    cells = [
        [row.stage, str(row.missed), str(row.spurious), shown]
        for row, shown in zip(rows, points, strict=True)
    ]
    return Table(["lost to", "missed", "spurious", "points"], cells)


def _share_out(wrong: Sequence[int], counts: Counts) -> list[str]:
    """Points of each stage and of all, rounded so that they add up to what F1, as shown, lacks of 100.

    Each is rounded down first; what is then missing goes to those with most cut off.
    """
    total = _hundredths_lost(counts.f1)
    if total is None:
        return ["-"] * (len(wrong) + 1)
    parts = [divmod(10_000 * count, counts.gold + counts.system) for count in wrong]
    shown = [whole for whole, _ in parts]
    ranked = sorted(range(len(wrong)), key=lambda k: -parts[k][1])
    for k in ranked[: max(0, total - sum(shown))]:
        shown[k] += 1
    return [_shown(value) for value in (*shown, total)]


def _hundredths_lost(f1: float | None, best: float | None = 1.0) -> int | None:
    """Hundredths of a point between two F1 as they are shown."""
    if f1 is None or best is None:
        return None
    return round(100 * float(percent(best))) - round(100 * float(percent(f1)))


def _run_table(attribution: Attribution) -> Table:
    """Every run, what it scored, and what the next one gained by gold input."""
    runs = attribution.runs
    rows = []
    for run, best in zip(runs, [*(run.counts.f1 for run in runs[1:]), 1.0], strict=True):
        lost = _shown(_hundredths_lost(run.counts.f1, best))
        rows.append([run.input, percent(run.counts.f1), _join(run.stages), lost])
    rows.append(["total", "", "", _shown(_hundredths_lost(attribution.f1))])
    return Table(["input", "F1", "lost to", "points"], rows, "nrlr")


def _shown(hundredths: int | None) -> str:
    return "-" if hundredths is None else f"{hundredths / 100:.2f}"


def _join(stages: tuple[str, ...]) -> str:
    *others, last = stages
    return f"{', '.join(others)} and {last}" if others else last


def _footer(attribution: Attribution, columns: int) -> str:
    """What was counted, which sentences have no analysis, and which numbers these are."""
    counts, charges = attribution.counts, attribution.charges
    told = (
        f"{counts.correct:,} of {counts.gold:,} gold and {counts.system:,} system {attribution.items} correct, "
        f"{show_metric(attribution.metric)} F1 {percent(counts.f1)}"
    )
    lines = fold(told, columns)
    for note in (POINTS_NOTE, FAILED_NOTE, *([INPUT_NOTE] if len(attribution.runs) > 1 else [])):
        lines += fold(note, columns)
    if charges.unanalysed_sentences:
        sentences = counted(charges.unanalysed_sentences, "gold sentence")
        lines += fold(f"{charges.unanalysed:,} missed in {sentences} without any analysis", columns)
    if not charges.tags:
        lines += fold("no tags in both files: nothing is charged to them", columns)
    runs = [run for run in attribution.runs[1:] if run.signature]
    lines += list_signatures(
        [RUNS[0], *(run.input for run in runs)],
        [attribution.signature, *(run.signature for run in runs)],
    )
    return "".join(f"{printable(line)}\n" for line in lines)


def _long_table(attribution: Attribution) -> Table:
    """A row per number; points are of F1, ratios from 0 to 1.

    `points_to_next` are those between an input and the next one, not what is charged to a stage.
    """
    rows = []
    for row in (*attribution.rows, attribution.total):
        for measure, value in (("missed", row.missed), ("spurious", row.spurious), ("points", row.points)):
            rows.append([RUNS[0], row.stage, measure, _cell(value)])
    runs = attribution.runs if len(attribution.runs) > 1 else ()
    for run in runs:
        stages = _join(run.stages)
        for measure, number in (("f1", run.counts.f1), ("points_to_next", run.points)):
            rows.append([run.input, stages, measure, _cell(number)])
    return Table(["input", "stage", "measure", "value"], rows, "nnnr")


def _cell(value: float | None) -> str:
    return "" if value is None else str(value)
