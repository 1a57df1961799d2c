"""Errors one can look at, with the text around them: what a score alone does not show.

`misplaced` finds those of spans, `confusions` those of pairs of words; `evidence` finds either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evalign.document import Document, IntArray
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


class Surroundings(NamedTuple):
    """The row of tokens, or of words, that an error stands in, and where: its context is what comes before and behind."""

    document: Document
    first: int
    last: int
    of_words: bool = False

    def before(self) -> str:
        """The last ones before it."""
        return self._join(max(0, self.first - CONTEXT), self.first)

    def after(self) -> str:
        """The first ones behind it."""
        return self._join(self.last, min(self.last + CONTEXT, self._size()))

    def lacking(self) -> tuple[int, int]:
        """How many it would have more before and behind, were there more text."""
        return max(0, CONTEXT - self.first), max(0, CONTEXT - (self._size() - self.last))

    def _size(self) -> int:
        return self.document.n_words if self.of_words else self.document.n_tokens

    def _join(self, first: int, last: int) -> str:
        if self.of_words:
            return " ".join(map(self.document.word, range(first, last)))
        return " ".join(self.document.tokens(first, last))


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


def find_blocks(document: Document, cuts: IntArray, tokens: IntArray) -> IntArray:
    """The block of sentences that each of some tokens of a side is in, given the side's cuts of blocks."""
    return np.searchsorted(document.sentences[cuts[1:]], tokens, side="right")


def find_start(comparison: Comparison, position: int) -> tuple[int | None, str]:
    """A position on the gold line and no file, or, where there is raw text, in its characters, and which file."""
    if comparison.raw is None:
        return position, ""
    place = comparison.raw.place(position)
    return (place.offset, place.file) if place else (None, "")
