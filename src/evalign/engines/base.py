"""The `Engine` protocol, the engine of this process, and checks of numbers and addresses of workers.

The other engines are in `processes` and `dask_engine`; `run` opens them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeAlias, TypeVar, final

from evalign.errors import CommandError, quote

Item = TypeVar("Item")
Value = TypeVar("Value")


class Engine(Protocol):
    """A place to run work: maps a function over items in one or more workers."""

    @property
    def name(self) -> str:
        """Name of the engine in messages."""

    @property
    def n_workers(self) -> int:
        """Number of items that can be worked on at the same time."""

    @property
    def is_remote(self) -> bool:
        """True if workers may see other files than this process; workers then read input files themselves."""

    def run(self, function: Callable[[Item], Value], items: Iterable[Item]) -> Iterator[tuple[int, Value]]:
        """Call `function` on each item; yield (item number, result) as items finish, in any order.

        Items are drawn from `items` only as workers have room for them. An exception raised by `function` is
        raised here. If a worker dies, its items are run again, so none is lost.
        """

    def close(self) -> None:
        """End or release the workers."""

    def __enter__(self) -> Engine:  # noqa: PYI034 - engines may return themselves under their own type
        """Return the engine."""

    def __exit__(self, *raised: object) -> None:
        """Close the engine."""


class DaskClient(Protocol):
    """A `distributed.Client`, reduced to the members by which `open_engine` recognises one."""

    @property
    def submit(self) -> Callable[..., object]:
        """Submit a function to the cluster."""

    @property
    def scheduler_info(self) -> Callable[..., object]:
        """Describe the scheduler and its workers."""


EngineInput: TypeAlias = "Engine | DaskClient | int | str | None"
"""Argument of `open_engine`, which explains each type."""


@final
class SerialEngine:
    """Engine that runs items one after the other in this process."""

    name = "this process"
    n_workers = 1
    is_remote = False

    def run(self, function: Callable[[Item], Value], items: Iterable[Item]) -> Iterator[tuple[int, Value]]:
        """Call `function` on each item; yield (item number, result) in order."""
        for number, item in enumerate(items):
            yield number, function(item)

    def close(self) -> None:
        """Do nothing: there are no workers."""

    def __enter__(self) -> SerialEngine:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


# Upper limit of workers: more cores than one machine has, and every item under way takes memory.
MOST_WORKERS = 1024
LOCAL = "local:"
_ADDRESS = re.compile(
    r"(?:(?P<protocol>[a-z][a-z0-9+]*)://)?"  # protocol: tcp, tls, ucx, ws
    r"(?:\[(?P<number>[0-9a-fA-F:.%]+)\]|(?P<host>[^\s:/\[\]@]+))"  # [IPv6 address], IPv4 address or name
    r":(?P<port>[0-9]{1,5})/?"
)
_EXPECTED = f"tcp://HOST:PORT, or {LOCAL}N for N workers on this machine"


def find_listener(address: str) -> tuple[str, int] | None:
    """Return host and port of `address` if it is reached over plain TCP, else None.

    >>> find_listener("tcp://[::1]:8786"), find_listener("tls://10.0.0.1:8786")
    (('::1', 8786), None)
    """
    matched = _ADDRESS.fullmatch(address)
    if matched is None or matched["protocol"] not in (None, "tcp"):
        return None
    return matched["number"] or matched["host"], int(matched["port"])


def check_jobs(n_workers: int) -> int:
    """Return `n_workers`; raise `CommandError` unless it is from 1 to `MOST_WORKERS`."""
    if not 1 <= n_workers <= MOST_WORKERS:
        problem = f"{n_workers} processes to work in"
        raise CommandError(problem, f"a number from 1 to {MOST_WORKERS}")
    return n_workers


def parse_cluster(text: str) -> int | str:
    """Parse a cluster given as text: a number of workers to start on this machine, or an address.

    Raises `CommandError` for any other text.

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
    """Wrapper of an engine that belongs to the caller: works like it, and leaves it open on `close`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @property
    def name(self) -> str:
        """Name of the wrapped engine in messages."""
        return self._engine.name

    @property
    def n_workers(self) -> int:
        """Number of items that can be worked on at the same time."""
        return self._engine.n_workers

    @property
    def is_remote(self) -> bool:
        """True if workers may see other files than this process."""
        return self._engine.is_remote

    def run(self, function: Callable[[Item], Value], items: Iterable[Item]) -> Iterator[tuple[int, Value]]:
        """Call `function` on each item in the wrapped engine; yield (item number, result) as items finish."""
        return self._engine.run(function, items)

    def close(self) -> None:
        """Do nothing: the owner closes the wrapped engine."""

    def __enter__(self) -> BorrowedEngine:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()
