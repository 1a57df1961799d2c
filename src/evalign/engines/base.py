"""Engines: places to run work, and the functions that open them and run work on them.

The engines of several processes and of a Dask cluster are in `processes` and `dask_engine`.

>>> with open_engine(None) as engine:
...     list(run_ordered(engine, abs, [-1, 2, -3]))
[1, 2, 3]
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar, final

from evalign.errors import CommandError
from evalign.progress import Progress, no_progress

if TYPE_CHECKING:
    from distributed import Client

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


EngineInput: TypeAlias = "Engine | Client | int | str | None"
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


# Upper limit of workers: more cores than one machine has, and every item under way takes memory.
MOST_WORKERS = 1024


def run_ordered(
    engine: Engine, function: Callable[[Item], Value], items: Iterable[Item]
) -> Generator[Value, None, None]:
    """Run `function` on `items` in `engine`; yield the results in the order of the items.

    A result that finishes before its turn is kept in memory until then.
    """
    waiting: dict[int, Value] = {}
    due = 0
    for number, result in engine.run(function, items):
        waiting[number] = result
        while due in waiting:
            yield waiting.pop(due)
            due += 1


def open_engine(given: EngineInput = None, *, progress: Progress = no_progress) -> Engine:
    """Return an engine for `given`; the caller closes it when the work is done.

    None and 1 stand for this process, any other number for that many processes on this machine. A text is the
    address of a Dask scheduler. A Dask client or an engine is used as it is, and left open for its owner when
    the returned engine is closed. `progress` receives messages while a cluster has no workers yet.
    """
    if given is None or isinstance(given, SerialEngine):
        return given or SerialEngine()
    if isinstance(given, int):
        if not 1 <= given <= MOST_WORKERS:
            problem = f"{given} processes to work in"
            raise CommandError(problem, f"a number from 1 to {MOST_WORKERS}")
        if given == 1:
            return SerialEngine()
        from evalign.engines.processes import ProcessEngine

        return ProcessEngine(given)
    if isinstance(given, str) or (hasattr(given, "submit") and hasattr(given, "scheduler_info")):
        from evalign.engines.dask_engine import DaskEngine

        return DaskEngine(given, progress=progress)
    return BorrowedEngine(given)


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1
