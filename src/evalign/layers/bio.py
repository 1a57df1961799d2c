"""One label per character: S starts a sentence, T starts a token, I is inside (Evang et al. 2013).

    $ evalign score gold.conllu system.txt --metrics bio

Where the lines differ, characters are compared that are in the same place. A token's label is on its first
shared character, so that a lost hyphen does not move it, or on its first character if it shares none. A character
that one side alone has is wrong: it counts under its label in `gold_X` or in `system_X` only. `characters` are
those of gold, and accuracy is the share of them with the right label. White space is not on the line and has no
label.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.align import Alignment, Side
from evalign.align.places import NOWHERE
from evalign.document import IntArray
from evalign.layers.comparison import Comparison, CountTable
from evalign.layers.counts import prf, ratio
from evalign.layers.layer import Layer

LABELS = "STI"
FIELDS = (
    "correct",
    "characters",
    *(f"{part}_{label}" for label in LABELS for part in ("correct", "gold", "system")),
)
Labels: TypeAlias = npt.NDArray[np.uint8]
Rows: TypeAlias = npt.NDArray[np.int64]
_NONE = len(LABELS)
_WRONG = _NONE


def count_bio(comparison: Comparison) -> CountTable:
    """Right labels, characters, and per label those that are right, in gold and in system."""
    alignment = comparison.alignment
    gold_places, system_places = _shared(alignment.gold), _shared(alignment.system)
    gold, system = _label(alignment.gold, gold_places), _label(alignment.system, system_places)
    gold_cuts = comparison.gold.cuts[comparison.token_cuts[0]]
    if system_places is None:
        system_cuts = np.append(comparison.unit_places, len(system))
    else:
        system_cuts = comparison.system_unit_cuts(system_places)
    alone, _, otherwise = pair_characters(alignment, gold, system)
    right = gold.copy()
    right[alone] = right[otherwise] = _WRONG
    columns = [_count_labels(labels, cuts) for labels, cuts in ((gold, gold_cuts), (system, system_cuts))]
    correct = _count_labels(right, gold_cuts)
    correct[:, -1] -= _count_at(right == _WRONG, gold_cuts)
    by_label = np.stack([correct, *columns], axis=2).reshape(len(correct), -1)
    totals = np.stack([correct.sum(axis=1), columns[0].sum(axis=1)], axis=1)
    return np.hstack([totals, by_label])


def pair_characters(alignment: Alignment, gold: Labels, system: Labels) -> tuple[Rows, Rows, Rows]:
    """Characters by what is said of them: in gold alone, in system alone, and said otherwise by the system.

    The first and last are numbers of gold characters, the second of system ones.
    """
    gold_places, system_places = _shared(alignment.gold), _shared(alignment.system)
    if gold_places is None or system_places is None:
        nothing = np.zeros(0, np.int64)
        return nothing, nothing, np.flatnonzero(gold != system)
    gold_places, system_places = (
        _pairable(alignment.gold, gold_places),
        _pairable(alignment.system, system_places),
    )
    # Of each place what is said there, the last row for NOWHERE.
    there = np.full((2, alignment.n_places + 1), _NONE, np.uint8)
    for row, labels, places in ((0, gold, gold_places), (1, system, system_places)):
        there[row, places] = labels
    there[:, NOWHERE] = _NONE
    gold_alone = np.flatnonzero(there[1, gold_places] == _NONE)
    system_alone = np.flatnonzero(there[0, system_places] == _NONE)
    here, over_there = gold, there[1, gold_places]
    return gold_alone, system_alone, np.flatnonzero((here != over_there) & (over_there != _NONE))


def _shared(side: Side) -> IntArray | None:
    """The place of each character of a line, by its first folded one; None where positions are places."""
    if side.characters is None or side.folded_cuts is None:
        return None
    cuts = side.folded_cuts
    places = np.append(side.characters.places, NOWHERE)[cuts[:-1]].astype(np.int32)
    places[cuts[1:] == cuts[:-1]] = NOWHERE
    return places


def _pairable(side: Side, places: IntArray) -> IntArray:
    """The same without characters inside a place: of a stretch that is one, only the first is compared."""
    if side.characters is None or side.folded_cuts is None:
        return places
    may_start = np.append(side.characters.may_start, False)[side.folded_cuts[:-1]]
    return np.where(may_start, places, NOWHERE).astype(np.int32)


def _label(side: Side, places: IntArray | None) -> Labels:
    """Labels of a side's characters, as indices of LABELS."""
    document = side.document
    firsts = document.cuts[:-1]
    if places is not None:
        characters = np.arange(len(places), dtype=np.int32)
        following = np.where(places != NOWHERE, characters, len(places))[::-1]
        following = np.append(np.minimum.accumulate(following)[::-1], len(places))
        firsts = np.where(following[firsts] < document.cuts[1:], following[firsts], firsts)
    labels = np.full(len(document.line), LABELS.index("I"), np.uint8)
    written = np.flatnonzero(np.diff(document.cuts))  # all but tokens without a character
    labels[firsts[written]] = LABELS.index("T")
    heads = np.searchsorted(written, document.sentences)
    heads = heads[:-1][heads[:-1] < heads[1:]]
    labels[firsts[written[heads]]] = LABELS.index("S")
    return labels


def _count_labels(labels: Labels, cuts: IntArray) -> CountTable:
    """How often each label occurs in each unit; anything else counts with the last, which most are."""
    rare = [_count_at(labels == label, cuts) for label in range(_NONE - 1)]
    return np.stack([*rare, np.diff(cuts) - sum(rare)], axis=1)


def _count_at(mask: npt.NDArray[np.bool_], cuts: IntArray) -> Rows:
    """How many rows are true in each unit, where few are."""
    return np.diff(np.searchsorted(np.flatnonzero(mask), cuts))


def bio_ratios(counts: Mapping[str, int]) -> dict[str, float | None]:
    """Accuracy and error rate over characters, precision, recall and F1 per label."""
    characters = counts["characters"]
    found = {
        "accuracy": ratio(counts["correct"], characters),
        "error_rate": ratio(characters - counts["correct"], characters),
    }
    for label in LABELS:
        own = prf({part: counts[f"{part}_{label}"] for part in ("correct", "gold", "system")})
        found |= {f"{name}_{label}": value for name, value in own.items()}
    return found


BIO = Layer("bio", count_bio, FIELDS, bio_ratios, "accuracy")
