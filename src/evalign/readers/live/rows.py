"""Objects in memory written as text in a known format, and read by that format's reader.

An object is thus read with the same checks as a file. Since nobody has seen the lines of that text, places
are counted in sentences, as for lists of tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from evalign.document import Breaks, Document, IntArray
from evalign.errors import CommandError, InputError, Place, Remark, StrictError
from evalign.readers.conllu import ConlluColumns
from evalign.readers.content import Content
from evalign.text import LONGEST_LINE
from evalign.ud_labels import UNFILLED

# Characters that would end a column or a line. They can become spaces, since white space is never on the
# line.
_SEPARATORS = dict.fromkeys(map(ord, "\t\n\r\v\f\x85\u2028\u2029"), " ")


# A function that reads content of a format, with the options of the run.
ReadFunction: TypeAlias = Callable[[Content, str], Document]


def write_row(
    number: object, form: object, lemma: object = None, upos: object = None, xpos: object = None,
    feats: object = None, head: object = None, deprel: object = None, deps: object = None,
) -> str:  # fmt: skip
    r"""Write a row of CoNLL-U; a value that is None or empty becomes `_`, but an empty form stays empty.

    >>> write_row(1, "a", lemma="a", head=0, deprel="root").split("\t")
    ['1', 'a', 'a', '_', '_', '_', '0', 'root', '_', '_']
    """
    filled = (_field(value) or UNFILLED for value in (lemma, upos, xpos, feats, head, deprel, deps))
    return "\t".join((str(number), UNFILLED if form is None else _field(form), *filled, UNFILLED))


def _field(value: object) -> str:
    text = "" if value is None else str(value)
    return text if text.isprintable() else text.translate(_SEPARATORS)


def write_comment(text: str) -> str:
    """Write a comment of CoNLL-U."""
    return "#" + _field(text.removeprefix("#"))


class SentenceTexts:
    """Sentences as text in `format`, and where documents begin among them."""

    def __init__(self, name: str, format: str) -> None:
        self.name, self.format = name, format
        self._texts: list[str] = []
        self._documents: dict[int, str] = {}
        """Names of documents by the index of their first sentence."""

    def add(self, sentences: Iterable[str], document: str | None = None) -> None:
        """Append `sentences`, as a document named `document`; not as one of their own if that is None."""
        if document is not None:
            self._documents[len(self._texts)] = document
        self._texts += sentences

    def read(self, read: ReadFunction, limit: int = LONGEST_LINE) -> Document:
        """Read the text, at most `limit` bytes, into a document whose places are counted in sentences."""
        # CoNLL-U has an empty line after each sentence; each tree is a line.
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
    """Return where documents begin: those marked in the sentences, and those that the objects form.

    `breaks` has the documents marked in the sentences, whose names take precedence. `given` has the names of
    the others by the index of their first sentence, counted with sentences that have no tokens. `numbers` has
    the number, from 1, of each sentence with tokens. A document without such a sentence is left out.
    """
    starts = np.searchsorted(numbers, np.array([*given], np.int64) + 1).tolist()
    named = {start: name for start, name in zip(starts, given.values(), strict=True) if start < len(numbers)}
    named |= dict(zip(breaks.sentences.tolist(), breaks.names, strict=True))
    if not named:
        return breaks
    sentences = sorted(named)
    return Breaks(np.array(sentences, np.int32), [named[sentence] for sentence in sentences])


class _SentenceNumbers:
    """Converts lines of the text into numbers of sentences."""

    def __init__(self, name: str, lines: IntArray) -> None:
        self._name, self._lines = name, lines
        """Per sentence: how many lines come before it."""

    def of(self, linenos: IntArray) -> IntArray:
        """Return the number of the sentence, from 1, that contains each line."""
        return np.searchsorted(self._lines, linenos).astype(np.int32)

    def place(self, place: Place) -> Place:
        """Return `place` with the number of the sentence in place of the line."""
        if place.path != self._name or not place.lineno:
            return place
        return Place(place.path, min(int(np.searchsorted(self._lines, place.lineno)), len(self._lines) - 1))

    def remarks(self, remarks: Iterable[Remark]) -> tuple[Remark, ...]:
        """Return `remarks` with their places counted in sentences."""
        return tuple(
            remark._replace(places=tuple(dict.fromkeys(map(self.place, remark.places)))) for remark in remarks
        )

    def retold(self, error: InputError) -> InputError:
        """Return `error` with its place counted in sentences."""
        kind = StrictError if isinstance(error, StrictError) else InputError
        return kind(self.place(error.place), error.found, error.expected, error.advice)


class _LiveColumns(ConlluColumns):
    """Columns whose line numbers are those of sentences."""

    def __init__(self, columns: ConlluColumns, numbers: _SentenceNumbers, sentences: IntArray) -> None:
        super().__init__(columns.content, columns.rows, columns._cuts, graphs=columns._graphs)
        self._numbers, self._sentences = numbers, sentences

    @cached_property
    def linenos(self) -> IntArray:
        """Per word: the number of its sentence."""
        return np.repeat(self._sentences, np.diff(self._cuts))

    @property
    def tree_remarks(self) -> tuple[Remark, ...]:
        """Remarks on faults in the trees, with places counted in sentences."""
        return self._numbers.remarks(super().tree_remarks)

    @property
    def edge_remarks(self) -> tuple[Remark, ...]:
        """Remarks on faults in the enhanced graphs, with places counted in sentences."""
        return self._numbers.remarks(super().edge_remarks)
