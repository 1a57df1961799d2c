"""A table of text, and its forms: terminal, CSV, Markdown, LaTeX, Typst."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from evalign.reports.escape import csv_cell, latex_cell, markdown_cell, printable, typst_cell
from evalign.reports.paint import BOLD, painter
from evalign.reports.width import shorten, widest, width_of

GAP = 2
# What a column of numbers takes at least, and what an interval adds.
COLUMN, INTERVAL_COLUMN = 10, 14
# What a name, and a header over numbers, may be shortened to.
SHORTEST_NAME, SHORTEST_HEADER = 12, 10
# A spreadsheet reads such a cell as what it is, whatever its sign.
_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?")

Cell = tuple[int, int]


class Table(NamedTuple):
    """Headers and rows."""

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    form: str = ""
    """A letter per column: n a name, l other text, r a number. Nothing: a name, then numbers."""
    best: frozenset[Cell] = frozenset()
    """Row and column of the cells to bring out."""
    marks: Mapping[Cell, str] = MappingProxyType({})
    """What is raised behind a cell: * and **."""
    behind: Mapping[Cell, str] = MappingProxyType({})
    """What stands behind a cell and its mark, smaller where there are sizes: intervals."""
    notes: Sequence[str] = ()
    """Lines under the table; a terminal and CSV do without."""

    @property
    def forms(self) -> str:
        """A letter for each column."""
        return self.form or "n" + "r" * (len(self.headers) - 1)

    @property
    def width(self) -> int:
        """Columns it takes on a terminal with nothing shortened."""
        return sum(_widths(_printable_rows(self))) + GAP * (len(self.headers) - 1)


def _printable_rows(table: Table) -> list[list[str]]:
    """Cells for a terminal with what is behind them; numbers stay one under the other, with and without."""
    rows = [[printable(cell) for cell in row] for row in (table.headers, *table.rows)]
    behind = {cell: f" {printable(text)}" for cell, text in table.behind.items()}
    for added in (table.marks, behind):
        room = [0] * len(table.headers)
        for (_, k), text in added.items():
            room[k] = max(room[k], width_of(text))
        for number, row in enumerate(rows[1:]):
            for k, most in enumerate(room):
                text = added.get((number, k), "")
                row[k] += text + " " * (most - width_of(text))
    return rows


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [widest(row[k] for row in rows) for k in range(len(rows[0]))]


def _is_heading(row: Sequence[str]) -> bool:
    """Whether a row is a name alone, behind which there is room; those under it stand further in."""
    return len(row) > 1 and row[0][:1].strip() != "" and not any(cell.strip() for cell in row[1:])


def render_text(table: Table, *, columns: int = 100, bold: bool = False) -> str:
    """For a terminal: aligned, no wider than `columns` as far as names can be shortened."""
    paint = painter(color=bold)
    rows = _printable_rows(table)
    widths = _fit(table, rows, columns)
    lines = []
    for number, row in enumerate(rows):
        cells = []
        if number and _is_heading(row):
            lines.append(shorten(row[0], columns))
            continue
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
    """Widths of the columns: headings run over, then headers over numbers are shortened, then names."""
    widths = _widths(rows)
    if sum(widths) + GAP * (len(widths) - 1) > columns:
        widths = _widths([rows[0], *(row for row in rows[1:] if not _is_heading(row))])
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
