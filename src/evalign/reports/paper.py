"""The table of a paper: a row per system, a column per metric, the best in bold, marks for significant differences."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.names import tell_apart
from evalign.reports.scores import show_ratio
from evalign.reports.significance import Assessed, name_metric, show_interval
from evalign.reports.table import COLUMN, GAP, INTERVAL_COLUMN, RENDERERS, Cell, Table, render_text
from evalign.result import Result
from evalign.wording import best_of, fold, printable, widest

LESS = "↓ less is better."


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
    verdict = [assessed.verdict(result, names)] if assessed is not None else []
    opening, closing = (
        "".join(f"{line}\n" for note in texts for line in fold(printable(note), columns))
        for texts in ([*filter(None, verdict)], notes)
    )
    return "\n".join(filter(None, [opening, *tables, closing]))


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
        lowest, scale = headline in model.layer.lower_is_better, model.layer.scale(headline)
        best |= {(n, column) for n in best_of(values, lowest=lowest, scale=scale)}
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
