"""What the official scripts print, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evalign.compat.evaluation import Score

# The tables have another order than the scores: enhanced dependencies come last.
_ROWS = (
    "Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS", "CLAS", "MLAS", "BLEX",
    "ELAS", "EULAS",
)  # fmt: skip
_SUMMARY = {
    "LAS": "LAS F1 Score", "MLAS": "MLAS Score", "BLEX": "BLEX Score",
    "ELAS": "ELAS F1 Score", "EULAS": "EULAS F1 Score",
}  # fmt: skip
_RULE = "-----------+-----------+-----------+-----------+-----------\n"


def print_scores(scores: Mapping[str, Score], *, verbose: bool, counts: bool) -> str:
    """The table that the options ask for, of the metrics there are; counts win."""
    rows = {name: scores[name] for name in _ROWS if name in scores}
    show = _print_counts if counts else _print_ratios if verbose else _print_summary
    return "".join(show(rows))


def _print_summary(scores: Mapping[str, Score]) -> Iterator[str]:
    """The F1 of the main metrics, a line each."""
    for name, title in _SUMMARY.items():
        if name in scores:
            yield f"{title}: {100 * scores[name].f1:.2f}\n"


def _print_ratios(scores: Mapping[str, Score]) -> Iterator[str]:
    """Precision, recall, F1 and aligned accuracy in percent; the last cell may be empty."""
    yield "Metric     | Precision |    Recall |  F1 Score | AligndAcc\n" + _RULE
    for name, score in scores.items():
        ratios = "".join(f"{100 * ratio:10.2f} |" for ratio in (score.precision, score.recall, score.f1))
        accuracy = score.aligned_accuracy
        yield f"{name:11}|{ratios}{'' if accuracy is None else f'{100 * accuracy:10.2f}'}\n"


def _print_counts(scores: Mapping[str, Score]) -> Iterator[str]:
    """Correct, gold, system and aligned. Nothing aligned is shown as spaces, but for words: what is correct is."""
    yield "Metric     | Correct   |      Gold | Predicted | Aligned\n" + _RULE
    for name, score in scores.items():
        aligned = score.aligned_total or (score.correct if name == "Words" else "")
        yield f"{name:11}|{score.correct:10} |{score.gold_total:10} |{score.system_total:10} |{aligned:10}\n"
