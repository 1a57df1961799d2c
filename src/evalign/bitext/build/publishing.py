"""A finished data set in its folder: all files first, then `dataset.json`, which says that they are all there.

The folder may have other files; none of them is touched. A data set that is already there is replaced only when that
was asked for, and it loses its `dataset.json` first, so that a mixture of two is never taken for a data set.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from evalign._version import __version__
from evalign.bitext.build.config import Config
from evalign.bitext.build.files import (
    FileRecord,
    copy_synced,
    is_unchanged,
    read_json,
    read_records,
    record_file,
    save_records,
    sync,
    write_synced,
)
from evalign.bitext.build.fingerprints import Fingerprint
from evalign.bitext.build.workspace import FinishedStage, Workspace
from evalign.errors import CommandError
from evalign.progress import Progress, counted

DATASET = "dataset.json"
FORMAT = 1
# In `.build`: which files of the folder are the build's while there is no dataset.json.
CLAIMED = "publishing.json"


class Published(NamedTuple):
    """A data set that is in a folder."""

    key: str
    files: Mapping[str, FileRecord]


def read_published(folder: Path) -> Published | None:
    """The finished data set of a folder; None where there is none."""
    found = read_json(folder / DATASET)
    files = read_records(found.get("files"))
    key = found.get("key")
    return None if files is None or not isinstance(key, str) else Published(key, files)


def find_damaged(folder: Path, published: Published) -> list[str]:
    """Files of a data set that are gone or changed."""
    return [name for name, record in published.files.items() if not is_unchanged(folder / name, record)]


def check_free(workspace: Workspace, names: Sequence[str], *, overwrite: bool) -> None:
    """Raise `CommandError` where the folder has files of these names that no build has made."""
    folder = workspace.folder
    published = read_published(folder)
    ours = set(read_records(read_json(workspace.path / CLAIMED).get("files")) or ())
    ours |= set(published.files if published else ()) | ({DATASET} if published else set())
    for path in (folder / name for name in names):
        if path.is_dir() and not path.is_symlink():
            message = f"{path} is a folder"
            raise CommandError(message, "a file, or nothing, where the data set has a file")
    there = [name for name in names if name not in ours and os.path.lexists(folder / name)]
    if there and not overwrite:
        more = f" and {len(there) - 3} more" if len(there) > 3 else ""
        message = f"{folder} has {', '.join(there[:3])}{more}, which this build has not made"
        raise CommandError(message, "another folder", "--overwrite replaces them")


def publish(
    workspace: Workspace, sources: Sequence[Path], record: Mapping[str, object], progress: Progress
) -> None:
    """Put files into the folder, then what says that they are all there."""
    folder = workspace.folder
    files = {path.name: record_file(path) for path in sources}
    old = read_published(folder)
    claimed = read_records(read_json(workspace.path / CLAIMED).get("files")) or {}
    before = {**claimed, **(old.files if old else {})}
    write_synced(workspace.path / CLAIMED, {"files": save_records({**before, **files})})
    (folder / DATASET).unlink(missing_ok=True)
    sync(folder)
    for name, known in before.items():
        # Of a data set that is replaced; what somebody has changed since then is theirs.
        if name not in files and is_unchanged(folder / name, known):
            (folder / name).unlink()
    for _, path in counted(sources, progress, lambda path: f"publishing {path.name}"):
        copy_synced(path, folder / path.name, workspace.path / f"{path.name}.part")
    sync(folder)
    progress(f"publishing {DATASET}")
    write_synced(folder / DATASET, {**record, "files": save_records(files)})


def describe(config: Config, inputs: Sequence[Fingerprint], key: str) -> dict[str, object]:
    """What a data set was built from."""
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
    """The files that finished stages wrote, by name."""
    return [stage.folder / name for stage in stages for name in sorted(stage.files)]
