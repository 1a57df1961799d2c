"""Ways to a Dask cluster: an address, workers started on this machine, a client that somebody else has made."""

from __future__ import annotations

import socket
import time
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from typing import NamedTuple, cast

from evalign.engines.addresses import find_listener, parse_cluster
from evalign.engines.dask import Client, load_distributed
from evalign.engines.engine import DaskClient
from evalign.engines.quiet import silence_logs
from evalign.engines.versions import ask_versions, check_versions
from evalign.errors import CommandError, EngineError
from evalign.progress import Progress

# Seconds in which a scheduler has to answer.
ANSWERS_WITHIN = 10.0
# Seconds that a scheduler may be without workers.
PATIENCE = 60.0
# Seconds between two looks whether a worker has come.
_PAUSE = 0.2
_LONGEST_GREETING = 1 << 20
_TLS = "tls://"
_START = "to start one: dask scheduler; to try it on this machine: local:2"
_CERTIFICATES = (
    "Dask's settings say which certificate is used here: DASK_DISTRIBUTED__COMM__TLS__CA_FILE, "
    "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT and DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY"
)


class Connection(NamedTuple):
    """A client, and what is to be done with it in the end."""

    client: Client
    name: str
    """What messages call the cluster."""
    patience: float
    """Seconds that it may be without workers."""
    close: Callable[[], None]


def connect(given: str | DaskClient, progress: Progress) -> Connection:
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
        stack.callback(silence_logs())
        if isinstance(wanted, int):
            client, name = _start(wanted, stack), f"cluster {given}"
        else:
            client, name = _call(wanted, stack), f"cluster {wanted}"
        _wait_for_workers(client, name, progress)
        check_versions(ask_versions(client))
        return Connection(client, name, PATIENCE, stack.pop_all().close)


def count_threads(client: Client) -> int:
    """How many items all workers together can work on at the same time."""
    return sum(client.nthreads().values())


def no_workers(name: str, waited: float) -> EngineError:
    """What to say of a scheduler without workers."""
    address = name.split()[-1]
    found = f"{name}: no workers, and none came in {waited:.0f} seconds"
    return EngineError(found, "at least one", f"on each machine that is to work: dask worker {address}")


def _check_client(client: Client) -> None:
    if client.asynchronous:
        found = "a Dask client that is asynchronous"
        raise CommandError(found, "one that waits for results", "Client(..., asynchronous=False)")
    if client.status != "running":
        found = f"a Dask client that is {client.status}"
        raise CommandError(found, "one that is connected to a scheduler")


def _start(n_workers: int, stack: ExitStack) -> Client:
    """Workers on this machine."""
    from evalign.engines.local import Local

    try:
        local = Local(n_workers)
    except (OSError, RuntimeError) as error:
        found = f"{n_workers} workers cannot be started on this machine ({error})"
        raise EngineError(found, advice="fewer of them, or --jobs, which takes less") from None
    stack.callback(local.close)
    client = local.connect()
    stack.callback(client.close, 2)
    return client


def _call(address: str, stack: ExitStack) -> Client:
    """The scheduler that listens at an address."""
    distributed = load_distributed()
    _check_listener(address)
    try:
        with warnings.catch_warnings():
            # What matters of it is an error, said in words a little later.
            warnings.simplefilter("ignore", distributed.versions.VersionMismatchWarning)
            client: Client = distributed.Client(address, timeout=ANSWERS_WITHIN, set_as_default=False)
    except OSError as error:
        if "certificate" in str(error):
            found = f"{address} takes another certificate"
            raise EngineError(found, "one that it trusts, and that trusts it", _CERTIFICATES) from None
        found = f"no answer from {address} (waited {ANSWERS_WITHIN:.0f} seconds)"
        raise _no_scheduler(found, _START) from None
    except (ValueError, TypeError, ImportError) as error:
        found = f"{address} cannot be connected to ({error})"
        advice = _CERTIFICATES if address.startswith(_TLS) else ""
        raise EngineError(found, "the address that the scheduler says when it starts", advice) from None
    stack.callback(client.close, 2)
    return client


def _check_listener(address: str) -> None:
    """Raise `EngineError` if somebody else than a scheduler listens at an address: Dask would wait for ever.

    Who listens there as Dask does speaks first: the length of what follows in eight bytes, and that is short. Where
    nobody listens, somebody may in a moment: that is left to Dask, which tries for a while.
    """
    listener = find_listener(address)
    if listener is None:
        return
    with ExitStack() as stack:
        try:
            connection = stack.enter_context(socket.create_connection(listener, ANSWERS_WITHIN))
        except OSError:
            return
        try:
            said = connection.makefile("rb").read(8)
        except OSError:
            said = b""
        if len(said) < 8 or int.from_bytes(said, "little") > _LONGEST_GREETING:
            found = f"{address} is not a Dask scheduler"
            raise _no_scheduler(found, f"{_START}; one that takes certificates: {_TLS}HOST:PORT")


def _no_scheduler(found: str, advice: str) -> EngineError:
    return EngineError(found, "a Dask scheduler that is running", advice)


def _wait_for_workers(client: Client, name: str, progress: Progress) -> None:
    start = time.monotonic()
    while not count_threads(client):
        progress(f"waiting for workers of {name}")
        if time.monotonic() > start + PATIENCE:
            raise no_workers(name, PATIENCE)
        time.sleep(_PAUSE)
