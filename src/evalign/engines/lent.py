"""An engine that belongs to somebody else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar, final

from evalign.engines.engine import Engine

Item = TypeVar("Item")
Found = TypeVar("Found")


@final
class Lent:
    """Works as the engine does, and leaves it open."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @property
    def name(self) -> str:
        """What messages call it."""
        return self._engine.name

    @property
    def n_workers(self) -> int:
        """How many items can be worked on at the same time."""
        return self._engine.n_workers

    @property
    def is_remote(self) -> bool:
        """Whether the workers may see other files than this process does."""
        return self._engine.is_remote

    def run(self, function: Callable[[Item], Found], items: Iterable[Item]) -> Iterator[tuple[int, Found]]:
        """Each item's number and result, as they finish."""
        return self._engine.run(function, items)

    def close(self) -> None:
        """It is its owner's to close."""

    def __enter__(self) -> Lent:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()
