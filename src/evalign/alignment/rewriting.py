"""Exception lists, applied only where the two sides do not agree without them.

`align_differing` calls this module after it has aligned the documents without the list. Tokens are looked at
group by group (`Alignment.groups`): where the two sides of a group differ, and would have the same text if
listed tokens were written as what they stand for, these tokens are rewritten, and the characters of the group
are paired one by one; all other pairs stay as they were. Words inside multiword tokens are rewritten where
they have no partner of the same form. The word of a plain token is rewritten if a multiword token on the
other side contains the word that it stands for. A rewrite is not done if a sentence, token or word that
agrees without it would no longer agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.alignment.alignment import Alignment
from evalign.alignment.character_alignment import EQUAL, JUMP, ONE_SIDED, CharacterPath
from evalign.alignment.fold import FoldedLine, fold_token
from evalign.alignment.normalize import lookup_exception
from evalign.alignment.places import Blocks
from evalign.document import Document, IntArray
from evalign.kernels.match_cy import pair_spans

Texts = dict[int, str]


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Listed tokens and words of both sides to rewrite together, and the groups of tokens they are in."""

    groups: range
    tokens: tuple[Texts, Texts]
    """New texts of gold and of system tokens, by token; with them the groups have the same text on both
    sides."""
    words: tuple[Texts, Texts] = ({}, {})
    """New forms of gold and of system words, by word. The words are inside multiword tokens, or paired with
    one inside; the line stays as it is."""


class _Listed(NamedTuple):
    """A document, and what its listed tokens and words stand for, by index."""

    document: Document
    tokens: Texts
    words: Texts


def find_rewrites(alignment: Alignment, exceptions: Mapping[str, str]) -> list[Rewrite]:
    """Find the rewrites by which a list could make the sides equal, given an alignment without the list."""
    gold, system = (_look_up(side.document, exceptions) for side in (alignment.gold, alignment.system))
    if not (gold.tokens or gold.words or system.tokens or system.words):
        return []
    rewrites: list[Rewrite] = []
    if gold.tokens or system.tokens:
        rewrites += _rewrite_groups(alignment.groups, gold, system)
    done = [{row for one in rewrites for row in one.tokens[number]} for number in range(2)]
    return [*rewrites, *_rewrite_words(alignment, gold, system, done)]


def _look_up(document: Document, exceptions: Mapping[str, str]) -> _Listed:
    """Find the tokens, and the words inside multiword tokens, that are listed, with what they stand for."""
    rows = enumerate(document.tokens())
    tokens = {
        row: meant for row, text in rows if (meant := lookup_exception(text, exceptions)) not in (None, text)
    }
    words: Texts = {}
    if document.words is not None:
        inner = zip(np.flatnonzero(document.words.multiword).tolist(), document.words.forms, strict=True)
        words = {
            row: meant for row, form in inner if (meant := lookup_exception(form, exceptions)) not in (None, form)
        }  # fmt: skip
    return _Listed(document, tokens, words)


def _rewrite_groups(groups: Blocks, gold: _Listed, system: _Listed) -> Iterator[Rewrite]:
    """Yield rewrites for groups that differ, but would be equal if listed tokens were rewritten.

    Groups that would still differ are tried together with their neighbours.
    """
    listed = np.union1d(_groups_of(groups.gold, gold.tokens), _groups_of(groups.system, system.tokens))
    left: list[int] = []
    for group in listed.tolist():
        if _text(gold, groups.gold, range(group, group + 1), {}) == _text(
            system, groups.system, range(group, group + 1), {}
        ):
            continue
        rewrite = _make_equal(groups, gold, system, range(group, group + 1))
        if rewrite:
            yield rewrite
        else:
            left.append(group)
    done = -1
    for group in left:
        if group > done:
            span = _widen(groups, gold, system, group)
            done = span.stop - 1
            if len(span) > 1 and (rewrite := _make_equal(groups, gold, system, span)):
                yield rewrite


# Most consecutive differing groups that are tried together.
_MOST_GROUPS = 8


def _widen(groups: Blocks, gold: _Listed, system: _Listed, group: int) -> range:
    """Return a group with its neighbours that differ too, at most _MOST_GROUPS in all."""

    def differs(k: int) -> bool:
        one = range(k, k + 1)
        return _text(gold, groups.gold, one, {}) != _text(system, groups.system, one, {})

    first, end = group, group + 1
    while first > 0 and end - first < _MOST_GROUPS and differs(first - 1):
        first -= 1
    while end < len(groups) and end - first < _MOST_GROUPS and differs(end):
        end += 1
    return range(first, end)


def _make_equal(groups: Blocks, gold: _Listed, system: _Listed, span: range) -> Rewrite | None:
    """Return a rewrite that makes the groups of `span` equal; None if there is none.

    The listed tokens of either side are tried alone first, then those of both.
    """
    ours, theirs = (
        {row: side.tokens[row] for row in range(cuts[span.start], cuts[span.stop]) if row in side.tokens}
        for side, cuts in ((gold, groups.gold), (system, groups.system))
    )
    for one, other in ((ours, {}), ({}, theirs), (ours, theirs)):
        if (one or other) and _text(gold, groups.gold, span, one) == _text(
            system, groups.system, span, other
        ):
            return Rewrite(span, (one, other))
    return None


def _text(side: _Listed, cuts: IntArray, span: range, rewritten: Texts) -> str:
    """Return the folded text of the groups of `span` on one side, with the tokens in `rewritten` replaced."""
    tokens = range(int(cuts[span.start]), int(cuts[span.stop]))
    return "".join(fold_token(rewritten.get(row, side.document.token(row))) for row in tokens)


def _groups_of(cuts: IntArray, rows: Mapping[int, str]) -> npt.NDArray[np.int64]:
    """Return the groups that the tokens in `rows` are in."""
    return np.unique(np.searchsorted(cuts, np.array(sorted(rows), np.int64), side="right") - 1)


def _rewrite_words(
    alignment: Alignment, gold: _Listed, system: _Listed, done: Sequence[set[int]]
) -> Iterator[Rewrite]:
    """Yield a rewrite for each group with listed words that have no partner of the same form.

    These are words inside multiword tokens, and words of plain tokens that stand for a word inside one on the
    other side. Plain tokens in `done` are left out.
    """
    if gold.document.words is None and system.document.words is None:
        return
    agreed = agreed_words(alignment)
    taken = set(agreed[agreed >= 0].tolist())
    by_group: dict[int, tuple[Texts, Texts]] = {}
    for number, (side, cuts) in enumerate(((gold, alignment.groups.gold), (system, alignment.groups.system))):
        for word, meant in side.words.items():
            if (agreed[word] >= 0) if not number else (word in taken):
                continue
            group = int(np.searchsorted(cuts, side.document.word_token(word), side="right")) - 1
            by_group.setdefault(group, ({}, {}))[number][word] = meant
    for number, word, group, meant in _plain_words(alignment, gold, system, agreed):
        if (gold, system)[number].document.word_token(word) not in done[number]:
            by_group.setdefault(group, ({}, {}))[number][word] = meant
    for group, words in sorted(by_group.items()):
        yield Rewrite(range(group, group + 1), ({}, {}), words)


def _plain_words(
    alignment: Alignment, gold: _Listed, system: _Listed, agreed: IntArray
) -> Iterator[tuple[int, int, int, str]]:
    """Find listed words of plain tokens that stand for a word of a multiword token in their group.

    Neither word may have a partner. Yields the number of the side, the word, its group, and what it stands
    for.
    """
    # Words paired by folded form are not free either, so that no such pair is lost.
    folded = alignment.folded_word_pairs.partners
    free = [(agreed < 0) & (folded < 0), np.ones(system.document.n_words, bool)]
    for partners in (agreed, folded):
        free[1][partners[partners >= 0]] = False
    groups = (alignment.groups.gold, alignment.groups.system)
    for number, (side, other) in enumerate(((gold, system), (system, gold))):
        inside, own = other.document.words, side.document.words
        if inside is None or not side.tokens:
            continue
        tokens = np.array(sorted(side.tokens), np.int64)
        words = side.document.word_cuts(tokens)
        wanted = free[number][words] & (True if own is None else own.multiword[words] == 0)
        tokens, words = tokens[wanted], words[wanted]
        at = np.searchsorted(groups[number], tokens, side="right") - 1
        firsts, ends = (other.document.word_cuts(groups[1 - number][at + k]) for k in range(2))
        open_words = free[1 - number] & (inside.multiword == 1)
        for token, word, group, first, end in zip(
            *(column.tolist() for column in (tokens, words, at, firsts, ends)), strict=True
        ):
            meant = side.tokens[token]
            rows = (first + np.flatnonzero(open_words[first:end])).tolist()
            if any(other.document.word(row).lower() == meant.lower() for row in rows):
                yield number, word, group, meant


def agreed_words(alignment: Alignment) -> IntArray:
    """Return, per gold word, its partner if that has the same form, else -1."""
    gold, system = alignment.gold.document, alignment.system.document
    pairs = alignment.word_pairs
    partners = pairs.partners.copy()
    for word in np.flatnonzero((partners >= 0) & ~pairs.by_form).tolist():
        if gold.word(word) != system.word(int(partners[word])):
            partners[word] = -1
    return partners


def agreed_tokens(alignment: Alignment) -> IntArray:
    """Return, per gold token, the system token in its place if that has the same text, else -1."""
    gold, system = alignment.gold.document, alignment.system.document
    partners = np.empty(gold.n_tokens, np.int32)
    pair_spans(*alignment.gold.places.spans, *alignment.system.places.spans, partners)
    for token in np.flatnonzero(partners >= 0).tolist():
        if gold.token(token) != system.token(int(partners[token])):
            partners[token] = -1
    return partners


def find_costly(before: Alignment, after: Alignment, rewrites: Sequence[Rewrite]) -> set[int]:
    """Find the rewrites to drop because a sentence, token or word agrees in `before` but not in `after`.

    Returns their indices in `rewrites`. Each loss is put down to the nearest rewrites.
    """
    groups, gold = before.groups, before.gold.document
    lost: list[tuple[int, int]] = []
    tokens, words, placed, paired = (
        np.flatnonzero((one >= 0) & (one != other))
        for one, other in (
            (agreed_tokens(before), _credited(after, agreed_tokens(after), words=False)),
            (agreed_words(before), _credited(after, agreed_words(after), words=True)),
            (before.sentences_in_place, after.sentences_in_place),
            (before.sentence_pairs, after.sentence_pairs),
        )
    )
    lost += [(token, token + 1) for token in tokens.tolist()]
    lost += [(gold.word_token(word), gold.word_token(word) + 1) for word in words.tolist()]
    lost += [
        (int(gold.sentences[k]), int(gold.sentences[k + 1])) for k in np.union1d(placed, paired).tolist()
    ]
    costly: set[int] = set()
    for first, end in lost:
        # Neighbouring groups are included, because tokens that only the system has are in groups of their
        # own.
        near = np.searchsorted(groups.gold, (first, end - 1), side="right") - 1
        at = range(int(near[0]) - 1, int(near[1]) + 2)
        # Words may be paired across groups: then the nearest rewrite is to blame.
        apart = [max(0, one.groups.start - at.stop + 1, at.start - one.groups.stop + 1) for one in rewrites]
        costly |= {number for number, distance in enumerate(apart) if distance == min(apart)}
    return costly


def _credited(alignment: Alignment, partners: IntArray, *, words: bool) -> IntArray:
    """Return `partners` with -1 for those that only the list made equal."""
    gold, system = (
        frozenset() if side.excepted is None else side.excepted.words if words else side.excepted.tokens
        for side in (alignment.gold, alignment.system)
    )
    credited = partners.copy()
    rewritten = np.isin(np.arange(len(credited)), list(gold)) | np.isin(credited, list(system))
    credited[rewritten] = -1
    return credited


class Folds(NamedTuple):
    """The folded line of one side after rewriting, and the cuts between its tokens before and after."""

    after: FoldedLine
    cuts_before: IntArray
    cuts_after: IntArray
    rewritten: npt.NDArray[np.bool_]
    """Per token, whether it is in a rewritten group."""

    @property
    def moves(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """Per folded character before: its position after, and whether it is in a rewritten group."""
        lengths = np.diff(self.cuts_before)
        shifts = np.repeat(self.cuts_after[:-1] - self.cuts_before[:-1], lengths)
        return np.arange(len(shifts)) + shifts, np.repeat(self.rewritten, lengths)


def rebuild_path(path: CharacterPath, gold: Folds, system: Folds) -> CharacterPath | None:
    """Return `path` for the rewritten lines: characters of rewritten groups are paired one by one.

    All other pairs stay as they were. Returns None if pairs would cross, or if the groups do not have the
    same length on both sides.
    """
    new = [np.flatnonzero(np.repeat(side.rewritten, np.diff(side.cuts_after))) for side in (gold, system)]
    if len(new[0]) != len(new[1]):
        return None
    blocks = _list_blocks(path)
    (gold_at, gold_in), (system_at, system_in) = gold.moves, system.moves
    touched = [np.append(0, np.cumsum(inside)) for inside in (gold_in, system_in)]
    g, s, a, b, _ = blocks.T
    blocks = blocks[(touched[0][g + a] == touched[0][g]) & (touched[1][s + b] == touched[1][s])]
    blocks[:, 0], blocks[:, 1] = gold_at[blocks[:, 0]], system_at[blocks[:, 1]]
    ones = np.ones(len(new[0]), np.int64)
    blocks = np.concatenate([blocks, np.stack([*new, ones, ones, EQUAL * ones], axis=1)])
    blocks = blocks[np.argsort(blocks[:, 0], kind="stable")]
    sizes = np.array([len(gold.after.codes), len(system.after.codes)])
    starts = np.concatenate([blocks[:, :2], [sizes]])
    ends = np.concatenate([[[0, 0]], blocks[:, :2] + blocks[:, 2:4]])
    if (starts < ends).any():
        return None
    n_blocks = len(blocks)
    places = np.where(blocks[:, 2] == blocks[:, 3], blocks[:, 2], 1)
    behind = np.full(n_blocks, len(path.kinds))
    rows = [np.stack([np.arange(n_blocks), behind, *blocks[:, 2:4].T, places, blocks[:, 4]], axis=1)]
    rows += [_list_one_sided(path, blocks, number, side) for number, side in enumerate((gold, system))]
    pieces = np.concatenate(rows)
    pieces = pieces[np.lexsort((pieces[:, 1], pieces[:, 0]))]
    columns = np.ascontiguousarray(pieces[:, 2:].T.astype(np.int32))
    return CharacterPath(columns[0], columns[1], columns[2], columns[3].astype(np.uint8))


def _list_one_sided(
    path: CharacterPath, blocks: npt.NDArray[np.int64], number: int, side: Folds
) -> npt.NDArray[np.int64]:
    """List the characters between the blocks that one side alone has, divided as in the pieces of `path`.

    Keeping that division leaves the rest of the path as it was; a jump over unrelated text stays a jump.
    Returns a row per piece: the block that follows, the index of the piece in `path`, lengths in gold and
    system, places, kind.
    """
    size = len(side.after.codes)
    (moved, inside), lengths = side.moves, (path.gold, path.system)[number]
    former = np.full(size, -1)
    former[moved[~inside]] = np.repeat(np.arange(len(lengths)), lengths)[~inside]
    paired = np.zeros(size + 1, np.int64)
    np.add.at(paired, blocks[:, number], 1)
    np.add.at(paired, blocks[:, number] + blocks[:, 2 + number], -1)
    alone = np.flatnonzero(np.cumsum(paired[:-1]) == 0)
    block = np.searchsorted(blocks[:, number], alone, side="right")
    begins = np.flatnonzero(
        np.append(True, (np.diff(block) != 0) | (np.diff(former[alone]) != 0))[: len(alone)]
    )
    rows = np.zeros((len(begins), 6), np.int64)
    rows[:, 0], rows[:, 1] = block[begins], former[alone[begins]]
    rows[:, 2 + number] = np.diff(np.append(begins, len(alone)))
    rows[:, 5] = np.where(path.kinds[rows[:, 1]] == JUMP, JUMP, ONE_SIDED)
    return rows


def _list_blocks(path: CharacterPath) -> npt.NDArray[np.int64]:
    """List what a path pairs: a row for each pair of characters, and for each unequal stretch.

    A row has the starts in gold and system, the lengths in gold and system, and the kind.
    """
    starts = [np.cumsum(lengths, dtype=np.int64) - lengths for lengths in (path.gold, path.system)]
    paired = np.flatnonzero((path.places > 0) & (path.gold == path.system))
    lengths = path.gold[paired].astype(np.int64)
    offsets = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    ones = np.ones(len(offsets), np.int64)
    sides = [np.repeat(side[paired], lengths) + offsets for side in starts]
    one_by_one = np.stack([*sides, ones, ones, np.repeat(path.kinds[paired], lengths)], axis=1)
    rest = np.flatnonzero((path.places > 0) & (path.gold != path.system))
    columns = (starts[0], starts[1], path.gold, path.system, path.kinds)
    return np.concatenate([one_by_one, np.stack([column[rest] for column in columns], axis=1)])
