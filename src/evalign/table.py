"""A text table, and its layout in lines of limited width.

Reports fill tables; terminals, LaTeX, HTML and CSV print them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from evalign.wording import printable, shorten, widest, width_of

GAP = 2
# Narrowest widths to which a name and a header over numbers are shortened.
SHORTEST_NAME, SHORTEST_HEADER = 12, 10

Cell = tuple[int, int]


class Table(NamedTuple):
    """A table: headers, rows, and marks on single cells."""

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    form: str = ""
    """A letter per column: n for names, l for other text, r for numbers. "" means one name, then numbers."""
    best: frozenset[Cell] = frozenset()
    """Row and column of the cells to emphasize."""
    marks: Mapping[Cell, str] = MappingProxyType({})
    """Superscripts behind a cell: * and **."""
    behind: Mapping[Cell, str] = MappingProxyType({})
    """Text behind a cell and its mark, such as an interval; in small type where the format has type sizes."""
    notes: Sequence[str] = ()
    """Lines under the table; omitted on terminals and in CSV."""

    @property
    def forms(self) -> str:
        """The letter of each column, as in `form`, with the default filled in."""
        return self.form or "n" + "r" * (len(self.headers) - 1)

    @property
    def width(self) -> int:
        """Width on a terminal, in columns of characters, with nothing shortened."""
        return sum(_widths(_printable_rows(self))) + GAP * (len(self.headers) - 1)

    def choose(self, kept: Sequence[int]) -> Table:
        """Return a table of the columns with the indices `kept`, in this order."""
        moved = {k: place for place, k in enumerate(kept)}
        return self._replace(
            headers=[self.headers[k] for k in kept],
            rows=[[row[k] for k in kept] for row in self.rows],
            form="".join(self.forms[k] for k in kept),
            best=frozenset((row, moved[k]) for row, k in self.best if k in moved),
            marks={(row, moved[k]): text for (row, k), text in self.marks.items() if k in moved},
            behind={(row, moved[k]): text for (row, k), text in self.behind.items() if k in moved},
        )

    def break_up(self, columns: int, first: Sequence[int], later: Sequence[int]) -> list[Table]:
        """Split the table by columns into tables that are at most `columns` characters wide if possible.

        The first table begins with the label columns `first`, each later one with the label columns `later`;
        each has at least one other column.
        """
        widths = _widths(_printable_rows(self))
        pieces: list[list[int]] = [[*first]]
        labels = len(first)
        for k in range(max(first) + 1, len(self.headers)):
            needed = sum(widths[j] + GAP for j in pieces[-1]) + widths[k]
            if needed > columns and len(pieces[-1]) > labels:
                pieces.append([*later])
                labels = len(later)
            pieces[-1].append(k)
        return [self.choose(piece) for piece in pieces]


def _printable_rows(table: Table) -> list[list[str]]:
    """Return the cells, headers included, as a terminal shows them, with marks and intervals appended.

    Cells are padded so that numbers stay aligned whether or not something is behind them.
    """
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
    """Return whether a row is a heading: a name alone, not indented, with empty cells behind it."""
    return len(row) > 1 and row[0][:1].strip() != "" and not any(cell.strip() for cell in row[1:])


def set_lines(table: Table, columns: int = 100, emphasize: Callable[[str], str] = str) -> list[str]:
    """Lay out the table in aligned lines, at most `columns` wide as far as names can be shortened.

    `emphasize` styles the headers and the best cells without changing their width.
    """
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
                cell = emphasize(cell)
            cells.append(space + cell if form == "r" else cell + space)
        lines.append((" " * GAP).join(cells).rstrip())
    lines[0] = emphasize(lines[0])
    return lines


def _fit(table: Table, rows: Sequence[Sequence[str]], columns: int) -> list[int]:
    """Return the width of each column, such that all fit into `columns` if possible.

    First headings may run over their column, then headers over numbers are shortened, then names.
    """
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
