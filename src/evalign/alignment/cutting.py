"""Where two texts can be cut so that each part, aligned for itself, is aligned as it is in the whole.

A cut is where a sentence ends on both sides, in the middle of equal text, and where nothing that was decided before it
looked at what is behind it. From there on the walk along the lines goes on as if they began there: it keeps nothing of
what was before but that it is inside a run.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from evalign.alignment.differing import mark_boundaries
from evalign.alignment.fold import Folded, fold_line
from evalign.alignment.lines import MOST_SLID, comes_later, slide_runs, walk_lines
from evalign.document import Document, IntArray

# Equal characters on either side of a cut: more than a window reopens, and than end a gap between unrelated texts.
MARGIN = 32


class Cuts(NamedTuple):
    """Where two texts can be cut: how many sentences of gold and of the system come before each cut."""

    gold: IntArray
    system: IntArray
    swap: bool | None
    """Which line comes first, for all parts; None as long as the texts do not differ."""
    lost: tuple[int, int] | None = None
    """Where to go on if nothing of the other text was found any more within the window: behind it, in sentences."""


class _Ends(NamedTuple):
    """Ends of sentences that have characters, as the next one has: on the folded line, and which sentences they are."""

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
    """All cuts of two texts, normalised before; more text follows each of them that has not ended."""
    folded = fold_line(gold.line, gold.cuts), fold_line(system.line, system.cuts)
    if swap is None:
        swap = _order(*folded)
    documents = (gold, system)
    if swap:
        folded, documents, ended = (folded[1], folded[0]), (system, gold), (ended[1], ended[0])
    walked = walk_lines(folded[0].codes, folded[1].codes, window)
    marks = [mark_boundaries(document, side) for document, side in zip(documents, folded, strict=True)]
    runs = slide_runs(walked.runs, *folded, *marks)
    first, second = (_sentence_ends(document, side) for document, side in zip(documents, folded, strict=True))
    # Where a window reached the end of a line, more text might have changed what was decided.
    sizes = np.array([len(side.codes) for side in folded])
    rows, others = _meet(first, second, walked.stands[(walked.stands[:, 3:] < sizes).all(axis=1)])
    kept = _inside(first.positions[rows], second.positions[others], runs)
    found = first.sentences[rows[kept]], second.sentences[others[kept]]
    lost = None
    if walked.lost is not None and window is not None:
        behind = [
            _behind(side, at, window, document.n_sentences if over else None)
            for side, at, document, over in zip((first, second), walked.lost, documents, ended, strict=True)
        ]
        lost = None if None in behind else cast("tuple[int, int]", tuple(behind))
    if swap:
        found, lost = (found[1], found[0]), lost and (lost[1], lost[0])
    return Cuts(*found, swap, lost)


def _behind(ends: _Ends, begin: int, window: int, n_sentences: int | None) -> int | None:
    """Sentences up to the last one that ends within a window, or the first behind it; all, if there is none.

    None where more text is needed to know.
    """
    after = int(np.searchsorted(ends.positions, begin + window, side="right"))
    if after == len(ends.positions):
        return n_sentences
    within = after > 0 and ends.positions[after - 1] > begin
    return int(ends.sentences[after - 1 if within else after])


def _order(gold: Folded, system: Folded) -> bool | None:
    """Which line comes first, as far as it is known."""
    size = min(len(gold.codes), len(system.codes))
    if (gold.codes[:size] == system.codes[:size]).all():
        return None
    return comes_later(gold.codes, system.codes)


def _sentence_ends(document: Document, folded: Folded) -> _Ends:
    """Those between two sentences that both have characters: only there it is plain where each belongs."""
    cuts = folded.cuts[document.sentence_cuts]
    grows = np.diff(cuts) > 0
    sentences = np.flatnonzero(grows[:-1] & grows[1:]) + 1
    return _Ends(cuts[sentences], sentences)


def _meet(first: _Ends, second: _Ends, stands: IntArray) -> tuple[IntArray, IntArray]:
    """Ends of sentences that face each other in equal text that nothing has looked at before."""
    none = np.zeros(0, np.int64)
    if not len(stands) or not len(second.positions):
        return none, none
    stand = np.searchsorted(stands[:, 0], first.positions, side="right") - 1
    rows = np.flatnonzero(stand >= 0)
    begins, others, lengths, seen, seen_there = stands[stand[rows]].T
    offsets = first.positions[rows] - begins
    facing = others + offsets
    at = np.minimum(np.searchsorted(second.positions, facing), len(second.positions) - 1)
    # What comes behind the last stretch is not known: a one-sided stretch may slide back from there.
    is_last = stand[rows] == len(stands) - 1
    meets = (offsets + np.where(is_last, MARGIN + MOST_SLID, MARGIN) <= lengths) & (
        second.positions[at] == facing
    )
    meets &= (first.positions[rows] > seen) & (facing > seen_there)
    return rows[meets], at[meets]


def _inside(first: IntArray, second: IntArray, runs: IntArray) -> npt.NDArray[np.bool_]:
    """Which points lie well inside a run, after one-sided stretches have found their places."""
    if not len(runs):
        return np.zeros(len(first), bool)
    run = np.maximum(np.searchsorted(runs[:, 0], first, side="right") - 1, 0)
    begins, others, lengths = runs[run].T
    offsets = first - begins
    inside: npt.NDArray[np.bool_] = (offsets >= MARGIN) & (offsets + MARGIN <= lengths)
    inside &= others + offsets == second
    return inside
