"""What an engine is, and the one that works in this process."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeAlias, TypeVar, final

from evalign.errors import CommandError, quote

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


EngineInput: TypeAlias = "Engine | DaskClient | int | str | None"
"""What `open_engine` takes."""


@final
class SerialEngine:
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

    def __enter__(self) -> SerialEngine:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


# Nobody has so many cores on one machine, and every item under way takes memory.
MOST_WORKERS = 1024
LOCAL = "local:"
_ADDRESS = re.compile(
    r"(?:(?P<protocol>[a-z][a-z0-9+]*)://)?"  # how to talk to it: tcp, tls, ucx, ws
    r"(?:\[(?P<number>[0-9a-fA-F:.%]+)\]|(?P<host>[^\s:/\[\]@]+))"  # a number of version 6, another, or a name
    r":(?P<port>[0-9]{1,5})/?"
)
_EXPECTED = f"tcp://HOST:PORT, or {LOCAL}N for N workers on this machine"


def find_listener(address: str) -> tuple[str, int] | None:
    """The host and port of an address, where one talks to it over TCP as it is.

    >>> find_listener("tcp://[::1]:8786"), find_listener("tls://10.0.0.1:8786")
    (('::1', 8786), None)
    """
    matched = _ADDRESS.fullmatch(address)
    if matched is None or matched["protocol"] not in (None, "tcp"):
        return None
    return matched["number"] or matched["host"], int(matched["port"])


def check_jobs(n_workers: int) -> int:
    """So many processes as there can be; raises `CommandError` for others."""
    if not 1 <= n_workers <= MOST_WORKERS:
        problem = f"{n_workers} processes to work in"
        raise CommandError(problem, f"a number from 1 to {MOST_WORKERS}")
    return n_workers


def parse_cluster(text: str) -> int | str:
    """How many workers to start on this machine, or an address to connect to.

    >>> parse_cluster("local:2"), parse_cluster("tcp://10.0.0.1:8786")
    (2, 'tcp://10.0.0.1:8786')
    """
    if text.startswith(LOCAL):
        number = text.removeprefix(LOCAL)
        is_number = number.isascii() and number.isdigit() and len(number) < 10
        if not is_number or not 1 <= int(number) <= MOST_WORKERS:
            problem = f"a cluster {quote(text)}"
            raise CommandError(problem, f"{LOCAL}N, where N is a number from 1 to {MOST_WORKERS}")
        return int(number)
    matched = _ADDRESS.fullmatch(text)
    if matched is None or not 1 <= int(matched["port"]) <= 65535:
        problem = f"a cluster {quote(text)}, which is not an address"
        raise CommandError(problem, _EXPECTED, "a scheduler says its address when it starts: dask scheduler")
    return text


@final
class BorrowedEngine:
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

    def __enter__(self) -> BorrowedEngine:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()
