"""Triples as text, one after the other: for people, for a spreadsheet, for a program, for `--raw` again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter

from evalign.evaluate.extraction import Extraction, Triple
from evalign.readers.standoff import GUARDED
from evalign.reports.escape import csv_cell, json_text, printable
from evalign.reports.width import widest, width_of

_LABEL = Triple._fields.index("label")
# What would begin a new cell or row.
_SEPARATORS = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r"})


class _Labels(dict[str, str]):
    """Labels as they are written; there are few, and each is looked at once."""

    def __init__(self, write: Callable[[str], str]) -> None:
        super().__init__()
        self._write = write

    def __missing__(self, label: str) -> str:
        self[label] = written = self._write(label)
        return written


def render_triples(extraction: Extraction, format: str = "table") -> Iterator[str]:
    """Pieces of text, whatever the number of triples."""
    if format == "table":
        return _render_table(extraction)
    if format == "json":
        return _render_json(extraction)
    if format == "jsonl":
        return (json_text(_to_object(triple, extraction)) + "\n" for triple in extraction)
    return _render_rows(extraction, format)


def name_columns(extraction: Extraction) -> list[str]:
    """The columns that there is something for."""
    heads = ["head_start", "head_end"] if extraction.has_heads else []
    return ["start", "end", "label", *heads, *(["document"] if extraction.files else [])]


def _make_rows(
    extraction: Extraction, columns: Sequence[str], write: Callable[[str], str]
) -> Iterator[list[str]]:
    """Per triple its columns as text."""
    pick = itemgetter(*map(Triple._fields.index, columns))
    written, texts = _Labels(write), [_LABEL, *([len(columns) - 1] if extraction.files else [])]
    for triple in extraction:
        row = ["" if value is None else str(value) for value in pick(triple)]
        for column in texts:
            row[column] = written[row[column]]
        yield row


def _tsv_cell(text: str) -> str:
    return text.translate(_SEPARATORS)


def _csv_cell(text: str) -> str:
    """One apostrophe before a formula, also where there are some, so that a reader can take one away."""
    return csv_cell("'" + text if GUARDED.match(text) else text)


def _render_rows(extraction: Extraction, format: str) -> Iterator[str]:
    """A line per triple, separated by tabs or commas, with a header."""
    columns = name_columns(extraction)
    separator = "\t" if format == "tsv" else ","
    yield separator.join(columns) + "\n"
    for row in _make_rows(extraction, columns, _tsv_cell if format == "tsv" else _csv_cell):
        yield separator.join(row) + "\n"


def _render_table(extraction: Extraction) -> Iterator[str]:
    """Aligned columns, as wide as the longest label and the last position ask for."""
    columns = name_columns(extraction)
    yield f"positions in {printable(extraction.positions)}\n\n"
    digits = len(str(extraction.longest))
    labels = widest(map(printable, extraction.labels))
    widths = [max(len(name), labels if name == "label" else digits) for name in columns]
    yield _line(columns, columns, widths)
    for row in _make_rows(extraction, columns, printable):
        yield _line(row, columns, widths)


def _line(cells: Sequence[str], columns: Sequence[str], widths: Sequence[int]) -> str:
    parts = []
    for cell, name, width in zip(cells, columns, widths, strict=True):
        space = " " * (width - width_of(cell))
        parts.append(cell + space if name in ("label", "document") else space + cell)
    return "  ".join(parts).rstrip() + "\n"


def _render_json(extraction: Extraction) -> Iterator[str]:
    """One object, a triple on each line of it."""
    raw = None if extraction.raw is None else list(extraction.raw.raw.files.names)
    head = {"file": extraction.document.name, "positions": extraction.positions, "raw": raw}
    yield json_text(head, indent=2).removesuffix("\n}") + ',\n  "triples": ['
    before = "\n    "
    for triple in extraction:
        yield before + json_text(_to_object(triple, extraction))
        before = ",\n    "
    yield "\n  ]\n}\n"


def _to_object(triple: Triple, extraction: Extraction) -> dict[str, object]:
    shown: dict[str, object] = {
        "kind": triple.kind,
        "start": triple.start,
        "end": triple.end,
        "label": triple.label,
    }
    if triple.kind == "dependency":
        shown |= {"head_start": triple.head_start, "head_end": triple.head_end}
    if extraction.files:
        shown["document"] = triple.document
    return shown
