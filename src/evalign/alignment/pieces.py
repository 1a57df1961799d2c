"""A raw text as a document to align with: pieces in which normalisation never loses where a character was.

White space cuts it, and so does every notation that is rewritten to another length: what a piece is rewritten to has
the places of the whole piece, and all other characters keep their own.
"""

from __future__ import annotations

import re
import unicodedata

import numpy as np

from evalign.alignment.fold import code_points
from evalign.alignment.normalize import BRACKETS, QUOTES, SLASHES, XML
from evalign.document import Document, IntArray, distinct
from evalign.readers.raw import RawText

# A single quote is one character before and after; of longer notations none begins as another one does.
_KEYS = (*XML, *BRACKETS, *SLASHES, *(key for key in QUOTES if len(key) > 1), "…")
_ESCAPES = re.compile("|".join(map(re.escape, _KEYS)))


def cut_pieces(raw: RawText) -> Document:
    """The raw text in pieces, a sentence for each file that has any."""
    if not raw.line:
        return Document(
            raw.name, "plain", "", np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(0, np.int32)
        )
    offsets = raw.offsets
    begins = np.zeros(len(raw.line) + 1, bool)
    begins[0] = begins[-1] = True
    begins[1:-1] = np.diff(offsets) > 1
    found = np.array([match.span() for match in _ESCAPES.finditer(raw.text)], np.int32).reshape(-1, 2)
    begins[np.searchsorted(offsets, found[:, 0])] = True
    begins[np.searchsorted(offsets, found[:, 1] - 1) + 1] = True
    _cut_clusters(raw.line, begins)
    cuts = np.flatnonzero(begins).astype(np.int32)
    heads = np.searchsorted(offsets, raw.files.starts)  # where each file begins on the line
    sentences = distinct(np.searchsorted(cuts, np.append(heads, len(raw.line)))).astype(np.int32)
    return Document(
        raw.name, "plain", raw.line, cuts, sentences, np.arange(1, len(sentences), dtype=np.int32)
    )


def _cut_clusters(line: str, begins: IntArray) -> None:
    """Cut around what canonical composition makes shorter or longer: a letter with its marks, jamo, odd letters."""
    if unicodedata.is_normalized("NFC", line):
        return
    points = code_points(line)
    table = np.zeros(0x110000, np.uint8)
    table[points] = 1
    for code in np.flatnonzero(table).tolist():
        character = chr(code)
        joins = unicodedata.category(character).startswith("M") or 0x1160 <= code <= 0x11FF
        table[code] = 1 if joins else 2 if len(unicodedata.normalize("NFC", character)) > 1 else 0
    kinds = table[points]
    joins = kinds == 1
    # A cluster is a character and those that join it; it begins before the former and ends behind the latter.
    begins[:-2] |= ~joins[:-1] & joins[1:]
    begins[1:-1] |= joins[:-1] & ~joins[1:]
    odd = np.flatnonzero(kinds == 2)
    begins[odd] = True
    begins[odd[~np.append(joins, False)[odd + 1]] + 1] = True
