"""Folders of treebanks, as a shared task has them: a file of gold and one of every system for each treebank."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from evalign.errors import InputError, Place
from evalign.scoring import Folder, match_folders


@dataclass(frozen=True, slots=True)
class TreebankFiles:
    """The files of a treebank."""

    name: str
    gold: str
    systems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchedFolders:
    """Treebanks that every system has a file for."""

    systems: tuple[str, ...]
    """Names of the systems."""
    treebanks: tuple[TreebankFiles, ...]
    warnings: tuple[str, ...]
    """Files that match none, and treebanks that are left out as a system has no file for them."""


def is_folder(source: object) -> TypeGuard[Folder]:
    """Whether an input is the path of a folder."""
    # "" is no path, though it is the current folder to some.
    return isinstance(source, (str, os.PathLike)) and bool(os.fspath(source)) and Path(source).is_dir()


def match_treebanks(gold: Folder, systems: Sequence[Folder], names: Sequence[str] = ()) -> MatchedFolders:
    """Treebanks by the names of their files, as `score_collection` matches them; raises `InputError` if there is none."""
    found = match_folders(gold, *systems, names=names)
    treebanks, missing = [], []
    for treebank in found.treebanks:
        lacking = [
            said for said, file in zip(treebank.missing, treebank.systems, strict=True) if file is None
        ]
        missing += [f"{said}: {treebank.name} is left out" for said in lacking]
        if not lacking:
            files = tuple(str(file) for file in treebank.systems)
            treebanks.append(TreebankFiles(treebank.name, str(treebank.gold), files))
    if not treebanks:
        raise InputError(Place(os.fspath(gold)), missing[0], "files of the systems, named as gold's are")
    return MatchedFolders(found.systems, tuple(treebanks), (*found.warnings, *missing))
