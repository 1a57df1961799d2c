"""The working folder of a build: finished stages, each in a folder that gets its name when it is complete.

`DIR/.build/05-plant.part/` is being written; `DIR/.build/05-plant/` is finished, and its `stage.json` says
what it was made from and what it holds. Whatever stops a build, the next one continues after the last stage
that is complete, was made from the same inputs and settings, and has unchanged files.
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

# One build at a time in a folder: a lock that the system releases when its holder ends, in whatever way.


# A try fails only if another build ended at that very moment.
_MOST_TRIES = 100


@contextmanager
def hold_lock(path: Path) -> Iterator[None]:
    """Hold the lock of a file during the block; the file is removed afterwards.

    Raises `CommandError` while another process holds it.
    """
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
    except OSError:  # another process has opened the file, and will remove it
        return


def _acquire(path: Path) -> int:
    for _ in range(_MOST_TRIES):
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        if not _try_lock(file):
            break
        # The last holder may have removed the file after it was opened here: then this lock protects nothing.
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


# Files of a build: synced to the disk, recognised by their content, and replaced as a whole.


_CHUNK = 1 << 20


class FileRecord(NamedTuple):
    """Size and hash of a file when it was finished."""

    bytes: int
    sha256: str


def record_file(path: Path) -> FileRecord:
    """Return size and hash of the present content of a file."""
    digest = sha256()
    size = 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
    return FileRecord(size, digest.hexdigest())


def is_unchanged(path: Path, record: FileRecord) -> bool:
    """Return whether a file exists and still has the recorded content."""
    try:
        return path.is_file() and path.stat().st_size == record.bytes and record_file(path) == record
    except OSError:
        return False


def read_records(content: object) -> dict[str, FileRecord] | None:
    """Return file records by name from JSON; None if `content` is not valid.

    All records are of files in one folder. A name with a folder in it is invalid, because a build never
    writes one, and such a file would be copied from elsewhere, or removed there.
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
    """Return whether `name` is the name of a file in a folder, not a path, on any system."""
    return isinstance(name, str) and name not in ("", ".", "..") and not set(name) & set("/\\:\0")


def save_records(records: Mapping[str, FileRecord]) -> dict[str, object]:
    """Return file records as they are saved in JSON."""
    return {name: record._asdict() for name, record in records.items()}


def sync(path: Path) -> None:
    """Write a file or folder through to the disk, so that a loss of power does not undo it."""
    try:
        # Windows syncs only files that are open for writing.
        file = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    except OSError:  # a folder on Windows
        return
    try:
        os.fsync(file)
    except OSError as error:
        # Some systems cannot sync folders.
        if error.errno not in (errno.EINVAL, errno.EBADF, errno.EACCES, errno.EPERM, errno.ENOTSUP):
            raise
    finally:
        os.close(file)


def write_synced(path: Path, content: Mapping[str, object]) -> None:
    """Write JSON to a file and sync it to the disk.

    It is written under another name and renamed, so the file is there whole or not at all.
    """
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
    """Copy a file by way of `scratch`, which must be on the same disk as `target`, and sync it."""
    try:
        shutil.copyfile(source, scratch)
        sync(scratch)
        scratch.replace(target)
    finally:
        scratch.unlink(missing_ok=True)


def read_json(path: Path) -> dict[str, object]:
    """Read a JSON object; return an empty one if there is none that can be read."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def refuse_writing(path: Path, error: OSError) -> InputError:
    """Return the error for a failed write, or for a failed read of something that was written."""
    reason = error.strerror or str(error)
    where = error.filename if isinstance(error.filename, str) else str(path)
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    expected = "room for the data set" if full else "a folder that can be written to"
    advice = "finished stages are kept: run the same command again, and it goes on from there"
    return InputError(Place(where), f"cannot be written ({reason})", expected, advice)


RECORD = "stage.json"
# The key in the record of the digest of all its other keys.
SEAL = "sha256"
LOCK = "lock"
KEPT = "kept.json"
# To be increased when stages write other files, so that older ones are not read.
LAYOUT = 3
_STAGE = re.compile(r"[0-9]{2}-[a-z]+")

StageCounts: TypeAlias = dict[str, dict[str, int]]
"""What a stage counted: by language or "pairs", then by the kind of thing."""


class FinishedStage(NamedTuple):
    """A finished stage: its folder, its counts and its files."""

    folder: Path
    counts: StageCounts
    files: tuple[str, ...]
    """Names of the files that the stage wrote; other files in its folder are not its own."""


def make_key(stage: str, before: str, settings: object) -> str:
    """Return the key of a stage, which is the same only for the same settings and the same stages before it.

    `before` is the key of the stage before it.
    """
    return _digest([LAYOUT, __version__, stage, before, settings])


def _digest(content: object) -> str:
    return sha256(json.dumps(content, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


class Workspace:
    """The folder of a data set with the stages of its build; only one build at a time may hold it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / BUILD_FOLDER

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the workspace during the block.

        Folders that this makes are removed afterwards if they are empty.
        """
        new_folders = _make_folders(self.path)
        try:
            with hold_lock(self.path / LOCK):
                yield
        except OSError as error:
            raise refuse_writing(self.folder, error) from None
        finally:
            # The folder of the build is removed if it is empty, whoever made it.
            for each in dict.fromkeys((self.path, *new_folders)):
                if not _remove_empty(each):
                    break

    def stage_path(self, number: int, name: str) -> Path:
        """Return the folder of a finished stage."""
        return self.path / f"{number:02d}-{name}"

    def find(self, number: int, name: str, key: str) -> FinishedStage | None:
        """Return a finished stage, if its key is `key` and all its files are unchanged; else None."""
        folder = self.stage_path(number, name)
        record_json = read_json(folder / RECORD)
        files = read_records(record_json.get("files"))
        counts = _read_counts(record_json.get("counts"))
        if record_json.get("key") != key or files is None or counts is None:
            return None
        # Without this check, a count that somebody changed would get into the statistics.
        if record_json.pop(SEAL, None) != _digest(record_json):
            return None
        if not all(is_unchanged(folder / name, record) for name, record in files.items()):
            return None
        return FinishedStage(folder, counts, tuple(files))

    @contextmanager
    def begin(self, number: int, name: str) -> Iterator[Path]:
        """Yield a folder to write a stage to, which is removed afterwards unless the stage was finished."""
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
        """Sync the files of a stage, and give its folder the name of a finished one."""
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
        """Mark the workspace to be kept, also by later builds that find nothing to do."""
        write_synced(self.path / KEPT, {})

    @property
    def is_kept(self) -> bool:
        """True if a finished build kept the workspace on purpose."""
        return (self.path / KEPT).exists()

    def tidy(self) -> None:
        """Remove what another build did not finish."""
        for each in sorted(self.path.glob("*.part")):
            if each.name.startswith(SHARED):
                # Windows cannot remove files that a worker still has open; they do no harm.
                shutil.rmtree(each, ignore_errors=True)
            else:
                _remove_tree(each)

    def clear(self) -> None:
        """Remove everything that builds make here except the lock, which is removed when it is released."""
        self.tidy()
        for each in sorted(self.path.iterdir()):
            if _STAGE.fullmatch(each.name) or each.suffix == ".json":
                _remove_tree(each)


def _make_folders(path: Path) -> list[Path]:
    """Make a folder and its parents; return the new ones, innermost first."""
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
    """Remove a folder or a file of the build, if it exists.

    A folder is renamed first, so that half of a finished stage never looks finished.
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
