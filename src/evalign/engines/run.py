"""Opening engines and running work on them: `open_engine`, `run_ordered` and `count_cores`.

>>> with open_engine(None) as engine:
...     list(run_ordered(engine, abs, [-1, 2, -3]))
[1, 2, 3]
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from typing import TypeVar, cast

from evalign.engines.base import BorrowedEngine, DaskClient, Engine, EngineInput, SerialEngine, check_jobs
from evalign.progress import Progress, no_progress

Item = TypeVar("Item")
Value = TypeVar("Value")


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
    address of a Dask scheduler, or "local:2" for a scheduler on this machine with two workers. A Dask client
    or an engine is used as it is, and left open for its owner when the returned engine is closed. `progress`
    receives messages while a cluster has no workers yet.
    """
    if given is None or isinstance(given, SerialEngine):
        return given or SerialEngine()
    if isinstance(given, int):
        if check_jobs(given) == 1:
            return SerialEngine()
        from evalign.engines.processes import ProcessEngine

        return ProcessEngine(given)
    if isinstance(given, str) or (hasattr(given, "submit") and hasattr(given, "scheduler_info")):
        from evalign.engines.dask_engine import DaskEngine

        return DaskEngine(cast("str | DaskClient", given), progress=progress)
    return BorrowedEngine(given)


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1
