"""Counts of what differs between two lines: characters that are equal, rewritten, or on one side only.

`align_differing` calls `count_differences` for the normalised lines, and `count_as_read` for gold's characters
before they were normalised; the ledger of a result lists what they count.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.alignment.alignment import MOST_PLACES, AsRead, LineDifferences, PlacedDocument, RuleUse
from evalign.alignment.character_alignment import EQUAL, JUMP, CharacterPath
from evalign.alignment.fold import FoldedLine, fold_aligned
from evalign.document import Document, IntArray

# Most pairs of differing stretches that are listed, most frequent first.
MOST_SUBSTITUTIONS = 20
# Why paired characters are not the same. Unlike the rules of normalisation, these do not make tokens equal.
DIFFERENCES = OTHER_CASE, OTHER_ACCENTS, OTHER_VARIANT = "other-case", "other-accents", "other-variant"


class _Characters(NamedTuple):
    """The characters of one side, and where the first folded character of each is on the path.

    A *mark* here is a character that folds to nothing: a vowel sign, a soft hyphen, a joiner. It belongs to its
    letter, the character before it in its token, or behind it where none is before, and is where that is.
    """

    document: Document
    folded: FoldedLine
    letters: npt.NDArray[np.int64]
    """Per character: itself, or its letter if it is a mark."""
    pieces: npt.NDArray[np.int64]
    """Number of the piece of the path that each character is in."""
    positions: IntArray
    """Folded position of each character."""
    piece_starts: npt.NDArray[np.int64]
    """Folded position at which each piece starts."""

    @property
    def is_mark(self) -> npt.NDArray[np.bool_]:
        """Mask of the characters that are marks."""
        mask: npt.NDArray[np.bool_] = self.letters != np.arange(len(self.letters))
        return mask

    def rule_use(self, rule: str, characters: npt.NDArray[np.int64], side: str = "gold") -> RuleUse:
        """Make a `RuleUse` from the characters that `rule` concerns."""
        tokens = np.searchsorted(self.document.cuts, characters[:MOST_PLACES], side="right") - 1
        places = tuple(self.document.place_of(int(token)) for token in tokens)
        return RuleUse(rule, len(characters), places, side)


def count_differences(
    gold: Document, system: Document, gold_folded: FoldedLine, system_folded: FoldedLine, path: CharacterPath
) -> tuple[LineDifferences, npt.NDArray[np.int64]]:
    """Count equal, rewritten and one-sided characters; what the path jumps over is unrelated text.

    Returns also, per gold character, the system character that is paired with it and is the same, or -1.
    """
    left = _characters(gold, gold_folded, path.gold)
    right = _characters(system, system_folded, path.system)
    stray = path.kinds == JUMP
    there = _pair_characters(left, right, path)
    others = np.append(right.folded.originals, 0)[there]
    partners = np.where((there >= 0) & (others == left.folded.originals), there, -1)
    has_other = np.zeros(len(system.line) + 1, bool)
    has_other[there] = True
    # Characters that only one side has: in one-sided pieces, or a mark of a pair's letter without a partner.
    one_sided, one_to_one = path.places == 0, _are_one_to_one(path)
    masks = [
        one_sided[side.pieces] | (one_to_one[side.pieces] & side.is_mark & ~paired)
        for side, paired in ((left, there >= 0), (right, has_other[:-1]))
    ]
    gold_alone, system_alone = map(np.flatnonzero, masks)
    rewritten = np.flatnonzero((partners < 0) & ~masks[0])
    in_run = path.kinds[left.pieces[rewritten]] == EQUAL
    rules = _folding_rules(left, rewritten[in_run], others[rewritten[in_run]])
    if not in_run.all():
        rules.append(left.rule_use("substituted", rewritten[~in_run]))
    for name, side, characters in (("gold", left, gold_alone), ("system", right, system_alone)):
        is_stray = stray[side.pieces[characters]]
        if not is_stray.all():
            rules.append(side.rule_use(f"{name}-only", characters[~is_stray], name))
        if is_stray.any():
            rules.append(side.rule_use(f"unrelated-{name}", characters[is_stray], name))
    substitutions = _substitutions(left, right, path)
    differences = LineDifferences(
        len(gold.line) - len(rewritten) - len(gold_alone),
        len(rewritten),
        len(gold_alone),
        len(system_alone),
        tuple(rules),
        tuple((a, b, n) for (a, b), n in substitutions.items()),
    )
    return differences, partners


def _characters(document: Document, folded: FoldedLine, lengths: IntArray) -> _Characters:
    starts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    letters = np.arange(len(document.line))
    is_mark = np.diff(folded.cuts) == 0
    if is_mark.any():
        before = np.maximum.accumulate(np.where(is_mark, -1, letters))
        behind = np.minimum.accumulate(np.where(is_mark, len(letters), letters)[::-1])[::-1]
        in_token = before >= np.repeat(document.cuts[:-1], np.diff(document.cuts))
        letters = np.where(in_token, before, behind)
    positions = folded.cuts[:-1][letters]
    pieces = np.repeat(np.arange(len(lengths)), lengths)[positions]
    return _Characters(document, folded, letters, pieces, positions, starts)


def _are_one_to_one(path: CharacterPath) -> npt.NDArray[np.bool_]:
    """Return a mask of the pieces in which characters are paired one to one."""
    mask: npt.NDArray[np.bool_] = (path.gold == path.system) & (path.places > 0)
    return mask


def _pair_characters(left: _Characters, right: _Characters, path: CharacterPath) -> npt.NDArray[np.int64]:
    """Find the system character that each gold character is paired with, one by one, or -1.

    Marks are paired with the marks of their letter's partner: with the same ones if they come in the same
    order, the others the first with the first and so on.
    """
    in_pair, is_mark = _are_one_to_one(path)[left.pieces], left.is_mark
    letters = np.flatnonzero(in_pair & ~is_mark)
    there = np.full(len(left.letters), -1)
    pieces = left.pieces[letters]
    # The position may be inside a character that folds to several: with "ﬁ" against "fi", "ﬁ" is paired twice.
    there[letters] = right.folded.characters_at(
        left.positions[letters] - left.piece_starts[pieces] + right.piece_starts[pieces]
    )
    marks, marks_there = np.flatnonzero(in_pair & is_mark), np.flatnonzero(right.is_mark)
    if len(marks) and len(marks_there):
        owners, owners_there = there[left.letters[marks]], right.letters[marks_there]
        codes, codes_there = left.folded.originals[marks], right.folded.originals[marks_there]
        same = _pair_equal(owners << 21 | codes, owners_there << 21 | codes_there)
        # Where the same marks come in another order, they differ.
        is_crossing = (np.diff(same) < 0) & (same[1:] >= 0) & (np.diff(owners) == 0)
        same[np.isin(owners, owners[1:][is_crossing])] = -1
        is_free = np.ones(len(marks_there), bool)
        is_free[same[same >= 0]] = False
        left_over, left_over_there = np.flatnonzero(same < 0), np.flatnonzero(is_free)
        rows = _pair_equal(owners[left_over], owners_there[left_over_there])
        same[left_over[rows >= 0]] = left_over_there[rows[rows >= 0]]
        there[marks] = np.where(same >= 0, marks_there[same], -1)
    return there


def _pair_equal(keys: npt.NDArray[np.int64], others: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Pair equal keys, the first with the first and so on; return the index in `others` of each, or -1."""
    if not len(others):
        return np.full(len(keys), -1)
    orders = [np.argsort(each, kind="stable") for each in (keys, others)]
    ascending = [each[order] for each, order in zip((keys, others), orders, strict=True)]
    ranks = np.arange(len(keys)) - np.searchsorted(ascending[0], ascending[0])
    rows = np.searchsorted(ascending[1], ascending[0]) + ranks
    is_there = ascending[1][np.minimum(rows, len(others) - 1)] == ascending[0]
    is_there &= rows < len(others)
    partners = np.full(len(keys), -1)
    partners[orders[0][is_there]] = orders[1][rows[is_there]]
    return partners


def _folding_rules(
    left: _Characters, characters: npt.NDArray[np.int64], others: npt.NDArray[np.uint32]
) -> list[RuleUse]:
    """Count why paired characters are not the same: case, accents, or a compatibility variant.

    `others` are the code points that the gold characters are compared with.
    """
    codes = np.stack([left.folded.originals[characters], others], axis=1)
    pairs, inverse = np.unique(codes, axis=0, return_inverse=True)
    kinds = np.array([_difference(chr(a), chr(b)) for a, b in pairs.tolist()], object)[inverse.reshape(-1)]
    return [left.rule_use(kind, characters[kinds == kind]) for kind in DIFFERENCES if (kinds == kind).any()]


def _difference(one: str, other: str) -> str:
    marks = [character for character in (one, other) if not fold_aligned(character)]
    if marks:
        is_accent = all(unicodedata.category(mark).startswith("M") for mark in marks)
        return OTHER_ACCENTS if is_accent else OTHER_VARIANT
    if one.lower() == other.lower():
        return OTHER_CASE
    bare = (unicodedata.normalize("NFD", c.lower())[0] for c in (one, other))
    return OTHER_ACCENTS if len(set(bare)) == 1 else OTHER_VARIANT


def _substitutions(left: _Characters, right: _Characters, path: CharacterPath) -> Counter[tuple[str, str]]:
    """Count the differing stretches by their texts on the two sides, up to 12 characters each.

    Unrelated text does not count as a substitution.
    """
    substitutions: Counter[tuple[str, str]] = Counter()
    gaps = np.flatnonzero((path.kinds != EQUAL) & (path.kinds != JUMP))
    sides = []
    for side in (left, right):
        starts, ends = (np.searchsorted(side.pieces, gaps, side=end) for end in ("left", "right"))
        line = side.document.line
        sides.append([line[a:b] for a, b in zip(starts.tolist(), ends.tolist(), strict=True)])
    for one, other in zip(*sides, strict=True):
        if len(one) <= 12 and len(other) <= 12:
            substitutions[one, other] += 1
    return substitutions


def count_as_read(gold: PlacedDocument, system: PlacedDocument, partners: npt.NDArray[np.int64]) -> AsRead:
    """Count gold's characters as read: those that the system has as well, made equal by a rule, and different.

    `partners` has per normalised gold character the system character that is the same, or -1. Where both sides
    wrote the same and the same was done to both, characters are identical, not made equal.
    """
    rewritten, rewritten_there = (
        list(_find_rewritten(side.original, side.document)) for side in (gold, system)
    )
    by_place = {(each.start, each.end): each.text for each in rewritten_there}
    by_rule = np.zeros(len(system.document.line) + 1, bool)
    for start, end in by_place:
        by_rule[start:end] = True
    same = partners >= 0
    for each in rewritten:
        same[each.start : each.end] = False
    n_made_equal = int((same & by_rule[partners]).sum())
    n_identical = int(same.sum()) - n_made_equal
    for each in rewritten:
        place = _find_place(partners, each)
        if place is not None and by_place.get(place) == each.text:
            n_identical += len(each.text)
        elif place is not None or each.start == each.end:
            n_made_equal += len(each.text)
    return AsRead(n_identical, n_made_equal, len(gold.original.line) - n_identical - n_made_equal)


class _Rewritten(NamedTuple):
    """A stretch that rules rewrote: its text as read, where it is on the aligned line, and its token there."""

    text: str
    start: int
    end: int
    token_start: int
    token_end: int


def _find_rewritten(read: Document, aligned: Document) -> Iterator[_Rewritten]:
    """Yield the stretches that rules rewrote."""
    if read.line == aligned.line and np.array_equal(read.cuts, aligned.cuts):
        return
    cuts = aligned.cuts.tolist()
    for before, after, start, end in zip(read.tokens(), aligned.tokens(), cuts[:-1], cuts[1:], strict=True):
        if before != after:
            for text, a, b in _compare_tokens(before, after):
                yield _Rewritten(text, start + a, start + b, start, end)


# Longest token that is compared character by character, in time that grows with the square of its length.
_LONGEST_COMPARED = 64


@lru_cache(maxsize=1 << 14)
def _compare_tokens(before: str, after: str) -> tuple[tuple[str, int, int], ...]:
    """List where two forms of a token differ: the text of `before`, and its start and end in `after`."""
    if max(len(before), len(after)) > _LONGEST_COMPARED:
        head = _count_same(before, after)
        tail = _count_same(before[head:][::-1], after[head:][::-1])
        return ((before[head : len(before) - tail], head, len(after) - tail),)
    changes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return tuple((before[a:b], c, d) for kind, a, b, c, d in changes if kind != "equal")


def _count_same(one: str, other: str) -> int:
    """Count the characters that two texts begin with in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (a, b) in pairs if a != b), min(len(one), len(other)))


def _find_place(partners: npt.NDArray[np.int64], rewritten: _Rewritten) -> tuple[int, int] | None:
    """Return the stretch of the system's line that is the same as a rewritten one; None if there is none.

    An empty stretch is behind the character before it in its token, or else in front of the one behind it.
    """
    _, start, end, token_start, token_end = rewritten
    there = partners[start:end]
    if len(there):
        first = int(there[0])
        is_same = first >= 0 and np.array_equal(there, np.arange(first, first + len(there)))
        return (first, first + len(there)) if is_same else None
    if start > token_start:
        return (int(partners[start - 1]) + 1,) * 2 if partners[start - 1] >= 0 else None
    return (int(partners[start]),) * 2 if start < token_end and partners[start] >= 0 else None
