"""In which order raw texts stand in a document: found from what they say, whatever their files are called.

Short stretches of letters and digits that occur once in the document and once in the texts tell where a text is. A text
too short for them, or one that comes several times, is looked for as a whole where no other text was found.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.alignment.fold import fold_line
from evalign.document import Document, IntArray
from evalign.errors import Remark
from evalign.readers.raw import RawText, RawTexts, join_texts

# Letters and digits in a stretch (a power of two: hashes are made by doubling), and how many stretches are compared
# at most, about: of more, those that a hash picks.
WIDTH = 16
MOST_STRETCHES = 1 << 20
# A text is found if one stretch in so many is where the others of the text are. With every fifth letter wrong one in
# forty still is; of a text that is not there, none is, or a few are that lie anywhere (measured on GUM).
ONE_IN = 250
# Names in a message.
MOST_NAMES = 5
NOT_FOUND = -1


class _Letters(NamedTuple):
    """Letters and digits of a text, folded, and the piece of the text that each is in."""

    codes: IntArray
    pieces: IntArray


def order_texts(document: Document, raw: RawTexts) -> tuple[RawText, tuple[Remark, ...]]:
    """The raw texts joined in the order in which the document has them, or in the order given, and what to warn of."""
    if len(raw) == 1:
        return raw[0], ()
    places = find_texts(document, raw)
    found = [k for k, place in enumerate(places) if place != NOT_FOUND]
    lost = [text.name for text, place in zip(raw, places, strict=True) if place == NOT_FOUND]
    if not found:
        # What is missing is said of all of them together.
        return join_texts(raw, raw.name), ()
    remarks = []
    if lost:
        message = f"{_list_names(lost)}: not found in {document.name}, left out as raw text"
        remarks.append(Remark("raw-not-found", message, 1, ()))
    if not raw.is_ordered:
        found.sort(key=places.__getitem__)
    else:
        wrong = [k for k in range(1, len(found)) if places[found[k]] < places[found[k - 1]]]
        if wrong:
            first, second = (raw[found[k]].name for k in (wrong[0] - 1, wrong[0]))
            message = (
                f"raw texts are not in the order of {document.name}: it has {second} before {first}, and what is out "
                "of order has no place (give the folder to have the order found)"
            )
            remarks.append(Remark("raw-order", message, 1, ()))
    return join_texts([raw[k] for k in found], raw.name), tuple(remarks)


def find_texts(document: Document, texts: Sequence[RawText]) -> list[int]:
    """About where each text is on the document's line, in letters and digits of it; NOT_FOUND where it is not."""
    here = _letters([document.line])
    there = _letters([text.line for text in texts])
    cuts = np.searchsorted(there.pieces, np.arange(len(texts) + 1))
    p, q = _common_stretches(here, there)
    of_text = there.pieces[q]
    bounds = np.searchsorted(of_text, np.arange(len(texts) + 1))
    taken = np.zeros(len(here.codes), bool)
    places = []
    for k in range(len(texts)):
        at, length = p[bounds[k] : bounds[k + 1]], int(cuts[k + 1] - cuts[k])
        begins = at - (q[bounds[k] : bounds[k + 1]] - cuts[k])
        near = at[np.abs(begins - np.median(begins)) <= WIDTH + length // 4] if len(at) else at
        if not len(near) or len(near) * ONE_IN * _one_in(here, there) < length - WIDTH:
            places.append(NOT_FOUND)
            continue
        places.append(int(np.median(near)))
        taken[int(near.min()) : int(near.max()) + WIDTH] = True
    lost = [k for k, place in enumerate(places) if place == NOT_FOUND]
    if lost:
        wholes = [there.codes[cuts[k] : cuts[k + 1]] for k in lost]
        for k, place in zip(lost, _find_wholes(np.where(taken, 0, here.codes), wholes), strict=True):
            places[k] = place
    return places


def _letters(lines: Sequence[str]) -> _Letters:
    folded = fold_line("".join(lines))
    table = np.zeros(0x110000, bool)
    table[folded.codes] = True
    present = np.flatnonzero(table)
    table[present] = [chr(code).isalnum() for code in present.tolist()]
    kept = np.flatnonzero(table[folded.codes])
    ends = folded.cuts[np.cumsum([len(line) for line in lines])]
    return _Letters(folded.codes[kept], np.searchsorted(ends, kept, side="right"))


def _one_in(here: _Letters, there: _Letters) -> int:
    """Of how many stretches one is compared: a power of two."""
    longest = max(len(here.codes), len(there.codes))
    return 1 << max(0, (longest // MOST_STRETCHES).bit_length())


def _common_stretches(here: _Letters, there: _Letters) -> tuple[IntArray, IntArray]:
    """Starts of the stretches that occur once in each, ascending in the second, inside one piece of it."""
    one_in = _one_in(here, there)
    keys, starts = _unique_hashes(here.codes, one_in)
    other_keys, other_starts = _unique_hashes(there.codes, one_in)
    _, left, right = np.intersect1d(keys, other_keys, assume_unique=True, return_indices=True)
    p, q = starts[left], other_starts[right]
    order = np.argsort(q)
    p, q = p[order], q[order]
    within = there.pieces[q] == there.pieces[q + WIDTH - 1]
    return p[within], q[within]


def _unique_hashes(codes: IntArray, one_in: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    """Hashes of the stretches that occur once, with their starts; of many only those whose hash is chosen."""
    if len(codes) < WIDTH:
        return np.zeros(0, np.uint64), np.zeros(0, np.int64)
    hashes = codes.astype(np.uint64)
    width = 1
    while width < WIDTH:
        # As in `anchors`: an odd multiplier loses no bits, and another one per step tells permuted halves apart.
        hashes = hashes[:-width] * np.uint64(0x9E3779B97F4A7C15 + 2 * width) + hashes[width:]
        hashes ^= hashes >> np.uint64(29)
        width *= 2
    chosen = np.flatnonzero(hashes & np.uint64(one_in - 1) == 0)
    keys, starts, counts = np.unique(hashes[chosen], return_index=True, return_counts=True)
    return keys[counts == 1], chosen[starts[counts == 1]]


def _find_wholes(codes: IntArray, wholes: Sequence[IntArray]) -> list[int]:
    """Where texts are as a whole; one that comes several times is found behind where it was last found."""
    line = _decode(codes)
    behind: dict[str, int] = {}
    places = []
    for whole in wholes:
        text = _decode(whole)
        at = line.find(text, behind.get(text, 0)) if text else NOT_FOUND
        if at != NOT_FOUND:
            behind[text] = at + len(text)
        places.append(at)
    return places


def _decode(codes: IntArray) -> str:
    return codes.astype("<u4").tobytes().decode("utf-32-le")


def _list_names(names: Sequence[str]) -> str:
    shown = ", ".join(names[:MOST_NAMES])
    return shown if len(names) <= MOST_NAMES else f"{shown} and {len(names) - MOST_NAMES} more"
