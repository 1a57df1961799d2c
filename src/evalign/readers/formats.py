"""Which format an input has: told by the caller, or found from its content."""

from __future__ import annotations

import re
from collections.abc import Callable

from evalign.document import Document
from evalign.errors import CommandError
from evalign.readers.conllu import read_conllu
from evalign.readers.plain import read_plain
from evalign.readers.source import Content, Source, load

READERS: dict[str, Callable[[Content], Document]] = {"conllu": read_conllu, "plain": read_plain}

# A row of CoNLL-U: an ID (word, range or empty node), then columns. Spaces for tabs are a mistake worth naming.
_ROW = re.compile(rb"\d+(?:[-.]\d+)?(?:\t[^\t\n]*){3,}$|\d+(?:[-.]\d+)?(?: +[^ \t\n]+){9}$")
_COMMENT = re.compile(rb"#\s*(?:sent_id|text|newdoc|newpar|global\.columns)\b")
# Lines looked at before deciding.
_SAMPLE = 100


def read_source(source: Source, format: str = "auto") -> Document:
    """Read an input into a document."""
    content = load(source)
    return READERS[find_format(content, format)](content)


def find_format(content: Content, format: str = "auto") -> str:
    """The format's name: the one given, or the one the first lines show."""
    if format in READERS:
        return format
    if format != "auto":
        raise CommandError(f'unknown format "{format}"', f"auto, {', '.join(READERS)}")
    for text in content.data.split(b"\n", _SAMPLE)[:_SAMPLE]:
        text = text.rstrip(b"\r")
        if _ROW.match(text) or _COMMENT.match(text):
            return "conllu"
        if text.strip() and not text.startswith(b"#"):
            return "plain"
    return "plain"
