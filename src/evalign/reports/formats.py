"""What a command has to show besides scores, in every format: tables, one long table, JSON, lines below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evalign.errors import CommandError, quote, suggest
from evalign.reports.escape import json_text
from evalign.reports.table import RENDERERS, Table, render_text
from evalign.wording import fold, printable


class Report(NamedTuple):
    """What there is to show: tables for people, one long table for programs, JSON, and lines below."""

    tables: Sequence[Table]
    long: Table
    json: object
    footer: Sequence[str]
    titles: Sequence[str] = ()
    """A line over each table, if they need one; on a page it is a note under it."""


def render_report(report: Report, format: str = "table", *, columns: int = 100, color: bool = False) -> str:
    """A report in one of the formats."""
    if format == "json":
        return json_text(report.json, indent=2) + "\n"
    if format == "csv":
        return RENDERERS["csv"](report.long)
    titles = report.titles or [""] * len(report.tables)
    titled = [(title, table) for title, table in zip(titles, report.tables, strict=True) if table.rows]
    if format in RENDERERS:
        noted = [table._replace(notes=[*filter(None, [title]), *table.notes]) for title, table in titled]
        return "\n".join(RENDERERS[format](table) for table in noted)
    if format != "table":
        message = f"unknown format {quote(format)}"
        raise CommandError(message, *suggest(format, ("table", "json", *RENDERERS)))
    parts = [
        _over(title, columns) + render_text(table, columns=columns, bold=color) for title, table in titled
    ]
    footer = [line for text in report.footer for line in _below(printable(text), columns)]
    return "\n".join([*parts, "".join(f"{line}\n" for line in footer)])


def _over(title: str, columns: int) -> str:
    return "".join(f"{line}\n" for line in fold(printable(title), columns)) if title else ""


def _below(text: str, columns: int) -> list[str]:
    """A signature, and what stands under it, stays on one line so that it can be copied; what else is below is folded."""
    return [text] if text.startswith(("signature", " ")) else fold(text, columns)
