"""Which characters of a raw text each token has where the texts differ in length: a stretch is divided in order.

    de le      facing  du       de has d, le has u
    going to   facing  gonna    going has gon, to has na

A token that lies wholly in the stretch has one character of it; the others are given out in proportion to length.
Where there are fewer characters than such tokens, all are given out so, and some tokens have none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.alignment.places import NOWHERE
from evalign.alignment.sides import Side
from evalign.document import IntArray


class Shares(NamedTuple):
    """Per folded character of a document: the folded characters of the raw text that its token has for it."""

    firsts: IntArray
    """NOWHERE where the raw text has nothing for it."""
    lasts: IntArray
    """One past the last; as large as `firsts` where the stretch had too little for the token."""

    @property
    def held(self) -> npt.NDArray[np.bool_]:
        """Whether there is any."""
        return self.lasts > self.firsts


class _Stretches(NamedTuple):
    """Per place where its characters begin, and how many they are."""

    heads: IntArray
    counts: IntArray


def share_out(document: Side, raw: Side, n_places: int) -> Shares:
    """Divide the raw characters of every place among the tokens that are in it."""
    places, there = _places(document), _places(raw)
    here, facing = _find_stretches(places, n_places), _find_stretches(there, n_places)
    firsts = facing.heads[places]
    lasts = firsts + facing.counts[places]
    tokens = np.repeat(np.arange(document.document.n_tokens), np.diff(_cuts(document)))
    # Characters that share a place with others.
    rows = np.flatnonzero(here.counts[places] > 1)
    if len(rows):
        shares, part = _divide(rows, places[rows], tokens[rows], np.diff(_cuts(document)), here, facing)
        firsts[rows], lasts[rows] = (facing.heads[places[rows]] + column[part] for column in shares)
    return Shares(firsts, lasts)


def _divide(
    rows: IntArray, places: IntArray, tokens: IntArray, sizes: IntArray, here: _Stretches, facing: _Stretches
) -> tuple[tuple[IntArray, IntArray], IntArray]:
    """Where the share of each part begins and ends in its stretch, a part being a token in it, and each row's part."""
    changes = (np.diff(places, prepend=NOWHERE) != 0) | (np.diff(tokens, prepend=NOWHERE) != 0)
    heads, part = np.flatnonzero(changes), np.cumsum(changes) - 1
    place = places[heads]
    starts = rows[heads] - here.heads[place]
    lengths = np.diff(heads, append=len(rows))
    whole = (lengths == sizes[tokens[heads]]).astype(np.int64)
    # Per part, over its stretch: how many wholly lie in it, and how many of them come before.
    wanted = np.bincount(place, weights=whole, minlength=len(here.heads)).astype(np.int64)[place]
    whole[wanted > facing.counts[place]] = 0
    wanted[wanted > facing.counts[place]] = 0
    before = np.cumsum(whole) - whole
    before -= before[np.searchsorted(place, place)]
    spare, size = facing.counts[place] - wanted, here.counts[place]

    def share(done: IntArray) -> IntArray:
        return (2 * spare * done + size) // (2 * size)  # rounded

    return (before + share(starts), before + whole + share(starts + lengths)), part


def _cuts(side: Side) -> IntArray:
    """Where tokens begin among the folded characters."""
    return side.cuts[side.document.cuts]


def _places(side: Side) -> IntArray:
    return np.arange(int(_cuts(side)[-1])) if side.characters is None else side.characters.places


def _find_stretches(places: IntArray, n_places: int) -> _Stretches:
    """Places are ascending; the last row is for what has none."""
    known = np.flatnonzero(places != NOWHERE)
    heads = np.full(n_places + 1, NOWHERE)
    heads[places[known[::-1]]] = known[::-1]
    return _Stretches(heads, np.bincount(places[known], minlength=n_places + 1))
