"""A table of text, and its forms: terminal, CSV, Markdown, LaTeX."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evalign.reports.escape import csv_cell, latex_cell, markdown_cell, printable
from evalign.reports.paint import BOLD, painter


@dataclass(frozen=True, slots=True)
class Table:
    """Headers and rows; the first `n_labels` columns are names, the others numbers."""

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    n_labels: int = 1


def width_of(text: str) -> int:
    """Columns a text takes on a terminal: two for a wide character, none for a mark."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def shorten(text: str, most: int) -> str:
    """Text in at most so many terminal columns, the middle left out: names differ at their ends."""
    if width_of(text) <= most:
        return text
    keep = max(1, (most - 1) // 2)
    head, tail = text[: most - 1 - keep], text[-keep:]
    while width_of(head) + width_of(tail) + 1 > most and (head or tail):
        head, tail = head[:-1], tail[1:] if len(tail) > len(head) else tail
    return head + "…" + tail


def render_text(table: Table, *, columns: int = 100, bold: bool = False) -> str:
    """For a terminal: aligned, no wider than `columns` as far as names can be shortened."""
    rows = [[printable(cell) for cell in row] for row in (table.headers, *table.rows)]
    widths = [max(width_of(row[k]) for row in rows) for k in range(len(table.headers))]
    excess = sum(widths) + 2 * (len(widths) - 1) - columns
    if excess > 0:
        widths[0] = max(12, widths[0] - excess)
    lines = []
    for row in rows:
        cells = []
        for k, cell in enumerate(row):
            cell = shorten(cell, widths[k]) if k < table.n_labels else cell
            space = " " * max(0, widths[k] - width_of(cell))
            cells.append(cell + space if k < table.n_labels else space + cell)
        lines.append("  ".join(cells).rstrip())
    if bold:
        lines[0] = painter(color=bold)(lines[0], BOLD)
    return "\n".join(lines) + "\n"


def render_csv(table: Table) -> str:
    """Comma-separated, for a program or a spreadsheet."""
    return "".join(",".join(map(csv_cell, row)) + "\n" for row in (table.headers, *table.rows))


def render_markdown(table: Table) -> str:
    """A Markdown table."""
    rule = ["---" if k < table.n_labels else "---:" for k in range(len(table.headers))]
    rows = [list(map(markdown_cell, row)) for row in (table.headers, *table.rows)]
    return "".join("| " + " | ".join(row) + " |\n" for row in (rows[0], rule, *rows[1:]))


def render_latex(table: Table) -> str:
    """A LaTeX tabular; it needs the package booktabs."""
    form = "l" * table.n_labels + "r" * (len(table.headers) - table.n_labels)
    rows = [" & ".join(map(latex_cell, row)) + r" \\" for row in (table.headers, *table.rows)]
    lines = [
        rf"\begin{{tabular}}{{{form}}}",
        r"\toprule",
        rows[0],
        r"\midrule",
        *rows[1:],
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


RENDERERS: dict[str, Callable[[Table], str]] = {
    "csv": render_csv,
    "markdown": render_markdown,
    "latex": render_latex,
}
