"""Fingerprints of the inputs of a build, and the publication of the finished data set.

Inputs are fingerprinted before the first stage, to see whether they have changed since a stage was made from
them. In the end all files are put in place, and last `dataset.json`, which says that the data set is
complete.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from shutil import copyfile
from typing import NamedTuple, TypedDict, cast

from evalign._version import __version__
from evalign.bitext.build.config import Config
from evalign.bitext.build.rows import BUILD_SIZES, BuildSizes
from evalign.bitext.dataset import DATASET_FILE, dump_json
from evalign.engines.checkpoints import (
    Checkpoints,
    FileRecord,
    FinishedStage,
    is_unchanged,
    make_digest,
    make_record,
    read_record,
    record_file,
)
from evalign.errors import CommandError, InputError, Message, Place
from evalign.files import list_files, replacing, strip_compression, sync
from evalign.progress import Progress, counted
from evalign.readers.byte_stream import read_bytes
from evalign.results.shapes import check_shape

SEALS = "inputs.jsonl"


class Seal(TypedDict):
    """Times and digest of a large input, from which the next build sees that it is unchanged without reading it."""

    stamp: str
    sha256: str


class Fingerprint(NamedTuple):
    """Path of an input as in the configuration, its size, and the hash of its content."""

    path: str
    bytes: int
    sha256: str


class Inputs(NamedTuple):
    """Fingerprints of all inputs, and seals of the large ones."""

    prints: tuple[Fingerprint, ...]
    seals: Mapping[str, Seal]


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
    saved = read_record(folder / SEALS, "", dict[str, Seal]) or {}
    fingerprints = []
    seals: dict[str, Seal] = {}
    for _, path in counted(list(dict.fromkeys(config.paths)), progress, lambda path: f"looking at {path}"):
        seen = _inspect_input(config, path)
        if seen.bytes < sizes.large_input:
            digest = _digest(config.find(path), seen.files)
        else:
            is_same = path in saved and saved[path]["stamp"] == seen.stamp
            digest = saved[path]["sha256"] if is_same else _digest(config.find(path), seen.files)
            seals[path] = Seal(stamp=seen.stamp, sha256=digest)
        fingerprints.append(Fingerprint(path, seen.bytes, digest))
    return Inputs(tuple(fingerprints), seals)


def save_seals(inputs: Inputs, folder: Path) -> None:
    """Save the seals of large inputs for the next build."""
    if inputs.seals:
        Checkpoints(folder, durable=True).put(SEALS, make_record("", inputs.seals))


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


def _digest(where: Path, files: Iterable[Path]) -> str:
    """Return the hash of a file, or of the names and hashes of all files in a folder."""
    try:
        listed = [(each.relative_to(where).as_posix(), record_file(each)["sha256"]) for each in files]
    except OSError as error:
        place = Place(os.fsdecode(error.filename or where))
        raise InputError(place, f"cannot be read ({error.strerror})", "a file that can be read") from None
    return make_digest(listed) if where.is_dir() else listed[0][1]


# Publication: all files are put into the folder first, then `dataset.json`, which says that they are all
# there.
#
# The folder may have other files, which are never touched. A data set that is already there is replaced only
# with `overwrite`. It loses its `dataset.json` first, so that a mixture of two is never taken for a data set.

FORMAT = 1
# A file in `.build` that says which files of the folder belong to the build while there is no dataset.json.
CLAIMED = "publishing.jsonl"


class Published(TypedDict):
    """The part of `dataset.json` by which a finished data set is recognised: its key and its files."""

    key: str
    files: dict[str, FileRecord]


def read_published(folder: Path) -> Published | None:
    """Read the record of the finished data set in a folder; None if there is none."""
    try:
        content = json.loads((folder / DATASET_FILE).read_bytes())
        check_shape(content, Published)
    except (OSError, ValueError, RecursionError):
        return None
    return cast("Published", content)


def find_damaged(folder: Path, published: Published) -> list[str]:
    """Return the files of a data set that are missing or changed."""
    return [name for name, record in published["files"].items() if not is_unchanged(folder, name, record)]


def _read_claims(workspace: Checkpoints) -> dict[str, FileRecord]:
    """Return the files that builds have made: those of the data set, and of one that was being published."""
    published = read_published(workspace.path.parent)
    claimed = read_record(workspace.path / CLAIMED, "", dict[str, FileRecord]) or {}
    return {**claimed, **(published["files"] if published else {})}


def check_free(workspace: Checkpoints, names: Sequence[str], *, overwrite: bool) -> None:
    """Raise `CommandError` if files of the folder that no build has made are in the way of `names`.

    With `overwrite` such files may be replaced; a folder with one of the names is always in the way.
    """
    folder = workspace.path.parent
    ours = {*_read_claims(workspace), *([DATASET_FILE] if read_published(folder) else [])}
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
    workspace: Checkpoints, sources: Sequence[Path], record: Mapping[str, object], progress: Progress
) -> None:
    """Put the files of a data set into the folder, then `dataset.json`."""
    folder = workspace.path.parent
    files = {path.name: record_file(path) for path in sources}
    before = _read_claims(workspace)
    workspace.put(CLAIMED, make_record("", {**before, **files}))
    (folder / DATASET_FILE).unlink(missing_ok=True)
    sync(folder)
    for name, file_record in before.items():
        # Files of the replaced data set go, but a file that somebody has changed since stays: it is theirs.
        if name not in files and is_unchanged(folder, name, file_record):
            (folder / name).unlink()
    for _, path in counted(sources, progress, lambda path: f"publishing {path.name}"):
        with replacing(folder / path.name, scratch_folder=workspace.path, durable=True) as scratch:
            copyfile(path, scratch)
    progress(f"publishing {DATASET_FILE}")
    with replacing(folder / DATASET_FILE, scratch_folder=workspace.path, durable=True) as scratch:
        scratch.write_bytes(dump_json({**record, "files": files}))


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
