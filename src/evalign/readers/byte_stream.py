"""The bytes of an input of any size, decompressed while they are read: in pieces, or whole up to a limit."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Self

from evalign.errors import InputError
from evalign.readers.compression import MAGIC_BYTES, Decompressor, find_compression
from evalign.readers.limits import find_limit, refuse_size
from evalign.readers.paths import ByteFile

# What decompression may take: gzip needs 32 KB, bzip2 4 MB, xz -9 and zstd --ultra -22 less than 150 MB.
MEMORY_LIMIT = 1 << 28
# Bytes that are read at a time where all of them are wanted.
_PIECE = 1 << 18


class ByteStream:
    """The bytes of an input as they were before it was compressed, in order.

    Decompression takes at most `memory_limit` bytes and some MB, or what it needs if that is 0. The file is closed if
    it cannot be decompressed.
    """

    def __init__(self, file: ByteFile, *, memory_limit: int = MEMORY_LIMIT) -> None:
        self._file, self.name = file, file.name
        self.stored_read = 0
        """Bytes of the file that have been read, as it is stored."""
        self._head = b""
        try:
            # A pipe may give less than it was asked for.
            while len(self._head) < MAGIC_BYTES and (more := file.read(MAGIC_BYTES - len(self._head))):
                self._head += more
            self.compression = find_compression(self._head)
            """gzip, bzip2, xz, zstd, or nothing."""
            self._next: Callable[[int], bytes] = self._read_stored
            if self.compression:
                unpacking = Decompressor(
                    self.name, self.compression, self._read_stored, memory_limit=memory_limit
                )
                self._next = unpacking.read
        except InputError:
            file.close()
            raise

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

    def read_whole(self) -> bytes:
        """All bytes that are left; raises `InputError` as soon as they are more than the limit (`readers.limits`)."""
        return _read_up_to(find_limit(), self.name, self._next, self.stored_size, self.compression)

    @property
    def stored_size(self) -> int:
        """Bytes of the file as it is stored; 0 where nobody knows."""
        return self._file.size

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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _read_stored(self, n: int) -> bytes:
        if self._head:
            data, self._head = self._head[:n], self._head[n:]
        else:
            data = self._file.read(n)
        self.stored_read += len(data)
        return data


def read_stored(file: ByteFile) -> bytes:
    """All bytes of a file as it is stored; raises `InputError` as soon as they are more than the limit."""
    return _read_up_to(find_limit(), file.name, file.read, file.size)


def _read_up_to(
    limit: int, name: str, read: Callable[[int], bytes], stored_size: int, compression: str = ""
) -> bytes:
    if not compression and stored_size > limit:
        raise refuse_size(name, limit)
    # It grows in place, and gives its bytes away without a copy: a list of pieces to join would take twice the memory.
    whole = io.BytesIO()
    while piece := read(_PIECE):
        if whole.tell() + len(piece) > limit:
            raise refuse_size(name, limit, compression)
        whole.write(piece)
    return whole.getvalue()
