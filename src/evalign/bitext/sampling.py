"""Choices that depend on a seed and a name, never on the order in which they are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from heapq import heappush, heapreplace
from typing import Generic, TypeVar

# Random decisions that depend on a seed and on what is decided, never on the order in which it is.
#
# The same seed gives the same data set, on every machine, and whatever was done before the run was interrupted.


SEED = 12345
"""Where samples start, unless another seed is given."""


def draw(seed: int, *key: str) -> float:
    """A number from 0 up to, but without, 1, that belongs to a seed and a key.

    >>> draw(1, "split", "fr", "A") == draw(1, "split", "fr", "A") != draw(2, "split", "fr", "A")
    True
    """
    digest = blake2b("\0".join((str(seed), *key)).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return (int.from_bytes(digest, "big") >> 11) / 2**53


def choose(weights: Mapping[str, float], drawn: float) -> str:
    """One of some names, each as likely as it weighs; the last with any weight where rounding leaves a rest.

    >>> choose({"sample": 2, "training": 49, "test": 49}, 0.5)
    'training'
    """
    left = drawn * sum(weights.values())
    chosen = ""
    for name, weight in weights.items():
        if weight > 0:
            chosen = name
            left -= weight
            if left < 0:
                break
    return chosen


# A bounded sample of named things: those whose draws are smallest, so it does not depend on the order they come in.


Item = TypeVar("Item")


class BoundedSample(Generic[Item]):
    """At most so many items, each under its name.

    >>> sample = BoundedSample[list[str]](2, 1, "documents")
    >>> for name, sentence in [("a", "1"), ("b", "2"), ("c", "3"), ("a", "4"), ("b", "5"), ("c", "6")]:
    ...     kept = sample.add(name, list)
    ...     if kept is not None:
    ...         kept.append(sentence)
    >>> sorted(sample.items())
    [('b', ['2', '5']), ('c', ['3', '6'])]
    """

    def __init__(self, most: int, seed: int, *key: str) -> None:
        self._most, self._seed, self._key = most, seed, key
        self._kept: dict[str, Item] = {}
        # The largest draw is on top: it goes when a smaller one comes, and its name never comes back.
        self._draws: list[tuple[float, str]] = []

    def add(self, name: str, make: Callable[[], Item]) -> Item | None:
        """What is kept under a name, made if it is new; None where the name is not in the sample."""
        if name in self._kept:
            return self._kept[name]
        drawn = (-draw(self._seed, *self._key, name), name)
        if len(self._draws) < self._most:
            heappush(self._draws, drawn)
        elif self._most and drawn > self._draws[0]:
            del self._kept[heapreplace(self._draws, drawn)[1]]
        else:
            return None
        self._kept[name] = make()
        return self._kept[name]

    def items(self) -> list[tuple[str, Item]]:
        """Names and what is kept under them, by rising draw: in random order."""
        return [(name, self._kept[name]) for _, name in sorted(self._draws, reverse=True)]
