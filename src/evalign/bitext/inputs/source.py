"""What inputs of a build are read as: documents of one language, pairs of translations, links between documents.

Readers of every format yield these, with sentences and names cleaned so that each stands on one line, in one cell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from evalign.errors import Place

Skipped: TypeAlias = Callable[[Place], None]
"""Is told where a pair is left out as one side of it is empty."""

# Sentences of the longest piece of a document, so that memory does not grow with a document.
SENTENCES_PER_PIECE = 1000
# Control characters (category Cc), and the separators that end a line for whoever reads the files again.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


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


def no_skipped(_place: Place) -> None:
    """Nobody is told."""


def clean_text(text: str) -> str:
    r"""Text without a tab, a line end or a control character: spaces are there instead, and none at its ends.

    >>> clean_text("\ttwo\r\nwords ")
    'two words'
    """
    return (text if text.isprintable() else _CONTROL.sub(" ", text)).strip()
