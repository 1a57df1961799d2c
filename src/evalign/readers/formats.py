"""Which format an input has: told by the caller, or found from its content."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Protocol

from evalign.document import Document
from evalign.errors import CommandError, quote, rename_remarks, suggest
from evalign.files import PACKED_ENDING
from evalign.readers.byte_stream import Source, find_input_path, is_source
from evalign.readers.conllu import read_conllu, read_conllx
from evalign.readers.content import Content, load
from evalign.readers.foreign_files import check_is_text
from evalign.readers.plain import read_plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.readers.live import Live
    from evalign.readers.raw_files import RawText
    from evalign.readers.trees import Empty


class FormatReader(Protocol):
    """Content in, document out; strict: as the CoNLL 2018 script reads, and refusing what it refuses."""

    def __call__(self, content: Content, *, strict: bool = False) -> Document:
        """The document."""


def _read_table(content: Content, *, strict: bool = False, raws: Sequence[RawText] = ()) -> Document:
    """A stand-off table; its reader is loaded for tables alone."""
    from evalign.readers.standoff import read_standoff

    return read_standoff(content, strict=strict, raws=raws)


def _read_trees(content: Content, *, strict: bool = False, empty: Empty = "drop") -> Document:
    """Trees; their reader is loaded for them alone."""
    from evalign.readers.trees import read_trees

    return read_trees(content, strict=strict, empty=empty)


def _read_discbracket(content: Content, *, strict: bool = False, empty: Empty = "drop") -> Document:
    from evalign.readers.trees import read_discbracket

    return read_discbracket(content, strict=strict, empty=empty)


def _read_export(content: Content, *, strict: bool = False, empty: Empty = "drop") -> Document:
    from evalign.readers.negra import read_export

    return read_export(content, strict=strict, empty=empty)


# What has empty elements.
TREE_READERS = {"trees": _read_trees, "discbracket": _read_discbracket, "export": _read_export}
READERS: dict[str, FormatReader] = {
    "conllu": read_conllu,
    "conllx": read_conllx,
    "plain": read_plain,
    **TREE_READERS,
    "standoff": _read_table,
}

# The IDs that a sentence can begin with: a word, a multiword token, an empty node.
_FIRST_ID = re.compile(rb"1(?:-\d+)?|0\.\d+")
_ANY_ID = re.compile(rb"\d+(?:[-.]\d+)?")
# Comments that CoNLL-U gives a meaning; any other line that begins with "#" may be a sentence of plain text.
_COMMENT = re.compile(
    rb"#\s*(?:(?:sent_id|text|global\.columns|newdoc\s+id|newpar\s+id)\s*=|(?:newdoc|newpar)\s*$)"
)
_NAME = re.compile(rf"\.conllu?(?:{PACKED_ENDING})?$", re.IGNORECASE)
_CONLLX = re.compile(rf"\.conllx(?:{PACKED_ENDING})?$", re.IGNORECASE)
# The first line of a stand-off table: two numbers, a header, or brat's; or a name may tell.
_MAYBE_TABLE = re.compile(
    rb'\s*\d+\s*\t\s*\d+\s*\t|T\d+\t|[\w\t, "]*\blabel\b|\s*(?:start|end)\s*\t', re.IGNORECASE
)
_MAYBE_TABLES = re.compile(r"\.(?:tsv|ann)\b", re.IGNORECASE)
# A tree: two brackets or more before the first word, which a closing one follows, or more than any text begins with;
# or trees by name.
_TREE = re.compile(
    rb"\s*(?:\(\s*\)\s*|\(\(\s*\)\s*\)\s*)*"
    rb"(?:(?:\([^\s()]*\s*){9}|(?:\([^\s()]*\s*)+\([^\s()]+\s+[^\s()]+\s*\))"
)
_TREES = re.compile(rf"\.(?:mrg|ptb|parse|parsed|brackets?)(?:{PACKED_ENDING})?$", re.IGNORECASE)
# NEGRA's export format.
_EXPORT = re.compile(rb"(?:%%[^\n]*\n|\s)*#(?:FORMAT|BOT|BOS)\b")
# Lines that are looked at for what their ninth column is.
_MOST_ROWS = 1_000
# Bytes of a line that are looked at.
_LONGEST = 1 << 16


def read_source(
    source: Source | Live | Document,
    format: str = "auto",
    *,
    strict: bool = False,
    collapse: bool = False,
    raws: Sequence[RawText] = (),
    empty: Empty = "drop",
    split_spaces: bool = False,
    name: str = "",
) -> Document:
    """Read a path, an open file, a `Text` or objects in memory into a document; a document stays as it is.

    Stand-off tables are read with the raw texts that their positions are of; empty elements of trees are dropped, or
    kept as tokens without characters. With `split_spaces` tokens are cut at their spaces.
    """
    document = _read(source, format, strict=strict, collapse=collapse, raws=raws, empty=empty, name=name)
    return cut_spaces(document) if split_spaces else document


def _read(
    source: Source | Live | Document,
    format: str,
    *,
    strict: bool,
    collapse: bool,
    raws: Sequence[RawText],
    empty: Empty,
    name: str,
) -> Document:
    if isinstance(source, Document):
        return source.renamed(name) if name else source

    def read(content: Content, format: str) -> Document:
        return read_content(content, format, strict=strict, collapse=collapse, raws=raws, empty=empty)

    if not is_source(source):
        from evalign.readers.live import read_live

        return read_live(source, read, name)
    content = load(source)
    format_name = find_format(content, format)
    if name:
        content = content._replace(name=name, remarks=rename_remarks(content.remarks, name))
    document = read(content, format_name)
    return document if name else replace(document, path=find_input_path(source))


def read_content(
    content: Content,
    format: str,
    *,
    strict: bool = False,
    collapse: bool = False,
    raws: Sequence[RawText] = (),
    empty: Empty = "drop",
    split_spaces: bool = False,
) -> Document:
    """A document from content of a known format."""
    if split_spaces:
        return cut_spaces(
            read_content(content, format, strict=strict, collapse=collapse, raws=raws, empty=empty)
        )
    if collapse and format == "conllu":
        from evalign.readers.empty_nodes import collapse_empty_nodes

        content = collapse_empty_nodes(content)
    if format == "standoff":
        return _read_table(content, strict=strict, raws=raws)
    if format in TREE_READERS:
        return TREE_READERS[format](content, strict=strict, empty=empty)
    return READERS[format](content, strict=strict)


def cut_spaces(document: Document) -> Document:
    """A document whose tokens are cut at their spaces."""
    from evalign.readers.conllu import split_spaces

    return split_spaces(document)


def find_format(content: Content, format: str = "auto", beginning: bytes | None = None) -> str:
    """The format's name: the one given, or the one that the first line says which is no comment.

    A file without a word of CoNLL-U in it is CoNLL-U only if its name says so. JSON, HTML and others that are no text
    are refused with an `InputError`, unless a format is given. Where `content` is only some of a file, `beginning` has
    its first bytes, whether a line ends in them or not.
    """
    if format in READERS:
        return format
    if format != "auto":
        problem = f"unknown format {quote(format)}"
        raise CommandError(problem, *suggest(format, ("auto", *READERS)))
    check_is_text(content.name, content.data if beginning is None else beginning)
    if _EXPORT.match(content.data):
        return "export"
    if _TREE.match(content.data, 0, _LONGEST) or _TREES.search(content.name):
        return "discbracket" if _has_numbers(content) else "trees"
    for text in _lines(content.data):
        if _COMMENT.match(text):
            return "conllu"
        if (_MAYBE_TABLE.match(text) or _MAYBE_TABLES.search(content.name)) and _is_table(content):
            return "standoff"
        if _is_row(text):
            return "conllx" if _is_conllx(content) else "conllu"
        if text.strip() and not text.startswith(b"#"):
            break
    return "conllu" if _NAME.search(content.name) else "plain"


def _lines(data: bytes) -> Iterator[bytes]:
    newline = b"\n" if b"\n" in data else b"\r"
    start = 0
    while start < len(data):
        end = data.find(newline, start)
        end = len(data) if end < 0 else end
        yield data[start : min(end, start + _LONGEST)]
        start = end + 1


def _has_numbers(content: Content) -> bool:
    from evalign.readers.trees import find_numbering

    return find_numbering(content.data) is not None


def _is_table(content: Content) -> bool:
    from evalign.readers.standoff import looks_like_table

    return looks_like_table(content.data, content.name)


def _is_conllx(content: Content) -> bool:
    """Whether rows have a head of CoNLL-X where CoNLL-U has DEPS, and none has edges; else the name may tell."""
    are_heads = set()
    for text in islice(_lines(content.data), _MOST_ROWS):
        columns = text.split(b"\t")
        if len(columns) == 10 and columns[8] != b"_":
            are_heads.add(columns[8].isdigit())
    return are_heads == {True} if are_heads else bool(_CONLLX.search(content.name))


def _is_row(text: bytes) -> bool:
    """Whether a line, the first that is no comment, is meant as a row of CoNLL-U, if perhaps a broken one."""
    columns = text.split(b"\t")
    if len(columns) == 10:
        return bool(_ANY_ID.fullmatch(columns[0])) or b"_" in columns
    if len(columns) > 3 and _FIRST_ID.fullmatch(columns[0]):
        return True
    # Spaces for tabs, a mistake worth naming; but a plain sentence may have ten tokens and begin with 1.
    columns = text.split()
    return (
        len(columns) == 10
        and bool(_FIRST_ID.fullmatch(columns[0]))
        and (columns[6].isdigit() or columns[6] == b"_")
        and b"_" in columns
    )
