"""Collections: the treebanks of a shared-task run, each with a gold file and a file of every system.

Files of folders are matched by name (`match_folders`). Two files match if they have the same path inside
their folders; else the same path without the ending of compression (.gz); else the same path without the last
ending; else the same path up to the first dot of the name. A file that was matched by a closer rule is not
considered by looser ones. Two candidates are an error: nothing is guessed.

A manifest (`read_manifest`) names the files instead. It is a table, with tabs or commas between its columns
and paths relative to the manifest's folder:

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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, takewhile
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from evalign.errors import CommandError, InputError, Message, Place, check_type, option, quote
from evalign.files import check_names, list_files, shorten_paths, strip_compression
from evalign.readers.content import load
from evalign.readers.folder_limit import Folder, FolderLimit
from evalign.readers.remote import check_url, is_url
from evalign.results.codec import parse_json
from evalign.scoring.reading import Input
from evalign.text import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.readers.raw_files import RawInput


# Files of folders, matched by name.


_RAW = ".txt"
_MOST_SHOWN = 6


def list_gold(folder: Folder, without: Iterable[Folder] = ()) -> tuple[list[str], list[str]]:
    """List the gold files of a folder, leaving out folders `without`; return paths inside it, and warnings.

    A .txt file beside another file of the same name is raw text, not gold: it is left out with a warning.
    """
    files = list_files(folder, without)
    texts = [path for path in files if PurePosixPath(strip_compression(path)).suffix.lower() == _RAW]
    others = {_first_piece(path) for path in files if path not in texts}
    beside = [path for path in texts if _first_piece(path) in others]
    warnings = [
        f"{path}: left out, as gold has another file of this name (raw text is given with {option('raw')})"
        for path in beside
    ]
    gold = [path for path in files if path not in beside]
    if not gold:
        raise InputError(
            Place(os.fspath(folder)), "a folder without a file", "gold files, one for each treebank"
        )
    return gold, warnings


def list_raw(folder: Folder, without: Iterable[Folder] = ()) -> list[str]:
    """List the raw texts of a folder: its .txt files, or all files if it has none."""
    files = list_files(folder, without)
    return [path for path in files if PurePosixPath(strip_compression(path)).suffix.lower() == _RAW] or files


def cut_ending(path: str) -> str:
    """Return a path without its ending; an ending of compression is removed as well.

    >>> cut_ending("ud/en_ewt-ud-test.conllu.gz"), cut_ending("ud/v2.1/en")
    ('ud/en_ewt-ud-test', 'ud/v2.1/en')
    """
    folder, slash, name = strip_compression(path).rpartition("/")
    return f"{folder}{slash}{name.rpartition('.')[0] or name}"


def _first_piece(path: str) -> str:
    folder, slash, name = strip_compression(path).rpartition("/")
    return f"{folder}{slash}{name.partition('.')[0] or name}"


_KEYS: tuple[Callable[[str], str], ...] = (str, strip_compression, cut_ending, _first_piece)


def match_files(gold: Sequence[str], files: Sequence[str], folder: Folder) -> dict[str, str]:
    """Match each gold file with one of `files` by name; return those that have a match, in the order of gold.

    Raises `InputError` if two files match; `folder` is that of `files`, for the message.
    """
    matched = _match(gold, files, _KEYS, folder)
    return {path: matched[path] for path in gold if path in matched}


def find_near(gold: Sequence[str], files: Sequence[str]) -> dict[str, str]:
    """Suggest files for gold files without a match: same but for case, punctuation, ending or folder.

    Returns a mapping from gold file to suggested file; no file is suggested twice.

    >>> find_near(["Korean-GSD.conllu", "fr.conllu"], ["out/korean_gsd.pred.conllu", "KOREAN GSD.txt"])
    {'Korean-GSD.conllu': 'KOREAN GSD.txt'}
    """
    return _match(gold, files, _NEAR_KEYS)


def _match(
    gold: Sequence[str],
    files: Sequence[str],
    keys: Sequence[Callable[[str], str]],
    folder: Folder | None = None,
) -> dict[str, str]:
    """Match files that have the same key, by the first of `keys` by which they do.

    With `folder`, that of `files`, raise `InputError` if several have the same key.
    """
    matched: dict[str, str] = {}
    for key in keys:
        partners = set(matched.values())
        ours = _group((path for path in gold if path not in matched), key)
        theirs = _group((path for path in files if path not in partners), key)
        for name, paths in ours.items():
            candidates = theirs.get(name, [])
            if folder is not None and candidates and (len(paths) > 1 or len(candidates) > 1):
                problem = f"{show_names(candidates)} for gold's {show_names(paths)}"
                advice = Message(
                    "leave one in the folder, or say which is which: "
                    "{evalign.read_manifest(FILE)|evalign score <manifest> FILE}"
                )
                raise InputError(Place(os.fspath(folder)), problem, "one file for each of gold's", advice)
            matched |= dict(zip(paths, candidates, strict=False))
    return matched


def _letters(path: str) -> str:
    """Return the letters, digits and slashes of a path in lower case; the path itself if it has none."""
    return re.sub(r"[^\w/]|_", "", path).casefold() or path


_NEAR_KEYS: tuple[Callable[[str], str], ...] = (
    lambda path: _letters(cut_ending(path)),
    lambda path: _letters(cut_ending(path.rpartition("/")[2])),
    lambda path: _letters(_first_piece(path.rpartition("/")[2])),
)


def _group(paths: Iterable[str], key: Callable[[str], str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for path in paths:
        groups.setdefault(key(path), []).append(path)
    return groups


def show_names(names: Sequence[str], conjunction: str = "and") -> str:
    """List names for a message; if there are more than six, the first six and how many more there are.

    >>> show_names(["a", "b", "c"])
    'a, b and c'
    """
    if len(names) > _MOST_SHOWN:
        return f"{', '.join(names[:_MOST_SHOWN])} {conjunction} {len(names) - _MOST_SHOWN} more"
    return f" {conjunction} ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def name_treebanks(matches: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Name the treebank of each gold file by what the names of its matched files have in common, up to a dot.

    Where two treebanks would get the same name, they are named by their gold files.

    >>> name_treebanks({"en.gold.conllu": ["en.conllu", "en.txt"], "fr.v2.conllu": ["fr.v2.conllu.gz"]})
    {'en.gold.conllu': 'en', 'fr.v2.conllu': 'fr.v2'}
    """
    names = {gold: _common_name([gold, *files]) for gold, files in matches.items()}
    shared = [name for name in names.values() if list(names.values()).count(name) > 1]
    return {gold: gold if name in shared else name for gold, name in names.items()}


def _common_name(paths: Sequence[str]) -> str:
    folder, slash, _name = paths[0].rpartition("/")
    pieces = [cut_ending(path).rpartition("/")[2].split(".") for path in paths]
    if len(pieces) == 1 and len(pieces[0]) > 1 and pieces[0][-1].lower() == "gold":
        pieces[0].pop()
    common = takewhile(lambda same: len(set(same)) == 1, zip(*pieces, strict=False))
    return f"{folder}{slash}{'.'.join(same[0] for same in common)}"


def name_folders(folders: Sequence[Folder], given: Sequence[str] = ()) -> list[str]:
    """Name folders: by the name in `given`, or by their own name if that is empty.

    Equal names are told apart by the folders they are in, else by a number.

    >>> name_folders(["runs/alpha", "runs/beta/"]), name_folders(["a/out", "b/out", "b/out"])
    (['alpha', 'beta'], ['a/out', 'b/out', 'b/out (2)'])
    >>> name_folders(["runs/alpha", "runs/beta"], ["", "alpha"])
    ['alpha (2)', 'alpha']
    """
    chosen = given or [""] * len(folders)
    own = _name_by_path([folder for folder, name in zip(folders, chosen, strict=True) if not name])
    used = set(chosen)
    for k, name in enumerate(own):
        free = (f"{name} ({number})" if number > 1 else name for number in count(1))
        own[k] = next(each for each in free if each not in used)
        used.add(own[k])
    names = iter(own)
    return [name or next(names) for name in chosen]


def _name_by_path(folders: Sequence[Folder]) -> list[str]:
    """Name folders by their paths, with as many parent folders as are needed to tell them apart."""
    paths = [Path(os.path.abspath(folder)) for folder in folders]  # noqa: PTH100 - a link has a name of its own
    names = [path.name or str(path) for path in paths]
    depth = 1
    while len(set(names)) < len(set(paths)):
        depth += 1
        shared = {name for name in names if names.count(name) > 1}
        names = [
            "/".join(path.parts[-depth:]) if path.name in {n.rpartition("/")[2] for n in shared} else name
            for path, name in zip(paths, names, strict=True)
        ]
    return names


# Treebanks with the files of all systems.


@dataclass(frozen=True, slots=True)
class Treebank:
    """One treebank: gold, and the output of each system for its text."""

    name: str
    gold: Input
    systems: tuple[Input | None, ...]
    """Per system, its output; None if it has none for this treebank."""
    raw: RawInput | None = None
    missing: tuple[str, ...] = ()
    """Per system, the message if it has no output here; empty to use the collection's messages."""


@dataclass(frozen=True, slots=True)
class Collection:
    """The treebanks of a run, and the systems that are scored on each."""

    systems: tuple[str, ...]
    """Names of the systems."""
    treebanks: tuple[Treebank, ...]
    missing: tuple[str, ...]
    """Per system, the message where it has no output for a treebank."""
    warnings: tuple[str, ...] = ()


def match_folders(
    gold: Folder,
    *systems: Folder,
    raw: Folder | None = None,
    without: Sequence[Folder] = (),
    names: Sequence[str] = (),
) -> Collection:
    """Match the gold files of a folder with the files of every system, and with raw texts, by name.

    `without` are folders to leave out that may lie inside the others, such as one that results are written
    to. `names` are names for the systems, instead of those of their folders.
    """
    if not systems:
        message = "no system to score"
        raise CommandError(message, "a folder of gold files and at least one of a system's files")
    _check_folders(gold, systems, raw)
    # A folder may lie inside another, such as a system's inside gold's: its files are not the outer one's.
    folders = (gold, *systems, *([raw] if raw is not None else []), *without)
    files, warnings = list_gold(gold, folders)
    listed = [list_files(system, folders) for system in systems]
    matches = [match_files(files, theirs, system) for theirs, system in zip(listed, systems, strict=True)]
    called = name_folders(systems, check_names(names, len(systems)))
    near: list[dict[str, str]] = []
    for name, theirs, matched in zip(called, listed, matches, strict=True):
        left = sorted(set(theirs) - set(matched.values()))
        near.append(find_near([path for path in files if path not in matched], left))
        warnings += _warn_of_left(name, left, near[-1])
    raws: Mapping[str, str] = {}
    if raw is not None:
        raws = match_files(files, list_raw(raw, folders), raw)
        [name] = shorten_paths([os.path.abspath(raw)], called)  # noqa: PTH100
        without_text = [path for path in files if path not in raws]
        warnings += [f"{name}: no raw text for {show_names(without_text)}"] if without_text else []
    treebank_names = name_treebanks(
        {path: [partners[path] for partners in matches if path in partners] for path in files}
    )
    treebanks = tuple(
        Treebank(
            treebank_names[path],
            _join(gold, path) or "",
            tuple(
                _join(*pair)
                for pair in zip(systems, (partners.get(path) for partners in matches), strict=True)
            ),
            _join(raw, raws.get(path)),
            tuple(
                f"{name} has no file named {path}{_suggest(similar.get(path))}"
                for name, similar in zip(called, near, strict=True)
            ),
        )
        for path in files
    )
    return Collection(
        tuple(called), treebanks, tuple(f"{name} has no file" for name in called), tuple(warnings)
    )


def _check_folders(gold: Folder, systems: Sequence[Folder], raw: Folder | None) -> None:
    """Raise `InputError` unless all are folders and no system folder is the gold folder."""
    folders = (gold, *systems, *([raw] if raw is not None else []))
    for folder in folders:
        check_type(
            folder, (str, os.PathLike), "a folder to score", "the path of a folder with a file per treebank"
        )
        if not os.path.isdir(folder):  # noqa: PTH112 - may hold a NUL
            there = os.path.exists(folder)  # noqa: PTH110
            problem = "a file, where others are folders" if there else "no such folder"
            shown = [f"{os.fspath(other)} is a directory: " for other in folders if os.path.isdir(other)][:1]  # noqa: PTH112
            advice = f"{''.join(shown)}give files only, or folders only: those are scored file by file"
            raise InputError(Place(os.fspath(folder)), problem, "a folder", advice)
    for system in systems:
        if os.path.samefile(gold, system):  # noqa: PTH121
            advice = Message(
                "with all files in one folder, say which is which: "
                "{evalign.read_manifest(FILE)|evalign score <manifest> FILE}"
            )
            raise InputError(
                Place(os.fspath(system)), "the folder of gold", "a folder of the system's own", advice
            )


def _warn_of_left(system: str, left: Sequence[str], near: Mapping[str, str]) -> list[str]:
    """Warn of files without a gold file.

    A file with a suggestion in `near` has a warning of its own, all others share one.
    """
    meant = {path: gold for gold, path in near.items()}
    others = [path for path in left if path not in meant]
    warnings = [f"{system}: no gold file named {path}{_suggest(gold)}" for path, gold in meant.items()]
    return [*warnings, f"{system}: no gold file named {show_names(others, 'or')}"] if others else warnings


def _suggest(path: str | None) -> str:
    return f"; did you mean {path}?" if path else ""


def _join(folder: Folder | None, path: str | None) -> str | None:
    """Join a folder, as it was given, and a path inside it; None if either is None."""
    return None if folder is None or path is None else os.path.join(folder, path)  # noqa: PTH118


# Manifests.

# Columns that are not systems.
_NAME_COLUMN, _GOLD_COLUMN, _RAW_COLUMN = "treebank", "gold", "raw"
_NOTHING = ("", "-")
_HEADER = "a header: treebank, gold, raw if there is any, then a column for each system"
_EXAMPLE = "for example: treebank<TAB>gold<TAB>alpha<TAB>beta"


class _ManifestRow(NamedTuple):
    """A treebank as listed in the manifest: its place in the file, its name, and paths as written."""

    place: Place
    name: str
    gold: str
    raw: str
    systems: Mapping[str, str]


def read_manifest(source: Source, *, stay_below: Folder | None = None) -> Collection:
    """Read a manifest of treebanks, systems and files: a table with a header, or JSON.

    Paths are relative to the folder of the manifest, which may be at a URL; URLs stay as they are. A system
    without a file has an empty cell, or `-`. With `stay_below`, a folder, paths that lead out of it (by a
    link, too) and all URLs are refused, for a manifest that somebody else has written.
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
    """Return the path or URL in a cell, None if empty; raise `InputError` for one outside of `limit`."""
    if cell in _NOTHING:
        return None
    path = join_path(source, cell)
    if limit is not None:
        limit.check(place, path)
    if is_url(path):
        check_url(path, place)
    return path


def join_path(source: Source, path: str) -> str:
    """Resolve a path against the folder of `source`, a file or URL; a URL or an absolute path stays as it is.

    >>> join_path("runs/all.tsv", "gold/en.conllu"), join_path("s3://bucket/runs/all.tsv", "../gold/en.conllu")
    ('runs/gold/en.conllu', 's3://bucket/gold/en.conllu')
    """
    if not isinstance(source, (str, os.PathLike)) or is_url(path):
        return path
    if not is_url(source) or os.path.isabs(path):  # noqa: PTH117
        return os.path.join(os.path.dirname(os.fspath(source)), path)  # noqa: PTH118, PTH120
    # In a chain, such as zip://runs/all.tsv::s3://bucket/all.zip, the first link with a path is the file.
    links = os.fspath(source).split("::")
    number = next(k for k, link in enumerate(links) if "://" in link)
    links[number] = _join_url(links[number], path)
    return "::".join(links)


def _join_url(url: str, path: str) -> str:
    scheme, _, rest = url.partition("://")
    host, slash, inside = re.split("[?#]", rest)[0].partition("/")
    if not slash:  # memory://all.tsv: there is no host
        host, inside = "", host
    # Resolve "..", which object stores and some servers do not know.
    joined = posixpath.normpath(posixpath.join("/", posixpath.dirname(inside), path)).lstrip("/")
    return f"{scheme}://{host}/{joined}" if slash else f"{scheme}://{joined}"


def _check_names(rows: Sequence[_ManifestRow]) -> None:
    first: dict[str, Place] = {}
    for row in rows:
        if row.name in first:
            where = first[row.name].lineno
            problem = f"treebank {quote(row.name)} twice" + (f", first in line {where}" if where else "")
            raise InputError(row.place, problem, "each treebank once")
        first[row.name] = row.place


def _read_table(place: Place, text: str) -> Iterator[_ManifestRow]:
    """Read the rows of a table; empty lines and lines that begin with # are skipped."""
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
            problem = f"{len(cells)} cell{'s' if len(cells) != 1 else ''}"
            written = "a tab" if separator == "\t" else "a comma"
            expected = f"{len(header)}, as the header has, with {written} between two"
            raise InputError(where, problem, expected, "a system without a file: -")
        row = dict(zip(header, cells, strict=True))
        for column in (_NAME_COLUMN, _GOLD_COLUMN):
            if row[column] in _NOTHING:
                raise InputError(where, f"the column {column} is empty", f"the {_MEANT[column]}")
        systems = {
            name: cell for name, cell in row.items() if name not in (_NAME_COLUMN, _GOLD_COLUMN, _RAW_COLUMN)
        }
        yield _ManifestRow(where, row[_NAME_COLUMN], row[_GOLD_COLUMN], row.get(_RAW_COLUMN, ""), systems)


_MEANT = {_NAME_COLUMN: "name of a treebank", _GOLD_COLUMN: "path of its gold file"}


def _cells(place: Place, line: str, separator: str) -> list[str]:
    """Split a line into cells: at tabs, or if `separator` is a comma as CSV, where cells may be quoted."""
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
    lacking = [column for column in (_NAME_COLUMN, _GOLD_COLUMN) if column not in header]
    if lacking:
        problem = f"no column {' and no column '.join(lacking)} in {quote(', '.join(header))}"
        raise InputError(place, problem, _HEADER, _EXAMPLE)
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise InputError(
            place, f"column {show_names([quote(name) for name in twice])} twice", "each column once"
        )
    if "" in header:
        raise InputError(place, "a column without a name", "the name of a system", _EXAMPLE)


def _read_json(place: Place, text: str) -> Iterator[_ManifestRow]:
    try:
        content = parse_json(text)
    except RecursionError:
        raise InputError(place, "not JSON (nested too deeply)", "a manifest in JSON, or a table") from None
    except ValueError as error:
        lineno = getattr(error, "lineno", 0)
        message = f"not JSON ({getattr(error, 'msg', error)})"
        raise InputError(Place(place.path, lineno), message, "a manifest in JSON, or a table") from None
    listed = content.get("treebanks") if isinstance(content, dict) else None
    if not isinstance(listed, list):
        expected = '{"treebanks": [{"name": ..., "gold": ..., "systems": {NAME: PATH, ...}}, ...]}'
        raise InputError(place, 'no list "treebanks"', expected)
    for number, entry in enumerate(listed, 1):
        yield _read_entry(place, number, entry)


def _read_entry(place: Place, number: int, entry: object) -> _ManifestRow:
    """Check and read treebank `number`, from 1, of a manifest in JSON."""
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
    return _ManifestRow(place, name, gold, raw or "", {key: path or "" for key, path in systems.items()})
