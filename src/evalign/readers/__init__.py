"""Readers: a file, a string or live objects to a `Document`."""

from evalign.readers.conllu import read_conllu
from evalign.readers.formats import READERS, find_format, read_source
from evalign.readers.live import read_tokens
from evalign.readers.official import check_official
from evalign.readers.plain import read_plain
from evalign.readers.raw import RawText, read_raw
from evalign.readers.source import Content, Source, load

__all__ = [
    "READERS",
    "Content",
    "RawText",
    "Source",
    "check_official",
    "find_format",
    "load",
    "read_conllu",
    "read_plain",
    "read_raw",
    "read_source",
    "read_tokens",
]
