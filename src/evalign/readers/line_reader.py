"""Large files of this machine, decompressed and read line by line or as a buffered file, with progress.

Bitext inputs use it. Files may have any size, and zstd data any window, since dumps are packed with the long
windows of zstd. Paths are always paths: `-` is a file of that name, and URLs are not read.
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

# Most bytes in a line; a sentence has a few hundred.
MAX_LINE_BYTES = 1 << 24
_BUFFER = 1 << 17
_MEGABYTE = 1 << 20


@contextmanager
def open_binary(
    path: str | os.PathLike[str], progress: Progress = no_progress
) -> Iterator[io.BufferedReader]:
    """Open a file, to be read as decompressed bytes; raise `InputError` if it cannot be read."""
    with (
        ByteStream(LocalFile(os.fsdecode(path)), memory_limit=0) as stream,
        io.BufferedReader(_RawStream(stream, progress), _BUFFER) as file,
    ):
        yield cast("io.BufferedReader", file)


class _RawStream(io.RawIOBase):
    """A `ByteStream` as `io.BufferedReader` needs it; reports progress in megabytes of the stored file."""

    def __init__(self, stream: ByteStream, progress: Progress) -> None:
        self._stream, self._progress = stream, progress
        self._reported = -1

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object, /) -> int:
        """Fill `buffer` with the next bytes; return how many there were."""
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
    """Return the first `size` bytes of a file, decompressed."""
    with open_binary(path) as file:
        return file.read(size)


def recode_head(head: bytes) -> bytes:
    r"""Recode the first bytes of a text to UTF-8 without a byte order mark; they may be UTF-16.

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
    """Yield the lines of a text, without their ends, and their numbers from 1.

    Raises `InputError` where the text is not UTF-8, and for a line of more than `longest` bytes.
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
                # No LF in the whole file: lines end in CR, as on Mac OS 9 (see also `readers.content`).
                yield from enumerate(text.removesuffix("\r").split("\r"), 1)
                return
            yield lineno, text


def _decode(name: str, data: bytes, start: int, lineno: int) -> str:
    """Decode a line and strip its end; `start` is the offset of the line in the file."""
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
