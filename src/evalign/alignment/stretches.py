"""Stretches of differing text, where words are paired by form because places cannot tell them apart.

`word_pairs` calls this module. An example: gold has the token *du* with the words *de* and *le*, the system
has the tokens *de* and *le*. The characters differ, and no shared place corresponds to the boundary between
*de* and *le*. A stretch is a group of aligned tokens (`Alignment.groups`) whose text differs between the
sides. If a multiword token gives one side more words than the other side has in the group, neighbouring
tokens of the other side that are in no group are added: of the tokens *a* *a* for Portuguese *à* (*a*, *a*)
only one shares a character with it. Words that are already paired by place split a stretch in two.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.alignment.fold import fold_token
from evalign.alignment.places import Blocks
from evalign.document import Document, IntArray

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
