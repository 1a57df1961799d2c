"""Metrics of boundaries: sentence and token ends as points, candidate marks, Pk and WindowDiff.

    evalign.score("gold.conllu", "system.txt", metrics=["boundaries", "boundaries-inner", "token-boundaries"])

Each point counts once on each side; it has no text, so the option `match` does not change these metrics. The
end of a gold document is given, not decided by the system: `boundaries-inner` and `token-boundaries` leave it
out on both sides.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.alignment.alignment import PlacedDocument
from evalign.alignment.fold import code_points
from evalign.alignment.places import NOWHERE
from evalign.document import Document, IntArray
from evalign.metrics.comparison import Comparison, CountTable, count_rows

Mask = npt.NDArray[np.bool_]


def document_cuts(document: Document) -> IntArray:
    """Return where each document of a file begins, counted in sentences, and the number of sentences.

    A file that names no documents is one document.
    """
    bounds = np.concatenate([[0], document.documents.sentences, [document.n_sentences]])
    return np.unique(bounds).astype(np.int32)


def mark_places(n_places: int, places: IntArray) -> Mask:
    """Return a mask over places that is true for `places`.

    NOWHERE, which is -1, can be looked up too: it finds the last row, which is false.
    """
    table = np.zeros(n_places + 2, bool)
    table[places] = True
    table[NOWHERE] = False
    return table


def count_boundaries(comparison: Comparison) -> CountTable:
    """Count sentence ends by unit: correct, gold and system."""
    gold, system = _sentence_ends(comparison)
    every = np.ones(len(gold), bool), np.ones(len(system), bool)
    return _count_points(comparison, (gold, system), every, comparison.sentence_cuts[0])


def count_inner_boundaries(comparison: Comparison) -> CountTable:
    """Count sentence ends that do not end a gold document, by unit: correct, gold and system."""
    ends = _sentence_ends(comparison)
    last = document_cuts(comparison.gold)[1:] - 1
    reach = comparison.alignment.gold.sentence_reach
    return _count_points(comparison, ends, _inner(comparison, ends, last, reach), comparison.sentence_cuts[0])


def count_token_boundaries(comparison: Comparison) -> CountTable:
    """Count token ends that do not end a gold document, by unit: correct, gold and system."""
    places = comparison.alignment.gold.places
    ends = places.token_ends, comparison.alignment.system.places.token_ends
    last = comparison.gold.sentences[document_cuts(comparison.gold)[1:]] - 1
    inner = _inner(comparison, ends, last, places.token_reach)
    return _count_points(comparison, ends, inner, comparison.token_cuts[0])


def _sentence_ends(comparison: Comparison) -> tuple[IntArray, IntArray]:
    alignment = comparison.alignment
    return alignment.gold.places.sentence_ends, alignment.system.places.sentence_ends


def _inner(
    comparison: Comparison, ends: tuple[IntArray, IntArray], last: IntArray, reach: IntArray
) -> tuple[Mask, Mask]:
    """Return masks of the gold and system rows that do not end a gold document.

    `last` has the last gold row of each document; `reach` has the number of places up to the end of each gold
    row. The last row of each side counts as the end of a document even if it has no place.
    """
    outer = mark_places(comparison.alignment.n_places, reach[last])
    gold, system = (~outer[places] for places in ends)
    gold[last] = False
    system[-1:] = False
    return gold, system


def _count_points(
    comparison: Comparison, ends: tuple[IntArray, IntArray], counted: tuple[Mask, Mask], gold_cuts: IntArray
) -> CountTable:
    """Count the points that `counted` marks, by unit: correct, gold and system.

    `ends` has the places of the points of both sides. A point belongs to the unit of the character before it.
    """
    gold, system = (mask & _distinct(places) for mask, places in zip(counted, ends, strict=True))
    there = mark_places(comparison.alignment.n_places, ends[1][system])
    system_reach = np.maximum.accumulate(ends[1])
    inner = np.searchsorted(system_reach, comparison.unit_places[1:], side="right")
    system_cuts = np.concatenate([[0], inner, [len(system_reach)]])
    columns = (
        count_rows(gold & there[ends[0]], gold_cuts),
        count_rows(gold, gold_cuts),
        count_rows(system, system_cuts),
    )
    return np.stack(columns, axis=1)


def _distinct(ends: IntArray) -> Mask:
    """Return for each row whether it ends at another point than the row before.

    A token without characters ends at the same point as the token before. Rows without a place all differ.
    """
    before = np.append(NOWHERE, np.maximum.accumulate(ends))[: len(ends)]
    distinct: Mask = (ends > before) | (ends == NOWHERE)
    return distinct


# Disambiguation of marks that may end a sentence (Palmer and Hearst 1997; Read et al. 2012).
#
#     evalign.score("gold.conllu", "system.txt", metrics="disambiguation")
#
# Every candidate mark of the gold text is judged, inside a token too: does a sentence end right after it?
# Marks are those of the text as it was read, so that their number is the same for every system. A mark that
# the system lost ends no sentence of the system. Ends without a mark are not judged here; `boundaries` counts
# them.


def count_disambiguation(comparison: Comparison) -> CountTable:
    """Count candidate marks by unit and by which side ends a sentence with them.

    The columns are: both sides, the system only, gold only, neither.
    """
    comparison = comparison.on_lines
    side = comparison.alignment.gold
    document = side.original
    is_candidate = np.zeros(0x110000, bool)
    is_candidate[[ord(mark) for mark in comparison.options.marks]] = True
    marks = np.flatnonzero(is_candidate[code_points(document.line)]).astype(np.int32)
    tokens = np.searchsorted(document.cuts, marks, side="right") - 1
    gold = mark_places(len(document.line), document.sentence_cuts[1:])[marks + 1]
    ends = comparison.alignment.system.places.sentence_ends
    there = mark_places(comparison.alignment.n_places, ends)
    system = there[_places_behind(side, _normalised(side, marks, tokens.astype(np.int32)))]
    cuts = np.searchsorted(tokens, np.append(comparison.units.tokens, document.n_tokens)).astype(np.int32)
    kinds = (gold & system, ~gold & system, gold & ~system, ~gold & ~system)
    return np.stack([count_rows(kind, cuts) for kind in kinds], axis=1)


def _normalised(side: PlacedDocument, marks: IntArray, tokens: IntArray) -> IntArray:
    """Map positions of `marks` on the line as read to positions on the normalised line.

    `tokens` has the token of each mark. A mark that was rewritten away gets -1.
    """
    before, after = side.original, side.document
    if before is after:
        return marks
    behind = before.cuts[tokens + 1] - marks
    positions = after.cuts[tokens + 1] - behind
    lengths = np.diff(before.cuts), np.diff(after.cuts)
    # The last character of a token maps to the last character of the rewritten token.
    moved = (lengths[0] != lengths[1])[tokens] & (behind > 1)
    positions[(lengths[1] == 0)[tokens]] = -1
    for row in np.flatnonzero(moved).tolist():
        token = int(tokens[row])
        old, new, offset = before.token(token), after.token(token), int(marks[row] - before.cuts[token])
        if old[: offset + 1] == new[: offset + 1]:
            positions[row] = after.cuts[token] + offset
        elif not new.endswith(old[offset:]):
            positions[row] = -1
    return positions


def _places_behind(side: PlacedDocument, positions: IntArray) -> IntArray:
    """Return the place right after each character at `positions` of the normalised line.

    NOWHERE for the position -1 and for a character that the other side does not share.
    """
    if side.characters is None or side.folded_cuts is None:
        return np.where(positions < 0, NOWHERE, positions + 1).astype(np.int32)
    starts, ends = side.folded_cuts[positions], side.folded_cuts[positions + 1]
    places = np.append(side.characters.places, NOWHERE)[ends - 1]
    free = np.append(side.characters.may_end, False)[ends - 1]
    is_shared = (positions >= 0) & (ends > starts) & (places != NOWHERE) & free
    return np.where(is_shared, places + 1, NOWHERE).astype(np.int32)


# Pk and WindowDiff: a window slides over the gold tokens of a document.
#
#     evalign.score("gold.conllu", "system.txt", metrics=["pk", "windowdiff"])
#
# Between every two neighbouring tokens of a gold document is a gap, with a boundary in it or without. Every
# window has k gaps. For Pk (Beeferman et al. 1999) a window differs if only one side has a boundary in it;
# for WindowDiff (Pevzner and Hearst 2002), if the two sides have different numbers of boundaries in it. A
# system boundary inside a gold token is moved to the end of the token; where the lines differ, a boundary
# behind a token that gold does not have is moved before that token.
#
#     variant     k, for n tokens in s sentences, halves rounded to even
#     pk          n / 2s, at least 1
#     pk-nltk     (n - 1) / 2(s - 1), as nltk.metrics.segmentation.pk; with k = 0 no window differs
#     pk-segeval  n / 2s, at least 2
#
# A document has n - k windows, or none if n < k. They are counted in the unit in which the document begins.

Sizes: TypeAlias = npt.NDArray[np.int64]
Window: TypeAlias = Callable[[Sizes, Sizes], Sizes]
"""A function from the tokens and the sentences of each document to the size of its window."""


def round_half_even(part: Sizes, whole: Sizes) -> Sizes:
    """Divide `part` by `whole` and round to the nearest integer, halves to the even one.

    >>> round_half_even(np.array([3, 5, 7]), np.array([2, 2, 4])).tolist()
    [2, 2, 2]
    """
    quotient, rest = np.divmod(part, whole)
    up = (2 * rest > whole) | ((2 * rest == whole) & (quotient % 2 == 1))
    rounded: Sizes = quotient + up
    return rounded


def window(tokens: Sizes, sentences: Sizes) -> Sizes:
    """Return half the mean length in tokens of a gold sentence in each document, at least 1."""
    return np.maximum(1, round_half_even(tokens, 2 * sentences))


def window_nltk(tokens: Sizes, sentences: Sizes) -> Sizes:
    """Return nltk's window size for each document: half the token gaps per sentence boundary; may be 0."""
    return round_half_even(tokens - 1, 2 * np.maximum(1, sentences - 1))


def window_segeval(tokens: Sizes, sentences: Sizes) -> Sizes:
    """Return the window size of segeval for each document: half the mean length of a sentence, at least 2."""
    return np.maximum(2, round_half_even(tokens, 2 * sentences))


def _system_gaps(comparison: Comparison) -> Mask:
    """Return for each gold token whether a system sentence ends inside it or right after it."""
    alignment = comparison.alignment
    reach = np.maximum.accumulate(alignment.gold.places.token_reach)
    ends = alignment.system.sentence_reach
    ends = ends[(ends != NOWHERE) & (ends > 0)]
    gaps = np.zeros(comparison.gold.n_tokens, bool)
    tokens = np.searchsorted(reach, ends)
    # `tokens` are the first gold tokens to reach each end. The gold sentence may go on with tokens that the
    # system lost, such as a full stop: then the gap is where the gold sentence ends.
    last = comparison.gold.sentences[1:] - 1
    sentences = np.searchsorted(reach[last], ends)
    is_inside = sentences < len(last)
    there = last[sentences[is_inside]]
    tokens[is_inside] = np.where(reach[there] == ends[is_inside], there, tokens[is_inside])
    gaps[tokens[tokens < len(gaps)]] = True
    return gaps


def count_windows(
    comparison: Comparison, choose: Window, differ: Callable[[Sizes, Sizes], Mask]
) -> CountTable:
    """Count, by unit, the windows in which gold and system differ, and all windows.

    `choose` gives the window size of each document. `differ` compares, window by window, the number of
    boundaries of gold with that of the system.
    """
    comparison = comparison.on_lines
    gold = comparison.gold
    documents = document_cuts(gold)
    bounds = gold.sentences[documents].astype(np.int64)
    firsts, tokens = bounds[:-1], np.diff(bounds)
    sizes = choose(tokens, np.diff(documents).astype(np.int64))
    windows = np.maximum(0, tokens - sizes)
    cuts = np.append(0, np.cumsum(windows))
    starts = np.arange(cuts[-1]) + np.repeat(firsts - cuts[:-1], windows)
    ends = starts + np.repeat(sizes, windows)
    held = []
    gold_gaps = np.zeros(gold.n_tokens, bool)
    gold_gaps[gold.sentences[1:] - 1] = True
    for gaps in (gold_gaps, _system_gaps(comparison)):
        total = np.append(0, np.cumsum(gaps))
        held.append(total[ends] - total[starts])
    wrong = np.append(0, np.cumsum(differ(held[0], held[1])))
    table = np.zeros((len(comparison.units), 2), np.int64)
    units = np.searchsorted(comparison.units.tokens, firsts, side="right") - 1
    np.add.at(table, units, np.stack([np.diff(wrong[cuts]), windows], axis=1))
    return table


# Windows that only one side has a boundary in, and windows in which the two sides differ in their number.
_presence, _number = np.logical_xor, np.not_equal
count_pk = partial(count_windows, choose=window, differ=_presence)
count_pk_nltk = partial(count_windows, choose=window_nltk, differ=_presence)
count_pk_segeval = partial(count_windows, choose=window_segeval, differ=_presence)
count_windowdiff = partial(count_windows, choose=window, differ=_number)
count_windowdiff_nltk = partial(count_windows, choose=window_nltk, differ=_number)
count_windowdiff_segeval = partial(count_windows, choose=window_segeval, differ=_number)
