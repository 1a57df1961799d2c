"""The engine that is this process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar, final

Item = TypeVar("Item")
Found = TypeVar("Found")


@final
class Here:
    """One item after the other."""

    name = "this process"
    n_workers = 1
    is_remote = False

    def run(self, function: Callable[[Item], Found], items: Iterable[Item]) -> Iterator[tuple[int, Found]]:
        """Each item's number and result."""
        for number, item in enumerate(items):
            yield number, function(item)

    def close(self) -> None:
        """There is nothing to let go of."""

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()
