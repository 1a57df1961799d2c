"""Folded forms, by which characters are aligned: without case, accents and compatibility variants.

Folding is for alignment only; whether a token is correct is decided by its own characters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.document import Document, IntArray

# Values for boundaries on a line, as `kernels.slide_cy` requires them.
TOKEN_MARK, SENTENCE_MARK = 1, 4
# Katakana that have a hiragana of the same sound, and how many code points below them it is.
_KATAKANA, _HIRAGANA = range(0x30A1, 0x30F7), 0x60


class FoldedLine(NamedTuple):
    """The folded characters of a line as code points, and where each character begins among them."""

    codes: IntArray
    cuts: IntArray
    """One longer than the line; `cuts[p]` is the folded position of position p of the line."""
    originals: npt.NDArray[np.uint32]
    """The line itself as code points."""
    marks: npt.NDArray[np.uint8]
    """Per folded position, one more than there are folded characters: TOKEN_MARK at a token boundary,
    SENTENCE_MARK at a sentence boundary, else 0."""

    def characters_at(self, pieces: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the index on the line of the character that each folded position in `pieces` belongs to."""
        if len(self.codes) == len(self.originals) and (np.diff(self.cuts) == 1).all():
            return pieces
        return np.repeat(np.arange(len(self.originals)), np.diff(self.cuts))[pieces]


@cache
def fold_character(character: str) -> str:
    """Fold a character: decompose it (NFKD), lower-case it, remove marks. The result may be longer, or ""."""
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).lower())
    return "".join(c for c in decomposed if not unicodedata.category(c).startswith("M"))


@cache
def fold_aligned(character: str) -> str:
    """Fold a character of a line that is to be aligned.

    Like `fold_character`, but katakana become hiragana, and format characters (category Cf), which only
    affect how text is displayed, are left out.
    """
    return "".join(
        chr(ord(c) - _HIRAGANA) if ord(c) in _KATAKANA else c
        for c in fold_character(character)
        if unicodedata.category(c) != "Cf"
    )


def fold_text(text: str) -> str:
    """Fold a short text, character by character, with `fold_character`."""
    return "".join(map(fold_character, text))


def fold_token(token: str) -> str:
    """Fold a token as on an aligned line (`fold_aligned`); one that folds to nothing stays as it is."""
    return "".join(map(fold_aligned, token)) or token


def code_points(line: str) -> npt.NDArray[np.uint32]:
    """Return a line as an array of its code points."""
    return np.frombuffer(line.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint32, copy=False)


def fold_line(
    line: str, token_cuts: IntArray | None = None, fold: Callable[[str], str] = fold_character
) -> FoldedLine:
    """Fold a whole line with one table look-up per character, so that the cost does not depend on the script.

    `token_cuts` are the token boundaries. A token that folds to nothing (a mark by itself) stays as it is;
    otherwise it could never be aligned. No boundaries are marked in the result.
    """
    originals = code_points(line)
    present = np.zeros(0x110000, bool)
    present[originals] = True
    folds = {int(code): fold(chr(code)) for code in np.flatnonzero(present)}
    longest = max(map(len, folds.values()), default=1)
    lengths = np.zeros(0x110000, np.int32)
    lengths[list(folds)] = [len(folded) for folded in folds.values()]
    per_character = lengths[originals]
    cuts = np.zeros(len(originals) + 1, np.int32)
    np.cumsum(per_character, out=cuts[1:])
    bare = np.zeros(len(originals), bool)
    if token_cuts is not None:
        bare = np.repeat(np.diff(cuts[token_cuts]) == 0, np.diff(token_cuts))
    if bare.any():
        per_character[bare] = 1
        np.cumsum(per_character, out=cuts[1:])
    codes = np.zeros(int(cuts[-1]), np.int32)
    table = np.zeros(0x110000, np.int32)
    for offset in range(longest):
        table[list(folds)] = [ord(folded[offset]) if offset < len(folded) else 0 for folded in folds.values()]
        if longest == 1 and len(codes) == len(originals) and not bare.any():
            return FoldedLine(table[originals], cuts, originals, np.zeros(len(originals) + 1, np.uint8))
        reached = per_character > offset
        codes[cuts[:-1][reached] + offset] = table[originals[reached]]
    codes[cuts[:-1][bare]] = originals[bare]
    return FoldedLine(codes, cuts, originals, np.zeros(len(codes) + 1, np.uint8))


def fold_document(document: Document) -> FoldedLine:
    """Fold a document's line for alignment, and mark its token and sentence boundaries."""
    folded = fold_line(document.line, document.cuts, fold_aligned)
    folded.marks[folded.cuts[document.cuts]] = TOKEN_MARK
    folded.marks[folded.cuts[document.sentence_cuts]] = SENTENCE_MARK
    return folded
