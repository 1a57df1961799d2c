"""Which stage each miss is charged to: the first that failed for it, of sentences, tokens, tags and structure.

What is in a sentence that the system has no analysis of is charged to failed parses, before all of these.

    $ evalign attribute gold.mrg system.mrg

A gold item that the system has not is missed, a system item that gold has not is spurious. Either is charged to

    failed parses  if the system has nothing of the sentence it is in,
    sentences  else, if that sentence has none in the same place on the other side, or shares too little text with it,
    tokens     else, if a word it is about has no partner there (as in the metric words),
    tags       else, if such a word has another tag than its partner,
    structure  else.

A bracket is about the words in it, as far as the scheme counts them; an arc about its word and the head of that.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import add
from typing import NamedTuple, TypedDict

import numpy as np
import numpy.typing as npt

from evalign.document import Document, IntArray, Trees
from evalign.metrics.census import has_columns
from evalign.metrics.comparison import Comparison
from evalign.metrics.counts import Counts
from evalign.metrics.word_labels import LAS_BITS

Mask = npt.NDArray[np.bool_]
# What is given as gold input in a mixed run, in this order; before them comes what was not analysed at all.
INPUT_STAGES = ("sentences", "tokens", "tags", "structure")
FAILED_PARSES = "failed parses"
STAGES = (FAILED_PARSES, *INPUT_STAGES)


class Charges(NamedTuple):
    """What was missed and what is spurious, by stage; with the correct items it adds up to all there are."""

    counts: Counts
    missed: tuple[int, ...]
    """Per stage, in the order of `STAGES`."""
    spurious: tuple[int, ...]
    unanalysed_sentences: int
    """Gold sentences of which the system has nothing: failed parses."""
    unanalysed: int
    """The missed items in them; all are charged to failed parses."""
    tags: str
    """Which tags were compared: xpos, upos, or nothing."""

    def joined(self, other: Charges) -> Charges:
        """Those of two texts together."""
        return Charges(
            self.counts + other.counts,
            tuple(map(add, self.missed, other.missed)),
            tuple(map(add, self.spurious, other.spurious)),
            self.unanalysed_sentences + other.unanalysed_sentences,
            self.unanalysed + other.unanalysed,
            self.tags,
        )

    def points(self, wrong: int) -> float | None:
        """Points of F1 that so many misses cost; None where there is no item."""
        whole = self.counts.gold + self.counts.system
        return 100 * wrong / whole if whole else None


class Loss(TypedDict):
    """What a stage cost."""

    missed: int
    spurious: int
    points: float | None


class Losses(TypedDict):
    """What every stage cost a metric."""

    metric: str
    f1: float | None
    stages: dict[str, Loss]


def find_losses(comparison: Comparison) -> Losses | None:
    """The loss by stage of brackets, else of labelled arcs; None where there are neither."""
    charges = find_charges(comparison)
    return None if charges is None else make_losses(*charges)


def find_charges(comparison: Comparison) -> tuple[str, Charges] | None:
    """The metric whose loss is taken apart, and what each stage is charged with."""
    if has_columns(comparison, ("trees",)):
        return "brackets", charge_brackets(comparison)
    if has_columns(comparison, ("head", "deprel")):
        return "las", charge_arcs(comparison)
    return None


def make_losses(metric: str, charges: Charges) -> Losses:
    """The loss by stage, from what each is charged with."""
    rows = zip(STAGES, charges.missed, charges.spurious, strict=True)
    stages = {
        stage: Loss(missed=missed, spurious=spurious, points=charges.points(missed + spurious))
        for stage, missed, spurious in rows
    }
    return Losses(metric=metric, f1=charges.counts.f1, stages=stages)


class _Failed(NamedTuple):
    """What failed before the structure, on one side."""

    sentences: Mask
    """Per sentence: whether it has no partner."""
    words: Mask
    """Per word: whether it has no partner."""
    tags: Mask
    """Per word: whether it and its partner have different tags."""


Finder = Callable[[Mask], Mask]
"""Per item whether a mask of words holds for one of those it is about."""


def charge_brackets(comparison: Comparison) -> Charges:
    """Labelled brackets, as in the metric brackets."""
    constituents = comparison.constituents
    partners, (gold, system) = constituents.partners, constituents.sides
    right = constituents.right
    failed = _find_failed(comparison, _differing_tags(comparison), constituents.counted_words)
    spurious = np.ones(len(system), bool)
    spurious[partners[right]] = False
    # A bracket as it stands in its tree, words that do not count included.
    finders = [
        _within(trees, side.rows)
        for trees, side in ((comparison.gold.trees, gold), (comparison.system.trees, system))
        if trees is not None
    ]
    owners = (
        _owners(comparison.gold.sentences, gold.firsts),
        _owners(comparison.system.sentences, system.firsts),
    )
    return _charge(comparison, (~right, spurious), owners, finders, failed, "xpos")


def charge_arcs(comparison: Comparison) -> Charges:
    """Labelled arcs, as in the metric las: every word is the end of one."""
    word_comparison, partners = comparison.word_comparison, comparison.word_partners
    right = (comparison.verdicts & LAS_BITS) == LAS_BITS
    tags = next((name for name in ("xpos", "upos") if has_columns(comparison, (name,))), "")
    differing = np.zeros(len(partners), bool)
    if tags:
        column = word_comparison.xpos if tags == "xpos" else word_comparison.upos
        differing = (partners >= 0) & ~word_comparison.pairs_equal(column, partners)
    failed = _find_failed(comparison, differing)
    spurious = np.ones(comparison.system.n_words, bool)
    spurious[partners[right]] = False
    finders = [_at_ends(columns.parents) for columns in (word_comparison.gold, word_comparison.system)]
    owners = _word_sentences(comparison.gold), _word_sentences(comparison.system)
    return _charge(comparison, (~right, spurious), owners, finders, failed, tags)


def _differing_tags(comparison: Comparison) -> Mask:
    """Per gold word whether it has a partner with another tag, or one of the two alone counts."""
    (gold, system), tags = comparison.constituents.counted_words, comparison.constituents.tags
    partners = comparison.word_partners
    rows = np.flatnonzero(partners >= 0)
    others = partners[rows]
    differing = np.zeros(len(partners), bool)
    other_tag = (tags.gold[rows] != tags.system[others]) & gold[rows]
    differing[rows] = other_tag | (gold[rows] != system[others])
    return differing


def _find_failed(
    comparison: Comparison, differing: Mask, counted: tuple[Mask, Mask] | None = None
) -> tuple[_Failed, _Failed]:
    """What failed on either side; a word that does not count has not failed for want of a partner."""
    words, sentences = comparison.word_partners, comparison.sentence_partners
    alone = words < 0, _without(words, comparison.system.n_words)
    if counted is not None:
        alone = alone[0] & counted[0], alone[1] & counted[1]
    differing_there = np.zeros(comparison.system.n_words, bool)
    differing_there[words[differing]] = True
    return (
        _Failed(sentences < 0, alone[0], differing),
        _Failed(_without(sentences, comparison.system.n_sentences), alone[1], differing_there),
    )


def _without(partners: IntArray, size: int) -> Mask:
    """Per row of the system whether it is nobody's partner."""
    alone = np.ones(size, bool)
    alone[partners[partners >= 0]] = False
    return alone


def _within(trees: Trees, rows: IntArray) -> Finder:
    """Words in each of some brackets, counted once for all of them; those in a gap are not in it."""
    firsts, lasts = trees.firsts[rows], trees.lasts[rows]
    gapped = (
        {k: trees.runs[row] for k, row in enumerate(rows.tolist()) if row in trees.runs} if trees.runs else {}
    )

    def find(words: Mask) -> Mask:
        running = np.concatenate([[0], np.cumsum(words)])
        holds: Mask = running[lasts] > running[firsts]
        for k, runs in gapped.items():
            holds[k] = any(running[last] > running[first] for first, last in runs)
        return holds

    return find


def _at_ends(parents: IntArray) -> Finder:
    """Each word, and the word it hangs on if there is one."""

    def find(words: Mask) -> Mask:
        # Where there is no such word, the last row, which is false.
        holds: Mask = words | np.append(words, False)[np.maximum(parents, -1)]
        return holds

    return find


def _owners(sentences: IntArray, tokens: IntArray) -> IntArray:
    """The sentence each of some tokens is in."""
    return np.searchsorted(sentences, tokens, side="right") - 1


def _word_sentences(document: Document) -> IntArray:
    """The sentence of each word."""
    return np.repeat(np.arange(document.n_sentences), np.diff(document.word_cuts(document.sentences)))


def _charge(
    comparison: Comparison,
    wrong: tuple[Mask, Mask],
    owners: tuple[IntArray, IntArray],
    finders: list[Finder],
    failed: tuple[_Failed, _Failed],
    tags: str,
) -> Charges:
    """The items that are wrong, counted by the first stage that failed for each."""
    lost = _find_unanalysed(comparison)
    charged: list[tuple[int, ...]] = []
    for items, sentences, find, side in zip(wrong, owners, finders, failed, strict=True):
        stages = np.where(find(side.tags), 3, 4)
        stages[find(side.words)] = 2
        stages[side.sentences[sentences]] = 1
        if not charged:  # the system has nothing spurious in a sentence that it has nothing of
            stages[lost[sentences]] = 0
        charged.append(tuple(np.bincount(stages[items], minlength=len(STAGES)).tolist()))
    sizes = [len(items) for items in wrong]
    return Charges(
        Counts(sizes[0] - int(wrong[0].sum()), *sizes),
        charged[0],
        charged[1],
        int(lost.sum()),
        int((wrong[0] & lost[owners[0]]).sum()),
        tags,
    )


def _find_unanalysed(comparison: Comparison) -> Mask:
    """Per gold sentence whether it is in a block that the system has nothing in."""
    blocks = comparison.alignment.blocks
    lost = np.repeat(np.diff(blocks.system) == 0, np.diff(blocks.gold))
    return lost.astype(bool)
