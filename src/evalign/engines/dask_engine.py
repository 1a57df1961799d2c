"""The engine that works on a Dask cluster; `open_engine` makes one for an address or a Dask client."""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from importlib import import_module
from queue import Empty, SimpleQueue
from typing import NamedTuple, TypeVar, cast, final

from evalign.engines.base import DaskClient
from evalign.engines.dask_connection import (
    DEFAULT_TIMEOUTS,
    Connection,
    Future,
    Timeouts,
    WorkerVersions,
    check_versions,
    connect,
    count_threads,
    load_distributed,
    no_workers,
    own_versions,
)
from evalign.engines.worker import (
    ITEMS_PER_WORKER,
    MOST_TRIES,
    answer_packed,
    describe_item,
    open_answer,
    pack_value,
    worker_died,
)
from evalign.errors import EngineError
from evalign.progress import Progress, no_progress

Item = TypeVar("Item")
Value = TypeVar("Value")

# Seconds between checks of the number of workers.
_PAUSE = 1.0
# Exceptions raised when the connection to the scheduler is lost.
_GONE = (CancelledError, asyncio.CancelledError, asyncio.TimeoutError, OSError)


@final
class DaskEngine:
    """Engine of the workers of a Dask scheduler: a running one, a local one ("local:2"), or a client's.

    A client is closed by its owner, not by this engine.
    """

    def __init__(
        self,
        given: str | DaskClient,
        *,
        progress: Progress = no_progress,
        timeouts: Timeouts = DEFAULT_TIMEOUTS,
    ) -> None:
        """Connect to the scheduler; raise `EngineError` or `CommandError` if that fails.

        `progress` receives messages while no worker has come; `timeouts` limit the waiting.
        """
        self._connection = connect(given, progress, timeouts)
        self.name = self._connection.name
        self.client = self._connection.client

    is_remote = True

    @property
    def n_workers(self) -> int:
        """Number of items that can be worked on at the same time now; 1 if no worker has come yet."""
        return max(1, count_threads(self.client))

    def run(self, function: Callable[[Item], Value], items: Iterable[Item]) -> Iterator[tuple[int, Value]]:
        """Call `function` on each item; yield (item number, result) as items finish."""
        dask_run = _DaskRun(self._connection, pack_value(function))
        try:
            for number, item in enumerate(items):
                while dask_run.is_full():
                    yield cast("tuple[int, Value]", dask_run.wait())
                dask_run.submit(_Task(number, pack_value(item), describe_item(number, item)))
                while dask_run.has_answers():
                    yield cast("tuple[int, Value]", dask_run.wait())
            while dask_run.is_under_way():
                yield cast("tuple[int, Value]", dask_run.wait())
        finally:
            dask_run.cancel()

    def close(self) -> None:
        """Leave the cluster; end it if this engine started it."""
        self._connection.close()

    def __enter__(self) -> DaskEngine:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


class _Task(NamedTuple):
    """An item under way, with the number of workers that died at it."""

    number: int
    item: bytes
    described: str
    n_deaths: int = 0


@final
class _DaskRun:
    """One run of the engine: the items that it has on the cluster, and the answers that came back."""

    def __init__(self, connection: Connection, function: bytes) -> None:
        self._connection, self._function = connection, function
        self._client = connection.client
        self._tasks: dict[Future, _Task] = {}
        self._done: SimpleQueue[Future] = SimpleQueue()
        self._answers: deque[tuple[int, bytes]] = deque()
        self._n_threads = 0
        self._counted = self._had_workers = time.monotonic() - _PAUSE

    def is_full(self) -> bool:
        """Return whether enough items are under way to keep all workers busy."""
        return len(self._tasks) >= ITEMS_PER_WORKER * max(1, self._count())

    def is_under_way(self) -> bool:
        """Return whether any answer is still to be returned by `wait`."""
        return bool(self._answers or self._tasks)

    def has_answers(self) -> bool:
        """Return whether `wait` would return without waiting."""
        return bool(self._answers) or not self._done.empty()

    def submit(self, task: _Task) -> None:
        """Send an item to the cluster."""
        self._check_connection()
        job = pack_value(_Job(own_versions(), self._function, task.item))
        # Dask would warn about large items and advise to scatter them, but scattered items are lost with a
        # worker that dies.
        with import_module("dask").config.set({"distributed.admin.large-graph-warning-threshold": "1TiB"}):
            future = self._client.submit(pickle.loads, job, pure=False)
        self._tasks[future] = task
        future.add_done_callback(self._done.put)

    def wait(self) -> tuple[int, object]:
        """Return number and result of the next item to finish, or raise what the function raised."""
        while not self._answers:
            try:
                ready = [self._done.get(timeout=_PAUSE)]
            except Empty:
                self._check_workers()
                continue
            while not self._done.empty():
                ready.append(self._done.get())
            self._check_connection()
            fetched = self._fetch([future for future in ready if future.status == "finished"])
            for future in ready:
                task = self._tasks.pop(future)
                answer = fetched.get(future) or self._collect(future, task)
                if answer is not None:
                    self._answers.append((task.number, answer))
        number, answer = self._answers.popleft()
        return number, open_answer(answer)

    def cancel(self) -> None:
        """Cancel the items that no worker has started."""
        if self._tasks and self._client.status == "running":
            with contextlib.suppress(*_GONE):
                self._client.cancel(list(self._tasks))
        self._tasks.clear()

    def _fetch(self, finished: list[Future]) -> dict[Future, bytes]:
        """Fetch the answers of `finished` in one request: one by one takes seven times as long.

        Returns nothing if a worker died meanwhile or the cluster is out of reach; `_collect` then looks at
        each future.
        """
        try:
            return dict(zip(finished, self._client.gather(finished), strict=True))
        except (load_distributed().KilledWorker, *_GONE):
            return {}

    def _collect(self, future: Future, task: _Task) -> bytes | None:
        """Return the answer of one future, or None if its worker died and the item was submitted again.

        Raises `EngineError` if too many workers died at the item or the connection is lost.
        """
        try:
            return cast("bytes", future.result())
        except load_distributed().KilledWorker as killed:
            # The scheduler has already retried the item as often as its own setting says. Stop after
            # `MOST_TRIES` in all: an item that kills workers endangers the work of others on them.
            n_deaths = task.n_deaths + killed.allowed_failures + 1
            if n_deaths >= MOST_TRIES:
                raise worker_died(
                    task.described, f"the last was {killed.last_worker.address}", n_deaths
                ) from None
            self.submit(task._replace(n_deaths=n_deaths))
            return None
        except _GONE:
            raise self._lost() from None
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "evalign":
                raise
            check_versions({"a worker that has come later": own_versions()._replace(evalign="")})
            raise

    def _count(self) -> int:
        """Return how many threads the workers have; asks the scheduler once a second at most."""
        self._check_connection()
        now = time.monotonic()
        if now >= self._counted + _PAUSE:
            try:
                self._n_threads = count_threads(self._client)
            except _GONE:
                raise self._lost() from None
            self._counted = now
            if self._n_threads:
                self._had_workers = now
        return self._n_threads

    def _check_workers(self) -> None:
        """Raise `EngineError` if there have been no workers for longer than the connection's patience."""
        waited = time.monotonic() - self._had_workers
        if not self._count() and waited > self._connection.patience:
            raise no_workers(self._connection.name, waited)

    def _check_connection(self) -> None:
        """Raise `EngineError` if the connection is lost: requests to Dask would wait long for a new one."""
        if self._client.status != "running":
            raise self._lost()

    def _lost(self) -> EngineError:
        return EngineError(
            f"{self._connection.name}: the connection was lost in the middle of the run",
            "a scheduler that runs until all is done",
            "start it again, and then this run",
        )


@final
class _Job:
    """An item with everything needed to run it; unpickling a `_Job` runs it and gives the packed answer.

    The scheduler sees only bytes and a call of `pickle.loads`, so it need not have evalign installed.
    """

    def __init__(self, versions: WorkerVersions, function: bytes, item: bytes) -> None:
        self._parts = versions, function, item

    def __reduce__(self) -> tuple[Callable[..., bytes], tuple[WorkerVersions, bytes, bytes]]:
        return work, self._parts


def work(versions: WorkerVersions, function: bytes, item: bytes) -> bytes:
    """Run a packed function on a packed item in a Dask worker; return the packed answer.

    Checks the worker's versions again, as the worker may have joined after `connect` checked them all.
    """
    worker = f"worker {load_distributed().get_worker().address}"
    try:
        check_versions({worker: own_versions()}, versions)
    except EngineError as error:
        return pack_value((None, error, ""))
    return answer_packed(function, item, worker)
