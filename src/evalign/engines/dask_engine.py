"""The engine that works on a Dask cluster: addresses, connections, versions of workers, and runs.

`open_engine` makes a `DaskEngine` for an address or a Dask client. Dask is imported only when it is needed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import pickle
import re
import socket
import sys
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import ExitStack
from functools import cache
from importlib import import_module
from importlib.metadata import version
from queue import Empty, SimpleQueue
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, final

from evalign._version import __version__
from evalign.engines.worker import (
    ITEMS_PER_WORKER,
    MOST_TRIES,
    answer_packed,
    describe_item,
    open_answer,
    pack_value,
    worker_died,
)
from evalign.errors import CommandError, EngineError, Message, advise_install, quote
from evalign.progress import Progress, no_progress

if TYPE_CHECKING:
    from distributed import Client, Future

Item = TypeVar("Item")
Value = TypeVar("Value")

# Seconds between checks of the number of workers: before the first has come, and during a run.
_WAIT = 0.2
_PAUSE = 1.0
# Exceptions raised when the connection to the scheduler is lost.
_GONE = (CancelledError, asyncio.CancelledError, asyncio.TimeoutError, OSError)


@final
class DaskEngine:
    """Engine of the workers of a Dask scheduler, given by its address or by a client.

    A client is closed by its owner, not by this engine. Its cluster may be without workers for any time (they
    may be queued as jobs), and its logs are not silenced.
    """

    is_remote = True

    def __init__(
        self,
        given: str | Client,
        *,
        progress: Progress = no_progress,
        timeout: float = 10.0,
        patience: float = 60.0,
    ) -> None:
        """Connect, wait for workers and check their versions; raise `EngineError` or `CommandError` if that fails.

        A scheduler has `timeout` seconds to answer, and `patience` seconds are waited for the first worker to
        come, or to come back after all have gone. `progress` receives messages while no worker has come.
        """
        self._connection = ExitStack()
        if not isinstance(given, str):
            _check_client(given)
            self.client, self.address, self.patience = given, given.scheduler.address, float("inf")
            self.name = f"cluster {self.address}"
            check_versions(ask_versions(given))
            return
        self.address, self.patience, self.name = given, patience, f"cluster {given}"
        listener = find_listener(given)
        load_distributed()
        with ExitStack() as stack:
            silence_dask_logs(stack)
            if listener is not None:
                _check_listener(given, listener, timeout)
            self.client = _connect(given, timeout)
            stack.callback(self.client.close, 2)
            self._wait_for_workers(progress)
            check_versions(ask_versions(self.client))
            self._connection = stack.pop_all()

    @property
    def n_workers(self) -> int:
        """Number of items that can be worked on at the same time now; 1 if no worker has come yet."""
        return max(1, self.count_threads())

    def count_threads(self) -> int:
        """Return how many threads the workers have now."""
        return sum(self.client.nthreads().values())

    def run(self, function: Callable[[Item], Value], items: Iterable[Item]) -> Iterator[tuple[int, Value]]:
        """Call `function` on each item; yield (item number, result) as items finish."""
        dask_run = _DaskRun(self, pack_value(function))
        try:
            for number, item in enumerate(items):
                while dask_run.is_full():
                    yield dask_run.wait()
                dask_run.submit(_Task(number, pack_value(item), describe_item(number, item)))
                while dask_run.has_answers():
                    yield dask_run.wait()
            while dask_run.is_under_way():
                yield dask_run.wait()
        finally:
            dask_run.cancel()

    def close(self) -> None:
        """Leave the cluster."""
        self._connection.close()

    def __enter__(self) -> DaskEngine:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def no_workers(self, waited: float) -> EngineError:
        """Return the error for a cluster without workers after `waited` seconds."""
        problem = f"{self.name}: no workers, and none came in {waited:.0f} seconds"
        advice = f"on each machine that is to work: dask worker {self.address}"
        return EngineError(problem, "at least one", advice)

    def _wait_for_workers(self, progress: Progress) -> None:
        start = time.monotonic()
        while not self.count_threads():
            progress(f"waiting for workers of {self.name}")
            if time.monotonic() > start + self.patience:
                raise self.no_workers(self.patience)
            time.sleep(_WAIT)


class _Task(NamedTuple):
    """An item under way, with the number of workers that died at it."""

    number: int
    item: bytes
    described: str
    n_deaths: int = 0


@final
class _DaskRun:
    """One run of the engine: the items that it has on the cluster, and the answers that came back."""

    def __init__(self, engine: DaskEngine, function: bytes) -> None:
        self._engine, self._client, self._function = engine, engine.client, function
        self._tasks: dict[Future[bytes], _Task] = {}
        self._done: SimpleQueue[Future[bytes]] = SimpleQueue()
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

    def wait(self) -> tuple[int, Any]:
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

    def _fetch(self, finished: list[Future[bytes]]) -> dict[Future[bytes], bytes]:
        """Fetch the answers of `finished` in one request: one by one takes seven times as long.

        Returns nothing if a worker died meanwhile or the cluster is out of reach; `_collect` then looks at
        each future.
        """
        try:
            return dict(zip(finished, self._client.gather(finished), strict=True))
        except (load_distributed().KilledWorker, *_GONE):
            return {}

    def _collect(self, future: Future[bytes], task: _Task) -> bytes | None:
        """Return the answer of one future, or None if its worker died and the item was submitted again.

        Raises `EngineError` if too many workers died at the item or the connection is lost.
        """
        try:
            answer: bytes = future.result()
            return answer
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
                self._n_threads = self._engine.count_threads()
            except _GONE:
                raise self._lost() from None
            self._counted = now
            if self._n_threads:
                self._had_workers = now
        return self._n_threads

    def _check_workers(self) -> None:
        """Raise `EngineError` if there have been no workers for longer than the engine's patience."""
        waited = time.monotonic() - self._had_workers
        if not self._count() and waited > self._engine.patience:
            raise self._engine.no_workers(waited)

    def _check_connection(self) -> None:
        """Raise `EngineError` if the connection is lost: requests to Dask would wait long for a new one."""
        if self._client.status != "running":
            raise self._lost()

    def _lost(self) -> EngineError:
        return EngineError(
            f"{self._engine.name}: the connection was lost in the middle of the run",
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

    Checks the worker's versions again, as the worker may have joined after the engine checked them all.
    """
    worker = f"worker {load_distributed().get_worker().address}"
    try:
        check_versions({worker: own_versions()}, versions)
    except EngineError as error:
        return pack_value((None, error, ""))
    return answer_packed(function, item, worker)


# Connections to schedulers.

_LOCAL = "local:"
_ADDRESS = re.compile(
    r"(?:(?P<protocol>[a-z][a-z0-9+]*)://)?"  # protocol: tcp, tls, ucx, ws
    r"(?:\[(?P<number>[0-9a-fA-F:.%]+)\]|(?P<host>[^\s:/\[\]@]+))"  # [IPv6 address], IPv4 address or name
    r":(?P<port>[0-9]{1,5})/?"
)
_LONGEST_GREETING = 1 << 20
_SCHEDULER = "a Dask scheduler that is running"
_START = "to start one: dask scheduler"
_CERTIFICATES = (
    "Dask's settings say which certificate is used here: DASK_DISTRIBUTED__COMM__TLS__CA_FILE, "
    "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT and DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY"
)


def find_listener(address: str) -> tuple[str, int] | None:
    """Return host and port of a scheduler that is reached over plain TCP, None for any other protocol.

    Raises `CommandError` for text that is not an address.

    >>> find_listener("tcp://[::1]:8786"), find_listener("tls://10.0.0.1:8786")
    (('::1', 8786), None)
    """
    matched = _ADDRESS.fullmatch(address)
    if matched is None or address.startswith(_LOCAL) or not 1 <= int(matched["port"]) <= 65535:
        problem = f"a cluster {quote(address)}, which is not an address"
        advice = Message("a scheduler says its address when it starts: dask scheduler")
        if address.startswith(_LOCAL):
            advice = Message("to work in N processes on this machine: {engine=N|<jobs> N}")
        raise CommandError(problem, "tcp://HOST:PORT", advice)
    if matched["protocol"] not in (None, "tcp"):
        return None
    return matched["number"] or matched["host"], int(matched["port"])


def load_distributed() -> ModuleType:
    """Import and return the package `distributed`; raise `CommandError` if it is not installed."""
    try:
        return import_module("distributed")
    except ImportError:
        msg = "a cluster needs the package distributed, which is not installed"
        raise CommandError(msg, advice=advise_install("cluster")) from None


def silence_dask_logs(stack: ExitStack) -> None:
    """Keep Dask from logging to standard error until `stack` is closed.

    Only handlers on Dask's own loggers are silenced. A program with its own logging still receives
    everything.
    """
    handlers = {
        handler
        for name in list(logging.root.manager.loggerDict)
        if name.partition(".")[0] in ("distributed", "tornado")
        for handler in logging.getLogger(name).handlers
        if isinstance(handler, logging.StreamHandler)
    }
    for handler in handlers:
        stack.callback(handler.setLevel, handler.level)
        handler.setLevel(logging.CRITICAL + 1)


def _check_client(client: Client) -> None:
    if client.asynchronous:
        problem = "a Dask client that is asynchronous"
        raise CommandError(problem, "one that waits for results", "Client(..., asynchronous=False)")
    if client.status != "running":
        problem = f"a Dask client that is {client.status}"
        raise CommandError(problem, "one that is connected to a scheduler")


def _connect(address: str, timeout: float) -> Client:
    """Return a client of the scheduler at `address`, which has `timeout` seconds to answer."""
    distributed = load_distributed()
    try:
        with warnings.catch_warnings():
            # `check_versions` reports the mismatches that matter, as errors.
            warnings.simplefilter("ignore", distributed.versions.VersionMismatchWarning)
            client: Client = distributed.Client(address, timeout=timeout, set_as_default=False)
            return client
    except OSError as error:
        if "certificate" in str(error):
            problem = f"{address} takes another certificate"
            raise EngineError(problem, "one that it trusts, and that trusts it", _CERTIFICATES) from None
        problem = f"no answer from {address} (waited {timeout:.0f} seconds)"
        raise EngineError(problem, _SCHEDULER, _START) from None
    except (ValueError, TypeError, ImportError) as error:
        problem = f"{address} cannot be connected to ({error})"
        advice = _CERTIFICATES if address.startswith("tls://") else ""
        raise EngineError(problem, "the address that the scheduler says when it starts", advice) from None


def _check_listener(address: str, listener: tuple[str, int], timeout: float) -> None:
    """Raise `EngineError` if something other than a Dask scheduler listens at `address`.

    Dask itself would wait for ever. A Dask server sends first: eight bytes that hold the length of its
    greeting, which is short. If nothing listens, this returns: Dask keeps trying for a while, and a scheduler
    may start meanwhile.
    """
    try:
        connection = socket.create_connection(listener, timeout)
    except OSError:
        return
    with connection:
        try:
            said = connection.makefile("rb").read(8)
        except OSError:
            said = b""
    if len(said) < 8 or int.from_bytes(said, "little") > _LONGEST_GREETING:
        problem = f"{address} is not a Dask scheduler"
        raise EngineError(problem, _SCHEDULER, f"{_START}; one that takes certificates: tls://HOST:PORT")


# Versions of workers.

# Evaluated by each worker. A plain expression, as a worker may lack evalign or run a Python version that
# cannot unpickle functions of this one.
_EVALIGN = "__import__('evalign').__version__"
_MOST_NAMED = 3


class WorkerVersions(NamedTuple):
    """Versions of evalign, Python and numpy in one process; empty for a package that is not installed."""

    evalign: str
    python: str
    numpy: str


@cache
def own_versions() -> WorkerVersions:
    """Return the versions in this process."""
    return WorkerVersions(__version__, ".".join(map(str, sys.version_info[:3])), version("numpy"))


def ask_versions(client: Client) -> dict[str, WorkerVersions]:
    """Ask the workers for their versions; return the versions by worker address."""
    evalign_versions = client.run(eval, _EVALIGN, on_error="return")
    package_versions = client.get_versions()["workers"]
    return {
        address: WorkerVersions(
            evalign if isinstance(evalign := evalign_versions.get(address), str) else "",
            ".".join(str(versions["host"]["python"]).split(".")[:3]),
            versions["packages"].get("numpy") or "",
        )
        for address, versions in package_versions.items()
        if address in evalign_versions
    }


def check_versions(workers: Mapping[str, WorkerVersions], own: WorkerVersions | None = None) -> None:
    """Raise `EngineError` if any worker runs other versions than `own`, by default those of this process.

    evalign must be exactly the same version, as scores could differ otherwise. Python must have the same
    major and minor version, and numpy the same major version: otherwise one side cannot unpickle what the
    other sends.
    """
    here = own or own_versions()
    install = f"install evalign {here.evalign} on each worker, from the same source as here"
    same = "the same environment here and at all workers"
    for k, (what, n_parts, advice) in enumerate(
        (("evalign", None, install), ("Python", 2, same), ("numpy", 1, same))
    ):
        others = [
            f"{address} has {versions[k] or 'none'}"
            for address, versions in sorted(workers.items())
            if versions[k].split(".")[:n_parts] != here[k].split(".")[:n_parts]
        ]
        if others:
            more = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
            problem = f"workers with another version of {what}: {', '.join(others[:_MOST_NAMED])}{more}"
            raise EngineError(problem, f"{what} {here[k]}, as here", advice)
