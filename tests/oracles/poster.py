"""Algorithm 1 as printed on the poster of Jo et al. 2024, which differs from the paper's version.

Sentences are strings without spaces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Similar = Callable[[str, str], bool]
Pair = tuple[Sequence[str], Sequence[str], bool]


def letters_alike(one: str, other: str) -> bool:
    """Return whether both strings have the same letters and digits.

    This is one reading of the similarity that the poster leaves open.
    """
    return [c for c in one if c.isalnum()] == [c for c in other if c.isalnum()]


def align(system: Sequence[str], gold: Sequence[str], similar: Similar = letters_alike) -> list[Pair]:
    """Return groups of system and gold sentences, each with True if it matched and False if it was merged.

    An index beyond the end of a side matches nothing.
    """

    def equal(i: int, j: int) -> bool:
        return i < len(system) and j < len(gold) and system[i] == gold[j]

    def alike(i: int, j: int) -> bool:
        return i < len(system) and j < len(gold) and similar(system[i], gold[j])

    def matched(i: int, j: int) -> bool:
        return equal(i, j) or (alike(i, j) and (equal(i + 1, j + 1) or alike(i + 1, j + 1)))

    pairs: list[Pair] = []
    i = j = 0
    while i < len(system) and j < len(gold):
        if matched(i, j):
            pairs.append(([system[i]], [gold[j]], True))
        else:
            left, right = [], []
            while not matched(i + 1, j + 1) and i < len(system) and j < len(gold):
                if len(system[i]) > len(gold[j]):
                    left.append(system[i])
                    i += 1
                else:
                    right.append(gold[j])
                    j += 1
            # The pair at which the loop stopped belongs to the merged group.
            left += system[i : i + 1]
            right += gold[j : j + 1]
            pairs.append((left, right, False))
        i += 1
        j += 1
    return pairs


def count_matched(pairs: Sequence[Pair]) -> int:
    """Return the number of matched pairs, that is, of sentences that the algorithm finds."""
    return sum(is_matched for *_, is_matched in pairs)
