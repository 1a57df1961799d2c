"""Files of folders, matched by name: which file of a system is its output for which file of gold.

A name is cut at its dots. Files match if they have the same path inside their folders; else the same path without what
packing adds (.gz); else the same name without its ending; else the same name up to its first dot. What has found its
partner by a closer match is out of the way of the looser ones. Two candidates are an error: nothing is guessed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count, takewhile
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from evalign.errors import InputError, Place

Folder: TypeAlias = "str | os.PathLike[str]"

_PACKED = re.compile(r"\.(?:gz|bz2|xz|zstd?)$", re.IGNORECASE)
# What comes with data and is none.
_ABOUT = re.compile(r"(?:readme|licen[cs]e|contributing|changelog)(?:[._-].*)?", re.IGNORECASE)
_RAW = ".txt"
_MOST_SHOWN = 6


def list_files(folder: Folder, without: Iterable[Folder] = ()) -> list[str]:
    """Paths inside a folder and its folders, in order; hidden files and READMEs are left out.

    So are some folders inside it: those of others, that are not to be taken for a part of this one.
    """
    top = Path(folder)
    found: list[str] = []
    seen = {top.resolve(), *(Path(other).resolve() for other in without)}
    try:
        for parent, folders, names in os.walk(top, onerror=_refuse, followlinks=True):
            inside = Path(parent).relative_to(top)
            entered = {
                name: (Path(parent) / name).resolve() for name in sorted(folders) if not name.startswith(".")
            }
            # A link may lead back to a folder that it is in.
            folders[:] = [name for name, path in entered.items() if path not in seen]
            seen |= set(entered.values())
            found += [(inside / name).as_posix() for name in names if _is_data(name)]
    except OSError as error:
        where = Place(os.fspath(error.filename or folder))
        raise InputError(where, f"cannot be read ({error.strerror})", "a readable folder") from None
    return sorted(found)


def _refuse(error: OSError) -> None:
    raise error


def _is_data(name: str) -> bool:
    return not name.startswith(".") and not _ABOUT.fullmatch(name)


def list_gold(folder: Folder, without: Iterable[Folder] = ()) -> tuple[list[str], list[str]]:
    """The gold files of a folder, and warnings: raw text that lies beside a file of the same name is no gold."""
    files = list_files(folder, without)
    texts = [path for path in files if PurePosixPath(unpack(path)).suffix.lower() == _RAW]
    others = {_first_piece(path) for path in files if path not in texts}
    beside = [path for path in texts if _first_piece(path) in others]
    warnings = [
        f"{path}: left out, as gold has another file of this name (raw text is given with --raw)"
        for path in beside
    ]
    gold = [path for path in files if path not in beside]
    if not gold:
        raise InputError(
            Place(os.fspath(folder)), "a folder without a file", "gold files, one for each treebank"
        )
    return gold, warnings


def list_raw(folder: Folder, without: Iterable[Folder] = ()) -> list[str]:
    """The raw texts of a folder: its *.txt, if it has any."""
    files = list_files(folder, without)
    return [path for path in files if PurePosixPath(unpack(path)).suffix.lower() == _RAW] or files


def unpack(path: str) -> str:
    """A path without what packing adds.

    >>> unpack("ud/en.conllu.gz"), unpack("ud/en.conllu")
    ('ud/en.conllu', 'ud/en.conllu')
    """
    return _PACKED.sub("", path)


def cut_ending(path: str) -> str:
    """A path without its ending; that of packing does not count.

    >>> cut_ending("ud/en_ewt-ud-test.conllu.gz"), cut_ending("ud/v2.1/en")
    ('ud/en_ewt-ud-test', 'ud/v2.1/en')
    """
    folder, slash, name = unpack(path).rpartition("/")
    return f"{folder}{slash}{name.rpartition('.')[0] or name}"


def _first_piece(path: str) -> str:
    folder, slash, name = unpack(path).rpartition("/")
    return f"{folder}{slash}{name.partition('.')[0] or name}"


_KEYS: tuple[Callable[[str], str], ...] = (str, unpack, cut_ending, _first_piece)


def match_files(gold: Sequence[str], files: Sequence[str], folder: Folder) -> dict[str, str]:
    """Of each gold file the one that matches it, where there is one; raises `InputError` where there are two."""
    matched: dict[str, str] = {}
    for key in _KEYS:
        taken = set(matched.values())
        ours = _group((path for path in gold if path not in matched), key)
        theirs = _group((path for path in files if path not in taken), key)
        for name, found in ours.items():
            candidates = theirs.get(name, [])
            if candidates and (len(found) > 1 or len(candidates) > 1):
                raise _ambiguity(found, candidates, folder)
            matched |= dict(zip(found, candidates, strict=False))
    return {path: matched[path] for path in gold if path in matched}


def find_near(gold: Sequence[str], files: Sequence[str]) -> dict[str, str]:
    """Of gold files without a match the file that may be meant: the same but for case, `-` and `_`, ending or folder.

    No file is named twice.

    >>> find_near(["Korean-GSD.conllu", "fr.conllu"], ["out/korean_gsd.pred.conllu", "KOREAN GSD.txt"])
    {'Korean-GSD.conllu': 'KOREAN GSD.txt'}
    """
    near: dict[str, str] = {}
    for key in _NEAR_KEYS:
        ours = _group((path for path in gold if path not in near), key)
        theirs = _group((path for path in files if path not in near.values()), key)
        for name, paths in ours.items():
            near |= dict(zip(paths, theirs.get(name, []), strict=False))
    return near


def _letters(path: str) -> str:
    """Letters and digits alone, in lower case; of a path that has none, all of it."""
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


def _ambiguity(gold: Sequence[str], candidates: Sequence[str], folder: Folder) -> InputError:
    found = f"{show_names(candidates)} for gold's {show_names(gold)}"
    advice = "leave one in the folder, or say which is which: evalign score --manifest FILE"
    return InputError(Place(os.fspath(folder)), found, "one file for each of gold's", advice)


def show_names(names: Sequence[str], conjunction: str = "and") -> str:
    """Names in a message; of many only the first.

    >>> show_names(["a", "b", "c"])
    'a, b and c'
    """
    if len(names) > _MOST_SHOWN:
        return f"{', '.join(names[:_MOST_SHOWN])} {conjunction} {len(names) - _MOST_SHOWN} more"
    return f" {conjunction} ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def name_treebanks(matches: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Of each gold file, with the files that match it, the name of its treebank: what their names have in common.

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
    """The names of some folders: those they were `given`, else their own.

    Where two would be the same, with the folders they are in, else with a number.

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
    """The names of some folders, with as many of the folders they are in as tell them apart."""
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
