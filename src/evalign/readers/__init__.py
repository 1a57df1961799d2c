"""Readers: a file, a string or live objects to a `Document`."""

from evalign.readers.formats import READERS, find_format, read_source
from evalign.readers.live import read_tokens
from evalign.readers.source import Content, Source, load

__all__ = ["READERS", "Content", "Source", "find_format", "load", "read_source", "read_tokens"]
