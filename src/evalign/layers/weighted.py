"""WLAS: labelled attachment in which every word weighs what its relation does (Callin, section 5).

$ evalign score gold.conllu system.conllu --metrics las,wlas --weights weights.json
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from evalign.document import IntArray
from evalign.errors import CommandError
from evalign.layers.comparison import Comparison, CountTable
from evalign.layers.judged import LAS_BITS, TREE, has_bits
from evalign.layers.layer import Layer

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


def sum_rows(values: IntArray, cuts: IntArray) -> CountTable:
    """The sum of the rows of each unit."""
    running = np.concatenate([[0], np.cumsum(values)])
    return np.diff(running[cuts])


def ratios(counts: Mapping[str, int]) -> dict[str, float | None]:
    """Precision, recall, F1 and aligned accuracy, in weights."""
    correct, gold, system, aligned = (counts[name] for name in FIELDS)
    return {
        "precision": correct / system if system else None,
        "recall": correct / gold if gold else None,
        "f1": 2 * correct / (gold + system) if gold + system else None,
        "aligned_accuracy": correct / aligned if aligned else None,
    }


WLAS = Layer("wlas", count_weights, FIELDS, ratios, needs=TREE)
