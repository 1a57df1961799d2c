"""Where errors are: each in a block of sentences, at a position on the gold line, over tokens or words of both sides.

Columns of numbers rather than an object for each error: of a million errors a few thousand are ever looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from evalign.document import Document, IntArray
from evalign.layers.comparison import Comparison
from evalign.layers.kinds import LABEL_METRICS, SPAN_METRICS
from evalign.layers.misplaced import find_wrong, name_kind

Marks: TypeAlias = Mapping[str, Mapping[str, list[int]]]
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

    def marks(self) -> dict[str, list[int]]:
        """Positions by kind, ascending."""
        found: dict[str, list[int]] = {}
        names = np.array(self.kinds, object)[self.cells] if len(self) else np.zeros(0, object)
        for kind in dict.fromkeys(self.kinds):
            positions = self.positions[names == kind]
            found[kind] = np.sort(positions).tolist()
        return found


def locate_errors(comparison: Comparison, metrics: Sequence[str]) -> list[Located]:
    """The errors of those of some metrics that can be located; words, only where they are not simply the tokens."""
    if comparison.gold.spans is not None:
        return []
    no_multiword = comparison.gold.words is None and comparison.system.words is None
    wanted = [metric for metric in LOCATED if metric in metrics and not (metric == "words" and no_multiword)]
    return [
        _locate_spans(comparison, metric)
        if metric in SPAN_METRICS
        else _locate_brackets(comparison)
        if metric == "brackets"
        else _locate_words(comparison, metric)
        for metric in wanted
    ]


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
    from evalign.layers.confusions import find_confusions

    found = find_confusions(comparison, metric)
    words = found.rows
    partners = comparison.word_partners[words]
    gold = comparison.alignment.gold.original
    tokens = words if gold.words is None else gold.words.tokens[words]
    return Located(
        metric,
        _block_of_tokens(comparison, tokens),
        gold.cuts[tokens],
        found.numbers,
        [cell.kind for cell in found.cells],
        [("|".join(cell.gold), "|".join(cell.system)) for cell in found.cells],
        (words, words + 1),
        (partners, partners + 1),
    )


def _locate_brackets(comparison: Comparison) -> Located:
    from evalign.layers.misbracketed import find_misbracketed

    found = find_misbracketed(comparison)
    gold, system = comparison.alignment.gold.original, comparison.alignment.system.original
    sides = comparison.constituents.sides
    spans = [
        [np.where(rows >= 0, np.append(ends, 0)[rows], 0) for ends in (side.firsts, side.lasts)]
        for side, rows in zip(sides, found.pairs, strict=True)
    ]
    on_gold = found.pairs[0] >= 0
    blocks = np.where(
        on_gold,
        _block_of_tokens(comparison, spans[0][0]),
        _block_of(system, comparison.alignment.blocks.system, spans[1][0]),
    )
    return Located(
        "brackets",
        blocks,
        gold.cuts[found.tokens],
        found.numbers,
        [cell.kind for cell in found.cells],
        [("|".join(cell.gold), "|".join(cell.system)) for cell in found.cells],
        (spans[0][0], spans[0][1]),
        (spans[1][0], spans[1][1]),
    )


def _block_of_tokens(comparison: Comparison, tokens: IntArray) -> IntArray:
    """The block each gold token is in."""
    return _block_of(comparison.alignment.gold.original, comparison.alignment.blocks.gold, tokens)


def _block_of(document: Document, cuts: IntArray, tokens: IntArray) -> IntArray:
    return np.searchsorted(document.sentences[cuts[1:]], tokens, side="right")


def mark_errors(located: Sequence[Located]) -> Marks:
    """Positions on the gold line of all errors, by metric and kind."""
    return {errors.metric: errors.marks() for errors in located}
