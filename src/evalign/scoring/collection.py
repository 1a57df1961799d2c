"""What a shared-task run scores: treebanks, and for each of them a file of gold and one of every system."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evalign.errors import CommandError, InputError, Place
from evalign.files import check_names, shorten_paths
from evalign.scoring.api import Input
from evalign.scoring.folders import (
    Folder,
    find_near,
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
    from evalign.readers import RawInput


@dataclass(frozen=True, slots=True)
class Treebank:
    """Gold of a treebank, and what each system made of its text: None where a system has nothing."""

    name: str
    gold: Input
    systems: tuple[Input | None, ...]
    raw: RawInput | None = None
    missing: tuple[str, ...] = ()
    """Per system, what to say of it if it has nothing here; nothing: as the collection says."""


@dataclass(frozen=True, slots=True)
class Collection:
    """Treebanks with a file for each of some systems."""

    systems: tuple[str, ...]
    treebanks: tuple[Treebank, ...]
    missing: tuple[str, ...]
    """Per system, what to say of it where it has nothing for a treebank."""
    warnings: tuple[str, ...] = ()


def match_folders(
    gold: Folder,
    *systems: Folder,
    raw: Folder | None = None,
    without: Sequence[Folder] = (),
    names: Sequence[str] = (),
) -> Collection:
    """Gold files and the files of every system that match them by name, with raw texts matched the same way.

    Folders `without` which it is to be done may lie inside those, as one that results are written to. `names` are what
    the systems are called, if not as their folders.
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
        {path: [found[path] for found in matches if path in found] for path in files}
    )
    treebanks = tuple(
        Treebank(
            treebank_names[path],
            _join(gold, path) or "",
            tuple(_join(*pair) for pair in zip(systems, (found.get(path) for found in matches), strict=True)),
            _join(raw, raws.get(path)),
            tuple(
                f"{name} has no file named {path}{_suggest(found.get(path))}"
                for name, found in zip(called, near, strict=True)
            ),
        )
        for path in files
    )
    return Collection(
        tuple(called), treebanks, tuple(f"{name} has no file" for name in called), tuple(warnings)
    )


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


def _warn_of_left(system: str, left: Sequence[str], near: Mapping[str, str]) -> list[str]:
    """A warning for each file that is near to one of gold's, and one for all other files that match none."""
    meant = {path: gold for gold, path in near.items()}
    others = [path for path in left if path not in meant]
    warnings = [f"{system}: no gold file named {path}{_suggest(gold)}" for path, gold in meant.items()]
    return [*warnings, f"{system}: no gold file named {show_names(others, 'or')}"] if others else warnings


def _suggest(path: str | None) -> str:
    return f"; did you mean {path}?" if path else ""


def _join(folder: Folder | None, path: str | None) -> str | None:
    """A path as messages show it: the folder as it was given, and what is inside."""
    return None if folder is None or path is None else os.path.join(folder, path)  # noqa: PTH118
