"""Checkpoints: what a run has finished, kept in a folder, so that the next run can go on after an interruption.

`scoring` keeps the treebanks of a collection here, a bitext build its stages. A treebank is a record alone:
a file of two lines of JSON, the first with the key and a digest of the second. A stage is a folder of files,
whose record has the digest of each. Both are there whole or not at all, whatever stops the run. The key is a
digest of everything that went into the work, so nothing is used after a change. What is damaged, of another
key or not of the expected types counts as absent. JSON is all that is read, so nothing that somebody puts
into the folder can run code.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import file_digest, sha256
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypedDict, TypeVar, cast

from evalign._version import __version__
from evalign.errors import EvalignError
from evalign.files import replacing, sync
from evalign.results.codec import DAMAGES, parse_json
from evalign.results.shapes import check_shape

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

# The version of the records' content; raised with every change of it, so that older ones are not read.
LAYOUT = 2
RECORD = "record.jsonl"
LOCK = "lock"
# A try fails only if another process ended at that very moment.
_MOST_TRIES = 100

Content = TypeVar("Content")
StageCounts: TypeAlias = dict[str, dict[str, int]]
"""What a stage counted: by language or "pairs", then by the kind of thing."""


def make_digest(content: object) -> str:
    """Return the SHA-256, in hexadecimal digits, of any value that JSON can hold."""
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


# Records, and files recognised by their content.


def make_record(key: str, content: object) -> bytes:
    """Return the bytes of a record: a line with key and digest, a line with `content`."""
    data = json.dumps(content, allow_nan=False).encode()
    head = {"evalign": __version__, "layout": LAYOUT, "key": key, "sha256": sha256(data).hexdigest()}
    return json.dumps(head).encode() + b"\n" + data + b"\n"


def read_record(path: Path, key: str, shape: type[Content]) -> Content | None:
    """Read the content of a record; None if there is none that is whole, has the key and is of type `shape`."""
    try:
        # Only a plain file is read: a pipe may block for ever, and a device may have no end.
        head, _, rest = path.read_bytes().partition(b"\n") if path.is_file() else (b"", b"", b"")
        header = cast("dict[str, object]", parse_json(head))
        if header["key"] != key or header["sha256"] != sha256(rest[:-1]).hexdigest() or rest[-1:] != b"\n":
            return None
        content = parse_json(rest)
        check_shape(content, shape)
    except (*DAMAGES, OSError, RecursionError, MemoryError):
        return None
    return cast("Content", content)


class FileRecord(TypedDict):
    """Size and digest of a file when it was finished."""

    bytes: int
    sha256: str


def record_file(path: Path) -> FileRecord:
    """Return size and digest of the present content of a file."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        return FileRecord(bytes=size, sha256=file_digest(file, "sha256").hexdigest())


def is_unchanged(folder: Path, name: str, record: FileRecord) -> bool:
    """Return whether `folder` has a file `name` that still has the recorded content.

    A path is no name: nothing is read, copied or removed outside of the folder.
    """
    if name in ("", ".", "..") or set(name) & set("/\\:\0"):
        return False
    path = folder / name
    try:
        return path.is_file() and path.stat().st_size == record["bytes"] and record_file(path) == record
    except OSError:
        return False


# The folder, which only the process that started the run reads and writes.


class _StageRecord(TypedDict):
    counts: StageCounts
    files: dict[str, FileRecord]


class FinishedStage(NamedTuple):
    """A finished stage: its folder, its counts and its files."""

    folder: Path
    counts: StageCounts
    files: tuple[str, ...]
    """Names of the files that the stage wrote; other files in its folder are not its own."""


class Checkpoints:
    """A folder of finished work: records, and folders of stages.

    `NAME.part` is being written; `NAME` is finished.
    """

    def __init__(self, path: Path, *, durable: bool = False) -> None:
        """Use the folder at `path`, which may be new.

        With `durable`, records are written through to the disk, as the files of stages always are.
        """
        self.path = path
        self._durable = durable
        self._new: list[Path] = []

    def make(self) -> None:
        """Make the folder, and those above it, if they do not exist."""
        self._new = [each for each in (self.path, *self.path.parents) if not each.exists()]
        self.path.mkdir(parents=True, exist_ok=True)

    def remove_empty(self) -> None:
        """Remove the folder if it is empty, then those above it that `make` has made."""
        with suppress(OSError):  # it has something in it, or is gone
            for each in self._new or [self.path]:
                each.rmdir()

    @contextmanager
    def hold(self, refusal: EvalignError) -> Iterator[None]:
        """Hold the folder during the block, then remove it if it is empty.

        Raises `refusal` while another process holds it. Needed only if two processes could write to the same name.
        """
        try:
            with _hold_lock(self.path / LOCK, refusal):
                yield
        finally:
            self.remove_empty()

    def put(self, name: str, record: bytes) -> None:
        """Write a record in place of what has its name; a link is replaced, not written through."""
        with replacing(self.path / name, durable=self._durable) as scratch:
            scratch.write_bytes(record)

    def find(self, name: str, key: str) -> FinishedStage | None:
        """Return a finished stage, if its key is `key` and all its files are unchanged; else None."""
        folder = self.path / name
        record = read_record(folder / RECORD, key, _StageRecord)
        if record is None or not all(is_unchanged(folder, *each) for each in record["files"].items()):
            return None
        return FinishedStage(folder, record["counts"], tuple(record["files"]))

    @contextmanager
    def begin(self, name: str) -> Iterator[Path]:
        """Yield a folder to write a stage to, which is removed afterwards unless the stage was finished."""
        part = self.path / f"{name}.part"
        _remove(part)
        part.mkdir()
        try:
            yield part
        finally:
            _remove(part)

    def finish(self, part: Path, key: str, counts: StageCounts) -> FinishedStage:
        """Sync the files of a stage, and give its folder the name of a finished one."""
        files = sorted(part.iterdir())
        for each in files:
            sync(each)
        record = _StageRecord(counts=counts, files={each.name: record_file(each) for each in files})
        (part / RECORD).write_bytes(make_record(key, record))
        sync(part / RECORD)
        sync(part)
        folder = part.with_suffix("")
        _remove(folder)
        part.rename(folder)
        sync(self.path)
        return FinishedStage(folder, counts, tuple(record["files"]))

    def clear(self, names: str) -> None:
        """Remove everything whose name matches the regular expression `names`; what others put here stays."""
        for each in list(self.path.iterdir()):
            if re.fullmatch(names, each.name):
                _remove(each)


def _remove(path: Path) -> None:
    """Remove a file, a link or a folder, if there is one.

    A folder is renamed first, so that half of a finished stage never looks finished. Windows cannot remove
    files that a worker still has open: they stay in a folder NAME.part, and do no harm.
    """
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
        return
    doomed = path if path.suffix == ".part" else path.with_name(f"{path.name}.old.part")
    if doomed != path:
        _remove(doomed)
        path.rename(doomed)
    shutil.rmtree(doomed, ignore_errors=True)


@contextmanager
def _hold_lock(path: Path, refusal: EvalignError) -> Iterator[None]:
    """Hold the lock of a file during the block, then remove the file.

    The system releases the lock when its holder ends, in whatever way. Raises `refusal` while another process
    holds it.
    """
    for _ in range(_MOST_TRIES):
        with path.open("ab") as file:
            try:
                _lock(file.fileno())
            except (BlockingIOError, PermissionError):
                break
            # The last holder may have removed the file after it was opened here: then this lock protects nothing.
            if path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat()):
                try:
                    yield
                finally:
                    if sys.platform == "win32":  # where an open file cannot be removed
                        file.close()
                    with suppress(OSError):  # another process has opened the file, and will remove it
                        path.unlink()
                return
    raise refusal


def _lock(file: int) -> None:
    if sys.platform == "win32":
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
