"""Compressed data, told by its first bytes whatever the file is called: gzip, bzip2, xz, zstd."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

from evalign.errors import InputError, Place

_CHUNK = 1 << 16


class _DamagedError(Exception):
    """Data that a library cannot decompress, in its words."""


def find_compression(data: bytes) -> str:
    """The name of the compression, or nothing."""
    return next((kind for kind, (magic, _) in _COMPRESSIONS.items() if magic.match(data)), "")


def decompress(name: str, data: bytes) -> bytes:
    """Data as it was before it was compressed, all members of it; data that was not comes back as it is."""
    kind = find_compression(data)
    if not kind:
        return data
    try:
        return _COMPRESSIONS[kind][1](data)
    except ImportError:
        advice = 'pip install "evalign[zstd]"'
        raise InputError(Place(name), f"{kind} data", "a package that reads it", advice) from None
    except _DamagedError as error:
        found = f"{kind} data that ends early or is damaged ({error})"
        raise InputError(
            Place(name), found, f"a whole {kind} file", "copy or download the file again"
        ) from None


def _gzip(data: bytes) -> bytes:
    import gzip
    import zlib

    try:
        return gzip.decompress(data)
    except (EOFError, OSError, zlib.error) as error:
        raise _DamagedError(*error.args) from None


def _bz2(data: bytes) -> bytes:
    import bz2

    try:
        return bz2.decompress(data)
    except (EOFError, OSError, ValueError) as error:
        raise _DamagedError(*error.args) from None


def _xz(data: bytes) -> bytes:
    import lzma

    try:
        return lzma.decompress(data)
    except (EOFError, lzma.LZMAError) as error:
        raise _DamagedError(*error.args) from None


def _zstd(data: bytes) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd

        try:
            return bytes(zstd.decompress(data))
        except zstd.ZstdError as error:
            raise _DamagedError(*error.args) from None
    import zstandard

    try:
        return _zstd_frames(data, zstandard.ZstdDecompressor(max_window_size=1 << 31))
    except zstandard.ZstdError as error:
        raise _DamagedError(*error.args) from None


def _zstd_frames(data: bytes, decompressor: object) -> bytes:
    """All frames; the readers of zstandard stop in silence where the last frame is cut off."""
    pieces = []
    frame = decompressor.decompressobj()  # type: ignore[attr-defined]
    for start in range(0, len(data), _CHUNK):
        chunk = data[start : start + _CHUNK]
        while chunk:
            if frame.eof:
                frame = decompressor.decompressobj()  # type: ignore[attr-defined]
            pieces.append(frame.decompress(chunk))
            chunk = frame.unused_data if frame.eof else b""
    if not frame.eof:
        message = "the last frame is not complete"
        raise _DamagedError(message)
    return b"".join(pieces)


# "BZh" alone may begin a text, so its block header is looked at too. zstd may begin with a frame to skip.
_COMPRESSIONS: dict[str, tuple[re.Pattern[bytes], Callable[[bytes], bytes]]] = {
    "gzip": (re.compile(rb"\x1f\x8b"), _gzip),
    "bzip2": (re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"), _bz2),
    "xz": (re.compile(rb"\xfd7zXZ\x00"), _xz),
    "zstd": (re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"), _zstd),
}
