"""Ways to a Dask scheduler: what is used of Dask, typed, and whether workers run the same versions."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import NamedTuple, Protocol, cast, final

from evalign._version import __version__
from evalign.engines.base import DaskClient, find_listener, parse_cluster
from evalign.engines.processes import hold_interrupts
from evalign.engines.worker import MOST_TRIES
from evalign.errors import CommandError, EngineError, advise_install
from evalign.progress import Progress


class Future(Protocol):
    """Something a cluster has been asked."""

    @property
    def status(self) -> str:
        """Whether it is done, and how."""

    def result(self) -> object:
        """What came of it."""

    def add_done_callback(self, fn: Callable[[Future], object]) -> object:
        """Call a function when it is done."""


class Scheduler(Protocol):
    """Who gives work to workers."""

    @property
    def address(self) -> str:
        """Where it listens."""


class Client(Protocol):
    """Who talks to a scheduler."""

    @property
    def status(self) -> str:
        """Whether it is connected: "running"."""

    @property
    def asynchronous(self) -> bool:
        """Whether it gives promises in place of results."""

    @property
    def scheduler(self) -> Scheduler:
        """Whom it talks to."""

    def submit(self, func: Callable[..., object], *args: object, pure: bool) -> Future:
        """Ask for a function to be called."""

    def cancel(self, futures: Sequence[Future]) -> object:
        """Ask no longer."""

    def gather(self, futures: Sequence[Future]) -> list[bytes]:
        """All results."""

    def scheduler_info(self) -> object:
        """Who is there to ask."""

    def nthreads(self) -> Mapping[str, int]:
        """How many threads each worker has."""

    def run(self, function: Callable[..., object], *args: object, on_error: str) -> Mapping[str, object]:
        """Call a function on each worker, at once."""

    def get_versions(self) -> Mapping[str, Mapping[str, Mapping[str, Mapping[str, str | None]]]]:
        """Packages that all have."""

    def close(self, timeout: float) -> object:
        """Leave the scheduler."""


class Nanny(Protocol):
    """Who looks after a worker process."""

    auto_restart: bool

    @property
    def pid(self) -> int | None:
        """The number of that process, if there is one."""


class HttpServer(Protocol):
    """Who shows web pages."""

    def stop(self) -> object:
        """Listen no longer."""


class Server(Protocol):
    """A scheduler or a worker, in its own process."""

    @property
    def http_server(self) -> HttpServer:
        """Its web pages."""


class LocalCluster(Protocol):
    """A cluster on this machine."""

    @property
    def workers(self) -> Mapping[object, Nanny]:
        """Those of the workers."""

    def close(self) -> object:
        """End it."""


def load_distributed() -> ModuleType:
    """The package; raises `CommandError` where there is none."""
    try:
        return import_module("distributed")
    except ImportError:
        msg = "a cluster needs the package distributed, which is not installed"
        raise CommandError(msg, advice=advise_install("cluster")) from None


_ABOVE_ALL = logging.CRITICAL + 1


def silence_dask_logs() -> Callable[[], None]:
    """Keep Dask from writing to standard error; what is returned lets it again.

    Only what Dask itself has set up is silenced: a program that has a log of its own gets everything there.
    """
    handlers = {
        handler
        for name in list(logging.root.manager.loggerDict)
        if name.partition(".")[0] in ("distributed", "tornado")
        for handler in logging.getLogger(name).handlers
        if isinstance(handler, logging.StreamHandler)
    }
    levels = [(handler, handler.level) for handler in handlers]
    for handler in handlers:
        handler.setLevel(_ABOVE_ALL)

    def restore() -> None:
        for handler, level in levels:
            handler.setLevel(level)

    return restore


# A Dask cluster on this machine, to try one.
#
# Whoever can talk to a Dask scheduler or worker can have it run code, and ports of this machine are open to all its
# users. So all of them speak TLS and ask for a certificate, which is made for this cluster and known to its processes
# alone; the servers of web pages that Dask starts beside them are stopped.


@final
class LocalDaskCluster:
    """So many worker processes and a scheduler, all of which listen on this machine alone."""

    def __init__(self, n_workers: int) -> None:
        from multiprocessing import resource_tracker

        # Before interrupts are held: the first to need it would let them through again. It warns of what a cluster that
        # was interrupted while it started left to it to remove, which is no news to anybody.
        before = os.environ.get("PYTHONWARNINGS")
        os.environ["PYTHONWARNINGS"] = ",".join(filter(None, (before, "ignore:resource_tracker")))
        try:
            resource_tracker.ensure_running()
        finally:
            if before is None:
                del os.environ["PYTHONWARNINGS"]
            else:
                os.environ["PYTHONWARNINGS"] = before
        self._folder = tempfile.mkdtemp(prefix="evalign-")
        try:
            with hold_interrupts():
                self._cluster = _start_local(n_workers, self._folder)
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    def connect(self) -> Client:
        """A client of it."""
        return cast("Client", load_distributed().Client(self._cluster, set_as_default=False))

    def close(self) -> None:
        """End all of it at once. What a worker is asked politely it does in five seconds, and has nothing to save."""
        for nanny in list(self._cluster.workers.values()):
            nanny.auto_restart = False
            if (pid := nanny.pid) is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
        self._cluster.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def _start_local(n_workers: int, folder: str) -> LocalCluster:
    distributed = load_distributed()
    settings = import_module("dask").config
    try:
        security = distributed.Security.temporary()
    except ImportError:
        message = "a cluster on this machine needs the package cryptography, which is not installed"
        advice = f"{advise_install('cluster')}; or `engine=N`, which needs none"
        raise CommandError(message, advice=advice) from None
    # No page: what is listed here would be there for the moment until the servers are stopped.
    with settings.set({"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}):
        cluster = distributed.LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            security=security,
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={
                "dashboard": False,
                "allowed_failures": MOST_TRIES - 1,
                "preload": [*settings.get("distributed.scheduler.preload"), __name__],
            },
            preload=[*settings.get("distributed.worker.preload"), __name__],
            silence_logs=logging.CRITICAL + 1,
            # A worker at its limit stops working; processes without Dask have none either.
            memory_limit=0,
            local_directory=folder,
        )
    return cast("LocalCluster", cluster)


def dask_setup(server: Server) -> None:
    """Called by Dask, by this name, in a scheduler or worker that begins: no web pages.

    There is no setting to start none.
    """
    server.http_server.stop()


# What a worker is asked. It is an expression of Python's own, since a worker may be without evalign, or run a Python
# that could not read functions of this one.
_EVALIGN = "__import__('evalign').__version__"
_MOST_NAMED = 3


class WorkerVersions(NamedTuple):
    """What a process runs; empty where it has none of it."""

    evalign: str
    python: str
    numpy: str


@cache
def own_versions() -> WorkerVersions:
    """What runs here."""
    return WorkerVersions(__version__, ".".join(map(str, sys.version_info[:3])), _find_version("numpy"))


def ask_versions(client: Client) -> dict[str, WorkerVersions]:
    """What each worker runs, by its address."""
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
    """Raise `EngineError` where workers run something else than this process.

    evalign must be the same: otherwise so would be the numbers. Python up to its second number, and numpy in its first:
    beyond that, one cannot read what the other writes.
    """
    here = own or own_versions()
    for k, (what, n_parts) in enumerate((("evalign", None), ("Python", 2), ("numpy", 1))):
        others = {
            address: versions[k]
            for address, versions in workers.items()
            if versions[k].split(".")[:n_parts] != here[k].split(".")[:n_parts]
        }
        if others:
            raise _refuse(what, here[k], others)


def _refuse(what: str, wanted: str, others: Mapping[str, str]) -> EngineError:
    listed = ", ".join(
        f"{address} has {has or 'none'}" for address, has in sorted(others.items())[:_MOST_NAMED]
    )
    more = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
    problem = f"workers with another version of {what}: {listed}{more}"
    wants = f"{what} {wanted}, as here"
    if what == "evalign":
        return EngineError(
            problem, wants, f"install evalign {wanted} on each worker, from the same source as here"
        )
    return EngineError(problem, wants, "the same environment here and at all workers")


def _find_version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


# Seconds between two looks whether a worker has come.
_PAUSE = 0.2
_LONGEST_GREETING = 1 << 20
_TLS = "tls://"
_START = "to start one: dask scheduler; to try it on this machine: local:2"
_CERTIFICATES = (
    "Dask's settings say which certificate is used here: DASK_DISTRIBUTED__COMM__TLS__CA_FILE, "
    "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT and DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY"
)


class Timeouts(NamedTuple):
    """How long a scheduler is waited for, in seconds."""

    answer: float = 10.0
    """Until it answers."""
    workers: float = 60.0
    """That it may be without workers."""


DEFAULT_TIMEOUTS = Timeouts()


class Connection(NamedTuple):
    """A client, and what is to be done with it in the end."""

    client: Client
    name: str
    """What messages call the cluster."""
    patience: float
    """Seconds that it may be without workers."""
    close: Callable[[], None]


def connect(given: str | DaskClient, progress: Progress, timeouts: Timeouts = DEFAULT_TIMEOUTS) -> Connection:
    """A cluster whose workers are such that can be worked with.

    A client belongs to who gave it: it stays open, it may take as long as it needs to find workers (a queue of jobs may
    be before them), and its logs are left as they are.
    """
    if not isinstance(given, str):
        client = cast("Client", given)
        _check_client(client)
        check_versions(ask_versions(client))
        return Connection(client, f"cluster {client.scheduler.address}", float("inf"), lambda: None)
    wanted = parse_cluster(given)
    load_distributed()
    with ExitStack() as stack:
        stack.callback(silence_dask_logs())
        if isinstance(wanted, int):
            client, name = _start(wanted, stack), f"cluster {given}"
        else:
            client, name = _call(wanted, stack, timeouts.answer), f"cluster {wanted}"
        _wait_for_workers(client, name, progress, timeouts.workers)
        check_versions(ask_versions(client))
        return Connection(client, name, timeouts.workers, stack.pop_all().close)


def count_threads(client: Client) -> int:
    """How many items all workers together can work on at the same time."""
    return sum(client.nthreads().values())


def no_workers(name: str, waited: float) -> EngineError:
    """What to say of a scheduler without workers."""
    address = name.split()[-1]
    problem = f"{name}: no workers, and none came in {waited:.0f} seconds"
    return EngineError(problem, "at least one", f"on each machine that is to work: dask worker {address}")


def _check_client(client: Client) -> None:
    if client.asynchronous:
        problem = "a Dask client that is asynchronous"
        raise CommandError(problem, "one that waits for results", "Client(..., asynchronous=False)")
    if client.status != "running":
        problem = f"a Dask client that is {client.status}"
        raise CommandError(problem, "one that is connected to a scheduler")


def _start(n_workers: int, stack: ExitStack) -> Client:
    """Workers on this machine."""
    try:
        local = LocalDaskCluster(n_workers)
    except (OSError, RuntimeError) as error:
        problem = f"{n_workers} workers cannot be started on this machine ({error})"
        raise EngineError(problem, advice="fewer of them, or `engine=N`, which takes less") from None
    stack.callback(local.close)
    client = local.connect()
    stack.callback(client.close, 2)
    return client


def _call(address: str, stack: ExitStack, seconds: float) -> Client:
    """The scheduler that listens at an address; it has `seconds` to answer."""
    distributed = load_distributed()
    _check_listener(address, seconds)
    try:
        with warnings.catch_warnings():
            # What matters of it is an error, said in words a little later.
            warnings.simplefilter("ignore", distributed.versions.VersionMismatchWarning)
            client: Client = distributed.Client(address, timeout=seconds, set_as_default=False)
    except OSError as error:
        if "certificate" in str(error):
            problem = f"{address} takes another certificate"
            raise EngineError(problem, "one that it trusts, and that trusts it", _CERTIFICATES) from None
        problem = f"no answer from {address} (waited {seconds:.0f} seconds)"
        raise _no_scheduler(problem, _START) from None
    except (ValueError, TypeError, ImportError) as error:
        problem = f"{address} cannot be connected to ({error})"
        advice = _CERTIFICATES if address.startswith(_TLS) else ""
        raise EngineError(problem, "the address that the scheduler says when it starts", advice) from None
    stack.callback(client.close, 2)
    return client


def _check_listener(address: str, seconds: float) -> None:
    """Raise `EngineError` if somebody else than a scheduler listens at an address: Dask would wait for ever.

    Who listens there as Dask does speaks first: the length of what follows in eight bytes, and that is short. Where
    nobody listens, somebody may in a moment: that is left to Dask, which tries for a while.
    """
    listener = find_listener(address)
    if listener is None:
        return
    with ExitStack() as stack:
        try:
            connection = stack.enter_context(socket.create_connection(listener, seconds))
        except OSError:
            return
        try:
            said = connection.makefile("rb").read(8)
        except OSError:
            said = b""
        if len(said) < 8 or int.from_bytes(said, "little") > _LONGEST_GREETING:
            problem = f"{address} is not a Dask scheduler"
            raise _no_scheduler(problem, f"{_START}; one that takes certificates: {_TLS}HOST:PORT")


def _no_scheduler(problem: str, advice: str) -> EngineError:
    return EngineError(problem, "a Dask scheduler that is running", advice)


def _wait_for_workers(client: Client, name: str, progress: Progress, patience: float) -> None:
    start = time.monotonic()
    while not count_threads(client):
        progress(f"waiting for workers of {name}")
        if time.monotonic() > start + patience:
            raise no_workers(name, patience)
        time.sleep(_PAUSE)
