"""Scores of one or several systems in every format, by metric or as the table of a paper.

`evalign score` and `convert` print what is made here. The headline ratio of a metric is the one that is shown
first and stands for it, such as F1. Intervals, breakdowns and pairs are imported inside functions, so that a
plain score does not load them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from evalign.errors import CommandError
from evalign.files import tell_apart
from evalign.metrics.metric import MATCHED
from evalign.metrics.registry import show_metric
from evalign.reports.formats import (
    COLUMN,
    INTERVAL_COLUMN,
    RENDERERS,
    exact,
    fold_notes,
    json_text,
    render_text,
)
from evalign.results.ledger import describe_ledger
from evalign.results.result import Parts, Result
from evalign.results.signatures import list_signatures
from evalign.results.system_result import Score, SystemResult
from evalign.table import GAP, SHORTEST_NAME, Cell, Table
from evalign.wording import (
    RATIOS,
    best_of,
    decimal,
    find_ratio,
    fold,
    name_ratio,
    percent,
    printable,
    shorten,
    widest,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.reports.breakdowns import Breakdowns
    from evalign.reports.significance import Assessed
    from evalign.results.codec import SavedResult
    from evalign.significance.values import Difference, Interval

COUNTS = ("correct", "gold", "system")
# Headers of ratios; short for aligned accuracy, as columns are narrow.
TITLES = {**RATIOS, "aligned_accuracy": "aligned"}
# Least terminal columns of a system's numbers, with the gap before them.
SYSTEM_COLUMN = 12
# Note under a table of systems.
LESS = "↓ less is better."


def render_scores(
    result: Result,
    format: str = "table",
    *,
    layout: str = "",
    columns: int = 100,
    color: bool = False,
    per: Sequence[str] = (),
    assessed: Assessed | None = None,
    sections: Sequence[str] = (),
) -> str:
    """Render a result as tables for people: on a terminal, in Markdown, LaTeX or Typst.

    The layout "systems" has a row per system and a column per metric, any other a row per metric and system.
    `per` names the breakdowns to add, `assessed` the intervals and tests; `sections` are rendered parts to
    append. On a terminal tables are split to fit, and followed by what was tolerated and the signatures.
    """
    breakdowns = None
    if per:
        from evalign.reports.breakdowns import Breakdowns

        breakdowns = Breakdowns(result, per, assessed)
    names = tell_apart([system.name for system in result.systems])
    by_system = layout == "systems"
    if format in RENDERERS:
        tables = (
            [_page_table(result, names, assessed)] if by_system else _page_tables(result, names, assessed)
        )
        tables += breakdowns.tables() if breakdowns else []
        return "\n".join([*map(RENDERERS[format], tables), *sections])
    left_out: Sequence[str] = ()
    if by_system:
        tables = _system_tables(result, names, columns, assessed)
    else:
        tables, left_out = _terminal_tables(result, names, columns, assessed)
    # Who is ahead and whether that may be chance; nothing without tests.
    verdict = assessed.verdict(result, names) if assessed is not None else ""
    parts = [fold_notes(filter(None, [verdict]), columns)]
    parts += [render_text(table, columns=columns, bold=color) for table in tables]
    if by_system:
        parts.append(fold_notes(_system_notes(result), columns))
    else:
        if _has_pairing(result):
            from evalign.reports.bitext import render_pairing

            parts += render_pairing(result, names, columns, bold=color)
        parts += _render_tests(result, names, columns, assessed, bold=color)
    parts += breakdowns.render(columns=columns, bold=color) if breakdowns else []
    parts += [*sections, describe_result(result, columns, assessed, left_out)]
    return "\n".join(filter(None, parts))


def scores_json(result: Result, per: Sequence[str] = (), assessed: Assessed | None = None) -> SavedResult:
    """Return a result in the form printed as JSON; the signatures include the resampling."""
    saved = result.to_dict(per=per)
    if assessed is not None:
        saved["significance"] = assessed.significance.to_dict([system.name for system in result.systems])
        for system in saved["systems"]:
            system["signature"] += assessed.suffix
    return saved


def _page_tables(result: Result, names: Sequence[str], assessed: Assessed | None) -> list[Table]:
    """Return the tables for Markdown, LaTeX and Typst, with notes on resampling under the last tests."""
    tables = [_span_table(result, names, assessed), _measure_table(result.systems, names, assessed)]
    tables = [table for table in tables if table.rows]
    if _has_pairing(result):
        from evalign.reports.bitext import pairing_notes, pairing_table

        tables += [table for table in [pairing_table(result, names)] if table.rows]
        tables[-1] = tables[-1]._replace(notes=pairing_notes(result))
    if assessed is not None:
        from evalign.reports.significance import significance_tables

        tables += [table for _, table in significance_tables(result, names, assessed)]
        tables[-1] = tables[-1]._replace(notes=[*tables[-1].notes, *assessed.caption(names[0])])
    return tables


def _has_pairing(result: Result) -> bool:
    return any(system.pairing for system in result.systems)


def only_value(system: SystemResult, wanted: str) -> str:
    """Format one number of a system, named METRIC or METRIC.PART, such as "tokens.f1".

    A part may be named as in tables, in words, or as in JSON; without one the headline ratio is meant.
    """
    metric, _, part = wanted.partition(".")
    score = system[metric]
    name = find_ratio(part, score.ratios) or score.metric.headline
    value = score[name]
    return str(value) if isinstance(value, int) else show_ratio(score, name, value)


def only_values(result: Result | Parts, wanted: str) -> list[str]:
    """Format one number of every system, as `only_value` does; of a run its macro average."""
    if isinstance(result, Result):
        return [only_value(system, wanted) for system in result.systems]
    metric, _, part = wanted.partition(".")
    score = result.micro()[metric]
    name = find_ratio(part, score.ratios) or score.metric.headline
    if name not in score.ratios:
        message = f"{wanted} of several {result.by}s"
        expected = f"a ratio, of which there is a macro average: {', '.join(score.ratios)}"
        raise CommandError(message, expected, "JSON has the counts, of every treebank and added up")
    return [show_ratio(score, name, result.macro(k, metric)[name]) for k in range(len(result.systems))]


def show_ratio(score: Score, name: str, value: float | None) -> str:
    """Format a share as a percentage, any other ratio as it is."""
    return decimal(value) if name in score.metric.numbers else percent(value)


def _is_span(score: Score) -> bool:
    return set(MATCHED[:3]) <= set(score.metric.fields) and "f1" in score.ratios


def _terminal_tables(
    result: Result, names: Sequence[str], columns: int, assessed: Assessed | None
) -> tuple[list[Table], Sequence[str]]:
    """Return tables that fit into `columns` as far as possible, with fewer systems abreast where needed.

    Also returns the columns there was no room for.
    """
    intervals = assessed is not None and assessed.intervals
    measures = _measure_table(result.systems, names, assessed)
    # Counts are the first to go: ratios matter more, and every other format has the counts.
    others = (*COUNTS, TITLES["aligned_accuracy"])
    for left_out in ((), COUNTS, others, (*others, "precision", "recall")):
        spans = group_by_metric(_span_table(result, names, assessed, left_out))
        if _least_width(spans) <= columns:
            break
    labels = sum(widest(row[k] for row in measures.rows) + GAP for k in range(2))
    need = COLUMN + INTERVAL_COLUMN if intervals else SYSTEM_COLUMN
    abreast = max(1, (columns - labels) // need)
    tables = [spans]
    for k in range(0, len(names), abreast):
        shown = range(k, min(k + abreast, len(names)))
        tables.append(measures.choose([0, 1, *(2 + number for number in shown)]))
    missing = [title for title in left_out if title in _span_table(result, names).headers]
    return [table for table in tables if table.rows], missing


def _least_width(table: Table) -> int:
    """Return the width of a table with its names shortened as far as they may be."""
    return table.width - max(0, widest(row[0] for row in table.rows) - SHORTEST_NAME)


def _render_tests(
    result: Result, names: Sequence[str], columns: int, assessed: Assessed | None, *, bold: bool
) -> list[str]:
    """Render differences and p-values for a terminal, each table under its title."""
    if assessed is None:
        return []
    from evalign.reports.significance import significance_tables

    sections = []
    for title, table in significance_tables(result, names, assessed):
        shown = group_by_metric(table)
        shown = shown._replace(headers=["", *shown.headers[1:]])
        sections.append(fold_notes([title], columns) + render_text(shown, columns=columns, bold=bold))
    return sections


def _span_table(
    result: Result, names: Sequence[str], assessed: Assessed | None = None, left_out: Sequence[str] = ()
) -> Table:
    """Make the table of precision, recall and F1: a row per metric and system.

    With several systems it has a column of gains: differences in F1 from the first system. `left_out` has the
    titles of columns to leave out.
    """
    several = len(names) > 1
    spans = [metric for metric, score in result.systems[0].scores.items() if _is_span(score)]
    counts = [name for name in COUNTS if name not in left_out]
    ratios = [name for name in RATIOS if any(name in result[metric].ratios for metric in spans)]
    ratios = [name for name in ratios if TITLES[name] not in left_out]
    titles = _span_titles(ratios, counts, assessed)
    rows: list[list[str]] = []
    best: set[Cell] = set()
    for metric in spans:
        scores = [system[metric] for system in result.systems]
        for ratio in ratios:
            k = (2 if several else 1) + titles.index(TITLES[ratio])
            best |= {(len(rows) + n, k) for n in best_of([score.ratios.get(ratio) for score in scores])}
        for n, score in enumerate(scores):
            name = [show_metric(metric) if not n else "", names[n]] if several else [show_metric(metric)]
            gain = [_gain(scores[0], score) if n else ""] if several else []
            rows.append([*name, *_span_cells(n, score, ratios, counts, assessed), *gain])
    if not several:
        return Table(["", *titles], rows)
    headers = ["", "", *titles, "gain"]
    return Table(headers, rows, "nn" + "r" * (len(titles) + 1), frozenset(best))


def _span_titles(ratios: Sequence[str], counts: Sequence[str], assessed: Assessed | None) -> list[str]:
    titles = [*counts]
    for ratio in ratios:
        titles.append(TITLES[ratio])
        if ratio == "f1" and assessed is not None and assessed.intervals:
            titles.append(f"{assessed.level} interval")
    return titles


def _span_cells(
    system: int, score: Score, ratios: Sequence[str], counts: Sequence[str], assessed: Assessed | None
) -> list[str]:
    """Return cells of counts and ratios of one system, with the interval after F1."""
    cells = [str(score.counts[name]) if score.available else "-" for name in counts]
    for ratio in ratios:
        cells.append(percent(score.ratios[ratio]) if ratio in score.ratios else "")
        if ratio == "f1" and assessed is not None and assessed.intervals:
            cells.append(_interval(assessed, system, score, ratio))
    return cells


def _interval(assessed: Assessed, system: int, score: Score, ratio: str) -> str:
    from evalign.reports.significance import show_interval

    return show_interval(score, ratio, assessed.interval(system, score.name, ratio))


def group_by_metric(table: Table) -> Table:
    """Move the metric from the first column to a line of its own above its systems, to save width."""
    if not table.form:
        return table
    rows: list[Sequence[str]] = []
    moved = {}
    for number, row in enumerate(table.rows):
        if row[0]:
            rows.append([row[0], *[""] * (len(row) - 2)])
        moved[number] = len(rows)
        rows.append([f"  {row[1]}", *row[2:]])
    best = frozenset((moved[number], k - 1) for number, k in table.best)
    marks = {(moved[number], k - 1): mark for (number, k), mark in table.marks.items()}
    return Table(table.headers[1:], rows, best=best, marks=marks)


def _gain(first: Score, other: Score) -> str:
    """Format the difference in F1 from the first system, in points."""
    if first.f1 is None or other.f1 is None:
        return "-"
    return f"{100 * (other.f1 - first.f1):+.2f}"


def _measure_table(
    systems: Sequence[SystemResult], names: Sequence[str], assessed: Assessed | None = None
) -> Table:
    """Make the table of metrics that are not about spans: a row per measure, a column per system."""
    rows: list[list[str]] = []
    best: set[Cell] = set()
    behind: dict[Cell, str] = {}
    for metric, model in systems[0].scores.items():
        if _is_span(model):
            continue
        for measure in model.ratios:
            values = [system[metric].ratios[measure] for system in systems]
            lowest = measure in model.metric.lower_is_better
            best |= {
                (len(rows), n + 2) for n in best_of(values, lowest=lowest, scale=model.metric.scale(measure))
            }
            shown = [show_ratio(model, measure, value) for value in values]
            for n, system in enumerate(systems):
                if assessed is not None and assessed.interval(n, metric, measure):
                    behind[len(rows), n + 2] = _interval(assessed, n, system[metric], measure)
            rows.append([show_metric(metric), name_ratio(measure), *shown])
    headers = names if len(systems) > 1 else ["value"]
    form = "nl" + "r" * len(headers)
    return Table(["", "measure", *headers], rows, form, frozenset(best), behind=behind)


def long_table(
    result: Result, breakdowns: Breakdowns | None = None, assessed: Assessed | None = None
) -> Table:
    """Return the table for CSV: a row per system, metric and measure, with ratios from 0 to 1."""
    rows = []
    for system in result.systems:
        for metric, score in system.scores.items():
            for measure, value in score.to_dict().items():
                rows.append([system.name, metric, measure, exact(value)])
    table = Table(["system", "metric", "measure", "value"], rows, "nnnr")
    if assessed is not None:
        from evalign.reports.significance import extend_long

        table = extend_long(table, result, assessed)
    more: list[Sequence[str]] = [*breakdowns.rows()] if breakdowns else []
    if _has_pairing(result):
        from evalign.reports.bitext import pairing_rows

        more = [*pairing_rows(result), *more]
    width = len(table.headers)
    return table._replace(rows=[*table.rows, *([*row, *[""] * (width - len(row))] for row in more)])


def describe_result(
    result: Result, columns: int, assessed: Assessed | None = None, left_out: Sequence[str] = ()
) -> str:
    """Render the notes below tables on a terminal.

    They name the columns left out for lack of room (`left_out`), what was resampled, what was tolerated (the
    ledger) and the signatures.
    """
    lines = []
    names = [printable(name) for name in tell_apart([system.name for system in result.systems])]
    for name, system in zip(names, result.systems, strict=True):
        ledger = describe_ledger(system.ledger, columns - 2)
        if len(names) > 1:
            lines.append(f"{shorten(name, columns - 1)}:")
            ledger = [f"  {line}" for line in ledger]
        lines += ledger
    suffix = ""
    if assessed is not None:
        from evalign.reports.significance import render_notes

        suffix = assessed.suffix
        lines = [*render_notes(assessed, columns), *lines]
    if left_out:
        missing = (
            f"no room for {', '.join(left_out)} in {columns} columns: widen the terminal, or --format csv"
        )
        lines = [*fold(missing, columns), *lines]
    lines += map(printable, list_signatures(names, [system.signature for system in result.systems], suffix))
    return "\n".join(lines) + "\n"


# The table of a paper: a row per system, a column per metric, the best in bold, marks for significance.


def _page_table(result: Result, names: Sequence[str], assessed: Assessed | None) -> Table:
    """Return the table for Markdown, LaTeX and Typst, with notes on its signs and on resampling."""
    notes = [*_system_notes(result), *(assessed.caption(names[0]) if assessed is not None else [])]
    return system_table(result, names, list(result.systems[0].scores), assessed)._replace(notes=notes)


def _system_tables(
    result: Result, names: Sequence[str], columns: int, assessed: Assessed | None
) -> list[Table]:
    """Return tables for a terminal, with as many metrics abreast as fit."""
    metrics = list(result.systems[0].scores)
    labels = min(widest(names), columns // 2) + GAP
    intervals = assessed is not None and assessed.intervals
    room = max(1, (columns - labels) // (COLUMN + INTERVAL_COLUMN * intervals))
    return [
        system_table(result, names, metrics[k : k + room], assessed) for k in range(0, len(metrics), room)
    ]


def system_table(
    result: Result, names: Sequence[str], metrics: Sequence[str], assessed: Assessed | None
) -> Table:
    """Return a table with a row per system and the headline ratio of each metric."""
    from evalign.reports.significance import name_metric, show_interval

    rows = [[name] for name in names]
    best: set[Cell] = set()
    marks: dict[Cell, str] = {}
    behind: dict[Cell, str] = {}
    for column, metric in enumerate(metrics, 1):
        model = result.systems[0].scores[metric]
        headline = model.metric.headline
        values = [system[metric].value for system in result.systems]
        lowest, scale = headline in model.metric.lower_is_better, model.metric.scale(headline)
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


def _system_notes(result: Result) -> list[str]:
    """Return notes that explain the signs in the table."""
    scores = result.systems[0].scores.values()
    return [LESS] if any(score.metric.headline in score.metric.lower_is_better for score in scores) else []


# JSON lines.


def render_lines(result: Result, assessed: Assessed | None = None) -> Iterator[str]:
    """Yield JSON lines, an object per system and metric."""
    return (json_text(row) + "\n" for row in result_rows(result, assessed, {}))


def result_rows(
    result: Result, assessed: Assessed | None, before: Mapping[str, object]
) -> Iterator[dict[str, object]]:
    """Yield an object for each system and metric; the fields in `before` come first."""
    first = result.systems[0].name
    for n, system in enumerate(result.systems):
        for metric, score in system.scores.items():
            row = {**before, "gold": result.gold, "system": system.name, "metric": metric}
            row |= {"headline": score.metric.headline, "scores": score.to_dict()}
            if system.failure:
                row["failure"] = system.failure
            if assessed is not None and assessed.intervals:
                row["intervals"] = interval_ends(assessed.significance.intervals[n].get(metric, {}))
            if assessed is not None and assessed.paired:
                row |= difference_fields(assessed.difference(n, metric), first)
            yield row | {"signature": system.signature + (assessed.suffix if assessed is not None else "")}


def interval_ends(intervals: Mapping[str, Interval | None]) -> dict[str, list[float] | None]:
    """Return both ends of the interval of each ratio, for JSON."""
    return {ratio: list(ends) if ends else None for ratio, ends in intervals.items()}


def difference_fields(difference: Difference | None, first: str) -> dict[str, object]:
    """Return the difference from the first system as JSON fields; None in all fields if there is no test."""
    if difference is None:
        return dict.fromkeys(("against", "difference", "difference_interval", "p", "p_holm"))
    return {
        "against": first,
        "difference": difference.difference,
        "difference_interval": list(difference.interval) if difference.interval else None,
        "p": difference.p,
        "p_holm": difference.adjusted,
    }
