"""Slices of an input: some of its sentences, told by where their bytes are, and read as if the rest was read too.

Whoever cuts an input (`readers.feed`) hands on slices; a worker reads them from the same path, or from the bytes they
bring along. Numbers of lines and bytes in documents, remarks and errors are those of the whole input.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from evalign.document import Document
from evalign.errors import InputError, Place
from evalign.readers.byte_stream import read_range
from evalign.readers.content import Content, TreeLayout, check_text, clean_slice
from evalign.readers.formats import read_content

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.readers.trees import Empty

LineEnds: TypeAlias = Literal["lf", "cr"]


class Slice(NamedTuple):
    """Sentences of an input, from one cut between sentences to another."""

    name: str
    """The input's name in messages."""
    format: str
    path: str
    """A path or URL to read the bytes from; nothing where they are given."""
    start: int
    """Bytes of the input before it, as they are after decompression."""
    end: int
    lineno: int
    """The number of its first line."""
    line_ends: LineEnds
    """cr: there is no LF in the whole input, and every CR ends a line."""
    is_last: bool
    """Whether the input ends with it."""
    data: bytes | None = None
    layout: TreeLayout | None = None
    """Of trees in brackets: how they stand on the lines of the whole input."""


def load_slice(part: Slice) -> Content:
    """The text of a slice, only its bytes being read; raises `InputError` where they cannot be, or are no text."""
    data = part.data
    if data is None:
        data = read_range(part.path, part.start, part.end, part.name)
    expected = part.end - part.start
    if len(data) != expected:
        found = f"{len(data):,} bytes from byte {part.start:,} on, where there were {expected:,}"
        advice = "was it written to while it was read, or is it another file on this machine?"
        raise InputError(Place(part.name), found, "a file that stays as it is", advice)
    is_cr = part.line_ends == "cr"
    newline = b"\r" if is_cr else b"\n"
    check_text(part.name, data, start=part.start, lineno=part.lineno, newline=newline)
    content = Content(part.name, data, (), part.lineno, part.start, part.layout)
    return clean_slice(content, is_cr=is_cr, is_last=part.is_last)


def read_slice(
    part: Slice,
    *,
    strict: bool = False,
    collapse: bool = False,
    empty: Empty = "drop",
    split_spaces: bool = False,
) -> Document:
    """The document of a slice."""
    return read_content(
        load_slice(part),
        part.format,
        strict=strict,
        collapse=collapse,
        empty=empty,
        split_spaces=split_spaces,
    )
