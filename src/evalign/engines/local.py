"""A Dask cluster on this machine, to try one.

Whoever can talk to a Dask scheduler or worker can have it run code, and ports of this machine are open to all its users.
So all of them speak TLS and ask for a certificate, which is made for this cluster and known to its processes alone; the
servers of web pages that Dask starts beside them are stopped.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import signal
import tempfile
from importlib import import_module
from typing import cast, final

from evalign.engines.dask import Client, LocalCluster, load_distributed
from evalign.engines.work import MOST_TRIES
from evalign.engines.workers import hold_interrupts
from evalign.errors import CommandError, advise_install

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.engines.dask import Server


@final
class Local:
    """So many worker processes and a scheduler, all of which listen on this machine alone."""

    def __init__(self, n_workers: int) -> None:
        from multiprocessing import resource_tracker

        # Before interrupts are held: the first to need it would let them through again.
        resource_tracker.ensure_running()
        self._folder = tempfile.mkdtemp(prefix="evalign-")
        try:
            with hold_interrupts():
                self._cluster = _start(n_workers, self._folder)
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


def _start(n_workers: int, folder: str) -> LocalCluster:
    distributed = load_distributed()
    settings = import_module("dask").config
    try:
        security = distributed.Security.temporary()
    except ImportError:
        message = "a cluster on this machine needs the package cryptography, which is not installed"
        advice = f"{advise_install('cluster')}; or --jobs, which needs none"
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
