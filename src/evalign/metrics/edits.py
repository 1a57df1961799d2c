"""Edit distance: tokens to insert, delete or replace to turn the system's output into gold, block by block.

    evalign.score("gold.conllu", "system.txt", metrics="edit-distance")

The distance (Levenshtein 1966) is computed over the tokens of each block, summed, and divided by the number
of gold tokens (`rate`). It is also computed over the boundary string of each block, which has 2 for a
character that ends a sentence, 1 for one that ends a token, else 0, and divided by the number of gold
characters (`boundary_rate`). Tokens are equal if their texts are; the option `match` does not change that. A
block is the smallest stretch that has a sentence boundary of both sides at each end.

The distance of a block is exact unless it would take more than `EditLimits.most_steps` steps. Then the block
is cut at token boundaries that both sides have, and the distances of its pieces are added up. Their sum is
never less than the exact distance.

Bit vectors are integers of any length: a column of the table is stored as two of them, the rows in which it
grows and the rows in which it falls (Myers 1999, in the form of Hyyrö 2003). Only a band around the diagonal
is computed. It is widened until the distance proves that no better path leaves the band (Ukkonen 1985).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import islice
from operator import ne
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.alignment.alignment import PlacedDocument
from evalign.alignment.places import Blocks
from evalign.document import Document, IntArray
from evalign.metrics.bio import CharacterLabels, pair_characters, place_line
from evalign.metrics.comparison import Comparison, CountTable, count_rows

Rows: TypeAlias = npt.NDArray[np.int64]
# A stretch of both sides, `piece`, is four token indices: gold start, gold end, system start, system end.


class EditLimits(NamedTuple):
    """Limits of the search for a distance, beyond which a block is cut."""

    most_steps: int = 1 << 29
    """Most cells of the band to compute; the default takes half a second."""
    piece: int = 128
    """Tokens of both sides together in a piece of a block that is too large as a whole."""
    first_band: int = 256
    """Half the width of the first band to try; a narrower one is hardly faster."""
    wide_band: int = 8192
    """Largest distance that is searched for in one wide enough band, without a narrower one first."""


LIMITS = EditLimits()
# The least cost of a column, in cells.
COLUMN_COST = 1 << 11
# For each boundary symbol a translation table: a boundary string to binary digits, 1 where the symbol is.
_SHOW = [bytes(48 + (byte == symbol) for byte in range(256)) for symbol in range(3)]


def count_edits(comparison: Comparison, limits: EditLimits = LIMITS) -> CountTable:
    """Count the edits of tokens and of boundary strings by unit.

    The columns are: distance over tokens, gold tokens, distance over boundary strings, gold characters.
    """
    comparison = comparison.on_lines
    blocks = comparison.alignment.blocks
    gold, system = comparison.gold.sentences[blocks.gold], comparison.system.sentences[blocks.system]
    stretches = Blocks(gold.astype(np.int64), system.astype(np.int64))
    units = _units(comparison, stretches)
    gold_cuts = comparison.token_cuts[0]
    table = np.zeros((len(comparison.units), 4), np.int64)
    table[:, 1] = np.diff(gold_cuts)
    table[:, 3] = np.diff(comparison.gold.cuts[gold_cuts])
    for field, symbols in ((0, TokenSymbols(comparison)), (2, BoundarySymbols(comparison))):
        np.add.at(table[:, field], units, _distances(comparison, symbols, stretches, limits))
    return table


def _units(comparison: Comparison, blocks: Blocks) -> Rows:
    """Return the unit in which each block begins.

    A block without gold tokens belongs to the unit of its system tokens.
    """
    gold, system = comparison.token_cuts
    by_gold = np.searchsorted(gold[:-1], blocks.gold[:-1], side="right") - 1
    by_system = np.searchsorted(system[:-1], blocks.system[:-1], side="right") - 1
    units: Rows = np.where(np.diff(blocks.gold) > 0, by_gold, by_system)
    return units


def _distances(
    comparison: Comparison, symbols: Symbols, stretches: Blocks, limits: EditLimits, *, whole: bool = True
) -> Rows:
    """Return the Levenshtein distance of each stretch, or an upper bound of it if the stretch is too large.

    If `whole`, a stretch that is too large is also cut, and the sum of the distances of its pieces is the
    bound if it is lower. Pieces are not cut again.
    """
    least, distances = symbols.bounds(stretches)
    rows = np.flatnonzero(least < distances)
    ends = (cuts[rows + k].tolist() for cuts in (stretches.gold, stretches.system) for k in (0, 1))
    for row, *piece in zip(rows.tolist(), *ends, strict=True):
        distance, exact = bound_distance(*symbols.read(piece), most=int(distances[row]), limits=limits)
        if whole and not exact:
            pieces = _cut(comparison, piece, limits.piece)
            parts = _distances(comparison, symbols, pieces, limits, whole=False)
            distance = min(distance, int(parts.sum()))
        distances[row] = distance
    return distances


def _cut(comparison: Comparison, piece: Sequence[int], size: int) -> Blocks:
    """Cut a stretch at token boundaries that both sides have, best between two matched tokens.

    The resulting stretches have about `size` tokens of both sides together.
    """
    a, b, c, d = piece
    groups = comparison.alignment.groups
    inside = (groups.gold > a) & (groups.gold < b) & (groups.system > c) & (groups.system < d)
    gold, system = groups.gold[inside].astype(np.int64), groups.system[inside].astype(np.int64)
    partners, same = comparison.token_partners, comparison.token_same
    good = same[gold - 1] & same[gold] & (partners[gold - 1] == system - 1) & (partners[gold] == system)
    number = (gold + system) // size
    order = np.lexsort((~good, number))
    _, chosen = np.unique(number[order], return_index=True)
    rows = order[chosen]
    return Blocks(np.concatenate([[a], gold[rows], [b]]), np.concatenate([[c], system[rows], [d]]))


class TokenSymbols:
    """Tokens as symbols, by their text.

    A token that an exception list rewrote has its text as read, unless exceptions are credited.
    """

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._sides = comparison.alignment.gold, comparison.alignment.system
        self._rewritten = not comparison.options.credit_exceptions

    def read(self, piece: Sequence[int]) -> tuple[list[str], list[str]]:
        """Return the tokens of gold and of the system in the stretch `piece`."""
        a, b, c, d = piece
        return self._texts(self._sides[0], np.arange(a, b)), self._texts(self._sides[1], np.arange(c, d))

    def _texts(self, side: PlacedDocument, tokens: Rows) -> list[str]:
        document = side.document
        line, starts, ends = document.line, document.cuts[tokens], document.cuts[tokens + 1]
        texts = [line[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        if side.excepted and self._rewritten:
            return [
                side.original.token(token) if token in side.excepted.tokens else text
                for token, text in zip(tokens.tolist(), texts, strict=True)
            ]
        return texts

    def bounds(self, stretches: Blocks) -> tuple[Rows, Rows]:
        """Return a lower and an upper bound of the distance of each stretch.

        The upper bound is the number of edits if matched tokens stay where they are. The lower bound is the
        length of the longer side minus the number of tokens that both sides have.
        """
        gold, system = stretches.gold, stretches.system
        rows = np.flatnonzero(self._comparison.token_same)
        rows = rows[np.searchsorted(rows, gold[0]) : np.searchsorted(rows, gold[-1])]
        partners = self._comparison.token_partners[rows].astype(np.int64)
        cuts = np.searchsorted(rows, gold)
        matched = np.diff(cuts)
        # Edits between matched tokens; `head` and `tail` are those before the first and behind the last one.
        between = np.maximum(np.diff(rows), np.diff(partners)) - 1
        total = np.append(0, np.cumsum(between))
        longer = np.maximum(np.diff(gold), np.diff(system))
        most = longer.copy()
        has = np.flatnonzero(matched)
        first, last = cuts[has], cuts[has + 1] - 1
        head = np.maximum(rows[first] - gold[has], partners[first] - system[has])
        tail = np.maximum(gold[has + 1] - rows[last], system[has + 1] - partners[last]) - 1
        most[has] = head + total[last] - total[first] + tail
        return longer - matched - self._common(stretches, rows, partners), most

    def _common(self, stretches: Blocks, rows: Rows, partners: Rows) -> Rows:
        """Count for each stretch the unmatched tokens that both sides have.

        `rows` and `partners` are the matched tokens of gold and of the system.
        """
        numbers: dict[str, int] = {}
        keys = []
        for side, cuts, matched_rows in zip(
            self._sides, (stretches.gold, stretches.system), (rows, partners), strict=True
        ):
            free = np.ones(int(cuts[-1] - cuts[0]), bool)
            free[matched_rows - cuts[0]] = False
            tokens = np.flatnonzero(free) + cuts[0]
            stretch = np.searchsorted(cuts, tokens, side="right") - 1
            texts = [numbers.setdefault(text, len(numbers)) for text in self._texts(side, tokens)]
            keys.append(np.unique(stretch * 2**32 + np.array(texts, np.int64), return_counts=True))
        shared, one, other = np.intersect1d(keys[0][0], keys[1][0], assume_unique=True, return_indices=True)
        common = np.zeros(len(stretches.gold) - 1, np.int64)
        np.add.at(common, shared >> 32, np.minimum(keys[0][1][one], keys[1][1][other]))
        return common


class BoundarySymbols:
    """One symbol for each character: 2 if a sentence ends after it, 1 if a token does, else 0."""

    def __init__(self, comparison: Comparison) -> None:
        self._documents = comparison.gold, comparison.system
        self._strings = _boundary_string(comparison.gold), _boundary_string(comparison.system)
        alignment = comparison.alignment
        lines = place_line(alignment.gold), place_line(alignment.system)
        self._pairs = pair_characters(alignment.n_places, *lines, *self._strings)

    def read(self, piece: Sequence[int]) -> tuple[bytes, bytes]:
        """Return the boundary strings of gold and of the system in the stretch `piece`."""
        (gold, system), (a, b, c, d) = self._documents, piece
        return (
            self._strings[0][gold.cuts[a] : gold.cuts[b]].tobytes(),
            self._strings[1][system.cuts[c] : system.cuts[d]].tobytes(),
        )

    def bounds(self, stretches: Blocks) -> tuple[Rows, Rows]:
        """Return a lower and an upper bound of the distance of each stretch.

        The upper bound has one edit for each character that only one side has or whose symbols differ. The
        lower bound is the number of symbols that one side has more often than the other.
        """
        gold_cuts = self._documents[0].cuts[stretches.gold]
        system_cuts = self._documents[1].cuts[stretches.system]
        edits = (self._pairs.gold_alone, gold_cuts), (self._pairs.system_alone, system_cuts)
        kinds = [np.diff(np.searchsorted(*kind)) for kind in (*edits, (self._pairs.differing, gold_cuts))]
        most: Rows = np.sum(kinds, axis=0)
        surplus = self._count(0, stretches.gold) - self._count(1, stretches.system)
        more, fewer = np.maximum(surplus, 0).sum(axis=0), np.maximum(-surplus, 0).sum(axis=0)
        return np.maximum(more, fewer), most

    def _count(self, side: int, cuts: IntArray) -> Rows:
        """Count each symbol in each stretch of a side: 0 for gold, 1 for the system."""
        document, string = self._documents[side], self._strings[side]
        lengths = np.diff(document.cuts)
        symbols = np.where(lengths > 0, np.append(string, 0)[document.cuts[1:] - 1], 0)
        ends = [count_rows(symbols == symbol, cuts.astype(np.int32)) for symbol in (1, 2)]
        counts: Rows = np.stack([np.diff(document.cuts[cuts]) - ends[0] - ends[1], *ends])
        return counts


Symbols: TypeAlias = TokenSymbols | BoundarySymbols
"""The symbols of both sides that are compared."""


def _boundary_string(document: Document) -> CharacterLabels:
    marks = np.zeros(len(document.line) + 1, np.uint8)
    marks[document.cuts] = 1
    marks[document.sentence_cuts] = 2
    return marks[1:]


def bound_distance(
    one: Sequence[Hashable],
    other: Sequence[Hashable],
    *,
    most: int | None = None,
    limits: EditLimits = LIMITS,
) -> tuple[int, bool]:
    """Return the edit distance, or an upper bound of it, and whether it is exact.

    `most` is an upper bound that is already known.

    >>> bound_distance("kitten", "sitting")
    (3, True)
    >>> bound_distance(["can", "not"], ["cannot"])
    (2, True)
    """
    one, other = _trim(one, other)
    rows, columns = (one, other) if len(one) >= len(other) else (other, one)
    extra = len(rows) - len(columns)
    if not columns:
        return len(rows), True
    if len(columns) == 1:
        return len(rows) - (columns[0] in rows), True
    # Replace everything. If the lengths are equal, up to two replacements are the best possible.
    best = len(rows) if extra else sum(map(ne, rows, columns))
    if not extra and best <= 2:
        return best, True
    best = best if most is None else min(best, most)
    band = limits.first_band if best > limits.wide_band else best
    while True:
        # A path that strays further costs more than the best one so far.
        band = min(band, (best - extra) // 2)
        if len(columns) * max(3 * band + extra, COLUMN_COST) > limits.most_steps:
            return best, False
        best = min(best, _distance_in_band(rows, columns, band))
        if best <= 2 * band + extra + 1:
            return best, True
        band *= 4


def _trim(
    one: Sequence[Hashable], other: Sequence[Hashable]
) -> tuple[Sequence[Hashable], Sequence[Hashable]]:
    """Cut off the common prefix and the common suffix of two sequences."""
    shorter = min(len(one), len(other))
    head = next((k for k, differ in enumerate(map(ne, one, other)) if differ), shorter)
    behind = islice(map(ne, reversed(one), reversed(other)), shorter - head)
    tail = next((k for k, differ in enumerate(behind) if differ), shorter - head)
    return one[head : len(one) - tail], other[head : len(other) - tail]


def _distance_in_band(rows: Sequence[Hashable], columns: Sequence[Hashable], band: int) -> int:
    """Return the cost of the best path that strays at most `band` from the diagonals it begins and ends on.

    Columns are taken in batches that share one window of rows. Above the window a path goes along the edge of
    the window, below it straight down; both are possible paths, so the result is never too small.
    """
    extra = len(rows) - len(columns)
    batch = max(band, 64) if 2 * band + extra < len(rows) else len(columns)
    top, bottom, above = 0, 0, 0
    grows, falls = 0, 0
    for first in range(0, len(columns), batch):
        last = min(first + batch, len(columns))
        gone = max(0, first - band) - top
        low = (1 << gone) - 1
        above += (grows & low).bit_count() - (falls & low).bit_count()
        grows, falls, top = grows >> gone, falls >> gone, top + gone
        reached = min(len(rows), last + extra + band)
        full = (1 << (reached - top)) - 1
        grows |= full ^ ((1 << (bottom - top)) - 1)
        bottom = reached
        grows, falls = _walk(_places_of(rows, top, bottom), columns[first:last], grows, falls, full)
        above += last - first
    return above + grows.bit_count() - falls.bit_count()


def _places_of(rows: Sequence[Hashable], top: int, bottom: int) -> dict[Hashable, int]:
    """Map each symbol of the window of rows from `top` to `bottom` to its rows, as bits."""
    if isinstance(rows, bytes):  # few symbols, many rows each
        window = rows[top:bottom][::-1]
        return {symbol: int(window.translate(_SHOW[symbol]), 2) for symbol in set(window)}
    places: dict[Hashable, int] = {}
    bit = 1
    for symbol in rows[top:bottom]:
        places[symbol] = places.get(symbol, 0) | bit
        bit <<= 1
    return places


def _walk(
    places: dict[Hashable, int], columns: Sequence[Hashable], grows: int, falls: int, full: int
) -> tuple[int, int]:
    """Advance the table over `columns` and return the bit vectors of the last column.

    `places` has the rows of each symbol (`_places_of`); `grows` and `falls` are the vectors of the column
    before. The row above the window grows by one in each column (Hyyrö 2003).
    """
    for symbol in columns:
        equal = places.get(symbol, 0)
        diagonal = (((equal & grows) + grows) ^ grows) | equal | falls
        right_grows = ((falls | (full & ~(diagonal | grows))) << 1) | 1
        right_falls = (diagonal & grows) << 1
        grows = full & (right_falls | ~(diagonal | right_grows))
        falls = full & right_grows & diagonal
    return grows, falls
