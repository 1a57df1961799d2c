"""One build at a time in a folder: a lock that the system takes back when its holder ends, however it does."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evalign.errors import CommandError

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
