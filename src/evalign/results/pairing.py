"""What is known of extracted pairs of sentences beside their counts; as it is saved (docs/json.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict


class CurvePoint(TypedDict):
    """Precision and recall of the pairs whose score is at least a threshold."""

    threshold: float
    correct: int
    system: int
    precision: float
    recall: float | None


class WrittenThreshold(TypedDict, total=False):
    """What there is of a threshold only where its float does not tell it from others."""

    written: str
    """The decimal as it is written in the file of pairs."""


class Threshold(WrittenThreshold):
    """A threshold, where it is best, and how good it is there."""

    threshold: float
    chosen_on: str
    """The gold file that it was chosen on."""
    correct: int
    gold: int
    system: int
    f1: float | None


class PairExample(TypedDict):
    """A pair to look at; its sentences where the corpora are known."""

    first: str
    second: str
    score: float | None
    first_text: str
    second_text: str


class Review(TypedDict):
    """What people said of a sample of the false pairs, and the precision that follows."""

    of: str
    """The metric whose false pairs were looked at."""
    reviewed: int
    parallel: int
    precision: float | None
    """If as many of all false pairs are parallel as of those that were looked at."""
    low: float | None
    high: float | None


class Pairing(TypedDict, total=False):
    """What there is of one system; a curve and what comes of it only where its pairs have scores."""

    average_precision: float | None
    curve: list[CurvePoint]
    oracle: Threshold
    trained: Threshold
    review: Review
    false: list[PairExample]
    """A sample of the pairs that gold does not have."""
    missed: list[PairExample]
    """A sample of the gold pairs that the system does not have."""


def pairing_numbers(pairing: Pairing) -> Iterator[tuple[str, str, float]]:
    """The numbers that are no scores: metric, measure and value; ratios are from 0 to 1.

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
