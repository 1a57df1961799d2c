"""The loss by stage: a table of one output, and one of mixed runs beside it."""

from __future__ import annotations

from evalign.errors import CommandError
from evalign.reports.escape import json_text, printable
from evalign.reports.scores import FORMATS
from evalign.reports.table import RENDERERS, Table, render_text
from evalign.reports.width import fold
from evalign.reports.wording import counted, percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.evaluate.attribution import Attribution


def render_attribution(
    attribution: Attribution, format: str = "table", *, columns: int = 100, color: bool = False
) -> str:
    """An attribution in one of the formats."""
    if format == "json":
        return json_text(attribution.to_json(), indent=2) + "\n"
    if format == "csv":
        return RENDERERS["csv"](_long_table(attribution))
    tables = [_stage_table(attribution)]
    tables += [_run_table(attribution)] if len(attribution.runs) > 1 else []
    if format in RENDERERS:
        return "\n".join(RENDERERS[format](table) for table in tables)
    if format != "table":
        message = f'unknown format "{format}"'
        raise CommandError(message, f"one of {', '.join(FORMATS)}")
    parts = [render_text(table, columns=columns, bold=color) for table in tables]
    return "\n".join([*parts, _footer(attribution, columns)])


def _stage_table(attribution: Attribution) -> Table:
    rows = [
        [row.stage, str(row.missed), str(row.spurious), _points(row.points)]
        for row in (*attribution.rows, attribution.total)
    ]
    return Table(["lost to", "missed", "spurious", "points of F1"], rows)


def _run_table(attribution: Attribution) -> Table:
    """Every run, what it scored, and what the next one gained by gold input."""
    rows = [
        [
            run.name,
            *map(str, (run.counts.correct, run.counts.gold, run.counts.system)),
            percent(run.counts.f1),
            _join(run.stages),
            _points(run.points),
        ]
        for run in attribution.runs
    ]
    total = attribution.total.points
    rows.append(["total", "", "", "", "", "", _points(total)])
    return Table(["run", "correct", "gold", "system", "F1", "lost to", "points of F1"], rows, "nrrrrlr")


def _join(stages: tuple[str, ...]) -> str:
    *others, last = stages
    return f"{', '.join(others)} and {last}" if others else last


def _points(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _footer(attribution: Attribution, columns: int) -> str:
    """What was counted, which sentences have no analysis, and which numbers these are."""
    counts, charges = attribution.counts, attribution.charges
    told = (
        f"{counts.correct:,} of {counts.gold:,} gold and {counts.system:,} system {attribution.items} correct, "
        f"{attribution.metric} F1 {percent(counts.f1)}"
    )
    lines = fold(told, columns)
    if charges.unanalysed_sentences:
        sentences = counted(charges.unanalysed_sentences, "gold sentence")
        lines += fold(f"{charges.unanalysed:,} missed in {sentences} without any analysis", columns)
    if not charges.tags:
        lines += fold("no tags in both files: nothing is charged to them", columns)
    lines.append(f"signature  {attribution.signature}")
    return "".join(f"{printable(line)}\n" for line in lines)


def _long_table(attribution: Attribution) -> Table:
    """A row per number; points are of F1, ratios from 0 to 1."""
    rows = []
    for row in (*attribution.rows, attribution.total):
        for measure, value in (("missed", row.missed), ("spurious", row.spurious), ("points", row.points)):
            rows.append(["one output", row.stage, measure, _cell(value)])
    runs = attribution.runs if len(attribution.runs) > 1 else ()
    for run in runs:
        stages = _join(run.stages)
        for measure, number in (("f1", run.counts.f1), ("points", run.points)):
            rows.append([run.name, stages, measure, _cell(number)])
    return Table(["run", "stage", "measure", "value"], rows, "nnnr")


def _cell(value: float | None) -> str:
    return "" if value is None else str(value)
