"""Bytes of an input, wherever they come from: a path, standard input, an open file, text.

Compressed files are told by their first bytes, whatever their name. What comes out is valid UTF-8 without
a byte order mark and with LF line ends; what was there instead is remarked on.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeAlias

from evalign.document import LONGEST_LINE, Text
from evalign.errors import InputError, Place, Remark

Source: TypeAlias = "str | os.PathLike[str] | IO[str] | IO[bytes] | Text"

_BOM = b"\xef\xbb\xbf"
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """A file's text as UTF-8 bytes with LF line ends, and what was tolerated to get there."""

    name: str
    data: bytes
    remarks: tuple[Remark, ...]
    first_lineno: int = 1


def load(source: Source) -> Content:
    """All of an input; raises `InputError` where it cannot be text."""
    name, data = _read_bytes(source)
    data = _decompress(name, data)
    if len(data) > LONGEST_LINE:
        raise InputError(
            Place(name), f"{len(data):,} bytes", f"at most {LONGEST_LINE:,}", "split the file at a document boundary"
        )
    _check_text(name, data)
    return _clean(name, data)


def _read_bytes(source: Source) -> tuple[str, bytes]:
    if isinstance(source, Text):
        return source.name, source.text.encode("utf-8", "surrogatepass")
    if not isinstance(source, (str, os.PathLike)):
        name = str(getattr(source, "name", "<file>"))
        data = source.read()
        return name, data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    if source == "-":
        return "<stdin>", sys.stdin.buffer.read()
    path = Path(source)
    try:
        return str(source), path.read_bytes()
    except FileNotFoundError:
        raise InputError(Place(str(source)), "no such file", "a file to read", _near_name(path)) from None
    except IsADirectoryError:
        raise InputError(Place(str(source)), "a directory", "a file", "name one of the files in it") from None
    except OSError as error:
        if path.is_dir():  # Windows says PermissionError
            raise InputError(Place(str(source)), "a directory", "a file", "name one of the files in it") from None
        raise InputError(Place(str(source)), f"cannot be read ({error.strerror})", "a readable file") from None


def _near_name(path: Path) -> str:
    from difflib import get_close_matches

    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return f'the folder "{path.parent}" does not exist either' if not path.parent.exists() else ""
    near = get_close_matches(path.name, names, 1)
    return f'did you mean "{path.parent / near[0]}"?' if near else ""


def _gzip(data: bytes) -> bytes:
    import gzip

    return gzip.decompress(data)


def _bz2(data: bytes) -> bytes:
    import bz2

    return bz2.decompress(data)


def _xz(data: bytes) -> bytes:
    import lzma

    return lzma.decompress(data)


def _zstd(data: bytes) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd

        return bytes(zstd.decompress(data))
    import zstandard

    reader = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True)
    return bytes(reader.read())


_COMPRESSIONS: tuple[tuple[str, bytes, Callable[[bytes], bytes]], ...] = (
    ("gzip", b"\x1f\x8b", _gzip),
    ("bzip2", b"BZh", _bz2),
    ("xz", b"\xfd7zXZ\x00", _xz),
    ("zstd", b"\x28\xb5\x2f\xfd", _zstd),
)


def _decompress(name: str, data: bytes) -> bytes:
    for kind, magic, decompress in _COMPRESSIONS:
        if not data.startswith(magic):
            continue
        try:
            return decompress(data)
        except ImportError:
            raise InputError(
                Place(name), f"{kind} data", "a package that reads it", 'pip install "evalign[zstd]"'
            ) from None
        except Exception as error:  # noqa: BLE001 - each library has its own error; all mean damaged data
            raise InputError(
                Place(name), f"{kind} data that ends early or is damaged ({error})", f"a whole {kind} file",
                "copy or download the file again",
            ) from None
    return data


def _check_text(name: str, data: bytes) -> None:
    """Valid UTF-8 without NUL, or an error that says which byte is not."""
    nul = data.find(b"\0")
    if nul >= 0:
        utf16 = data[:2] in (b"\xff\xfe", b"\xfe\xff") or data[1:2] == b"\0"
        raise InputError(
            Place(name, data.count(b"\n", 0, nul) + 1), f"byte {nul} is NUL: {'UTF-16' if utf16 else 'binary data'}",
            "text in UTF-8", f"iconv -f UTF-16 -t UTF-8 {name} > utf8.txt" if utf16 else "is this the right file?",
        )
    start = 0
    while start < len(data):
        # Windows of the data, cut at line ends so that no character is cut; mostly ASCII, which is told at once.
        end = data.find(b"\n", start + _CHUNK) + 1 or len(data)
        chunk = data[start:end]
        if not chunk.isascii():
            try:
                chunk.decode("utf-8")
            except UnicodeDecodeError as error:
                at = start + error.start
                raise InputError(
                    Place(name, data.count(b"\n", 0, at) + 1),
                    f"byte {at} (0x{data[at]:02X}) is not UTF-8: {error.reason}", "text in UTF-8",
                    f"if it is Latin-1: iconv -f ISO-8859-1 -t UTF-8 {name} > utf8.txt",
                ) from None
        start = end


def _clean(name: str, data: bytes) -> Content:
    remarks = []
    if data.startswith(_BOM):
        data = data[len(_BOM) :]
        remarks.append(Remark("bom", "byte order mark skipped", 1, (Place(name, 1),)))
    if b"\r" in data:
        crlf = data.count(b"\r\n")
        if crlf:
            lineno = data.count(b"\n", 0, data.index(b"\r\n")) + 1
            data = data.replace(b"\r\n", b"\n")
            remarks.append(Remark("crlf", "line ends are CRLF, read as LF", crlf, (Place(name, lineno),)))
        if b"\r" in data:
            lineno = data.count(b"\n", 0, data.index(b"\r")) + 1
            remarks.append(
                Remark("cr", "carriage return inside a line, taken as white space", data.count(b"\r"), (Place(name, lineno),))
            )
    if data and not data.endswith(b"\n"):
        lineno = data.count(b"\n") + 1
        remarks.append(Remark("no-final-newline", "no newline at the end of the file", 1, (Place(name, lineno),)))
    return Content(name, data, tuple(remarks))
