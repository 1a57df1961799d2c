"""Errors one can look at, with the text around them: what a score alone does not show.

`misplaced` finds those of spans, `confusions` those of pairs of words; `evidence` finds either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from evalign.errors import Place
from evalign.layers.comparison import Comparison
from evalign.layers.counts import ratio

# Tokens, or words, of context on each side.
CONTEXT = 6
# What stands for a token without characters.
NO_TEXT = "(empty)"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One error: what gold has, what the system has instead, and where."""

    metric: str
    kind: str
    gold: tuple[str, ...]
    """Spans: what gold wrote. Pairs of words: gold's label, or the features that differ."""
    system: tuple[str, ...]
    gold_place: Place | None
    system_place: Place | None
    start: int | None
    """Where it begins on the gold line; with raw text, in characters of that, None where that lacks it."""
    before: str
    after: str
    trigger: str = ""
    word: str = ""
    """The gold word that is labelled otherwise; no error of spans has one."""
    gold_head: str = ""
    """What the word hangs on, where that is what was judged: a word, ROOT, none, outside or cycle."""
    system_head: str = ""
    raw_file: str = ""
    """The raw text that `start` is a place in; nothing without raw text."""


@dataclass(frozen=True, slots=True)
class ErrorGroup:
    """Errors that are the same in kind and in what was written; of sentences, in kind and trigger."""

    kind: str
    trigger: str
    gold: tuple[str, ...]
    system: tuple[str, ...]
    count: int
    examples: tuple[Mismatch, ...]
    """The first ones; those of a saved result are among the errors it kept."""
    gold_words: int = 0
    """How many gold words that have a partner are labelled as these are; 0 of spans."""

    @property
    def share(self) -> float | None:
        """Which part of the gold words with this label is labelled so; None where that means nothing."""
        return ratio(self.count, self.gold_words)


def group_mismatches(mismatches: Iterable[Mismatch], examples: int = 3) -> list[ErrorGroup]:
    """Errors grouped, commonest first, each group with a few examples."""
    found: dict[tuple[str, str, tuple[str, ...], tuple[str, ...]], list[Mismatch]] = {}
    counts: Counter[tuple[str, str, tuple[str, ...], tuple[str, ...]]] = Counter()
    for mismatch in mismatches:
        is_sentence = mismatch.metric == "sentences"
        written = ((), ()) if is_sentence else (mismatch.gold, mismatch.system)
        key = (mismatch.kind, mismatch.trigger, *written)
        counts[key] += 1
        kept = found.setdefault(key, [])
        if len(kept) < examples:
            kept.append(mismatch)
    ranked = sorted(counts, key=lambda key: (-counts[key], key))
    return [ErrorGroup(*key, counts[key], tuple(found[key])) for key in ranked]


def find_start(comparison: Comparison, position: int) -> tuple[int | None, str]:
    """A position on the gold line and no file, or, where there is raw text, in its characters, and which file."""
    if comparison.raw is None:
        return position, ""
    place = comparison.raw.place(position)
    return (place.offset, place.file) if place else (None, "")
