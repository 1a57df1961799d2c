"""Word pairs: gold words and the system words they stand for.

Words outside multiword tokens pair by place; inside, by longest common subsequence of lower-cased forms, as in the
CoNLL 2018 evaluation (`kernels.words_cy`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.alignment.fold import fold_text
from evalign.alignment.places import SidePlaces
from evalign.document import Document, IntArray
from evalign.kernels.forms import pair_stretches
from evalign.kernels.spans_cy import pair_spans
from evalign.kernels.words_cy import walk_words


class WordPairs(NamedTuple):
    """Per gold word its system word or -1, and whether the pair was made by form rather than by place."""

    partners: IntArray
    by_form: npt.NDArray[np.bool_]


class _Placed(NamedTuple):
    """The words of one side that have a place, as the kernels want them."""

    document: Document
    words: npt.NDArray[np.int64]
    starts: IntArray
    ends: IntArray
    multiword: npt.NDArray[np.uint8]
    meant: Mapping[int, str]
    """Forms that an exception list has for words of plain tokens, by word."""


def pair_words(
    gold: Document,
    system: Document,
    gold_places: SidePlaces,
    system_places: SidePlaces,
    gold_meant: Mapping[int, str],
    system_meant: Mapping[int, str],
) -> tuple[WordPairs, WordPairs]:
    """Pair the words of two documents: by lower-cased forms inside multiword tokens, and again by folded ones."""
    if gold.words is None and system.words is None:
        partners = np.empty(gold.n_words, np.int32)
        pair_spans(*gold_places.spans, *system_places.spans, partners)
        pairs = WordPairs(partners, np.zeros(gold.n_words, bool))
        return pairs, pairs
    left = _placed_words(gold, gold_places, gold_meant)
    right = _placed_words(system, system_places, system_meant)
    found = np.empty(len(left.words), np.int32)
    room = np.empty((len(left.words) + len(right.words) + 1, 4), np.int32)
    count = walk_words(
        left.starts, left.ends, left.multiword, right.starts, right.ends, right.multiword, found, room
    )
    spans: IntArray = room[:count]
    numbers: dict[str, int] = {}
    gold_forms = _number_forms(left, spans[:, 0], spans[:, 1], numbers)
    system_forms = _number_forms(right, spans[:, 2], spans[:, 3], numbers)
    lowered = _pair_by_form(left, right, spans, found.copy(), gold_forms, system_forms)
    folds: dict[str, int] = {}
    refold = np.array([folds.setdefault(fold_text(form), len(folds)) for form in numbers] or [0], np.int32)
    if len(folds) == len(numbers):
        return lowered, lowered
    return lowered, _pair_by_form(left, right, spans, found, refold[gold_forms], refold[system_forms])


def _placed_words(document: Document, places: SidePlaces, meant: Mapping[int, str]) -> _Placed:
    multiword = np.zeros(document.n_tokens, np.uint8)
    starts, ends = places.spans
    if document.words is not None:
        multiword, tokens = document.words.multiword, document.words.tokens
        starts, ends = starts[tokens], ends[tokens]
    words = np.flatnonzero((starts >= 0) & (ends >= 0))
    return _Placed(document, words, starts[words], ends[words], np.ascontiguousarray(multiword[words]), meant)


def _pair_by_form(
    left: _Placed,
    right: _Placed,
    spans: IntArray,
    found: IntArray,
    gold_forms: IntArray,
    system_forms: IntArray,
) -> WordPairs:
    """All pairs: those `found` by place, and those of the stretches with multiword tokens."""
    plain = found >= 0
    pair_stretches(gold_forms, system_forms, spans, len(spans), found)
    has = found >= 0
    partners = np.full(left.document.n_words, -1, np.int32)
    partners[left.words[has]] = right.words[found[has]]
    by_form = np.zeros(left.document.n_words, bool)
    by_form[left.words[has & ~plain]] = True
    return WordPairs(partners, by_form)


def _number_forms(side: _Placed, firsts: IntArray, ends: IntArray, numbers: dict[str, int]) -> IntArray:
    """A number per distinct form, for the words inside the stretches; the others stay 0 and are not looked at."""
    inside = np.zeros(len(side.words) + 1, np.int32)
    np.add.at(inside, firsts, 1)
    np.add.at(inside, ends, -1)
    where = np.flatnonzero(np.cumsum(inside)[:-1])
    column = np.zeros(len(side.words), np.int32)
    chosen = side.words[where]
    forms = _forms(side.document, chosen)
    if side.meant:
        forms = [side.meant.get(word, form) for word, form in zip(chosen.tolist(), forms, strict=True)]
    column[where] = [numbers.setdefault(form.lower(), len(numbers)) for form in forms]
    return column


def _forms(document: Document, chosen: npt.NDArray[np.int64]) -> list[str]:
    """Forms of some words; written out for speed, `Document.word` says the same of one."""
    line, words = document.line, document.words
    tokens = chosen if words is None else words.tokens[chosen]
    starts, ends = document.cuts[tokens].tolist(), document.cuts[tokens + 1].tolist()
    if words is None:
        return [line[a:b] for a, b in zip(starts, ends, strict=True)]
    inner, ranks, forms = words.multiword[chosen].tolist(), words.ranks[chosen].tolist(), words.forms
    rows = zip(inner, ranks, starts, ends, strict=True)
    return [forms[rank] if own else line[a:b] for own, rank, a, b in rows]
