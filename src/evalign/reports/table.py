"""A table of text, and its forms: terminal, CSV, Markdown, LaTeX, Typst."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from evalign.reports.escape import csv_cell, latex_cell, markdown_cell, typst_cell
from evalign.reports.paint import BOLD, painter
from evalign.table import GAP, SHORTEST_HEADER, SHORTEST_NAME, Cell, Table, set_lines

__all__ = [
    "COLUMN",
    "GAP",
    "INTERVAL_COLUMN",
    "RENDERERS",
    "SHORTEST_HEADER",
    "SHORTEST_NAME",
    "SIZES",
    "Cell",
    "Table",
    "render_csv",
    "render_latex",
    "render_markdown",
    "render_text",
    "render_typst",
]

# How large gold is, by treebank of a run.
SIZES = ("gold sentences", "gold tokens")
# What a column of numbers takes at least, and what an interval adds.
COLUMN, INTERVAL_COLUMN = 10, 14
# A spreadsheet reads such a cell as what it is, whatever its sign.
_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?")


def render_text(table: Table, *, columns: int = 100, bold: bool = False) -> str:
    """For a terminal: aligned, no wider than `columns` as far as names can be shortened."""
    paint = painter(color=bold)
    return "".join(f"{line}\n" for line in set_lines(table, columns, lambda text: paint(text, BOLD)))


def render_csv(table: Table) -> str:
    """Comma-separated, for a program or a spreadsheet."""
    lines = [",".join(map(csv_cell, table.headers))]
    for row in table.rows:
        cells = zip(row, table.forms, strict=True)
        lines.append(
            ",".join(
                cell if form == "r" and _NUMBER.fullmatch(cell) else csv_cell(cell) for cell, form in cells
            )
        )
    return "".join(f"{line}\n" for line in lines)


class _Decoration(NamedTuple):
    """How a format writes a cell, what is brought out, a mark behind it, and what stands behind both."""

    text: Callable[[str], str]
    bold: Callable[[str], str]
    mark: Callable[[str], str]
    last_mark: Callable[[str], str]
    """The mark where nothing is behind it: it may hang over, so that numbers stay one under the other."""
    behind: Callable[[str], str]


def _decorated(table: Table, write: _Decoration) -> list[list[str]]:
    """Rows without the headers, escaped; the best in bold, with marks and what stands behind."""
    rows = []
    for number, row in enumerate(table.rows):
        cells = []
        for k, text in enumerate(row):
            at = number, k
            cell = write.bold(write.text(text)) if at in table.best else write.text(text)
            if at in table.marks:
                cell += (write.mark if at in table.behind else write.last_mark)(table.marks[at])
            cell += write.behind(table.behind[at]) if at in table.behind else ""
            cells.append(cell)
        rows.append(cells)
    return rows


_MARKDOWN = _Decoration(
    markdown_cell, "**{}**".format, markdown_cell, markdown_cell, lambda text: f" {markdown_cell(text)}"
)
_LATEX = _Decoration(
    latex_cell,
    r"\textbf{{{}}}".format,
    "$^{{{}}}$".format,
    r"\rlap{{$^{{{}}}$}}".format,
    lambda text: rf" {{\scriptsize {latex_cell(text)}}}",
)
_TYPST = _Decoration(
    typst_cell,
    "strong({})".format,
    lambda mark: f" + super({typst_cell(mark)})",
    lambda mark: f" + super({typst_cell(mark)})",
    lambda text: f" + text(size: 0.8em, {typst_cell(f' {text}')})",
)


def render_markdown(table: Table) -> str:
    """A Markdown table."""
    rule = ["---:" if form == "r" else "---" for form in table.forms]
    rows = _decorated(table, _MARKDOWN)
    lines = [
        "| " + " | ".join(row) + " |\n" for row in (list(map(markdown_cell, table.headers)), rule, *rows)
    ]
    notes = [f"\n{markdown_cell(note)}\n" for note in table.notes]
    return "".join([*lines, *notes])


def render_latex(table: Table) -> str:
    """A LaTeX tabular; it needs the package booktabs."""
    form = "".join("r" if form == "r" else "l" for form in table.forms)
    cells = _decorated(table, _LATEX)
    rows = [" & ".join(row) + r" \\" for row in (list(map(latex_cell, table.headers)), *cells)]
    lines = [
        rf"\begin{{tabular}}{{{form}}}",
        r"\toprule",
        rows[0],
        r"\midrule",
        *rows[1:],
        r"\bottomrule",
        r"\end{tabular}",
    ]
    if table.notes:
        told = "\n".join(map(latex_cell, table.notes))
        lines += ["", r"\smallskip", rf"{{\footnotesize\raggedright {told}\par}}"]
    return "\n".join(lines) + "\n"


def render_typst(table: Table) -> str:
    """A Typst table; every text in it is a string, so that none is code."""
    align = ", ".join("right" if form == "r" else "left" for form in table.forms)
    rows = _decorated(table, _TYPST)
    lines = [
        "#table(",
        f"  columns: {len(table.forms)},",
        f"  align: ({align},),",
        "  stroke: none,",
        "  table.hline(),",
        f"  table.header({', '.join(map(typst_cell, table.headers))}),",
        "  table.hline(stroke: 0.5pt),",
        *(f"  {', '.join(row)}," for row in rows),
        "  table.hline(),",
        ")",
    ]
    lines += [f"#text(size: 0.8em, {typst_cell(note)})" for note in table.notes]
    return "\n".join(lines) + "\n"


RENDERERS: dict[str, Callable[[Table], str]] = {
    "csv": render_csv,
    "markdown": render_markdown,
    "latex": render_latex,
    "typst": render_typst,
}
