"""One label per character: S starts a sentence, T starts a token, I is inside (Evang et al. 2013).

    $ evalign score gold.conllu system.txt --metrics bio

Where the lines differ, characters are compared that are in the same place. A token's label is on its first
shared character, so that a lost hyphen does not move it, or on its first character if it shares none. A
character that one side alone has is wrong: it counts under its label in `gold_X` or in `system_X` only.
`characters` are those of gold, and accuracy is the share of them with the right label. White space is not
on the line and has no label.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.alignment import NOWHERE, PlacedDocument
from evalign.document import Document, IntArray
from evalign.metrics.comparison import Comparison, CountTable
from evalign.metrics.counts import prf, ratio
from evalign.metrics.metric import Metric

LABELS = "STI"
BIO_FIELDS = (
    "correct",
    "characters",
    *(f"{part}_{label}" for label in LABELS for part in ("correct", "gold", "system")),
)
CharacterLabels: TypeAlias = npt.NDArray[np.uint8]
Rows: TypeAlias = npt.NDArray[np.int64]
_NONE = len(LABELS)


@dataclass(frozen=True, slots=True, eq=False)
class LineCharacters:
    """The characters of one side where positions are not places, each by its first folded one."""

    places: IntArray
    """The place of each; NOWHERE for one that is not shared."""
    compared: IntArray
    """The same, of a stretch that is a single place the first only: nothing is inside a place."""


def place_line(side: PlacedDocument) -> LineCharacters | None:
    """Places of a side's characters; None where they are its positions."""
    if side.characters is None or side.folded_cuts is None:
        return None
    starts = side.folded_cuts[:-1]
    places = np.append(side.characters.places, np.int32(NOWHERE))[starts]
    places[side.folded_cuts[1:] == starts] = NOWHERE
    may_start = np.append(side.characters.may_start, False)[starts]
    return LineCharacters(places, np.where(may_start, places, np.int32(NOWHERE)))


def count_bio(comparison: Comparison) -> CountTable:
    """Right labels, characters, and per label those that are right, in gold and in system."""
    comparison = comparison.on_lines
    alignment = comparison.alignment
    gold_line, system_line = place_line(alignment.gold), place_line(alignment.system)
    gold, system = _label(comparison.gold, gold_line), _label(comparison.system, system_line)
    gold_cuts = comparison.gold.cuts[comparison.token_cuts[0]]
    if system_line is None:
        system_cuts = np.append(comparison.unit_places, np.int32(len(system)))
    else:
        system_cuts = comparison.system_unit_cuts(system_line.places)
    pairs = pair_characters(alignment.n_places, gold_line, system_line, gold, system)
    right = gold.copy()
    right[pairs.gold_alone] = right[pairs.differing] = _NONE
    totals = [_count_labels(labels, cuts) for labels, cuts in ((gold, gold_cuts), (system, system_cuts))]
    correct = _count_labels(right, gold_cuts)
    correct[:, -1] -= _count_at(right == _NONE, gold_cuts)
    by_label = np.stack([correct, *totals], axis=2).reshape(len(correct), -1)
    return np.hstack([np.stack([correct.sum(axis=1), totals[0].sum(axis=1)], axis=1), by_label])


@dataclass(frozen=True, slots=True, eq=False)
class CharacterPairs:
    """Numbers of characters by what is said of them on either side."""

    gold_alone: Rows
    system_alone: Rows
    differing: Rows
    """Gold characters of which the system says something else."""


def pair_characters(
    n_places: int,
    gold_line: LineCharacters | None,
    system_line: LineCharacters | None,
    gold: CharacterLabels,
    system: CharacterLabels,
) -> CharacterPairs:
    """Compare what is said of the characters of two lines, in 0, 1 and 2."""
    if gold_line is None or system_line is None:
        nothing = np.zeros(0, np.int64)
        return CharacterPairs(nothing, nothing, np.flatnonzero(gold != system))
    values_at = np.full((2, n_places + 1), _NONE, np.uint8)
    values_at[0, gold_line.compared], values_at[1, system_line.compared] = gold, system
    values_at[:, NOWHERE] = _NONE  # the last row
    system_values = values_at[1, gold_line.compared]
    return CharacterPairs(
        np.flatnonzero(system_values == _NONE),
        np.flatnonzero(values_at[0, system_line.compared] == _NONE),
        np.flatnonzero((system_values != gold) & (system_values != _NONE)),
    )


def _label(document: Document, line: LineCharacters | None) -> CharacterLabels:
    """Labels of a document's characters, as indices of LABELS."""
    firsts = document.cuts[:-1]
    if line is not None:
        size = len(line.places)
        shared = np.where(line.places != NOWHERE, np.arange(size, dtype=np.int32), np.int32(size))
        following = np.append(np.minimum.accumulate(shared[::-1])[::-1], np.int32(size))[firsts]
        firsts = np.where(following < document.cuts[1:], following, firsts)
    labels = np.full(len(document.line), LABELS.index("I"), np.uint8)
    written = np.flatnonzero(np.diff(document.cuts))  # all but tokens without a character
    labels[firsts[written]] = LABELS.index("T")
    heads = np.searchsorted(written, document.sentences)
    heads = heads[:-1][heads[:-1] < heads[1:]]
    labels[firsts[written[heads]]] = LABELS.index("S")
    return labels


def _count_labels(labels: CharacterLabels, cuts: IntArray) -> CountTable:
    """How often each label occurs in each unit; anything else counts with the last, which most are."""
    rare = [_count_at(labels == label, cuts) for label in range(_NONE - 1)]
    return np.stack([*rare, np.diff(cuts) - sum(rare)], axis=1)


def _count_at(mask: npt.NDArray[np.bool_], cuts: IntArray) -> Rows:
    """How many rows are true in each unit, where few are."""
    return np.diff(np.searchsorted(np.flatnonzero(mask), cuts))


def bio_ratios(counts: Mapping[str, int]) -> dict[str, float | None]:
    """Accuracy and error rate over characters, precision, recall and F1 per label."""
    characters = counts["characters"]
    ratios = {
        "accuracy": ratio(counts["correct"], characters),
        "error_rate": ratio(characters - counts["correct"], characters),
    }
    for label in LABELS:
        own = prf({part: counts[f"{part}_{label}"] for part in ("correct", "gold", "system")})
        ratios |= {f"{name}_{label}": value for name, value in own.items()}
    return ratios


BIO = Metric("bio", count_bio, BIO_FIELDS, bio_ratios, "accuracy", lower_is_better=("error_rate",))
