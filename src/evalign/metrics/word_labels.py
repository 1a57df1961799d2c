"""Metrics of tags, features, lemmas and attachment, judged over pairs of words.

    evalign.score("gold.conllu", "system.conllu", metrics=["upos", "las"])

Words are paired as in the metric words (Zeman et al. 2018). Precision is over the words of the system, recall
over those of gold, aligned accuracy over the pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.document import IntArray
from evalign.errors import CommandError, Message
from evalign.metrics.comparison import Comparison, CountTable, count_pairs, count_rows, sum_rows
from evalign.metrics.relations import RELATION_CLASSES, RelationClass
from evalign.metrics.word_comparison import VERDICT_BITS, WordComparison

Mask = npt.NDArray[np.bool_]
Right = Callable[[Comparison, IntArray], Mask]
"""A function that judges words.

Given the system word of each gold word or -1, it returns for each gold word whether it is right.
"""
Counter: TypeAlias = Callable[[Comparison], CountTable]


def count_judged(
    comparison: Comparison, right: Right, chosen: Callable[[WordComparison], Mask] | None = None
) -> CountTable:
    """Count words by unit, in the columns `WORD_FIELDS`; those that `right` accepts are correct.

    All words count, or only those whose relation `chosen` marks.
    """
    gold_cuts, system_cuts = comparison.word_cuts
    if chosen is None:
        gold_mask: Mask | None = None
        totals = [np.diff(gold_cuts), np.diff(system_cuts)]
    else:
        group, relations = chosen(comparison.word_comparison), comparison.word_comparison.relations
        gold_mask = group[relations.gold]
        totals = [count_rows(gold_mask, gold_cuts), count_rows(group[relations.system], system_cuts)]

    def count(mask: Mask) -> CountTable:
        return count_rows(mask if gold_mask is None else mask & gold_mask, gold_cuts)

    aligned = count(comparison.word_partners >= 0)
    return count_pairs(comparison, lambda partners: count(right(comparison, partners)), *totals, aligned)


def has_bits(comparison: Comparison, partners: IntArray, *, asked: int) -> Mask:
    """Return for each gold word whether the verdict on its pair has all bits of `asked`."""
    mask: Mask = (comparison.word_comparison.verdicts(partners) & asked) == asked
    return mask


def same_features(comparison: Comparison, partners: IntArray) -> Mask:
    """Return for each gold word whether all features of its pair are the same, universal or not."""
    word_comparison = comparison.word_comparison
    return word_comparison.pairs_equal(word_comparison.all_feats, partners)


def of_class(word_comparison: WordComparison, *, name: RelationClass) -> Mask:
    """Return for each relation whether it belongs to Callin's class `name`, content or function."""
    return word_comparison.in_group(RELATION_CLASSES[word_comparison.version][name])


# The words whose relations CLAS counts.
_CONTENT = attrgetter("content")
LAS_BITS = VERDICT_BITS["HEAD"] | VERDICT_BITS["LABEL"]


def _judge(right: Right | int, chosen: Callable[[WordComparison], Mask] | None = None) -> Counter:
    """Make the function that counts words which `right` accepts, or whose verdict has the bits `right`."""
    accepts = partial(has_bits, asked=right) if isinstance(right, int) else right
    return partial(count_judged, right=accepts, chosen=chosen)


count_upos = _judge(VERDICT_BITS["UPOS"])
count_xpos = _judge(VERDICT_BITS["XPOS"])
count_ufeats = _judge(VERDICT_BITS["FEATS"])
count_allfeats = _judge(same_features)
count_alltags = _judge(VERDICT_BITS["UPOS"] | VERDICT_BITS["XPOS"] | VERDICT_BITS["FEATS"])
count_lemmas = _judge(VERDICT_BITS["LEMMA"])
count_uas = _judge(VERDICT_BITS["HEAD"])
count_las = _judge(LAS_BITS)
count_clas = _judge(LAS_BITS, _CONTENT)
count_mlas = _judge(VERDICT_BITS["FUNCTION"], _CONTENT)
count_blex = _judge(LAS_BITS | VERDICT_BITS["LEMMA"], _CONTENT)
count_content = _judge(LAS_BITS, partial(of_class, name="content"))
count_function = _judge(LAS_BITS, partial(of_class, name="function"))


# WLAS: labelled attachment in which every word has the weight of its relation (Callin, section 5).
#
#     evalign.score("gold.conllu", "system.conllu", metrics=["las", "wlas"], weights="weights.json")

# Rows are integers, so that they add up exactly: weights in billionths.
SCALE = 10**9


def count_weights(comparison: Comparison) -> CountTable:
    """Add up weights of words by unit: of right, gold, system and aligned words.

    Weights are integers, in billionths; right and aligned words have the weights of the gold side. Raises
    `CommandError` if no weights are given.
    """
    weights = comparison.options.weights
    if weights is None:
        message = "wlas without weights"
        advice = Message(
            "make some: {evalign.typology.save_weights(...)|evalign typology weights TREEBANK... -o weights.json}"
        )
        raise CommandError(message, Message("{weights=FILE}"), advice)
    relations = comparison.word_comparison.relations
    table = np.array([round(weights.of(label) * SCALE) for label in relations.labels] or [0], np.int64)
    gold_cuts, system_cuts = comparison.word_cuts
    gold, system = table[relations.gold], table[relations.system]
    partners = comparison.word_partners
    right = has_bits(comparison, partners, asked=LAS_BITS)
    return np.stack(
        [
            sum_rows(gold * right, gold_cuts),
            sum_rows(gold, gold_cuts),
            sum_rows(system, system_cuts),
            sum_rows(gold * (partners >= 0), gold_cuts),
        ],
        axis=1,
    )
