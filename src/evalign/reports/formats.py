"""The formats of reports and tables: terminal, CSV, Markdown, LaTeX, Typst, JSON.

`render_report` renders what a command shows besides scores; other modules render their tables by `RENDERERS`
and `render_text`. Text from inputs is escaped for its format: none of it becomes a command, a formula or
markup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from evalign.table import Table, set_lines
from evalign.wording import fold, printable

# Colours for a terminal.

BOLD, DIM, RED, GREEN, YELLOW = "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m"
CYAN = "\x1b[36m"
_END = "\x1b[0m"


def painter(*, color: bool) -> Callable[[str, str], str]:
    """Return a function that colours text for a terminal, or leaves it as it is if `color` is false."""

    def paint(text: str, tint: str) -> str:
        return f"{tint}{text}{_END}" if color else text

    return paint


# Escaping of input text for JSON, CSV, Markdown, LaTeX and Typst.


_LATEX_SIGNS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
    "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    # Quotes that TeX would turn into others or join; signs that old font encodings replace.
    "`": r"\textasciigrave{}", "'": r"\textquotesingle{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    # After the end of a row (\\) these would be read as its options.
    "[": "{[}", "*": "{*}",
    # In headers of measures where less is better.
    "↓": r"\textdownarrow{}",
}  # fmt: skip
_MARKDOWN_SIGNS = "\\`*_{}[]<>|#~&$!"
# A spreadsheet takes a cell that begins with one of these for a formula.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def json_text(value: object, indent: int | None = None) -> str:
    """Format a value as JSON in which all unprintable characters are escaped, safe for a terminal."""
    import json

    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def csv_cell(text: str) -> str:
    """Escape text for CSV: quoted where needed.

    An apostrophe is put before what a spreadsheet would run as a formula.
    """
    if text.startswith(FORMULA_SIGNS):
        text = "'" + text
    # With a decimal comma spreadsheets split cells at semicolons, and the rest could be a formula.
    if any(c in text for c in ',;"\n\r\t'):
        return '"' + text.replace('"', '""') + '"'
    return text


def markdown_cell(text: str) -> str:
    """Escape text for a Markdown table, so that nothing is markup and no address becomes a link."""
    text = "".join(f"\\{c}" if c in _MARKDOWN_SIGNS else c for c in printable(text))
    return re.sub(r"(?i)(?=://)|(?<=www)(?=\.)|(?=@)", r"\\", text)


def latex_cell(text: str) -> str:
    """Escape text for LaTeX, so that nothing is a command and quotes and dashes are set as written."""
    text = "".join(_LATEX_SIGNS.get(c, c) for c in printable(text))
    return re.sub("-(?=-)", "-{}", text)


def typst_cell(text: str) -> str:
    r"""Write text as a Typst string, in which nothing is markup or code.

    >>> print(typst_cell('#read("x")'))
    "#read(\"x\")"
    """
    escaped = printable(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


# Renderers of tables: terminal, CSV, Markdown, LaTeX, Typst.


# Headers of the columns with the size of gold.
SIZES = ("gold sentences", "gold tokens")
# Least width of a column of numbers on a terminal, and the width that an interval adds.
COLUMN, INTERVAL_COLUMN = 10, 14
# A number; a spreadsheet does not run it as a formula even if it begins with a sign.
_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?")


def render_text(table: Table, *, columns: int = 100, bold: bool = False) -> str:
    """Render a table for a terminal, aligned, within `columns` as far as names can be shortened."""
    paint = painter(color=bold)
    return "".join(f"{line}\n" for line in set_lines(table, columns, lambda text: paint(text, BOLD)))


def render_csv(table: Table) -> str:
    """Render a table as comma-separated values, for programs and spreadsheets."""
    lines = [",".join(map(csv_cell, table.headers))]
    for row in table.rows:
        cells = zip(row, table.forms, strict=True)
        lines.append(
            ",".join(
                cell if form == "r" and _NUMBER.fullmatch(cell) else csv_cell(cell) for cell, form in cells
            )
        )
    return "".join(f"{line}\n" for line in lines)


def fold_notes(texts: Iterable[str], columns: int) -> str:
    """Fold titles and notes to the width of a terminal, ending each line."""
    return "".join(f"{line}\n" for text in texts for line in fold(printable(text), columns))


def exact(value: float | None) -> str:
    """Write a number with all its digits, for programs; "" for None."""
    return "" if value is None else str(value)


def _decorate(
    table: Table,
    write: Callable[[str], str],
    bold: str,
    behind: Callable[[str], str],
    mark: Callable[[str], str],
    last_mark: Callable[[str], str] | None = None,
) -> list[list[str]]:
    """Return the rows without headers, escaped by `write`, with `bold` cells, marks and the text `behind` cells.

    `last_mark` writes a mark with nothing after it, which may hang over, so that numbers stay aligned.
    """
    rows = []
    for number, row in enumerate(table.rows):
        cells = []
        for k, text in enumerate(row):
            at = number, k
            cell = bold.format(write(text)) if at in table.best else write(text)
            if at in table.marks:
                cell += (mark if at in table.behind else last_mark or mark)(table.marks[at])
            cell += behind(table.behind[at]) if at in table.behind else ""
            cells.append(cell)
        rows.append(cells)
    return rows


def render_markdown(table: Table) -> str:
    """Render a table as Markdown."""
    rule = ["---:" if form == "r" else "---" for form in table.forms]
    rows = _decorate(table, markdown_cell, "**{}**", lambda text: f" {markdown_cell(text)}", markdown_cell)
    lines = [
        "| " + " | ".join(row) + " |\n" for row in (list(map(markdown_cell, table.headers)), rule, *rows)
    ]
    notes = [f"\n{markdown_cell(note)}\n" for note in table.notes]
    return "".join([*lines, *notes])


def render_latex(table: Table) -> str:
    """Render a table as a LaTeX tabular, which needs the package booktabs."""
    form = "".join("r" if form == "r" else "l" for form in table.forms)
    cells = _decorate(
        table,
        latex_cell,
        r"\textbf{{{}}}",
        lambda text: rf" {{\scriptsize {latex_cell(text)}}}",
        "$^{{{}}}$".format,
        r"\rlap{{$^{{{}}}$}}".format,
    )
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
        notes = "\n".join(map(latex_cell, table.notes))
        lines += ["", r"\smallskip", rf"{{\footnotesize\raggedright {notes}\par}}"]
    return "\n".join(lines) + "\n"


def render_typst(table: Table) -> str:
    """Render a table as Typst code in which all text is in strings, so that none is code."""
    align = ", ".join("right" if form == "r" else "left" for form in table.forms)
    rows = _decorate(
        table,
        typst_cell,
        "strong({})",
        lambda text: f" + text(size: 0.8em, {typst_cell(f' {text}')})",
        lambda mark: f" + super({typst_cell(mark)})",
    )
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


# Reports: what commands show besides scores.


class Report(NamedTuple):
    """The content of a report: everything a command shows besides scores.

    `tables` are for people, `long` is one table for programs (CSV), `json` for JSON, `footer` has the lines
    below tables.
    """

    tables: Sequence[Table]
    long: Table
    json: object
    footer: Sequence[str]
    titles: Sequence[str] = ()
    """A line above each table; in Markdown, LaTeX and Typst a note below it. Empty for none."""


def render_report(report: Report, format: str = "table", *, columns: int = 100, color: bool = False) -> str:
    """Render a report in one of the formats."""
    if format == "json":
        return json_text(report.json, indent=2) + "\n"
    if format == "csv":
        return RENDERERS["csv"](report.long)
    titles = report.titles or [""] * len(report.tables)
    titled = [(title, table) for title, table in zip(titles, report.tables, strict=True) if table.rows]
    if format in RENDERERS:
        noted = [table._replace(notes=[*filter(None, [title]), *table.notes]) for title, table in titled]
        return "\n".join(RENDERERS[format](table) for table in noted)
    parts = [
        fold_notes([title] if title else [], columns) + render_text(table, columns=columns, bold=color)
        for title, table in titled
    ]
    footer = [line for text in report.footer for line in _below(printable(text), columns)]
    return "\n".join([*parts, "".join(f"{line}\n" for line in footer)])


def _below(text: str, columns: int) -> list[str]:
    """Fold a line of the footer.

    Signatures, and lines that begin with a space (which belong to one), stay whole so that they can be
    copied.
    """
    return [text] if text.startswith(("signature", " ")) else fold(text, columns)
