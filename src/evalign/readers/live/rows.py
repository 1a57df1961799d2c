"""Sentences of objects in memory as text of a known format, and the document that the format's own reader makes of it.

So what an object says is read as it would be from a file, with the same checks. But nobody has seen the lines of that
text: places are counted in sentences, as those of lists of tokens are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Protocol

import numpy as np

from evalign.document import Breaks, Document, IntArray
from evalign.errors import CommandError, InputError, Place, Remark, StrictError
from evalign.readers.conllu import ConlluColumns
from evalign.readers.content import Content
from evalign.text import LONGEST_LINE
from evalign.ud_labels import UNFILLED

# What would end a column or a line; white space is never on the line.
_SEPARATORS = dict.fromkeys(map(ord, "\t\n\r\v\f\x85\u2028\u2029"), " ")


class ReadFunction(Protocol):
    """The reader of a format, with what was asked of it."""

    def __call__(self, content: Content, format: str) -> Document:
        """The document."""


def write_row(
    number: object, form: object, lemma: object = None, upos: object = None, xpos: object = None,
    feats: object = None, head: object = None, deprel: object = None, deps: object = None,
) -> str:  # fmt: skip
    r"""A row of CoNLL-U; what is None or empty is not filled in. A form without characters stays one.

    >>> write_row(1, "a", lemma="a", head=0, deprel="root").split("\t")
    ['1', 'a', 'a', '_', '_', '_', '0', 'root', '_', '_']
    """
    filled = (_field(value) or UNFILLED for value in (lemma, upos, xpos, feats, head, deprel, deps))
    return "\t".join((str(number), UNFILLED if form is None else _field(form), *filled, UNFILLED))


def _field(value: object) -> str:
    text = "" if value is None else str(value)
    return text if text.isprintable() else text.translate(_SEPARATORS)


def write_comment(text: str) -> str:
    """A comment of CoNLL-U."""
    return "#" + _field(text.removeprefix("#"))


class SentenceTexts:
    """Sentences as text, and where documents begin among them."""

    def __init__(self, name: str, format: str) -> None:
        self.name, self.format = name, format
        self._texts: list[str] = []
        self._documents: dict[int, str] = {}
        """By number of the first sentence."""

    def add(self, sentences: Iterable[str], document: str | None = None) -> None:
        """Sentences of a document; None: they are not a document by themselves."""
        if document is not None:
            self._documents[len(self._texts)] = document
        self._texts += sentences

    def read(self, read: ReadFunction, limit: int = LONGEST_LINE) -> Document:
        """The document, of at most `limit` bytes, with places counted in sentences."""
        # CoNLL-U has an empty line after each sentence; of trees each is a line.
        ends = "\n\n" if self.format == "conllu" else "\n"
        pieces = [text + ends if text or self.format != "conllu" else "" for text in self._texts]
        content = Content(self.name, _encode(pieces, limit), ())
        lines = np.cumsum([0, *(piece.count("\n") for piece in pieces)])
        numbers = _SentenceNumbers(self.name, lines)
        try:
            document = read(content, self.format)
        except InputError as error:
            raise numbers.retold(error) from None
        sentences = numbers.of(document.linenos[document.sentences[:-1]])
        columns = document.columns
        if isinstance(columns, ConlluColumns):
            columns = _LiveColumns(columns, numbers, sentences)
        return replace(
            document,
            linenos=numbers.of(document.linenos),
            columns=columns,
            documents=find_documents(document.documents, self._documents, sentences),
            remarks=numbers.remarks(document.remarks),
        )


def _encode(pieces: Sequence[str], limit: int) -> bytes:
    try:
        data = "".join(pieces).encode()
    except UnicodeEncodeError as error:
        problem = f"a lone surrogate (U+{ord(error.object[error.start]):X})"
        raise CommandError(problem, "characters of Unicode") from None
    if len(data) > limit:
        problem = "more text than a document can have"
        raise CommandError(problem, f"at most {limit:,} bytes", "split it at a document boundary")
    return data


def find_documents(breaks: Breaks, given: Mapping[int, str], numbers: IntArray) -> Breaks:
    """Where documents begin: those that the sentences themselves name, and the objects that they are in.

    Objects without a sentence have no place; `numbers` says which of the objects' sentences are sentences.
    """
    starts = np.searchsorted(numbers, np.array([*given], np.int64) + 1).tolist()
    named = {start: name for start, name in zip(starts, given.values(), strict=True) if start < len(numbers)}
    named |= dict(zip(breaks.sentences.tolist(), breaks.names, strict=True))
    if not named:
        return breaks
    sentences = sorted(named)
    return Breaks(np.array(sentences, np.int32), [named[sentence] for sentence in sentences])


class _SentenceNumbers:
    """From lines of the text to numbers of sentences."""

    def __init__(self, name: str, lines: IntArray) -> None:
        self._name, self._lines = name, lines
        """How many lines come before each sentence."""

    def of(self, linenos: IntArray) -> IntArray:
        """The sentence, counted from one, that each line is in."""
        return np.searchsorted(self._lines, linenos).astype(np.int32)

    def place(self, place: Place) -> Place:
        """The same place, by sentence."""
        if place.path != self._name or not place.lineno:
            return place
        return Place(place.path, min(int(np.searchsorted(self._lines, place.lineno)), len(self._lines) - 1))

    def remarks(self, remarks: Iterable[Remark]) -> tuple[Remark, ...]:
        """The same remarks, with places by sentence."""
        return tuple(
            remark._replace(places=tuple(dict.fromkeys(map(self.place, remark.places)))) for remark in remarks
        )

    def retold(self, error: InputError) -> InputError:
        """The same error, with its place by sentence."""
        kind = StrictError if isinstance(error, StrictError) else InputError
        return kind(self.place(error.place), error.found, error.expected, error.advice)


class _LiveColumns(ConlluColumns):
    """Columns whose words are in sentences, not on lines."""

    def __init__(self, columns: ConlluColumns, numbers: _SentenceNumbers, sentences: IntArray) -> None:
        super().__init__(columns.content, columns.rows, columns._cuts, graphs=columns._graphs)
        self._numbers, self._sentences = numbers, sentences

    @cached_property
    def linenos(self) -> IntArray:
        """The sentence of each word."""
        return np.repeat(self._sentences, np.diff(self._cuts))

    @property
    def tree_remarks(self) -> tuple[Remark, ...]:
        """What is wrong with the trees."""
        return self._numbers.remarks(super().tree_remarks)

    @property
    def edge_remarks(self) -> tuple[Remark, ...]:
        """What is wrong with the edges."""
        return self._numbers.remarks(super().edge_remarks)
