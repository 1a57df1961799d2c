"""What a data set is built from: documents of one language, pairs of translations, links between documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class SourceDocument(NamedTuple):
    """A document of one language, or a piece of it: pieces of the same name belong together."""

    name: str
    sentences: Sequence[str]
    genre: str = ""
    n_dropped: int = 0
    """Sentences that were left out as they had held a template."""
    n_listed: int = 0
    """List items, and paragraphs in sections of references and links, that were left out."""


class SourcePair(NamedTuple):
    """A sentence and its translation."""

    name: str
    """The id it has in its file, or the line it stands on."""
    document: str
    """The document it comes from; nothing where that is not said."""
    first: str
    second: str


class Link(NamedTuple):
    """Two documents of the same thing, one in each language."""

    first: str
    second: str
