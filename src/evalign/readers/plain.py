"""Plain text: one sentence per line, tokens separated by spaces or tabs.

A blank line separates paragraphs and is never a sentence. White space of other kinds (a no-break space, say)
stays inside its token and is not on the line.
"""

from __future__ import annotations

import numpy as np

from evalign.document import Breaks, Document
from evalign.kernels.scan_cy import N_NOTES, PlainScanner, count_bytes
from evalign.readers.remarks import note_remarks
from evalign.readers.source import Content


def read_plain(content: Content, *, strict: bool = False) -> Document:
    """A document from plain text; strict: what is not on the line is category Zs alone (CoNLL 2018)."""
    data = content.data
    lines = count_bytes(data, ord("\n")) + 2
    # Untouched pages of np.empty take no memory: room for every other byte to be a token costs nothing.
    cuts = np.empty((len(data) + 1) // 2 + 2, np.int32)
    line = np.empty(len(data) + 1, np.uint8)
    sentences, linenos, paragraphs = (np.empty(lines, np.int32) for _ in range(3))
    notes = np.zeros((N_NOTES, 2), np.int64)
    scanner = PlainScanner(data, line, cuts, sentences, linenos, notes, strict)
    n_paragraphs = scanner.scan(paragraphs)
    used, n_tokens, n_sentences = scanner.totals()
    del scanner
    # Given back in place: the largest column is not copied. Nothing else refers to it any more.
    cuts.resize(n_tokens + 1, refcheck=False)
    return Document(
        content.name,
        "plain",
        str(line.data[:used], "utf-8"),
        cuts,
        sentences[: n_sentences + 1].copy(),
        linenos[:n_sentences].copy(),
        paragraphs=Breaks(paragraphs[:n_paragraphs].copy(), [""] * n_paragraphs),
        remarks=content.remarks + note_remarks(content.name, notes),
    )
