"""Connections to Dask schedulers: typed protocols of the parts of Dask used, a local cluster, version checks.

`dask_engine` calls `connect`. Dask is imported only when it is needed.
"""

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
from multiprocessing import resource_tracker
from types import ModuleType
from typing import NamedTuple, Protocol, cast, final

from evalign._version import __version__
from evalign.engines.base import DaskClient, find_listener, parse_cluster
from evalign.engines.processes import hold_interrupts
from evalign.engines.worker import MOST_TRIES
from evalign.errors import CommandError, EngineError, Message, advise_install
from evalign.progress import Progress


class Future(Protocol):
    """A function call submitted to a cluster."""

    @property
    def status(self) -> str:
        """State of the call, such as "finished"."""

    def result(self) -> object:
        """Wait for the call to finish; return its result or raise its exception."""

    def add_done_callback(self, fn: Callable[[Future], object]) -> object:
        """Call `fn` with this future when the call has finished."""


class Scheduler(Protocol):
    """The scheduler as a client knows it."""

    @property
    def address(self) -> str:
        """Address that the scheduler listens on."""


class Client(Protocol):
    """The part of `distributed.Client` that is used here."""

    @property
    def status(self) -> str:
        """State of the connection; "running" if connected."""

    @property
    def asynchronous(self) -> bool:
        """True if methods return awaitables instead of results."""

    @property
    def scheduler(self) -> Scheduler:
        """The scheduler that the client is connected to."""

    def submit(self, func: Callable[..., object], *args: object, pure: bool) -> Future:
        """Submit a function call to the cluster."""

    def cancel(self, futures: Sequence[Future]) -> object:
        """Cancel submitted calls."""

    def gather(self, futures: Sequence[Future]) -> list[bytes]:
        """Fetch the results of `futures`, in their order."""

    def scheduler_info(self) -> object:
        """Describe the scheduler and its workers."""

    def nthreads(self) -> Mapping[str, int]:
        """Return the number of threads of each worker, by address."""

    def run(self, function: Callable[..., object], *args: object, on_error: str) -> Mapping[str, object]:
        """Call a function on every worker at once, past the task queue; return the results by address."""

    def get_versions(self) -> Mapping[str, Mapping[str, Mapping[str, Mapping[str, str | None]]]]:
        """Return the versions of Python and packages of the client, the scheduler and each worker."""

    def close(self, timeout: float) -> object:
        """Disconnect from the scheduler."""


class Nanny(Protocol):
    """Dask's supervisor of one worker process."""

    auto_restart: bool

    @property
    def pid(self) -> int | None:
        """Process id of the worker; None if there is no process."""


class HttpServer(Protocol):
    """Dask's server of web pages."""

    def stop(self) -> object:
        """Stop listening."""


class Server(Protocol):
    """A Dask scheduler or worker, seen from inside its own process."""

    @property
    def http_server(self) -> HttpServer:
        """The server of its web pages."""


class LocalCluster(Protocol):
    """The part of `distributed.LocalCluster` that is used here."""

    @property
    def workers(self) -> Mapping[object, Nanny]:
        """The supervisors of the worker processes."""

    def close(self) -> object:
        """End the cluster."""


def load_distributed() -> ModuleType:
    """Import and return the package `distributed`; raise `CommandError` if it is not installed."""
    try:
        return import_module("distributed")
    except ImportError:
        msg = "a cluster needs the package distributed, which is not installed"
        raise CommandError(msg, advice=advise_install("cluster")) from None


_ABOVE_ALL = logging.CRITICAL + 1


def silence_dask_logs() -> Callable[[], None]:
    """Keep Dask from logging to standard error; return a function that undoes this.

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
    levels = [(handler, handler.level) for handler in handlers]
    for handler in handlers:
        handler.setLevel(_ABOVE_ALL)

    def restore() -> None:
        for handler, level in levels:
            handler.setLevel(level)

    return restore


# A Dask cluster on this machine, for trying things out.
#
# Whoever can talk to a Dask scheduler or worker can make it run code, and all users of a machine can reach
# its ports. So scheduler and workers speak TLS and demand a certificate, which is made for this cluster and
# known to its processes alone. The web servers that Dask starts beside them are stopped.


@final
class LocalDaskCluster:
    """A scheduler and `n_workers` worker processes, reachable from this machine only."""

    def __init__(self, n_workers: int) -> None:

        # Start the resource tracker before interrupts are held: starting it later would unblock them again.
        # If the start of the cluster is interrupted, the tracker warns of what is left for it to remove; that
        # warning is of no use to anybody.
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
        """Return a new client of the cluster."""
        return cast("Client", load_distributed().Client(self._cluster, set_as_default=False))

    def close(self) -> None:
        """Kill the workers and end the cluster.

        A polite request would take a worker five seconds, and workers have nothing to save.
        """
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
        advice = advise_install("cluster") + Message("; or {engine=N|<jobs>}, which needs none")
        raise CommandError(message, advice=advice) from None
    # Configure no web pages: any page listed here would be served until `dask_setup` stops the servers.
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
            # No memory limit: a worker that reached it would stop working. Processes without Dask have no
            # limit either.
            memory_limit=0,
            local_directory=folder,
        )
    return cast("LocalCluster", cluster)


def dask_setup(server: Server) -> None:
    """Stop the web server of a scheduler or worker that is starting; Dask calls this function by its name.

    Dask has no setting that keeps it from starting a web server.
    """
    server.http_server.stop()


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
    return WorkerVersions(__version__, ".".join(map(str, sys.version_info[:3])), _find_version("numpy"))


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


# Seconds between checks whether a worker has come.
_PAUSE = 0.2
_LONGEST_GREETING = 1 << 20
_TLS = "tls://"
_START = "to start one: dask scheduler; to try it on this machine: local:2"
_CERTIFICATES = (
    "Dask's settings say which certificate is used here: DASK_DISTRIBUTED__COMM__TLS__CA_FILE, "
    "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT and DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY"
)


class Timeouts(NamedTuple):
    """Limits of waiting for a scheduler, in seconds."""

    answer: float = 10.0
    """Until the scheduler answers."""
    workers: float = 60.0
    """For the first worker to come, or to come back after all have gone."""


DEFAULT_TIMEOUTS = Timeouts()


class Connection(NamedTuple):
    """A client of a usable cluster, and how to let go of it."""

    client: Client
    name: str
    """Name of the cluster in messages."""
    patience: float
    """Seconds that the cluster may be without workers."""
    close: Callable[[], None]


def connect(given: str | DaskClient, progress: Progress, timeouts: Timeouts = DEFAULT_TIMEOUTS) -> Connection:
    """Connect to a cluster, wait for workers and check their versions.

    `given` is an address, "local:N", or a Dask client. A client stays with its owner: it is not closed, its
    cluster may be without workers for any time (they may be queued as jobs), and its logs are not silenced.
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
    """Return the number of items that all workers together can work on at the same time."""
    return sum(client.nthreads().values())


def no_workers(name: str, waited: float) -> EngineError:
    """Return the error for cluster `name` without workers after `waited` seconds."""
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
    """Start a local cluster and return its client; `stack` closes both."""
    try:
        local = LocalDaskCluster(n_workers)
    except (OSError, RuntimeError) as error:
        problem = f"{n_workers} workers cannot be started on this machine ({error})"
        raise EngineError(
            problem, advice=Message("fewer of them, or {engine=N|<jobs>}, which takes less")
        ) from None
    stack.callback(local.close)
    client = local.connect()
    stack.callback(client.close, 2)
    return client


def _call(address: str, stack: ExitStack, seconds: float) -> Client:
    """Connect to the scheduler at `address`, which has `seconds` to answer; `stack` closes the client."""
    distributed = load_distributed()
    _check_listener(address, seconds)
    try:
        with warnings.catch_warnings():
            # `check_versions` reports the mismatches that matter, as errors.
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
    """Raise `EngineError` if something other than a Dask scheduler listens at `address`.

    Dask itself would wait for ever. A Dask server sends first: eight bytes that hold the length of its
    greeting, which is short. If nothing listens, this returns: Dask keeps trying for a while, and a scheduler
    may start meanwhile.
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
