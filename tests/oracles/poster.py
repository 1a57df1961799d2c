"""Algorithm 1 as the poster of Jo et al. 2024 prints it, which is not that of the paper: sentences as strings without spaces."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Similar = Callable[[str, str], bool]
Pair = tuple[Sequence[str], Sequence[str], bool]


def letters_alike(one: str, other: str) -> bool:
    """One reading of the similarity that the poster leaves open: the same letters and digits."""
    return [c for c in one if c.isalnum()] == [c for c in other if c.isalnum()]


def align(system: Sequence[str], gold: Sequence[str], similar: Similar = letters_alike) -> list[Pair]:
    """Pairs of sentences, and whether each matched or was merged; what is behind the end of a side matches nothing."""

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
            # As far as the loop got; the pair it stands at belongs to what was merged.
            left += system[i : i + 1]
            right += gold[j : j + 1]
            pairs.append((left, right, False))
        i += 1
        j += 1
    return pairs


def count_matched(pairs: Sequence[Pair]) -> int:
    """How many sentences it finds: pairs that matched."""
    return sum(is_matched for *_, is_matched in pairs)
