"""Standard streams that are closed or refuse output.

`main` and `run_command` use these, so that a run goes on without such a stream and reports the problem where
it can.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO, cast


def replace_closed() -> None:
    """Replace standard streams that were closed when the process started (`>&-`).

    The new standard output refuses what is written to it, as a full disk does. The new standard error accepts
    everything and shows nothing. File descriptors 0, 1 and 2 are all opened, so that no file opened later
    gets one of these numbers, and with it what other code prints.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
    if sys.stdout is None:
        sys.stdout = cast("TextIO", ClosedOutput())
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - as long as the process


def print_text(text: str) -> int:
    """Write `text` to standard output. Returns 0, or 1 if it cannot be written."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError:
        return 1
    return 0


def drop_output(stream: TextIO) -> None:
    """Send what `stream` still buffers to the null device, because Python would fail to flush it at exit."""
    with suppress(OSError, ValueError, AttributeError):  # it may have been closed from the start
        target = os.open(os.devnull, os.O_WRONLY)
        os.dup2(target, stream.fileno())
        os.close(target)


class ClosedOutput(io.TextIOBase):
    """Stand-in for a standard output that was closed when the process began."""

    def write(self, text: str) -> int:
        """Raise `OSError`, unless `text` is empty."""
        if text:
            raise OSError(errno.EBADF, "it is closed")
        return 0

    def isatty(self) -> bool:
        """Return False: a closed stream is no terminal."""
        return False


class Messages:
    """Standard error on which a failed write (full disk, reader gone) stops nothing.

    Standard output is flushed before each message, so that results and messages keep their order where both
    go to one place.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write `text` if possible; return its length in any case."""
        with suppress(OSError, ValueError):  # the final flush reports what is wrong
            sys.stdout.flush()
        return self._try(lambda: self._stream.write(text)) or len(text)

    def flush(self) -> None:
        """Flush the stream if possible."""
        self._try(self._stream.flush)

    def _try(self, write: Callable[[], int | None]) -> int | None:
        try:
            return write()
        except (OSError, ValueError):  # ValueError: it has been closed
            drop_output(self._stream)
            return None

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)
