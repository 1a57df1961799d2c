"""Readers for tab-separated tables, and for two files whose lines belong together (Moses, OPUS).

handbook:1 TAB A sentence of it. TAB manual            documents; the genre may be left out
n01001 TAB n01 TAB Une phrase. TAB A sentence.         pairs: id, document, first, second
Une phrase. TAB A sentence.                            pairs: first, second
Chat TAB Cat                                           links: a document of each language
handbook:1 TAB manual                                  genres
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TypeAlias

from evalign.bitext.inputs.source import (
    SENTENCES_PER_PIECE,
    Link,
    Skipped,
    SourceDocument,
    SourcePair,
    clean_text,
    no_skipped,
)
from evalign.errors import CommandError, InputError, Place, quote, show_name, suggest
from evalign.progress import Progress, no_progress
from evalign.readers.line_reader import read_lines

Path: TypeAlias = "str | os.PathLike[str]"

NO_COLUMN = "-"
COLUMNS = ("id", "document", "first", "second", NO_COLUMN)
_USUAL = {2: ("first", "second"), 4: ("id", "document", "first", "second")}


def _read_rows(path: Path, progress: Progress) -> Iterator[tuple[Place, list[str]]]:
    """Yield the place and the cleaned cells of every line that is not blank."""
    name = show_name(path)
    for lineno, line in read_lines(path, progress):
        if line and not line.isspace():
            yield Place(name, lineno), [clean_text(cell) for cell in line.split("\t")]


def _count(cells: Sequence[str]) -> str:
    return f"{len(cells)} column{'s' if len(cells) != 1 else ''}"


def read_document_table(path: Path, *, progress: Progress = no_progress) -> Iterator[SourceDocument]:
    """Yield the documents of a table in pieces.

    A line is `doc-id TAB sentence`, with a genre behind it if there is one. Consecutive lines of one document
    form a piece. A line without a sentence is ignored, except for its genre.
    """
    name = genre = ""
    sentences: list[str] = []
    for place, cells in _read_rows(path, progress):
        if len(cells) not in (2, 3):
            expected = "2 or 3: the name of a document, a sentence of it, and its genre if it has one"
            raise InputError(place, f"{_count(cells)}: {quote(cells[0])}", expected, _ADVICE)
        if not cells[0]:
            raise InputError(place, "a sentence without a document", "the name of a document before the tab")
        if cells[0] != name or len(sentences) >= SENTENCES_PER_PIECE:
            if sentences:
                yield SourceDocument(name, tuple(sentences), genre)
            genre = "" if cells[0] != name else genre
            name, sentences = cells[0], []
        genre = _check_genre(place, name, genre, cells[2] if len(cells) == 3 else "")
        if cells[1]:
            sentences.append(cells[1])
    if sentences:
        yield SourceDocument(name, tuple(sentences), genre)


_ADVICE = "a tab parts the columns; running text without columns is read from a folder of .txt files"


def _check_genre(place: Place, document: str, genre: str, cell: str) -> str:
    if genre and cell and cell != genre:
        message = f"document {quote(document)} of genre {quote(cell)}"
        raise InputError(place, message, f"{quote(genre)}, as in the line before")
    return genre or cell


def check_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Check the names of the columns of a table of pairs and return them.

    Raises `CommandError` for an unknown, repeated or missing name.

    >>> check_columns(["id", "-", "first", "second"])
    ('id', '-', 'first', 'second')
    """
    for column in columns:
        if column not in COLUMNS:
            message = f"unknown column {quote(column)}"
            raise CommandError(message, *suggest(column, COLUMNS))
        if column != NO_COLUMN and columns.count(column) > 1:
            message = f"column {quote(column)} twice"
            raise CommandError(message, f"each once, except {NO_COLUMN}")
    for column in ("first", "second"):
        if column not in columns:
            message = f'no column "{column}"'
            raise CommandError(message, '"first" and "second": the sentences of both languages')
    return tuple(columns)


def read_pair_table(
    path: Path,
    columns: Sequence[str] | None = None,
    *,
    skipped: Skipped = no_skipped,
    progress: Progress = no_progress,
) -> Iterator[SourcePair]:
    """Yield the pairs of a table.

    Without `columns`, two columns are first and second, four are id, document, first and second. The name of
    a pair without an id is its line number. A pair with an empty side is left out, and `skipped` is called
    with its place.
    """
    named = check_columns(columns) if columns is not None else None
    for place, cells in _read_rows(path, progress):
        named = named or _usual_columns(place, cells)
        if len(cells) != len(named):
            raise InputError(
                place, f"{_count(cells)}: {quote(cells[0])}", f"{len(named)}: {', '.join(named)}"
            )
        row = dict(zip(named, cells, strict=True))
        if row["first"] and row["second"]:
            name = row.get("id") or str(place.lineno)
            yield SourcePair(name, row.get("document", ""), row["first"], row["second"])
        else:
            skipped(place)


def _usual_columns(place: Place, cells: Sequence[str]) -> tuple[str, ...]:
    if len(cells) in _USUAL:
        return _USUAL[len(cells)]
    expected = "2 (first, second) or 4 (id, document, first, second)"
    advice = "columns may say what else they are: columns = [" + ", ".join(
        f'"{column}"' for column in ("id", "first", "second", *[NO_COLUMN] * (len(cells) - 3))
    )
    raise InputError(place, f"{_count(cells)}: {quote(cells[0])}", expected, f"{advice}]")


def read_link_table(path: Path, *, progress: Progress = no_progress) -> Iterator[Link]:
    """Yield the links of a table with two columns: a document of each language, the first language first."""
    for place, cells in _read_rows(path, progress):
        if len(cells) != 2 or not all(cells):
            problem = _count(cells) if len(cells) != 2 else "a link without a document"
            raise InputError(place, problem, "2: the names of two documents, one of each language")
        yield Link(cells[0], cells[1])


def read_genres(path: Path, *, progress: Progress = no_progress) -> dict[str, str]:
    """Read the genres of documents, by document name, from lines of `doc-id TAB genre`."""
    genres: dict[str, str] = {}
    for place, cells in _read_rows(path, progress):
        if len(cells) != 2 or not all(cells):
            problem = _count(cells) if len(cells) != 2 else "a document without a genre"
            raise InputError(place, problem, "2: the name of a document, and its genre")
        genre = genres.setdefault(cells[0], cells[1])
        if genre != cells[1]:
            problem = f"document {quote(cells[0])} of genre {quote(cells[1])}"
            raise InputError(place, problem, f"{quote(genre)}, as it is above")
    return genres


# Two files whose lines belong together, one for each language, as Moses and OPUS have them.


def read_moses(
    first: str | os.PathLike[str],
    second: str | os.PathLike[str],
    *,
    skipped: Skipped = no_skipped,
    progress: Progress = no_progress,
) -> Iterator[SourcePair]:
    """Yield the pairs of two files, line by line, named by line number.

    A pair with an empty side is left out, and `skipped` is called with its place unless both sides are empty.
    Raises `InputError` in the end if one file has more lines.
    """
    linenos = [0, 0]
    name = show_name(first)
    for one, two in zip_longest(read_lines(first, progress), read_lines(second)):
        linenos = [one[0] if one else linenos[0], two[0] if two else linenos[1]]
        if one is None or two is None:
            continue
        sentences = clean_text(one[1]), clean_text(two[1])
        if all(sentences):
            yield SourcePair(str(one[0]), "", *sentences)
        elif any(sentences):
            skipped(Place(name, one[0]))
    if linenos[0] != linenos[1]:
        problem = f"{linenos[0]:,} lines, and {linenos[1]:,} in {show_name(second)}"
        raise InputError(Place(name), problem, "as many in both: line by line they are translations")
