"""Types for the inputs of a build: documents, pairs of translations, links between documents.

The readers of all formats yield these types. Sentences and names are cleaned so that each fits on one line,
in one cell of a table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from evalign.errors import Place

Skipped: TypeAlias = Callable[[Place], None]
"""Callback that is called with the place of each pair that is left out because one side is empty."""

# Most sentences in one piece of a document, so that memory does not grow with the document.
SENTENCES_PER_PIECE = 1000
# Control characters (category Cc), and the separators that other programs read as line ends.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


class SourceDocument(NamedTuple):
    """A document of one language, or a piece of it; pieces of the same name belong together."""

    name: str
    sentences: Sequence[str]
    genre: str = ""
    n_dropped: int = 0
    """Number of sentences left out because they had contained a template."""
    n_listed: int = 0
    """Number of list items, and of paragraphs in sections of references and links, that were left out."""


class SourcePair(NamedTuple):
    """A sentence and its translation."""

    name: str
    """The id of the pair in the file, or the number of its line."""
    document: str
    """The document that the pair comes from; empty if unknown."""
    first: str
    second: str


class Link(NamedTuple):
    """Two documents about the same subject, one in each language."""

    first: str
    second: str


def no_skipped(_place: Place) -> None:
    """Ignore a pair that is left out."""


def clean_text(text: str) -> str:
    r"""Replace tabs, line ends and control characters by spaces, and strip spaces at both ends.

    >>> clean_text("\ttwo\r\nwords ")
    'two words'
    """
    return (text if text.isprintable() else _CONTROL.sub(" ", text)).strip()
