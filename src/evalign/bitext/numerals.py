"""Numbers as files write them, of a million lines at once: digits of an id, decimals of a score.

Lines are not looked at one by one, but their first characters together, then their second ones, and so on.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Codes: TypeAlias = npt.NDArray[np.uint8]
Numbers: TypeAlias = npt.NDArray[np.int64]
Scores: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]

_ZERO, _POINT, _MINUS = (np.uint8(ord(character)) for character in "0.-")
# Digits and a point. Below this number whole ones are exact as floats, and so are these powers of ten.
_LONGEST = 16
_LARGEST = 2**53
# Decimals of no more significant digits are floats of their own, those of a normal size (DBL_DIG of C).
_DISTINCT = 15
_SMALLEST = np.finfo(np.float64).tiny
# So many are taken out of their lines at a time where Python reads them.
_MOST_PARSED = 1 << 16
_TENS = np.array([float(10**power) for power in range(_LONGEST)])


def read_digits(codes: Codes, starts: Numbers, width: int) -> tuple[Numbers, Mask]:
    """Numbers of so many digits, and whether they are that.

    >>> read_digits(np.frombuffer(b"007 0x7", np.uint8), np.array([0, 4]), 3)[1].tolist()
    [True, False]
    """
    number = np.zeros(len(starts), np.int64)
    good = np.ones(len(starts), bool)
    for k in range(width):
        digit = codes[starts + k] - _ZERO  # what is below "0" wraps to above 9
        good &= digit <= 9
        number *= 10
        number += digit
    return number, good


def read_scores(data: bytes, starts: Numbers, ends: Numbers) -> Scores:
    """The floats that Python reads there, the nearest ones to what is written; not a number where none is.

    >>> read_scores(b"0.93 -1e-3 1_0", np.array([0, 5, 11]), np.array([4, 10, 14])).tolist()
    [0.93, -0.001, nan]
    """
    # A line end behind, so that there is something even where nothing is written.
    scores = _read_decimals(np.frombuffer(data + b"\n", np.uint8), starts, ends)
    others = np.flatnonzero(np.isnan(scores))
    for k in range(0, len(others), _MOST_PARSED):
        some = others[k : k + _MOST_PARSED]
        stretches = zip(starts[some].tolist(), ends[some].tolist(), strict=True)
        scores[some] = _parse_all([data[start:end] for start, end in stretches])
    return scores


class WrittenScores(NamedTuple):
    """Scores as a file writes them. They are looked at where floats do not tell two of them apart, and nowhere else."""

    data: bytes
    starts: Numbers
    ends: Numbers

    def take(self, which: Numbers) -> WrittenScores:
        """Some of them."""
        return WrittenScores(self.data, self.starts[which], self.ends[which])

    def find_inexact(self, scores: Scores) -> Mask:
        """Which of them may be the same float as another decimal: those of many digits, or nearly 0."""
        found: Mask = (self.ends - self.starts > _DISTINCT) | (np.abs(scores) < _SMALLEST)
        return found

    def text(self, which: int) -> str:
        """One of them."""
        return self.data[self.starts[which] : self.ends[which]].decode("ascii").strip()

    def show_exact(self, which: int, score: float) -> str:
        """One of them where its float says something else; nothing where that is the same."""
        text = self.text(which)
        return text if read_exactly(text) != read_exactly(repr(score)) else ""


def read_exactly(written: str) -> Decimal:
    """The very decimal that is written; 0 where it is nearer to that than any decimal that can be held."""
    try:
        return Decimal(written)
    except InvalidOperation:
        return Decimal(0)


def rank_exactly(scores: Scores, written: WrittenScores | None) -> Scores | Numbers:
    """Numbers in the order of the scores as they are written, equal where these are.

    >>> written = WrittenScores(b"0.5 0.1 0.50000000000000000001", np.array([0, 4, 8]), np.array([3, 7, 30]))
    >>> rank_exactly(np.array([0.5, 0.1, 0.5]), written).tolist()
    [2, 0, 3]
    """
    inexact = np.zeros(0, bool) if written is None else written.find_inexact(scores)
    if written is None or not inexact.any():
        return scores
    levels: Numbers
    _, levels, counts = np.unique(scores, return_inverse=True, return_counts=True)
    # A float that one score alone has needs no second look.
    is_shared = np.zeros(len(counts), bool)
    is_shared[levels[inexact]] = True
    is_shared &= counts > 1
    groups: dict[int, dict[int, Decimal]] = {}
    for k in np.flatnonzero(is_shared[levels]).tolist():
        groups.setdefault(int(levels[k]), {})[k] = read_exactly(written.text(k))
    if not groups:
        return scores
    # Room between two floats for as many decimals as share one.
    room = max(len(set(group.values())) for group in groups.values())
    levels = levels.astype(np.int64) * room
    for group in groups.values():
        order = {value: number for number, value in enumerate(sorted(set(group.values())))}
        levels[[*group]] += [order[value] for value in group.values()]
    return levels


def _parse_all(written: list[bytes]) -> list[float]:
    try:
        scores = [*map(float, written)]
    except ValueError:
        return [*map(_parse, written)]
    # Python takes 1_000 for a number.
    return [*map(_parse, written)] if b"_" in b"".join(written) else scores


def _read_decimals(codes: Codes, starts: Numbers, ends: Numbers) -> Scores:
    """Numbers that are a few digits, with a point or without; not a number where anything else is written.

    The digits as a whole number and the power of ten are exact, so that their quotient is the nearest float (Clinger
    1990, How to read floating point numbers accurately).
    """
    is_negative = codes[starts] == _MINUS
    starts = starts + is_negative
    scores = np.full(len(starts), np.nan)
    for width in range(1, _LONGEST + 1):
        which = np.flatnonzero(ends - starts == width)
        if len(which):
            scores[which] = _read_width(codes, starts[which], width)
    return np.where(is_negative, -scores, scores)


def _read_width(codes: Codes, starts: Numbers, width: int) -> Scores:
    """The same of those that have so many characters."""
    number = np.zeros(len(starts), np.int64)
    points = np.zeros(len(starts), np.int8)
    decimals = np.zeros(len(starts), np.int8)
    good = np.ones(len(starts), bool)
    for k in range(width):
        code = codes[starts + k]
        digit = code - _ZERO
        is_digit, is_point = digit <= 9, code == _POINT
        good &= is_digit | is_point
        number = np.where(is_digit, number * 10 + digit, number)
        decimals += is_digit & (points > 0)
        points += is_point
    good &= (points <= 1) & (points < width) & (number <= _LARGEST)
    return np.where(good, number / _TENS[decimals], np.nan)


def _parse(data: bytes) -> float:
    try:
        return float("nan") if b"_" in data else float(data)
    except ValueError:
        return float("nan")
