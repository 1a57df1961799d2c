"""Alignment of two documents whose lines differ.

Both are normalised; if the lines are equal then, that is all. Else characters are aligned by their folded forms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from evalign.alignment.differences import count_segments
from evalign.alignment.fold import Folded, fold_line
from evalign.alignment.lines import Marks, align_lines
from evalign.alignment.normalize import Excepted, Rule, normalize, normalize_keys, rewrite_exceptions
from evalign.alignment.places import cut_segments, equal_places, place_characters, place_side
from evalign.alignment.sides import Alignment, Side
from evalign.alignment.tolerated import Firing, count_equal_line
from evalign.document import Document

# Marks of boundaries for `kernels.slide_cy`.
TOKEN_MARK, SENTENCE_MARK = 1, 4


def align_differing(
    gold: Document,
    system: Document,
    rules: Sequence[Rule],
    exceptions: Mapping[str, str],
    *,
    window: int | None = None,
    swap: bool | None = None,
) -> Alignment:
    """Bring two documents whose lines differ into shared places; `window` and `swap` as in `align_lines`."""
    listed = normalize_keys(exceptions, rules)
    normalised = [_normalise(document, rules, listed) for document in (gold, system)]
    lines = [document.line for document, _, _ in normalised]
    names = tuple(rule.name for rule in rules)
    if lines[0] == lines[1]:
        left, right = (
            Side(original, document, equal_places(document), firings=firings, excepted=excepted)
            for original, (document, firings, excepted) in zip((gold, system), normalised, strict=True)
        )
        return Alignment(left, right, len(lines[0]), count_equal_line(lines[0]), names)
    return replace(_align_characters((gold, system), normalised, window, swap), rules=names)


def normalise_document(document: Document, rules: Sequence[Rule], exceptions: Mapping[str, str]) -> Document:
    """A document as it is aligned where lines differ."""
    return _normalise(document, rules, normalize_keys(exceptions, rules))[0]


_Normalised: TypeAlias = tuple[Document, tuple[Firing, ...], Excepted]


def _normalise(document: Document, rules: Sequence[Rule], exceptions: Mapping[str, str]) -> _Normalised:
    document, firings = normalize(document, rules)
    document, excepted, firing = rewrite_exceptions(document, exceptions)
    return document, (*firings, firing) if firing else firings, excepted


def _align_characters(
    originals: tuple[Document, Document],
    normalised: Sequence[_Normalised],
    window: int | None,
    swap: bool | None,  # noqa: FBT001
) -> Alignment:
    """Shared places of two lines that differ."""
    (gold, _, _), (system, _, _) = normalised
    left, right = fold_line(gold.line, gold.cuts), fold_line(system.line, system.cuts)
    marks = mark_boundaries(gold, left), mark_boundaries(system, right)
    runs = align_lines(left, right, *marks, window=window, swap=swap)
    segments = cut_segments(runs, len(left.codes), len(right.codes))
    unrelated = np.zeros(len(segments.places), bool)
    unrelated[::2] = runs.unrelated
    sides = []
    for original, (document, firings, excepted), folded, lengths in zip(
        originals, normalised, (left, right), (segments.gold, segments.system), strict=True
    ):
        characters = place_characters(lengths, segments.places)
        places = place_side(document, folded.cuts, characters)
        sides.append(Side(original, document, places, characters, folded.cuts, firings, excepted))
    tolerated = count_segments(gold, system, left, right, segments, unrelated)
    return Alignment(sides[0], sides[1], int(segments.places.sum()), tolerated)


def mark_boundaries(document: Document, folded: Folded) -> Marks:
    """Boundaries of tokens and sentences on the folded line."""
    marks = np.zeros(len(folded.codes) + 1, np.uint8)
    marks[folded.cuts[document.cuts]] = TOKEN_MARK
    marks[folded.cuts[document.sentence_cuts]] = SENTENCE_MARK
    return marks
