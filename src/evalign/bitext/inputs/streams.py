"""Files of any size, read piece by piece: compressed ones are told by their first bytes, whatever their name.

`readers.source` does the same for files that are read at once.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from evalign.errors import InputError, Place, quote
from evalign.progress import Progress, Step, no_progress
from evalign.readers.compressed import find_compression
from evalign.readers.source import BOM, check_text, read_bytes

# Bytes of the longest line; a sentence has a few hundred.
LONGEST_LINE = 1 << 24
_BUFFER = 1 << 17
# Three bytes of zstd may stand for 128 KB, and zstandard gives all of them at once.
_ZSTD_PIECE = 1 << 10
_MEGABYTE = 1 << 20


class _Readable(Protocol):
    """What gives bytes: a file, or one that decompresses."""

    def read(self, most: int, /) -> bytes:
        """The next bytes; none at the end."""


class _Bytes(io.RawIOBase):
    """Bytes of a file as they were before it was compressed, or an `InputError` that names it."""

    def __init__(self, name: str, file: io.BufferedReader, progress: Progress) -> None:
        self._name, self._file, self._progress = name, file, progress
        try:
            self._kind = find_compression(file.peek(64))
        except OSError as error:
            raise _refuse_reading(name, error) from None
        self._inner = _unpack(name, self._kind, file)
        self._size = os.fstat(file.fileno()).st_size if file.seekable() else 0
        self._told = -1

    def readable(self) -> bool:
        """It is; it cannot be written."""
        return True

    def readinto(self, buffer: object, /) -> int:
        """Fill a buffer, as far as there is something left."""
        view = memoryview(buffer)  # type: ignore[arg-type]
        damaged: tuple[type[Exception], ...] = (EOFError, OSError, *_damages())
        try:
            data = self._inner.read(len(view))
        except damaged as error:
            raise self._refuse(error) from None
        view[: len(data)] = data
        self._tell()
        return len(data)

    def _refuse(self, error: Exception) -> InputError:
        if isinstance(error, OSError) and error.errno:
            return _refuse_reading(self._name, error)
        found = f"{self._kind} data that ends early or is damaged ({error})"
        return InputError(
            Place(self._name), found, f"a whole {self._kind} file", "copy or download the file again"
        )

    def _tell(self) -> None:
        """How far the file is read, in megabytes, where that has changed."""
        done = self._file.tell() // _MEGABYTE if self._size else 0
        if done > self._told:
            self._told = done
            self._progress(Step(f"reading {self._name} (MB)", done, self._size // _MEGABYTE))


def _refuse_reading(name: str, error: OSError | ValueError) -> InputError:
    reason = getattr(error, "strerror", None) or error
    return InputError(Place(name), f"cannot be read ({reason})", "a readable file")


def _unpack(name: str, kind: str, file: io.BufferedReader) -> _Readable:
    if kind == "gzip":
        import gzip

        return gzip.GzipFile(fileobj=file)
    if kind == "bzip2":
        import bz2

        return bz2.BZ2File(file)
    if kind == "xz":
        import lzma

        return lzma.LZMAFile(file)
    return _unpack_zstd(name, file) if kind else file


def _unpack_zstd(name: str, file: io.BufferedReader) -> _Readable:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd

            opened: _Readable = zstd.ZstdFile(file)
            return opened
        return _ZstdFrames(file)
    except ImportError:
        advice = 'pip install "evalign[zstd]"'
        raise InputError(Place(name), "zstd data", "a package that reads it", advice) from None


class _ZstdFrames:
    """All frames of a zstd file; the readers of zstandard stop in silence where the last frame is cut off."""

    def __init__(self, file: io.BufferedReader) -> None:
        import zstandard

        self._file = file
        self._decompressor = zstandard.ZstdDecompressor(max_window_size=1 << 31)
        self._frame = self._decompressor.decompressobj()
        self._packed = self._ready = b""

    def read(self, most: int, /) -> bytes:
        """The next bytes; none at the end."""
        while not self._ready:
            self._packed = self._packed or self._file.read(_ZSTD_PIECE)
            if not self._packed:
                if not self._frame.eof:
                    message = "the last frame is not complete"
                    raise EOFError(message)
                return b""
            if self._frame.eof:
                self._frame = self._decompressor.decompressobj()
            self._ready = self._frame.decompress(self._packed)
            self._packed = self._frame.unused_data if self._frame.eof else b""
        data, self._ready = self._ready[:most], self._ready[most:]
        return data


def _damages() -> tuple[type[Exception], ...]:
    """What the libraries that are loaded raise for damaged data; no other can have."""
    known = (
        ("zlib", "error"),
        ("lzma", "LZMAError"),
        ("zstandard", "ZstdError"),
        ("compression.zstd", "ZstdError"),
    )
    return tuple(getattr(sys.modules[module], name) for module, name in known if module in sys.modules)


def show_path(path: str | os.PathLike[str]) -> str:
    """A path as messages show it."""
    name = os.fsdecode(path)
    return name if name.isprintable() and name else quote(name)


@contextmanager
def open_bytes(path: str | os.PathLike[str], progress: Progress = no_progress) -> Iterator[io.BufferedReader]:
    """A file to read bytes from as they were before it was compressed; raises `InputError` where it cannot be read."""
    if not os.fspath(path):
        read_bytes(path)
    try:
        file = Path(path).open("rb")  # noqa: SIM115 - closed below; what is raised there is not of opening
    except (OSError, ValueError) as error:
        # It knows what to say of a path that leads nowhere, and which one may have been meant.
        read_bytes(Path(path))
        raise _refuse_reading(show_path(path), error) from None
    with file:
        yield io.BufferedReader(_Bytes(show_path(path), file, progress), _BUFFER)


def read_head(path: str | os.PathLike[str], most: int = 1 << 12) -> bytes:
    """The first bytes of a file, as they were before it was compressed."""
    with open_bytes(path) as file:
        return file.read(most)


def read_lines(path: str | os.PathLike[str], progress: Progress = no_progress) -> Iterator[tuple[int, str]]:
    """The lines of a text with their numbers from 1, without their ends; raises `InputError` where it is no UTF-8."""
    name = show_path(path)
    with open_bytes(path, progress) as file:
        lineno = start = 0
        while data := file.readline(LONGEST_LINE + 1):
            lineno += 1
            if len(data) > LONGEST_LINE:
                found = f"a line of more than {LONGEST_LINE:,} bytes"
                raise InputError(Place(name, lineno), found, "lines that end in LF or CRLF")
            text = _decode(name, data, start, lineno)
            start += len(data)
            if "\r" in text and start == len(data) and not data.endswith(b"\n"):
                # No LF in all of it: lines end as on Mac OS 9, which `readers.source` reads too.
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
