"""The reader of plain text: one sentence per line, tokens separated by spaces or tabs.

A blank line separates paragraphs and is never a sentence. Other white space, such as a no-break space, stays
inside its token and is not on the line. The remark on tokens with the marks of subword tokenizers is made
here, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.document import Breaks, Document
from evalign.errors import Place, Remark, quote
from evalign.kernels.text_scan_cy import N_NOTES, PlainScanner, count_bytes
from evalign.readers.content import DOUBLED_BLANK, Content, scan_remarks


def read_plain(content: Content, *, strict: bool = False) -> Document:
    """Read plain text into a document.

    With `strict` only the characters of category Zs are left out of the line, as in the CoNLL 2018 script.
    """
    data = content.data
    lines = count_bytes(data, ord("\n")) + 2
    # Untouched pages of np.empty take no memory, so that room for a token at every other byte costs nothing.
    cuts = np.empty((len(data) + 1) // 2 + 2, np.int32)
    line = np.empty(len(data) + 1, np.uint8)
    sentences, linenos, paragraphs = (np.empty(lines, np.int32) for _ in range(3))
    notes = np.zeros((N_NOTES, 2), np.int64)
    scanner = PlainScanner(data, line, cuts, sentences, linenos, notes, strict)
    n_paragraphs = scanner.scan(paragraphs)
    used, n_tokens, n_sentences = scanner.totals()
    del scanner
    paragraphs = paragraphs[:n_paragraphs].copy()
    if content.start:
        n_blank = int(linenos[0]) - 1 if n_sentences else lines - 1 - data.endswith(b"\n")
        paragraphs = _follow_on(paragraphs, notes, n_blank)
    # Shrunk in place, which does not copy the largest array. Nothing else refers to it any more.
    cuts.resize(n_tokens + 1, refcheck=False)
    return Document(
        content.name,
        "plain",
        str(line.data[:used], "utf-8"),
        cuts,
        sentences[: n_sentences + 1].copy(),
        content.linenos(linenos[:n_sentences].copy()),
        paragraphs=Breaks(paragraphs, [""] * len(paragraphs)),
        remarks=content.remarks + scan_remarks(content, notes),
    )


def _follow_on(
    paragraphs: npt.NDArray[np.int32], notes: npt.NDArray[np.int64], n_blank: int
) -> npt.NDArray[np.int32]:
    """Return the paragraphs of a chunk that continues a file, behind `n_blank` blank lines.

    Without a blank line the first sentence continues the paragraph before. All blank lines but one are noted
    as doubled.
    """
    if n_blank > 1:
        notes[DOUBLED_BLANK] = notes[DOUBLED_BLANK, 0] + n_blank - 1, 2
    return paragraphs if n_blank else paragraphs[1:]


# The kind of the remark on text that is not tokenized: it does not matter where only sentences are scored.
UNTOKENIZED = "untokenized"

# Marks of subword tokenizers: `▁The ▁cat`, `The Ġcat`, `em ##bed`, `em@@ bed`, `cat</w>`. Such tokens are not
# pieces of the text, because the mark stands for white space or for a join. They are scored as they are, with
# the mark and with a warning. Only the first tokens decide, so that a file gets the same warning whether it
# is read in pieces or at once.

# Most bytes of a file, and most sentences of a list, that are examined.
_N_BYTES, _N_SENTENCES = 1 << 16, 1_000
# Fewer tokens with spaces are no evidence: a sentence may be one name.
_FEWEST_SPACED = 3

SENTENCEPIECE, BYTE_LEVEL, WORDPIECE, SUBWORD_NMT, CLIP = "▁", "Ġ", "##", "@@", "</w>"
MARKS = (SENTENCEPIECE, BYTE_LEVEL, WORDPIECE, SUBWORD_NMT, CLIP)
_ENCODED = tuple(mark.encode() for mark in MARKS)
# A byte-level tokenizer writes U+0100 to U+0143 for bytes that are not printable in Latin-1. Maltese has the
# letter Ġ, but also ż and quotation marks, which no such tokenizer writes.
_LAST_OF_BYTES = "\u0143"


class _MarkedTokens(NamedTuple):
    """The number of tokens that carry a mark, and the number of the first sentence with such a token."""

    n: int
    first: int


def remark_on_file(name: str, data: bytes) -> tuple[Remark, ...]:
    """Return a remark if the first lines of plain text are made of tokens with subword marks.

    Each line is a sentence. Some marks must be on at least two tokens.
    """
    head = data[:_N_BYTES]
    if not any(mark in head for mark in _ENCODED):
        return ()
    if len(head) < len(data):
        head = head[: head.rfind(b"\n") + 1] or head
    return _remark(name, [line.split() for line in head.decode("utf-8", "ignore").split("\n")], 2)


def remark_on_tokens(name: str, sentences: Sequence[Sequence[str]]) -> tuple[Remark, ...]:
    """Return remarks if lists of tokens are made of tokens with subword marks, or of text with spaces in it.

    One token with a mark may suffice. Of the tokens, most must have spaces: those of Vietnamese may have some.
    """
    head = list(islice(sentences, _N_SENTENCES))
    return _remark(name, head, 1) + _remark_on_spaces(name, head)


def _remark_on_spaces(name: str, sentences: Sequence[Sequence[str]]) -> tuple[Remark, ...]:
    tokens = [token for sentence in sentences for token in sentence]
    spaced = [token for token in tokens if " " in token.strip()]
    if len(spaced) < _FEWEST_SPACED or 2 * len(spaced) <= len(tokens):
        return ()
    message = (
        f"{len(spaced):,} of {len(tokens):,} tokens have spaces in them, such as {quote(spaced[0])}: is this raw text? "
        'give lists of tokens, or text with evalign.Text("...")'
    )
    number = next(number for number, sentence in enumerate(sentences, 1) if spaced[0] in sentence)
    return (Remark(UNTOKENIZED, message, 1, (Place(name, number),)),)


def _remark(name: str, sentences: Sequence[Sequence[str]], least: int) -> tuple[Remark, ...]:
    text = "\n".join(token for sentence in sentences for token in sentence)
    for mark in MARKS:
        if mark not in text:
            continue
        marked = _find(mark, sentences)
        if marked.n and _is_marked(mark, marked.n, sentences, least):
            message = (
                f'tokens carry "{mark}", the mark of a subword tokenizer, which is scored as characters of the text: '
                "take the marks off, or give text and offsets from Python, "
                "evalign.Offsets(text, [(start, end), ...]) or (text, encoding)"
            )
            return (Remark("subword-marks", message, 1, (Place(name, marked.first),)),)
    return ()


def _find(mark: str, sentences: Sequence[Sequence[str]]) -> _MarkedTokens:
    n = first = 0
    for number, sentence in enumerate(sentences, 1):
        here = sum(_carries(mark, sentence, k) for k in range(len(sentence)))
        if here and not n:
            first = number
        n += here
    return _MarkedTokens(n, first)


def _carries(mark: str, sentence: Sequence[str], k: int) -> bool:
    """Return whether token `k` has the mark where the tokenizer puts it, with text beside it."""
    token = sentence[k]
    if mark == SENTENCEPIECE:  # in a bar chart of block characters, another block follows
        return token.startswith(mark) and not "\u2580" <= token[1:2] <= "\u259f" and len(token) > 1
    if mark == BYTE_LEVEL:
        return k > 0 and token.startswith(mark) and len(token) > 1
    if mark == WORDPIECE:  # at the beginning of a line it marks a heading
        return k > 0 and token.startswith(mark) and token[2:3].isalpha()
    if mark == SUBWORD_NMT:
        return k + 1 < len(sentence) and token.endswith(mark) and token[-3:-2].isalnum()
    return token.endswith(mark) and len(token) > len(mark)


def _is_marked(mark: str, n: int, sentences: Sequence[Sequence[str]], least: int) -> bool:
    """Return whether `n` tokens with `mark` are too many for a text that merely contains these characters."""
    n_tokens = sum(map(len, sentences))
    if mark == SENTENCEPIECE:
        begun = [_carries(mark, sentence, 0) for sentence in sentences if sentence]
        return 5 * n >= n_tokens or 2 * sum(begun) >= len(begun)
    if mark == BYTE_LEVEL:
        n_inside = n_tokens - sum(map(bool, sentences))
        is_of_bytes = all(
            max(token, default="") <= _LAST_OF_BYTES for tokens in sentences for token in tokens
        )
        return is_of_bytes and (4 if n > 1 else 2) * n >= n_inside
    if mark == CLIP:
        return 4 * n >= n_tokens
    return n >= least and 20 * n >= n_tokens
