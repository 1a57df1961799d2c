"""Scores of one or several systems: a table for people, or the same in JSON, CSV, Markdown, LaTeX."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.errors import CommandError
from evalign.layers import MATCHED
from evalign.reports.escape import json_text, printable
from evalign.reports.ledger import describe_ledger
from evalign.reports.table import GAP, RENDERERS, Table, render_text
from evalign.reports.width import shorten, tell_apart, widest
from evalign.reports.wording import decimal, percent
from evalign.result import Result, Score, SystemResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.reports.breakdowns import Breakdowns

FORMATS = ("table", "json", "csv", "markdown", "latex")
COUNTS = ("correct", "gold", "system")
# Ratios of a metric of spans, and what their columns are called; aligned accuracy is of words alone.
RATIOS = {"precision": "precision", "recall": "recall", "f1": "F1", "aligned_accuracy": "aligned"}
# Columns a system's numbers need at least, with the gap before them.
SYSTEM_COLUMN = 12


def render_scores(
    result: Result,
    format: str = "table",
    *,
    columns: int = 100,
    color: bool = False,
    per: Sequence[str] = (),
) -> str:
    """A result in one of the formats, with the breakdowns asked for."""
    broken = _break_down(result, per) if per else None
    if format == "json":
        return json_text(result.to_json(per=per), indent=2) + "\n"
    if format == "csv":
        return RENDERERS["csv"](_long_table(result, broken))
    names = [system.name for system in result.systems]
    if format in RENDERERS:
        tables = [_span_table(result, names), _measure_table(result.systems, names)]
        tables += broken.tables() if broken else []
        return "\n".join(RENDERERS[format](table) for table in tables if table.rows)
    if format != "table":
        msg = f'unknown format "{format}"'
        raise CommandError(msg, f"one of {', '.join(FORMATS)}")
    tables = _terminal_tables(result, names, columns)
    parts = [render_text(table, columns=columns, bold=color) for table in tables if table.rows]
    parts += broken.render(columns=columns, bold=color) if broken else []
    return "\n".join([*parts, _footer(result, columns)])


def _break_down(result: Result, kinds: Sequence[str]) -> Breakdowns:
    from evalign.reports.breakdowns import Breakdowns

    return Breakdowns(result.systems, kinds)


def only_value(system: SystemResult, wanted: str) -> str:
    """One number of a system, as `--only tokens.f1` names it; a part in several words as the table has it, or JSON."""
    metric, _, part = wanted.partition(".")
    score = system[metric]
    name = part.replace(" ", "_") or score.layer.headline
    value = score[name]
    return str(value) if isinstance(value, int) else _show_ratio(score, name, value)


def _show_ratio(score: Score, name: str, value: float | None) -> str:
    """A share as a percentage, any other ratio as it is."""
    return decimal(value) if name in score.layer.numbers else percent(value)


def _is_span(score: Score) -> bool:
    return set(MATCHED[:3]) <= set(score.layer.fields) and "f1" in score.ratios


def _terminal_tables(result: Result, names: Sequence[str], columns: int) -> list[Table]:
    """Tables no wider than a terminal as far as possible: names without shared folders, few systems abreast."""
    spans, measures = _grouped(_span_table(result, names)), _measure_table(result.systems, names)
    if max(spans.width, measures.width) > columns:
        names = tell_apart(names)
        spans = _grouped(_span_table(result, names))
    labels = sum(widest(row[k] for row in measures.rows) + GAP for k in range(2))
    abreast = max(1, (columns - labels) // SYSTEM_COLUMN)
    chunks = [slice(k, k + abreast) for k in range(0, len(names), abreast)]
    return [spans, *(_measure_table(result.systems[chunk], names[chunk]) for chunk in chunks)]


def _span_table(result: Result, names: Sequence[str]) -> Table:
    """Precision, recall and F1: a row per metric; of several systems, which gain or lose against the first."""
    several = len(names) > 1
    spans = [metric for metric, score in result.systems[0].scores.items() if _is_span(score)]
    ratios = [name for name in RATIOS if any(name in result[metric].ratios for metric in spans)]
    rows: list[list[str]] = []
    best: set[tuple[int, int]] = set()
    for metric in spans:
        scores = [system[metric] for system in result.systems]
        for k, ratio in enumerate(ratios, 2 + len(COUNTS)):
            best |= {(len(rows) + n, k) for n in _best([score.ratios.get(ratio) for score in scores])}
        for n, score in enumerate(scores):
            counts = [str(score.counts[name]) if score.available else "-" for name in COUNTS]
            shares = [percent(score.ratios[name]) if name in score.ratios else "" for name in ratios]
            gain = [_gain(scores[0], score) if n else ""] if several else []
            rows.append(
                [*([metric if not n else "", names[n]] if several else [metric]), *counts, *shares, *gain]
            )
    titles = [*COUNTS, *(RATIOS[name] for name in ratios)]
    if not several:
        return Table(["", *titles], rows)
    headers = ["", "", *titles, "gain"]
    return Table(headers, rows, "nn" + "r" * (len(titles) + 1), frozenset(best))


def _grouped(table: Table) -> Table:
    """A table of several systems with each metric on a line of its own above them, which needs less room."""
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
    return Table(table.headers[1:], rows, best=best)


def _gain(first: Score, other: Score) -> str:
    """Points of F1 that a system has more than the first."""
    if first.f1 is None or other.f1 is None:
        return "-"
    return f"{100 * (other.f1 - first.f1):+.2f}"


def _best(values: Sequence[float | None], *, lowest: bool = False) -> list[int]:
    """Which of some values are best, as shown; none if they are all the same."""
    shown = [None if value is None else round(value, 4) for value in values]
    known = {value for value in shown if value is not None}
    if len(known) < 2:
        return []
    wanted = min(known) if lowest else max(known)
    return [k for k, value in enumerate(shown) if value == wanted]


def _measure_table(systems: Sequence[SystemResult], names: Sequence[str]) -> Table:
    """Metrics that are no spans: a row per measure, a column per system."""
    rows: list[list[str]] = []
    best: set[tuple[int, int]] = set()
    for metric, first in systems[0].scores.items():
        if _is_span(first):
            continue
        for measure in first.ratios:
            values = [system[metric].ratios[measure] for system in systems]
            lowest = measure in first.layer.lower_is_better
            best |= {(len(rows), n + 2) for n in _best(values, lowest=lowest)}
            shown = [_show_ratio(first, measure, value) for value in values]
            rows.append([metric, measure.replace("_", " "), *shown])
    headers = names if len(systems) > 1 else ["value"]
    return Table(["", "measure", *headers], rows, "nl" + "r" * len(headers), frozenset(best))


def _long_table(result: Result, broken: Breakdowns | None) -> Table:
    """A row per system, metric and measure; ratios from 0 to 1."""
    rows = []
    for system in result.systems:
        for metric, score in system.scores.items():
            for measure, value in score.to_json().items():
                rows.append([system.name, metric, measure, "" if value is None else str(value)])
    rows += broken.rows() if broken else []
    return Table(["system", "metric", "measure", "value"], rows, "nnnr")


def _footer(result: Result, columns: int) -> str:
    """What was tolerated, and which numbers these are."""
    lines = []
    names = [printable(system.name) for system in result.systems]
    if widest(names) >= columns:
        names = [
            shorten(printable(name), columns - 1) for name in tell_apart([s.name for s in result.systems])
        ]
    for name, system in zip(names, result.systems, strict=True):
        told = describe_ledger(system.ledger, columns - 2)
        if len(names) > 1:
            lines.append(f"{name}:")
            told = [f"  {line}" for line in told]
        lines += told
    signatures = list(dict.fromkeys(system.signature for system in result.systems))
    if len(signatures) == 1:
        lines.append(f"signature  {printable(signatures[0])}")
    else:
        lines += [f"signature  {printable(s.name)}  {printable(s.signature)}" for s in result.systems]
    return "\n".join(lines) + "\n"
