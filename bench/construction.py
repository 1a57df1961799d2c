"""A text altered on purpose, and what must still be found in it: known by construction, without any aligner.

A text is sentences of tokens. Its altered copy is made of pieces, and each piece says which gold tokens its
tokens come from. So one can count which tokens are untouched, and which sentences are still there or gone.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

Sentences = Sequence[Sequence[str]]

# Two sentences in one place count if twice the length of their shared text is at least this share of the sum
# of their lengths.
ENOUGH = 1 / 3
# Below this share a sentence cannot be right, not even by chance.
NOTHING = 1 / 6


class Piece(NamedTuple):
    """Consecutive system tokens, and the gold tokens they come from as (sentence, token).

    Foreign tokens have none.
    """

    texts: tuple[str, ...]
    origins: tuple[tuple[int, int], ...] = ()


Rows = list[list[Piece]]


@dataclass(frozen=True)
class Text:
    """A gold text with material that may be inserted into it.

    `strangers` are other sentences of the same language, `foreign` are sentences of another one; both may be
    empty.
    """

    sentences: Sentences
    strangers: Sentences = field(default=())
    foreign: Sentences = field(default=())

    @cached_property
    def rows(self) -> Rows:
        """The unaltered text as pieces."""
        return [
            [Piece((token,), ((k, t),)) for t, token in enumerate(sentence)]
            for k, sentence in enumerate(self.sentences)
        ]

    @cached_property
    def letters(self) -> str:
        """All letters and digits of the text, each as often as it occurs."""
        return "".join(c for sentence in self.sentences for token in sentence for c in token if c.isalnum())

    @cached_property
    def tokens(self) -> list[str]:
        """All tokens of the text."""
        return [token for sentence in self.sentences for token in sentence]

    @cached_property
    def frequent(self) -> set[str]:
        """The twenty most frequent tokens that have a letter."""
        counts = Counter(token for token in self.tokens if any(map(str.isalpha, token)))
        return {token for token, _ in counts.most_common(20)}

    @cached_property
    def rare(self) -> list[str]:
        """Tokens with a letter that occur once."""
        counts = Counter(token for token in self.tokens if any(map(str.isalpha, token)))
        return [token for token, n in counts.items() if n == 1]

    @cached_property
    def rare_ones(self) -> frozenset[str]:
        """The tokens of `rare` as a set, for look-up."""
        return frozenset(self.rare)

    @cached_property
    def names(self) -> list[str]:
        """Capitalised tokens that do not begin their sentence."""
        return sorted({t for sentence in self.sentences for t in sentence[1:] if t[0].isupper()})


def drop_repeated(sentences: Sentences) -> list[list[str]]:
    """Leave out sentences that occurred before, because nobody could say which of the copies is meant."""
    seen: set[str] = set()
    kept = []
    for sentence in sentences:
        key = fold("".join(sentence))
        if key not in seen:
            seen.add(key)
            kept.append(list(sentence))
    return kept


@lru_cache(maxsize=200_000)
def fold(text: str) -> str:
    """Decompose for compatibility, drop marks and case, and write katakana as hiragana.

    This is what an aligner may look at.
    """
    parts = unicodedata.normalize("NFKD", text)
    bare = "".join(c for c in parts if unicodedata.category(c) != "Mn").casefold()
    return "".join(chr(ord(c) - 96) if "\u30a1" <= c <= "\u30f6" else c for c in bare)


@lru_cache(maxsize=200_000)
def count_shared(a: str, b: str) -> int:
    """Return the length of the longest common subsequence."""
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    a, b = a[start:], b[start:]
    end = 0
    while end < min(len(a), len(b)) and a[-1 - end] == b[-1 - end]:
        end += 1
    a, b = a[: len(a) - end], b[: len(b) - end]
    if not a or not b:
        return start + end
    row = [0] * (len(b) + 1)
    for x in a:
        diagonal = 0
        for j, y in enumerate(b):
            above = row[j + 1]
            row[j + 1] = diagonal + 1 if x == y else max(above, row[j])
            diagonal = above
    return start + end + row[-1]


def tidy(rows: Rows) -> Rows:
    """Remove white space inside tokens, empty tokens, and sentences that have become empty."""
    clean = []
    for row in rows:
        pieces = []
        for texts, origins in row:
            kept = tuple(text for text in ("".join(text.split()) for text in texts) if text)
            if kept:
                pieces.append(Piece(kept, origins))
        if pieces:
            clean.append(pieces)
    return clean


def system_sentences(rows: Rows) -> list[list[str]]:
    """Return the altered text as sentences of tokens."""
    return [[text for piece in row for text in piece.texts] for row in rows]


@dataclass(frozen=True)
class Expectation:
    """Expected counts by construction, for each gold sentence.

    `tokens` counts the untouched tokens, which must be found; `tokens_allowed` those that could be right at
    all. `sentences` is 1 if the sentence must be found, and `sentences_allowed` if it may be found. `kept` is
    the share of the characters of the gold text that is in the altered one.
    """

    tokens: list[int]
    tokens_allowed: list[int]
    sentences: list[int]
    sentences_allowed: list[int]
    kept: float


def expect(gold: Sentences, rows: Rows) -> Expectation:
    """Return what must be right in an altered text and what may be.

    A token must be found if its text is unchanged. A sentence must be found if one system sentence has
    everything that is left of it and nothing of another one, begins with its first token and ends with its
    last one (altered or not), and shares enough text with it. The same must hold for all copies of the
    sentence. A sentence may be found if only the ends are missing, or if it shares a little less text.
    """
    # If a token occurs several times, all copies must be untouched, because only one of them will be found.
    untouched: list[list[bool | None]] = [[None] * len(sentence) for sentence in gold]
    allowed = [[False] * len(sentence) for sentence in gold]
    shared = [[0] * len(sentence) for sentence in gold]
    present: list[set[int]] = [set() for _ in gold]
    n_shared = []
    for row in rows:
        n_row = 0
        for texts, origins in row:
            if not origins:
                continue
            k, t = origins[0]
            if len(texts) == len(origins) == 1:
                before, after = gold[k][t], texts[0]
                untouched[k][t] = untouched[k][t] is not False and after == before
                allowed[k][t] |= _could_be_right(before, after)
            else:
                before, after = "".join(gold[k][t] for k, t in origins), "".join(texts)
            n_piece = len(fold(before)) if before == after else count_shared(fold(before), fold(after))
            n_row += n_piece
            shared[k][t] = max(shared[k][t], n_piece)
            for k, t in origins:
                present[k].add(t)
        n_shared.append(n_row)
    lengths = [sum(len(fold(token)) for token in sentence) for sentence in gold]
    must, may = _expect_sentences(gold, rows, present, n_shared, lengths)
    return Expectation(
        [sum(map(bool, flags)) for flags in untouched],
        [sum(flags) for flags in allowed],
        must,
        may,
        sum(map(sum, shared)) / max(1, sum(lengths)),
    )


def _expect_sentences(
    gold: Sentences, rows: Rows, present: list[set[int]], n_shared: list[int], lengths: list[int]
) -> tuple[list[int], list[int]]:
    must: list[bool | None] = [None] * len(gold)
    may = [0] * len(gold)
    for row, common in zip(rows, n_shared, strict=True):
        owners = {k for piece in row for k, _ in piece.origins}
        if len(owners) != 1:
            continue
        [k] = owners
        if {t for piece in row for _, t in piece.origins} != present[k]:
            continue
        length = lengths[k] + sum(len(fold(text)) for piece in row for text in piece.texts)
        has_ends = (k, 0) in row[0].origins and (k, len(gold[k]) - 1) in row[-1].origins
        must[k] = must[k] is not False and has_ends and 2 * common >= ENOUGH * length
        may[k] |= 2 * common >= NOTHING * length
    return [int(bool(flag)) for flag in must], may


def _could_be_right(before: str, after: str) -> bool:
    """Return whether two tokens could be equal apart from notation.

    Tokens without letters and digits always could: quotes and brackets are written in many ways.
    """
    return fold(before) == fold(after) or not any(map(str.isalnum, before))


class Outcome(NamedTuple):
    """The score of one metric compared with what is known by construction.

    `asked` items must be right, and `lost` of them are not. `absent` items cannot be right, and `wrong` of
    them are nevertheless counted as right.
    """

    gold: int
    system: int
    correct: int
    asked: int
    lost: int
    absent: int
    wrong: int


def judge(
    units: Sequence[tuple[int, int]], asked: Sequence[int], allowed: Sequence[int], n_gold: int, n_system: int
) -> Outcome:
    """Compare correct counts with what must and may be correct, stretch by stretch.

    `units` has, for every stretch of the text, the number of its gold sentences and the correct count in it.
    `asked` and `allowed` have one number per gold sentence. Inside a stretch, items wrongly counted as
    correct make up for lost ones.
    """
    lost = wrong = start = 0
    for size, correct in units:
        lost += max(0, sum(asked[start : start + size]) - correct)
        wrong += max(0, correct - sum(allowed[start : start + size]))
        start += size
    correct = sum(correct for _, correct in units)
    return Outcome(n_gold, n_system, correct, sum(asked), lost, n_gold - sum(allowed), wrong)
