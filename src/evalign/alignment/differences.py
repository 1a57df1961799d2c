"""Counts of what differs between two lines: characters that are equal, rewritten, or on one side only.

`align_differing` calls `count_differences`; the ledger of a result lists what it counts.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.alignment.alignment import MOST_PLACES, LineDifferences, RuleUse
from evalign.alignment.character_alignment import EQUAL, JUMP, CharacterPath
from evalign.alignment.fold import FoldedLine
from evalign.document import Document, IntArray

# Most pairs of differing stretches that are listed, most frequent first.
MOST_SUBSTITUTIONS = 20
# Why paired characters are not the same. Unlike the rules of normalisation, these do not make tokens equal.
DIFFERENCES = OTHER_CASE, OTHER_ACCENTS, OTHER_VARIANT = "other-case", "other-accents", "other-variant"


class _Characters(NamedTuple):
    """The characters of one side, and where the first folded character of each is on the path."""

    document: Document
    folded: FoldedLine
    pieces: npt.NDArray[np.int64]
    """Number of the piece of the path that each character is in; -1 for a character that folds to nothing."""
    positions: IntArray
    """Folded position of each character."""
    piece_starts: npt.NDArray[np.int64]
    """Folded position at which each piece starts."""

    def rule_use(self, rule: str, characters: npt.NDArray[np.int64], side: str = "gold") -> RuleUse:
        """Make a `RuleUse` from the characters that `rule` concerns."""
        tokens = np.searchsorted(self.document.cuts, characters[:MOST_PLACES], side="right") - 1
        places = tuple(self.document.place_of(int(token)) for token in tokens)
        return RuleUse(rule, len(characters), places, side)


def count_differences(
    gold: Document, system: Document, gold_folded: FoldedLine, system_folded: FoldedLine, path: CharacterPath
) -> LineDifferences:
    """Count equal, rewritten and one-sided characters; what the path jumps over is unrelated text."""
    left = _characters(gold, gold_folded, path.gold)
    right = _characters(system, system_folded, path.system)
    alone = np.append(path.places == 0, True)  # the last entry is for characters that fold to nothing
    stray = np.append(path.kinds == JUMP, False)
    equal = path.kinds == EQUAL
    gold_alone, system_alone = (np.flatnonzero(alone[side.pieces]) for side in (left, right))
    rules = []
    in_run = np.flatnonzero(np.append(equal, False)[left.pieces])
    pairs = _paired_codes(left, right, in_run)
    differing = pairs[:, 0] != pairs[:, 1]
    if differing.any():
        rules += _folding_rules(left, in_run[differing], pairs[differing])
    rewritten = np.flatnonzero(~alone[left.pieces] & ~np.append(equal, True)[left.pieces])
    if len(rewritten):
        rules.append(left.rule_use("substituted", rewritten))
    for name, side, characters in (("gold", left, gold_alone), ("system", right, system_alone)):
        is_stray = stray[side.pieces[characters]]
        if not is_stray.all():
            rules.append(side.rule_use(f"{name}-only", characters[~is_stray], name))
        if is_stray.any():
            rules.append(side.rule_use(f"unrelated-{name}", characters[is_stray], name))
    substitutions = _substitutions(left, right, path)
    n_rewritten = int(differing.sum()) + len(rewritten)
    return LineDifferences(
        len(gold.line) - n_rewritten - len(gold_alone),
        n_rewritten,
        len(gold_alone),
        len(system_alone),
        tuple(rules),
        tuple((a, b, n) for (a, b), n in substitutions.items()),
    )


def _characters(document: Document, folded: FoldedLine, lengths: IntArray) -> _Characters:
    starts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    positions = folded.cuts[:-1]
    # One more entry, for characters at the end that fold to nothing.
    pieces = np.append(np.repeat(np.arange(len(lengths)), lengths), -1)[positions]
    pieces[np.diff(folded.cuts) == 0] = -1
    return _Characters(document, folded, pieces, positions, starts)


def _paired_codes(
    left: _Characters, right: _Characters, characters: npt.NDArray[np.int64]
) -> npt.NDArray[np.uint32]:
    """Return rows of code points: a gold character in an equal run, and its system character."""
    pieces = left.pieces[characters]
    there = left.positions[characters] - left.piece_starts[pieces] + right.piece_starts[pieces]
    others = right.folded.characters_at(there)
    # The position may be inside a character that folds to several: with "ﬁ" against "fi", "ﬁ" is paired
    # twice.
    codes = np.empty((len(characters), 2), np.uint32)
    codes[:, 0] = left.folded.originals[characters]
    codes[:, 1] = right.folded.originals[others] if len(characters) else 0
    return codes


def _folding_rules(
    left: _Characters, characters: npt.NDArray[np.int64], codes: npt.NDArray[np.uint32]
) -> list[RuleUse]:
    """Count why paired characters are not the same: case, accents, or a compatibility variant."""
    pairs, inverse = np.unique(codes, axis=0, return_inverse=True)
    kinds = np.array([_difference(chr(a), chr(b)) for a, b in pairs.tolist()])[inverse.reshape(-1)]
    return [left.rule_use(kind, characters[kinds == kind]) for kind in DIFFERENCES if (kinds == kind).any()]


def _difference(one: str, other: str) -> str:
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
    for side, lengths in ((left, path.gold), (right, path.system)):
        starts = np.searchsorted(side.positions, side.piece_starts[gaps])
        ends = np.searchsorted(side.positions, side.piece_starts[gaps] + lengths[gaps])
        line = side.document.line
        sides.append([line[a:b] for a, b in zip(starts.tolist(), ends.tolist(), strict=True)])
    for one, other in zip(*sides, strict=True):
        if len(one) <= 12 and len(other) <= 12:
            substitutions[one, other] += 1
    return substitutions
