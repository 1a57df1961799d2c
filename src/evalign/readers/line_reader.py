"""Large files of this machine, read line by line or as a buffered file, and decompressed meanwhile; with progress.

They may have any size, and zstd data any window: dumps are packed with `zstd --long=31`. A path is a path here: `-` is a
file of that name, and URLs are not read.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from evalign.errors import InputError, Place, show_name
from evalign.progress import Progress, Step, no_progress
from evalign.readers.byte_stream import ByteStream, LocalFile
from evalign.readers.content import BOM, check_text

# Bytes of the longest line; a sentence has a few hundred.
MAX_LINE_BYTES = 1 << 24
_BUFFER = 1 << 17
_MEGABYTE = 1 << 20


@contextmanager
def open_binary(
    path: str | os.PathLike[str], progress: Progress = no_progress
) -> Iterator[io.BufferedReader]:
    """A file to read bytes from as they were before it was compressed; raises `InputError` where it cannot be read."""
    with (
        ByteStream(LocalFile(os.fsdecode(path)), memory_limit=0) as stream,
        io.BufferedReader(_RawStream(stream, progress), _BUFFER) as file,
    ):
        yield cast("io.BufferedReader", file)


class _RawStream(io.RawIOBase):
    """A stream as `io.BufferedReader` wants it, which tells how many megabytes of the file have been read."""

    def __init__(self, stream: ByteStream, progress: Progress) -> None:
        self._stream, self._progress = stream, progress
        self._reported = -1

    def readable(self) -> bool:
        """It is; it cannot be written."""
        return True

    def readinto(self, buffer: object, /) -> int:
        """Fill a buffer, as far as there is something left."""
        view = memoryview(buffer)  # type: ignore[arg-type]
        data = self._stream.read(len(view))
        view[: len(data)] = data
        self._tell()
        return len(data)

    def _tell(self) -> None:
        total = self._stream.stored_size
        done = self._stream.stored_read // _MEGABYTE if total else 0
        if done > self._reported:
            self._reported = done
            self._progress(Step(f"reading {self._stream.name} (MB)", done, total // _MEGABYTE))


def read_head(path: str | os.PathLike[str], size: int = 1 << 12) -> bytes:
    """The first bytes of a file, as they were before it was compressed."""
    with open_binary(path) as file:
        return file.read(size)


def recode_head(head: bytes) -> bytes:
    r"""The first bytes of a text as UTF-8 without a byte order mark, also where they are UTF-16.

    >>> recode_head("<a>".encode("utf-16")), recode_head("<a>".encode("utf-16-be")), recode_head(b"\xef\xbb\xbf<a>")
    (b'<a>', b'<a>', b'<a>')
    """
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encoding = "utf-16"
    elif b"\0" in head[:2]:
        encoding = "utf-16-be" if head[:1] == b"\0" else "utf-16-le"
    else:
        return head.removeprefix(BOM)
    # The last character may be cut.
    return head.decode(encoding, "ignore").encode("utf-8", "ignore")


def read_lines(
    path: str | os.PathLike[str], progress: Progress = no_progress, *, longest: int = MAX_LINE_BYTES
) -> Iterator[tuple[int, str]]:
    """The lines of a text with their numbers from 1, without their ends; raises `InputError` where it is no UTF-8.

    So it does at a line of more than `longest` bytes.
    """
    name = show_name(path)
    with open_binary(path, progress) as file:
        lineno = start = 0
        while data := file.readline(longest + 1):
            lineno += 1
            if len(data) > longest:
                problem = f"a line of more than {longest:,} bytes"
                raise InputError(Place(name, lineno), problem, "lines that end in LF or CRLF")
            text = _decode(name, data, start, lineno)
            start += len(data)
            if "\r" in text and start == len(data) and not data.endswith(b"\n"):
                # No LF in all of it: lines end as on Mac OS 9, which `readers.content` reads too.
                yield from enumerate(text.removesuffix("\r").split("\r"), 1)
                return
            yield lineno, text


def _decode(name: str, data: bytes, start: int, lineno: int) -> str:
    """A line without its end; `start` says how many bytes are before it."""
    if b"\0" in data:
        check_text(name, data, start=start, lineno=lineno)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        check_text(name, data, start=start, lineno=lineno)
        raise
    if not start:
        text = text.removeprefix(BOM.decode())
    return text[:-2] if text.endswith("\r\n") else text.removesuffix("\n")
