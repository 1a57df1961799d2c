"""A search engine for sentences, behind an interface small enough that another one can stand in for it.

A sentence is the terms it was analysed into, and its number is its place in the order in which sentences were indexed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol


class Query(NamedTuple):
    """Terms of which a sentence must have some; phrases of them add to its score, and are never asked for."""

    terms: tuple[str, ...]
    minimum: int = 1
    """How many of the distinct terms a sentence must have."""
    phrase_slop: int | None = None
    """How far the terms may be moved to make the phrase of all of them; None for no such phrase."""
    pair_slop: int | None = None
    """The same of every two neighbours."""
    weights: tuple[float, ...] = ()
    """What each term counts; 1 where there are none."""


class Hit(NamedTuple):
    """A sentence that was found."""

    number: int
    score: float


class SearchIndex(Protocol):
    """Sentences that can be searched."""

    def search(self, query: Query, most: int) -> list[Hit]:
        """The best sentences, by falling score and then by number; at most so many."""


class SearchEngine(Protocol):
    """Makes indexes."""

    def index(self, sentences: Iterable[Sequence[str]]) -> SearchIndex:
        """An index of sentences, each the terms it has, in their order."""
