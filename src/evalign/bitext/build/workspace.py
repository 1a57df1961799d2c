"""Stages on disk: each in a folder of its own that gets its name when all of it is there.

`DIR/.build/05-plant.part/` is being written; `DIR/.build/05-plant/` is finished, and its `stage.json` says from what it
was made and what it holds. Whatever stops a build, the next one goes on behind the last stage that is finished,
that was made from the same things, and whose files are still what they were.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, TypeAlias

from evalign._version import __version__
from evalign.bitext.dataset import BUILD_FOLDER
from evalign.bitext.workers import SHARED
from evalign.errors import CommandError, InputError, Place

# One build at a time in a folder: a lock that the system takes back when its holder ends, however it does.


# Every try follows another build that ended in the very moment.
_MOST_TRIES = 100


@contextmanager
def hold_lock(path: Path) -> Iterator[None]:
    """Hold the lock of a file; raises `CommandError` while another process has it. The file is gone afterwards."""
    file = _acquire(path)
    try:
        yield
    finally:
        if sys.platform == "win32":  # where an open file cannot be removed
            os.close(file)
            _remove(path)
        else:
            _remove(path)
            os.close(file)


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except OSError:  # another process has opened it; it will remove it
        return


def _acquire(path: Path) -> int:
    for _ in range(_MOST_TRIES):
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        if not _try_lock(file):
            break
        # The last holder may have removed the file after it was opened here: then this lock is of nothing.
        if path.exists() and os.path.samestat(os.fstat(file), path.stat()):
            return file
        os.close(file)
    else:
        file = -1
    if file >= 0:
        os.close(file)
    message = f"another build works in {path.parent.parent}"
    raise CommandError(message, "one at a time", "wait for it, or build in another folder")


if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: int) -> bool:
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


# Files of a build: written to the disk for good, told by their content, replaced whole.


_CHUNK = 1 << 20


class FileRecord(NamedTuple):
    """A file as it was when it was finished."""

    bytes: int
    sha256: str


def record_file(path: Path) -> FileRecord:
    """What a file holds now."""
    digest = sha256()
    size = 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
    return FileRecord(size, digest.hexdigest())


def is_unchanged(path: Path, record: FileRecord) -> bool:
    """Whether a file is there and still holds what it held."""
    try:
        return path.is_file() and path.stat().st_size == record.bytes and record_file(path) == record
    except OSError:
        return False


def read_records(content: object) -> dict[str, FileRecord] | None:
    """Records of files as they were saved; None where they are none.

    All are of files in one folder, so that a name with a folder in it is not one that a build wrote: such a file would
    be copied from somewhere else, or removed there.
    """
    if not isinstance(content, dict):
        return None
    records = {}
    for name, each in content.items():
        size, digest = (each.get("bytes"), each.get("sha256")) if isinstance(each, dict) else (None, None)
        if not isinstance(size, int) or not isinstance(digest, str) or not _is_name(name):
            return None
        records[name] = FileRecord(size, digest)
    return records


def _is_name(name: object) -> bool:
    """Whether it is the name of a file in a folder, and no path, on any system."""
    return isinstance(name, str) and name not in ("", ".", "..") and not set(name) & set("/\\:\0")


def save_records(records: Mapping[str, FileRecord]) -> dict[str, object]:
    """Records of files as they are saved."""
    return {name: record._asdict() for name, record in records.items()}


def sync(path: Path) -> None:
    """Bring a file or folder to the disk, so that no loss of power undoes it."""
    try:
        # Windows brings to the disk only what is open for writing.
        file = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    except OSError:  # a folder on Windows
        return
    try:
        os.fsync(file)
    except OSError as error:
        # Some systems cannot do that for folders.
        if error.errno not in (errno.EINVAL, errno.EBADF, errno.EACCES, errno.EPERM, errno.ENOTSUP):
            raise
    finally:
        os.close(file)


def write_synced(path: Path, content: Mapping[str, object]) -> None:
    """Write JSON under another name first, then rename it: there is all of it or nothing."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    scratch = path.with_name(f"{path.name}.part")
    try:
        scratch.write_bytes(text.encode("utf-8", "surrogatepass"))
        sync(scratch)
        scratch.replace(path)
    finally:
        scratch.unlink(missing_ok=True)
    sync(path.parent)


def copy_synced(source: Path, target: Path, scratch: Path) -> None:
    """Put a copy of a file in place, by way of a scratch file on the same disk."""
    try:
        shutil.copyfile(source, scratch)
        sync(scratch)
        scratch.replace(target)
    finally:
        scratch.unlink(missing_ok=True)


def read_json(path: Path) -> dict[str, object]:
    """A JSON object; an empty one where there is none that can be read."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def refuse_writing(path: Path, error: OSError) -> InputError:
    """What is said where the system would not write (or read what was written)."""
    reason = error.strerror or str(error)
    where = error.filename if isinstance(error.filename, str) else str(path)
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    expected = "room for the data set" if full else "a folder that can be written to"
    advice = "finished stages are kept: run the same command again, and it goes on from there"
    return InputError(Place(where), f"cannot be written ({reason})", expected, advice)


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
        self.path = folder / BUILD_FOLDER

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Have it for oneself. Folders that this made, and that stay empty, are gone afterwards."""
        new_folders = _make_folders(self.path)
        try:
            with hold_lock(self.path / LOCK):
                yield
        except OSError as error:
            raise refuse_writing(self.folder, error) from None
        finally:
            # The build's own folder is never left empty, whoever made it.
            for each in dict.fromkeys((self.path, *new_folders)):
                if not _remove_empty(each):
                    break

    def stage_path(self, number: int, name: str) -> Path:
        """Where a finished stage is."""
        return self.path / f"{number:02d}-{name}"

    def find(self, number: int, name: str, key: str) -> FinishedStage | None:
        """A stage that is finished, was made from the same things, and is still whole."""
        folder = self.stage_path(number, name)
        record_json = read_json(folder / RECORD)
        files = read_records(record_json.get("files"))
        counts = _read_counts(record_json.get("counts"))
        if record_json.get("key") != key or files is None or counts is None:
            return None
        # A digit of a count that was changed would go to the statistics.
        if record_json.pop(SEAL, None) != _digest(record_json):
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
    new_folders = []
    above = path
    expected = "a folder for the data set, which may be new"
    try:
        while not above.exists():
            new_folders.append(above)
            above = above.parent
        if not above.is_dir():
            raise InputError(Place(str(above)), "no folder", expected)
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        problem = f"no folder can be made here ({error.strerror or error})"
        raise InputError(Place(str(path.parent)), problem, expected) from None
    return new_folders


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


def _read_counts(content: object) -> StageCounts | None:
    if not isinstance(content, Mapping):
        return None
    if not all(isinstance(each, dict) for each in content.values()):
        return None
    return {str(what): dict(counts) for what, counts in content.items()}
