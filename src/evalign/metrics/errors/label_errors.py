"""Wrong labels of words: confusions of tags, lemmas, features, heads and relations.

`all_errors` uses this module for every metric of labels but brackets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.document import Columns, Document, IntArray
from evalign.errors import Place
from evalign.metrics.brackets import same_tags
from evalign.metrics.census import check_columns
from evalign.metrics.comparison import Comparison
from evalign.metrics.errors.mismatches import (
    CONTEXT,
    NO_FEATURES,
    NO_HEAD,
    ErrorCell,
    ErrorCells,
    Label,
    Mismatch,
    PairCounts,
    differing_features,
    find_start,
    split_features,
)
from evalign.metrics.keys import SharedLabels, find_unpaired, number_codes
from evalign.metrics.metric import TREE, WORD_KINDS
from evalign.metrics.word_comparison import VERDICT_BITS, WordComparison
from evalign.metrics.word_labels import LAS_BITS, Right, has_bits, same_features

CONFUSED, LABEL, HEAD, BOTH = range(len(WORD_KINDS))


# Pairs of words that are wrong: which label was confused with which, and where.
#
#     evalign.score("gold.conllu", "system.conllu").errors("las")
#
#     confused  another tag, another lemma, other features    label  the right head, another relation
#     head      another head (of las: the right relation)     both   another head and another relation
#
# A word without a partner is not confused with anything: it is an error of the metric words.


class Aspect(NamedTuple):
    """The comparison that a metric of labels makes between the words of a pair."""

    needs: tuple[str, ...]
    right: Right
    """Says which pairs are right."""
    labels: Callable[[WordComparison], SharedLabels]
    """Gives the labels that are compared."""
    kind: int = CONFUSED
    """The kind of a pair that is all wrong, as an index into `WORD_KINDS`."""
    has_features: bool = False


def head_tags(word_comparison: WordComparison) -> SharedLabels:
    """Return for each word the tag of its head, or a special label if its head is not a word."""
    tags = word_comparison.upos
    # The numbers of heads that are not words are -1, -2, ... in the order of `NO_HEAD`: they look up the end.
    specials = len(tags.labels) + np.arange(len(NO_HEAD))[::-1]
    gold, system = (
        np.append(ids, specials)[columns.parents]
        for columns, ids in ((word_comparison.gold, tags.gold), (word_comparison.system, tags.system))
    )
    return SharedLabels(gold, system, [*tags.labels, *NO_HEAD.values()])


def _bits(asked: int) -> Right:
    return partial(has_bits, asked=asked)


def _right_tags(comparison: Comparison, partners: IntArray) -> npt.NDArray[np.bool_]:
    """Return for each gold word whether its pair has equal tags, or consists of words that do not count."""
    return same_tags(comparison, partners) | ~_counted_pairs(comparison, partners)


def _counted_pairs(comparison: Comparison, partners: IntArray) -> npt.NDArray[np.bool_]:
    """Return for each gold word whether it has a partner and at least one of the two counts."""
    gold, system = comparison.constituents.counted_words
    counted = (partners >= 0) & gold
    paired = np.flatnonzero((partners >= 0) & ~gold)
    counted[paired] = system[partners[paired]]
    return counted


ASPECTS: Mapping[str, Aspect] = {
    "upos": Aspect(("upos",), _bits(VERDICT_BITS["UPOS"]), attrgetter("upos")),
    "xpos": Aspect(("xpos",), _bits(VERDICT_BITS["XPOS"]), attrgetter("xpos")),
    "tags": Aspect(("xpos",), _right_tags, attrgetter("xpos")),
    "ufeats": Aspect(
        ("feats",), _bits(VERDICT_BITS["FEATS"]), attrgetter("universal_feats"), has_features=True
    ),
    "allfeats": Aspect(("feats",), same_features, attrgetter("all_feats"), has_features=True),
    "lemmas": Aspect(("lemma",), _bits(VERDICT_BITS["LEMMA"]), attrgetter("lemma")),
    "uas": Aspect(("head",), _bits(VERDICT_BITS["HEAD"]), head_tags, HEAD),
    "las": Aspect(TREE, _bits(LAS_BITS), attrgetter("relations"), BOTH),
}


class Confusions(ErrorCells):
    """The wrong pairs of a metric; `rows` are the gold words of the pairs."""

    def _mismatch(self, row: int, cell: ErrorCell) -> Mismatch:
        alignment, word_comparison = self.comparison.alignment, self.comparison.word_comparison
        gold, system = alignment.gold.original, alignment.system.original
        partner = int(self.comparison.word_partners[row])
        heads = ("", "")
        if "head" in ASPECTS[self.metric].needs:
            heads = _head(gold, word_comparison.gold, row), _head(system, word_comparison.system, partner)
        start, file = find_start(self.comparison, int(gold.cuts[gold.word_token(row)]))
        return Mismatch(
            self.metric,
            *cell,
            Place(gold.name, int(word_comparison.gold.linenos[row])),
            Place(system.name, int(word_comparison.system.linenos[partner])),
            start,
            " ".join(map(gold.word, range(max(0, row - CONTEXT), row))),
            " ".join(map(gold.word, range(row + 1, min(row + 1 + CONTEXT, gold.n_words)))),
            "",
            gold.word(row),
            *heads,
            file,
        )


def _head(document: Document, columns: Columns, word: int) -> str:
    parent = int(columns.parents[word])
    return document.word(parent) if parent >= 0 else NO_HEAD[parent]


def find_confusions(comparison: Comparison, metric: str) -> Confusions:
    """Find the wrong pairs of `metric`; raises `CommandError` if a column it needs is missing."""
    aspect = ASPECTS[metric]
    check_columns(comparison, aspect.needs, f"errors of {metric}")
    partners = comparison.word_partners
    words = np.flatnonzero((partners >= 0) & ~aspect.right(comparison, partners))
    shared = aspect.labels(comparison.word_comparison)
    size = len(shared.labels)
    kinds = _kinds(aspect, comparison.verdicts[words])
    codes = (kinds * size + shared.gold[words]) * size + shared.system[partners[words]]
    values, numbers = number_codes(codes)
    name = differing_features if aspect.has_features else _labels
    cells: dict[ErrorCell, int] = {}
    merged = []
    for code in values.tolist():
        rest, system = divmod(code, size)
        kind, gold = divmod(rest, size)
        cell = ErrorCell(WORD_KINDS[kind], *name(shared.labels[gold], shared.labels[system]))
        merged.append(cells.setdefault(cell, len(cells)))
    numbers = np.array(merged, np.int64)[numbers]
    paired = _counted_pairs(comparison, partners) if metric == "tags" else partners >= 0
    n_paired = np.bincount(shared.gold[paired], minlength=size)
    # All labels of gold, in the order of the text, even if none of their words has a partner.
    there = np.flatnonzero(np.bincount(shared.gold, minlength=size)).tolist()
    totals = {shared.labels[number]: int(n_paired[number]) for number in there}
    gold_words = count_gold_words(metric, totals, list(cells))
    return Confusions(comparison, metric, words, numbers, list(cells), gold_words, totals)


def count_gold_words(metric: str, totals: Mapping[str, int], cells: Sequence[ErrorCell]) -> list[int]:
    """Count for each cell the gold words that have its gold label, or its gold features.

    `totals` has the number of words for each label; for metrics of features the labels are whole cells of
    FEATS.
    """
    wanted = [cell.gold for cell in cells]
    if not ASPECTS[metric].has_features:
        return [totals[label] for (label,) in wanted]
    # List the cells that have each feature. To find several features, search only the cells with the rarest.
    having: dict[str, list[tuple[frozenset[str], int]]] = {}
    for feats, total in totals.items():
        cell = frozenset(split_features(feats))
        for feature in cell:
            having.setdefault(feature, []).append((cell, total))
    counted = {}
    for features in set(wanted) - {NO_FEATURES}:
        rarest = min((having.get(feature, []) for feature in features), key=len)
        counted[features] = sum(total for cell, total in rarest if cell.issuperset(features))
    return [counted.get(features, 0) for features in wanted]


def _kinds(aspect: Aspect, verdicts: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Return the kind of each wrong pair; for las it depends on what is right about the pair."""
    kinds = np.full(len(verdicts), aspect.kind, np.int64)
    if aspect.kind == BOTH:
        kinds[verdicts & VERDICT_BITS["HEAD"] > 0] = LABEL
        kinds[verdicts & VERDICT_BITS["LABEL"] > 0] = HEAD
    return kinds


def _labels(gold: str, system: str) -> tuple[Label, Label]:
    return (gold,), (system,)


def count_pairs(comparison: Comparison, metric: str = "") -> PairCounts:
    """Count the pairs of words whose labels can be compared, and the words without a partner.

    For the metric tags, only words that count under the preset.
    """
    partners = comparison.word_partners
    if metric == "tags":
        gold, system = comparison.constituents.counted_words
        alone = system & find_unpaired(partners, len(system))
        pairs = int(_counted_pairs(comparison, partners).sum())
        return PairCounts(pairs, int((gold & (partners < 0)).sum()), int(alone.sum()))
    pairs = int((partners >= 0).sum())
    return PairCounts(pairs, comparison.gold.n_words - pairs, comparison.system.n_words - pairs)
