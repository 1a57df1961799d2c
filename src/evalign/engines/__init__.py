"""Engines: a function mapped over items in this process, in several, or on a cluster; the results are the same.

    >>> with open_engine(None) as engine:
    ...     list(run_ordered(engine, abs, [-1, 2, -3]))
    [1, 2, 3]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

Item = TypeVar("Item")
Found = TypeVar("Found")


class Engine(Protocol):
    """Where work is done."""

    @property
    def name(self) -> str:
        """What messages call it."""

    @property
    def n_workers(self) -> int:
        """How many items can be worked on at the same time."""

    def run(self, function: Callable[[Item], Found], items: Iterable[Item]) -> Iterator[tuple[int, Found]]:
        """Each item's number and result, as they finish; items are drawn when there is room for them.

        What the function raises is raised here. A worker that dies loses nothing: its items are run again.
        """

    def close(self) -> None:
        """Let go of the workers."""

    def __enter__(self) -> Engine:
        """The engine."""

    def __exit__(self, *raised: object) -> None:
        """Let go of the workers."""


def run_ordered(
    engine: Engine, function: Callable[[Item], Found], items: Iterable[Item]
) -> Iterator[Found]:
    """The results in the order of the items."""
    waiting: dict[int, Found] = {}
    due = 0
    for number, found in engine.run(function, items):
        waiting[number] = found
        while due in waiting:
            yield waiting.pop(due)
            due += 1


def open_engine(given: Engine | None = None) -> Engine:
    """An engine: this process, unless another is given."""
    from evalign.engines.here import Here

    return Here() if given is None else given
