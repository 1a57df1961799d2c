"""WLAS: labelled attachment in which every word weighs what its relation does (Callin, section 5).

$ evalign score gold.conllu system.conllu --metrics las,wlas --weights weights.json
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from evalign.errors import CommandError
from evalign.metrics.comparison import Comparison, CountTable, sum_rows
from evalign.metrics.judged import LAS_BITS, TREE, has_bits, ratios as ratios_of_words
from evalign.metrics.layer import Layer

# Rows are integers, so that they add up exactly: weights in billionths.
SCALE = 10**9
FIELDS = ("weight_correct", "weight_gold", "weight_system", "weight_aligned")


def count_weights(comparison: Comparison) -> CountTable:
    """Weights of the words that are right, of all gold words, of all system words, and of the aligned gold words."""
    weights = comparison.options.weights
    if weights is None:
        message, advice = (
            "wlas without weights",
            "make some: evalign typology weights TREEBANK... -o weights.json",
        )
        raise CommandError(message, "--weights FILE", advice)
    relations = comparison.judgement.relations
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


def ratios(counts: Mapping[str, int]) -> dict[str, float | None]:
    """Precision, recall, F1 and aligned accuracy, in weights."""
    return ratios_of_words({name.removeprefix("weight_"): counts[name] for name in FIELDS})


WLAS = Layer("wlas", count_weights, FIELDS, ratios, needs=TREE)
