"""A bounded sample of named things: those whose draws are smallest, so it does not depend on the order they come in."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappush, heapreplace
from typing import Generic, TypeVar

from evalign.bitext.draws import draw

Item = TypeVar("Item")


class Sample(Generic[Item]):
    """At most so many items, each under its name.

    >>> sample = Sample[list[str]](2, 1, "documents")
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
