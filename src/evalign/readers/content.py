"""The text of an input as checked bytes, with remarks on what was changed.

`load` reads a whole input; `check_text` and `clean` take bytes that the caller has read. The result is valid
UTF-8 without a byte order mark and with LF line ends. Every reader starts from it. Needs no numpy.
"""

from __future__ import annotations

from typing import NamedTuple

from evalign.errors import InputError, Place, Remark
from evalign.readers.byte_stream import open_stream
from evalign.readers.limits import refuse_size
from evalign.text import LONGEST_LINE, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from evalign.document import IntArray


BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_CHUNK = 1 << 15
_MOST_LINES = 2**31 - 1


class TreeLayout(NamedTuple):
    """How trees in brackets stand on the lines of an input.

    A single chunk does not show the layout, so it is determined from the beginning of the input.
    """

    by_line: bool
    """True if a bracket in the first column begins a tree, even if the tree before it is not closed."""
    blank_lines_are_trees: bool
    """True if every other line is one tree, so that an empty line stands for a failed parse."""


class Content(NamedTuple):
    """The text of a file, or of a chunk of it, as UTF-8 bytes with LF line ends, and remarks on changes."""

    name: str
    data: bytes
    remarks: tuple[Remark, ...]
    lineno: int = 1
    """Line number of the first line in the file."""
    start: int = 0
    """Offset of the first byte in the file."""
    layout: TreeLayout | None = None
    """The layout of the file, for a chunk of trees in brackets. None: found from the data, a whole file."""

    def place(self, line: int) -> Place:
        """Return the place in the file of a line of this content, counted from 1."""
        return Place(self.name, line + self.lineno - 1)

    def place_of(self, offset: int) -> Place:
        """Return the place in the file of the line that contains the byte at `offset`."""
        return self.place(self.data.count(b"\n", 0, offset) + 1)

    def linenos(self, lines: IntArray) -> IntArray:
        """Convert line numbers of this content, counted from 1, into line numbers of the file."""
        before = self.lineno - 1
        if not before:
            return lines
        # A file may have more lines than 32 bits count.
        return (lines if before + len(self.data) < _MOST_LINES else lines.astype("int64")) + before


def load(source: Source) -> Content:
    """Read a whole input as checked text.

    Raises `InputError` if it is not text, or larger than the limit (`readers.limits`).
    """
    with open_stream(source) as stream:
        data = stream.read_whole()
    check_text(stream.name, data)
    return clean(stream.name, data)


def check_text(
    name: str,
    data: bytes,
    *,
    start: int = 0,
    lineno: int = 1,
    newline: bytes | None = None,
    limit: int = LONGEST_LINE,
) -> None:
    """Raise `InputError` unless `data` is valid UTF-8 without NUL and at most `limit` bytes.

    The default limit is what positions can count. For a piece of a file, `start` is the offset of its first
    byte, `lineno` the number of its first line, and `newline` the end of its lines.
    """
    if len(data) > limit:  # possible for a text in memory, and for a chunk of a file
        raise refuse_size(name, limit)
    nul = data.find(b"\0")
    at, reason = (nul, "NUL") if nul >= 0 else _find_broken(data)
    if at < 0:
        return
    newline = newline or (b"\n" if b"\n" in data else b"\r")
    place = Place(name, data.count(newline, 0, at) + lineno)
    if not start and (data.startswith(_UTF_16) or 0 <= nul < 2):
        raise InputError(place, f"byte {at} is not UTF-8: UTF-16", "text in UTF-8", _convert("UTF-16", name))
    from evalign.readers.foreign_files import describe_binary

    kind, advice = ("", "") if start else describe_binary(data)
    if nul >= 0 or kind:
        what = "NUL" if nul >= 0 else "not UTF-8"
        problem = f"byte {start + at} is {what}: binary data{f' ({kind})' if kind else ''}"
        raise InputError(place, problem, "text in UTF-8", advice or "is this the right file?")
    problem = f"byte {start + at} (0x{data[at]:02X}) is not UTF-8: {reason}"
    raise InputError(place, problem, "text in UTF-8", f"if it is Latin-1: {_convert('ISO-8859-1', name)}")


def _find_broken(data: bytes) -> tuple[int, str]:
    """Return the offset of the first byte that is not UTF-8, and the reason; -1 and "" if there is none.

    Decodes whole lines, so that no character is cut.
    """
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
    """Remove a byte order mark and convert line ends to LF, with a remark for each."""
    # Lines that end in CR, as on Mac OS 9. The CoNLL 2018 script reads them too.
    is_cr = b"\r" in data and b"\n" not in data
    return clean_chunk(Content(name, data, ()), is_cr=is_cr, is_last=True)


def clean_chunk(content: Content, *, is_cr: bool, is_last: bool) -> Content:
    """Clean some lines of a file as `clean` does a whole file; return them with a remark for each change.

    With `is_cr` every CR ends a line; with `is_last` the file ends with these lines.
    """
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


# Kind and message of each note, in the order of the scanner's notes (`kernels.text_scan_cy`).
_NOTES = (
    ("doubled-blank", "blank line with no sentence before it"),
    ("empty-form", "token of white space only: it has no characters"),
    ("inner-id", "word number out of order inside a multiword token, taken as the next word"),
    ("no-final-blank", "no empty line after the last sentence"),
    ("no-words", "comments or empty nodes without a word: no sentence"),
    ("inner-node", "empty node among the words of a multiword token, skipped"),
)

DOUBLED_BLANK = [kind for kind, _ in _NOTES].index("doubled-blank")


def scan_remarks(content: Content, notes: npt.NDArray[np.int64]) -> tuple[Remark, ...]:
    """Turn the scanner's notes, rows of a count and a first line, into remarks."""
    return tuple(
        Remark(kind, message, int(count), (content.place(lineno),))
        for (kind, message), (count, lineno) in zip(_NOTES, notes.tolist(), strict=True)
        if count
    )
