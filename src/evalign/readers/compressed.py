"""Compressed data, told by its first bytes whatever the file is called: gzip, bzip2, xz, zstd."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from typing import NamedTuple, Protocol

from evalign.errors import InputError, Place

# So many first bytes tell how data is compressed.
N_TELLING = 16
_PIECE = 1 << 16
_OUTPUT = 1 << 20
# zstandard gives all that a piece stands for at once, and four bytes of it may stand for 128 KB.
_ZSTD_PIECE = 1 << 8
_EARLY = "compressed data ended before the end-of-stream marker was reached"


class _Member(Protocol):
    """One member of compressed data, as `bz2`, `lzma` and `compression.zstd` decompress it."""

    @property
    def eof(self) -> bool:
        """Whether its end was reached."""

    @property
    def needs_input(self) -> bool:
        """Whether nothing more comes out before something is put in."""

    @property
    def unused_data(self) -> bytes:
        """What was put in behind its end."""

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        """Put in the next bytes, and get out so many at most."""


class _Kind(NamedTuple):
    """A way to compress data."""

    magic: re.Pattern[bytes]
    begin: Callable[[int], _Member]
    """Begins a member; the number is the most memory that may be needed, 0 for any."""
    damages: Callable[[], tuple[type[Exception], ...]]
    """What is raised for damaged data."""
    is_bounded: bool = True
    """Whether not more comes out at once than was asked for."""


def find_compression(data: bytes) -> str:
    """The name of the compression, or nothing."""
    return next((name for name, kind in _KINDS.items() if kind.magic.match(data)), "")


def decompress(name: str, data: bytes) -> bytes:
    """Data as it was before it was compressed, all members of it; data that was not comes back as it is."""
    kind = find_compression(data)
    if not kind:
        return data
    unpacker = Unpacker(name, kind, io.BytesIO(data).read)
    return b"".join(iter(lambda: unpacker.read(_OUTPUT), b""))


class Unpacker:
    """Compressed data that is read piece by piece, all members of it; `read` gives the data as it is stored.

    With `most_memory` no more than that many bytes, and some MB, are held however it is compressed.
    """

    def __init__(self, name: str, kind: str, read: Callable[[int], bytes], *, most_memory: int = 0) -> None:
        self._name, self._kind, self._read, self._most_memory = name, kind, read, most_memory
        how = _KINDS[kind]
        try:
            self._member = how.begin(most_memory)
        except ImportError:
            advice = 'pip install "evalign[zstd]"'
            raise InputError(Place(name), f"{kind} data", "a package that reads it", advice) from None
        self._damages = how.damages()
        self._piece = _PIECE if how.is_bounded or not most_memory else _ZSTD_PIECE
        self._ready = memoryview(b"")

    def read(self, most: int) -> bytes:
        """The next bytes, at least one and at most so many; none at the end. Raises `InputError` where it is damaged."""
        while not self._ready:
            packed = self._next_piece()
            if packed is None:
                return b""
            try:
                self._ready = memoryview(self._member.decompress(packed, most))
            except self._damages as error:
                raise self._refuse(str(error)) from None
        data, self._ready = bytes(self._ready[:most]), self._ready[most:]
        return data

    def _next_piece(self) -> bytes | None:
        """What to put in next; None where all has come out. Members may have NULs between them and behind the last."""
        member = self._member
        if not member.eof:
            packed = self._read(self._piece) if member.needs_input else b""
            if member.needs_input and not packed:
                raise self._refuse(_EARLY)
            return packed
        packed = member.unused_data.lstrip(b"\0")
        while not packed:
            stored = self._read(self._piece)
            if not stored:
                return None
            packed = stored.lstrip(b"\0")
        self._member = _KINDS[self._kind].begin(self._most_memory)
        return packed

    def _refuse(self, reason: str) -> InputError:
        place, kind = Place(self._name), self._kind
        if self._most_memory and "memory" in reason.lower():
            found = f"{kind} data that needs more than {self._most_memory >> 20} MB to be decompressed"
            advice = f"compress it without a larger window, or decompress it first: {kind} -d"
            return InputError(place, found, "data that can be read in pieces", advice)
        found = f"{kind} data that ends early or is damaged ({reason})"
        return InputError(place, found, f"a whole {kind} file", "copy or download the file again")


class _GzipMember:
    """A member of gzip data; zlib keeps what it has not looked at yet."""

    def __init__(self, _most_memory: int) -> None:
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
    """A frame of zstd data, where Python has no module of its own; the readers of zstandard do not say if one is cut off."""

    needs_input = True

    def __init__(self, most_memory: int) -> None:
        import zstandard

        decompressor = zstandard.ZstdDecompressor(max_window_size=most_memory or 1 << 31)
        self._inner = decompressor.decompressobj()

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, _max_length: int = -1) -> bytes:
        return self._inner.decompress(data)


def _begin_bz2(_most_memory: int) -> _Member:
    import bz2

    return bz2.BZ2Decompressor()


def _begin_xz(most_memory: int) -> _Member:
    import lzma

    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=most_memory or None)


def _begin_zstd(most_memory: int) -> _Member:
    if sys.version_info >= (3, 14):
        from compression import zstd

        log = (most_memory or 1 << 31).bit_length() - 1
        return zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: log})
    return _ZstdFrame(most_memory)


def _gzip_damages() -> tuple[type[Exception], ...]:
    import zlib

    return (zlib.error,)


def _bz2_damages() -> tuple[type[Exception], ...]:
    return OSError, ValueError


def _xz_damages() -> tuple[type[Exception], ...]:
    import lzma

    return (lzma.LZMAError,)


def _zstd_damages() -> tuple[type[Exception], ...]:
    if sys.version_info >= (3, 14):
        from compression import zstd

        return (zstd.ZstdError,)
    import zstandard

    return (zstandard.ZstdError,)


# "BZh" alone may begin a text, so its block header is looked at too. zstd may begin with a frame to skip.
_KINDS: dict[str, _Kind] = {
    "gzip": _Kind(re.compile(rb"\x1f\x8b"), _GzipMember, _gzip_damages),
    "bzip2": _Kind(re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"), _begin_bz2, _bz2_damages),
    "xz": _Kind(re.compile(rb"\xfd7zXZ\x00"), _begin_xz, _xz_damages),
    "zstd": _Kind(
        re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"),
        _begin_zstd,
        _zstd_damages,
        is_bounded=sys.version_info >= (3, 14),
    ),
}
