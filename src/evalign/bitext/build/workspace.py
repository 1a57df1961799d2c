"""Stages on disk: each in a folder of its own that gets its name when all of it is there.

`DIR/.build/05-plant.part/` is being written; `DIR/.build/05-plant/` is finished, and its `stage.json` says from what it
was made and what it holds. Whatever stops a build, the next one goes on behind the last stage that is finished,
that was made from the same things, and whose files are still what they were.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, TypeAlias

from evalign._version import __version__
from evalign.bitext.build.files import (
    is_unchanged,
    read_json,
    read_records,
    record_file,
    refuse_writing,
    save_records,
    sync,
    write_synced,
)
from evalign.bitext.build.lock import hold_lock
from evalign.bitext.sharing import SHARED
from evalign.errors import InputError, Place

BUILD = ".build"
RECORD = "stage.json"
# In the record: the digest of all else that is in it.
SEAL = "sha256"
LOCK = "lock"
KEPT = "kept.json"
# Goes up when stages write other files, so that none of before are read.
LAYOUT = 2
_STAGE = re.compile(r"[0-9]{2}-[a-z]+")

StageCounts: TypeAlias = dict[str, dict[str, int]]
"""What a stage counted: by language or "pairs", then by what was counted."""


class FinishedStage(NamedTuple):
    """A stage that is done."""

    folder: Path
    counts: StageCounts
    files: tuple[str, ...]
    """What it wrote; whatever else is in its folder is not its own."""


def make_key(stage: str, before: str, settings: object) -> str:
    """What tells whether a stage was made from the same things: the stage before it, and what was asked of it."""
    return _digest([LAYOUT, __version__, stage, before, settings])


def _digest(content: object) -> str:
    return sha256(json.dumps(content, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


class Workspace:
    """The folder of a data set with the stages of its build; held by one build at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / BUILD

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Have it for oneself. Folders that this made, and that stay empty, are gone afterwards."""
        made = _make_folders(self.path)
        try:
            with hold_lock(self.path / LOCK):
                yield
        except OSError as error:
            raise refuse_writing(self.folder, error) from None
        finally:
            # The build's own folder is never left empty, whoever made it.
            for each in dict.fromkeys((self.path, *made)):
                if not _remove_empty(each):
                    break

    def stage_path(self, number: int, name: str) -> Path:
        """Where a finished stage is."""
        return self.path / f"{number:02d}-{name}"

    def find(self, number: int, name: str, key: str) -> FinishedStage | None:
        """A stage that is finished, was made from the same things, and is still whole."""
        folder = self.stage_path(number, name)
        found = read_json(folder / RECORD)
        files = read_records(found.get("files"))
        counts = _read_counts(found.get("counts"))
        if found.get("key") != key or files is None or counts is None:
            return None
        # A digit of a count that was changed would go to the statistics.
        if found.pop(SEAL, None) != _digest(found):
            return None
        if not all(is_unchanged(folder / name, record) for name, record in files.items()):
            return None
        return FinishedStage(folder, counts, tuple(files))

    @contextmanager
    def begin(self, number: int, name: str) -> Iterator[Path]:
        """A folder to write a stage to, gone afterwards unless the stage was finished."""
        folder = self.stage_path(number, name)
        part = folder.with_name(f"{folder.name}.part")
        _remove_tree(part)
        part.mkdir()
        try:
            yield part
        except OSError as error:
            raise refuse_writing(part, error) from None
        finally:
            _remove_tree(part)

    def finish(self, part: Path, key: str, counts: StageCounts) -> FinishedStage:
        """Give a stage its name, with all that was written to the disk."""
        folder = part.with_name(part.name.removesuffix(".part"))
        files = sorted(each for each in part.iterdir())
        for each in files:
            sync(each)
        records = {each.name: record_file(each) for each in files}
        record = {"key": key, "counts": counts, "files": save_records(records)}
        write_synced(part / RECORD, {**record, SEAL: _digest(record)})
        _remove_tree(folder)
        part.rename(folder)
        sync(self.path)
        return FinishedStage(folder, counts, tuple(records))

    def drop(self, stages: Iterable[tuple[int, str]]) -> None:
        """Remove stages, finished or not."""
        for number, name in stages:
            folder = self.stage_path(number, name)
            _remove_tree(folder)
            _remove_tree(folder.with_name(f"{folder.name}.part"))

    def keep(self) -> None:
        """Leave it as it is, also for builds that find nothing to do."""
        write_synced(self.path / KEPT, {})

    @property
    def is_kept(self) -> bool:
        """Whether a build that was finished left it on purpose."""
        return (self.path / KEPT).exists()

    def tidy(self) -> None:
        """Remove what another build had not finished."""
        for each in sorted(self.path.glob("*.part")):
            if each.name.startswith(SHARED):
                # Windows keeps files that a worker still has open; they are in nobody's way.
                shutil.rmtree(each, ignore_errors=True)
            else:
                _remove_tree(each)

    def clear(self) -> None:
        """Remove all that builds make here but the lock, which goes when it is let go."""
        self.tidy()
        for each in sorted(self.path.iterdir()):
            if _STAGE.fullmatch(each.name) or each.suffix == ".json":
                _remove_tree(each)


def _make_folders(path: Path) -> list[Path]:
    """Make a folder and those above it; those that were made, the innermost first."""
    made = []
    above = path
    expected = "a folder for the data set, which may be new"
    try:
        while not above.exists():
            made.append(above)
            above = above.parent
        if not above.is_dir():
            raise InputError(Place(str(above)), "no folder", expected)
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        found = f"no folder can be made here ({error.strerror or error})"
        raise InputError(Place(str(path.parent)), found, expected) from None
    return made


def _remove_empty(folder: Path) -> bool:
    try:
        folder.rmdir()
    except OSError:  # it has something in it, or is gone
        return False
    return True


def _remove_tree(path: Path) -> None:
    """Remove a folder or file of the build, where there is one.

    A folder is renamed first: half of a finished stage must not look finished.
    """
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.is_dir():
        doomed = path if path.suffix == ".part" else path.with_name(f"{path.name}.old.part")
        if doomed != path:
            if doomed.is_dir():
                shutil.rmtree(doomed)
            path.rename(doomed)
        shutil.rmtree(doomed)


def _read_counts(found: object) -> StageCounts | None:
    if not isinstance(found, Mapping):
        return None
    if not all(isinstance(each, dict) for each in found.values()):
        return None
    return {str(what): dict(counts) for what, counts in found.items()}
