"""Algorithm 1 of Jo et al. 2024 as the paper prints it, for comparison.

It looks one pair ahead: after a mismatch it adds sentences until the *next* two are equal, so a repeated sentence ends the
search too early (docs/printed.md). L is the system, R the gold; the shorter side grows, the system's on a tie. When one
side has run out, the other is used up. Tokens of aligned sentences are counted by the same loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evalign.document import Document


@dataclass(frozen=True, slots=True)
class PrintedCounts:
    """Correct sentences and tokens as Algorithm 1 counts them."""

    sentences: int
    tokens: int


def count_printed(gold: Sequence[Sequence[str]], system: Sequence[Sequence[str]]) -> PrintedCounts:
    """Run the printed loop over sentences, and inside each aligned pair over tokens."""
    lefts, rights = (["".join(tokens) for tokens in side] for side in (system, gold))
    sentences = tokens = 0
    for (l0, l1), (r0, r1) in align_printed(lefts, rights):
        sentences += l1 - l0 == r1 - r0 == 1 and lefts[l0] == rights[r0]
        left = [token for tokens_ in system[l0:l1] for token in tokens_]
        right = [token for tokens_ in gold[r0:r1] for token in tokens_]
        tokens += sum(
            b - a == d - c == 1 and left[a] == right[c] for (a, b), (c, d) in align_printed(left, right)
        )
    return PrintedCounts(sentences, tokens)


def align_printed(left: Sequence[str], right: Sequence[str]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Pairs of stretches of both sides, in order, as the loop makes them."""
    pairs = []
    i = j = 0
    while i < len(left) and j < len(right):
        first_i, first_j = i, j
        if left[i] != right[j]:
            lengths = len(left[i]), len(right[j])
            while not _next_equal(left, right, i, j):
                if j + 1 < len(right) and (lengths[0] > lengths[1] or i + 1 >= len(left)):
                    j += 1
                    lengths = lengths[0], lengths[1] + len(right[j])
                else:
                    i += 1
                    lengths = lengths[0] + len(left[i]), lengths[1]
        i, j = i + 1, j + 1
        pairs.append(((first_i, i), (first_j, j)))
    return pairs


def _next_equal(left: Sequence[str], right: Sequence[str], i: int, j: int) -> bool:
    """Whether the next pair is equal, or nothing comes next on either side."""
    if i + 1 >= len(left) or j + 1 >= len(right):
        return i + 1 >= len(left) and j + 1 >= len(right)
    return left[i + 1] == right[j + 1]


def word_sentences(document: Document) -> list[list[str]]:
    """Sentences as lists of words rather than tokens."""
    if document.words is None:
        return list(document)
    sentences: list[list[str]] = [[] for _ in range(document.n_sentences)]
    for word in range(document.n_words):
        sentences[document.sentence_of(document.word_token(word))].append(document.word(word))
    return sentences
