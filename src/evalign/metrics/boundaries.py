"""Boundaries: where sentences or tokens end, as points on the line.

    $ evalign score gold.conllu system.txt --metrics boundaries,boundaries-inner,token-boundaries

A point is there or not, so each counts once on each side; it has no text, and `--match` does not change it.
The end of a gold document is no decision of the system's: `boundaries-inner` and `token-boundaries` leave
it out on both sides.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalign.alignment import NOWHERE
from evalign.document import Document, IntArray
from evalign.metrics.comparison import Comparison, CountTable, count_rows
from evalign.metrics.layer import Layer

Mask = npt.NDArray[np.bool_]
FIELDS = ("correct", "gold", "system")


def document_cuts(document: Document) -> IntArray:
    """Cuts in sentences of the documents in a file; the whole file where it names none."""
    bounds = np.concatenate([[0], document.documents.sentences, [document.n_sentences]])
    return np.unique(bounds).astype(np.int32)


def mark_places(n_places: int, places: IntArray) -> Mask:
    """A table of places, true where one is named; NOWHERE looks up its last row, which is false."""
    table = np.zeros(n_places + 2, bool)
    table[places] = True
    table[NOWHERE] = False
    return table


def count_boundaries(comparison: Comparison) -> CountTable:
    """Sentence ends."""
    gold, system = _sentence_ends(comparison)
    every = np.ones(len(gold), bool), np.ones(len(system), bool)
    return _count_points(comparison, (gold, system), every, comparison.sentence_cuts[0])


def count_inner_boundaries(comparison: Comparison) -> CountTable:
    """Sentence ends that are not the end of a gold document."""
    ends = _sentence_ends(comparison)
    last = document_cuts(comparison.gold)[1:] - 1
    reach = comparison.alignment.gold.sentence_reach
    return _count_points(comparison, ends, _inner(comparison, ends, last, reach), comparison.sentence_cuts[0])


def count_token_boundaries(comparison: Comparison) -> CountTable:
    """Token ends that are not the end of a gold document."""
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
    """Rows of either side that do not end a gold document, given the last rows of those and their reach.

    The last row of a side is no inner one either, also where it has no place.
    """
    outer = mark_places(comparison.alignment.n_places, reach[last])
    gold, system = (~outer[places] for places in ends)
    gold[last] = False
    system[-1:] = False
    return gold, system


def _count_points(
    comparison: Comparison, ends: tuple[IntArray, IntArray], counted: tuple[Mask, Mask], gold_cuts: IntArray
) -> CountTable:
    """Rows (correct, gold, system) of the counted points; a unit owns the points behind its characters."""
    gold, system = (mask & _distinct(places) for mask, places in zip(counted, ends, strict=True))
    there = mark_places(comparison.alignment.n_places, ends[1][system])
    known = np.maximum.accumulate(ends[1])
    inner = np.searchsorted(known, comparison.unit_places[1:], side="right")
    system_cuts = np.concatenate([[0], inner, [len(known)]])
    columns = (
        count_rows(gold & there[ends[0]], gold_cuts),
        count_rows(gold, gold_cuts),
        count_rows(system, system_cuts),
    )
    return np.stack(columns, axis=1)


def _distinct(ends: IntArray) -> Mask:
    """False where a row ends at the point of the row before it: a token without characters."""
    before = np.append(NOWHERE, np.maximum.accumulate(ends))[: len(ends)]
    distinct: Mask = (ends > before) | (ends == NOWHERE)
    return distinct


BOUNDARIES = Layer("boundaries", count_boundaries, FIELDS)
INNER_BOUNDARIES = Layer("boundaries-inner", count_inner_boundaries, FIELDS)
TOKEN_BOUNDARIES = Layer("token-boundaries", count_token_boundaries, FIELDS)
