"""Bytes of an input, wherever they come from: a path, standard input, an open file, text.

Compressed files are told by their first bytes, whatever their name. What comes out is valid UTF-8 without
a byte order mark and with LF line ends; what was there instead is remarked on.
"""

from __future__ import annotations

import os
import sys
from itertools import islice
from typing import IO, NamedTuple, TypeAlias, TypeGuard

from evalign.errors import CommandError, InputError, Place, Remark, quote
from evalign.readers.compressed import decompress
from evalign.text import LONGEST_LINE, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

Source: TypeAlias = "str | os.PathLike[str] | IO[str] | IO[bytes] | Text"

BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_CHUNK = 1 << 15
# Names in a folder that are looked at for one near to a missing file's.
_MOST_NAMES = 10_000


class Content(NamedTuple):
    """A file's text as UTF-8 bytes with LF line ends, and what was tolerated to get there."""

    name: str
    data: bytes
    remarks: tuple[Remark, ...]


def load(source: Source) -> Content:
    """All of an input; raises `InputError` where it cannot be text."""
    name, data = read_bytes(source)
    data = decompress(name, data)
    check_text(name, data)
    return clean(name, data)


def is_source(source: object) -> TypeGuard[Source]:
    """Whether it is a path, standard input, an open file or text: anything that has bytes."""
    return isinstance(source, (str, os.PathLike, Text)) or hasattr(source, "read")


def read_bytes(source: Source) -> tuple[str, bytes]:
    """An input's name as messages show it, and its bytes as they are."""
    if isinstance(source, Text):
        return source.name, source.text.encode("utf-8", "surrogatepass")
    if isinstance(source, str) and source == "-":
        # Replaced by an object without bytes under it, in a notebook or a test.
        return "<stdin>", _read_open("<stdin>", getattr(sys.stdin, "buffer", sys.stdin))
    if isinstance(source, (str, os.PathLike)):
        return _read_path(source)
    if hasattr(source, "read"):
        name = _shown(str(getattr(source, "name", "<file>")))
        return name, _read_open(name, source)
    kind = type(source).__name__
    found = f"{kind} is no input"
    raise CommandError(found, "a path, an open file, evalign.Text, or lists of tokens")


def _read_open(name: str, file: IO[str] | IO[bytes] | None) -> bytes:
    if file is None:
        raise InputError(Place(name), "standard input is closed", "something to read from it")
    try:
        data = file.read()
    except UnicodeDecodeError as error:
        raise InputError(
            Place(name), f"byte {error.start} is not {error.encoding}: {error.reason}", "text in UTF-8",
            'open the file in binary mode, open(path, "rb"), or give its path',
        ) from None  # fmt: skip
    except (OSError, ValueError) as error:  # a folder, a closed file, a file opened for writing
        found = f"cannot be read ({getattr(error, 'strerror', None) or error})"
        raise InputError(Place(name), found, "a file open for reading") from None
    if isinstance(data, str):
        return data.encode("utf-8", "surrogatepass")
    return bytes(data or b"")


def _read_path(source: str | os.PathLike[str]) -> tuple[str, bytes]:
    path = os.fsdecode(source)
    name = _shown(path)
    place = Place(name)
    if not path:
        raise InputError(Place('""'), "an empty path", "the path of a file, or - for standard input")
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib takes longer to import than most files to read
            return name, file.read()
    except FileNotFoundError:
        raise InputError(place, "no such file", "a file to read", _advise_missing(path)) from None
    except ValueError as error:  # a NUL in the path
        raise InputError(place, f"no path ({error})", "a file to read", _advise_missing(path)) from None
    except OSError as error:
        if _is_folder(path):  # Windows says PermissionError
            raise InputError(place, "a directory", "a file", "name one of the files in it") from None
        reason = error.strerror or str(error)
        raise InputError(
            place, f"cannot be read ({reason})", "a readable file", _advise_missing(path)
        ) from None


def _shown(name: str) -> str:
    """A name that a terminal can show: line ends, control characters and broken bytes escaped."""
    return name if name.isprintable() else quote(name)


def _is_folder(path: str) -> bool:
    from pathlib import Path

    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def _advise_missing(path: str) -> str:
    """What may have been meant by a path that leads nowhere."""
    from pathlib import Path

    if "\n" in path:
        return 'to read a text that is no path: evalign.Text("...")'
    try:
        return _near_name(Path(path))
    except (OSError, ValueError):
        return ""


def _near_name(path: Path) -> str:
    from difflib import get_close_matches

    if not path.parent.exists():
        return f"the folder {_shown(str(path.parent))} does not exist either"
    names = [entry.name for entry in islice(path.parent.iterdir(), _MOST_NAMES)]
    near = get_close_matches(path.name, names, 1)
    return f"did you mean {_shown(str(path.parent / near[0]))}?" if near else ""


def check_text(name: str, data: bytes, *, start: int = 0, lineno: int = 1) -> None:
    """Valid UTF-8 without NUL that positions can count, or an error that says which byte is wrong.

    Of a piece of a file `start` says how many bytes are before it, and `lineno` which line it begins in.
    """
    if len(data) > LONGEST_LINE:
        advice = "split the file at a document boundary"
        raise InputError(Place(name), f"{len(data):,} bytes", f"at most {LONGEST_LINE:,}", advice)
    nul = data.find(b"\0")
    at, reason = (nul, "NUL") if nul >= 0 else _find_broken(data)
    if at < 0:
        return
    place = Place(name, data.count(b"\n", 0, at) + lineno)
    if not start and (data.startswith(_UTF_16) or 0 <= nul < 2):
        raise InputError(place, f"byte {at} is not UTF-8: UTF-16", "text in UTF-8", _convert("UTF-16", name))
    if nul >= 0:
        archive = "unpack the archive first" if data.startswith(b"PK") or data[257:262] == b"ustar" else ""
        advice = archive or "is this the right file?"
        raise InputError(place, f"byte {start + at} is NUL: binary data", "text in UTF-8", advice)
    found = f"byte {start + at} (0x{data[at]:02X}) is not UTF-8: {reason}"
    raise InputError(place, found, "text in UTF-8", f"if it is Latin-1: {_convert('ISO-8859-1', name)}")


def _find_broken(data: bytes) -> tuple[int, str]:
    """The first byte that is not UTF-8 and why, or -1. Looks at whole lines, so that no character is cut."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + _CHUNK) + 1 or len(data)
        chunk = data[start:end]
        if not chunk.isascii():
            try:
                chunk.decode("utf-8")
            except UnicodeDecodeError as error:
                return start + error.start, error.reason
        start = end
    return -1, ""


def _convert(encoding: str, name: str) -> str:
    import shlex

    return f"iconv -f {encoding} -t UTF-8 {'FILE' if name.startswith('<') else shlex.quote(name)} > utf8.txt"


def clean(name: str, data: bytes) -> Content:
    """Text without a byte order mark and with LF line ends, and remarks on what it had."""
    remarks = []
    if data.startswith(BOM):
        data = data[len(BOM) :]
        remarks.append(Remark("bom", "byte order mark skipped", 1, (Place(name, 1),)))
    if b"\r" in data and b"\n" not in data:
        # As on Mac OS 9; the CoNLL 2018 script reads them too.
        data = data.replace(b"\r", b"\n")
        remarks.append(Remark("cr", "line ends are CR, read as LF", data.count(b"\n"), (Place(name, 1),)))
    if b"\r" in data:
        crlf = data.count(b"\r\n")
        if crlf:
            place = _place_of(name, data, b"\r\n")
            data = data.replace(b"\r\n", b"\n")
            remarks.append(Remark("crlf", "line ends are CRLF, read as LF", crlf, (place,)))
        if b"\r" in data:
            place = _place_of(name, data, b"\r")
            message = "carriage return inside a line, taken as white space"
            remarks.append(Remark("cr", message, data.count(b"\r"), (place,)))
    if data and not data.endswith(b"\n"):
        place = Place(name, data.count(b"\n") + 1)
        remarks.append(Remark("no-final-newline", "no newline at the end of the file", 1, (place,)))
    return Content(name, data, tuple(remarks))


def _place_of(name: str, data: bytes, found: bytes) -> Place:
    return Place(name, data.count(b"\n", 0, data.index(found)) + 1)
