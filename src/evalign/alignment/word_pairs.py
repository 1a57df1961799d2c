"""Word pairs: gold words and the system words they correspond to.

Words outside multiword tokens are paired by place; inside, by longest common subsequence of lower-cased
forms, as in the CoNLL 2018 evaluation (`kernels.words_cy`). Where the texts differ, words without a partner
by place are paired by form too, within stretches. `Alignment.word_pairs` holds the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.alignment.fold import fold_text, fold_token
from evalign.alignment.places import Blocks, SidePlaces
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


# Stretches of differing text, where words are paired by form because places cannot tell them apart.
#
# An example: gold has the token *du* with the words *de* and *le*, the system has the tokens *de* and *le*. The
# characters differ, and no shared place corresponds to the boundary between *de* and *le*. A stretch is a group
# of aligned tokens (`Alignment.groups`) whose text differs between the sides. If a multiword token gives one
# side more words than the other side has in the group, neighbouring tokens of the other side that are in no
# group are added: of the tokens *a* *a* for Portuguese *à* (*a*, *a*) only one shares a character with it. Words
# that are already paired by place split a stretch in two.

Positions: TypeAlias = npt.NDArray[np.int64]
Mask: TypeAlias = npt.NDArray[np.bool_]


class PairedWords(NamedTuple):
    """A document, with a mask of the words that already have a partner."""

    document: Document
    paired: Mask
    by_place: Positions
    """Words paired by place, ascending. The k-th of one side is the partner of the k-th of the other."""


def find_stretches(gold: PairedWords, system: PairedWords, groups: Blocks, paired_rows: IntArray) -> IntArray:
    """Find the stretches in which both sides have words without a partner.

    Returns rows of (gold first, gold end, system first, system end), in word numbers. Rows ascend, do not
    overlap and contain no word that is paired by place. `paired_rows` lists the stretches in which multiword
    tokens were already paired by form, as non-empty rows of the same kind; each of them is either wholly
    inside a returned row or outside.
    """
    rows = _part_at_pairs(gold, system, _open_groups(gold, system, groups))
    return _merge(_widen(rows, paired_rows))


class _Groups(NamedTuple):
    """One side of the groups that have tokens on both sides."""

    document: Document
    first: Positions
    """The first token of each group."""
    end: Positions
    """One past the last token of each group."""

    @property
    def n_words(self) -> Positions:
        """Number of words of each group."""
        return np.asarray(self.document.word_cuts(self.end) - self.document.word_cuts(self.first), np.int64)

    @property
    def n_inner(self) -> Positions:
        """Number of words of each group minus its number of tokens: positive if it has multiword tokens."""
        return self.n_words - (self.end - self.first)

    def with_lone(self, wanted: Positions) -> _Groups:
        """Extend each group on both ends by up to `wanted` tokens that are in no group.

        Only tokens of the same sentence as the group are added.
        """
        if not wanted.any():
            return self
        sentences = self.document.sentences
        heads = sentences[np.searchsorted(sentences, self.first, side="right") - 1]
        tails = sentences[np.searchsorted(sentences, self.end - 1, side="right")]
        before = np.maximum(np.append(0, self.end[:-1])[: len(self.first)], heads)
        behind = np.minimum(np.append(self.first[1:], self.document.n_tokens)[: len(self.end)], tails)
        return self._replace(
            first=np.maximum(self.first - wanted, before), end=np.minimum(self.end + wanted, behind)
        )

    def says_the_same(self, other: _Groups, group: int) -> bool:
        """Return whether a group has the same folded text on both sides."""
        texts = [side.document.tokens(int(side.first[group]), int(side.end[group])) for side in (self, other)]
        if "".join(texts[0]) == "".join(texts[1]):
            return True
        folded = ("".join(map(fold_token, tokens)) for tokens in texts)
        return next(folded) == next(folded)


def _two_sided(gold: Document, system: Document, groups: Blocks) -> tuple[_Groups, _Groups]:
    """Select the groups that have tokens on both sides."""
    both = np.flatnonzero((np.diff(groups.gold) > 0) & (np.diff(groups.system) > 0))
    ours, theirs = (
        _Groups(document, cuts[both].astype(np.int64), cuts[both + 1].astype(np.int64))
        for document, cuts in ((gold, groups.gold), (system, groups.system))
    )
    return ours, theirs


def _open_groups(gold: PairedWords, system: PairedWords, groups: Blocks) -> IntArray:
    """Return rows for the groups whose text differs and that have unpaired words on both sides.

    A group may be extended by lone tokens, which are in no group.
    """
    ours, theirs = _two_sided(gold.document, system.document, groups)
    # A side with fewer words may take as many lone tokens as it lacks, if multiword tokens explain the
    # difference.
    excess = ours.n_words - theirs.n_words
    ours, theirs = (
        ours.with_lone(np.minimum(theirs.n_inner, -excess).clip(min=0)),
        theirs.with_lone(np.minimum(ours.n_inner, excess).clip(min=0)),
    )
    rows = np.stack(
        [side.document.word_cuts(cuts) for side in (ours, theirs) for cuts in (side.first, side.end)], axis=1
    ).astype(np.int32)
    # In equal text places decide, and multiword tokens are paired as in the CoNLL 2018 evaluation.
    chosen = [
        row
        for row in np.flatnonzero(_can_pair(gold, system, rows)).tolist()
        if not ours.says_the_same(theirs, row)
    ]
    return rows[chosen]


def _can_pair(gold: PairedWords, system: PairedWords, rows: IntArray) -> Mask:
    """Return a mask of the rows in which both sides have an unpaired word."""
    free = [
        np.concatenate([[0], np.cumsum(~side.paired)])[rows[:, columns]]
        for side, columns in ((gold, slice(0, 2)), (system, slice(2, 4)))
    ]
    return np.asarray((free[0][:, 1] > free[0][:, 0]) & (free[1][:, 1] > free[1][:, 0]))


def _part_at_pairs(gold: PairedWords, system: PairedWords, rows: IntArray) -> IntArray:
    """Split rows at the words that are paired by place.

    Parts in which a side has no unpaired word are dropped.
    """
    ours, theirs = gold.by_place, system.by_place
    firsts = np.minimum(np.searchsorted(ours, rows[:, 0]), np.searchsorted(theirs, rows[:, 2]))
    ends = np.maximum(np.searchsorted(ours, rows[:, 1]), np.searchsorted(theirs, rows[:, 3]))
    parts: list[tuple[int, int, int, int]] = []
    for (g, g_end, s, s_end), first, end in zip(rows.tolist(), firsts.tolist(), ends.tolist(), strict=True):
        for gold_word, system_word in zip(ours[first:end].tolist(), theirs[first:end].tolist(), strict=True):
            parts.append((g, gold_word, s, system_word))
            g, s = gold_word + 1, system_word + 1
        parts.append((g, g_end, s, s_end))
    split_rows = np.array(parts, np.int32).reshape(-1, 4)
    split_rows = split_rows[(split_rows[:, 0] < split_rows[:, 1]) & (split_rows[:, 2] < split_rows[:, 3])]
    return split_rows[_can_pair(gold, system, split_rows)]


def _widen(rows: IntArray, paired_rows: IntArray) -> IntArray:
    """Extend `rows` to cover each of `paired_rows` that they overlap on either side."""
    first = np.minimum(*(np.searchsorted(paired_rows[:, k + 1], rows[:, k], side="right") for k in (0, 2)))
    end = np.maximum(*(np.searchsorted(paired_rows[:, k], rows[:, k + 1]) for k in (0, 2)))
    some = end > first
    wider = rows.copy()
    for k in (0, 2):
        wider[some, k] = np.minimum(rows[some, k], paired_rows[first[some], k])
        wider[some, k + 1] = np.maximum(rows[some, k + 1], paired_rows[end[some] - 1, k + 1])
    return wider


def _merge(rows: IntArray) -> IntArray:
    """Merge consecutive rows that overlap on either side."""
    merged: list[list[int]] = []
    for row in rows.tolist():
        if merged and (row[0] < merged[-1][1] or row[2] < merged[-1][3]):
            last = merged[-1]
            merged[-1] = [
                min(last[0], row[0]),
                max(last[1], row[1]),
                min(last[2], row[2]),
                max(last[3], row[3]),
            ]
        else:
            merged.append(row)
    return np.array(merged, np.int32).reshape(-1, 4)


# Limit for `find_displaced`: groups between a multiword token and a lone token that may belong to it.
_FURTHEST = 8


def find_displaced(gold: PairedWords, system: PairedWords, groups: Blocks) -> IntArray:
    """Find stretches from multiword tokens with an unpaired word to the nearest lone token of the other side.

    A lone token is in no group. Where words repeat, the alignment may leave the wrong one without a place:
    for gold *à* (*a*, *a*) *a* and system *a a a* the last *a*, which should be the partner of the gold token
    *a*. Rows are those of `find_stretches`, except that they contain words paired by place.
    """
    ours, theirs = _two_sided(gold.document, system.document, groups)
    rows = [
        *_reach_lone(gold, ours, theirs),
        *((g, g_end, s, s_end) for s, s_end, g, g_end in _reach_lone(system, theirs, ours)),
    ]
    return _merge(np.array(sorted(rows), np.int32).reshape(-1, 4))


def _reach_lone(side: PairedWords, groups: _Groups, other: _Groups) -> Iterator[tuple[int, int, int, int]]:
    """Yield rows between the multiword tokens of one side and the nearest lone tokens of the other.

    A row is (first, end, other first, other end), in word numbers. Multiword tokens without unpaired words
    are left out.
    """
    words, other_words = groups.document.word_cuts, other.document.word_cuts
    free = np.concatenate([[0], np.cumsum(~side.paired)])
    waiting = np.flatnonzero((groups.n_inner > 0) & (free[words(groups.end)] > free[words(groups.first)]))
    # The tokens from begins[k] to ends[k] lie between groups k - 1 and k.
    begins, ends = np.append(0, other.end), np.append(other.first, other.document.n_tokens)
    lone = np.flatnonzero(ends > begins)
    after = np.searchsorted(lone, waiting, side="right")
    nearest = np.concatenate([[-_FURTHEST - 1], lone, [len(begins) + _FURTHEST + 1]])
    n_inner, sentences = groups.n_inner, other.document.sentences
    for behind, gaps in ((False, nearest[after]), (True, nearest[after + 1])):
        near = np.abs(gaps - behind - waiting) <= _FURTHEST
        for group, gap in zip(waiting[near].tolist(), gaps[near].tolist(), strict=True):
            first, last = (group, gap - 1) if behind else (gap, group)
            a, b, wanted = int(other.first[first]), int(other.end[last]), int(n_inner[group])
            if behind:
                b = min(b + wanted, int(ends[gap]))
            else:
                a = max(a - wanted, int(begins[gap]))
            if np.searchsorted(sentences, a, side="right") == np.searchsorted(sentences, b - 1, side="right"):
                own, theirs = (
                    words(np.array([groups.first[first], groups.end[last]])),
                    other_words(np.array([a, b])),
                )
                yield int(own[0]), int(own[1]), int(theirs[0]), int(theirs[1])
