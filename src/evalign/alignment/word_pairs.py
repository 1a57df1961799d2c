"""Word pairs: gold words and the system words they correspond to.

Words outside multiword tokens are paired by place; inside, by longest common subsequence of lower-cased
forms, as in the CoNLL 2018 evaluation (`kernels.words_cy`). Where the texts differ, words without a partner
by place are paired by form too (`stretches`). `Alignment.word_pairs` holds the result.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.alignment.fold import fold_text
from evalign.alignment.places import Blocks, SidePlaces
from evalign.alignment.stretches import PairedWords, find_displaced, find_stretches
from evalign.document import Document, IntArray
from evalign.kernels.forms import pair_stretches
from evalign.kernels.match_cy import pair_spans
from evalign.kernels.words_cy import walk_words


class WordPairs(NamedTuple):
    """Per gold word, its system word or -1, and whether the pair was made by form rather than by place."""

    partners: IntArray
    by_form: npt.NDArray[np.bool_]


class _PlacedWords(NamedTuple):
    """The words of one side that have a place, in the columns that the kernels require."""

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
    groups: Blocks | None = None,
) -> tuple[WordPairs, WordPairs]:
    """Pair the words of two documents, once by lower-cased and once by folded forms inside multiword tokens.

    Returns both sets of pairs. `gold_meant` and `system_meant` are forms from an exception list that replace
    those of plain tokens, by word. `groups` are the m:n aligned tokens if the lines differ, None if they are
    equal.
    """
    left = _placed_words(gold, gold_places, gold_meant)
    right = _placed_words(system, system_places, system_meant)
    if gold.words is None and system.words is None:
        partners = np.empty(gold.n_words, np.int32)
        pair_spans(*gold_places.spans, *system_places.spans, partners)
        lowered = folded = WordPairs(partners, np.zeros(gold.n_words, bool))
        paired_rows: IntArray = np.zeros((0, 4), np.int32)
    else:
        lowered, folded, paired_rows = _pair_placed(left, right)
    if groups is None:
        return lowered, folded
    rows = find_stretches(*_mark_paired(gold, system, lowered), groups, paired_rows)
    lowered, folded = _pair_rows(left, right, rows, lowered, folded)
    rows = find_displaced(*_mark_paired(gold, system, lowered), groups)
    return _pair_rows(left, right, rows, lowered, folded)


def _placed_words(document: Document, places: SidePlaces, meant: Mapping[int, str]) -> _PlacedWords:
    multiword = np.zeros(document.n_tokens, np.uint8)
    starts, ends = places.spans
    if document.words is not None:
        multiword, tokens = document.words.multiword, document.words.tokens
        starts, ends = starts[tokens], ends[tokens]
    words = np.flatnonzero((starts >= 0) & (ends >= 0))
    return _PlacedWords(
        document, words, starts[words], ends[words], np.ascontiguousarray(multiword[words]), meant
    )


def _pair_placed(left: _PlacedWords, right: _PlacedWords) -> tuple[WordPairs, WordPairs, IntArray]:
    """Pair the words that have a place, by lower-cased and by folded forms.

    Returns both sets of pairs and the stretches of multiword tokens, as rows of (gold first, gold end, system
    first, system end) in words.
    """
    partners = np.empty(len(left.words), np.int32)
    room = np.empty((len(left.words) + len(right.words) + 1, 4), np.int32)
    count = walk_words(
        left.starts, left.ends, left.multiword, right.starts, right.ends, right.multiword, partners, room
    )
    spans: IntArray = room[:count]
    numbers: dict[str, int] = {}
    gold_forms = _number_forms(left, spans[:, 0], spans[:, 1], numbers)
    system_forms = _number_forms(right, spans[:, 2], spans[:, 3], numbers)
    lowered = folded = _pair_by_form(left, right, spans, partners.copy(), gold_forms, system_forms)
    folds: dict[str, int] = {}
    refold = np.array([folds.setdefault(fold_text(form), len(folds)) for form in numbers] or [0], np.int32)
    if len(folds) < len(numbers):
        folded = _pair_by_form(left, right, spans, partners, refold[gold_forms], refold[system_forms])
    some = spans[(spans[:, 0] < spans[:, 1]) & (spans[:, 2] < spans[:, 3])]
    words = (left.words[some[:, 0]], left.words[some[:, 1] - 1] + 1)
    others = (right.words[some[:, 2]], right.words[some[:, 3] - 1] + 1)
    return lowered, folded, np.stack([*words, *others], axis=1).astype(np.int32)


def _pair_by_form(
    left: _PlacedWords,
    right: _PlacedWords,
    spans: IntArray,
    placed_partners: IntArray,
    gold_forms: IntArray,
    system_forms: IntArray,
) -> WordPairs:
    """Add the pairs of the stretches with multiword tokens to those made by place (`placed_partners`)."""
    plain = placed_partners >= 0
    pair_stretches(gold_forms, system_forms, spans, len(spans), placed_partners)
    has = placed_partners >= 0
    partners = np.full(left.document.n_words, -1, np.int32)
    partners[left.words[has]] = right.words[placed_partners[has]]
    by_form = np.zeros(left.document.n_words, bool)
    by_form[left.words[has & ~plain]] = True
    return WordPairs(partners, by_form)


def _number_forms(side: _PlacedWords, firsts: IntArray, ends: IntArray, numbers: dict[str, int]) -> IntArray:
    """Number the lower-cased forms of the words inside the stretches; all other words get 0."""
    where = np.flatnonzero(_cover(firsts, ends, len(side.words)))
    column = np.zeros(len(side.words), np.int32)
    column[where] = [
        numbers.setdefault(form.lower(), len(numbers)) for form in _meant_forms(side, side.words[where])
    ]
    return column


def _cover(firsts: IntArray, ends: IntArray, n: int) -> npt.NDArray[np.bool_]:
    """Return a mask over `n` rows: those inside any of the half-open ranges."""
    inside = np.zeros(n + 1, np.int32)
    np.add.at(inside, firsts, 1)
    np.add.at(inside, ends, -1)
    return np.asarray(np.cumsum(inside)[:-1] > 0)


def _meant_forms(side: _PlacedWords, chosen: npt.NDArray[np.int64]) -> list[str]:
    """Return the forms of the chosen words; `side.meant` takes precedence."""
    forms = _forms(side.document, chosen)
    if side.meant:
        forms = [side.meant.get(word, form) for word, form in zip(chosen.tolist(), forms, strict=True)]
    return forms


def _forms(document: Document, chosen: npt.NDArray[np.int64]) -> list[str]:
    """Return the forms of the chosen words, as `Document.word` does for one; written out for speed."""
    line, words = document.line, document.words
    tokens = chosen if words is None else words.tokens[chosen]
    starts, ends = document.cuts[tokens].tolist(), document.cuts[tokens + 1].tolist()
    if words is None:
        return [line[a:b] for a, b in zip(starts, ends, strict=True)]
    inner, ranks, forms = words.multiword[chosen].tolist(), words.ranks[chosen].tolist(), words.forms
    rows = zip(inner, ranks, starts, ends, strict=True)
    return [forms[rank] if own else line[a:b] for own, rank, a, b in rows]


def _mark_paired(gold: Document, system: Document, pairs: WordPairs) -> tuple[PairedWords, PairedWords]:
    """Return both documents with masks of the words that `pairs` pairs."""
    has = pairs.partners >= 0
    taken = np.zeros(system.n_words, bool)
    taken[pairs.partners[has]] = True
    by_place = np.flatnonzero(has & ~pairs.by_form)
    theirs = pairs.partners[by_place].astype(np.int64)
    return PairedWords(gold, has, by_place), PairedWords(system, taken, theirs)


class _RowForms(NamedTuple):
    """Forms as numbers in the sort order of the forms; 0 for words outside the rows."""

    gold: IntArray
    system: IntArray
    is_swapped: npt.NDArray[np.bool_]
    """Rows in which the two sides change roles when pairs are read out."""


def _pair_rows(
    left: _PlacedWords, right: _PlacedWords, rows: IntArray, lowered: WordPairs, folded: WordPairs
) -> tuple[WordPairs, WordPairs]:
    """Pair the words in `rows` by form, and return both sets of pairs with these pairs added.

    Rows are (gold first, gold end, system first, system end). `lowered` gets pairs of forms as compared by
    default (`_number_rows`), `folded` those of folded forms.
    """
    if not len(rows):
        return lowered, folded
    forms, folds = _number_rows(left, right, rows)
    lowered, folded = _add_pairs(lowered, rows, forms), _add_pairs(folded, rows, folds)
    # Pairs by lower-cased form are pairs by folded form too, so there must not be fewer of the latter.
    fewer = _count_inside(folded.partners >= 0, rows[:, :2]) < _count_inside(
        lowered.partners >= 0, rows[:, :2]
    )
    return lowered, _replace_inside(folded, lowered, rows[fewer, :2]) if fewer.any() else folded


def _number_rows(left: _PlacedWords, right: _PlacedWords, rows: IntArray) -> tuple[_RowForms, _RowForms]:
    """Number the forms inside rows, once as compared by default and once folded.

    By default forms are lower-cased in rows with multiword tokens and unchanged in others, because plain
    words must agree in case. In rows without multiword tokens the side whose forms sort first takes the role
    of gold, so that the pairs do not depend on which document is gold.
    """
    sides = ((left.document, rows[:, :2]), (right.document, rows[:, 2:]))
    inner = np.zeros(len(rows), bool)
    for document, ranges in sides:
        if document.words is not None:
            inner |= _count_inside(document.words.multiword != 0, ranges) > 0
    numbers: dict[str, int] = {}
    columns = []
    for side, (document, ranges) in zip((left, right), sides, strict=True):
        where = np.flatnonzero(_cover(ranges[:, 0], ranges[:, 1], document.n_words))
        is_inner = _cover(ranges[inner, 0], ranges[inner, 1], document.n_words)[where].tolist()
        texts = [
            form.lower() if low else form
            for form, low in zip(_meant_forms(side, where), is_inner, strict=True)
        ]
        column = np.zeros(document.n_words, np.int32)
        column[where] = [numbers.setdefault(text, len(numbers)) for text in texts]
        columns.append(column)
    row_forms = []
    for forms in (list(numbers), [fold_text(form) for form in numbers]):
        ranks = {form: rank for rank, form in enumerate(sorted(set(forms)))}
        gold, system = (np.array([ranks[form] for form in forms], np.int32)[column] for column in columns)
        swapped = [
            not is_inner and system[c:d].tolist() < gold[a:b].tolist()
            for is_inner, (a, b, c, d) in zip(inner.tolist(), rows.tolist(), strict=True)
        ]
        row_forms.append(_RowForms(gold, system, np.array(swapped, bool)))
    return row_forms[0], row_forms[1]


def _add_pairs(pairs: WordPairs, rows: IntArray, forms: _RowForms) -> WordPairs:
    """Pair the words in `rows` by form, and replace the pairs of each row for which that is better.

    A row is a group of aligned tokens: first and last word on each side. Pairing by form is better for a row if it
    makes more pairs, and every word that has a partner in `pairs` keeps one. Returns the new pairs of all words.
    """
    partners = np.full(len(forms.gold), -1, np.int32)
    ahead = np.ascontiguousarray(rows[~forms.is_swapped])
    pair_stretches(forms.gold, forms.system, ahead, len(ahead), partners)
    back = np.full(len(forms.system), -1, np.int32)
    swapped = np.ascontiguousarray(rows[forms.is_swapped][:, [2, 3, 0, 1]])
    pair_stretches(forms.system, forms.gold, swapped, len(swapped), back)
    partners[back[back >= 0]] = np.flatnonzero(back >= 0)
    has, has_now = pairs.partners >= 0, partners >= 0
    taken, taken_now = (np.zeros(len(forms.system), bool) for _ in range(2))
    taken[pairs.partners[has]] = taken_now[partners[has_now]] = True
    ours, theirs = rows[:, :2], rows[:, 2:]
    # Pairs ascend: none crosses the ends of a row if equally many lie before each end on both sides.
    is_closed = (_count_before(has, ours) == _count_before(taken, theirs)).all(axis=1)
    is_more = _count_inside(has_now, ours) > _count_inside(has, ours)
    is_kept = (_count_inside(has & ~has_now, ours) == 0) & (_count_inside(taken & ~taken_now, theirs) == 0)
    return _replace_inside(pairs, WordPairs(partners, has_now), ours[is_closed & is_more & is_kept])


def _replace_inside(pairs: WordPairs, other: WordPairs, ranges: IntArray) -> WordPairs:
    """Return `pairs`, but with those of gold words inside `ranges` taken from `other`."""
    inside = _cover(ranges[:, 0], ranges[:, 1], len(pairs.partners))
    return WordPairs(*(np.where(inside, new, old) for new, old in zip(other, pairs, strict=True)))


def _count_before(mask: npt.NDArray[np.bool_], positions: IntArray) -> IntArray:
    counts: IntArray = np.concatenate([[0], np.cumsum(mask)])[positions]
    return counts


def _count_inside(mask: npt.NDArray[np.bool_], ranges: IntArray) -> IntArray:
    counts: IntArray = np.diff(_count_before(mask, ranges), axis=1)[:, 0]
    return counts
