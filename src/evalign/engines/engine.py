"""What an engine is, and what stands for one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeAlias, TypeVar

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

    @property
    def is_remote(self) -> bool:
        """Whether the workers may see other files than this process does: then they are the ones to read them."""

    def run(self, function: Callable[[Item], Found], items: Iterable[Item]) -> Iterator[tuple[int, Found]]:
        """Each item's number and result, as they finish; items are drawn when there is room for them.

        What the function raises is raised here. A worker that dies loses nothing: its items are run again.
        """

    def close(self) -> None:
        """Let go of the workers."""

    def __enter__(self) -> Engine:  # noqa: PYI034 - whatever it is, it is used as an engine
        """The engine."""

    def __exit__(self, *raised: object) -> None:
        """Let go of the workers."""


class DaskClient(Protocol):
    """A `distributed.Client`, as far as one need know it to tell that it is one."""

    @property
    def submit(self) -> Callable[..., object]:
        """Ask for something."""

    @property
    def scheduler_info(self) -> Callable[..., object]:
        """Who is there to ask."""


Given: TypeAlias = "Engine | DaskClient | int | str | None"
"""What `open_engine` takes."""
