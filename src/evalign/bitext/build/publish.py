"""Fingerprints of the inputs of a build, and the publication of the finished data set.

Inputs are fingerprinted before the first stage, to see whether they have changed since a stage was made from
them. In the end all files are put in place, and last `dataset.json`, which says that the data set is
complete.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from evalign._version import __version__
from evalign.bitext.build.config import Config
from evalign.bitext.build.rows import BUILD_SIZES, BuildSizes
from evalign.bitext.build.workspace import (
    FileRecord,
    FinishedStage,
    Workspace,
    copy_synced,
    is_unchanged,
    read_json,
    read_records,
    record_file,
    save_records,
    sync,
    write_synced,
)
from evalign.bitext.dataset import DATASET_FILE
from evalign.errors import CommandError, InputError, Message, Place
from evalign.files import list_files, strip_compression
from evalign.progress import Progress, counted
from evalign.readers.byte_stream import read_bytes

INPUTS_FILE = "inputs.json"


class Fingerprint(NamedTuple):
    """Path of an input as in the configuration, its size, and the hash of its content."""

    path: str
    bytes: int
    sha256: str


class Inputs(NamedTuple):
    """Fingerprints of all inputs, and seals of the large ones.

    A seal lets the next build see that an input is unchanged without reading it.
    """

    prints: tuple[Fingerprint, ...]
    seals: Mapping[str, object]


class _InputState(NamedTuple):
    """State of an input in the file system."""

    files: tuple[Path, ...]
    bytes: int
    stamp: str
    """A string that changes when one of the files is written to."""


def fingerprint_inputs(
    config: Config, folder: Path, progress: Progress, sizes: BuildSizes = BUILD_SIZES
) -> Inputs:
    """Fingerprint all inputs of a configuration.

    All inputs are read for this, except large ones that have not changed since a build saved their seals in
    `folder`.
    """
    saved = read_json(folder / INPUTS_FILE)
    fingerprints = []
    seals: dict[str, object] = {}
    for _, path in counted(list(dict.fromkeys(config.paths)), progress, lambda path: f"looking at {path}"):
        seen = _inspect_input(config, path)
        is_large = seen.bytes >= sizes.large_input
        digest = (_find_saved_digest(saved.get(path), seen) if is_large else "") or _digest(
            config.find(path), seen.files
        )
        if is_large:
            seals[path] = {"stamp": seen.stamp, "sha256": digest}
        fingerprints.append(Fingerprint(path, seen.bytes, digest))
    return Inputs(tuple(fingerprints), seals)


def save_seals(inputs: Inputs, folder: Path) -> None:
    """Save the seals of large inputs for the next build."""
    if inputs.seals:
        write_synced(folder / INPUTS_FILE, inputs.seals)


def check_inputs(config: Config) -> None:
    """Raise `InputError` for an input that does not exist."""
    for path in config.paths:
        _inspect_input(config, path)


def _inspect_input(config: Config, path: str) -> _InputState:
    where = config.find(path)
    try:
        files = tuple(where / name for name in _list_texts(where)) if where.is_dir() else (where,)
        stats = [(str(each.relative_to(where)), each.stat()) for each in files]
    except (OSError, ValueError):
        # `read_bytes` raises the error for a missing path, with a guess which one was meant.
        read_bytes(where)
        raise InputError(Place(str(where)), "cannot be read", "a file or a folder to read") from None
    stamp = [[name, stat.st_size, stat.st_mtime_ns] for name, stat in stats]
    return _InputState(files, sum(stat.st_size for _, stat in stats), json.dumps(stamp))


def _list_texts(folder: Path) -> list[str]:
    """List the documents in a folder."""
    return [name for name in list_files(folder) if strip_compression(name).lower().endswith(".txt")]


def _find_saved_digest(saved: object, seen: _InputState) -> str:
    if not isinstance(saved, dict) or saved.get("stamp") != seen.stamp:
        return ""
    return str(saved.get("sha256", ""))


def _digest(where: Path, files: Iterable[Path]) -> str:
    """Return the hash of a file, or of the names and hashes of all files in a folder."""
    try:
        listed = [(each.relative_to(where).as_posix(), record_file(each).sha256) for each in files]
    except OSError as error:
        place = Place(os.fsdecode(error.filename or where))
        raise InputError(place, f"cannot be read ({error.strerror})", "a file that can be read") from None
    return sha256(json.dumps(listed).encode()).hexdigest() if where.is_dir() else listed[0][1]


# Publication: all files are put into the folder first, then `dataset.json`, which says that they are all
# there.
#
# The folder may have other files, which are never touched. A data set that is already there is replaced only
# with `overwrite`. It loses its `dataset.json` first, so that a mixture of two is never taken for a data set.

FORMAT = 1
# A file in `.build` that says which files of the folder belong to the build while there is no dataset.json.
CLAIMED = "publishing.json"


class Published(NamedTuple):
    """A finished data set in a folder: its key and its files."""

    key: str
    files: Mapping[str, FileRecord]


def read_published(folder: Path) -> Published | None:
    """Read the record of the finished data set in a folder; None if there is none."""
    content = read_json(folder / DATASET_FILE)
    files = read_records(content.get("files"))
    key = content.get("key")
    return None if files is None or not isinstance(key, str) else Published(key, files)


def find_damaged(folder: Path, published: Published) -> list[str]:
    """Return the files of a data set that are missing or changed."""
    return [name for name, record in published.files.items() if not is_unchanged(folder / name, record)]


def check_free(workspace: Workspace, names: Sequence[str], *, overwrite: bool) -> None:
    """Raise `CommandError` if files of the folder that no build has made are in the way of `names`.

    With `overwrite` such files may be replaced; a folder with one of the names is always in the way.
    """
    folder = workspace.folder
    published = read_published(folder)
    ours = set(read_records(read_json(workspace.path / CLAIMED).get("files")) or ())
    ours |= set(published.files if published else ()) | ({DATASET_FILE} if published else set())
    for path in (folder / name for name in names):
        if path.is_dir() and not path.is_symlink():
            message = f"{path} is a folder"
            raise CommandError(message, "a file, or nothing, where the data set has a file")
    there = [name for name in names if name not in ours and os.path.lexists(folder / name)]
    if there and not overwrite:
        more = f" and {len(there) - 3} more" if len(there) > 3 else ""
        message = f"{folder} has {', '.join(there[:3])}{more}, not made by this build"
        raise CommandError(message, "another folder", Message("{overwrite=True} replaces them"))


def publish(
    workspace: Workspace, sources: Sequence[Path], record: Mapping[str, object], progress: Progress
) -> None:
    """Put the files of a data set into the folder, then `dataset.json`."""
    folder = workspace.folder
    files = {path.name: record_file(path) for path in sources}
    old = read_published(folder)
    claimed = read_records(read_json(workspace.path / CLAIMED).get("files")) or {}
    before = {**claimed, **(old.files if old else {})}
    write_synced(workspace.path / CLAIMED, {"files": save_records({**before, **files})})
    (folder / DATASET_FILE).unlink(missing_ok=True)
    sync(folder)
    for name, file_record in before.items():
        # Files of the replaced data set go, but a file that somebody has changed since stays: it is theirs.
        if name not in files and is_unchanged(folder / name, file_record):
            (folder / name).unlink()
    for _, path in counted(sources, progress, lambda path: f"publishing {path.name}"):
        copy_synced(path, folder / path.name, workspace.path / f"{path.name}.part")
    sync(folder)
    progress(f"publishing {DATASET_FILE}")
    write_synced(folder / DATASET_FILE, {**record, "files": save_records(files)})


def describe(config: Config, inputs: Sequence[Fingerprint], key: str) -> dict[str, object]:
    """Return the record of what a data set was built from, for `dataset.json`."""
    return {
        "format": FORMAT,
        "evalign": __version__,
        "pair": config.pair,
        "seed": config.seed,
        "config": config.as_json(),
        "inputs": [each._asdict() for each in inputs],
        "key": key,
    }


def files_of(*stages: FinishedStage) -> list[Path]:
    """Return the paths of the files that finished stages wrote, by stage and name."""
    return [stage.folder / name for stage in stages for name in sorted(stage.files)]
