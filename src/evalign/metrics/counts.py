"""The counts of a span metric (`Counts`), and the ratios of all metrics, computed from sums of counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evalign.wording import percent


@dataclass(frozen=True, slots=True)
class Counts:
    """Correct, gold and system spans of a unit or a text. Sums are exact; ratios are computed last.

    >>> Counts(1, 2, 4) + Counts(1, 1, 1)
    Counts(correct=2, gold=3, system=5)
    >>> Counts(2, 3, 5).false_positives, Counts(2, 3, 5).false_negatives
    (3, 1)
    >>> Counts(0, 0, 0).precision is None
    True
    """

    correct: int = 0
    gold: int = 0
    system: int = 0

    def __str__(self) -> str:
        """Ratios and counts on one line."""
        ratios = f"precision {percent(self.precision)}, recall {percent(self.recall)}, F1 {percent(self.f1)}"
        return f"{ratios} ({self.correct:,} correct, {self.gold:,} gold, {self.system:,} system)"

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.correct + other.correct, self.gold + other.gold, self.system + other.system)

    @property
    def false_positives(self) -> int:
        """System spans that are not correct."""
        return self.system - self.correct

    @property
    def false_negatives(self) -> int:
        """Gold spans that the system lacks."""
        return self.gold - self.correct

    @property
    def precision(self) -> float | None:
        """Share of system spans that are correct; None if the system has no span."""
        return ratio(self.correct, self.system)

    @property
    def recall(self) -> float | None:
        """Share of gold spans that are correct; None if gold has no span."""
        return ratio(self.correct, self.gold)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall, 2 correct / (gold + system)."""
        return ratio(2 * self.correct, self.gold + self.system)


def ratio(part: int, whole: int) -> float | None:
    """Return `part` divided by `whole`, or None if `whole` is 0: undefined is not zero."""
    return part / whole if whole else None


def prf(counts: Mapping[str, int]) -> dict[str, float | None]:
    """Return precision, recall and F1 of the fields correct, gold and system."""
    correct, gold, system = counts["correct"], counts["gold"], counts["system"]
    return {
        "precision": ratio(correct, system),
        "recall": ratio(correct, gold),
        "f1": ratio(2 * correct, gold + system),
    }


def word_ratios(counts: Mapping[str, int]) -> dict[str, float | None]:
    """Return precision, recall, F1 and the share of aligned words that are right."""
    return {**prf(counts), "aligned_accuracy": ratio(counts["correct"], counts["aligned"])}


def weighted_ratios(counts: Mapping[str, int]) -> dict[str, float | None]:
    """Return precision, recall, F1 and aligned accuracy by weight."""
    return word_ratios({name.removeprefix("weight_"): count for name, count in counts.items()})


def disambiguation_ratios(counts: Mapping[str, int]) -> dict[str, float | None]:
    """Return accuracy and error rate over the candidate marks."""
    right = counts["both"] + counts["neither"]
    wrong = counts["system_only"] + counts["gold_only"]
    return {"accuracy": ratio(right, right + wrong), "error_rate": ratio(wrong, right + wrong)}


CHARACTER_LABELS = "STI"
"""The labels of the metric bio: the character starts a sentence, starts a token, is inside."""
CHARACTER_FIELDS = (
    "correct",
    "characters",
    *(f"{part}_{label}" for label in CHARACTER_LABELS for part in ("correct", "gold", "system")),
)
"""Fields of the metric bio: right labels, gold characters, and the counts of each label."""


def bio_ratios(counts: Mapping[str, int]) -> dict[str, float | None]:
    """Return accuracy and error rate over characters, and precision, recall and F1 of each label."""
    characters = counts["characters"]
    ratios = {
        "accuracy": ratio(counts["correct"], characters),
        "error_rate": ratio(characters - counts["correct"], characters),
    }
    for label in CHARACTER_LABELS:
        own = prf({part: counts[f"{part}_{label}"] for part in ("correct", "gold", "system")})
        ratios |= {f"{name}_{label}": value for name, value in own.items()}
    return ratios


def quotients(counts: Mapping[str, int], **parts: tuple[str, str]) -> dict[str, float | None]:
    """Return quotients of two counts each, by name.

    >>> quotients({"errors": 1, "windows": 4}, error=("errors", "windows"))
    {'error': 0.25}
    """
    return {name: ratio(counts[part], counts[whole]) for name, (part, whole) in parts.items()}


def add_misses(counts: Mapping[str, int]) -> dict[str, int | None]:
    """Return `counts` with false positives and false negatives inserted after the field "system".

    Only counts of spans get the two. They are None if more items are correct than gold or the system has,
    as can happen where pairs of items are counted (`edges="all"`).

    >>> add_misses({"correct": 2, "gold": 3, "system": 5, "in_place": 2})
    {'correct': 2, 'gold': 3, 'system': 5, 'false_positives': 3, 'false_negatives': 1, 'in_place': 2}
    >>> add_misses({"errors": 1, "windows": 7})
    {'errors': 1, 'windows': 7}
    """
    if not {"correct", "gold", "system"} <= counts.keys():
        return {**counts}
    spans = Counts(counts["correct"], counts["gold"], counts["system"])
    is_sound = spans.correct <= min(spans.gold, spans.system)
    extended: dict[str, int | None] = {}
    for name, count in counts.items():
        extended[name] = count
        if name == "system":
            extended["false_positives"] = spans.false_positives if is_sound else None
            extended["false_negatives"] = spans.false_negatives if is_sound else None
    return extended
