"""Inputs of any size, read and decompressed piece by piece; `readers.source` reads them at once."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from typing import IO

from evalign.errors import InputError
from evalign.readers.compressed import N_TELLING, Unpacker, find_compression
from evalign.readers.paths import ByteFile, show_name
from evalign.readers.source import Source, open_path, read_bytes, read_open
from evalign.text import Text

# What a decompressor may hold: gzip needs 32 KB, bzip2 4 MB, xz -9 and zstd --ultra -22 less than 150 MB.
MOST_MEMORY = 1 << 28


def open_stream(source: Source) -> ByteStream:
    """An input to read piece by piece; raises `InputError` as `readers.source.load` does, also while it is read."""
    file: ByteFile
    if isinstance(source, str) and source == "-":
        file = _OpenFile("<stdin>", getattr(sys.stdin, "buffer", sys.stdin))
    elif isinstance(source, (str, os.PathLike)):
        file = open_path(source)
    elif not isinstance(source, Text) and hasattr(source, "read"):
        file = _OpenFile(show_name(str(getattr(source, "name", "<file>"))), source)
    else:
        name, data = read_bytes(source)
        file = _OpenFile(name, io.BytesIO(data))
    try:
        return ByteStream(file)
    except InputError:
        file.close()
        raise


class ByteStream:
    """The bytes of an input as they were before it was compressed, in order."""

    def __init__(self, file: ByteFile) -> None:
        self._file, self.name = file, file.name
        self._head = file.read(N_TELLING)
        # A pipe may give less than it was asked for.
        while len(self._head) < N_TELLING and (more := file.read(N_TELLING - len(self._head))):
            self._head += more
        self.compression = find_compression(self._head)
        """gzip, bzip2, xz, zstd, or nothing."""
        self._next: Callable[[int], bytes] = self._read_stored
        if self.compression:
            self._next = Unpacker(
                self.name, self.compression, self._read_stored, most_memory=MOST_MEMORY
            ).read

    def read(self, n: int) -> bytes:
        """The next bytes: so many, or fewer at the end, where there are none in the end."""
        data = self._next(n)
        if len(data) in (0, n):
            return data
        pieces, missing = [data], n - len(data)
        while missing and (data := self._next(missing)):
            pieces.append(data)
            missing -= len(data)
        return b"".join(pieces)

    @property
    def can_seek(self) -> bool:
        """Whether others can read the same bytes by `path` and the numbers of the first and last: it is not compressed."""
        return not self.compression and self._file.can_seek

    @property
    def path(self) -> str:
        """The path or URL where it is, also as seen from other folders; nothing where it has none."""
        return self._file.path

    def close(self) -> None:
        """Close what was opened here; an open file that was given stays open."""
        self._file.close()

    def __enter__(self) -> ByteStream:  # noqa: PYI034 - Self is new in Python 3.11
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _read_stored(self, n: int) -> bytes:
        if not self._head:
            return self._file.read(n)
        data, self._head = self._head[:n], self._head[n:]
        return data


class _OpenFile:
    """A file that somebody else has opened: it cannot be found again by path."""

    path = ""
    can_seek = False

    def __init__(self, name: str, file: IO[str] | IO[bytes] | None) -> None:
        self.name, self._file = name, file
        self._rest = b""

    def read(self, most: int = -1) -> bytes:
        # So many characters may be more bytes; what has no bytes under it may know of no number at all.
        data = self._rest
        try:
            data = data or read_open(self.name, self._file, most)
        except TypeError:
            data = read_open(self.name, self._file)
        self._rest = data[most:] if most >= 0 else b""
        return data[: len(data) - len(self._rest)]

    def close(self) -> None:
        self._rest = b""
