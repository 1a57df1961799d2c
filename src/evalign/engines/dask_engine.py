"""The engine that is a Dask cluster."""

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
Found = TypeVar("Found")

# Seconds between two looks at how many workers there are.
_PAUSE = 1.0
# What the connection to a scheduler that has gone raises.
_GONE = (CancelledError, asyncio.CancelledError, asyncio.TimeoutError, OSError)


@final
class DaskEngine:
    """Workers of a Dask scheduler: one that is running, one of this machine ("local:2"), or that of a client.

    Whoever made the client closes it.
    """

    def __init__(
        self,
        given: str | DaskClient,
        *,
        progress: Progress = no_progress,
        timeouts: Timeouts = DEFAULT_TIMEOUTS,
    ) -> None:
        """`progress` hears of workers that are waited for; `timeouts` say for how long."""
        self._connection = connect(given, progress, timeouts)
        self.name = self._connection.name
        self.client = self._connection.client

    is_remote = True

    @property
    def n_workers(self) -> int:
        """How many items can be worked on at the same time as things are; 1 where workers have yet to come."""
        return max(1, count_threads(self.client))

    def run(self, function: Callable[[Item], Found], items: Iterable[Item]) -> Iterator[tuple[int, Found]]:
        """Each item's number and result, as they finish."""
        dask_run = _DaskRun(self._connection, pack_value(function))
        try:
            for number, item in enumerate(items):
                while dask_run.is_full():
                    yield cast("tuple[int, Found]", dask_run.wait())
                dask_run.submit(_Task(number, pack_value(item), describe_item(number, item)))
                while dask_run.has_answers():
                    yield cast("tuple[int, Found]", dask_run.wait())
            while dask_run.is_under_way():
                yield cast("tuple[int, Found]", dask_run.wait())
        finally:
            dask_run.cancel()

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        self._connection.close()

    def __enter__(self) -> DaskEngine:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


class _Task(NamedTuple):
    """An item under way."""

    number: int
    item: bytes
    described: str
    n_deaths: int = 0


@final
class _DaskRun:
    """What one run has on the cluster."""

    def __init__(self, connection: Connection, function: bytes) -> None:
        self._connection, self._function = connection, function
        self._client = connection.client
        self._tasks: dict[Future, _Task] = {}
        self._done: SimpleQueue[Future] = SimpleQueue()
        self._answers: deque[tuple[int, bytes]] = deque()
        self._n_threads = 0
        self._counted = self._had_workers = time.monotonic() - _PAUSE

    def is_full(self) -> bool:
        """Whether as much is under way as keeps all workers at work."""
        return len(self._tasks) >= ITEMS_PER_WORKER * max(1, self._count())

    def is_under_way(self) -> bool:
        """Whether there is something to wait for."""
        return bool(self._answers or self._tasks)

    def has_answers(self) -> bool:
        """Whether one need not wait."""
        return bool(self._answers) or not self._done.empty()

    def submit(self, task: _Task) -> None:
        """An item to work on."""
        self._check_connection()
        job = pack_value(_Job(own_versions(), self._function, task.item))
        # Items may be large: a warning would tell to scatter them, and a worker that dies would take them with it.
        with import_module("dask").config.set({"distributed.admin.large-graph-warning-threshold": "1TiB"}):
            future = self._client.submit(pickle.loads, job, pure=False)
        self._tasks[future] = task
        future.add_done_callback(self._done.put)

    def wait(self) -> tuple[int, object]:
        """The number of the next item to be finished, and what was found; raises what the function raised."""
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
        """Nothing of this run is begun any more."""
        if self._tasks and self._client.status == "running":
            with contextlib.suppress(*_GONE):
                self._client.cancel(list(self._tasks))
        self._tasks.clear()

    def _fetch(self, finished: list[Future]) -> dict[Future, bytes]:
        """Answers that lie at the workers, all at once: one by one they take seven times as long.

        None where some worker died meanwhile, or all are out of reach: to be looked at one by one.
        """
        try:
            return dict(zip(finished, self._client.gather(finished), strict=True))
        except (load_distributed().KilledWorker, *_GONE):
            return {}

    def _collect(self, future: Future, task: _Task) -> bytes | None:
        """What a worker has answered; None where it died and the item is tried again."""
        try:
            return cast("bytes", future.result())
        except load_distributed().KilledWorker as killed:
            # The scheduler has tried it as often as it is set to; others may be in danger if it goes on for long.
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
        """How many threads the workers have, looked up now and then."""
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
        """Raise `EngineError` if all workers have gone and none comes back."""
        waited = time.monotonic() - self._had_workers
        if not self._count() and waited > self._connection.patience:
            raise no_workers(self._connection.name, waited)

    def _check_connection(self) -> None:
        """Raise `EngineError` where there is none any more: whatever is asked then waits for another for long."""
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
    """An item with all that is to be done to it, packed such that it is done where it is unpacked.

    To the scheduler it is bytes, and what is to be called is of Python's own: it need not have evalign.
    """

    def __init__(self, versions: WorkerVersions, function: bytes, item: bytes) -> None:
        self._parts = versions, function, item

    def __reduce__(self) -> tuple[Callable[..., bytes], tuple[WorkerVersions, bytes, bytes]]:
        return work, self._parts


def work(versions: WorkerVersions, function: bytes, item: bytes) -> bytes:
    """What a worker answers; it may have come after others were asked what they run."""
    worker = f"worker {load_distributed().get_worker().address}"
    try:
        check_versions({worker: own_versions()}, versions)
    except EngineError as error:
        return pack_value((None, error, ""))
    return answer_packed(function, item, worker)
