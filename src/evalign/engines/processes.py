"""The engine of several processes on this machine."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from queue import Empty, SimpleQueue
from typing import IO, NoReturn, Protocol, TypeVar, cast, final

from evalign.engines.worker import (
    ITEMS_PER_WORKER,
    MOST_TRIES,
    describe_item,
    open_answer,
    pack_value,
    read_message,
    serve,
    worker_died,
    write_message,
)
from evalign.errors import EngineError

# Worker processes on this machine, each at the other end of two pipes.
#
# Not `multiprocessing`: its queues lose everything when one process is killed, its new processes run the user's script
# again, and those of a parent that is killed may wait for ever.
#
# A worker is forked where that is safe and a new interpreter elsewhere. Two workers with numpy and evalign loaded have
# answered after 30 ms if forked and after 480 ms if not (Linux, two cores that others used too): what is small enough
# to be scored in half a second would be no faster for them.

# What names of threads begin with that may be running while a process is forked: they hold no lock a worker needs.
OWN_THREADS = "evalign"
# Seconds that a worker which has closed its pipe is given to end by itself.
_PATIENCE = 1.0
_BOOT = "import sys; sys.path[:] = {path}; from evalign.engines.worker import worker_main; worker_main()"
# A new process has nobody's pipes before it has its own: what a forked worker holds of them, their ends do not reach.
_starting = threading.RLock()


class Process(Protocol):
    """What is asked of `subprocess.Popen`, and of a forked process."""

    @property
    def pid(self) -> int:
        """Its number."""

    def kill(self) -> None:
        """End it."""

    def wait(self, timeout: float | None = None) -> int:
        """How it ended: the number of the signal, negative, or its exit status."""


@final
class Worker:
    """A process that answers."""

    def __init__(self, process: Process, send: IO[bytes], receive: IO[bytes]) -> None:
        self._process, self._send, self._receive = process, send, receive
        self._function = b""

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def ask(self, function: bytes, item: bytes) -> bytes:
        """What it answers; raises EOFError or OSError where it dies."""
        write_message(self._send, b"" if function is self._function else function)
        write_message(self._send, item)
        self._send.flush()
        self._function = function
        return read_message(self._receive)

    def kill(self) -> None:
        """End it at once; whoever waits for an answer sees it die."""
        self._process.kill()

    def end(self, patience: float = 0.0) -> str:
        """How it ended, in words; no process and no pipe is left of it."""
        if not patience:
            self._process.kill()
        try:
            status = self._process.wait(patience or None)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        for stream in (self._send, self._receive):
            with contextlib.suppress(OSError):  # what it did not read any more
                stream.close()
        return _describe(status)

    def wait_dead(self) -> str:
        """The same of a worker that is dead, or about to be."""
        return self.end(_PATIENCE)


def start_worker(*, fork: bool) -> Worker:
    """A new worker."""
    with _starting, hold_interrupts():
        try:
            return _fork() if fork else _spawn()
        except OSError as error:
            problem = f"no worker process can be started ({error.strerror or error})"
            raise EngineError(problem, "room for one more", "fewer at a time: `engine=N`") from None


def can_fork() -> bool:
    """Whether this process may be copied as it is.

    Only on Linux (macOS and its libraries do not bear it), and only if no thread runs that could hold a lock now and
    for ever: a worker would wait for it. numpy's own threads are made for it.
    """
    return (
        sys.platform == "linux"
        and threading.current_thread() is threading.main_thread()
        and all(
            thread is threading.main_thread() or thread.name.startswith(OWN_THREADS)
            for thread in threading.enumerate()
        )
    )


@contextlib.contextmanager
def hold_interrupts() -> Iterator[None]:
    """Ctrl-C is kept for later; processes started meanwhile never hear of it."""
    if sys.platform == "win32":
        yield
    else:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _spawn() -> Worker:
    """A new interpreter that finds modules where this one does, and knows nothing of the script that runs here."""
    flags = 0
    if sys.platform == "win32":  # no signals to keep from a process, but groups that Ctrl-C does not reach
        flags = subprocess.CREATE_NEW_PROCESS_GROUP
    process = subprocess.Popen(
        [sys.executable, "-c", _BOOT.format(path=ascii(sys.path))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        creationflags=flags,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    return Worker(process, process.stdin, process.stdout)


def _fork() -> Worker:
    """A copy of this process.

    It holds the ends of pipes to those forked before it, and they end a moment later than it does when this process is
    gone: of each, only those forked after it hold an end.
    """
    asking, answering = os.pipe(), os.pipe()
    with warnings.catch_warnings():
        # From Python 3.12 on of any process that has threads, and numpy's are threads.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        _work(asking, answering)
    os.close(asking[0])
    os.close(answering[1])
    return Worker(_Forked(pid), os.fdopen(asking[1], "wb"), os.fdopen(answering[0], "rb"))


def _work(asking: tuple[int, int], answering: tuple[int, int]) -> NoReturn:
    """The life of a forked process: nothing of what its parent was doing goes on in it."""
    try:
        os.close(asking[1])
        os.close(answering[0])
        serve(os.fdopen(asking[0], "rb"), os.fdopen(answering[1], "wb"))
    finally:
        os._exit(1)


@final
class _Forked:
    """A forked process, as `subprocess.Popen` shows others."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._status: int | None = None
        self._lock = threading.Lock()

    def kill(self) -> None:
        with self._lock, contextlib.suppress(ProcessLookupError):
            if self._status is None:  # otherwise the number may be another's by now
                os.kill(self.pid, signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        deadline = None if timeout is None else time.monotonic() + timeout
        pause = 0.0005
        while (status := self._poll()) is None:
            if deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired([str(self.pid)], timeout or 0.0)
            time.sleep(pause)
            pause = min(2 * pause, 0.05)
        return status

    def _poll(self) -> int | None:
        with self._lock:
            if self._status is None:
                try:
                    pid, status = os.waitpid(self.pid, os.WNOHANG)
                except ChildProcessError:  # somebody else waited for it
                    pid, status = self.pid, 0
                if pid:
                    self._status = os.waitstatus_to_exitcode(status)
            return self._status


def _describe(status: int) -> str:
    """How a process ended.

    >>> _describe(-9), _describe(3)
    ('by signal 9, SIGKILL', 'with exit status 3')
    """
    if status >= 0:
        return f"with exit status {status}"
    try:
        return f"by signal {-status}, {signal.Signals(-status).name}"
    except ValueError:
        return f"by signal {-status}"


Item = TypeVar("Item")
Found = TypeVar("Found")

# Seconds of work from which on several processes are faster than one: where they can be copied (two of them cost 0.03 s),
# and where they begin anew (0.6 s).
LEAST_WORK = {True: 0.25, False: 1.5}
# Seconds between two looks whether Ctrl-C was pressed, on systems that wait without looking.
_PAUSE = 0.5


@final
class ProcessEngine:
    """So many worker processes, which are started when there is work for them and kept from one run to the next.

    A single item is worked on here: no process starts as fast.
    """

    is_remote = False

    def __init__(self, n_workers: int, *, fork: bool | None = None, least_work: float | None = None) -> None:
        """`fork` says whether processes are copied or new; None: copied where that is known to be safe.

        `least_work` is how many seconds of work are worth starting them; None: as measured.
        """
        self.n_workers = n_workers
        self.name = f"{n_workers} processes"
        self.least_work = LEAST_WORK[can_fork()] if least_work is None else least_work
        self._fork = fork
        self._idle: list[Worker] = []
        self._crews: set[_PoolRun] = set()

    def run(self, function: Callable[[Item], Found], items: Iterable[Item]) -> Iterator[tuple[int, Found]]:
        """Each item's number and result, as they finish."""
        numbered = enumerate(items)
        first = list(islice(numbered, 2))
        if len(first) < 2 or self.n_workers < 2:
            for number, item in chain(first, numbered):
                yield number, function(item)
            return
        pool_run = _PoolRun(pack_value(function), self.n_workers, self._idle, fork=self._fork)
        self._crews.add(pool_run)
        try:
            for number, item in chain(first, numbered):
                while pool_run.n_under_way >= ITEMS_PER_WORKER * self.n_workers:
                    yield cast("tuple[int, Found]", pool_run.wait())
                pool_run.give(number, pack_value(item), describe_item(number, item))
                while pool_run.has_answers():
                    yield cast("tuple[int, Found]", pool_run.wait())
            while pool_run.n_under_way:
                yield cast("tuple[int, Found]", pool_run.wait())
            pool_run.rest()
        finally:
            pool_run.stop()
            self._crews.discard(pool_run)

    def close(self) -> None:
        """End the workers, also in the middle of their work."""
        for crew in list(self._crews):
            crew.stop()
        while self._idle:
            self._idle.pop().end()

    def __enter__(self) -> ProcessEngine:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


@final
class _PoolRun:
    """The workers of one run: a thread for each, which hands it items and starts another where it dies.

    The threads see bytes alone. Everything is unpickled where the run was asked for, and so is every process forked:
    no thread is then in the middle of an import, which a copy of this process would wait for.
    """

    def __init__(self, function: bytes, most: int, idle: list[Worker], *, fork: bool | None) -> None:
        self._function, self._most, self._idle, self._fork = function, most, idle, fork
        self._described: dict[int, str] = {}
        self._todo: SimpleQueue[tuple[int, bytes] | None] = SimpleQueue()
        self._done: SimpleQueue[tuple[int, bytes | str | EngineError]] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._workers: dict[int, Worker] = {}
        self._lock = threading.Lock()
        self._is_over = False

    @property
    def n_under_way(self) -> int:
        """How many items were given, and not yet answered."""
        return len(self._described)

    def give(self, number: int, item: bytes, described: str) -> None:
        """An item to work on."""
        self._described[number] = described
        if len(self._threads) < min(self._most, self.n_under_way):
            self._employ()
        self._todo.put((number, item))

    def has_answers(self) -> bool:
        """Whether one need not wait."""
        return not self._done.empty()

    def wait(self) -> tuple[int, object]:
        """The number of the next item to be finished, and what was found; raises what the function raised."""
        while True:
            try:
                number, answer = self._done.get(timeout=_PAUSE)
                break
            except Empty:
                continue
        described = self._described.pop(number)
        if isinstance(answer, EngineError):
            raise answer
        if self._is_over:
            msg = "the engine was closed in the middle of a run"
            raise EngineError(msg)
        if isinstance(answer, str):
            raise worker_died(described, answer)
        return number, open_answer(answer)

    def rest(self) -> None:
        """There is no more to do: the workers are kept for another run."""
        for _ in self._threads:
            self._todo.put(None)
        for thread in self._threads:
            thread.join()
        with self._lock:
            self._idle.extend(self._workers.values())
            self._workers.clear()

    def stop(self) -> None:
        """End at once whatever is still worked on."""
        with self._lock:
            self._is_over = True
            for worker in self._workers.values():
                worker.kill()
        for _ in self._threads:
            self._todo.put(None)
        for thread in self._threads:
            thread.join()
        for worker in self._workers.values():
            worker.end()
        self._workers.clear()
        self._threads.clear()

    def _employ(self) -> None:
        """One worker more."""
        place = len(self._threads)
        with hold_interrupts():
            fork = can_fork() if self._fork is None else self._fork
            self._workers[place] = self._idle.pop() if self._idle else start_worker(fork=fork)
            name = f"{OWN_THREADS} worker {place + 1}"
            thread = threading.Thread(target=self._serve, args=(place,), name=name, daemon=True)
            thread.start()
            self._threads.append(thread)

    def _serve(self, place: int) -> None:
        """The thread of one worker."""
        while (task := self._todo.get()) is not None:
            number, item = task
            try:
                answer: bytes | str | EngineError = self._ask(place, item)
            except EngineError as error:
                answer = error
            self._done.put((number, answer))

    def _ask(self, place: int, item: bytes) -> bytes | str:
        """An answer; how the last worker ended where all that were asked died."""
        how = ""
        for _ in range(MOST_TRIES):
            with self._lock:
                if self._is_over:
                    return how
                if place not in self._workers:
                    self._workers[place] = start_worker(fork=False)
                worker = self._workers[place]
            try:
                return worker.ask(self._function, item)
            except (EOFError, OSError):
                with self._lock:
                    del self._workers[place]
                how = worker.wait_dead()
        return how
