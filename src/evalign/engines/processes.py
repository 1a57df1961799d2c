"""The engine of several worker processes on this machine.

`open_engine` makes a `ProcessEngine` for a number of workers; the workers run `worker.serve`.
"""

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
from typing import IO, Any, NoReturn, TypeVar, final

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
from evalign.errors import EngineError, Message

# Worker processes on this machine, each connected to this process by two pipes.
#
# Not `multiprocessing`: its queues lose everything when one process is killed, its spawned processes run the
# user's script again, and the workers of a killed parent may wait for ever.
#
# A worker is forked where that is safe, and is a new interpreter elsewhere. Two workers with numpy and
# evalign loaded answered after 30 ms if forked and after 480 ms if not (Linux, two cores shared with other
# work). So work that takes half a second in one process gains nothing from new interpreters.

# Name prefix of evalign's own threads. They may run during a fork, as they hold no lock that a worker needs.
OWN_THREADS = "evalign"
# Seconds that a worker which has closed its pipe, dead or about to die, has to end by itself.
_PATIENCE = 1.0
_BOOT = "import sys; sys.path[:] = {path}; from evalign.engines.worker import worker_main; worker_main()"
# Held while a worker is started. A process that is forked between the opening of another worker's pipes and
# their closing here would keep their ends open, and nobody would notice when that worker dies.
_starting = threading.RLock()


@final
class Worker:
    """A worker process with its two pipes."""

    def __init__(
        self, process: subprocess.Popen[bytes] | _Forked, send: IO[bytes], receive: IO[bytes]
    ) -> None:
        self._process, self._send, self._receive = process, send, receive
        self._function = b""

    def ask(self, function: bytes, item: bytes) -> bytes:
        """Send a packed function and item; return the packed answer.

        Raises EOFError or OSError if the worker dies. The function is sent only if it is not the same object
        as in the last call.
        """
        write_message(self._send, b"" if function is self._function else function)
        write_message(self._send, item)
        self._send.flush()
        self._function = function
        return read_message(self._receive)

    def kill(self) -> None:
        """Kill the process at once; a thread that waits in `ask` sees the worker die."""
        self._process.kill()

    def end(self, patience: float = 0.0) -> str:
        """End the process and close its pipes; return in words how it ended.

        A worker has `patience` seconds to end by itself; without patience it is killed at once.
        """
        if not patience:
            self._process.kill()
        try:
            status = self._process.wait(patience or None)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        for stream in (self._send, self._receive):
            with contextlib.suppress(OSError):  # bytes that the worker did not read
                stream.close()
        return _describe(status)


def start_worker(*, fork: bool) -> Worker:
    """Start a worker process, forked if `fork`, else as a new interpreter.

    Raises `EngineError` if no process can be started.
    """
    with _starting, hold_interrupts():
        try:
            return _fork() if fork else _spawn()
        except OSError as error:
            problem = f"no worker process can be started ({error.strerror or error})"
            raise EngineError(
                problem, "room for one more", Message("fewer at a time: {engine=N|<jobs>}")
            ) from None


def can_fork() -> bool:
    """Return whether it is safe to fork this process now.

    Only on Linux (system libraries of macOS do not survive it), only from the main thread, and only if no
    foreign Python threads run: a thread could hold a lock during the fork, which a worker would then wait for
    forever. Threads that numpy's libraries start are prepared for forks.
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
    """Block SIGINT in the `with` block and deliver it afterwards; processes started inside keep it blocked.

    Does nothing on Windows.
    """
    if sys.platform == "win32":
        yield
    else:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _spawn() -> Worker:
    """Start a new interpreter with this one's `sys.path`; it does not run or import the user's script."""
    flags = 0
    if sys.platform == "win32":  # signals cannot be blocked, but Ctrl-C does not reach a new process group
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
    """Fork this process.

    A forked worker inherits this process's ends of the pipes of all workers forked before it. When this
    process dies, a worker therefore sees its pipe closed only after all workers that were forked later have
    ended. The last one ends at once, so all end one after the other.
    """
    asking, answering = os.pipe(), os.pipe()
    with warnings.catch_warnings():
        # Python 3.12 and later warn if any thread runs, and numpy's libraries start threads.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        _work(asking, answering)
    os.close(asking[0])
    os.close(answering[1])
    return Worker(_Forked(pid), os.fdopen(asking[1], "wb"), os.fdopen(answering[0], "rb"))


def _work(asking: tuple[int, int], answering: tuple[int, int]) -> NoReturn:
    """Serve as a forked worker; never return into the code that the parent was running."""
    try:
        os.close(asking[1])
        os.close(answering[0])
        serve(os.fdopen(asking[0], "rb"), os.fdopen(answering[1], "wb"))
    finally:
        os._exit(1)


@final
class _Forked:
    """A forked process with the interface of `subprocess.Popen`, as far as a `Worker` uses it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._status: int | None = None
        self._lock = threading.Lock()

    def kill(self) -> None:
        with self._lock, contextlib.suppress(ProcessLookupError):
            if self._status is None:  # else the id may belong to another process by now
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
                except ChildProcessError:  # other code has waited for it already
                    pid, status = self.pid, 0
                if pid:
                    self._status = os.waitstatus_to_exitcode(status)
            return self._status


def _describe(status: int) -> str:
    """Describe an exit status in words.

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
Value = TypeVar("Value")

# Least work, in seconds, for which several processes are faster than one, by whether they can be forked.
# Starting two costs 0.03 s if forked, 0.6 s if not.
LEAST_WORK = {True: 0.25, False: 1.5}
# Seconds between checks for Ctrl-C, on systems where a waiting thread does not notice it.
_PAUSE = 0.5


@final
class ProcessEngine:
    """Engine of `n_workers` worker processes, started when there is work and kept from one run to the next.

    A single item is run in this process, as starting a worker would take longer.
    """

    is_remote = False

    def __init__(self, n_workers: int, *, fork: bool | None = None, least_work: float | None = None) -> None:
        """Create the engine without starting any process.

        `fork` says whether workers are forked or new interpreters; None forks where that is known to be safe.
        `least_work` is the number of seconds of work that make starting workers worthwhile; None takes the
        measured `LEAST_WORK`.
        """
        self.n_workers = n_workers
        self.name = f"{n_workers} processes"
        self.least_work = LEAST_WORK[can_fork()] if least_work is None else least_work
        self._fork = fork
        self._idle: list[Worker] = []
        self._runs: set[_PoolRun] = set()

    def run(self, function: Callable[[Item], Value], items: Iterable[Item]) -> Iterator[tuple[int, Value]]:
        """Call `function` on each item; yield (item number, result) as items finish."""
        numbered = enumerate(items)
        first = list(islice(numbered, 2))
        if len(first) < 2 or self.n_workers < 2:
            for number, item in chain(first, numbered):
                yield number, function(item)
            return
        pool_run = _PoolRun(pack_value(function), self.n_workers, self._idle, fork=self._fork)
        self._runs.add(pool_run)
        try:
            for number, item in chain(first, numbered):
                while pool_run.n_under_way >= ITEMS_PER_WORKER * self.n_workers:
                    yield pool_run.wait()
                pool_run.give(number, pack_value(item), describe_item(number, item))
                while pool_run.has_answers():
                    yield pool_run.wait()
            while pool_run.n_under_way:
                yield pool_run.wait()
            pool_run.rest()
        finally:
            pool_run.stop()
            self._runs.discard(pool_run)

    def close(self) -> None:
        """End the workers, even in the middle of an item."""
        for run in list(self._runs):
            run.stop()
        while self._idle:
            self._idle.pop().end()

    def __enter__(self) -> ProcessEngine:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


@final
class _PoolRun:
    """One run of the engine: a thread per worker hands items to it, and starts a new worker if it dies.

    The threads handle bytes only. Unpickling and forking happen in the thread that called `run`, so no thread
    can be in the middle of an import during a fork; the child would wait for the import lock forever.
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
        """Number of items given and not yet answered."""
        return len(self._described)

    def give(self, number: int, item: bytes, described: str) -> None:
        """Queue an item; start another worker if fewer than the limit run and there is work for one more."""
        self._described[number] = described
        if len(self._threads) < min(self._most, self.n_under_way):
            self._add_worker()
        self._todo.put((number, item))

    def has_answers(self) -> bool:
        """Return whether `wait` would return without waiting."""
        return not self._done.empty()

    def wait(self) -> tuple[int, Any]:
        """Return number and result of the next item to finish, or raise what the function raised."""
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
        """End the threads after the last item, and keep the workers for another run."""
        for _ in self._threads:
            self._todo.put(None)
        for thread in self._threads:
            thread.join()
        with self._lock:
            self._idle.extend(self._workers.values())
            self._workers.clear()

    def stop(self) -> None:
        """Kill the workers and end the threads, even in the middle of an item."""
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

    def _add_worker(self) -> None:
        """Take an idle worker or start a new one, with its thread."""
        slot = len(self._threads)
        with hold_interrupts():
            fork = can_fork() if self._fork is None else self._fork
            self._workers[slot] = self._idle.pop() if self._idle else start_worker(fork=fork)
            name = f"{OWN_THREADS} worker {slot + 1}"
            thread = threading.Thread(target=self._serve, args=(slot,), name=name, daemon=True)
            thread.start()
            self._threads.append(thread)

    def _serve(self, slot: int) -> None:
        """Run the thread of worker `slot`: pass items to the worker until None comes."""
        while (task := self._todo.get()) is not None:
            number, item = task
            try:
                answer: bytes | str | EngineError = self._ask(slot, item)
            except EngineError as error:
                answer = error
            self._done.put((number, answer))

    def _ask(self, slot: int, item: bytes) -> bytes | str:
        """Return the packed answer for `item`, or after `MOST_TRIES` deaths how the last worker ended.

        A worker that replaces a dead one is never forked, as this is not the main thread.
        """
        how = ""
        for _ in range(MOST_TRIES):
            with self._lock:
                if self._is_over:
                    return how
                if slot not in self._workers:
                    self._workers[slot] = start_worker(fork=False)
                worker = self._workers[slot]
            try:
                return worker.ask(self._function, item)
            except (EOFError, OSError):
                with self._lock:
                    del self._workers[slot]
                how = worker.end(_PATIENCE)
        return how
