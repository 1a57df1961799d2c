"""Plain text: one sentence per line, tokens separated by spaces or tabs.

A blank line separates paragraphs and is never a sentence. White space of other kinds (a no-break space, say)
stays inside its token and is not on the line.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalign.document import Breaks, Document
from evalign.kernels.scan_cy import N_NOTES, PlainScanner, count_bytes
from evalign.readers.content import DOUBLED_BLANK, Content, scan_remarks
from evalign.readers.subwords import remark_on_file


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
    paragraphs = paragraphs[:n_paragraphs].copy()
    if content.start:
        n_blank = int(linenos[0]) - 1 if n_sentences else lines - 1 - data.endswith(b"\n")
        paragraphs = _follow_on(paragraphs, notes, n_blank)
    marked = () if content.start else remark_on_file(content.name, data)
    # Given back in place: the largest column is not copied. Nothing else refers to it any more.
    cuts.resize(n_tokens + 1, refcheck=False)
    return Document(
        content.name,
        "plain",
        str(line.data[:used], "utf-8"),
        cuts,
        sentences[: n_sentences + 1].copy(),
        content.linenos(linenos[:n_sentences].copy()),
        paragraphs=Breaks(paragraphs, [""] * len(paragraphs)),
        remarks=content.remarks + scan_remarks(content, notes) + marked,
    )


def _follow_on(
    paragraphs: npt.NDArray[np.int32], notes: npt.NDArray[np.int64], n_blank: int
) -> npt.NDArray[np.int32]:
    """The paragraphs of lines that follow on a sentence: so many blank ones come first, all but one of them noted."""
    if n_blank > 1:
        notes[DOUBLED_BLANK] = notes[DOUBLED_BLANK, 0] + n_blank - 1, 2
    return paragraphs if n_blank else paragraphs[1:]
