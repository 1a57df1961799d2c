"""A table of text, and its forms: terminal, CSV, Markdown, LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from evalign.reports.escape import csv_cell, latex_cell, markdown_cell, printable
from evalign.reports.paint import BOLD, painter
from evalign.reports.width import shorten, widest, width_of

GAP = 2
# What a name, and a header over numbers, may be shortened to.
SHORTEST_NAME, SHORTEST_HEADER = 12, 10


class Table(NamedTuple):
    """Headers and rows."""

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    form: str = ""
    """A letter per column: n a name, l other text, r a number. Nothing: a name, then numbers."""
    best: frozenset[tuple[int, int]] = frozenset()
    """Row and column of the cells to bring out."""

    @property
    def forms(self) -> str:
        """A letter for each column."""
        return self.form or "n" + "r" * (len(self.headers) - 1)

    @property
    def width(self) -> int:
        """Columns it takes on a terminal with nothing shortened."""
        return sum(_widths(_printable_rows(self))) + GAP * (len(self.headers) - 1)


def _printable_rows(table: Table) -> list[list[str]]:
    return [[printable(cell) for cell in row] for row in (table.headers, *table.rows)]


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [widest(row[k] for row in rows) for k in range(len(rows[0]))]


def render_text(table: Table, *, columns: int = 100, bold: bool = False) -> str:
    """For a terminal: aligned, no wider than `columns` as far as names can be shortened."""
    paint = painter(color=bold)
    rows = _printable_rows(table)
    widths = _fit(table, rows, columns)
    lines = []
    for number, row in enumerate(rows):
        cells = []
        for k, (cell, form) in enumerate(zip(row, table.forms, strict=True)):
            if form == "n" or not number:
                cell = shorten(cell, widths[k])
            space = " " * (widths[k] - width_of(cell))
            if (number - 1, k) in table.best:
                cell = paint(cell, BOLD)
            cells.append(space + cell if form == "r" else cell + space)
        lines.append((" " * GAP).join(cells).rstrip())
    lines[0] = paint(lines[0], BOLD)
    return "\n".join(lines) + "\n"


def _fit(table: Table, rows: Sequence[Sequence[str]], columns: int) -> list[int]:
    """Widths of the columns: first headers over numbers are shortened, then names."""
    widths = _widths(rows)
    shortest = [
        max(widest(row[k] for row in rows[1:]), SHORTEST_HEADER) if form == "r" else SHORTEST_NAME
        for k, form in enumerate(table.forms)
    ]
    for form in "rn":
        while sum(widths) + GAP * (len(widths) - 1) > columns:
            chosen = [k for k, f in enumerate(table.forms) if f == form and widths[k] > shortest[k]]
            if not chosen:
                break
            widths[max(chosen, key=widths.__getitem__)] -= 1
    return widths


def render_csv(table: Table) -> str:
    """Comma-separated, for a program or a spreadsheet."""
    return "".join(",".join(map(csv_cell, row)) + "\n" for row in (table.headers, *table.rows))


def render_markdown(table: Table) -> str:
    """A Markdown table."""
    rule = ["---:" if form == "r" else "---" for form in table.forms]
    rows = [list(map(markdown_cell, row)) for row in (table.headers, *table.rows)]
    return "".join("| " + " | ".join(row) + " |\n" for row in (rows[0], rule, *rows[1:]))


def render_latex(table: Table) -> str:
    """A LaTeX tabular; it needs the package booktabs."""
    form = "".join("r" if form == "r" else "l" for form in table.forms)
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
