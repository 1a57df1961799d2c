"""Recall on tokens that a word list has and on those it has not (SIGHAN bakeoff, Emerson 2005).

    $ evalign score gold.txt system.txt --metrics oov --vocabulary words.txt

A gold token is looked up as it was read, so that how many are out of vocabulary is the same for every system.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from evalign.errors import CommandError
from evalign.metrics.comparison import Comparison, CountTable, count_rows
from evalign.metrics.counts import ratio
from evalign.metrics.layer import Layer
from evalign.text import without_space


def count_vocabulary(comparison: Comparison) -> CountTable:
    """Correct and all gold tokens, in the vocabulary and out of it."""
    options = comparison.options
    if options.vocabulary is None:
        found, advice = 'the metric "oov" without a word list', "give one word per line: --vocabulary FILE"
        raise CommandError(found, "the words that the system knew", advice)
    known = {without_space(word) for word in options.vocabulary}
    tokens = comparison.alignment.gold.original.tokens()
    listed = np.fromiter(map(known.__contains__, tokens), bool, len(tokens))
    correct = comparison.token_partners >= 0 if options.match == "place" else comparison.token_same
    cuts = comparison.token_cuts[0]
    masks = (listed & correct, listed, ~listed & correct, ~listed)
    return np.stack([count_rows(mask, cuts) for mask in masks], axis=1)


def vocabulary_ratios(counts: Mapping[str, int]) -> dict[str, float | None]:
    """Recall on either kind of token."""
    return {
        "recall_in": ratio(counts["in_correct"], counts["in_gold"]),
        "recall_out": ratio(counts["out_correct"], counts["out_gold"]),
    }


OOV = Layer(
    "oov",
    count_vocabulary,
    ("in_correct", "in_gold", "out_correct", "out_gold"),
    vocabulary_ratios,
    "recall_out",
)
