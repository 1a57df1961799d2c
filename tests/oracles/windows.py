"""Pk and WindowDiff, with the window sizes of evalign and of two packages (segmentation rules, section 3).

A segmentation is a string of gaps: one symbol between two tokens, 1 where a sentence ends and 0 elsewhere, so
n tokens have n - 1 gaps. Scores are (errors, windows). Their ratio is the score, and they add up over
documents.

| | window k, n tokens, s sentences | number of windows |
|---|---|---|
| evalign | round(n / 2s), at least 1 | n - k |
| nltk 3.10 `pk` | round((n - 1) / 2(s - 1)), s - 1 at least 1 | n - k |
| segeval 2.0 | round(n / 2s), at least 2 | n - k |

All of them round halves to even. nltk's `windowdiff` has no default; the window of nltk's `pk` is used for
it. Each window holds k gaps. Pk asks whether the window contains a boundary, WindowDiff how many it contains.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from oracles.metrics import join, sentence_ends
from oracles.spans import Document, check_same_line, line, token_spans

Errors = tuple[int, int]
Window = Callable[[str], int]


def window(gaps: str) -> int:
    """Return half the mean gold sentence length, at least 1."""
    return max(1, round(Fraction(len(gaps) + 1, 2 * (gaps.count("1") + 1))))


def window_nltk(gaps: str) -> int:
    """Return nltk's default: half of the gaps per boundary, which may be 0."""
    return round(Fraction(len(gaps), 2 * max(1, gaps.count("1"))))


def window_segeval(gaps: str) -> int:
    """Return segeval's default: half the mean gold sentence length, at least 2."""
    return max(2, round(Fraction(len(gaps) + 1, 2 * (gaps.count("1") + 1))))


def pk_of_gaps(gold: str, system: str, k: int) -> Errors:
    """Count windows in which only one side has a boundary (Beeferman et al. 1999)."""
    starts = range(len(gold) - k + 1)
    errors = sum(("1" in gold[i : i + k]) != ("1" in system[i : i + k]) for i in starts)
    return errors, len(starts)


def windowdiff_of_gaps(gold: str, system: str, k: int) -> Errors:
    """Count windows in which the numbers of boundaries differ (Pevzner and Hearst 2002)."""
    starts = range(len(gold) - k + 1)
    errors = sum(gold[i : i + k].count("1") != system[i : i + k].count("1") for i in starts)
    return errors, len(starts)


def gaps_of(document: Document, ends: set[int]) -> str:
    """Return the gaps of a gold document: 1 where a sentence ends within or right after the preceding token.

    Units are gold tokens, so a system boundary inside a gold token is moved to the token's end.
    """
    spans = token_spans(document)[:-1]
    return "".join("1" if any(start < end <= stop for end in ends) else "0" for start, stop in spans)


def gaps_per_document(gold: Sequence[Document], system: Document) -> list[tuple[str, str]]:
    """Return gold and system gaps of every gold document that has a token."""
    check_same_line(join(gold), system)
    gaps = []
    offset = 0
    for document in gold:
        ends = {end - offset for end in sentence_ends(system)}
        if token_spans(document):
            gaps.append((gaps_of(document, sentence_ends(document)), gaps_of(document, ends)))
        offset += len(line(document))
    return gaps


def pk(gold: Sequence[Document], system: Document, choose: Window = window) -> Errors:
    """Return Pk over gold tokens, summed over gold documents."""
    scores = [pk_of_gaps(*gaps, choose(gaps[0])) for gaps in gaps_per_document(gold, system)]
    return sum(errors for errors, _ in scores), sum(windows for _, windows in scores)


def windowdiff(gold: Sequence[Document], system: Document, choose: Window = window) -> Errors:
    """Return WindowDiff over gold tokens, summed over gold documents."""
    scores = [windowdiff_of_gaps(*gaps, choose(gaps[0])) for gaps in gaps_per_document(gold, system)]
    return sum(errors for errors, _ in scores), sum(windows for _, windows in scores)
