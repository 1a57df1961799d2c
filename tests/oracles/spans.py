"""Sentences and tokens as spans, for two documents over the same characters.

A sentence or token is correct if both documents have its span: the multiset intersection of spans
(segmentation rules, section 1; Jo et al. 2024, section 3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

Document = Sequence[Sequence[str]]
Span = tuple[int, int]
Counts = tuple[int, int, int]

WHITE_SPACE = frozenset(
    "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
)
"""Characters with the Unicode property White_Space, which the line leaves out (design, section 4)."""


def strip_white_space(token: str) -> str:
    """Return the characters of a token that are on the line."""
    return "".join(character for character in token if character not in WHITE_SPACE)


def line(document: Document) -> str:
    """Return all characters of a document that are not white space."""
    return "".join(strip_white_space(token) for sentence in document for token in sentence)


def spans_of(pieces: Iterable[str]) -> list[Span]:
    """Return the spans of strings that follow one another on a line."""
    spans = []
    start = 0
    for piece in pieces:
        end = start + len(piece)
        spans.append((start, end))
        start = end
    return spans


def token_spans(document: Document) -> list[Span]:
    """Return the span of every token, in order."""
    return spans_of(strip_white_space(token) for sentence in document for token in sentence)


def sentence_spans(document: Document) -> list[Span]:
    """Return the span of every sentence, in order."""
    return spans_of(line([sentence]) for sentence in document)


def count_equal(gold: Iterable[Span], system: Iterable[Span]) -> Counts:
    """Count correct, gold and system spans by multiset intersection."""
    gold_counter, system_counter = Counter(gold), Counter(system)
    correct = gold_counter & system_counter
    return correct.total(), gold_counter.total(), system_counter.total()


def check_same_line(gold: Document, system: Document) -> None:
    """Raise ValueError if the documents differ in characters."""
    if line(gold) != line(system):
        message = "the documents differ in characters"
        raise ValueError(message)


def count_spans(gold: Document, system: Document) -> dict[str, Counts]:
    """Count correct, gold and system sentences and tokens of two documents with the same characters."""
    check_same_line(gold, system)
    return {
        "sentences": count_equal(sentence_spans(gold), sentence_spans(system)),
        "tokens": count_equal(token_spans(gold), token_spans(system)),
    }
