"""Metrics of extracted pairs of sentences; they are counted in `bitext.scoring`, where the pairs are."""

from __future__ import annotations

import re
from collections.abc import Mapping

from evalign.metrics.comparison import Comparison, CountTable
from evalign.metrics.counts import ratio
from evalign.metrics.layer import Layer, label_layer

PAIRS = "pairs"
TRAINED = "pairs-trained"
ORACLE = "pairs-oracle"

FOUND = ("correct", "gold")
"""What is counted of candidates: gold pairs that are among them, and all gold pairs."""

_RECALL_AT = re.compile(r"recall-at-([1-9][0-9]{0,8})")


def recall_layer(most: int) -> Layer:
    """Recall of gold pairs among the best candidates of each first sentence, so many of them.

    >>> recall_layer(5).name
    'recall-at-5'
    """
    return Layer(f"recall-at-{most}", _not_counted, FOUND, _recall, "recall")


def find_recall_layer(name: str) -> Layer | None:
    """The metric of a name such as recall-at-5; None for any other."""
    found = _RECALL_AT.fullmatch(name)
    return recall_layer(int(found[1])) if found else None


def find_pair_layer(name: str) -> Layer | None:
    """The metric of pairs of a name; None for any other.

    >>> find_pair_layer("pairs-trained").name, find_pair_layer("tokens")
    ('pairs-trained', None)
    """
    if name in (PAIRS, TRAINED, ORACLE):
        return label_layer(name)
    return find_recall_layer(name)


def _recall(counts: Mapping[str, int]) -> dict[str, float | None]:
    return {"recall": ratio(counts["correct"], counts["gold"])}


def _not_counted(comparison: Comparison) -> CountTable:
    """Documents have no pairs of ids."""
    raise NotImplementedError
