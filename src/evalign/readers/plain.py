"""The reader of plain text: one sentence per line, tokens separated by spaces or tabs.

A blank line separates paragraphs and is never a sentence. Other white space, such as a no-break space, stays
inside its token and is not on the line. The remark on tokens with the marks of subword tokenizers is made
here, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.document import Breaks, Document
from evalign.errors import Place, Remark, quote
from evalign.kernels.text_scan_cy import N_NOTES, PlainScanner, count_bytes
from evalign.readers.content import DOUBLED_BLANK, Content, scan_remarks
from evalign.ud_labels import names


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
        # The number of the sentence of each token that carries the mark.
        marked = [
            number
            for number, sentence in enumerate(sentences, 1)
            for k in range(len(sentence))
            if _carries(mark, sentence, k)
        ]
        if marked and _is_marked(mark, len(marked), sentences, least):
            message = (
                f'tokens carry "{mark}", the mark of a subword tokenizer, which is scored as characters of the text: '
                "take the marks off, or give text and offsets from Python, "
                "evalign.Offsets(text, [(start, end), ...]) or (text, encoding)"
            )
            return (Remark("subword-marks", message, 1, (Place(name, marked[0]),)),)
    return ()


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


# Labels that were given where tokens are expected, in lists or in files of plain text.
#
# They may be all of it, `O B-PER` or `PROPN VERB`, or stand behind each token in lists of two, `Ada PROPN`. They
# are scored as they are, with a remark.

# Tags of universal dependencies and of the Penn Treebank.
TAGS = names(
    "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X SPACE "
    "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP TO UH VB VBD VBG VBN VBP VBZ "
    "WDT WP WP$ WRB HYPH NFP ADD AFX -LRB- -RRB- _SP"
)
OUTSIDE = "O"
# B-PER, I_LOC: a token that begins, continues or ends a span, or is one by itself.
_IN_SPAN = re.compile(r"[BIESULM][-_]\w[\w.:/-]*")
# Most sentences that decide whether tokens are labels. Then all labels are counted.
_N_SENTENCES = 1_000
# Words among so many tokens show at once that they are not labels.
_N_FIRST = 50
TAKE_TOKENS = "they are scored as words of the text: give the tokens instead"


class Labels(NamedTuple):
    """The message about labels among tokens, and the number of the first sentence that has one."""

    message: str
    number: int


def find_labels(sentences: Sequence[Sequence[str]]) -> Labels | None:
    """Recognize that the tokens of `sentences`, or the second of every two, are labels and not words."""
    head = sentences[:_N_SENTENCES]
    pairs = len(head) > 2 and all(len(sentence) == 2 for sentence in head)
    if _are_labels([token for sentence in head for token in sentence]):
        first, what = 0, "tokens are labels such as"
    elif pairs and _are_labels([sentence[1] for sentence in head]):
        first, what = 1, "tokens are the label of the token before, such as"
    else:
        return None
    labels = [token for sentence in sentences for token in sentence[first:] if _is_label(token)]
    example = next((label for label in labels if label != OUTSIDE), OUTSIDE)
    message = f"{len(labels):,} of {sum(map(len, sentences)):,} {what} {quote(example)}"
    number = next(number for number, tokens in enumerate(sentences, 1) if any(map(_is_label, tokens)))
    return Labels(message, number)


def remark_on_labels(name: str, sentences: Sequence[Sequence[str]]) -> tuple[Remark, ...]:
    """Return a remark if the tokens of `sentences`, or the second of every two, are labels and not words."""
    labels = find_labels(sentences)
    if labels is None:
        return ()
    return (Remark("labels", f"{labels.message}: {TAKE_TOKENS}", 1, (Place(name, labels.number),)),)


def _are_labels(tokens: Sequence[str]) -> bool:
    """Return whether hardly any of `tokens` is a word, or half of them are `O`; punctuation is both."""
    if len(tokens) > _N_FIRST and not _are_labels(tokens[:_N_FIRST]):
        return False
    outside = tokens.count(OUTSIDE)
    if len(tokens) > 2 and 2 * outside >= len(tokens):
        return True
    n_labels = sum(map(_is_label, tokens))
    n_words = sum(any(map(str.isalnum, token)) for token in tokens if not _is_label(token))
    return n_labels > 1 and 20 * n_words <= n_labels


def _is_label(token: str) -> bool:
    return token == OUTSIDE or token in TAGS or _IN_SPAN.fullmatch(token) is not None
