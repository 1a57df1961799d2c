"""Algorithm 1 as printed in Jo et al. (2024), section 3.2. It is for comparison only.

L is the system and R is gold, as in the paper's notation. `len(L') > len(R')` is strict, so on equal lengths
the system side grows. L' and R' are emptied at each new mismatch. The paper does not say what happens at the
ends: here, when one side has no next element, the other side is consumed.

The loop looks one pair ahead and takes equal next elements for a meeting point. Where sentences repeat, it
can therefore meet at a wrong point.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from oracles.spans import Counts, Document, line, strip_white_space


def walk(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[range, range]]:
    """Yield the groups of Algorithm 1: one element against one, or a merged stretch of both sides."""
    i = j = 0
    while i < len(left) and j < len(right):
        first_i, first_j = i, j
        if left[i] != right[j]:
            left_length, right_length = len(left[i]), len(right[j])
            while not is_meeting(left, right, i + 1, j + 1):
                if i + 1 == len(left) or (j + 1 < len(right) and left_length > right_length):
                    j += 1
                    right_length += len(right[j])
                else:
                    i += 1
                    left_length += len(left[i])
        i += 1
        j += 1
        yield range(first_i, i), range(first_j, j)


def is_meeting(left: Sequence[str], right: Sequence[str], i: int, j: int) -> bool:
    """Return whether the next elements are equal, or both sides are at their end."""
    if i >= len(left) or j >= len(right):
        return i >= len(left) and j >= len(right)
    return left[i] == right[j]


def is_match(left: Sequence[str], right: Sequence[str], group: tuple[range, range]) -> bool:
    """Return whether a group is one element on each side, and both are equal."""
    i, j = group
    return len(i) == len(j) == 1 and left[i[0]] == right[j[0]]


def count_matches(left: Sequence[str], right: Sequence[str]) -> int:
    """Count the true positives of Algorithm 1 over two sequences."""
    return sum(is_match(left, right, group) for group in walk(left, right))


def count_printed(gold: Document, system: Document) -> dict[str, Counts]:
    """Count sentences and, by the same loop inside each group of sentences, tokens."""
    left = [line([sentence]) for sentence in system]
    right = [line([sentence]) for sentence in gold]
    sentences = tokens = 0
    for group in walk(left, right):
        sentences += is_match(left, right, group)
        left_tokens = [strip_white_space(token) for i in group[0] for token in system[i]]
        right_tokens = [strip_white_space(token) for j in group[1] for token in gold[j]]
        tokens += count_matches(left_tokens, right_tokens)
    return {
        "sentences": (sentences, len(gold), len(system)),
        "tokens": (tokens, sum(map(len, gold)), sum(map(len, system))),
    }
