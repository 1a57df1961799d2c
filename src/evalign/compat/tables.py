"""What the official scripts print, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evalign.compat.evaluation import Score

_RULE = "-----------+-----------+-----------+-----------+-----------\n"
_TITLES = {"LAS": "LAS F1 Score", "MLAS": "MLAS Score", "BLEX": "BLEX Score"}
_ENHANCED = {"ELAS": "ELAS F1 Score", "EULAS": "EULAS F1 Score"}


def print_summary(scores: Mapping[str, Score]) -> Iterator[str]:
    """The F1 of the main metrics, a line each."""
    for name, title in (_TITLES | _ENHANCED).items():
        if name in scores:
            yield f"{title}: {100 * scores[name].f1:.2f}\n"


def print_ratios(scores: Mapping[str, Score]) -> Iterator[str]:
    """Precision, recall, F1 and aligned accuracy in percent. Words are all aligned: that cell is empty."""
    yield "Metric     | Precision |    Recall |  F1 Score | AligndAcc\n" + _RULE
    for name, score in scores.items():
        accuracy = score.aligned_accuracy
        shown = "" if accuracy is None or name == "Words" else f"{100 * accuracy:10.2f}"
        yield (
            f"{name:11}|{100 * score.precision:10.2f} |{100 * score.recall:10.2f} |{100 * score.f1:10.2f} |{shown}\n"
        )


def print_counts(scores: Mapping[str, Score]) -> Iterator[str]:
    """Correct, gold, system and aligned. Nothing aligned is shown as a metric without alignment is: as spaces."""
    yield "Metric     | Correct   |      Gold | Predicted | Aligned\n" + _RULE
    for name, score in scores.items():
        aligned = f"{score.aligned_total:10}" if score.aligned_total else " " * 10
        yield f"{name:11}|{score.correct:10} |{score.gold_total:10} |{score.system_total:10} |{aligned}\n"
