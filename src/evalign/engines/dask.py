"""What is used of Dask, which is an optional package and is typed in part."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Protocol

from evalign.errors import CommandError, advise_install


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
