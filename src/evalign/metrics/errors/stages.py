"""Charges: each missed or spurious item is charged to the first stage of processing that failed for it.

    evalign.attribute("gold.mrg", "system.mrg")

A gold item that the system lacks is missed; a system item that gold lacks is spurious. Either is charged to

    failed parses  if the system has nothing of its sentence,
    sentences  else, if its sentence has no partner: none in the same place that shares enough text,
    tokens     else, if one of its words has no partner (as in the metric words),
    tags       else, if one of its words has another tag than its partner,
    structure  else.

The words of a bracket are those inside it that count under the preset; the words of an arc are its dependent
and its head.
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
from evalign.metrics.keys import find_unpaired
from evalign.metrics.word_labels import LAS_BITS

Mask = npt.NDArray[np.bool_]
# Stages up to which a mixed run gives the system gold input, in order; failed parses come before them.
INPUT_STAGES = ("sentences", "tokens", "tags", "structure")
FAILED_PARSES = "failed parses"
STAGES = (FAILED_PARSES, *INPUT_STAGES)


class Charges(NamedTuple):
    """Missed and spurious items by stage. With the correct items they add up to all items."""

    counts: Counts
    missed: tuple[int, ...]
    """The number of missed items of each stage, in the order of `STAGES`."""
    spurious: tuple[int, ...]
    unanalysed_sentences: int
    """Gold sentences of which the system has nothing (failed parses)."""
    unanalysed: int
    """Missed items in those sentences; all are charged to failed parses."""
    tags: str
    """The tags that were compared: "xpos", "upos", or empty if none were."""

    def joined(self, other: Charges) -> Charges:
        """Return the sum of the charges of two texts."""
        return Charges(
            self.counts + other.counts,
            tuple(map(add, self.missed, other.missed)),
            tuple(map(add, self.spurious, other.spurious)),
            self.unanalysed_sentences + other.unanalysed_sentences,
            self.unanalysed + other.unanalysed,
            self.tags,
        )

    def points(self, wrong: int) -> float | None:
        """Return the points of F1 that `wrong` missed or spurious items cost; None if there are no items."""
        whole = self.counts.gold + self.counts.system
        return 100 * wrong / whole if whole else None


class Loss(TypedDict):
    """The loss of one stage: missed and spurious items, and the points of F1 that they cost."""

    missed: int
    spurious: int
    points: float | None


class Losses(TypedDict):
    """The losses of all stages of a metric."""

    metric: str
    f1: float | None
    stages: dict[str, Loss]


def find_charges(comparison: Comparison) -> tuple[str, Charges] | None:
    """Charge each wrong bracket to the stage of processing that caused it; wrong arcs if there are no trees.

    Stages are failed parses, sentences, tokens, tags and structure. Returns the metric, "brackets" or "las", with
    how many missed and spurious ones each stage is charged with; None without trees and dependencies.
    """
    if has_columns(comparison, ("trees",)):
        return "brackets", charge_brackets(comparison)
    if has_columns(comparison, ("head", "deprel")):
        return "las", charge_arcs(comparison)
    return None


def make_losses(metric: str, charges: Charges) -> Losses:
    """Compute the losses of all stages from the charges."""
    rows = zip(STAGES, charges.missed, charges.spurious, strict=True)
    stages = {
        stage: Loss(missed=missed, spurious=spurious, points=charges.points(missed + spurious))
        for stage, missed, spurious in rows
    }
    return Losses(metric=metric, f1=charges.counts.f1, stages=stages)


class _Failed(NamedTuple):
    """What failed on one side before the structure was compared."""

    sentences: Mask
    """True for each sentence without a partner."""
    words: Mask
    """True for each word without a partner."""
    tags: Mask
    """True for each word whose partner has another tag."""


Finder = Callable[[Mask], Mask]
"""A function from a mask of words to a mask of items: whether the mask holds for any word of the item."""


def charge_brackets(comparison: Comparison) -> Charges:
    """Attribute each missed and each spurious bracket to the stage of processing that went wrong first.

    The brackets are those that the metric `brackets` counts. Returns how many each of `STAGES` is charged with.
    """
    constituents = comparison.constituents
    partners, (gold, system) = constituents.partners, constituents.sides
    right = constituents.right
    failed = _find_failed(comparison, _differing_tags(comparison), constituents.counted_words)
    spurious = find_unpaired(partners[right], len(system))
    # The whole brackets of the trees, with the words that do not count.
    finders = [
        _words_of_brackets(trees, side.rows)
        for trees, side in ((comparison.gold.trees, gold), (comparison.system.trees, system))
        if trees is not None
    ]
    owners = (
        _owners(comparison.gold.sentences, gold.firsts),
        _owners(comparison.system.sentences, system.firsts),
    )
    return _charge(comparison, (~right, spurious), owners, finders, failed, "xpos")


def charge_arcs(comparison: Comparison) -> Charges:
    """Attribute each missed and each spurious labelled arc to the stage of processing that went wrong first.

    The arcs are those that the metric `las` counts: one for each word, its dependent. Returns how many each of
    `STAGES` is charged with.
    """
    word_comparison, partners = comparison.word_comparison, comparison.word_partners
    right = (comparison.verdicts & LAS_BITS) == LAS_BITS
    tags = next((name for name in ("xpos", "upos") if has_columns(comparison, (name,))), "")
    differing = np.zeros(len(partners), bool)
    if tags:
        column = word_comparison.xpos if tags == "xpos" else word_comparison.upos
        differing = (partners >= 0) & ~word_comparison.pairs_equal(column, partners)
    failed = _find_failed(comparison, differing)
    spurious = find_unpaired(partners[right], comparison.system.n_words)
    finders = [_words_of_arcs(columns.parents) for columns in (word_comparison.gold, word_comparison.system)]
    owners = _word_sentences(comparison.gold), _word_sentences(comparison.system)
    return _charge(comparison, (~right, spurious), owners, finders, failed, tags)


def _differing_tags(comparison: Comparison) -> Mask:
    """Return for each gold word whether its partner has another tag, or only one of the two counts."""
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
    """Return what failed on each side.

    `differing` marks gold words with wrong tags, `counted` the words that count. A word that does not count
    is not a failure if it has no partner.
    """
    words, sentences = comparison.word_partners, comparison.sentence_partners
    alone = words < 0, find_unpaired(words, comparison.system.n_words)
    if counted is not None:
        alone = alone[0] & counted[0], alone[1] & counted[1]
    differing_there = np.zeros(comparison.system.n_words, bool)
    differing_there[words[differing]] = True
    return (
        _Failed(sentences < 0, alone[0], differing),
        _Failed(find_unpaired(sentences, comparison.system.n_sentences), alone[1], differing_there),
    )


def _words_of_brackets(trees: Trees, rows: IntArray) -> Finder:
    """Return a finder for the brackets `rows`: the words inside each bracket, without those in its gaps.

    The finder adds up the mask once for all brackets.
    """
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


def _words_of_arcs(parents: IntArray) -> Finder:
    """Return a finder for arcs: the dependent, and its head if that is a word."""

    def find(words: Mask) -> Mask:
        # A head that is not a word looks up the last row, which is false.
        holds: Mask = words | np.append(words, False)[np.maximum(parents, -1)]
        return holds

    return find


def _owners(sentences: IntArray, tokens: IntArray) -> IntArray:
    """Return the sentence of each of `tokens`."""
    return np.searchsorted(sentences, tokens, side="right") - 1


def _word_sentences(document: Document) -> IntArray:
    """Return the sentence of each word."""
    return np.repeat(np.arange(document.n_sentences), np.diff(document.word_cuts(document.sentences)))


def _charge(
    comparison: Comparison,
    wrong: tuple[Mask, Mask],
    owners: tuple[IntArray, IntArray],
    finders: list[Finder],
    failed: tuple[_Failed, _Failed],
    tags: str,
) -> Charges:
    """Count wrong items by the first stage that failed for each.

    The tuples and lists have an entry for gold and one for the system: `wrong` marks wrong items, `owners`
    are the sentences of the items, `finders` find their words.
    """
    # Gold sentences in whose blocks the system has nothing.
    blocks = comparison.alignment.blocks
    lost = np.repeat(np.diff(blocks.system) == 0, np.diff(blocks.gold)).astype(bool)
    charged: list[tuple[int, ...]] = []
    for items, sentences, find, side in zip(wrong, owners, finders, failed, strict=True):
        stages = np.where(find(side.tags), 3, 4)
        stages[find(side.words)] = 2
        stages[side.sentences[sentences]] = 1
        if not charged:  # the system has no spurious items in such sentences
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
