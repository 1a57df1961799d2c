"""Counts of a span metric and the ratios taken from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evalign.wording import percent


@dataclass(frozen=True, slots=True)
class Counts:
    """What a span metric keeps of a unit. Sums are exact; ratios are taken last.

    >>> Counts(1, 2, 4) + Counts(1, 1, 1)
    Counts(correct=2, gold=3, system=5)
    >>> Counts(0, 0, 0).precision is None
    True
    """

    correct: int = 0
    gold: int = 0
    system: int = 0

    def __str__(self) -> str:
        """Ratios and counts in one line."""
        ratios = f"precision {percent(self.precision)}, recall {percent(self.recall)}, F1 {percent(self.f1)}"
        return f"{ratios} ({self.correct:,} correct, {self.gold:,} gold, {self.system:,} system)"

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.correct + other.correct, self.gold + other.gold, self.system + other.system)

    @property
    def precision(self) -> float | None:
        """Share of system spans that are correct; None where there is none to judge."""
        return ratio(self.correct, self.system)

    @property
    def recall(self) -> float | None:
        """Share of gold spans that are found; None where there is none to find."""
        return ratio(self.correct, self.gold)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall, 2 correct / (gold + system)."""
        return ratio(2 * self.correct, self.gold + self.system)


def ratio(part: int, whole: int) -> float | None:
    """A share, or None where there is nothing to share: undefined is not zero."""
    return part / whole if whole else None


def prf(counts: Mapping[str, int]) -> dict[str, float | None]:
    """Precision, recall and F1."""
    found = Counts(counts["correct"], counts["gold"], counts["system"])
    return {"precision": found.precision, "recall": found.recall, "f1": found.f1}
