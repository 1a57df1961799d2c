"""Formats: find which format an input has, and read it with that format's reader.

`read_source` is how commands and the API read gold, systems and raw texts with tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from evalign.document import Document
from evalign.errors import CommandError, Remark, quote, rename_remarks, suggest
from evalign.files import PACKED_ENDING
from evalign.options import DEFAULT_OPTIONS, ScoreOptions
from evalign.readers.byte_stream import find_input_path, is_source
from evalign.readers.conllu import read_conllu, read_conllx
from evalign.readers.content import Content, load
from evalign.readers.foreign_files import check_is_text
from evalign.readers.plain import read_plain, remark_on_file
from evalign.text import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.readers.live.objects import Live
    from evalign.readers.raw_files import RawText


# Formats with empty elements, and all formats.
TREE_FORMATS = ("trees", "discbracket", "export")
FORMATS = ("conllu", "conllx", "plain", *TREE_FORMATS, "standoff")

# The IDs that a sentence can begin with: a word, a multiword token, an empty node.
_FIRST_ID = re.compile(rb"1(?:-\d+)?|0\.\d+")
_ANY_ID = re.compile(rb"\d+(?:[-.]\d+)?")
# Comments that CoNLL-U gives a meaning; any other line that begins with "#" may be a sentence of plain text.
_COMMENT = re.compile(
    rb"#\s*(?:(?:sent_id|text|global\.columns|newdoc\s+id|newpar\s+id)\s*=|(?:newdoc|newpar)\s*$)"
)
_NAME = re.compile(rf"\.conllu?(?:{PACKED_ENDING})?$", re.IGNORECASE)
_CONLLX = re.compile(rf"\.conllx(?:{PACKED_ENDING})?$", re.IGNORECASE)
# How the first line of a stand-off table begins: two numbers, a header, or a span of brat's; or the ending of
# the file.
_MAYBE_TABLE = re.compile(
    rb'\s*\d+\s*\t\s*\d+\s*\t|T\d+\t|[\w\t, "]*\blabel\b|\s*(?:start|end)\s*\t', re.IGNORECASE
)
_MAYBE_TABLES = re.compile(r"\.(?:tsv|ann)\b", re.IGNORECASE)
# A tree: two or more opening brackets, then a tag and a word before a closing bracket; or more opening
# brackets than any text begins with. Or the ending of the file.
_TREE = re.compile(
    rb"\s*(?:\(\s*\)\s*|\(\(\s*\)\s*\)\s*)*"
    rb"(?:(?:\([^\s()]*\s*){9}|(?:\([^\s()]*\s*)+\([^\s()]+\s+[^\s()]+\s*\))"
)
_TREES = re.compile(rf"\.(?:mrg|ptb|parse|parsed|brackets?)(?:{PACKED_ENDING})?$", re.IGNORECASE)
# NEGRA's export format.
_EXPORT = re.compile(rb"(?:%%[^\n]*\n|\s)*#(?:FORMAT|BOT|BOS)\b")
# Most lines whose ninth column is examined.
_MOST_ROWS = 1_000
# Most bytes of a line that are examined.
_LONGEST = 1 << 16


def read_source(
    source: Source | Live | Document,
    format: str = "auto",
    options: ScoreOptions = DEFAULT_OPTIONS,
    *,
    raws: Sequence[RawText] = (),
    name: str = "",
) -> Document:
    """Read a path, a URL, an open file, a `Text` or objects in memory into a document.

    A `Document` is returned as it is, or under `name` if one is given. A stand-off table needs `raws`, the
    raw texts that its positions refer to.
    """
    document = _read(source, format, options, raws, name)
    return cut_spaces(document) if options.split_spaces else document


def _read(
    source: Source | Live | Document, format: str, options: ScoreOptions, raws: Sequence[RawText], name: str
) -> Document:
    if isinstance(source, Document):
        return source.renamed(name) if name else source

    def read(content: Content, format: str) -> Document:
        return read_content(content, format, options, raws)

    if not is_source(source):
        from evalign.readers.live.objects import read_live

        return read_live(source, read, name)
    content = load(source)
    format_name, remarks = recognize(content, format)
    content = content._replace(remarks=(*content.remarks, *remarks))
    if name:
        content = content._replace(name=name, remarks=rename_remarks(content.remarks, name))
    document = read(content, format_name)
    return document if name else replace(document, path=find_input_path(source))


def read_content(
    content: Content,
    format: str,
    options: ScoreOptions = DEFAULT_OPTIONS,
    raws: Sequence[RawText] = (),
) -> Document:
    """Read content of a known format into a document; its tokens are not cut at spaces."""
    if options.collapse_empty_nodes and format == "conllu":
        from evalign.readers.empty_nodes import collapse_empty_nodes

        content = collapse_empty_nodes(content)
    # Readers of tables and trees are loaded when needed.
    if format == "standoff":
        from evalign.readers.standoff import read_standoff

        return read_standoff(content, raws)
    if format == "export":
        from evalign.readers.negra import read_export

        return read_export(content, strict=options.strict, empty=options.empty)
    if format in TREE_FORMATS:
        from evalign.readers.trees import read_discbracket, read_trees

        read_brackets = read_trees if format == "trees" else read_discbracket
        return read_brackets(content, strict=options.strict, empty=options.empty)
    if format == "plain":
        return read_plain(content, strict=options.strict)
    return (read_conllu if format == "conllu" else read_conllx)(content, strict=options.strict)


def cut_spaces(document: Document) -> Document:
    """Return `document` with its tokens cut at the spaces inside them."""
    from evalign.readers.conllu import split_spaces

    return split_spaces(document)


def find_format(content: Content, format: str = "auto", beginning: bytes | None = None) -> str:
    """Return the name of the format: `format` itself or, with "auto", the one found from the content.

    The first line that is not a comment decides, except that a file with the name of a tree file (.mrg and
    others) has trees. A file without a row or comment of CoNLL-U is CoNLL-U only if its name ends that way.
    With "auto", files that are not text to score (JSON, HTML and others) raise `InputError`. If `content` is
    only part of a file, `beginning` has the first bytes of the file, which may end inside a line.
    """
    return recognize(content, format, beginning)[0]


def recognize(
    content: Content, format: str = "auto", beginning: bytes | None = None
) -> tuple[str, tuple[Remark, ...]]:
    """Return the name of the format as `find_format` does, and remarks on what plain text seems to carry."""
    if beginning is None:
        beginning = content.data
    if format == "auto":
        check_is_text(content.name, beginning)
        format = _find_format(content)
        if not format:
            from evalign.readers.foreign_lines import find_refused, read_beginning, remark_on_lines

            lines = read_beginning(content.name, beginning)
            error = find_refused(lines)
            if error is not None:
                raise error
            if _NAME.search(content.name):
                return "conllu", ()
            return "plain", (*remark_on_lines(lines), *remark_on_file(content.name, beginning))
    elif format not in FORMATS:
        problem = f"unknown format {quote(format)}"
        raise CommandError(problem, *suggest(format, ("auto", *FORMATS)))
    return format, remark_on_file(content.name, beginning) if format == "plain" else ()


def _find_format(content: Content) -> str:
    """Return the format that the first lines or the name show; "" for CoNLL-U without rows and plain text."""
    if _EXPORT.match(content.data):
        return "export"
    if _TREE.match(content.data, 0, _LONGEST) or _TREES.search(content.name):
        from evalign.readers.trees import find_numbering

        return "trees" if find_numbering(content.data) is None else "discbracket"
    for text in _lines(content.data):
        if _COMMENT.match(text):
            return "conllu"
        if (_MAYBE_TABLE.match(text) or _MAYBE_TABLES.search(content.name)) and _is_table(content):
            return "standoff"
        if _is_row(text):
            return "conllx" if _is_conllx(content) else "conllu"
        if text.strip() and not text.startswith(b"#"):
            break
    return ""


def _lines(data: bytes) -> Iterator[bytes]:
    newline = b"\n" if b"\n" in data else b"\r"
    start = 0
    while start < len(data):
        end = data.find(newline, start)
        end = len(data) if end < 0 else end
        yield data[start : min(end, start + _LONGEST)]
        start = end + 1


def _is_table(content: Content) -> bool:
    from evalign.readers.standoff import looks_like_table

    return looks_like_table(content.data, content.name)


def _is_conllx(content: Content) -> bool:
    """Return whether the ninth column has heads (CoNLL-X), not DEPS. If it is empty, the name decides."""
    are_heads = set()
    for text in islice(_lines(content.data), _MOST_ROWS):
        columns = text.split(b"\t")
        if len(columns) == 10 and columns[8] != b"_":
            are_heads.add(columns[8].isdigit())
    return are_heads == {True} if are_heads else bool(_CONLLX.search(content.name))


def _is_row(text: bytes) -> bool:
    """Return whether `text`, the first line that is not a comment, is a row of CoNLL-U, perhaps broken."""
    columns = text.split(b"\t")
    if len(columns) == 10:
        return bool(_ANY_ID.fullmatch(columns[0])) or b"_" in columns
    if len(columns) > 3 and _FIRST_ID.fullmatch(columns[0]):
        return True
    # Spaces instead of tabs are reported as a mistake. A plain sentence may also have ten tokens and begin
    # with 1.
    columns = text.split()
    return (
        len(columns) == 10
        and bool(_FIRST_ID.fullmatch(columns[0]))
        and (columns[6].isdigit() or columns[6] == b"_")
        and b"_" in columns
    )
