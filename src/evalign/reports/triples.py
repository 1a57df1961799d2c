"""Triples (start, end, label) as text: a table, CSV, TSV, JSON or JSON lines, for `evalign triples`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalign.alignment.places import NOWHERE
from evalign.readers.standoff import GUARDED
from evalign.reports.formats import csv_cell, json_text
from evalign.scoring.extraction import Batch, Extraction
from evalign.wording import printable, shorten, widest, width_of

# Characters that would begin a new cell or row of TSV.
_SEPARATORS = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r"})
# Between columns of a table.
GAP = "  "
# Shown for an empty label in a table; and the least width of labels and names on a narrow terminal.
EMPTY = "(empty)"
SHORTEST = 16
_NUMBERS, _NUMBER = ("start", "end", "head_start", "head_end"), "%d"


def render_triples(
    extraction: Extraction, format: str = "table", *, columns: int | None = None
) -> Iterator[str]:
    """Yield pieces of text, so that memory does not grow with the number of triples.

    A table is kept within `columns` as far as labels and names can be shortened.
    """
    if format == "table":
        return _render_table(extraction, columns)
    if format == "json":
        return _render_json(extraction)
    if format == "jsonl":
        return ("".join([f"{row}\n" for row in rows]) for rows in _make_objects(extraction))
    return _render_rows(extraction, format)


def name_columns(extraction: Extraction) -> list[str]:
    """Return the names of the columns that have content."""
    heads = ["head_start", "head_end"] if extraction.has_heads else []
    return ["start", "end", "label", *heads, *(["document"] if extraction.files else [])]


def _make_rows(
    extraction: Extraction,
    numbers: Sequence[str],
    separator: str,
    labels: Sequence[str],
    names: Sequence[str],
) -> Iterator[list[str]]:
    """Yield the rows of each batch.

    `numbers` are the %-formats of start and end and, if there are heads, of the heads' start and end.
    `labels` and `names` are escaped.
    """
    template = separator.join([*numbers[:2], *["%s"] * (1 + len(numbers[2:]) + bool(names))])
    for batch in extraction.batches():
        cells: list[Sequence[object]] = [
            batch.starts.tolist(),
            batch.ends.tolist(),
            [labels[k] for k in batch.labels.tolist()],
        ]
        # `numbers` ends before the heads if there are none.
        for head, column in zip(numbers[2:], (batch.head_starts, batch.head_ends), strict=False):
            blank = " " * (len(head % 0) if head != _NUMBER else 0)
            cells.append([blank if place == NOWHERE else head % place for place in column.tolist()])
        if names:
            cells.append([names[k] for k in batch.files.tolist()])
        yield [template % row for row in zip(*cells, strict=True)]


def _tsv_cell(text: str) -> str:
    return text.translate(_SEPARATORS)


def _csv_cell(text: str) -> str:
    """Escape text for CSV.

    Text that begins with apostrophes and a formula gets one more, so that a reader can always take one away.
    """
    return csv_cell("'" + text if GUARDED.match(text) else text)


def _render_rows(extraction: Extraction, format: str) -> Iterator[str]:
    """Yield a header, then a line per triple, separated by tabs or commas."""
    columns = name_columns(extraction)
    separator, write = ("\t", _tsv_cell) if format == "tsv" else (",", _csv_cell)
    yield separator.join(columns) + "\n"
    labels, names = (list(map(write, texts)) for texts in (extraction.labels.names, extraction.files))
    numbers = [_NUMBER] * sum(name in _NUMBERS for name in columns)
    for rows in _make_rows(extraction, numbers, separator, labels, names):
        yield "".join([f"{row}\n" for row in rows])


def _render_table(extraction: Extraction, most: int | None) -> Iterator[str]:
    """Yield a table with aligned columns, wide enough for the last position and the longest label.

    If `most` terminal columns are too few, labels and names are shortened.
    """
    columns = name_columns(extraction)
    yield f"positions in {printable(extraction.positions)}\n\n"
    digits = len(str(extraction.longest))
    widths = {name: max(len(name), digits) for name in columns if name in _NUMBERS}
    names, labels = [printable(name) for name in extraction.files], extraction.labels.names
    shown = [printable(label) or EMPTY for label in labels]
    if most is not None:
        room = most - sum(widths.values()) - len(GAP) * (len(columns) - 1)
        names = [shorten(name, max(SHORTEST, room // 2)) for name in names]
        room -= max(widest(names), len("document")) if names else 0
        shown = [shorten(label, max(SHORTEST, room)) for label in shown]
    widths["label"] = max(widest(shown), len("label"))
    shown = [label + " " * (widths["label"] - width_of(label)) for label in shown]
    header = [name.rjust(widths[name]) if name in _NUMBERS else name for name in columns]
    header[columns.index("label")] = "label".ljust(widths["label"])
    yield GAP.join(header).rstrip() + "\n"
    numbers = [f"%{widths[name]}d" for name in columns if name in _NUMBERS]
    for rows in _make_rows(extraction, numbers, GAP, shown, names):
        yield "".join([f"{row.rstrip()}\n" for row in rows])


def _render_json(extraction: Extraction) -> Iterator[str]:
    """Yield one JSON object with a triple on each line."""
    raw = None if extraction.raw is None else list(extraction.raw.raw.files.names)
    head = {"file": extraction.document.name, "positions": extraction.positions, "raw": raw}
    yield json_text(head, indent=2).removesuffix("\n}") + ',\n  "triples": ['
    before = "\n    "
    for rows in _make_objects(extraction):
        if rows:
            yield before + ",\n    ".join(rows)
            before = ",\n    "
    yield "\n  ]\n}\n"


def _make_objects(extraction: Extraction) -> Iterator[list[str]]:
    """Yield the triples of each batch as JSON objects. Labels are few, so each is encoded only once."""
    labels, kinds, _ = extraction.labels
    heads = [f'{{"kind": {json_text(kind)}, "start": ' for kind in kinds]
    tails = [f', "label": {json_text(label)}' for label in labels]
    names = [f', "document": {json_text(name)}' for name in extraction.files]
    hung = [kind == "dependency" for kind in kinds]
    for batch in extraction.batches():
        ids = batch.labels.tolist()
        files = [names[k] for k in batch.files.tolist()] if names else [""] * len(ids)
        arcs = _json_heads(batch, [hung[k] for k in ids]) if extraction.has_heads else [""] * len(ids)
        rows = zip(batch.starts.tolist(), batch.ends.tolist(), ids, arcs, files, strict=True)
        yield [f'{heads[k]}{start}, "end": {end}{tails[k]}{arc}{file}}}' for start, end, k, arc, file in rows]


def _json_heads(batch: Batch, hung: Sequence[bool]) -> list[str]:
    """Return the fields with the span of each dependency's head, null for a root; "" for other triples."""
    rows = zip(hung, batch.head_starts.tolist(), batch.head_ends.tolist(), strict=True)
    bare = ', "head_start": null, "head_end": null'
    return [
        "" if not is_hung else bare if start == NOWHERE else f', "head_start": {start}, "head_end": {end}'
        for is_hung, start, end in rows
    ]
