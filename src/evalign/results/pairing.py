"""Extra results for extracted pairs of sentences, beside their counts, as they are saved (docs/json.md).

`bitext` fills a `Pairing`; `SystemResult.pairing` holds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NotRequired, TypedDict


class CurvePoint(TypedDict):
    """Precision and recall of the pairs whose score is at least `threshold`."""

    threshold: float
    correct: int
    system: int
    precision: float
    recall: float | None


class Threshold(TypedDict):
    """The best threshold on a gold file, and the counts and F1 that it gives."""

    threshold: float
    chosen_on: str
    """Gold file that the threshold was chosen on."""
    correct: int
    gold: int
    system: int
    f1: float | None
    written: NotRequired[str]
    """The decimal number as it is written in the file of pairs, if its float is also that of another threshold."""


class PairExample(TypedDict):
    """A pair of sentence ids to look at, with the texts if the corpora are known."""

    first: str
    second: str
    score: float | None
    first_text: str
    second_text: str


class Review(TypedDict):
    """Human judgements of a sample of the false pairs, and the precision that they imply."""

    of: str
    """Metric whose false pairs were judged."""
    reviewed: int
    parallel: int
    precision: float | None
    """Precision if all false pairs are parallel as often as the reviewed ones."""
    low: float | None
    high: float | None


class Pairing(TypedDict, total=False):
    """Extra results of one system; the curve and the thresholds exist only if its pairs have scores."""

    average_precision: float | None
    curve: list[CurvePoint]
    oracle: Threshold
    trained: Threshold
    review: Review
    false: list[PairExample]
    """Sample of the pairs that gold does not have."""
    missed: list[PairExample]
    """Sample of the gold pairs that the system does not have."""


def pairing_numbers(pairing: Pairing) -> Iterator[tuple[str, str, float]]:
    """Yield metric, measure and value of each number that is no score; ratios are from 0 to 1.

    >>> list(pairing_numbers(Pairing(average_precision=0.5)))
    [('pairs', 'average_precision', 0.5)]
    """
    average = pairing.get("average_precision")
    if average is not None:
        yield "pairs", "average_precision", average
    if "trained" in pairing:
        yield "pairs-trained", "threshold", pairing["trained"]["threshold"]
        if pairing["trained"]["f1"] is not None:
            yield "pairs-trained", "f1_on_training", pairing["trained"]["f1"]
    if "oracle" in pairing:
        yield "pairs-oracle", "threshold", pairing["oracle"]["threshold"]
    if "review" in pairing:
        review = pairing["review"]
        for ending, value in (("", review["precision"]), ("_low", review["low"]), ("_high", review["high"])):
            if value is not None:
                yield review["of"], f"precision_after_review{ending}", value
