"""Bytes of an input, wherever they come from: a path, a URL, standard input, an open file, text.

Compressed files are told by their first bytes, whatever their name. What comes out is valid UTF-8 without
a byte order mark and with LF line ends; what was there instead is remarked on.
"""

from __future__ import annotations

import io
import os
import sys
from typing import IO, NamedTuple, TypeAlias, TypeGuard

from evalign.errors import CommandError, InputError, Place, Remark, show_name
from evalign.readers.byte_stream import ByteStream, read_stored
from evalign.readers.limits import refuse_size
from evalign.readers.paths import ByteFile, LocalFile, PathFile
from evalign.text import LONGEST_LINE, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.document import IntArray

Source: TypeAlias = "str | os.PathLike[str] | IO[str] | IO[bytes] | Text"

BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_CHUNK = 1 << 15
_MOST_LINES = 2**31 - 1


class TreeLayout(NamedTuple):
    """How trees in brackets stand on the lines of an input: what a reader must have seen more of than one slice to know."""

    by_line: bool
    """Whether a bracket in the first column begins a tree, even where one before it is not closed."""
    blank_lines_are_trees: bool
    """Whether every other line is one tree, so that an empty line stands for a failed parse."""


class Content(NamedTuple):
    """A file's text as UTF-8 bytes with LF line ends, or a slice of it, and what was tolerated to get there."""

    name: str
    data: bytes
    remarks: tuple[Remark, ...]
    lineno: int = 1
    """The number of its first line."""
    start: int = 0
    """Bytes of the file before it, as they are there."""
    layout: TreeLayout | None = None
    """Of a slice of trees in brackets: the layout of the file. None: found out from the data, which are all there is."""

    def place(self, line: int) -> Place:
        """Where one of its lines, counted from 1, stands in the file."""
        return Place(self.name, line + self.lineno - 1)

    def place_of(self, offset: int) -> Place:
        """Where the line that a byte is in stands in the file."""
        return self.place(self.data.count(b"\n", 0, offset) + 1)

    def linenos(self, lines: IntArray) -> IntArray:
        """Its lines, counted from 1, as lines of the file."""
        before = self.lineno - 1
        if not before:
            return lines
        # A file may have more lines than 32 bits count.
        return (lines if before + len(self.data) < _MOST_LINES else lines.astype("int64")) + before


def load(source: Source) -> Content:
    """All of an input; raises `InputError` where it cannot be text, or is larger than the limit (`readers.limits`)."""
    with open_stream(source) as stream:
        data = stream.read_whole()
    check_text(stream.name, data)
    return clean(stream.name, data)


def is_source(source: object) -> TypeGuard[Source]:
    """Whether it is a path, standard input, an open file or text: anything that has bytes."""
    return isinstance(source, (str, os.PathLike, Text)) or hasattr(source, "read")


def find_input_path(source: object) -> str:
    """The path or URL of an input, as it was given or opened; nothing for standard input, text and objects in memory."""
    if isinstance(source, Text):
        return ""
    if isinstance(source, (str, os.PathLike)):
        return "" if source == "-" else os.fsdecode(source)
    name = getattr(source, "name", "") if hasattr(source, "read") else ""
    return name if isinstance(name, str) and not name.startswith("<") else ""


def read_bytes(source: Source) -> tuple[str, bytes]:
    """An input's name as messages show it, and its bytes as they are stored, up to the limit (`readers.limits`)."""
    file = _open(source)
    try:
        return file.name, read_stored(file)
    finally:
        file.close()


def open_stream(source: Source) -> ByteStream:
    """An input to read piece by piece; raises `InputError` as `load` does, also while it is read."""
    return ByteStream(_open(source))


def _open(source: Source) -> ByteFile:
    if isinstance(source, Text):
        return OpenFile(source.name, io.BytesIO(source.text.encode("utf-8", "surrogatepass")))
    if isinstance(source, str) and source == "-":
        # Replaced by an object without bytes under it, in a notebook or a test.
        return OpenFile("<stdin>", getattr(sys.stdin, "buffer", sys.stdin))
    if isinstance(source, (str, os.PathLike)):
        return open_path(source)
    if hasattr(source, "read"):
        return OpenFile(show_name(str(getattr(source, "name", "<file>"))), source)
    found = f"{type(source).__name__} is not an input"
    raise CommandError(found, "a path, an open file, evalign.Text, or lists of tokens")


class OpenFile:
    """A file that somebody else has opened, and closes: it cannot be found again by path."""

    path = ""
    can_seek = False
    size = 0

    def __init__(self, name: str, file: IO[str] | IO[bytes] | None) -> None:
        self.name, self._file = name, file
        self._rest = memoryview(b"")
        self._at_end = False
        # What is kept in memory to be read again begins anew, also if it was not read to its end the last time.
        begin_again = getattr(file, "begin_again", None)
        if begin_again is not None:
            begin_again()

    def read(self, most: int) -> bytes:
        """The next bytes, at most so many; none at the end."""
        # So many characters may be more bytes; what has no bytes under it may know of no number, and gives all at once.
        if not self._rest and not self._at_end:
            try:
                self._rest = memoryview(read_open(self.name, self._file, most))
            except TypeError:
                self._rest, self._at_end = memoryview(read_open(self.name, self._file)), True
            # Not to be asked again: what is kept in memory would begin anew.
            self._at_end = self._at_end or not self._rest
        data, self._rest = bytes(self._rest[:most]), self._rest[most:]
        return data

    def close(self) -> None:
        """Let go of it."""
        self._rest = memoryview(b"")


def read_open(name: str, file: IO[str] | IO[bytes] | None, most: int = -1) -> bytes:
    """The next bytes of an open file, or as many as that many characters have; all by default."""
    if file is None:
        raise InputError(Place(name), "standard input is closed", "something to read from it")
    try:
        data = file.read() if most < 0 else file.read(most)
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


def open_path(source: str | os.PathLike[str], name: str = "") -> PathFile:
    """A file or a URL, open to read, in order or at any place; messages call it by another name if one is given."""
    path = os.fsdecode(source)
    if isinstance(source, str) and "://" in path:
        from evalign.readers.remote import RemoteFile, is_url

        if is_url(path):
            return RemoteFile(path, name)
    return LocalFile(path, name)


def read_range(path: str, start: int, end: int, name: str = "") -> bytes:
    """Some bytes of a file or a URL, as far as there are so many."""
    file = open_path(path, name)
    try:
        return file.read_range(start, end)
    finally:
        file.close()


def check_text(
    name: str, data: bytes, *, start: int = 0, lineno: int = 1, newline: bytes | None = None
) -> None:
    """Valid UTF-8 without NUL that positions can count, or an error that says which byte is wrong.

    Of a piece of a file `start` says how many bytes are before it, `lineno` which line it begins in, and `newline` what
    ends its lines.
    """
    if len(data) > LONGEST_LINE:  # given as it is, or one part of a file
        raise refuse_size(name, LONGEST_LINE)
    nul = data.find(b"\0")
    at, reason = (nul, "NUL") if nul >= 0 else _find_broken(data)
    if at < 0:
        return
    newline = newline or (b"\n" if b"\n" in data else b"\r")
    place = Place(name, data.count(newline, 0, at) + lineno)
    if not start and (data.startswith(_UTF_16) or 0 <= nul < 2):
        raise InputError(place, f"byte {at} is not UTF-8: UTF-16", "text in UTF-8", _convert("UTF-16", name))
    from evalign.readers.not_text import describe_binary

    kind, advice = ("", "") if start else describe_binary(data)
    if nul >= 0 or kind:
        what = "NUL" if nul >= 0 else "not UTF-8"
        found = f"byte {start + at} is {what}: binary data{f' ({kind})' if kind else ''}"
        raise InputError(place, found, "text in UTF-8", advice or "is this the right file?")
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
    # As on Mac OS 9; the CoNLL 2018 script reads them too.
    is_cr = b"\r" in data and b"\n" not in data
    return clean_slice(Content(name, data, ()), is_cr=is_cr, is_last=True)


def clean_slice(content: Content, *, is_cr: bool, is_last: bool) -> Content:
    """The same of some of a file's lines: every CR ends one if `is_cr`, the file ends with them if `is_last`."""
    data = content.data
    remarks = []
    if not content.start and data.startswith(BOM):
        data = data[len(BOM) :]
        remarks.append(Remark("bom", "byte order mark skipped", 1, (content.place(1),)))
    if is_cr and b"\r" in data:
        data = data.replace(b"\r", b"\n")
        remarks.append(Remark("cr", "line ends are CR, read as LF", data.count(b"\n"), (content.place(1),)))
    if b"\r" in data:
        crlf = data.count(b"\r\n")
        if crlf:
            place = content._replace(data=data).place_of(data.index(b"\r\n"))
            data = data.replace(b"\r\n", b"\n")
            remarks.append(Remark("crlf", "line ends are CRLF, read as LF", crlf, (place,)))
        if b"\r" in data:
            place = content._replace(data=data).place_of(data.index(b"\r"))
            message = "carriage return inside a line, taken as white space"
            remarks.append(Remark("cr", message, data.count(b"\r"), (place,)))
    content = content._replace(data=data)
    if is_last and data and not data.endswith(b"\n"):
        place = content.place_of(len(data))
        remarks.append(Remark("no-final-newline", "no newline at the end of the file", 1, (place,)))
    return content._replace(remarks=tuple(remarks))
