"""Where errors are in the text: positions on the gold line, thinned out for pictures.

Passages (`passages`) and the marks of reports are made from `locate_errors`. To thin out, the line is divided
into slots of equal width, and only the first place in each slot is kept. The parts of a long text are thinned
one by one, and again when they are joined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.document import IntArray, distinct
from evalign.metrics.comparison import Comparison
from evalign.metrics.errors.mismatches import ErrorCells, find_blocks
from evalign.metrics.errors.span_errors import find_wrong, name_kind
from evalign.metrics.metric import KINDS
from evalign.metrics.registry import LABEL_METRICS, SPAN_METRICS

# Thinning: of many places on a line, keep the first in each slot, or the first of each kind in each slot.
#
# Slots begin at 0. Their width is a power of two, the smallest that leaves few enough places. Two
# neighbouring slots make one of the next width, so the first places of narrow slots contain those of wider
# slots. Thinning what was thinned before, in parts or as a whole, therefore gives the same places as thinning
# once.

# The width that gives every place a slot of its own, even where several places are equal.
NO_SLOTS = 0


def find_width(columns: Sequence[IntArray], most: int, width: int = NO_SLOTS) -> int:
    """Return the smallest slot width, at least `width`, at which at most `most` slots have a place.

    Each column has ascending places; slots are counted in each column by itself and added up. Every column
    that is not empty has at least one slot, so `most` must be no smaller than the number of columns.

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
    """Return for each of the ascending `places` whether it is the first in its slot."""
    first = np.ones(len(places), bool)
    if width:
        slots = places // width
        first[1:] = slots[1:] != slots[:-1]
    return first


def first_of_kinds(places: IntArray, kinds: Sequence[IntArray], width: int) -> IntArray:
    """Return the rows of `places` that are the first of any of `kinds` in a slot of the width `width`.

    `places` ascend; each kind is given as the rows of the places that have it, ascending. Without slots all
    rows are returned.

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
    """Return the rows that `choose_rows` could choose if other places came before and behind, with their width.

    At a width of slots that leaves more than `most` slots, or more than `most` rows behind the first slot,
    places that are added leave too many as well. So the width of the final choice is at least the width
    here, and the candidates of all parts contain the candidates of the whole. Rows are only counted if the
    choice can end with few enough: if `most` is no smaller than the number of `kinds`, which may be empty.
    """
    if most == 0:
        return np.zeros(0, np.int64), width
    if most is not None:
        width = find_width([places], most, width)
    rows = first_of_kinds(places, kinds, width)
    while most is not None and most >= len(kinds) and _count_behind_first(places[rows], width) > most:
        width *= 2
        rows = first_of_kinds(places, kinds, width)
    return rows, width


def _count_behind_first(places: IntArray, width: int) -> int:
    """Count the ascending `places` that are not in the first slot; places before may take away those in it."""
    return int((places // width > places[0] // width).sum()) if width else 0


def choose_rows(
    places: IntArray, kinds: Sequence[IntArray], most: int | None, width: int = NO_SLOTS
) -> IntArray:
    """Choose at most `most` rows of `places`: the first of every kind in each slot.

    The narrowest slots are used that leave few enough rows. If even a single slot leaves too many, because
    there are more kinds than `most`, only the first row in each slot is taken, of any kind.
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


# Marks: positions on the gold line of the errors of a metric, by kind, for pictures of a few hundred pixels.
#
# Up to `MOST_MARKS` errors, every position is kept. If there are more, the first error of each kind in every
# slot of the line is kept (see above), with the number of errors in the slot.

# Most positions kept of a metric.
MOST_MARKS = 100_000

Positions: TypeAlias = list[int] | list[int | list[int]]
"""Errors in the order of the text.

A number is the position of one error; [position, count] is several errors, the first of them at the position.
"""


class Ticks(NamedTuple):
    """Errors of one kind: ascending positions, and the number of errors from each up to the next."""

    positions: IntArray
    counts: IntArray

    @classmethod
    def at(cls, positions: IntArray) -> Ticks:
        """Make ticks of one error at each position."""
        return cls(positions, np.ones(len(positions), np.int64))

    def thinned(self, width: int) -> Ticks:
        """Keep the first tick of each slot, with the counts of the slot added up."""
        firsts = np.flatnonzero(first_in_slots(self.positions, width))
        if len(firsts) == len(self.positions):
            return self
        return Ticks(self.positions[firsts], np.add.reduceat(self.counts, firsts))

    def to_list(self) -> Positions:
        """Return positions, each with its count unless that is 1."""
        positions: list[int] = self.positions.tolist()
        if (self.counts == 1).all():
            return positions
        rows = zip(positions, self.counts.tolist(), strict=True)
        return [position if count == 1 else [position, count] for position, count in rows]


class MetricMarks(NamedTuple):
    """Errors of a metric by kind, and the width of the slots in which they are counted."""

    kinds: Mapping[str, Ticks]
    width: int = NO_SLOTS

    def thinned(self, most: int | None = None) -> MetricMarks:
        """Thin to at most `most` ticks, by default `MOST_MARKS`; slots are at least as wide as before."""
        places = [ticks.positions for ticks in self.kinds.values()]
        width = find_width(places, MOST_MARKS if most is None else most, self.width)
        return MetricMarks({kind: ticks.thinned(width) for kind, ticks in self.kinds.items()}, width)

    def joined(self, other: MetricMarks, most: int) -> MetricMarks:
        """Add the marks of the text behind, and thin them to at most `most` ticks."""
        both = {
            kind: [m.kinds[kind] for m in (self, other) if kind in m.kinds]
            for kind in (*self.kinds, *other.kinds)
        }
        ticks = {
            kind: Ticks(*map(np.concatenate, zip(*several, strict=True))) for kind, several in both.items()
        }
        return MetricMarks(ticks, max(self.width, other.width)).thinned(most)

    def to_dict(self) -> dict[str, Positions]:
        """Return positions by kind, in the order of `KINDS`."""
        return {kind: self.kinds[kind].to_list() for kind in KINDS if kind in self.kinds}


class Unfolded(NamedTuple):
    """Marks for drawing: ascending positions, and how many errors come before each."""

    positions: Sequence[int]
    before: Sequence[int]
    """One entry more than positions: the last one is the number of all errors."""


def unfold_positions(marks: Positions) -> Unfolded:
    """Return the positions of `marks` and how many errors come before each.

    >>> unfold_positions([2, [5, 3], 9])
    Unfolded(positions=[2, 5, 9], before=[0, 1, 4, 5])
    """
    pairs = [mark if isinstance(mark, list) else (mark, 1) for mark in marks]
    return Unfolded([pair[0] for pair in pairs], [*accumulate((pair[1] for pair in pairs), initial=0)])


# Located errors: each is in a block of sentences, at a position on the gold line, and has tokens or words of
# both sides.
#
# Located errors are columns of numbers rather than objects, because only a few thousand of a million errors
# are ever looked at.

Marks: TypeAlias = Mapping[str, Mapping[str, Positions]]
"""Positions on the gold line, by metric and kind."""

# Metrics whose errors are located. Errors of uas are among those of las, those of allfeats mostly among those
# of ufeats.
LOCATED_METRICS = (*SPAN_METRICS, *(metric for metric in LABEL_METRICS if metric not in ("uas", "allfeats")))


@dataclass(frozen=True, slots=True, eq=False)
class LocatedErrors:
    """The errors of a metric with their positions, in the order of the text."""

    metric: str
    blocks: IntArray
    """The block of sentences of each error."""
    positions: IntArray
    """The position on the gold line where each error begins."""
    cells: IntArray
    """The cell of each error, an index into `kinds` and `labels`."""
    kinds: Sequence[str]
    labels: Sequence[tuple[str, str]]
    """The gold label and the system label of each cell; empty for metrics of spans."""
    gold: tuple[IntArray, IntArray]
    """Start and end of each error in gold tokens; in gold words if words are judged."""
    system: tuple[IntArray, IntArray]

    def __len__(self) -> int:
        return len(self.blocks)

    def rows_by_kind(self) -> dict[str, npt.NDArray[np.bool_]]:
        """Return for each kind which errors are of this kind."""
        numbers = {kind: number for number, kind in enumerate(dict.fromkeys(self.kinds))}
        row_numbers = np.array([numbers[kind] for kind in self.kinds] or [0])[self.cells]
        return {kind: row_numbers == number for kind, number in numbers.items()}

    def marks(self, offset: int = 0) -> MetricMarks:
        """Return thinned positions by kind; the text has `offset` characters before this part."""
        ordered = {kind: np.sort(self.positions[rows]) for kind, rows in self.rows_by_kind().items()}
        marks = {kind: Ticks.at(positions + np.int64(offset)) for kind, positions in ordered.items()}
        return MetricMarks(marks).thinned()


def locate_errors(
    comparison: Comparison, metrics: Sequence[str], *, all_words: bool = False
) -> list[LocatedErrors]:
    """Find the errors of those of `metrics` that are in `LOCATED_METRICS`.

    Words are left out where they are the same as tokens, unless `all_words`: a part of a text cannot know
    whether other parts have multiword tokens.
    """
    if comparison.gold.spans is not None:
        return []
    no_multiword = not (all_words or comparison.has_multiword)
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
    blocks = find_blocks(gold, comparison.alignment.blocks.gold, tokens)
    return _locate_cells(confusions, blocks, tokens, (words, words + 1), (partners, partners + 1))


def _locate_brackets(comparison: Comparison) -> LocatedErrors:
    from evalign.metrics.errors.bracket_errors import find_misbracketed

    wrong = find_misbracketed(comparison)
    gold, system = (
        [np.where(rows >= 0, np.append(ends, 0)[rows], 0) for ends in (side.firsts, side.lasts)]
        for side, rows in zip(comparison.constituents.sides, wrong.pairs, strict=True)
    )
    return _locate_cells(wrong, wrong.blocks, wrong.tokens, (gold[0], gold[1]), (system[0], system[1]))


def _locate_cells(
    errors: ErrorCells,
    blocks: IntArray,
    tokens: IntArray,
    gold: tuple[IntArray, IntArray],
    system: tuple[IntArray, IntArray],
) -> LocatedErrors:
    """Locate errors of labels; `tokens` are the gold tokens where they begin, the rest is as in `LocatedErrors`."""
    cuts, cells = errors.comparison.alignment.gold.original.cuts, errors.cells
    labels = [("|".join(cell.gold), "|".join(cell.system)) for cell in cells]
    kinds = [cell.kind for cell in cells]
    return LocatedErrors(errors.metric, blocks, cuts[tokens], errors.numbers, kinds, labels, gold, system)


def mark_errors(located: Sequence[LocatedErrors]) -> Marks:
    """Return the positions on the gold line of all errors, by metric and kind."""
    return {errors.metric: errors.marks().to_dict() for errors in located}
