"""Choose the reader for an input.

The caller names the format, or it is detected from the kind of file, its name and its first bytes.
`read_documents`, `read_source_pairs` and `read_links` are the entry points of this package.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from evalign.bitext.inputs.folders import read_folder
from evalign.bitext.inputs.source import Link, Skipped, SourceDocument, SourcePair, no_skipped
from evalign.bitext.inputs.tables import read_document_table, read_link_table, read_moses, read_pair_table
from evalign.bitext.inputs.tmx import read_tmx
from evalign.bitext.inputs.wikipedia import read_dump, read_langlinks, read_titles
from evalign.errors import CommandError, quote, show_name, suggest
from evalign.files import PACKED_ENDING
from evalign.progress import Progress, no_progress
from evalign.readers.line_reader import read_head, recode_head

AUTO = "auto"
DOCUMENT_FORMATS = (AUTO, "tsv", "folder", "wikipedia")
PAIR_FORMATS = (AUTO, "tsv", "moses", "tmx")
LINK_FORMATS = (AUTO, "tsv", "langlinks")

_PACKED = rf"(?:{PACKED_ENDING})?$"
_TMX = re.compile(rf"\.tmx{_PACKED}", re.IGNORECASE)
_DUMP = re.compile(rf"\.xml{_PACKED}", re.IGNORECASE)
_SQL = re.compile(rf"\.sql{_PACKED}", re.IGNORECASE)
_WIKI = re.compile(r"([a-z_]+?)wiki-", re.IGNORECASE)
_IS_TMX = re.compile(rb"<(?:!DOCTYPE )?tmx\b", re.IGNORECASE)
_IS_DUMP = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?<mediawiki\b")
_IS_SQL = re.compile(rb"(?:CREATE TABLE|INSERT INTO|DROP TABLE IF EXISTS) `langlinks`")


def read_documents(
    paths: Sequence[str | os.PathLike[str]],
    format: str = AUTO,
    language: str = "",
    *,
    drop_lists: bool = True,
    progress: Progress = no_progress,
) -> Iterator[SourceDocument]:
    """Yield the documents of some files or folders in turn: tables, folders of text, dumps of Wikipedia.

    `drop_lists` says whether list items and sections of references are left out of articles of Wikipedia.
    Each sentence is on one line, without control characters, and none is empty. A document may come in
    several pieces, and only one piece is in memory at a time.
    """
    _check_format(format, DOCUMENT_FORMATS)
    for path in paths:
        path_format = find_document_format(path) if format == AUTO else format
        if path_format == "folder":
            yield from read_folder(path, language, progress=progress)
        elif path_format == "wikipedia":
            yield from read_dump(path, language, drop_lists=drop_lists, progress=progress)
        else:
            yield from read_document_table(path, progress=progress)


def read_source_pairs(
    paths: Sequence[str | os.PathLike[str]],
    format: str = AUTO,
    languages: tuple[str, str] = ("", ""),
    columns: Sequence[str] | None = None,
    *,
    skipped: Skipped = no_skipped,
    progress: Progress = no_progress,
) -> Iterator[SourcePair]:
    """Read the pairs of a table, of a translation memory, or of two files whose lines belong together.

    `columns` names the columns of a table that has unusual ones. Pairs with an empty side are left out;
    `skipped` is called with the place of each.
    """
    _check_format(format, PAIR_FORMATS)
    pair_format = find_pair_format(paths) if format == AUTO else format
    if len(paths) != (2 if pair_format == "moses" else 1):
        expected = "2, one for each language" if pair_format == "moses" else "1"
        message = f"{len(paths)} files of pairs as {pair_format}"
        raise CommandError(message, expected)
    if columns is not None and pair_format != "tsv":
        message = f"columns of {show_name(paths[0])}, which is {pair_format}"
        raise CommandError(message, "columns of a table alone")
    if pair_format == "moses":
        return read_moses(paths[0], paths[1], skipped=skipped, progress=progress)
    if pair_format == "tmx":
        return read_tmx(paths[0], languages, skipped=skipped, progress=progress)
    return read_pair_table(paths[0], columns, skipped=skipped, progress=progress)


def read_links(
    path: str | os.PathLike[str],
    format: str = AUTO,
    languages: tuple[str, str] = ("", ""),
    *,
    of: str = "",
    dumps: Mapping[str, Sequence[str | os.PathLike[str]]] | None = None,
    progress: Progress = no_progress,
) -> Iterator[Link]:
    """Read links between documents of both languages, from a table or from the langlinks table of a wiki.

    A langlinks table identifies the pages of its own wiki by number. `of` is the language of that wiki; it is
    only needed if the file name does not show it (as frwiki-latest-langlinks.sql.gz does). `dumps` holds, by
    language, the paths of the dumps that have the titles.
    """
    _check_format(format, LINK_FORMATS)
    link_format = find_link_format(path) if format == AUTO else format
    if link_format == "tsv":
        return read_link_table(path, progress=progress)
    of = of or _find_wiki(path, languages)
    where = (dumps or {}).get(of, ())
    if not where:
        message = f"{show_name(path)} without the dump of {of}wiki"
        raise CommandError(
            message, "the dump that has the titles of its pages", "documents in Wikipedia's format"
        )
    return _read_langlinks(path, where, of, languages, progress)


def _read_langlinks(
    path: str | os.PathLike[str],
    dumps: Sequence[str | os.PathLike[str]],
    of: str,
    languages: tuple[str, str],
    progress: Progress,
) -> Iterator[Link]:

    titles = {number: title for dump in dumps for number, title in read_titles(dump, progress=progress)}
    yield from read_langlinks(path, titles, of=of, languages=languages, progress=progress)


def _find_wiki(path: str | os.PathLike[str], languages: tuple[str, str]) -> str:
    """Find the language of a wiki in the file name of one of its tables."""
    named = _WIKI.match(Path(path).name)
    if named and named[1].lower() in languages:
        return named[1].lower()
    wikis = " or ".join(f"{language}wiki-" for language in languages)
    message = f"{show_name(path)}: its name does not say which wiki it is of"
    raise CommandError(message, f"a name that begins with {wikis}", f'[links] of = "{languages[0]}"')


def _check_format(format: str, formats: Sequence[str]) -> None:
    if format not in formats:
        message = f"unknown format {quote(format)}"
        raise CommandError(message, *suggest(format, formats))


def find_document_format(path: str | os.PathLike[str]) -> str:
    """Detect the format of documents: "tsv", "folder" or "wikipedia"."""
    if os.fspath(path) and Path(path).is_dir():
        return "folder"
    head = recode_head(read_head(path))
    return "wikipedia" if _DUMP.search(os.fspath(path)) or _IS_DUMP.match(head) else "tsv"


def find_pair_format(paths: Sequence[str | os.PathLike[str]]) -> str:
    """Detect the format of pairs: "tsv", "moses" (for any two files) or "tmx"."""
    if len(paths) == 2:
        return "moses"
    for path in paths:
        # Translation memories are often in UTF-16.
        if _TMX.search(os.fspath(path)) or _IS_TMX.search(recode_head(read_head(path))):
            return "tmx"
    return "tsv"


def find_link_format(path: str | os.PathLike[str]) -> str:
    """Detect the format of links: "tsv" or "langlinks"."""
    return "langlinks" if _SQL.search(os.fspath(path)) or _IS_SQL.search(read_head(path)) else "tsv"
