"""Random choices that depend on a seed and a name, never on the order in which they are made.

So the same seed gives the same data set on every machine, even if the build was interrupted and resumed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from heapq import heappush, heapreplace
from typing import Generic, TypeVar

SEED = 12345
"""The seed of all samples unless another one is given."""


def draw(seed: int, *key: str) -> float:
    """Return a pseudo-random number in [0, 1) that is determined by `seed` and `key`.

    >>> draw(1, "split", "fr", "A") == draw(1, "split", "fr", "A") != draw(2, "split", "fr", "A")
    True
    """
    digest = blake2b("\0".join((str(seed), *key)).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return (int.from_bytes(digest, "big") >> 11) / 2**53


def choose(weights: Mapping[str, float], drawn: float) -> str:
    """Return one of the names in `weights`, each as likely as its weight says.

    `drawn` is a random number in [0, 1). Where rounding leaves a remainder, the last name with a positive
    weight is chosen.

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


Item = TypeVar("Item")


class BoundedSample(Generic[Item]):
    """A random sample of at most `most` named items out of any number.

    The names with the smallest draws are kept, so the sample does not depend on the order in which names are
    added.

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
        # A heap with the largest draw on top, which goes when a smaller one comes: its name cannot get in
        # again.
        self._draws: list[tuple[float, str]] = []

    def add(self, name: str, make: Callable[[], Item]) -> Item | None:
        """Return the item kept under `name`, or None if the name is not in the sample.

        A name that is new to the sample gets an item from `make`.
        """
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
        """Return names and items by rising draw, which is a random order."""
        return [(name, self._kept[name]) for _, name in sorted(self._draws, reverse=True)]
