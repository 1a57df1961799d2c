"""What a shared-task run scores: treebanks, and for each of them a file of gold and one of every system."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evalign.errors import CommandError, InputError, Place
from evalign.evaluate import Input
from evalign.evaluate.folders import (
    Folder,
    list_files,
    list_gold,
    list_raw,
    match_files,
    name_folders,
    name_treebanks,
    show_names,
)  # fmt: skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.readers.raw import RawInput


@dataclass(frozen=True, slots=True)
class Treebank:
    """Gold of a treebank, and what each system made of its text: None where a system has nothing."""

    name: str
    gold: Input
    systems: tuple[Input | None, ...]
    raw: RawInput | None = None


@dataclass(frozen=True, slots=True)
class Collection:
    """Treebanks with a file for each of some systems."""

    systems: tuple[str, ...]
    treebanks: tuple[Treebank, ...]
    missing: tuple[str, ...]
    """Per system, what to say of it where it has nothing for a treebank."""
    warnings: tuple[str, ...] = ()


def match_folders(
    gold: Folder, *systems: Folder, raw: Folder | None = None, without: Sequence[Folder] = ()
) -> Collection:
    """Gold files and the files of every system that match them by name, with raw texts matched the same way.

    Folders `without` which it is to be done may lie inside those, as one that results are written to.
    """
    if not systems:
        message = "no system to score"
        raise CommandError(message, "a folder of gold files and at least one of a system's files")
    _check_folders(gold, systems, raw)
    # A folder may lie inside another, as a system's in that of gold; its files are its own alone.
    folders = (gold, *systems, *([raw] if raw is not None else []), *without)
    files, warnings = list_gold(gold, folders)
    listed = [list_files(system, folders) for system in systems]
    matches = [match_files(files, theirs, system) for theirs, system in zip(listed, systems, strict=True)]
    for system, theirs, matched in zip(systems, listed, matches, strict=True):
        warnings += _warn(system, "gold has nothing for", set(theirs) - set(matched.values()))
    raws: Mapping[str, str] = {}
    if raw is not None:
        raws = match_files(files, list_raw(raw, folders), raw)
        warnings += _warn(raw, "no raw text for gold's", set(files) - set(raws))
    names = name_treebanks({path: [found[path] for found in matches if path in found] for path in files})
    treebanks = tuple(
        Treebank(
            names[path],
            _join(gold, path) or "",
            tuple(_join(*pair) for pair in zip(systems, (found.get(path) for found in matches), strict=True)),
            _join(raw, raws.get(path)),
        )
        for path in files
    )
    missing = tuple(f"no file in {os.fspath(system)} has its name" for system in systems)
    return Collection(tuple(name_folders(systems)), treebanks, missing, tuple(warnings))


def _check_folders(gold: Folder, systems: Sequence[Folder], raw: Folder | None) -> None:
    """All are folders, and none of a system is that of gold."""
    folders = (gold, *systems, *([raw] if raw is not None else []))
    for folder in folders:
        if not os.path.isdir(folder):  # noqa: PTH112 - may hold a NUL
            there = os.path.exists(folder)  # noqa: PTH110
            found = "a file, where others are folders" if there else "no such folder"
            shown = [f"{os.fspath(other)} is a directory: " for other in folders if os.path.isdir(other)][:1]  # noqa: PTH112
            advice = f"{''.join(shown)}give files only, or folders only: those are scored file by file"
            raise InputError(Place(os.fspath(folder)), found, "a folder", advice)
    for system in systems:
        if os.path.samefile(gold, system):  # noqa: PTH121
            advice = "with all files in one folder, say which is which: evalign score --manifest FILE"
            raise InputError(
                Place(os.fspath(system)), "the folder of gold", "a folder of the system's own", advice
            )


def _warn(folder: Folder, what: str, paths: Iterable[str]) -> list[str]:
    left = sorted(paths)
    return [f"{os.fspath(folder)}: {what} {show_names(left)}"] if left else []


def _join(folder: Folder | None, path: str | None) -> str | None:
    """A path as messages show it: the folder as it was given, and what is inside."""
    return None if folder is None or path is None else os.path.join(folder, path)  # noqa: PTH118
