"""Wrong brackets: confused labels, missing brackets and surplus brackets.

    evalign.score("gold.mrg", "system.mrg").errors("brackets")

    label      the right place, another label          missing    only in gold
    rewritten  right place and label, another text     inserted   only in the system
    crossing   only in the system, across gold brackets

Brackets with gaps are never crossing. A bracket is rewritten if less than a third of its text is shared, or
if its text differs at all and `match="text"`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evalign.document import Document, IntArray
from evalign.metrics.census import check_columns
from evalign.metrics.comparison import Comparison
from evalign.metrics.errors.mismatches import (
    NO_TEXT,
    ErrorCell,
    ErrorCells,
    Mismatch,
    find_blocks,
    find_context,
    find_start,
)
from evalign.metrics.keys import find_unpaired, number_codes
from evalign.metrics.metric import BRACKET_KINDS

# Number of tokens shown from the beginning and from the end of a long bracket.
SHOWN = 6
# Shown for the words between two runs.
GAP = " … "
LABEL, REWRITTEN, MISSING, INSERTED, CROSSING = range(len(BRACKET_KINDS))


@dataclass(frozen=True, eq=False)
class Misbracketed(ErrorCells):
    """The wrong brackets. `rows` are indices of pairs of a gold bracket and a system bracket."""

    pairs: tuple[IntArray, IntArray]
    """The gold bracket and the system bracket of each pair; -1 for none."""
    tokens: IntArray
    """The gold token with which each pair begins.

    For a bracket that only the system has, the gold token at the place where it begins.
    """
    blocks: IntArray
    """The block of sentences of each pair."""

    def _mismatch(self, row: int, cell: ErrorCell) -> Mismatch:
        comparison = self.comparison
        gold, system = comparison.alignment.gold.original, comparison.alignment.system.original
        mine, theirs = comparison.constituents.sides
        brackets = int(self.pairs[0][row]), int(self.pairs[1][row])
        on_gold = brackets[0] >= 0
        side, bracket = (mine, brackets[0]) if on_gold else (theirs, brackets[1])
        document = gold if on_gold else system
        start, file = find_start(comparison, int(gold.cuts[self.tokens[row]]))
        return Mismatch(
            self.metric,
            *cell,
            gold.place_of(int(mine.firsts[brackets[0]])) if on_gold else None,
            system.place_of(int(theirs.firsts[brackets[1]])) if brackets[1] >= 0 else None,
            start,
            *find_context(document, int(side.firsts[bracket]), int(side.lasts[bracket])),
            "",
            GAP.join(_text(document, *run) for run in side.tokens(bracket)).strip() or NO_TEXT,
            raw_file=file,
        )


def _text(document: Document, first: int, last: int) -> str:
    """Join the tokens from `first` up to `last`; of a long run, only its beginning and its end."""
    if last - first <= 2 * SHOWN + 1:
        return " ".join(document.tokens(first, last))
    return " ".join([*document.tokens(first, first + SHOWN), "…", *document.tokens(last - SHOWN, last)])


def find_misbracketed(comparison: Comparison) -> Misbracketed:
    """Find the wrong brackets in the order of the text; raises `CommandError` without trees."""
    check_columns(comparison, ("trees",), "errors of brackets")
    constituents = comparison.constituents
    gold, system = constituents.sides
    labels = constituents.labels.labels
    size = len(labels) + 1
    *pairs, kinds, tokens, blocks = _pair(comparison)
    # Label numbers from 1; 0 for no bracket.
    numbers = [
        np.where(rows >= 0, side.labels[rows] + 1, 0) if len(side) else np.zeros(len(rows), np.int64)
        for side, rows in zip((gold, system), pairs, strict=True)
    ]
    values, cell_numbers = number_codes((kinds.astype(np.int64) * size + numbers[0]) * size + numbers[1])
    cells, gold_words = [], []
    totals = np.bincount(gold.labels, minlength=len(labels)).tolist()
    for code in values.tolist():
        rest, system_number = divmod(code, size)
        kind, gold_number = divmod(rest, size)
        sides = [(labels[number - 1],) if number else () for number in (gold_number, system_number)]
        cells.append(ErrorCell(BRACKET_KINDS[kind], *sides))
        gold_words.append(totals[gold_number - 1] if gold_number else 0)
    return Misbracketed(
        comparison,
        "brackets",
        np.arange(len(cell_numbers)),
        cell_numbers,
        cells,
        gold_words,
        dict(zip(labels, totals, strict=True)),
        (pairs[0], pairs[1]),
        tokens,
        blocks,
    )


def _pair(comparison: Comparison) -> tuple[IntArray, IntArray, IntArray, IntArray, IntArray]:
    """Pair the wrong brackets, in the order of the text.

    Returns five columns: the gold bracket and the system bracket of each pair (-1 for none), its kind of
    error, and its gold token and block as in `Misbracketed`. Brackets with equal label and place but
    different texts are paired first, then brackets with equal place; the rest have no partner.
    """
    constituents = comparison.constituents
    gold, system = constituents.sides
    partners = constituents.in_place
    rewritten = np.flatnonzero((partners >= 0) & ~constituents.right)
    missed = np.flatnonzero(partners < 0)
    spurious = np.flatnonzero(find_unpaired(partners, len(system)))
    others = constituents.match_rows(missed, spurious)
    extra = spurious[find_unpaired(others, len(spurious))]
    rows = (
        np.concatenate([rewritten, missed, np.full(len(extra), -1)]),
        np.concatenate(
            [partners[rewritten], np.where(others >= 0, np.append(spurious, -1)[others], -1), extra]
        ),
        np.concatenate(
            [
                np.full(len(rewritten), REWRITTEN),
                np.where(others >= 0, LABEL, MISSING),
                np.where(constituents.crossing[extra], CROSSING, INSERTED),
            ]
        ),
    )
    tokens = np.concatenate(
        [gold.firsts[rewritten], gold.firsts[missed], _gold_tokens(comparison, system.firsts[extra])]
    )
    aligned = comparison.alignment
    blocks = np.concatenate(
        [
            find_blocks(
                aligned.gold.original, aligned.blocks.gold, gold.firsts[np.append(rewritten, missed)]
            ),
            find_blocks(aligned.system.original, aligned.blocks.system, system.firsts[extra]),
        ]
    )
    # By block first: the gold token where a system bracket begins may already belong to the next block.
    order = np.lexsort([tokens, blocks])
    return rows[0][order], rows[1][order], rows[2][order], tokens[order], blocks[order]


def _gold_tokens(comparison: Comparison, tokens: IntArray) -> IntArray:
    """Return for each system token the first gold token that ends after the place where it begins."""
    places = comparison.alignment.gold.places, comparison.alignment.system.places
    entered = np.append(0, places[1].token_progress)[tokens]
    return np.searchsorted(places[0].token_progress, entered, side="right")
