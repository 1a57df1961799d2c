"""The metric bio: one label for each character (Evang et al. 2013).

S starts a sentence, T starts a token, I is inside.

    evalign.score("gold.conllu", "system.txt", metrics="bio")

Where the lines differ, characters in the same place are compared. The label of a token is on its first shared
character, so that a lost hyphen does not move it, or on its first character if it shares none. A character
that only one side has is wrong: it counts under its label in `gold_X` or in `system_X` only. The field
`characters` counts gold characters, and accuracy is the share of them with the right label. White space is
not on the line and has no label.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.alignment.alignment import PlacedDocument
from evalign.alignment.places import NOWHERE
from evalign.document import Document, IntArray
from evalign.metrics.comparison import Comparison, CountTable
from evalign.metrics.counts import CHARACTER_LABELS

CharacterLabels: TypeAlias = npt.NDArray[np.uint8]
Rows: TypeAlias = npt.NDArray[np.int64]
_NONE = len(CHARACTER_LABELS)


@dataclass(frozen=True, slots=True, eq=False)
class LineCharacters:
    """Places of the characters of one side, for lines that differ.

    The place of a character is that of its first folded character.
    """

    places: IntArray
    """The place of each character; NOWHERE if the other side does not share it."""
    compared: IntArray
    """The places by which characters are compared: `places`, but NOWHERE where no span may start.

    A rewritten stretch of unequal length is a single place, so only its first character is compared.
    """


def place_line(side: PlacedDocument) -> LineCharacters | None:
    """Find the places of the characters of a side; None if the lines are equal and positions are places."""
    if side.characters is None or side.folded_cuts is None:
        return None
    starts = side.folded_cuts[:-1]
    places = np.append(side.characters.places, np.int32(NOWHERE))[starts]
    places[side.folded_cuts[1:] == starts] = NOWHERE
    may_start = np.append(side.characters.may_start, False)[starts]
    return LineCharacters(places, np.where(may_start, places, np.int32(NOWHERE)))


def count_bio(comparison: Comparison) -> CountTable:
    """Count characters by unit, in the columns `CHARACTER_FIELDS`.

    The columns are right labels, gold characters, and the correct, gold and system characters of each label.
    """
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
    """Indices of the characters on which gold and system disagree."""

    gold_alone: Rows
    """Gold characters that the system does not have."""
    system_alone: Rows
    """System characters that gold does not have."""
    differing: Rows
    """Gold characters that have another value in the system."""


def pair_characters(
    n_places: int,
    gold_line: LineCharacters | None,
    system_line: LineCharacters | None,
    gold: CharacterLabels,
    system: CharacterLabels,
) -> CharacterPairs:
    """Compare the values of the characters of two lines, and return the characters that do not agree.

    `gold` and `system` have a value from 0 to 2 for each character. The lines are None if they are equal.
    """
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
    """Label the characters of a document with indices of CHARACTER_LABELS.

    `line` has the places of the characters; None if the lines are equal.
    """
    firsts = document.cuts[:-1]
    if line is not None:
        size = len(line.places)
        shared = np.where(line.places != NOWHERE, np.arange(size, dtype=np.int32), np.int32(size))
        following = np.append(np.minimum.accumulate(shared[::-1])[::-1], np.int32(size))[firsts]
        firsts = np.where(following < document.cuts[1:], following, firsts)
    labels = np.full(len(document.line), CHARACTER_LABELS.index("I"), np.uint8)
    written = np.flatnonzero(np.diff(document.cuts))  # all but tokens without a character
    labels[firsts[written]] = CHARACTER_LABELS.index("T")
    heads = np.searchsorted(written, document.sentences)
    heads = heads[:-1][heads[:-1] < heads[1:]]
    labels[firsts[written[heads]]] = CHARACTER_LABELS.index("S")
    return labels


def _count_labels(labels: CharacterLabels, cuts: IntArray) -> CountTable:
    """Count each label in each unit.

    Most characters have the last label, I, which is not counted: it is the rest after the other labels.
    """
    rare = [_count_at(labels == label, cuts) for label in range(_NONE - 1)]
    return np.stack([*rare, np.diff(cuts) - sum(rare)], axis=1)


def _count_at(mask: npt.NDArray[np.bool_], cuts: IntArray) -> Rows:
    """Count the true values of `mask` in each unit; fast if few are true."""
    return np.diff(np.searchsorted(np.flatnonzero(mask), cuts))
