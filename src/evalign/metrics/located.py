"""Where errors are: each in a block of sentences, at a position on the gold line, over tokens or words of both sides.

Columns of numbers rather than an object for each error: of a million errors a few thousand are ever looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.document import IntArray
from evalign.metrics.comparison import Comparison
from evalign.metrics.kinds import LABEL_METRICS, SPAN_METRICS
from evalign.metrics.marks import MetricMarks, Positions, Ticks
from evalign.metrics.mismatches import find_blocks
from evalign.metrics.misplaced import find_wrong, name_kind

Marks: TypeAlias = Mapping[str, Mapping[str, Positions]]
"""Positions on the gold line, by metric and kind."""

# Metrics whose errors are located. Those left out say what others say: uas is in las, allfeats mostly in ufeats.
LOCATED = (*SPAN_METRICS, *(metric for metric in LABEL_METRICS if metric not in ("uas", "allfeats")))


@dataclass(frozen=True, slots=True, eq=False)
class Located:
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
        found = np.array([numbers[kind] for kind in self.kinds] or [0])[self.cells]
        return {kind: found == number for kind, number in numbers.items()}

    def marks(self, offset: int = 0) -> MetricMarks:
        """Positions by kind, behind so many characters of text before this one."""
        ordered = {kind: np.sort(self.positions[rows]) for kind, rows in self.rows_by_kind().items()}
        marks = {kind: Ticks.at(positions + np.int64(offset)) for kind, positions in ordered.items()}
        return MetricMarks(marks).thinned()


def locate_errors(
    comparison: Comparison, metrics: Sequence[str], *, all_words: bool = False
) -> list[Located]:
    """The errors of those of some metrics that can be located.

    Words only where they are not simply the tokens, unless this is a part of a text and nobody knows of the others.
    """
    if comparison.gold.spans is not None:
        return []
    no_multiword = not (all_words or has_multiword(comparison))
    wanted = [metric for metric in LOCATED if metric in metrics and not (metric == "words" and no_multiword)]
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


def _locate_spans(comparison: Comparison, metric: str) -> Located:
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
    found = [name_kind(*size) for size in zip(*sizes, strict=True)]
    kinds = {kind: number for number, kind in enumerate(dict.fromkeys(found))}
    return Located(
        metric,
        blocks,
        gold.cuts[cuts[0][rows]],
        np.array([kinds[kind] for kind in found], np.int64),
        list(kinds),
        (),
        (cuts[0][rows], cuts[0][rows + 1]),
        (cuts[1][rows], cuts[1][rows + 1]),
    )


def _locate_words(comparison: Comparison, metric: str) -> Located:
    from evalign.metrics.confusions import find_confusions

    found = find_confusions(comparison, metric)
    words = found.rows
    partners = comparison.word_partners[words]
    gold = comparison.alignment.gold.original
    tokens = words if gold.words is None else gold.words.tokens[words]
    return Located(
        metric,
        find_blocks(gold, comparison.alignment.blocks.gold, tokens),
        gold.cuts[tokens],
        found.numbers,
        [cell.kind for cell in found.cells],
        [("|".join(cell.gold), "|".join(cell.system)) for cell in found.cells],
        (words, words + 1),
        (partners, partners + 1),
    )


def _locate_brackets(comparison: Comparison) -> Located:
    from evalign.metrics.misbracketed import find_misbracketed

    found = find_misbracketed(comparison)
    gold = comparison.alignment.gold.original
    sides = comparison.constituents.sides
    spans = [
        [np.where(rows >= 0, np.append(ends, 0)[rows], 0) for ends in (side.firsts, side.lasts)]
        for side, rows in zip(sides, found.pairs, strict=True)
    ]
    return Located(
        "brackets",
        found.blocks,
        gold.cuts[found.tokens],
        found.numbers,
        [cell.kind for cell in found.cells],
        [("|".join(cell.gold), "|".join(cell.system)) for cell in found.cells],
        (spans[0][0], spans[0][1]),
        (spans[1][0], spans[1][1]),
    )


def mark_errors(located: Sequence[Located]) -> Marks:
    """Positions on the gold line of all errors, by metric and kind."""
    return {errors.metric: errors.marks().to_dict() for errors in located}
