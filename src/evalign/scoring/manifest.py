"""A manifest: a file that says which files a shared-task run scores.

As a table, tabs or commas between its columns, paths as seen from the manifest's folder:

    treebank    gold               raw         alpha              beta
    en          gold/en.conllu     text/en.txt alpha/en.conllu    beta/en.conllu
    fr          gold/fr.conllu     text/fr.txt alpha/fr.conllu    -

or as JSON, `{"treebanks": [{"name": "en", "gold": "...", "raw": "...", "systems": {"alpha": "..."}}]}`.
"""

from __future__ import annotations

import csv
import io
import os
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from evalign.errors import InputError, Place, quote
from evalign.files import shorten_paths
from evalign.readers import Folder, FolderLimit, Source, check_url, is_url, load
from evalign.results import parse_json
from evalign.scoring.collection import Collection, Treebank
from evalign.scoring.folders import show_names

# Columns that are no systems.
_NAME, _GOLD, _RAW = "treebank", "gold", "raw"
_NOTHING = ("", "-")
_HEADER = "a header: treebank, gold, raw if there is any, then a column for each system"
_EXAMPLE = "for example: treebank<TAB>gold<TAB>alpha<TAB>beta"


class _Row(NamedTuple):
    """A treebank as it is written, and where."""

    place: Place
    name: str
    gold: str
    raw: str
    systems: Mapping[str, str]


def read_manifest(source: Source, *, stay_below: Folder | None = None) -> Collection:
    """The treebanks, systems and files that a manifest names: a table with a header, or JSON.

    Paths are as seen from the folder of the manifest, which may be at a URL; URLs stay as they are. A system without a
    file has an empty cell, or `-`. With `stay_below`, a folder, whatever leads out of it is refused: a path, also by way
    of a link, and any URL. For a manifest that somebody else has written.
    """
    limit = None if stay_below is None else FolderLimit(stay_below)
    content = load(source)
    place = Place(content.name)
    text = content.data.decode("utf-8")
    rows = list(_read_json(place, text) if text.lstrip()[:1] in ("{", "[") else _read_table(place, text))
    if not rows:
        raise InputError(place, "no treebank", "a line for each treebank below the header")
    _check_names(rows)
    systems = tuple(dict.fromkeys(name for row in rows for name in row.systems))
    if not systems:
        raise InputError(place, "no system", "a column for each system", _EXAMPLE)
    [manifest] = shorten_paths([content.name])
    treebanks = tuple(
        Treebank(
            row.name,
            _path(source, row.place, row.gold, limit) or "",
            tuple(_path(source, row.place, row.systems.get(name, ""), limit) for name in systems),
            _path(source, row.place, row.raw, limit),
            tuple(f"{system} has no file for {row.name} in {manifest}" for system in systems),
        )
        for row in rows
    )
    return Collection(systems, treebanks, tuple(f"{system} has no file in {manifest}" for system in systems))


def _path(source: Source, place: Place, cell: str, limit: FolderLimit | None) -> str | None:
    """What a cell names, as messages show it; raises `InputError` for what a manifest may not name."""
    if cell in _NOTHING:
        return None
    path = join_path(source, cell)
    if limit is not None:
        limit.check(place, path)
    if is_url(path):
        check_url(path, place)
    return path


def join_path(source: Source, path: str) -> str:
    """A path as seen from the folder of a file, which may be at a URL; a URL and what begins with / stay as they are.

    >>> join_path("runs/all.tsv", "gold/en.conllu"), join_path("s3://bucket/runs/all.tsv", "../gold/en.conllu")
    ('runs/gold/en.conllu', 's3://bucket/gold/en.conllu')
    """
    if not isinstance(source, (str, os.PathLike)) or is_url(path):
        return path
    if not is_url(source) or os.path.isabs(path):  # noqa: PTH117
        return os.path.join(os.path.dirname(os.fspath(source)), path)  # noqa: PTH118, PTH120
    # In a chain, such as zip://runs/all.tsv::s3://bucket/all.zip, the first that has a path is the file.
    links = os.fspath(source).split("::")
    number = next(k for k, link in enumerate(links) if "://" in link)
    links[number] = _join_url(links[number], path)
    return "::".join(links)


def _join_url(url: str, path: str) -> str:
    scheme, _, rest = url.partition("://")
    host, slash, inside = re.split("[?#]", rest)[0].partition("/")
    if not slash:  # memory://all.tsv: there is no host
        host, inside = "", host
    # Stores know no "..", and not every server does.
    found = posixpath.normpath(posixpath.join("/", posixpath.dirname(inside), path)).lstrip("/")
    return f"{scheme}://{host}/{found}" if slash else f"{scheme}://{found}"


def _check_names(rows: Sequence[_Row]) -> None:
    first: dict[str, Place] = {}
    for row in rows:
        if row.name in first:
            where = first[row.name].lineno
            found = f"treebank {quote(row.name)} twice" + (f", first in line {where}" if where else "")
            raise InputError(row.place, found, "each treebank once")
        first[row.name] = row.place


def _read_table(place: Place, text: str) -> Iterator[_Row]:
    """Rows of a table; lines that are empty or begin with # are left out."""
    lines = [line for line in enumerate(text.split("\n"), 1) if line[1].strip() and line[1][0] != "#"]
    if not lines:
        raise InputError(place, "nothing", _HEADER, _EXAMPLE)
    separator = "\t" if "\t" in lines[0][1] else ","
    first = Place(place.path, lines[0][0])
    header = _cells(first, lines[0][1], separator)
    _check_header(first, header)
    for lineno, line in lines[1:]:
        where = Place(place.path, lineno)
        cells = _cells(where, line, separator)
        if len(cells) != len(header):
            found = f"{len(cells)} cell{'s' if len(cells) != 1 else ''}"
            written = "a tab" if separator == "\t" else "a comma"
            expected = f"{len(header)}, as the header has, with {written} between two"
            raise InputError(where, found, expected, "a system without a file: -")
        row = dict(zip(header, cells, strict=True))
        for column in (_NAME, _GOLD):
            if row[column] in _NOTHING:
                raise InputError(where, f"the column {column} is empty", f"the {_MEANT[column]}")
        systems = {name: cell for name, cell in row.items() if name not in (_NAME, _GOLD, _RAW)}
        yield _Row(where, row[_NAME], row[_GOLD], row.get(_RAW, ""), systems)


_MEANT = {_NAME: "name of a treebank", _GOLD: "path of its gold file"}


def _cells(place: Place, line: str, separator: str) -> list[str]:
    """The cells of a line; only commas need quotes."""
    if "\r" in line.removesuffix("\r"):
        raise InputError(
            place,
            "a carriage return within the line",
            "one line end for all lines",
            "write it with LF line ends",
        )
    if separator == "\t":
        cells = line.split("\t")
    else:
        try:
            cells = next(csv.reader(io.StringIO(line)))
        except csv.Error as error:
            raise InputError(place, f"not CSV ({error})", "cells with a comma between two") from None
    return [cell.strip() for cell in cells]


def _check_header(place: Place, header: Sequence[str]) -> None:
    lacking = [column for column in (_NAME, _GOLD) if column not in header]
    if lacking:
        found = f"no column {' and no column '.join(lacking)} in {quote(', '.join(header))}"
        raise InputError(place, found, _HEADER, _EXAMPLE)
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise InputError(
            place, f"column {show_names([quote(name) for name in twice])} twice", "each column once"
        )
    if "" in header:
        raise InputError(place, "a column without a name", "the name of a system", _EXAMPLE)


def _read_json(place: Place, text: str) -> Iterator[_Row]:
    try:
        found = parse_json(text)
    except RecursionError:
        raise InputError(place, "not JSON (nested too deeply)", "a manifest in JSON, or a table") from None
    except ValueError as error:
        lineno = getattr(error, "lineno", 0)
        message = f"not JSON ({getattr(error, 'msg', error)})"
        raise InputError(Place(place.path, lineno), message, "a manifest in JSON, or a table") from None
    listed = found.get("treebanks") if isinstance(found, dict) else None
    if not isinstance(listed, list):
        expected = '{"treebanks": [{"name": ..., "gold": ..., "systems": {NAME: PATH, ...}}, ...]}'
        raise InputError(place, 'no list "treebanks"', expected)
    for number, entry in enumerate(listed, 1):
        yield _read_entry(place, number, entry)


def _read_entry(place: Place, number: int, entry: object) -> _Row:
    """One treebank of a manifest in JSON."""
    fields = entry if isinstance(entry, dict) else {}
    name, gold, raw, systems = (fields.get(key) for key in ("name", "gold", "raw", "systems"))
    at = f"treebank {number}" + (f" ({quote(name)})" if isinstance(name, str) else "")
    unknown = sorted(set(map(str, fields)) - {"name", "gold", "raw", "systems"})
    if unknown:
        raise InputError(place, f"{at}: {show_names(unknown)}", "name, gold, raw and systems alone")
    if not isinstance(name, str) or not name or not isinstance(gold, str) or not gold:
        raise InputError(place, f'{at}: no "{"gold" if name else "name"}"', '"name" and "gold", as text')
    if not isinstance(raw, str | None):
        raise InputError(place, f'{at}: "raw" is not a path', '"raw" as text, or none')
    if not isinstance(systems, dict) or not all(isinstance(path, str | None) for path in systems.values()):
        expected = '"systems" as {NAME: PATH, ...}, null where a system has no file'
        raise InputError(place, f'{at}: no "systems"', expected)
    return _Row(place, name, gold, raw or "", {key: path or "" for key, path in systems.items()})
