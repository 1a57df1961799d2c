"""The reader of stand-off tables: start, end and label of spans on a raw text, one span per line.

    start  end  label
    0      4    person

Positions are between characters of the raw text, counted from 0; a line end is one character. A header may
name the columns in any order; without one they are start, end, label and, if there is a fourth, document. In
brat's .ann format, only the spans are read. In a table with commas, the apostrophe that keeps a spreadsheet
from reading a label as a formula is removed.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePath
from typing import NamedTuple

import numpy as np

from evalign.document import Breaks, Column, Document, IntArray, Spans
from evalign.errors import CommandError, InputError, Message, Place, Remark, quote, suggest
from evalign.files import PACKED_ENDING
from evalign.readers.content import Content
from evalign.readers.plain import read_plain
from evalign.readers.raw_files import RawText, join_texts

NEEDED = ("start", "end", "label")
COLUMNS = (*NEEDED, "document")
# Most lines that are examined to recognize a table.
_MOST_ROWS = 100
# No text has as many characters as a number of more digits.
_MOST_DIGITS = 15
# Whole, negative and decimal numbers: anything meant as a position, valid or not.
_POSITION = re.compile(r"[-+]?[0-9]+(?:[.][0-9]*)?")
# Most columns in a row of a stand-off table; CoNLL-U has ten.
_MOST_COLUMNS = 9
_NAME = re.compile(rf"\.(?:tsv|ann)(?:{PACKED_ENDING})?$", re.IGNORECASE)
# A cell of a table with commas that begins like a formula, guarded by an additional apostrophe.
GUARDED = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")
_BRAT = re.compile(r"T\d+\t\S+ \d+ \d+(?:;\d+ \d+)*(?:\t|$)")
_COUNTING = "positions count characters of the raw text from 0, a line end as one"


class MissingTextError(CommandError):
    """A table was given without the text that its positions refer to."""

    def __init__(self, name: str, found: str, expected: str, advice: str) -> None:
        super().__init__(found, expected, advice)
        self.name = name


class TableLayout(NamedTuple):
    """The layout of a table: the separator, the names of the columns in order, and where the header is."""

    separator: str
    names: tuple[str, ...]
    header: int = 0
    """The line number of the header; 0 if there is none."""

    def is_comment(self, line: str) -> bool:
        """Return whether a line is a comment.

        If labels come first, a line that begins with # is a row when it has the right number of columns.
        """
        if not line.startswith("#"):
            return False
        return self.names[0] in ("start", "end") or line.count(self.separator) != len(self.names) - 1


class StandoffTable(NamedTuple):
    """The spans of a table as written, positions being those of the raw text."""

    starts: list[int]
    ends: list[int]
    labels: Sequence[str]
    documents: Sequence[str] | None
    """The name of the raw text of each span; None if the table has no such column."""
    linenos: Sequence[int]
    remarks: tuple[Remark, ...] = ()


def looks_like_table(data: bytes, name: str = "") -> bool:
    """Return whether `data` is meant as a stand-off table, or brat's: its first line is a header or a row.

    In a file named .tsv or .ann it suffices that half of the lines are rows, so that faults in the others can
    be reported. Rows of numbers alone are not a table, since they may be tokens.
    """
    lines = list(_first_lines(data))
    if not lines:
        return False
    if _is_brat(name, lines):
        return True
    separator = _separator(lines[0])
    names = [cell.lower() for cell in _split(lines[0], separator)]
    # A header with tabs is recognized even if one of the three is missing; one with commas may be a sentence.
    if sum(names.count(needed) == 1 for needed in NEEDED) > (1 if separator == "\t" else 2):
        return True
    rows = [_split(line, "\t") for line in lines]
    good = [row for row in rows if len(row) in (3, 4) and _is_number(row[0]) and _is_number(row[1])]
    meant = good[:1] if rows[0] in good else []
    if _NAME.search(name):
        candidates = [row for row in rows if 2 < len(row) <= _MOST_COLUMNS and _are_positions(row[:2])]
        meant = candidates if 2 * len(candidates) >= len(rows) else meant
    return bool(meant) and not all(_is_number(row[2].replace(" ", "")) for row in (*meant, *good))


def _is_brat(name: str, lines: Sequence[str]) -> bool:
    """Return whether the first line is a span of brat's; in a file named .ann, any of the lines."""
    return any(map(_BRAT.match, lines if ".ann" in name.lower() else lines[:1]))


def _are_positions(cells: Sequence[str]) -> bool:
    return all(map(_POSITION.fullmatch, cells))


def _first_lines(data: bytes) -> Iterator[str]:
    """Yield the first lines, at most `_MOST_ROWS`, that are neither blank nor comments."""
    start = n_lines = 0
    while start < len(data) and n_lines < _MOST_ROWS:
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        line = data[start:end].decode("utf-8", "replace")
        start = end + 1
        if line.strip() and not line.startswith("#"):
            n_lines += 1
            yield line


def read_standoff(content: Content, raws: Sequence[RawText]) -> Document:
    """Read a table and its raw texts into a document: the joined text, with the table's spans.

    Each line of the text is a sentence. White space at the ends of a span does not matter; a span of white
    space alone has length 0.
    """
    if not raws:
        problem = f"{content.name}: a stand-off table without the text that its positions are of"
        raise MissingTextError(content.name, problem, "the raw text", Message("{raw=FILE}"))
    table = read_table(content)
    numbers = _find_raws(content.name, table, raws)
    _check_ends(content.name, table, numbers, raws)
    joined = join_texts(raws)
    begins = joined.files.starts[numbers]
    starts, ends = (
        np.searchsorted(joined.offsets, np.array(column, np.int64) + begins).astype(np.int32)
        for column in (table.starts, table.ends)
    )
    order = np.lexsort((starts, numbers))
    ids: dict[str, int] = {}
    labels = np.array([ids.setdefault(label, len(ids)) for label in table.labels], np.int32)
    spans = Spans(
        starts[order],
        ends[order],
        Column(labels[order], list(ids)),
        numbers[order],
        np.array(table.linenos, np.int32)[order],
    )
    text = read_plain(Content(joined.name, joined.text.encode("utf-8"), ()))
    return Document(
        content.name,
        "standoff",
        text.line,
        text.cuts,
        text.sentences,
        np.zeros(0, np.int32),
        spans=spans,
        documents=_find_documents(text, raws),
        remarks=content.remarks + table.remarks,
    )


def _find_documents(text: Document, raws: Sequence[RawText]) -> Breaks:
    """Return where each of several raw texts begins; a text without a sentence is left out."""
    if len(raws) < 2:
        return Breaks(np.zeros(0, np.int32), ())
    begins = np.cumsum([0, *(len(raw.line) for raw in raws)])[:-1]
    filled = [k for k, raw in enumerate(raws) if raw.line]
    sentences = np.searchsorted(text.sentence_cuts, begins[filled]).astype(np.int32)
    return Breaks(sentences, [PurePath(raws[k].name).stem for k in filled])


def read_table(content: Content) -> StandoffTable:
    """Read the rows of a table, and check them as far as possible without the text."""
    lines = content.data.decode("utf-8").split("\n")
    filled = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    first = next(((n, line) for n, line in filled if not line.startswith("#")), None)
    if first is None:
        return StandoffTable([], [], [], None, [])
    if _is_brat(content.name, [line for _, line in filled[:_MOST_ROWS]]):
        return _read_brat(content.name, filled)
    layout = _find_layout(Place(content.name, first[0]), first[1])
    filled = [(n, line) for n, line in filled if n != layout.header and not layout.is_comment(line)]
    if layout.separator == "\t":
        rows = [line.split("\t") for _, line in filled]
    else:
        rows = [_split(line, layout.separator) for _, line in filled]
    linenos = [number for number, _ in filled]
    for number, row in zip(linenos, rows, strict=True):
        if len(row) != len(layout.names):
            raise _wrong_width(Place(content.name, number), len(row), layout, first[0])
    columns = dict(zip(layout.names, zip(*rows, strict=True), strict=True)) if rows else {}
    cells = {name: list(map(str.strip, columns.get(name, ()))) for name in layout.names}
    if layout.separator == ",":
        cells = {name: [cell[1:] if GUARDED.match(cell) else cell for cell in cells[name]] for name in cells}
    places = _placing(content.name, linenos)
    starts, ends = (_read_numbers(cells[name], name, places) for name in ("start", "end"))
    _check_order(starts, ends, places)
    documents = cells.get("document")
    return StandoffTable(starts, ends, cells["label"], documents, linenos, _remark_on(content.name, layout))


def _placing(name: str, linenos: Sequence[int]) -> Callable[[int], Place]:
    return lambda row: Place(name, linenos[row])


def _separator(line: str) -> str:
    return "\t" if "\t" in line else ","


def _split(line: str, separator: str) -> list[str]:
    if separator == "\t" or '"' not in line:
        return [cell.strip() for cell in line.split(separator)]

    try:
        return [cell.strip() for cell in next(csv.reader([line], skipinitialspace=True))]
    except csv.Error:  # a carriage return in it, or a cell beyond what the module takes: no row of a table
        return []


def _is_number(cell: str) -> bool:
    return cell.isascii() and cell.isdigit()


def _find_layout(place: Place, line: str) -> TableLayout:
    """Return the layout of a table from its first line that is not a comment."""
    separator = _separator(line)
    cells = _split(line, separator)
    names = tuple(cell.lower() for cell in cells)
    named = [name for name in COLUMNS if name in names]
    if named and not any(map(_is_number, cells)):
        if any(names.count(name) > 1 for name in named) or not set(NEEDED) <= set(named):
            problem = f"a header that names {', '.join(map(quote, cells))}"
            raise InputError(place, problem, "start, end and label, each once, in any order")
        return TableLayout(separator, names, place.lineno)
    if not 2 < len(cells) < 5:
        problem = f"{len(cells)} column{'s' if len(cells) > 1 else ''} and no header, {quote(line)}"
        advice = "with other columns, name them in the first line: start, end, label, ..."
        raise InputError(place, problem, "start, end and label, separated by tabs", advice)
    return TableLayout(separator, COLUMNS[: len(cells)])


def _wrong_width(place: Place, n_columns: int, layout: TableLayout, first: int) -> InputError:
    wanted = f"{len(layout.names)} as in line {first}: {', '.join(layout.names)}"
    kind = "tab" if layout.separator == "\t" else "comma"
    advice = f"separate columns with one {kind}, and leave none out"
    return InputError(place, f"{n_columns} column{'s' if n_columns > 1 else ''}", wanted, advice)


def _read_numbers(cells: Sequence[str], name: str, places: Callable[[int], Place]) -> list[int]:
    for row, cell in enumerate(cells):
        if not _is_number(cell):
            raise InputError(places(row), f"{name} is {quote(cell)}", "a whole number from 0 up", _COUNTING)
        if len(cell) > _MOST_DIGITS:
            raise InputError(places(row), f"{name} is {quote(cell)}", "a position in the raw text", _COUNTING)
    return list(map(int, cells))


def _check_order(starts: Sequence[int], ends: Sequence[int], places: Callable[[int], Place]) -> None:
    for row, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if start > end:
            advice = "end is the position behind the last character, not a length"
            raise InputError(places(row), f"start {start} is behind end {end}", "start <= end", advice)


def _remark_on(name: str, layout: TableLayout) -> tuple[Remark, ...]:
    """Return a remark on the columns in the header that are not used."""
    others = [column for column in layout.names if column not in COLUMNS]
    if not others:
        return ()
    columns = "column" if len(others) == 1 else "columns"
    message = f"{columns} {', '.join(others)} not scored"
    return (Remark("columns", message, 1, (Place(name, layout.header),)),)


def _read_brat(name: str, lines: Sequence[tuple[int, str]]) -> StandoffTable:
    """Read the spans of brat's stand-off format; its relations, events and notes are counted in a remark."""
    starts, ends, labels, linenos, others = [], [], [], [], []
    for number, line in lines:
        if not line.startswith("T"):
            others.append(Place(name, number))
            continue
        place = Place(name, number)
        if not _BRAT.match(line):
            raise InputError(place, quote(line), "an id, a tab, and label, start and end with spaces between")
        label, _, where = line.split("\t")[1].partition(" ")
        if ";" in where:
            advice = "leave such spans out, or split each into one per piece, in gold and system alike"
            raise InputError(place, f"a span in pieces, {quote(where)}", "one start and one end", advice)
        start, end = where.split(" ")
        for column, cell in (("start", start), ("end", end)):
            _read_numbers([cell], column, lambda _, place=place: place)  # type: ignore[misc]
        starts.append(int(start))
        ends.append(int(end))
        labels.append(label)
        linenos.append(number)
    _check_order(starts, ends, _placing(name, linenos))
    message = "line of brat's that is no span (a relation, an event, an attribute, a note), not scored"
    remarks = (Remark("brat", message, len(others), tuple(others[:3])),) if others else ()
    return StandoffTable(starts, ends, labels, None, linenos, remarks)


def _find_raws(name: str, table: StandoffTable, raws: Sequence[RawText]) -> IntArray:
    """Return for each span the index of its raw text."""
    if table.documents is None:
        if len(raws) > 1 and table.starts:
            place = Place(name, table.linenos[0])
            advice = "add a fourth column, document, with the name of the file"
            raise InputError(
                place, f"no column document, and {len(raws):,} raw texts", "one of the two", advice
            )
        return np.zeros(len(table.starts), np.int32)
    numbers_by_name: dict[str, set[int]] = {}
    for number, raw in enumerate(raws):
        base = PurePath(raw.name).name
        for called in (raw.name, base, PurePath(base).stem, base.partition(".")[0]):
            numbers_by_name.setdefault(called, set()).add(number)
    numbers: dict[str, int] = {}
    for row, document in enumerate(table.documents):
        if document in numbers:
            continue
        matches = numbers_by_name.get(document, set())
        if len(matches) != 1:
            raise _wrong_document(
                Place(name, table.linenos[row]), document, [raws[k].name for k in matches], raws
            )
        numbers[document] = matches.pop()
    return np.array([numbers[document] for document in table.documents], np.int32)


def _wrong_document(place: Place, document: str, matches: list[str], raws: Sequence[RawText]) -> InputError:
    if matches:
        message = f"document {quote(document)} may be {' or '.join(sorted(matches))}"
        return InputError(
            place, message, "the name of one raw text", Message("write its path as {raw} has it")
        )
    advice = (
        "if the fourth column is something else, name the columns in the first line: start, end, label, text"
    )
    names = [PurePath(raw.name).name for raw in raws]
    expected = f"one of {', '.join([*names[:3], *['...'] * (len(names) > 3)])}"
    return InputError(
        place,
        f"no raw text is called {quote(document)}",
        *suggest(document, names, advice, expected=expected),
    )


def _check_ends(name: str, table: StandoffTable, numbers: IntArray, raws: Sequence[RawText]) -> None:
    sizes = np.array([len(raw.text) for raw in raws], np.int64)
    beyond = np.flatnonzero(np.array(table.ends, np.int64) > sizes[numbers])
    if len(beyond):
        row = int(beyond[0])
        raw = raws[int(numbers[row])]
        problem = f"end is {table.ends[row]:,}, beyond the text of {raw.name}"
        expected = f"at most {len(raw.text):,}"
        raise InputError(
            Place(name, table.linenos[row]), problem, expected, f"{_COUNTING}; is it the right text?"
        )
