"""Standard streams that are closed, or take nothing: a run goes on without them, and says so where it can."""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress
from typing import TextIO, cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def replace_closed() -> None:
    """Give a process whose standard streams are closed (`>&-`) others in their place.

    Standard output refuses what is written to it, as a full disk does; standard error takes everything and shows nothing.
    The numbers 0, 1 and 2 are taken, so that no file that is opened later gets one of them, and with it what other
    code prints.
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
    """Text to standard output; 0, or 1 where nobody takes it."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError:
        return 1
    return 0


class ClosedOutput(io.TextIOBase):
    """Standard output that was closed when the process began."""

    def write(self, text: str) -> int:
        """Refuse, unless it is nothing."""
        if text:
            raise OSError(errno.EBADF, "it is closed")
        return 0

    def isatty(self) -> bool:
        """No terminal."""
        return False


class Messages:
    """Standard error, where a message that cannot be written (a full disk, a reader that went away) stops nothing.

    What was printed before a message is written before it, so that both stand in order where they go to one place.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write if possible."""
        with suppress(OSError, ValueError):  # who flushes standard output last says what is wrong with it
            sys.stdout.flush()
        return self._try(lambda: self._stream.write(text)) or len(text)

    def flush(self) -> None:
        """Write what is still to be written, if possible."""
        self._try(self._stream.flush)

    def _try(self, write: Callable[[], int | None]) -> int | None:
        try:
            return write()
        except (OSError, ValueError):  # ValueError: somebody has closed it
            self._silence()
            return None

    def _silence(self) -> None:
        """Let what is still to be written go nowhere: Python would fail for it when it ends."""
        with suppress(OSError, ValueError):
            target = os.open(os.devnull, os.O_WRONLY)
            os.dup2(target, self._stream.fileno())
            os.close(target)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)
