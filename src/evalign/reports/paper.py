"""The table of a paper: a row per system, a column per metric, the best in bold, marks for significant differences."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.files import tell_apart
from evalign.reports.breakdowns import Breakdowns
from evalign.reports.scores import describe_result, show_ratio
from evalign.reports.significance import Assessed, name_metric, show_interval
from evalign.reports.table import COLUMN, GAP, INTERVAL_COLUMN, RENDERERS, Cell, Table, render_text
from evalign.results import Result
from evalign.wording import best_of, fold, printable, widest

LESS = "↓ less is better."


def render_systems(
    result: Result,
    format: str = "table",
    *,
    columns: int = 100,
    color: bool = False,
    per: Sequence[str] = (),
    assessed: Assessed | None = None,
    sections: Sequence[str] = (),
) -> str:
    """The table in one of the formats for people, with breakdowns and sections of parts behind it.

    On a terminal it is in pieces as wide as that is, and below all of it stands what was tolerated and the signature.
    """
    broken = Breakdowns(result, per, assessed) if per else None
    names = tell_apart([system.name for system in result.systems])
    metrics = list(result.systems[0].scores)
    if format in RENDERERS:
        notes = [*_notes(result), *(assessed.caption(names[0]) if assessed is not None else [])]
        tables = [system_table(result, names, metrics, assessed)._replace(notes=notes)]
        tables += broken.tables() if broken else []
        return "\n".join([*map(RENDERERS[format], tables), *sections])
    labels = min(widest(names), columns // 2) + GAP
    intervals = assessed is not None and assessed.intervals
    room = max(1, (columns - labels) // (COLUMN + INTERVAL_COLUMN * intervals))
    shown = [
        render_text(system_table(result, names, metrics[k : k + room], assessed), columns=columns, bold=color)
        for k in range(0, len(metrics), room)
    ]
    verdict = [assessed.verdict(result, names)] if assessed is not None else []
    opening, closing = (
        "".join(f"{line}\n" for note in texts for line in fold(printable(note), columns))
        for texts in ([*filter(None, verdict)], _notes(result))
    )
    labels_shown = broken.render(columns=columns, bold=color) if broken else ()
    below = describe_result(result, columns, assessed)
    return "\n".join(filter(None, [opening, *shown, closing, *labels_shown, *sections, below]))


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


def _notes(result: Result) -> list[str]:
    """What a reader of the table has to know: a line each."""
    scores = result.systems[0].scores.values()
    return [LESS] if any(score.layer.headline in score.layer.lower_is_better for score in scores) else []
