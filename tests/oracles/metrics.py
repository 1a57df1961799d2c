"""Other published segmentation metrics, for equal characters (segmentation rules, section 3).

Counts are (correct, gold, system). Where a metric is counted for each gold document, gold is a list of
documents, and the system is one document over the same characters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from oracles.spans import (
    Counts,
    Document,
    check_same_line,
    count_equal,
    line,
    sentence_spans,
    spans_of,
    strip_white_space,
    token_spans,
)

CANDIDATES = frozenset(".?!…。！？")


class Judged(NamedTuple):
    """Numbers of binary decisions: yes on both sides, on the system's only, on gold's only, on neither."""

    both: int
    system_only: int
    gold_only: int
    neither: int

    @property
    def correct(self) -> int:
        """Number of decisions that agree."""
        return self.both + self.neither


def join(documents: Sequence[Document]) -> list[Sequence[str]]:
    """Concatenate several documents."""
    return [sentence for document in documents for sentence in document]


def sentence_ends(document: Document) -> set[int]:
    """Return the positions where a sentence ends."""
    return {end for _, end in sentence_spans(document)}


def token_ends(document: Document) -> set[int]:
    """Return the positions where a token ends."""
    return {end for _, end in token_spans(document)}


def document_ends(documents: Sequence[Document]) -> set[int]:
    """Return the positions where a document ends."""
    return {end for _, end in spans_of(line(document) for document in documents)}


def count_points(gold: set[int], system: set[int]) -> Counts:
    """Count correct, gold and system points on the line."""
    return len(gold & system), len(gold), len(system)


def boundaries(gold: Document, system: Document) -> Counts:
    """Count sentence ends as points on the line."""
    check_same_line(gold, system)
    return count_points(sentence_ends(gold), sentence_ends(system))


def boundaries_inner(gold: Sequence[Document], system: Document) -> Counts:
    """Count sentence ends, leaving out on both sides the points where a gold document ends."""
    check_same_line(join(gold), system)
    outer = document_ends(gold)
    return count_points(sentence_ends(join(gold)) - outer, sentence_ends(system) - outer)


def token_boundaries(gold: Sequence[Document], system: Document) -> Counts:
    """Count token ends, leaving out on both sides the points where a gold document ends."""
    check_same_line(join(gold), system)
    outer = document_ends(gold)
    return count_points(token_ends(join(gold)) - outer, token_ends(system) - outer)


def labels_of(document: Document) -> str:
    """Return a label for each character: S starts a sentence, T a token, I is inside (Evang et al. 2013)."""
    labels = ""
    for sentence in document:
        starts_sentence = True
        for token in sentence:
            for number, _ in enumerate(strip_white_space(token)):
                labels += "I" if number else "S" if starts_sentence else "T"
                starts_sentence = False
    return labels


def bio(gold: Document, system: Document) -> dict[str, Counts]:
    """Return counts for each of the labels S, T and I, and for all labels together (`all`).

    Accuracy is correct over gold of `all`, and the error rate is one minus accuracy.
    """
    check_same_line(gold, system)
    pairs = list(zip(labels_of(gold), labels_of(system), strict=True))
    counts = {}
    for label in "STI":
        correct = sum(pair == (label, label) for pair in pairs)
        counts[label] = (correct, sum(g == label for g, _ in pairs), sum(s == label for _, s in pairs))
    counts["all"] = (sum(g == s for g, s in pairs), len(pairs), len(pairs))
    return counts


def disambiguation(gold: Document, system: Document, candidates: Collection[str] = CANDIDATES) -> Judged:
    """Judge each candidate character of the line: does a sentence end right after it?

    Every such character is a candidate, also inside a token (Palmer and Hearst 1997).
    """
    check_same_line(gold, system)
    gold_ends, system_ends = sentence_ends(gold), sentence_ends(system)
    ends = [end for end, character in enumerate(line(gold), start=1) if character in candidates]
    seen = Counter((end in gold_ends, end in system_ends) for end in ends)
    return Judged(seen[True, True], seen[False, True], seen[True, False], seen[False, False])


def blocks(gold: Document, system: Document) -> Iterator[tuple[Document, Document]]:
    """Yield the smallest stretches that begin and end at a sentence boundary of both sides (section 1)."""
    shared = sorted({0} | (sentence_ends(gold) & sentence_ends(system)))
    for start, end in pairwise(shared):
        yield sentences_within(gold, start, end), sentences_within(system, start, end)


def sentences_within(document: Document, start: int, end: int) -> list[Sequence[str]]:
    """Return the non-empty sentences between two positions."""
    spans = sentence_spans(document)
    return [s for s, (left, right) in zip(document, spans, strict=True) if start <= left < right <= end]


def tokens_of(document: Document) -> list[str]:
    """Return all tokens without white space."""
    return [strip_white_space(token) for sentence in document for token in sentence]


def boundary_string(document: Document) -> str:
    """Return one symbol for each character: 2 if a sentence ends after it, 1 if only a token does, else 0."""
    ends, inner_ends = sentence_ends(document), token_ends(document)
    return "".join(
        "2" if end in ends else "1" if end in inner_ends else "0" for end in range(1, len(line(document)) + 1)
    )


def levenshtein(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the fewest insertions, deletions and substitutions of elements that turn `left` into `right`."""
    row = list(range(len(right) + 1))
    for i, mine in enumerate(left, start=1):
        above, row = row, [i]
        for j, theirs in enumerate(right, start=1):
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (mine != theirs)))
    return row[-1]


def edit_distance(gold: Document, system: Document) -> tuple[int, int]:
    """Return the Levenshtein distance over tokens, summed over blocks, and the number of gold tokens."""
    check_same_line(gold, system)
    distance = sum(levenshtein(tokens_of(left), tokens_of(right)) for left, right in blocks(gold, system))
    return distance, len(tokens_of(gold))


def boundary_edit_distance(gold: Document, system: Document) -> tuple[int, int]:
    """Return the Levenshtein distance over boundary strings, summed over blocks, and the line's length."""
    check_same_line(gold, system)
    distance = sum(
        levenshtein(boundary_string(left), boundary_string(right)) for left, right in blocks(gold, system)
    )
    return distance, len(line(gold))


def oov(gold: Document, system: Document, vocabulary: Collection[str]) -> dict[str, tuple[int, int]]:
    """Return correct and all gold tokens, in the word list (`in`) and outside it (`out`), as in SIGHAN.

    A gold token is correct if the system has a token with the same span.
    """
    check_same_line(gold, system)
    system_spans = set(token_spans(system))
    counts = {"in": (0, 0), "out": (0, 0)}
    for token, span in zip(tokens_of(gold), token_spans(gold), strict=True):
        name = "in" if token in vocabulary else "out"
        correct, total = counts[name]
        counts[name] = (correct + (span in system_spans), total + 1)
    return counts


def sentence_accuracy(gold: Document, system: Document) -> tuple[int, int]:
    """Return the numbers of correct and of all gold sentences.

    A gold sentence is correct if the system has exactly its tokens in its place; the system's sentence
    boundaries do not matter.
    """
    check_same_line(gold, system)
    gold_tokens, system_tokens = token_spans(gold), token_spans(system)
    correct = 0
    for start, end in sentence_spans(gold):
        mine = [span for span in gold_tokens if start <= span[0] and span[1] <= end]
        theirs = [span for span in system_tokens if span[0] < end and start < span[1]]
        correct += count_equal(mine, theirs) == (len(mine),) * 3
    return correct, len(gold)
