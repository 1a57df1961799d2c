"""Gold sentences whose place holds exactly their tokens on the system side (Dridan and Oepen 2013, SA).

    $ evalign score gold.conllu system.txt --metrics sentence-accuracy

The system's own sentence boundaries do not matter.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from evalign.metrics.comparison import Comparison, CountTable, count_rows
from evalign.metrics.counts import ratio
from evalign.metrics.layer import Layer


def count_sentence_accuracy(comparison: Comparison) -> CountTable:
    """Gold sentences whose place holds exactly their tokens on the system side, and all of them.

    They do if every token is matched and no system token but partners lies between the first and the last of
    those: the partners of consecutive tokens are consecutive.
    """
    match = comparison.options.match
    partners = comparison.token_partners
    right = partners >= 0 if match == "place" else comparison.token_same
    follows = np.append(False, np.diff(partners) == 1)[: len(partners)]
    cuts = comparison.gold.sentences
    follows[cuts[:-1]] = True
    whole = count_rows(right & follows, cuts) == np.diff(cuts)
    unit_cuts = comparison.sentence_cuts[0]
    return np.stack([count_rows(whole, unit_cuts), np.diff(unit_cuts)], axis=1).astype(np.int64)


def accuracy_ratios(counts: Mapping[str, int]) -> dict[str, float | None]:
    """Share of gold sentences."""
    return {"accuracy": ratio(counts["correct"], counts["gold"])}


SENTENCE_ACCURACY = Layer(
    "sentence-accuracy", count_sentence_accuracy, ("correct", "gold"), accuracy_ratios, "accuracy"
)
