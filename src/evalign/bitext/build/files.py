"""Files of a build: written to the disk for good, told by their content, replaced whole."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from evalign.errors import InputError, Place

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


def read_records(found: object) -> dict[str, FileRecord] | None:
    """Records of files as they were saved; None where they are none.

    All are of files in one folder, so that a name with a folder in it is not one that a build wrote: such a file would
    be copied from somewhere else, or removed there.
    """
    if not isinstance(found, dict):
        return None
    records = {}
    for name, each in found.items():
        size, digest = (each.get("bytes"), each.get("sha256")) if isinstance(each, dict) else (None, None)
        if not isinstance(size, int) or not isinstance(digest, str) or not _is_name(name):
            return None
        records[name] = FileRecord(size, digest)
    return records


def _is_name(name: object) -> bool:
    """Whether it is the name of a file in a folder, and no path, on any system."""
    return isinstance(name, str) and name not in ("", ".", "..") and not set(name) & set('/\\:\0')


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
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def refuse_writing(path: Path, error: OSError) -> InputError:
    """What is said where the system would not write (or read what was written)."""
    reason = error.strerror or str(error)
    where = error.filename if isinstance(error.filename, str) else str(path)
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    expected = "room for the data set" if full else "a folder that can be written to"
    advice = "finished stages are kept: run the same command again, and it goes on from there"
    return InputError(Place(where), f"cannot be written ({reason})", expected, advice)
