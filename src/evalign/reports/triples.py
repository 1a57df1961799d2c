"""Triples as text, one after the other: for people, for a spreadsheet, for a program, for `--raw` again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalign.alignment import NOWHERE
from evalign.readers import GUARDED
from evalign.reports.formats import csv_cell, json_text
from evalign.scoring import Batch, Extraction
from evalign.wording import printable, shorten, widest, width_of

# What would begin a new cell or row.
_SEPARATORS = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r"})
# Between columns of a table.
GAP = "  "
# What stands for a label without a character in a table, and what labels and names keep at least where it is narrow.
EMPTY = "(empty)"
SHORTEST = 16
_NUMBERS, _NUMBER = ("start", "end", "head_start", "head_end"), "%d"


def render_triples(
    extraction: Extraction, format: str = "table", *, columns: int | None = None
) -> Iterator[str]:
    """Pieces of text, whatever the number of triples; a table in so many columns, as far as it can be."""
    if format == "table":
        return _render_table(extraction, columns)
    if format == "json":
        return _render_json(extraction)
    if format == "jsonl":
        return ("".join([f"{row}\n" for row in rows]) for rows in _make_objects(extraction))
    return _render_rows(extraction, format)


def name_columns(extraction: Extraction) -> list[str]:
    """The columns that there is something for."""
    heads = ["head_start", "head_end"] if extraction.has_heads else []
    return ["start", "end", "label", *heads, *(["document"] if extraction.files else [])]


def _make_rows(
    extraction: Extraction,
    numbers: Sequence[str],
    separator: str,
    labels: Sequence[str],
    names: Sequence[str],
) -> Iterator[list[str]]:
    """The rows of each batch: templates filled with numbers, and labels and names as they are written."""
    template = separator.join([*numbers[:2], *["%s"] * (1 + len(numbers[2:]) + bool(names))])
    for batch in extraction.batches():
        cells: list[Sequence[object]] = [
            batch.starts.tolist(),
            batch.ends.tolist(),
            [labels[k] for k in batch.labels.tolist()],
        ]
        # There may be no head.
        for head, column in zip(numbers[2:], (batch.head_starts, batch.head_ends), strict=False):
            blank = " " * (len(head % 0) if head != _NUMBER else 0)
            cells.append([blank if place == NOWHERE else head % place for place in column.tolist()])
        if names:
            cells.append([names[k] for k in batch.files.tolist()])
        yield [template % row for row in zip(*cells, strict=True)]


def _tsv_cell(text: str) -> str:
    return text.translate(_SEPARATORS)


def _csv_cell(text: str) -> str:
    """One apostrophe before a formula, also where there are some, so that a reader can take one away."""
    return csv_cell("'" + text if GUARDED.match(text) else text)


def _render_rows(extraction: Extraction, format: str) -> Iterator[str]:
    """A line per triple, separated by tabs or commas, with a header."""
    columns = name_columns(extraction)
    separator, write = ("\t", _tsv_cell) if format == "tsv" else (",", _csv_cell)
    yield separator.join(columns) + "\n"
    labels, names = (list(map(write, texts)) for texts in (extraction.labels.names, extraction.files))
    numbers = [_NUMBER] * sum(name in _NUMBERS for name in columns)
    for rows in _make_rows(extraction, numbers, separator, labels, names):
        yield "".join([f"{row}\n" for row in rows])


def _render_table(extraction: Extraction, most: int | None) -> Iterator[str]:
    """Aligned columns, as wide as the last position and the longest label ask for; labels shorter where it is narrow."""
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
    """One object, a triple on each line of it."""
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
    """The triples of each batch as objects of JSON. Labels are few, and made into JSON once."""
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
    """Of dependencies the span of the head, which the root has none of."""
    rows = zip(hung, batch.head_starts.tolist(), batch.head_ends.tolist(), strict=True)
    bare = ', "head_start": null, "head_end": null'
    return [
        "" if not is_hung else bare if start == NOWHERE else f', "head_start": {start}, "head_end": {end}'
        for is_hung, start, end in rows
    ]
