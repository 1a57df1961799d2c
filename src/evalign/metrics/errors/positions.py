"""Where errors are in the text, thinned out for pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.document import IntArray, distinct
from evalign.metrics.comparison import Comparison
from evalign.metrics.errors.mismatches import find_blocks
from evalign.metrics.errors.span_errors import find_wrong, name_kind
from evalign.metrics.metric import KINDS, LABEL_METRICS, SPAN_METRICS

# Some of many places on a line: the first in each slot, or the first of each kind in it.
#
# Slots begin at 0 and are as wide as a power of two, the smallest for which few enough are left. Two slots make one of
# the next width, so that whoever has the first places of narrow slots, of parts of a text or of all of it, has those of
# wide ones as well: what is chosen of chosen ones is what would have been chosen at once.

# Every place has a slot of its own, also where several are the same.
NO_SLOTS = 0


def find_width(columns: Sequence[IntArray], most: int, width: int = NO_SLOTS) -> int:
    """The smallest width, from one on, for which at most so many are left of some columns of ascending places.

    Of every column that has something one place is left in the end: `most` is no smaller than there are columns.

    >>> find_width([np.array([0, 1, 5, 6, 7, 9])], 3)
    4
    """
    slots = [column // width if width else column for column in columns]
    if width:
        slots = [distinct(column) for column in slots]
    while sum(map(len, slots)) > most:
        slots = [distinct(column // 2 if width else column) for column in slots]
        width = 2 * width or 1
    return width


def first_in_slots(places: IntArray, width: int) -> npt.NDArray[np.bool_]:
    """Per place, of ascending ones, whether it is the first in its slot."""
    first = np.ones(len(places), bool)
    if width:
        slots = places // width
        first[1:] = slots[1:] != slots[:-1]
    return first


def first_of_kinds(places: IntArray, kinds: Sequence[IntArray], width: int) -> IntArray:
    """The rows of ascending `places` that are the first of one of the `kinds` in a slot of the `width`.

    A kind is the ascending rows of those places that have it. Without slots every row is the first in its own.

    >>> first_of_kinds(np.array([0, 2, 3, 9]), [np.array([0, 1, 3]), np.array([2])], 8)
    array([0, 2, 3])
    """
    if not width:
        return np.arange(len(places))
    is_first = np.zeros(len(places), bool)
    for rows in kinds:
        is_first[rows[first_in_slots(places[rows], width)]] = True
    return np.flatnonzero(is_first)


def choose_candidates(
    places: IntArray, kinds: Sequence[IntArray], most: int | None, width: int = NO_SLOTS
) -> tuple[IntArray, int]:
    """The rows that `choose_rows` may choose of these places and more behind them, and the width of their slots.

    The width is the smallest, from `width` on, for which at most `most` slots have a place. It only grows as places are
    added, and so does what is chosen in the end: whoever has the candidates of parts has those of the whole.
    """
    if most == 0:
        return np.zeros(0, np.int64), width
    if most is not None:
        width = find_width([places], most, width)
    return first_of_kinds(places, kinds, width), width


def choose_rows(
    places: IntArray, kinds: Sequence[IntArray], most: int | None, width: int = NO_SLOTS
) -> IntArray:
    """At most `most` rows of `places`: the first of every kind in each slot, of the narrowest slots that leave few enough.

    Fewer rows than there are kinds cannot have one of each: then they are the first of any kind in each slot.
    """
    rows, width = choose_candidates(places, kinds, most, width)
    if most is None:
        return rows
    narrowest = width
    while len(rows) > most:
        if places[-1] < width:
            return np.flatnonzero(first_in_slots(places, narrowest))
        width *= 2
        rows = first_of_kinds(places, kinds, width)
    return rows


# Marks: where on the gold line the errors of a metric are, by kind, for pictures of a few hundred pixels.
#
# Of up to `MOST_MARKS` errors every position is kept. Of more, the first of each kind in every slot of the line
# (see above), with how many there are.

# Positions kept of a metric.
MOST_MARKS = 100_000

Positions: TypeAlias = list[int] | list[int | list[int]]
"""A number: one error there. Two: so many errors, the first of them there."""


class Ticks(NamedTuple):
    """Errors of one kind: ascending positions, and how many there are at each or behind it."""

    positions: IntArray
    counts: IntArray

    @classmethod
    def at(cls, positions: IntArray) -> Ticks:
        """One error at each position."""
        return cls(positions, np.ones(len(positions), np.int64))

    def thinned(self, width: int) -> Ticks:
        """The first of each slot."""
        firsts = np.flatnonzero(first_in_slots(self.positions, width))
        if len(firsts) == len(self.positions):
            return self
        return Ticks(self.positions[firsts], np.add.reduceat(self.counts, firsts))

    def to_list(self) -> Positions:
        """Positions, with their counts where these are not 1."""
        positions: list[int] = self.positions.tolist()
        if (self.counts == 1).all():
            return positions
        rows = zip(positions, self.counts.tolist(), strict=True)
        return [position if count == 1 else [position, count] for position, count in rows]


class MetricMarks(NamedTuple):
    """Errors of a metric by kind, and the width of the slots they were counted in."""

    kinds: Mapping[str, Ticks]
    width: int = NO_SLOTS

    def thinned(self, most: int | None = None) -> MetricMarks:
        """At most so many, in slots of the width that they have or of a larger one."""
        places = [ticks.positions for ticks in self.kinds.values()]
        width = find_width(places, MOST_MARKS if most is None else most, self.width)
        return MetricMarks({kind: ticks.thinned(width) for kind, ticks in self.kinds.items()}, width)

    def to_dict(self) -> dict[str, Positions]:
        """Positions by kind, in the order that kinds have."""
        return {kind: self.kinds[kind].to_list() for kind in KINDS if kind in self.kinds}


class Unfolded(NamedTuple):
    """Marks as who draws them wants them: ascending positions, and how many errors come before each."""

    positions: Sequence[int]
    before: Sequence[int]
    """One more than there are positions."""


def unfold_positions(marks: Positions) -> Unfolded:
    """Positions and how many errors come before each.

    >>> unfold_positions([2, [5, 3], 9])
    Unfolded(positions=[2, 5, 9], before=[0, 1, 4, 5])
    """
    pairs = [mark if isinstance(mark, list) else (mark, 1) for mark in marks]
    return Unfolded([pair[0] for pair in pairs], [*accumulate((pair[1] for pair in pairs), initial=0)])


# Where errors are: each in a block of sentences, at a position on the gold line, over tokens or words of both sides.
#
# Columns of numbers rather than an object for each error: of a million errors a few thousand are ever looked at.

Marks: TypeAlias = Mapping[str, Mapping[str, Positions]]
"""Positions on the gold line, by metric and kind."""

# Metrics whose errors are located. Those left out say what others say: uas is in las, allfeats mostly in ufeats.
LOCATED_METRICS = (*SPAN_METRICS, *(metric for metric in LABEL_METRICS if metric not in ("uas", "allfeats")))


@dataclass(frozen=True, slots=True, eq=False)
class LocatedErrors:
    """The errors of a metric, in the order of the text."""

    metric: str
    blocks: IntArray
    """The block each is in."""
    positions: IntArray
    """Where each begins on the gold line."""
    cells: IntArray
    """Which of the kinds, and of the labels, each has."""
    kinds: Sequence[str]
    labels: Sequence[tuple[str, str]]
    """Which label was taken for which; nothing of spans."""
    gold: tuple[IntArray, IntArray]
    """The gold tokens each is about, from and to; words, where words are judged."""
    system: tuple[IntArray, IntArray]

    def __len__(self) -> int:
        return len(self.blocks)

    def rows_by_kind(self) -> dict[str, npt.NDArray[np.bool_]]:
        """Per kind which of the errors are of it."""
        numbers = {kind: number for number, kind in enumerate(dict.fromkeys(self.kinds))}
        row_numbers = np.array([numbers[kind] for kind in self.kinds] or [0])[self.cells]
        return {kind: row_numbers == number for kind, number in numbers.items()}

    def marks(self, offset: int = 0) -> MetricMarks:
        """Positions by kind, behind so many characters of text before this one."""
        ordered = {kind: np.sort(self.positions[rows]) for kind, rows in self.rows_by_kind().items()}
        marks = {kind: Ticks.at(positions + np.int64(offset)) for kind, positions in ordered.items()}
        return MetricMarks(marks).thinned()


def locate_errors(
    comparison: Comparison, metrics: Sequence[str], *, all_words: bool = False
) -> list[LocatedErrors]:
    """The errors of those of some metrics that can be located.

    Words only where they are not simply the tokens, unless this is a part of a text and nobody knows of the others.
    """
    if comparison.gold.spans is not None:
        return []
    no_multiword = not (all_words or has_multiword(comparison))
    wanted = [
        metric for metric in LOCATED_METRICS if metric in metrics and not (metric == "words" and no_multiword)
    ]
    return [
        _locate_spans(comparison, metric)
        if metric in SPAN_METRICS
        else _locate_brackets(comparison)
        if metric == "brackets"
        else _locate_words(comparison, metric)
        for metric in wanted
    ]


def has_multiword(comparison: Comparison) -> bool:
    """Whether words of a side are not simply its tokens."""
    return comparison.gold.words is not None or comparison.system.words is not None


def _locate_spans(comparison: Comparison, metric: str) -> LocatedErrors:
    alignment = comparison.alignment
    gold, system = alignment.gold.original, alignment.system.original
    stretches, wrong = find_wrong(comparison, metric)
    rows: IntArray = np.flatnonzero(wrong)
    if metric == "sentences":
        cuts = gold.sentences[stretches.gold], system.sentences[stretches.system]
        blocks = rows
    else:
        cuts = stretches.gold, stretches.system
        blocks = alignment.group_blocks[rows]
    sizes = [np.diff(stretch)[rows].tolist() for stretch in (stretches.gold, stretches.system)]
    row_kinds = [name_kind(*size) for size in zip(*sizes, strict=True)]
    kinds = {kind: number for number, kind in enumerate(dict.fromkeys(row_kinds))}
    return LocatedErrors(
        metric,
        blocks,
        gold.cuts[cuts[0][rows]],
        np.array([kinds[kind] for kind in row_kinds], np.int64),
        list(kinds),
        (),
        (cuts[0][rows], cuts[0][rows + 1]),
        (cuts[1][rows], cuts[1][rows + 1]),
    )


def _locate_words(comparison: Comparison, metric: str) -> LocatedErrors:
    from evalign.metrics.errors.label_errors import find_confusions

    confusions = find_confusions(comparison, metric)
    words = confusions.rows
    partners = comparison.word_partners[words]
    gold = comparison.alignment.gold.original
    tokens = words if gold.words is None else gold.words.tokens[words]
    return LocatedErrors(
        metric,
        find_blocks(gold, comparison.alignment.blocks.gold, tokens),
        gold.cuts[tokens],
        confusions.numbers,
        [cell.kind for cell in confusions.cells],
        [("|".join(cell.gold), "|".join(cell.system)) for cell in confusions.cells],
        (words, words + 1),
        (partners, partners + 1),
    )


def _locate_brackets(comparison: Comparison) -> LocatedErrors:
    from evalign.metrics.errors.bracket_errors import find_misbracketed

    misbracketed = find_misbracketed(comparison)
    gold = comparison.alignment.gold.original
    sides = comparison.constituents.sides
    spans = [
        [np.where(rows >= 0, np.append(ends, 0)[rows], 0) for ends in (side.firsts, side.lasts)]
        for side, rows in zip(sides, misbracketed.pairs, strict=True)
    ]
    return LocatedErrors(
        "brackets",
        misbracketed.blocks,
        gold.cuts[misbracketed.tokens],
        misbracketed.numbers,
        [cell.kind for cell in misbracketed.cells],
        [("|".join(cell.gold), "|".join(cell.system)) for cell in misbracketed.cells],
        (spans[0][0], spans[0][1]),
        (spans[1][0], spans[1][1]),
    )


def mark_errors(located: Sequence[LocatedErrors]) -> Marks:
    """Positions on the gold line of all errors, by metric and kind."""
    return {errors.metric: errors.marks().to_dict() for errors in located}
