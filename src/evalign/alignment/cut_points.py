"""Where two texts can be cut so that each part, aligned by itself, is aligned as it is in the whole.

Scoring in parts uses this module (`stream`, `engine`). A cut is where a sentence ends on both sides between
equal characters, and where the path would be the same if both lines ended there and two new ones began. In
long equal text every end of a sentence is a cut unless an earlier decision about the path depends on text
behind it; where differences are dense, the path is computed again with the lines ending there to see whether
it is the same (`confirm` in `kernels.align_cy`).
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from evalign.alignment.character_alignment import (
    EQUAL,
    comes_later,
    find_slide_limit,
    slide_pieces,
    split_pieces,
    walk_characters,
)
from evalign.alignment.fold import FoldedLine, fold_document
from evalign.document import Document, IntArray


class Cuts(NamedTuple):
    """Where two texts can be cut: per cut, how many sentences of gold and of the system come before it."""

    gold: IntArray
    system: IntArray
    swap: bool | None
    """True if the system line comes first, in all parts; None as long as the texts do not differ."""
    lost: tuple[int, int] | None = None
    """Sentences of gold and of the system after which to go on if nothing of the other text was found within
    the window any more; None if that did not happen, or more text is needed to know."""
    bounded: IntArray = np.zeros(0, np.int64)
    """Sentences of gold before each search that ended at the window, whatever it found."""


class _Ends(NamedTuple):
    """Ends of sentences where both the sentence and the next one have characters.

    `positions` are on the folded line; `sentences` has the number of sentences up to each end.
    """

    positions: IntArray
    sentences: IntArray


def find_cuts(
    gold: Document,
    system: Document,
    *,
    window: int | None = None,
    swap: bool | None = None,
    ended: tuple[bool, bool] = (False, False),
) -> Cuts:
    """Find all points where two texts can be cut.

    Both documents are normalised already. `window` and `swap` are those of `align_characters`. `ended` says
    for gold and system whether the document is the end of its text; otherwise more text follows.
    """
    folded = fold_document(gold), fold_document(system)
    if swap is None:
        swap = _order(*folded)
    documents = (gold, system)
    if swap:
        folded, documents, ended = (folded[1], folded[0]), (system, gold), (ended[1], ended[0])
    slide_limit = find_slide_limit(window)
    walk = walk_characters(*folded, window, find_ends=True)
    pieces = slide_pieces(split_pieces(walk.pieces, *folded), *folded, slide_limit)
    first, second = (_sentence_ends(document, side) for document, side in zip(documents, folded, strict=True))
    # Where a decision needed the end of a line or more, more text might have changed it.
    sizes = np.array([len(side.codes) for side in folded])
    stands = walk.stands[(walk.stands[:, 5:] < sizes).all(axis=1)]
    rows, others = _meet(first, second, stands, slide_limit)
    dense, others_dense = _confirmed(first, second, walk.ends, stands)
    rows, others = np.append(rows, dense), np.append(others, others_dense)
    order = np.argsort(rows, kind="stable")
    order = order[np.diff(rows[order], prepend=-1) > 0]
    rows, others = rows[order], others[order]
    kept = _inside(first.positions[rows], second.positions[others], pieces)
    sentences = first.sentences[rows[kept]], second.sentences[others[kept]]
    lost = None
    if walk.lost is not None and window is not None:
        behind = [
            _behind(side, at, window, document.n_sentences if over else None)
            for side, at, document, over in zip((first, second), walk.lost, documents, ended, strict=True)
        ]
        lost = None if None in behind else cast("tuple[int, int]", tuple(behind))
    side = int(bool(swap))  # gold's
    cuts = folded[side].cuts[documents[side].sentence_cuts]
    bounded = np.searchsorted(cuts, walk.bounded[:, side], side="right") - 1
    if swap:
        sentences, lost = (sentences[1], sentences[0]), lost and (lost[1], lost[0])
    return Cuts(*sentences, swap, lost, bounded)


def _behind(ends: _Ends, begin: int, window: int, n_sentences: int | None) -> int | None:
    """Return how many sentences there are up to the last end within `window` characters behind `begin`.

    If no sentence ends there, the first end behind the window is taken instead. If there is no end behind the
    window, the result is `n_sentences`, which is None where more text is needed to know.
    """
    after = int(np.searchsorted(ends.positions, begin + window, side="right"))
    if after == len(ends.positions):
        return n_sentences
    within = after > 0 and ends.positions[after - 1] > begin
    return int(ends.sentences[after - 1 if within else after])


def _order(gold: FoldedLine, system: FoldedLine) -> bool | None:
    """Return whether the system line comes first, or None where no difference has shown it yet."""
    size = min(len(gold.codes), len(system.codes))
    if (gold.codes[:size] == system.codes[:size]).all():
        return None
    return comes_later(gold.codes, system.codes)


def _sentence_ends(document: Document, folded: FoldedLine) -> _Ends:
    """Find the ends between two sentences that both have characters.

    Only there is it clear which sentence the characters on either side belong to.
    """
    cuts = folded.cuts[document.sentence_cuts]
    grows = np.diff(cuts) > 0
    sentences = np.flatnonzero(grows[:-1] & grows[1:]) + 1
    return _Ends(cuts[sentences], sentences)


def _meet(first: _Ends, second: _Ends, stands: IntArray, slide_limit: int) -> tuple[IntArray, IntArray]:
    """Find pairs of sentence ends that face each other in equal text which no earlier decision depends on.

    Returns their indices in `first` and in `second`.
    """
    none = np.zeros(0, np.int64)
    if not len(stands) or not len(second.positions):
        return none, none
    stand = np.searchsorted(stands[:, 0], first.positions, side="right") - 1
    rows = np.flatnonzero(stand >= 0)
    begins, others, lengths, seen, seen_there = stands[stand[rows], :5].T
    offsets = first.positions[rows] - begins
    facing = others + offsets
    at = np.minimum(np.searchsorted(second.positions, facing), len(second.positions) - 1)
    # Nothing is known behind the last equal run: a one-sided stretch may slide back from there.
    is_last = stand[rows] == len(stands) - 1
    meets = (offsets + np.where(is_last, slide_limit, 0) <= lengths) & (second.positions[at] == facing)
    meets &= (first.positions[rows] >= seen) & (facing >= seen_there)
    return rows[meets], at[meets]


def _confirmed(
    first: _Ends, second: _Ends, ends: IntArray, stands: IntArray
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Find pairs of sentence ends that face each other and are cuts according to `PathFinder.confirm`.

    Only ends before the last of `stands` count, because a one-sided stretch may slide back from the next
    difference. Returns their indices in `first` and in `second`.
    """
    final_ends = ends[ends[:, 0] < (stands[-1, 0] if len(stands) else 0)]
    _, rows, at = np.intersect1d(first.positions, final_ends[:, 0], assume_unique=True, return_indices=True)
    others = np.searchsorted(second.positions, final_ends[at, 1])
    others = np.minimum(others, max(len(second.positions) - 1, 0))
    meets = (
        second.positions[others] == final_ends[at, 1] if len(second.positions) else np.zeros(len(at), bool)
    )
    return rows[meets], others[meets]


def _inside(first: IntArray, second: IntArray, pieces: IntArray) -> npt.NDArray[np.bool_]:
    """Return a mask of the points that lie between two equal characters once one-sided pieces have slid."""
    equal = np.flatnonzero(pieces[:, 0] == EQUAL)
    if not len(equal):
        return np.zeros(len(first), bool)
    starts = np.cumsum(pieces[:, 1:], axis=0)[equal] - pieces[equal, 1:]
    run = np.maximum(np.searchsorted(starts[:, 0], first, side="right") - 1, 0)
    offsets = first - starts[run, 0]
    inside: npt.NDArray[np.bool_] = (offsets > 0) & (offsets < pieces[equal[run], 1])
    inside &= starts[run, 1] + offsets == second
    return inside
