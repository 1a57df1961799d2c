"""Scores as counts: true positives, false positives and false negatives, a row per metric and system.

Tables 1 and 2 of Jo et al. 2024 are made of them. A result in parts has a row per part, and one of their sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from evalign.errors import CommandError
from evalign.layers.kinds import show_metric
from evalign.names import tell_apart
from evalign.reports.parts import FAILED, STATUS, View
from evalign.reports.scores import describe_result, group_by_metric
from evalign.reports.table import RENDERERS, Table, render_text
from evalign.result import Parts, Result, Score
from evalign.wording import fold, printable

HEADERS = ("TP", "FP", "FN")
MEASURES = ("correct", "false_positives", "false_negatives")
SUM = "sum"


def render_counts(
    result: Result,
    format: str = "table",
    *,
    columns: int = 100,
    color: bool = False,
    sections: Sequence[str] = (),
) -> str:
    """The counts of a result as a table in one of the formats for people, with sections of parts behind it."""
    metrics, others = _split_metrics([result])
    table, notes = count_table(result, metrics), _describe_others(others)
    if format in RENDERERS:
        return "\n".join([RENDERERS[format](table._replace(notes=notes)), *sections])
    shown = render_text(group_by_metric(table), columns=columns, bold=color)
    return "\n".join([shown, *sections, _fold(notes, columns) + describe_result(result, columns)])


def count_table(result: Result, metrics: Sequence[str]) -> Table:
    """A row per metric, of several systems one per metric and system."""
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
    """The counts of parts as tables in one of the formats for people; of all metrics, or of some."""
    chosen, others = _split_metrics(parts.results.values(), metrics)
    view = View(parts, chosen, None)
    notes = [*_describe_failures(view), *_describe_others(others)]
    tables = list(_part_tables(parts, chosen))
    if format in RENDERERS:
        tables[-1] = tables[-1]._replace(notes=notes)
        return "\n".join(map(RENDERERS[format], tables))
    shown = [render_text(table, columns=columns, bold=color) for table in tables]
    below = _fold(notes, columns) + "".join(f"{printable(line)}\n" for line in view.signatures())
    return "\n".join(filter(None, [_fold([view.title], columns), *shown, below]))


def _part_tables(parts: Parts, metrics: Sequence[str]) -> Iterator[Table]:
    """A table per metric: a row per part and system, then the sums over all parts."""
    names = tell_apart(parts.systems)
    several = len(names) > 1
    added = parts.micro()
    for metric in metrics:
        rows = []
        for part, result in [*parts.results.items(), (SUM, added)]:
            for number, (name, system) in enumerate(zip(names, result.systems, strict=True)):
                title = [part if not number else "", *([name] if several else [])]
                has_failed = result is not added and parts.fails(part, number, metric)
                cells = [FAILED] * len(HEADERS) if has_failed else _cells(system.scores.get(metric))
                rows.append([*title, *cells])
        headers = [show_metric(metric), *(["system"] if several else []), *HEADERS]
        yield Table(headers, rows, "nnrrr" if several else "")


def count_rows(result: Result, split: Sequence[Parts] = ()) -> Table:
    """For programs: a row per system and metric; if the result is split, with rows of the parts below."""
    metrics, _others = _split_metrics([result])
    rows = [
        [system.name, metric, *_cells(system.scores.get(metric), missing="")]
        for system in result.systems
        for metric in metrics
    ]
    if not split:
        return Table(["system", "metric", *HEADERS], rows, "nnrrr")
    tables = [part_count_rows(parts) for parts in split]
    below = [row for table in tables for row in table.rows]
    return tables[0]._replace(rows=[*(["", "", *row, ""] for row in rows), *below])


def part_count_rows(parts: Parts, metrics: Sequence[str] = ()) -> Table:
    """For programs: a row per part, system and metric, which says whether the system failed, and the sums."""
    chosen, _others = _split_metrics(parts.results.values(), metrics)
    rows = []
    for part, result in parts.results.items():
        for number, system in enumerate(result.systems):
            for metric in chosen:
                has_failed = parts.fails(part, number, metric)
                is_left_out = has_failed and parts.failures == "skip"
                cells = _cells(None if is_left_out else system.scores.get(metric), missing="")
                rows.append([parts.by, part, system.name, metric, *cells, FAILED if has_failed else ""])
    for system in parts.micro().systems:
        rows += ([SUM, "", system.name, m, *_cells(system.scores.get(m), missing=""), ""] for m in chosen)
    return Table(["by", "part", "system", "metric", *HEADERS, STATUS], rows, "nnnnrrrn")


def _cells(score: Score | None, missing: str = "-") -> list[str]:
    counts = score.all_counts if score is not None else {}
    found = [counts.get(measure) for measure in MEASURES]
    return [missing if count is None else str(count) for count in found]


def _split_metrics(results: Iterable[Result], wanted: Sequence[str] = ()) -> tuple[list[str], list[str]]:
    """Metrics that have these counts, and others; raises `CommandError` where none has."""
    scores: dict[str, Score] = {}
    for result in results:
        for system in result.systems:
            scores = {**system.scores, **scores}
    metrics = list(wanted) or list(scores)
    chosen = [metric for metric in metrics if set(MEASURES) <= set(scores[metric].all_counts)]
    if not chosen:
        message = f"no true and false positives of {', '.join(metrics)}"
        raise CommandError(message, "a metric of spans or words: sentences, tokens, las, brackets")
    return chosen, [metric for metric in metrics if metric not in chosen]


def _describe_others(metrics: Sequence[str]) -> list[str]:
    return [f"without TP, FP and FN: {', '.join(map(show_metric, metrics))}"] if metrics else []


def _describe_failures(view: View) -> list[str]:
    lines = view.describe_failures()
    if lines:
        is_zero = view.parts.failures == "zero"
        told = "all of gold is a false negative" if is_zero else "it is left out"
        lines.append(f"where a system failed on a part, for the sum {told}")
    return lines


def _fold(texts: Iterable[str], columns: int) -> str:
    return "".join(f"{line}\n" for text in texts for line in fold(printable(text), columns))
