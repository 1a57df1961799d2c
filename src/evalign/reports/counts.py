"""Scores as counts: true positives, false positives and false negatives, a row per metric and system.

Tables 1 and 2 of Jo et al. 2024 consist of them. A result in parts gets a row per part and a row of their
sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evalign.errors import CommandError
from evalign.files import tell_apart
from evalign.metrics.registry import show_metric
from evalign.reports.formats import RENDERERS, fold_notes, render_text
from evalign.reports.parts import FAILED, STATUS, PartsView, describe_failures
from evalign.reports.scores import describe_result, group_by_metric
from evalign.results.result import Parts, Result
from evalign.results.system_result import Score
from evalign.table import Table
from evalign.wording import printable

HEADERS = ("TP", "FP", "FN")
MEASURES = ("correct", "false_positives", "false_negatives")
SUM = "sum"


def render_counts(
    result: Result | Parts,
    split: Sequence[Parts] = (),
    format: str = "table",
    *,
    columns: int = 100,
    color: bool = False,
    chosen: Sequence[str] = (),
) -> str:
    """Render the counts of a result or run, then those of the parts in `split`; every format but JSON.

    `chosen` names metrics of a run; all by default.
    """
    if not isinstance(result, Result):
        if format == "csv":
            return RENDERERS["csv"](join_count_rows([result, *split], chosen))
        return "\n".join(
            render_part_counts(parts, format, columns=columns, color=color, metrics=chosen)
            for parts in (result, *split)
        )
    metrics, others = _split_metrics([result])
    if format == "csv":
        return RENDERERS["csv"](count_rows(result, metrics, split))
    sections = [render_part_counts(parts, format, columns=columns, color=color) for parts in split]
    table, notes = count_table(result, metrics), describe_uncounted(others)
    if format in RENDERERS:
        return "\n".join([RENDERERS[format](table._replace(notes=notes)), *sections])
    shown = render_text(group_by_metric(table), columns=columns, bold=color)
    return "\n".join([shown, *sections, fold_notes(notes, columns) + describe_result(result, columns)])


def count_table(result: Result, metrics: Sequence[str]) -> Table:
    """Return a table with a row per metric or, of several systems, per metric and system."""
    names = tell_apart([system.name for system in result.systems])
    several = len(names) > 1
    rows = []
    for metric in metrics:
        for number, (name, system) in enumerate(zip(names, result.systems, strict=True)):
            title = [show_metric(metric) if not number else "", *([name] if several else [])]
            rows.append([*title, *_cells(system.scores.get(metric))])
    return Table(["", *([""] if several else []), *HEADERS], rows, "nnrrr" if several else "")


def render_part_counts(
    parts: Parts,
    format: str = "table",
    *,
    columns: int = 100,
    color: bool = False,
    metrics: Sequence[str] = (),
) -> str:
    """Render the counts of parts, of all metrics or those in `metrics`; every format but CSV and JSON."""
    chosen, others = _split_metrics(parts.results.values(), metrics)
    view = PartsView(parts, chosen, None)
    notes = [*_describe_failures(view), *describe_uncounted(others)]
    tables = [_part_table(view, metric) for metric in chosen]
    if format in RENDERERS:
        tables[-1] = tables[-1]._replace(notes=notes)
        return "\n".join(map(RENDERERS[format], tables))
    # On a terminal the sizes are in the first table or, where it would be too wide, in one of their own.
    sizes = range(2 if len(parts.systems) > 1 else 1, len(tables[0].headers) - len(HEADERS))
    bare = [table.choose([k for k in range(len(table.headers)) if k not in sizes]) for table in tables]
    first = [tables[0]] if tables[0].width <= columns else [*([view.size_table()] if sizes else []), bare[0]]
    shown = [render_text(table, columns=columns, bold=color) for table in [*first, *bare[1:]]]
    below = fold_notes(notes, columns) + "".join(f"{printable(line)}\n" for line in view.signatures())
    return "\n".join(filter(None, [fold_notes([view.title], columns), *shown, below]))


def _part_table(view: PartsView, metric: str) -> Table:
    """Make the table of one metric: a row per part and system, then the sums, with sizes of gold if known."""
    parts = view.parts
    names = tell_apart(parts.systems)
    several = len(names) > 1
    added = parts.micro()
    rows = []
    for row in view.rows:
        if row.average == "macro":
            continue
        for number, name in enumerate(names):
            score = (parts[row.name] if not row.average else added).systems[number].scores.get(metric)
            has_failed = not row.average and parts.fails(row.name, number, metric)
            cells = [FAILED] * len(HEADERS) if has_failed else _cells(score)
            title, size = (row.name if not row.average else SUM), row.size
            if number:
                title, size = "", ("",) * len(size)
            rows.append([title, *([name] if several else []), *size, *cells])
    headers = [show_metric(metric), *(["system"] if several else []), *view.size_titles, *HEADERS]
    return Table(headers, rows, "nn" + "r" * (len(headers) - 2) if several else "")


def count_rows(result: Result, metrics: Sequence[str], split: Sequence[Parts] = ()) -> Table:
    """Return a table for programs: a row per system and metric; rows of the parts in `split` follow."""
    rows = [
        [system.name, metric, *_cells(system.scores.get(metric), missing="")]
        for system in result.systems
        for metric in metrics
    ]
    if not split:
        return Table(["system", "metric", *HEADERS], rows, "nnrrr")
    below = join_count_rows(split)
    return below._replace(rows=[*(["", "", *row, ""] for row in rows), *below.rows])


def join_count_rows(split: Sequence[Parts], wanted: Sequence[str] = ()) -> Table:
    """Return the rows of several divisions into parts as one table, with the metrics `wanted` or all."""
    tables = [part_count_rows(parts, _split_metrics(parts.results.values(), wanted)[0]) for parts in split]
    return tables[0]._replace(rows=[row for table in tables for row in table.rows])


def part_count_rows(parts: Parts, metrics: Sequence[str]) -> Table:
    """Return a table for programs: a row per part, system and metric with its status, then the sums."""
    rows = []
    for part, result in parts.results.items():
        for number, system in enumerate(result.systems):
            for metric in metrics:
                has_failed = parts.fails(part, number, metric)
                is_left_out = has_failed and parts.failures == "skip"
                cells = _cells(None if is_left_out else system.scores.get(metric), missing="")
                rows.append([parts.by, part, system.name, metric, *cells, FAILED if has_failed else ""])
    for number, system in enumerate(parts.micro().systems):
        for metric in metrics:
            n_failed = sum(parts.fails(part, number, metric) for part in parts.results)
            status = f"{n_failed} of {len(parts)} {FAILED}" if n_failed else ""
            cells = _cells(system.scores.get(metric), missing="")
            rows.append([SUM, "", system.name, metric, *cells, status])
    return Table(["by", "part", "system", "metric", *HEADERS, STATUS], rows, "nnnnrrrn")


def _cells(score: Score | None, missing: str = "-") -> list[str]:
    counts = score.all_counts if score is not None else {}
    numbers = [counts.get(measure) for measure in MEASURES]
    return [missing if count is None else str(count) for count in numbers]


def _split_metrics(results: Iterable[Result], wanted: Sequence[str] = ()) -> tuple[list[str], list[str]]:
    """Split metrics into those with true and false positives and the others.

    The metrics are those of `results`, or those in `wanted` if they have any of them. Raises `CommandError` if none has these counts.
    """
    scores: dict[str, Score] = {}
    for result in results:
        for system in result.systems:
            scores = {**system.scores, **scores}
    metrics = [metric for metric in wanted if metric in scores] or list(scores)
    chosen = [metric for metric in metrics if set(MEASURES) <= set(scores[metric].all_counts)]
    if not chosen:
        message = f"no true and false positives of {', '.join(metrics)}"
        raise CommandError(message, "a metric of spans or words: sentences, tokens, las, brackets")
    return chosen, [metric for metric in metrics if metric not in chosen]


def list_uncounted(result: Result | Parts, wanted: Sequence[str] = ()) -> list[str]:
    """Return the metrics, of all or of `wanted`, that have no true and false positives."""
    results = [result] if isinstance(result, Result) else result.results.values()
    return _split_metrics(results, wanted)[1]


def describe_uncounted(metrics: Sequence[str]) -> list[str]:
    """Return a note that names the metrics missing from tables of counts; empty without any."""
    return [f"without TP, FP and FN: {', '.join(map(show_metric, metrics))}"] if metrics else []


def _describe_failures(view: PartsView) -> list[str]:
    lines = describe_failures(view.parts)
    if lines:
        is_zero = view.parts.failures == "zero"
        effect = "all of gold is a false negative" if is_zero else "it is left out"
        lines.append(f"where a system failed on a part, for the sum {effect}")
    return lines
