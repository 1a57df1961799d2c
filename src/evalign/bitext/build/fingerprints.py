"""What the inputs of a build hold, so that it is known whether they have changed since a stage was made of them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from evalign.bitext.build.config import Config
from evalign.bitext.build.files import read_json, record_file, write_synced
from evalign.errors import InputError, Place
from evalign.scoring import list_files, unpack
from evalign.progress import Progress, counted
from evalign.readers import read_bytes

INPUTS_FILE = "inputs.json"
# Files from this size on are not read again where their time of change is the same: a dump takes minutes.
LARGE_INPUT = 1 << 28


class Fingerprint(NamedTuple):
    """An input, by the path that the configuration has."""

    path: str
    bytes: int
    sha256: str


class Inputs(NamedTuple):
    """All inputs, and of large ones by what to know that they have not changed."""

    prints: tuple[Fingerprint, ...]
    seals: Mapping[str, object]


class _InputState(NamedTuple):
    """An input as the system sees it."""

    path: str
    files: tuple[Path, ...]
    bytes: int
    stamp: str
    """Changes when a file of it is written to."""


def fingerprint_inputs(config: Config, folder: Path, progress: Progress) -> Inputs:
    """Read all inputs for what they hold; large ones that have not changed are not read again."""
    known = read_json(folder / INPUTS_FILE)
    found = []
    seals: dict[str, object] = {}
    for _, path in counted(list(dict.fromkeys(config.paths)), progress, lambda path: f"looking at {path}"):
        seen = _look_at(config, path)
        digest = _recall(known.get(path), seen) or _digest(config.find(path), seen.files)
        if seen.bytes >= LARGE_INPUT:
            seals[path] = {"stamp": seen.stamp, "sha256": digest}
        found.append(Fingerprint(path, seen.bytes, digest))
    return Inputs(tuple(found), seals)


def save_seals(inputs: Inputs, folder: Path) -> None:
    """Keep for the next build what large inputs hold."""
    if inputs.seals:
        write_synced(folder / INPUTS_FILE, inputs.seals)


def check_inputs(config: Config) -> None:
    """Raise `InputError` for an input that is not there."""
    for path in config.paths:
        _look_at(config, path)


def _look_at(config: Config, path: str) -> _InputState:
    where = config.find(path)
    try:
        files = tuple(where / name for name in _list_texts(where)) if where.is_dir() else (where,)
        stats = [(str(each.relative_to(where)), each.stat()) for each in files]
    except (OSError, ValueError):
        # It knows what to say of a path that leads nowhere, and which one may have been meant.
        read_bytes(where)
        raise InputError(Place(str(where)), "cannot be read", "a file or a folder to read") from None
    stamp = [[name, stat.st_size, stat.st_mtime_ns] for name, stat in stats]
    return _InputState(path, files, sum(stat.st_size for _, stat in stats), json.dumps(stamp))


def _list_texts(folder: Path) -> list[str]:
    """The documents of a folder."""
    return [name for name in list_files(folder) if unpack(name).lower().endswith(".txt")]


def _recall(known: object, seen: _InputState) -> str:
    if seen.bytes < LARGE_INPUT or not isinstance(known, dict) or known.get("stamp") != seen.stamp:
        return ""
    return str(known.get("sha256", ""))


def _digest(where: Path, files: Iterable[Path]) -> str:
    """Of a file its own; of a folder that of its files and their names."""
    try:
        listed = [(each.relative_to(where).as_posix(), record_file(each).sha256) for each in files]
    except OSError as error:
        place = Place(os.fsdecode(error.filename or where))
        raise InputError(place, f"cannot be read ({error.strerror})", "a file that can be read") from None
    return sha256(json.dumps(listed).encode()).hexdigest() if where.is_dir() else listed[0][1]
