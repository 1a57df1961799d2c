"""Tokens that are written with white space inside, as `1 000` in CoNLL-U: found when asked for, and cut at spaces.

White space is not on the line, so that a document knows nothing of it but through this.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from evalign.document import Document, IntArray, Words
from evalign.errors import Remark
from evalign.text import WHITE_SPACE, without_space

_INSIDE = f"[{WHITE_SPACE.replace(chr(9), '').replace(chr(10), '')}]"
# The form of a row, where it has white space inside.
_ROW = re.compile(rf"^[0-9][0-9-]*\t([^\t\n]*{_INSIDE}[^\t\n]*)", re.MULTILINE)
# Lines of tokens that are named where they are cut.
MOST_PLACES = 5


class ConlluSpaces:
    """Tokens of CoNLL-U as they are written; `linenos` are the lines of the data that they stand on."""

    def __init__(self, data: bytes, linenos: IntArray) -> None:
        self._data, self._linenos = data, linenos

    @cached_property
    def texts(self) -> Mapping[int, str]:
        """By token, those with white space inside."""
        written = {}
        data, lineno, done = self._data.decode("utf-8"), 1, 0
        for match in _ROW.finditer(data):
            lineno += data.count("\n", done, match.start())
            done = match.start()
            token = int(np.searchsorted(self._linenos, lineno))
            text = match[1].strip(WHITE_SPACE)
            # A word inside a multiword token has a row and is no token.
            is_token = token < len(self._linenos) and self._linenos[token] == lineno
            if is_token and text != without_space(text):
                written[token] = text
        return written


def split_spaces(document: Document) -> Document:
    """The document with its tokens cut at their spaces, as plain text has them: `1 000` becomes two tokens.

    Sentences, documents and comments stay. What is said of words (tags, lemmas, heads) is left out, as the pieces of a
    word have none of their own; so are the words inside a multiword token that is cut.
    """
    if document.trees is not None or document.spans is not None:
        return document
    texts = document.spaced.texts if document.spaced is not None else {}
    pieces = {token: [without_space(piece) for piece in text.split(" ")] for token, text in texts.items()}
    lengths = {token: [len(piece) for piece in each if piece] for token, each in pieces.items()}
    lengths = {token: each for token, each in lengths.items() if len(each) > 1}
    bare = replace(document, columns=None, spaced=None)
    if not lengths:
        return bare
    sizes = np.ones(document.n_tokens, np.int32)
    sizes[list(lengths)] = [len(each) for each in lengths.values()]
    inner = [
        document.cuts[token] + end for token, each in lengths.items() for end in np.cumsum(each)[:-1].tolist()
    ]
    firsts = np.append(0, np.cumsum(sizes)).astype(np.int32)
    per_token = document.format != "plain" and len(document.linenos) == document.n_tokens
    return replace(
        bare,
        cuts=np.sort(np.append(document.cuts, inner)).astype(document.cuts.dtype),
        sentences=firsts[document.sentences].astype(document.sentences.dtype),
        linenos=np.repeat(document.linenos, sizes) if per_token else document.linenos,
        words=_split_words(document.words, sizes, firsts) if document.words is not None else None,
        remarks=(*document.remarks, _remark_on(document, sorted(lengths))),
    )


def _split_words(words: Words, sizes: IntArray, firsts: IntArray) -> Words:
    """A word for each piece of a token that is cut, whatever words it had; the others stay."""
    is_cut = sizes[words.tokens] > 1
    is_first = np.append(True, np.diff(words.tokens) > 0)[: len(words)]
    repeats = np.where(is_cut, np.where(is_first, sizes[words.tokens], 0), 1)
    rows = np.repeat(np.arange(len(words)), repeats)
    begins = np.cumsum(repeats) - repeats
    tokens = firsts[words.tokens[rows]] + np.where(is_cut[rows], np.arange(len(rows)) - begins[rows], 0)
    multiword = np.where(is_cut[rows], 0, words.multiword[rows]).astype(np.uint8)
    kept = (~is_cut) & words.multiword.astype(bool)
    forms = [words.forms[rank] for rank in words.ranks[kept].tolist()]
    ranks = np.cumsum(multiword, dtype=np.int32) - multiword
    return Words(tokens.astype(np.int32), multiword, forms, ranks.astype(np.int32))


def _remark_on(document: Document, tokens: list[int]) -> Remark:
    places = tuple(document.place_of(token) for token in tokens[:MOST_PLACES])
    return Remark("split-spaces", "token with a space in it, cut there", len(tokens), places)
