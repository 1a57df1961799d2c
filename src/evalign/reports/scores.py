"""Scores of one or several systems: a table for people, or the same in JSON, CSV, Markdown, LaTeX."""

from __future__ import annotations

import json

from evalign.errors import CommandError
from evalign.layers import MATCHED
from evalign.reports.escape import printable
from evalign.reports.ledger import describe_ledger
from evalign.reports.table import RENDERERS, Table, render_text
from evalign.result import Result, Score, score_json

FORMATS = ("table", "json", "csv", "markdown", "latex")


def render_scores(result: Result, format: str = "table", *, columns: int = 100, color: bool = False) -> str:
    """A result in one of the formats."""
    if format == "json":
        return json.dumps(result.to_json(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    if format == "csv":
        return RENDERERS["csv"](_long_table(result))
    spans, others = _span_table(result), _measure_table(result)
    tables = [table for table in (spans, others) if table.rows]
    if format in RENDERERS:
        return "\n".join(map(RENDERERS[format], tables))
    if format != "table":
        msg = f'unknown format "{format}"'
        raise CommandError(msg, f"one of {', '.join(FORMATS)}")
    parts = [render_text(table, columns=columns, bold=color) for table in tables]
    return "\n".join([*parts, _footer(result, columns)])


def percent(value: float | None) -> str:
    """A ratio as a percentage with two decimals; "-" where it is undefined."""
    return "-" if value is None else f"{100 * value:.2f}"


def only_value(result: Result, wanted: str) -> str:
    """One number of the first system, as `--only tokens.f1` names it."""
    metric, _, part = wanted.partition(".")
    score = result[metric]
    part = part or score.layer.headline
    value = score[part]
    return str(value) if isinstance(value, int) else percent(value)


def _is_span(score: Score) -> bool:
    return set(MATCHED[:3]) <= set(score.layer.fields) and "f1" in score.ratios


def _span_table(result: Result) -> Table:
    """Precision, recall and F1: a row per metric, under several systems a row per metric and system."""
    several = len(result.systems) > 1
    headers = ["", "correct", "gold", "system", "precision", "recall", "F1"]
    rows = []
    for metric, first in result.systems[0].scores.items():
        if not _is_span(first):
            continue
        if several:
            rows.append([metric, *[""] * 6])
        for system in result.systems:
            score = system[metric]
            counts = [str(score.correct), str(score.gold), str(score.system)]
            name = f"  {system.name}" if several else metric
            rows.append([name, *counts, percent(score.precision), percent(score.recall), percent(score.f1)])
    return Table(headers, rows)


def _measure_table(result: Result) -> Table:
    """Metrics that are no spans: a row per measure, a column per system."""
    names = [system.name for system in result.systems] if len(result.systems) > 1 else ["value"]
    rows = []
    for metric, first in result.systems[0].scores.items():
        if _is_span(first):
            continue
        rows += [
            [
                metric,
                measure.replace("_", " "),
                *(percent(system[metric].ratios[measure]) for system in result.systems),
            ]
            for measure in first.ratios
        ]
    return Table(["", "measure", *names], rows, 2)


def _long_table(result: Result) -> Table:
    """A row per system, metric and measure; ratios from 0 to 1."""
    rows = []
    for system in result.systems:
        for metric, score in system.scores.items():
            for measure, value in score_json(score).items():
                rows.append([system.name, metric, measure, "" if value is None else str(value)])
    return Table(["system", "metric", "measure", "value"], rows, 3)


def _footer(result: Result, columns: int) -> str:
    """What was tolerated, and which numbers these are."""
    lines = []
    for system in result.systems:
        told = describe_ledger(system.ledger, columns - 2)
        if len(result.systems) > 1:
            lines.append(f"{printable(system.name)}:")
            told = [f"  {line}" for line in told]
        lines += told
    signatures = list(dict.fromkeys(system.signature for system in result.systems))
    if len(signatures) == 1:
        lines.append(f"signature  {printable(signatures[0])}")
    else:
        lines += [f"signature  {printable(s.name)}  {printable(s.signature)}" for s in result.systems]
    return "\n".join(lines) + "\n"
