"""Raw text: what was there before any sentence or token, for offsets as users count them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evalign.document import IntArray
from evalign.readers.source import Content
from evalign.text import WHITE_SPACE, without_space

_SPACES = np.array([ord(c) for c in WHITE_SPACE], np.uint32)


@dataclass(frozen=True, slots=True, eq=False)
class RawText:
    """A raw text and the way from the line back to it."""

    name: str
    text: str
    line: str
    """The text without white space."""
    offsets: IntArray
    """Per character of the line: its offset in the text, in characters, with line ends of one character."""


def read_raw(content: Content) -> RawText:
    """Raw text as it is, white space included."""
    text = content.data.decode("utf-8")
    points = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    offsets = np.flatnonzero(~np.isin(points, _SPACES)).astype(np.int32)
    return RawText(content.name, text, without_space(text), offsets)
