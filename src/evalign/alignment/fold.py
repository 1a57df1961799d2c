"""Folded forms: what characters are aligned by, case, accents and compatibility variants aside.

Folding is for alignment only; whether a token is right is decided on its own characters.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.document import IntArray


class Folded(NamedTuple):
    """A line's folded characters, and where each character of the line begins among them."""

    codes: IntArray
    cuts: IntArray
    """One longer than the line; `cuts[p]` is the folded position of position p of the line."""
    originals: npt.NDArray[np.uint32]
    """The line itself as code points."""

    def characters_at(self, pieces: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The characters that folded positions belong to."""
        if len(self.codes) == len(self.originals) and (np.diff(self.cuts) == 1).all():
            return pieces
        return np.repeat(np.arange(len(self.originals)), np.diff(self.cuts))[pieces]


@cache
def fold_character(character: str) -> str:
    """Compatibility decomposition, no marks, lower case; it may be longer or empty."""
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).lower())
    return "".join(c for c in decomposed if not unicodedata.category(c).startswith("M"))


def fold_text(text: str) -> str:
    """A short text folded, character by character."""
    return "".join(map(fold_character, text))


def code_points(line: str) -> npt.NDArray[np.uint32]:
    """A line as an array of its code points."""
    return np.frombuffer(line.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint32, copy=False)


def fold_line(line: str, token_cuts: IntArray | None = None) -> Folded:
    """Fold a whole line: one table look-up per character, so that its cost does not depend on the script.

    A token that folds to nothing (a mark by itself) stays as it is, or it could never be found again.
    """
    originals = code_points(line)
    present = np.zeros(0x110000, bool)
    present[originals] = True
    folds = {int(code): fold_character(chr(code)) for code in np.flatnonzero(present)}
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
            return Folded(table[originals], cuts, originals)
        reached = per_character > offset
        codes[cuts[:-1][reached] + offset] = table[originals[reached]]
    codes[cuts[:-1][bare]] = originals[bare]
    return Folded(codes, cuts, originals)
