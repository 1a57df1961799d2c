"""Words for what the scanners tolerate (`kernels.scan_cy` counts them by number)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalign.errors import Remark
from evalign.readers.source import Content

# In the order of the scanner's notes.
_NOTES = (
    ("doubled-blank", "blank line with no sentence before it"),
    ("empty-form", "token of white space only: it has no characters"),
    ("inner-id", "word number out of order inside a multiword token, taken as the next word"),
    ("no-final-blank", "no empty line after the last sentence"),
    ("no-words", "comments or empty nodes without a word: no sentence"),
    ("inner-node", "empty node among the words of a multiword token, skipped"),
)

DOUBLED = [kind for kind, _ in _NOTES].index("doubled-blank")


def note_remarks(content: Content, notes: npt.NDArray[np.int64]) -> tuple[Remark, ...]:
    """Remarks for the notes that were taken."""
    return tuple(
        Remark(kind, message, int(count), (content.place(lineno),))
        for (kind, message), (count, lineno) in zip(_NOTES, notes.tolist(), strict=True)
        if count
    )
