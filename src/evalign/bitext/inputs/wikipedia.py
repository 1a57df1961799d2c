"""Readers for Wikipedia: the articles of a dump, and links between wikis from a langlinks table.

A dump is read with one page in memory at a time, a table in pieces of a megabyte.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BufferedReader
from types import ModuleType
from typing import IO, NamedTuple, Protocol
from xml.etree.ElementTree import ParseError

from evalign.bitext.inputs.source import Link, SourceDocument, clean_text
from evalign.bitext.inputs.wikitext import HIDDEN_NAMESPACES, load_parser, read_wikitext
from evalign.errors import CommandError, InputError, Place, advise_install, quote, show_name
from evalign.progress import Progress, no_progress
from evalign.readers.line_reader import open_binary, recode_head

# https://www.mediawiki.org/wiki/Manual:Namespace_constants
_MAIN, _FILE, _CATEGORY = 0, 6, 14
_EXPECTED = "a dump of Wikipedia, pages-articles.xml, as it is or compressed with bzip2, gzip, xz or zstd"
_AGAIN = "download the file again and compare its checksum, or leave out the end: dumps also come in parts"


class Article(NamedTuple):
    """A page of the main namespace that is not a redirect."""

    number: int
    """Page id in this wiki; the langlinks table refers to it."""
    title: str
    text: str
    """Wikitext of the last revision."""


class _Revision(Protocol):
    model: str | None
    text: str | None


class _Page(Protocol):
    id: int
    title: str
    namespace: int
    redirect: str | None

    def __iter__(self) -> Iterator[_Revision]: ...


def read_dump(
    path: str | os.PathLike[str], language: str, *, drop_lists: bool = True, progress: Progress = no_progress
) -> Iterator[SourceDocument]:
    """Yield the articles of a dump as documents named by their titles.

    Sentences that contained a template are left out, and so are redirects, pages of other namespaces and,
    unless `drop_lists` is false, list items and sections of references and links. Raises `InputError` if the
    file is not a dump or ends early, and `CommandError` if a package that reads dumps is not installed.
    """
    load_parser()
    with _open_dump(path, progress) as reading:
        for article in reading.articles():
            page = read_wikitext(article.text, language, reading.hidden, drop_lists=drop_lists)
            yield SourceDocument(
                article.title, page.sentences, n_dropped=page.n_dropped, n_listed=page.n_listed
            )


def read_articles(path: str | os.PathLike[str], *, progress: Progress = no_progress) -> Iterator[Article]:
    """Yield the articles of a dump with their wikitext. Raises as `read_dump` does."""
    with _open_dump(path, progress) as reading:
        yield from reading.articles()


def read_titles(
    path: str | os.PathLike[str], *, progress: Progress = no_progress
) -> Iterator[tuple[int, str]]:
    """Yield page id and title of every article of a dump, for `read_langlinks`.

    Raises as `read_dump` does.
    """
    for article in read_articles(path, progress=progress):
        yield article.number, article.title


class _Reading:
    """A dump that is being read. It knows how far it was read, for error messages."""

    def __init__(self, name: str, file: BufferedReader) -> None:
        self._name, self._n_pages, self._last = name, 0, ""
        mwxml = _load_mwxml()
        # Missing or wrong elements also raise built-in errors, which mwxml does not turn into its own.
        self._refusals: tuple[type[Exception], ...] = (
            mwxml.errors.MalformedXML, ParseError, ValueError, TypeError, AttributeError, AssertionError,
        )  # fmt: skip
        with self._refusing():
            head = file.peek()
        _check_head(name, head)
        with self._refusing():
            self._root = mwxml.element_iterator.ElementIterator.from_file(file)
            self._dump = mwxml.Dump.from_element(self._root)

    @property
    def hidden(self) -> frozenset[str]:
        """Names of the namespaces of pictures and categories, of all wikis and of this one, in lower case."""
        named = self._dump.site_info.namespaces or ()
        return HIDDEN_NAMESPACES | {
            each.name.lower() for each in named if each.id in (_FILE, _CATEGORY) and each.name
        }

    def articles(self) -> Iterator[Article]:
        """Yield the articles in the order of the dump."""
        while page := self._next():
            # mwxml empties a page that was read but leaves it in the tree: twenty million pages take a
            # gigabyte.
            self._root.element.clear()
            if page.namespace == _MAIN and page.redirect is None:
                text = self._text(page)
                if text:
                    yield Article(page.id, clean_text(page.title), text)

    def _next(self) -> _Page | None:
        with self._refusing():
            page: _Page | None = next(self._dump.pages, None)
        if page is not None:
            self._n_pages += 1
            self._last = page.title
        return page

    def _text(self, page: _Page) -> str:
        """Return the wikitext of the last revision; empty if the page is something else, such as a script."""
        text = ""
        with self._refusing():
            for revision in page:
                text = (revision.text or "") if revision.model in (None, "wikitext") else ""
        return text

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Turn errors of mwxml into `InputError`, and add to any error how far the dump was read."""
        try:
            yield
        except self._refusals as error:
            raise self._refuse(error) from None
        except InputError as error:
            problem = f"{error.found}, {self._how_far()}"
            raise InputError(error.place, problem, error.expected, error.advice or _AGAIN) from None

    def _refuse(self, error: Exception) -> InputError:
        lineno = error.position[0] if isinstance(error, ParseError) and hasattr(error, "position") else 0
        problem = f"XML that ends early or is damaged ({' '.join(str(error).split())[:200]})"
        return InputError(Place(self._name, lineno), f"{problem}, {self._how_far()}", _EXPECTED, _AGAIN)

    def _how_far(self) -> str:
        if not self._n_pages:
            return "before the first page"
        pages = "1 page" if self._n_pages == 1 else f"{self._n_pages:,} pages"
        return f"after {pages}, the last of them {quote(self._last)}"


@contextmanager
def _open_dump(path: str | os.PathLike[str], progress: Progress) -> Iterator[_Reading]:
    with open_binary(path, progress) as file:
        yield _Reading(show_name(path), file)


def _check_head(name: str, head: bytes) -> None:
    """Raise `InputError` if the first bytes of a file show that it is not a dump."""
    head = recode_head(head).lstrip(b" \t\r\n")
    if b"<mediawiki" in head:
        return
    problem = "no dump: its first element is not <mediawiki>" if head else "an empty file"
    if head[:100].lower().startswith((b"<!doctype html", b"<html")):
        problem = "a page of HTML"
    advice = "dumps are at https://dumps.wikimedia.org: frwiki-latest-pages-articles.xml.bz2"
    raise InputError(Place(name), problem, _EXPECTED, advice)


def _load_mwxml() -> ModuleType:
    try:
        import mwxml
    except ImportError:
        message = "mwxml is not installed: it reads Wikipedia's dumps"
        raise CommandError(message, advice=advise_install("bitext")) from None
    module: ModuleType = mwxml
    return module


# Links between the languages of Wikipedia: the langlinks table of a wiki, as it is dumped for MySQL.
#
#     INSERT INTO `langlinks` VALUES (12,'en','Algiers'),(12,'de','Algier'),(14,'en','D\'Artagnan');
#
# A row has the id of a page of this wiki, another language, and the title of the page there
# (https://www.mediawiki.org/wiki/Manual:Langlinks_table). A line has about a megabyte, so the file is read in
# pieces.


_SQL_PIECE = 1 << 20
# Bytes of the longest row: two texts of at most 255 bytes, every byte escaped at worst. The head of a
# statement fits, too.
_LONGEST_ROW = 1 << 12
_EXPECTED_TABLE = (
    "the langlinks table of a dump of Wikipedia: INSERT INTO `langlinks` VALUES (12,'en','Algiers')"
)
_LOAD_AGAIN = "download the file again: frwiki-20161201-langlinks.sql.gz"

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


class LanglinkRow(NamedTuple):
    """A row of the langlinks table."""

    page: int
    """Id of the page in the wiki that the table belongs to."""
    language: str
    title: str
    """Title of the page in the other language, with spaces for underscores."""


def read_langlinks(
    path: str | os.PathLike[str],
    titles: Mapping[int, str],
    *,
    of: str,
    languages: tuple[str, str],
    progress: Progress = no_progress,
) -> Iterator[Link]:
    """Yield links between titles of two languages, from the langlinks table of the wiki in language `of`.

    `titles` maps page ids of that wiki to titles, as `read_titles` yields them; other pages are left out.
    Codes of languages may have `_` for the `-` of Wikipedia's. Raises `InputError` if the file is not such a
    table or ends early, and `CommandError` if `of` is neither language.
    """
    if of not in languages:
        message = f"a langlinks table of {quote(of)}"
        raise CommandError(
            message, f"the table of {' or '.join(languages)}", f'[links] of = "{languages[0]}"'
        )
    is_first = of == languages[0]
    other = languages[is_first].replace("_", "-")
    for row in read_langlink_rows(path, other, progress=progress):
        title = titles.get(row.page)
        if title is not None and row.title:
            yield Link(title, row.title) if is_first else Link(row.title, title)


def read_langlink_rows(
    path: str | os.PathLike[str],
    language: str = "",
    *,
    progress: Progress = no_progress,
    piece: int = _SQL_PIECE,
    longest: int = _LONGEST_ROW,
) -> Iterator[LanglinkRow]:
    """Yield the rows of a langlinks table, those that link to `language` or all of them.

    Raises `InputError` if the file is not such a table or ends early. `piece` is how many bytes are read at a
    time, `longest` how many a row may have.
    """
    with open_binary(path, progress) as file:
        yield from _Table(show_name(path), file, piece, longest).rows(language)


class _Table:
    """A table that is being read, with a piece in memory at a time."""

    def __init__(self, name: str, file: IO[bytes], piece: int, longest: int) -> None:
        self._name, self._file, self._piece, self._longest = name, file, piece, longest
        self._data, self._at, self._is_over = b"", 0, False
        # Line number of the start of the piece.
        self._lineno = 1
        self._n_rows = 0
        self._is_table = self._is_locked = False

    def rows(self, language: str) -> Iterator[LanglinkRow]:
        """Yield the rows in order, those that link to `language` or all of them."""
        # Decoded languages by their literals: rows are many, but languages only a few hundred.
        languages: dict[bytes, str] = {}
        while self._find_values():
            separator = b","
            while separator == b",":
                page, literal, title, separator = self._match_row().groups()
                self._n_rows += 1
                if literal not in languages:
                    languages[literal] = _read_text(literal)
                if not language or languages[literal] == language:
                    yield LanglinkRow(
                        int(page), languages[literal], clean_text(_read_text(title).replace("_", " "))
                    )
        if not self._is_table:
            raise InputError(Place(self._name), "no langlinks table", _EXPECTED_TABLE, _LOAD_AGAIN)
        if self._is_locked:
            raise self._refuse_end()

    def _find_values(self) -> bool:
        """Go to the first row behind the next VALUES. Returns False at the end of the file."""
        while self._fill():
            match = _STATEMENT.match(self._data, self._at)
            if match:
                self._at = match.end()
                if self._note(match):
                    return True
            self._skip_line()
        return False

    def _note(self, statement: re.Match[bytes]) -> bool:
        """Check the table and the columns that a statement names; return whether rows follow it.

        Also keeps track of whether tables are locked (LOCK TABLES, UNLOCK TABLES).
        """
        table = statement["table"] or statement["made"]
        if table is None:
            self._is_locked = statement["unlocks"] is None
            return False
        if table.lower() != b"langlinks":
            problem = f"the table {quote(table.decode('utf-8', 'replace'))}"
            raise InputError(self._place(), problem, _EXPECTED_TABLE, "is this the right file?")
        columns = re.sub(rb"[\s`()]", b"", statement["columns"] or b"") or _COLUMNS
        if columns.lower() != _COLUMNS:
            problem = f"columns {quote(columns.decode('utf-8', 'replace'))}"
            raise InputError(self._place(), problem, f"columns {_COLUMNS.decode()}")
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
        """Read until a whole row, or head of a statement, is in memory. Returns whether anything is left."""
        while len(self._data) - self._at < self._longest and not self._is_over:
            piece = self._file.read(self._piece)
            self._is_over = not piece
            self._lineno += self._data.count(b"\n", 0, self._at)
            self._data = self._data[self._at :] + piece
            self._at = 0
        return self._at < len(self._data)

    def _place(self) -> Place:
        return Place(self._name, self._lineno + self._data.count(b"\n", 0, self._at))

    def _refuse_row(self) -> InputError:
        rest = self._data[self._at : self._at + self._longest]
        if self._is_over and len(rest) < self._longest:
            return self._refuse_end()
        return InputError(
            self._place(),
            f"row {quote(rest.lstrip().decode('utf-8', 'replace'))}",
            _EXPECTED_TABLE,
            _LOAD_AGAIN,
        )

    def _refuse_end(self) -> InputError:
        rows = "1 row" if self._n_rows == 1 else f"{self._n_rows:,} rows"
        how_far = f"after {rows}" if self._n_rows else "before the first row"
        return InputError(
            self._place(), f"a table that ends early or is damaged, {how_far}", _EXPECTED_TABLE, _LOAD_AGAIN
        )


def _read_text(literal: bytes) -> str:
    """Decode a literal of SQL. The column holds at most 255 bytes, so the last character may be cut off."""
    if literal.startswith(b"0x"):
        return bytes.fromhex(literal[2:].decode()).decode("utf-8", "replace")
    text = literal[1:-1]
    if b"\\" in text or b"'" in text:
        text = _ESCAPED.sub(_read_escape, text)
    return text.decode("utf-8", "replace")


def _read_escape(escape: re.Match[bytes]) -> bytes:
    return b"'" if escape[1] is None else _MEANT.get(escape[1], escape[1])
