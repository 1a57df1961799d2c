"""CoNLL-U: tokens, syntactic words, sentences, documents, paragraphs and sentence ids.

Reads what the CoNLL 2018 evaluation reads and, with a remark, several things it refuses (docs/formats.md). A line that
cannot be read is an error that names it, counts its kind and says what to do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np
import numpy.typing as npt

from evalign.document import Breaks, Document, Words, without_space
from evalign.errors import InputError, Place, quote
from evalign.kernels.scan_cy import N_NOTES, ConlluScanner, codes
from evalign.readers.remarks import note_remarks
from evalign.readers.source import Content

CODES = codes()


class SentenceIds(Sequence[str]):
    """Sentence ids, decoded when asked for: most runs never look at them."""

    def __init__(self, data: bytes, rows: npt.NDArray[np.int64], n_sentences: int) -> None:
        self._data, self._rows, self._size = data, rows, n_sentences

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(self._size))]
        at = int(np.searchsorted(self._rows[:, 0], index))
        if at == len(self._rows) or self._rows[at, 0] != index:
            return ""
        return _value(self._data[self._rows[at, 1] : self._rows[at, 2]])


def _value(comment: bytes) -> str:
    """What a comment "key = value" says."""
    return comment.decode("utf-8", "replace").partition("=")[2].strip()


def read_conllu(content: Content) -> Document:
    """A document from CoNLL-U; raises `InputError` at a line that is none."""
    data = content.data
    rows = data.count(b"\n") + 3
    line = np.empty(len(data) + 1, np.uint8)
    cuts, sentences, linenos, word_tokens = (np.empty(rows, np.int32) for _ in range(4))
    multiword = np.empty(rows, np.uint8)
    inner, marks, ids = (np.empty((rows, width), np.int64) for width in (2, 4, 3))
    notes = np.zeros((N_NOTES, 2), np.int64)
    scanner = ConlluScanner(data, line, cuts, sentences, linenos, notes)
    error, lineno = scanner.scan(word_tokens, multiword, inner, marks, ids)
    if error:
        raise _explain(content, error, lineno)
    used, n_tokens, n_sentences = scanner.totals()
    n_words, n_inner, n_marks, n_ids = scanner.found()
    return Document(
        content.name,
        "conllu",
        line[:used].tobytes().decode("utf-8", "surrogatepass"),
        cuts[: n_tokens + 1].copy(),
        sentences[: n_sentences + 1].copy(),
        linenos[:n_tokens].copy(),
        words=_words(data, word_tokens[:n_words], multiword[:n_words], inner[:n_inner]),
        documents=_breaks(data, marks[:n_marks], CODES["NEWDOC"], n_sentences),
        paragraphs=_breaks(data, marks[:n_marks], CODES["NEWPAR"], n_sentences),
        sentence_ids=SentenceIds(data, ids[:n_ids].copy(), n_sentences) if n_ids else (),
        remarks=content.remarks + note_remarks(content.name, notes),
    )


def _words(
    data: bytes, tokens: npt.NDArray[np.int32], multiword: npt.NDArray[np.uint8], inner: npt.NDArray[np.int64]
) -> Words | None:
    if not len(inner):
        return None
    # A space inside a word of a multiword token is notation, as it is inside a token.
    forms = [without_space(data[start:end].decode("utf-8", "surrogatepass")) for start, end in inner.tolist()]
    ranks = np.cumsum(multiword, dtype=np.int32) - multiword
    return Words(tokens.copy(), multiword.copy(), forms, ranks.astype(np.int32))


def _breaks(data: bytes, marks: npt.NDArray[np.int64], kind: int, n_sentences: int) -> Breaks:
    chosen = marks[(marks[:, 0] == kind) & (marks[:, 1] < n_sentences)]
    names = [_value(data[start:end]) for start, end in chosen[:, 2:].tolist()]
    return Breaks(chosen[:, 1].astype(np.int32), names)


def _explain(content: Content, error: int, lineno: int) -> InputError:
    """What is wrong with a line, how many more are wrong in the same way, and what to do."""
    lines = content.data.decode("utf-8", "surrogatepass").split("\n")
    text = lines[lineno - 1] if lineno <= len(lines) else ""
    place = Place(content.name, lineno)
    if error == CODES["COLUMNS"]:
        return _explain_columns(content.name, lines, lineno)
    number = text.split("\t", 1)[0]
    wanted = _next_number(lines, lineno)
    if error == CODES["RANGE"]:
        return InputError(
            place, f"multiword token {quote(number)} where word {wanted} comes next",
            f"a range that begins at {wanted}, ends no earlier, and stands in no other range",
            "number words from 1 in each sentence, and put each range before its words",
        )
    if error == CODES["UNFINISHED"]:
        return InputError(
            place, "the sentence ends before the words of its last multiword token",
            "a row for each word of the range", "was the file cut off?",
        )
    return InputError(
        place, f"ID is {quote(number)}", f"{wanted}, the next word of the sentence, or a range such as {wanted}-{wanted + 1}",
        "number words from 1 in each sentence; is an empty line between sentences missing?",
    )


def _explain_columns(name: str, lines: list[str], lineno: int) -> InputError:
    text = lines[lineno - 1]
    bad = [k for k, row in _rows(lines) if row.count("\t") != 9]
    others = f"; {len(bad)} such lines, the first at {', '.join(map(str, bad[:3]))}" if len(bad) > 1 else ""
    columns = text.count("\t") + 1
    if text.startswith("#"):
        found, advice = "a comment inside a sentence", "comments stand before the first word of a sentence"
    elif columns == 1 and len(re.split(r"  +| ", text.strip())) == 10:
        found, advice = "ten columns separated by spaces", "separate them by tabs: sed -E 's/ +/\\t/g' where no column holds a space"
    elif columns == 1:
        found, advice = f"one column, {quote(text)}", "if this is plain text, one sentence per line, say so: --gold-format plain or --system-format plain"
    else:
        found, advice = f"{columns} columns, {quote(text)}", "fill an empty column with _"
    if "\r" in text or any("\r" in row for row in lines[max(0, lineno - 2) : lineno]):
        found, advice = "a carriage return inside a line", "remove it: tr -d '\\r'"
    return InputError(Place(name, lineno), found + others, "ten columns separated by tabs", advice)


def _rows(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Lines that must be rows, with their numbers."""
    inside = False
    for k, text in enumerate(lines, 1):
        if not text:
            inside = False
        elif inside or not text.startswith("#"):
            inside = True
            yield k, text


def _next_number(lines: list[str], lineno: int) -> int:
    """The word number that is due at a line."""
    number = 1
    for text in reversed(lines[: lineno - 1]):
        head = text.split("\t", 1)[0]
        if not text or text.startswith("#"):
            break
        if head.isdigit():
            return int(head) + 1
    return number
