"""The table of a paper: a row per system, a column per metric, the best in bold, marks for significant differences.

Also a JSON object per system and metric, one to a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalign.reports.escape import json_text, printable
from evalign.reports.scores import best_of, show_ratio
from evalign.reports.significance import Assessed, name_metric, show_interval
from evalign.reports.table import GAP, RENDERERS, Cell, Table, render_text
from evalign.reports.width import fold, tell_apart, widest
from evalign.result import Result

LESS = "↓ less is better."
# What a column of numbers takes at least, and what an interval adds.
COLUMN, INTERVAL_COLUMN = 10, 14


def render_systems(
    result: Result,
    format: str = "table",
    *,
    columns: int = 100,
    color: bool = False,
    assessed: Assessed | None = None,
) -> str:
    """The table in one of the formats for people; on a terminal in pieces as wide as that is."""
    names = tell_apart([system.name for system in result.systems])
    metrics = list(result.systems[0].scores)
    notes = _notes(result, assessed)
    if format in RENDERERS:
        return RENDERERS[format](system_table(result, names, metrics, assessed)._replace(notes=notes))
    labels = min(widest(names), columns // 2) + GAP
    intervals = assessed is not None and assessed.intervals
    room = max(1, (columns - labels) // (COLUMN + INTERVAL_COLUMN * intervals))
    tables = [
        render_text(system_table(result, names, metrics[k : k + room], assessed), columns=columns, bold=color)
        for k in range(0, len(metrics), room)
    ]
    told = [f"{line}\n" for note in notes for line in fold(printable(note), columns)]
    return "\n".join([*tables, *(["".join(told)] if told else [])])


def system_table(
    result: Result, names: Sequence[str], metrics: Sequence[str], assessed: Assessed | None
) -> Table:
    """A row per system, a column per metric: the ratio that stands for it."""
    rows = [[name] for name in names]
    best: set[Cell] = set()
    marks: dict[Cell, str] = {}
    behind: dict[Cell, str] = {}
    for column, metric in enumerate(metrics, 1):
        model = result.systems[0].scores[metric]
        headline = model.layer.headline
        values = [system[metric].value for system in result.systems]
        best |= {(n, column) for n in best_of(values, lowest=headline in model.layer.lower_is_better)}
        for n, value in enumerate(values):
            rows[n].append(show_ratio(model, headline, value))
            if assessed is None:
                continue
            if sign := assessed.mark(n, metric):
                marks[n, column] = sign
            if interval := assessed.interval(n, metric, headline):
                behind[n, column] = show_interval(model, headline, interval)
    headers = ["", *(name_metric(result.systems[0].scores[metric]) for metric in metrics)]
    return Table(headers, rows, best=frozenset(best), marks=marks, behind=behind)


def _notes(result: Result, assessed: Assessed | None) -> list[str]:
    """What a reader of the table has to know: a line each."""
    lowest = any(
        score.layer.headline in score.layer.lower_is_better for score in result.systems[0].scores.values()
    )
    lines = [LESS] if lowest else []
    first = tell_apart([system.name for system in result.systems])[0]
    return [*lines, *(assessed.caption(first) if assessed is not None else [])]


def render_jsonl(result: Result, assessed: Assessed | None = None) -> Iterator[str]:
    """A JSON object per system and metric: counts, ratios, and what resampling found."""
    first = result.systems[0].name
    for n, system in enumerate(result.systems):
        for metric, score in system.scores.items():
            row: dict[str, object] = {"gold": result.gold, "system": system.name, "metric": metric}
            row |= {"headline": score.layer.headline, "scores": score.to_json()}
            if assessed is not None and assessed.intervals:
                found = assessed.found.intervals[n].get(metric, {})
                row["intervals"] = {ratio: list(ends) if ends else None for ratio, ends in found.items()}
            if assessed is not None and assessed.paired:
                difference = assessed.difference(n, metric)
                row["against"] = first if difference else None
                row["difference"] = difference.difference if difference else None
                row["difference_interval"] = (
                    list(difference.interval) if difference and difference.interval else None
                )
                row["p"] = difference.p if difference else None
                row["p_holm"] = difference.adjusted if difference else None
            row["signature"] = system.signature + (assessed.suffix if assessed is not None else "")
            yield json_text(row) + "\n"
