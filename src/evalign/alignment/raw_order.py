"""The order of raw texts in a document, found from their content, not from the names of their files.

`map_raw` uses it to join several raw files. Short stretches of letters and digits that occur once in the
document and once in the texts tell where a text is. A text too short for such stretches, or one that occurs
several times, is looked for as a whole where no other text was found, and then by the stretches it has in
common with what is left of the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.alignment.fold import code_points, fold_line
from evalign.alignment.normalize import BRACKETS, XML
from evalign.document import Document, IntArray
from evalign.errors import Remark
from evalign.readers.raw_files import RawText, RawTexts, join_texts

# Letters and digits in a stretch (a power of two, because hashes are made by doubling), and about how many
# stretches are compared at most: if there are more, a sample is chosen by hash.
WIDTH = 16
MAX_STRETCHES = 1 << 20
# A text is found if one in ONE_IN of its stretches is where its others are. With every fifth letter wrong,
# one in forty still is; of a text that is not there, none is, or a few that lie anywhere (measured on GUM).
ONE_IN = 250
# Searches for texts that occur several times, or are short, as (letters in a stretch, letters from which on a
# text is too long for this search, one in how many of its stretches must be where the others are).
FALLBACKS = ((WIDTH, None, ONE_IN), (8, 256, 4), (4, 16, 2))
# Most occurrences of stretches that are looked at for one such text.
MOST_VOTES = 1 << 18
# Most names that a message lists.
MOST_NAMES = 5
NOT_FOUND = -1
# Escapes written with letters or digits that the text itself does not have.
_ESCAPES = re.compile("|".join(map(re.escape, (*BRACKETS, *XML))))
_FILTER_BITS = 22

_Hashes: TypeAlias = npt.NDArray[np.uint64]


class _Letters(NamedTuple):
    """The letters and digits of a text, folded, and for each the number of the text it is from."""

    codes: IntArray
    pieces: IntArray


class TextPlace(NamedTuple):
    """Where a text is in the document."""

    place: int
    """Approximate position, in letters and digits of the document's line; NOT_FOUND where the text is not
    there."""
    is_sure: bool
    """True if the text can be nowhere else."""


def order_texts(
    document: Document, raw: RawTexts, *, max_stretches: int = MAX_STRETCHES
) -> tuple[RawText, tuple[Remark, ...]]:
    """Join raw texts in the order in which the document has them, or in an order that the user gave.

    Returns the joined text and what to warn of. Texts of a folder that are not in the document are left out;
    texts given in an order are all kept in that order.
    """
    if len(raw) == 1:
        return raw[0], ()
    places = find_texts(document, raw, max_stretches=max_stretches)
    order = [k for k, text in enumerate(places) if text.place != NOT_FOUND]
    if not order:
        # Scoring remarks on all missing text together.
        return join_texts(raw, raw.name), ()
    if raw.is_ordered:
        return join_texts(raw, raw.name), tuple(_check_order(document, raw, places))
    remarks = []
    lost = [text.name for text, (place, _) in zip(raw, places, strict=True) if place == NOT_FOUND]
    if lost:
        message = f"{_list_names(lost)}: not found in {document.name}, left out as raw text"
        remarks.append(Remark("raw-not-found", message, 1, ()))
    order.sort(key=lambda k: places[k].place)
    return join_texts([raw[k] for k in order], raw.name), tuple(remarks)


def _check_order(document: Document, raw: RawTexts, places: Sequence[TextPlace]) -> Iterator[Remark]:
    """Yield remarks on what is wrong with the order that the user gave."""
    rows = list(zip(raw, places, strict=True))
    lost = [text.name for text, (place, _) in rows if place == NOT_FOUND and text.line]
    if lost:
        message = f"{_list_names(lost)}: not found in {document.name}, kept as raw text where it was given"
        yield Remark("raw-not-found", message, 1, ())
    # A text that may be elsewhere too proves nothing about the order.
    sure = [(text.name, place) for text, (place, is_sure) in rows if is_sure]
    for (first, before), (second, after) in pairwise(sure):
        if after < before:
            message = (
                f"raw texts are not in the order of {document.name}: it has {second} before {first}, and text out of "
                "order cannot be placed (give the folder, and the order is found)"
            )
            yield Remark("raw-order", message, 1, ())
            return


def find_texts(
    document: Document, texts: Sequence[RawText], *, max_stretches: int = MAX_STRETCHES
) -> list[TextPlace]:
    """Find about where each text is on the document's line.

    If there are more than `max_stretches` stretches to compare, a sample of about that many is chosen by
    hash.
    """
    here = _letters([document.line])
    there = _letters([text.line for text in texts])
    cuts = np.searchsorted(there.pieces, np.arange(len(texts) + 1))
    one_in_line = _one_in(here, there, max_stretches)
    p, q = _common_stretches(here, there, one_in_line)
    bounds = np.searchsorted(there.pieces[q], np.arange(len(texts) + 1))
    taken = np.zeros(len(here.codes), bool)
    places = [TextPlace(NOT_FOUND, is_sure=False)] * len(texts)
    for k in range(len(texts)):
        at, length = p[bounds[k] : bounds[k + 1]], int(cuts[k + 1] - cuts[k])
        begins = at - (q[bounds[k] : bounds[k + 1]] - cuts[k])
        near = at[np.abs(begins - np.median(begins)) <= WIDTH + length // 4] if len(at) else at
        if not len(near) or len(near) * ONE_IN * one_in_line < length - WIDTH:
            continue
        places[k] = TextPlace(int(np.median(near)), is_sure=True)
        taken[int(near.min()) : int(near.max()) + WIDTH] = True
    lost: dict[str, list[int]] = {}
    for k, text in enumerate(places):
        if text.place == NOT_FOUND and cuts[k] < cuts[k + 1]:
            lost.setdefault(_decode(there.codes[cuts[k] : cuts[k + 1]]), []).append(k)
    if lost:
        # The longest first, because a short text may occur inside a longer one.
        lost = dict(sorted(lost.items(), key=lambda item: -len(item[0])))
        line = _decode(here.codes)
        _find_next(line, lost, np.diff(cuts).tolist(), taken, places)
        _find_wholes(line, lost, taken, places)
        for width, most, one_in in FALLBACKS:
            few = {
                text: left
                for text, rows in lost.items()
                if width <= len(text) < (most or len(text) + 1)
                and (left := [k for k in rows if places[k].place == NOT_FOUND])
            }
            if few:
                _StretchSearch(here.codes, few, width, one_in, max_stretches).find(taken, places)
    return places


def _letters(lines: Sequence[str]) -> _Letters:
    lines = [_ESCAPES.sub("", line) for line in lines]
    folded = fold_line("".join(lines))
    table = np.zeros(0x110000, bool)
    table[folded.codes] = True
    present = np.flatnonzero(table)
    table[present] = [chr(code).isalnum() for code in present.tolist()]
    kept = np.flatnonzero(table[folded.codes])
    ends = folded.cuts[np.cumsum([len(line) for line in lines])]
    return _Letters(folded.codes[kept], np.searchsorted(ends, kept, side="right"))


def _one_in(here: _Letters, there: _Letters, max_stretches: int) -> int:
    """Return n, a power of two, such that one stretch in n is compared."""
    longest = max(len(here.codes), len(there.codes))
    return 1 << max(0, (longest // max_stretches).bit_length())


def _common_stretches(here: _Letters, there: _Letters, one_in: int) -> tuple[IntArray, IntArray]:
    """Find the stretches that occur once in each, and lie inside one text of `there`.

    Returns their starts in `here` and in `there`, ascending by the latter.
    """
    keys, starts = _unique_hashes(here.codes, one_in)
    other_keys, other_starts = _unique_hashes(there.codes, one_in)
    _, left, right = np.intersect1d(keys, other_keys, assume_unique=True, return_indices=True)
    p, q = starts[left], other_starts[right]
    order = np.argsort(q)
    p, q = p[order], q[order]
    within = there.pieces[q] == there.pieces[q + WIDTH - 1]
    return p[within], q[within]


def _unique_hashes(codes: IntArray, one_in: int) -> tuple[_Hashes, npt.NDArray[np.int64]]:
    """Return the hashes of stretches that occur once, and their starts.

    Only one hash in `one_in` is considered, chosen by its lowest bits.
    """
    hashes = _hash_stretches(codes, WIDTH)
    chosen = np.flatnonzero(hashes & np.uint64(one_in - 1) == 0)
    keys, starts, counts = np.unique(hashes[chosen], return_index=True, return_counts=True)
    return keys[counts == 1], chosen[starts[counts == 1]]


def _hash_stretches(codes: IntArray, stretch: int) -> _Hashes:
    """Return a hash of every stretch of `stretch` letters; `stretch` must be a power of two."""
    if len(codes) < stretch:
        return np.zeros(0, np.uint64)
    hashes = codes.astype(np.uint64)
    width = 1
    while width < stretch:
        # An odd multiplier loses no bits, and another one per step tells permuted halves apart.
        hashes = hashes[:-width] * np.uint64(0x9E3779B97F4A7C15 + 2 * width) + hashes[width:]
        hashes ^= hashes >> np.uint64(29)
        width *= 2
    return hashes


def _find_next(
    line: str,
    lost: Mapping[str, Sequence[int]],
    lengths: Sequence[int],
    taken: npt.NDArray[np.bool_],
    places: list[TextPlace],
) -> None:
    """Place texts that occur as a whole near where the text before them ends, as in text that repeats itself.

    `lost` maps texts to their indices, `lengths` has the lengths of all texts. Changes `taken` and `places`.
    """
    texts = {k: text for text, rows in lost.items() if len(text) >= WIDTH for k in rows}
    end, slack = 0, 0
    for k, length in enumerate(lengths):
        if places[k].is_sure:
            # The place of a text found by stretches is about its middle.
            end, slack = places[k].place + length // 2, length // 2 + WIDTH
            continue
        text = texts.get(k, "")
        at = line.find(text, max(0, end - slack), end + slack + length) if text else NOT_FOUND
        if at == NOT_FOUND or taken[at : at + length].any():
            end, slack = end + length, slack + length // 4
            continue
        places[k] = TextPlace(at, is_sure=False)
        taken[at : at + length] = True
        end, slack = at + length, 0


def _find_wholes(
    line: str, lost: Mapping[str, Sequence[int]], taken: npt.NDArray[np.bool_], places: list[TextPlace]
) -> None:
    """Place texts that occur as a whole; each copy of a text is looked for behind the one placed last.

    `lost` maps texts to their indices. Changes `taken` and `places`.
    """
    for text, rows in lost.items():
        at = line.find(text)
        is_sure = len(rows) == 1 and at != NOT_FOUND and line.find(text, at + 1) == NOT_FOUND
        for k in rows:
            if places[k].place != NOT_FOUND:
                continue
            while at != NOT_FOUND and (stop := taken[at : at + len(text)]).any():
                # Go on behind the last letter that belongs to another text.
                at = line.find(text, at + len(text) - int(stop[::-1].argmax()))
            if at == NOT_FOUND:
                break
            places[k] = TextPlace(at, is_sure)
            taken[at : at + len(text)] = True


class _StretchSearch:
    """A search for texts by stretches that may occur more than once.

    A text is placed where most of its stretches agree.
    """

    def __init__(
        self,
        codes: IntArray,
        lost: Mapping[str, Sequence[int]],
        width: int,
        one_in: int,
        max_stretches: int,
    ) -> None:
        self._lost, self._width, self._one_in = lost, width, one_in
        # Many stretches are thinned by their hash, so that the same ones are left in the texts and in the
        # document.
        thinned = sum(map(len, lost)) // max_stretches if width == WIDTH else 0
        self._thin = 1 << thinned.bit_length() if thinned else 1
        wanted = np.zeros(1 << _FILTER_BITS, bool)
        for text in lost:
            wanted[self._fold(self._hash(text)[0])] = True
        hashes = _hash_stretches(codes, width)
        held = np.flatnonzero(wanted[self._fold(hashes)])
        order = np.argsort(hashes[held], kind="stable")
        self._at = held[order]
        self._hashes = hashes[self._at]

    @staticmethod
    def _fold(hashes: _Hashes) -> npt.NDArray[np.int64]:
        """Return the highest bits of each hash, as an index into the filter.

        The filter has the hashes of the texts; stretches of the document outside it need not be sorted.
        """
        return (hashes >> np.uint64(64 - _FILTER_BITS)).astype(np.int64)

    def _hash(self, text: str) -> tuple[_Hashes, npt.NDArray[np.int64]]:
        """Return the hashes of those stretches of `text` that the filter selects, and their first positions."""
        hashes = _hash_stretches(code_points(text).astype(np.int64), self._width)
        chosen = np.flatnonzero(hashes & np.uint64(self._thin - 1) == 0)
        return hashes[chosen], chosen

    def find(self, taken: npt.NDArray[np.bool_], places: list[TextPlace]) -> None:
        """Place the texts that are found, and mark their letters in `taken`."""
        for text, rows in self._lost.items():
            begins = self._list_begins(text, taken)
            needed = max(1, (len(text) - self._width) // (self._one_in * self._thin))
            chosen = _choose_begins(begins, len(text), needed, len(rows))
            # Equal texts can be exchanged, so they keep the order in which they were given.
            for k, at in zip(rows, sorted(chosen), strict=False):
                places[k] = TextPlace(max(0, at), is_sure=False)
                taken[max(0, at) : max(0, at + len(text))] = True

    def _list_begins(self, text: str, taken: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """List, sorted, where the text would begin according to each occurrence of each of its stretches.

        The rarest stretches are used first, up to MOST_VOTES occurrences in all. Letters in `taken` are left
        out.
        """
        hashes, starts = self._hash(text)
        left = np.searchsorted(self._hashes, hashes, side="left")
        counts = np.searchsorted(self._hashes, hashes, side="right") - left
        order = np.argsort(counts, kind="stable")
        order = order[(counts[order] > 0) & (np.cumsum(counts[order]) <= MOST_VOTES)]
        left, counts, starts = left[order], counts[order], starts[order]
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        at = self._at[np.repeat(left, counts) + within]
        return np.sort((at - np.repeat(starts, counts))[~taken[at]])


def _choose_begins(begins: npt.NDArray[np.int64], length: int, needed: int, most: int) -> list[int]:
    """Choose where a text begins: positions with `needed` or more of the `begins` close together.

    The positions with most begins are chosen first, at most `most`, and none so close to another that the
    texts would overlap.
    """
    slack = length // 4 + 1
    chosen: list[int] = []
    while len(begins) >= needed and len(chosen) < most:
        votes = np.searchsorted(begins, begins + slack, side="right") - np.arange(len(begins))
        best = int(votes.argmax())
        if votes[best] < needed:
            break
        at = int(begins[best + int(votes[best]) // 2])
        chosen.append(at)
        begins = begins[np.abs(begins - at) >= max(1, length - slack)]
    return chosen


def _decode(codes: IntArray) -> str:
    return codes.astype("<u4").tobytes().decode("utf-32-le")


def _list_names(names: Sequence[str]) -> str:
    shown = ", ".join(names[:MOST_NAMES])
    return shown if len(names) <= MOST_NAMES else f"{shown} and {len(names) - MOST_NAMES} more"
