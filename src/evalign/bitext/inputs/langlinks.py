r"""Links between the languages of Wikipedia: the langlinks table of a wiki, as it is dumped for MySQL.

    INSERT INTO `langlinks` VALUES (12,'en','Algiers'),(12,'de','Algier'),(14,'en','D\'Artagnan');

A row has the id of a page of this wiki, another language, and the title of the page there
(https://www.mediawiki.org/wiki/Manual:Langlinks_table). Lines have a megabyte, so the file is read in pieces.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import IO, NamedTuple

from evalign.bitext.inputs import Link
from evalign.bitext.inputs.cleaning import clean_text
from evalign.errors import CommandError, InputError, Place, quote, show_name
from evalign.progress import Progress, no_progress
from evalign.readers import open_binary

_PIECE = 1 << 20
# A row has two texts of 255 bytes at most, every byte escaped at worst; so does the head of a statement.
_LONGEST = 1 << 12
_EXPECTED = "the langlinks table of a dump of Wikipedia: INSERT INTO `langlinks` VALUES (12,'en','Algiers')"
_AGAIN = "download the file again: frwiki-20161201-langlinks.sql.gz"

_TEXT = rb"(?:_binary\s+)?('[^'\\]*(?:(?:\\.|'')[^'\\]*)*'|0x[0-9A-Fa-f]*)"
_ROW = re.compile(rb"\s*\(\s*(\d+)\s*,\s*" + _TEXT + rb"\s*,\s*" + _TEXT + rb"\s*\)\s*([,;])", re.DOTALL)
_STATEMENT = re.compile(
    rb"\s*(?:INSERT\s+(?:IGNORE\s+)?INTO\s+`?(?P<table>\w+)`?\s*(?P<columns>\([^()]*\))?\s*VALUES"
    rb"|CREATE\s+TABLE\s[^`\n]*`(?P<made>\w+)`"
    rb"|(?P<unlocks>UN)?LOCK\s+TABLES)",
    re.IGNORECASE,
)
_COLUMNS = b"ll_from,ll_lang,ll_title"
_ESCAPED = re.compile(rb"\\(.)|''", re.DOTALL)
# https://dev.mysql.com/doc/refman/8.0/en/string-literals.html; any other character stands for itself.
_MEANT = {b"0": b"\0", b"b": b"\b", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"Z": b"\x1a"}


class Row(NamedTuple):
    """A row of the table."""

    page: int
    """Id of a page of the wiki that the table belongs to."""
    language: str
    title: str
    """Of the page in the other language, with spaces."""


def read_langlinks(
    path: str | os.PathLike[str],
    titles: Mapping[int, str],
    *,
    of: str,
    languages: tuple[str, str],
    progress: Progress = no_progress,
) -> Iterator[Link]:
    """Links between the titles of two languages, from the table of either wiki: `of` says whose it is.

    `titles` are those of that wiki by page id, as `wikipedia.read_titles` gives them; pages that are not in it are
    passed over. Codes of languages may have `_` for the `-` of Wikipedia's. Raises `InputError` where the file is no
    such table or ends early, and `CommandError` where `of` is neither language.
    """
    if of not in languages:
        found = f"a langlinks table of {quote(of)}"
        raise CommandError(found, f"the table of {' or '.join(languages)}", f'[links] of = "{languages[0]}"')
    is_first = of == languages[0]
    other = languages[is_first].replace("_", "-")
    for row in read_rows(path, other, progress=progress):
        title = titles.get(row.page)
        if title is not None and row.title:
            yield Link(title, row.title) if is_first else Link(row.title, title)


def read_rows(
    path: str | os.PathLike[str], language: str = "", *, progress: Progress = no_progress
) -> Iterator[Row]:
    """Rows of a langlinks table, those to one language or all; raises `InputError` where it is none or ends early."""
    with open_binary(path, progress) as file:
        yield from _Table(show_name(path), file).rows(language)


class _Table:
    """A table that is being read, a piece in memory at a time."""

    def __init__(self, name: str, file: IO[bytes]) -> None:
        self._name, self._file = name, file
        self._data, self._at, self._is_over = b"", 0, False
        # Lines before the piece.
        self._lineno = 1
        self._n_rows = 0
        self._is_table = self._is_locked = False

    def rows(self, language: str) -> Iterator[Row]:
        """Its rows, in their order."""
        # Rows are many, their languages a few hundred.
        languages: dict[bytes, str] = {}
        while self._find_values():
            separator = b","
            while separator == b",":
                page, literal, title, separator = self._match_row().groups()
                self._n_rows += 1
                if literal not in languages:
                    languages[literal] = _read_text(literal)
                if not language or languages[literal] == language:
                    yield Row(int(page), languages[literal], clean_text(_read_text(title).replace("_", " ")))
        if not self._is_table:
            raise InputError(Place(self._name), "no langlinks table", _EXPECTED, _AGAIN)
        if self._is_locked:
            raise self._refuse_end()

    def _find_values(self) -> bool:
        """Go behind the next VALUES; whether there is one."""
        while self._fill():
            match = _STATEMENT.match(self._data, self._at)
            if match:
                self._at = match.end()
                if self._note(match):
                    return True
            self._skip_line()
        return False

    def _note(self, statement: re.Match[bytes]) -> bool:
        """What a statement says of the table; whether rows follow."""
        table = statement["table"] or statement["made"]
        if table is None:
            self._is_locked = statement["unlocks"] is None
            return False
        if table.lower() != b"langlinks":
            found = f"the table {quote(table.decode('utf-8', 'replace'))}"
            raise InputError(self._place(), found, _EXPECTED, "is this the right file?")
        columns = re.sub(rb"[\s`()]", b"", statement["columns"] or b"") or _COLUMNS
        if columns.lower() != _COLUMNS:
            found = f"columns {quote(columns.decode('utf-8', 'replace'))}"
            raise InputError(self._place(), found, f"columns {_COLUMNS.decode()}")
        self._is_table = True
        return statement["table"] is not None

    def _skip_line(self) -> None:
        end = self._data.find(b"\n", self._at)
        while end < 0:
            self._at = len(self._data)
            if not self._fill():
                return
            end = self._data.find(b"\n", self._at)
        self._at = end + 1

    def _match_row(self) -> re.Match[bytes]:
        self._fill()
        match = _ROW.match(self._data, self._at)
        if match is None:
            raise self._refuse_row()
        self._at = match.end()
        return match

    def _fill(self) -> bool:
        """See to it that a row or the head of a statement is there as a whole; whether anything is left."""
        while len(self._data) - self._at < _LONGEST and not self._is_over:
            piece = self._file.read(_PIECE)
            self._is_over = not piece
            self._lineno += self._data.count(b"\n", 0, self._at)
            self._data = self._data[self._at :] + piece
            self._at = 0
        return self._at < len(self._data)

    def _place(self) -> Place:
        return Place(self._name, self._lineno + self._data.count(b"\n", 0, self._at))

    def _refuse_row(self) -> InputError:
        rest = self._data[self._at : self._at + _LONGEST]
        if self._is_over and len(rest) < _LONGEST:
            return self._refuse_end()
        return InputError(
            self._place(), f"row {quote(rest.lstrip().decode('utf-8', 'replace'))}", _EXPECTED, _AGAIN
        )

    def _refuse_end(self) -> InputError:
        rows = "1 row" if self._n_rows == 1 else f"{self._n_rows:,} rows"
        how_far = f"after {rows}" if self._n_rows else "before the first row"
        return InputError(
            self._place(), f"a table that ends early or is damaged, {how_far}", _EXPECTED, _AGAIN
        )


def _read_text(literal: bytes) -> str:
    """The text behind a literal of SQL. The column has bytes, 255 of them, so a character may be cut."""
    if literal.startswith(b"0x"):
        return bytes.fromhex(literal[2:].decode()).decode("utf-8", "replace")
    text = literal[1:-1]
    if b"\\" in text or b"'" in text:
        text = _ESCAPED.sub(_read_escape, text)
    return text.decode("utf-8", "replace")


def _read_escape(escape: re.Match[bytes]) -> bytes:
    return b"'" if escape[1] is None else _MEANT.get(escape[1], escape[1])
