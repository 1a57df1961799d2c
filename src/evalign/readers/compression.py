"""Decompression of gzip, bzip2, xz and zstd data piece by piece.

The kind of compression is found from the first bytes, whatever the file's name is. `byte_stream` is the only
user.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Protocol

from evalign.errors import InputError, Place, advise_install

# First bytes that suffice to find the compression.
MAGIC_BYTES = 16
# Compressed bytes fed to a decompressor at a time.
_STEP = 1 << 16
# Fewer for a library that cannot bound its output: four bytes of zstd may stand for 128 KB.
_SMALL_STEP = 1 << 8
_EARLY = "compressed data ended before the end-of-stream marker was reached"


class _Member(Protocol):
    """One member of compressed data, with the interface of `bz2`, `lzma` and `compression.zstd`."""

    @property
    def eof(self) -> bool:
        """True once the end of the member was reached."""

    @property
    def needs_input(self) -> bool:
        """Whether more input is needed before there is more output."""

    @property
    def unused_data(self) -> bytes:
        """Input behind the end of the member."""

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        """Feed `data` and return at most `max_length` bytes (any number if negative)."""


# How data of each kind begins. "BZh" alone may begin a text, so the block header behind it is checked too. zstd
# may begin with a skippable frame.
_BEGINNINGS = {
    "gzip": re.compile(rb"\x1f\x8b"),
    "bzip2": re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"),
    "xz": re.compile(rb"\xfd7zXZ\x00"),
    "zstd": re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"),
}


def find_compression(data: bytes) -> str:
    """Return gzip, bzip2, xz or zstd if `data` begins as such data does, else ""."""
    return next((kind for kind, beginning in _BEGINNINGS.items() if beginning.match(data)), "")


class Decompressor:
    """Decompresses data piece by piece, through all its members.

    `read(n)` returns the next stored bytes. No step returns more than requested, or holds more than a few MB
    beside the window that the data was compressed with. `memory_limit` also limits this window; data that
    needs more is refused.
    """

    def __init__(self, name: str, kind: str, read: Callable[[int], bytes], *, memory_limit: int = 0) -> None:
        self._name, self._kind, self._read, self._memory_limit = name, kind, read, memory_limit
        # Compressed bytes to feed at a time, so that the output of one step stays small.
        self._step = _SMALL_STEP if kind == "zstd" and sys.version_info < (3, 14) else _STEP
        try:
            self._member, self._errors = _begin(kind, memory_limit)
        except ImportError:
            expected = "a package that reads it"
            raise InputError(Place(name), f"{kind} data", expected, advise_install("zstd")) from None
        self._ready = memoryview(b"")

    def read(self, size: int) -> bytes:
        """Return the next bytes, at least one and at most `size`; b"" at the end.

        Raises `InputError` for damaged data.
        """
        while not self._ready:
            packed = self._next_piece()
            if packed is None:
                return b""
            try:
                self._ready = memoryview(self._member.decompress(packed, size))
            except self._errors as error:
                raise self._refuse(str(error)) from None
        data, self._ready = bytes(self._ready[:size]), self._ready[size:]
        return data

    def _next_piece(self) -> bytes | None:
        """Return the input to feed next; None at the end.

        NUL bytes between members and behind the last one are skipped.
        """
        member = self._member
        if not member.eof:
            packed = self._read(self._step) if member.needs_input else b""
            if member.needs_input and not packed:
                raise self._refuse(_EARLY)
            return packed
        packed = member.unused_data.lstrip(b"\0")
        while not packed:
            stored = self._read(self._step)
            if not stored:
                return None
            packed = stored.lstrip(b"\0")
        self._member, _ = _begin(self._kind, self._memory_limit)
        return packed

    def _refuse(self, reason: str) -> InputError:
        place, kind = Place(self._name), self._kind
        if self._memory_limit and "memory" in reason.lower():
            problem = f"{kind} data that needs more than {self._memory_limit >> 20} MB to be decompressed"
            advice = f"compress it without a larger window, or decompress it first: {kind} -d"
            return InputError(place, problem, "data that can be read in pieces", advice)
        problem = f"{kind} data that ends early or is damaged ({reason})"
        return InputError(place, problem, f"a whole {kind} file", "copy or download the file again")


class _GzipMember:
    """Decompresses one member of gzip data. zlib keeps input not yet consumed in `unconsumed_tail`."""

    def __init__(self) -> None:
        import zlib

        self._inner = zlib.decompressobj(16 + zlib.MAX_WBITS)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max(0, max_length))


class _ZstdFrame:
    """A frame of zstd data, for Python before 3.14.

    The stream readers of the package zstandard do not notice a frame that is cut off, so its decompression
    object is used.
    """

    needs_input = True

    def __init__(self, memory_limit: int) -> None:
        import zstandard

        decompressor = zstandard.ZstdDecompressor(max_window_size=memory_limit or 1 << 31)
        self._inner = decompressor.decompressobj()

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, _max_length: int = -1) -> bytes:
        return self._inner.decompress(data)


def _begin(kind: str, memory_limit: int) -> tuple[_Member, tuple[type[Exception], ...]]:
    """Begin to decompress a member, in any amount of memory if the limit is 0.

    Returns also the exceptions that damaged data raises. Raises `ImportError` if a package is missing.
    """
    if kind == "gzip":
        import zlib

        return _GzipMember(), (zlib.error,)
    if kind == "bzip2":
        import bz2

        return bz2.BZ2Decompressor(), (OSError, ValueError)
    if kind == "xz":
        import lzma

        return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=memory_limit or None), (lzma.LZMAError,)
    if sys.version_info >= (3, 14):
        from compression import zstd

        log = (memory_limit or 1 << 31).bit_length() - 1
        options = {zstd.DecompressionParameter.window_log_max: log}
        return zstd.ZstdDecompressor(options=options), (zstd.ZstdError,)
    import zstandard

    return _ZstdFrame(memory_limit), (zstandard.ZstdError,)
