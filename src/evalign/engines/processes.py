"""The engine of several processes on this machine."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from queue import Empty, SimpleQueue
from typing import TypeVar, cast, final

from evalign.engines.work import ITEMS_PER_WORKER, MOST_TRIES, describe_item, died, open_answer, pack
from evalign.engines.workers import OWN_THREADS, Worker, can_fork, hold_interrupts, start_worker
from evalign.errors import EngineError

Item = TypeVar("Item")
Found = TypeVar("Found")

# Seconds between two looks whether Ctrl-C was pressed, on systems that wait without looking.
_PAUSE = 0.5


@final
class Processes:
    """So many worker processes, which are started when there is work for them and kept from one run to the next.

    A single item is worked on here: no process starts as fast.
    """

    is_remote = False

    def __init__(self, n_workers: int, *, fork: bool | None = None) -> None:
        """`fork` says whether processes are copied or new; None: copied where that is known to be safe."""
        self.n_workers = n_workers
        self.name = f"{n_workers} processes"
        self._fork = fork
        self._idle: list[Worker] = []
        self._crews: set[_Crew] = set()

    def run(self, function: Callable[[Item], Found], items: Iterable[Item]) -> Iterator[tuple[int, Found]]:
        """Each item's number and result, as they finish."""
        numbered = enumerate(items)
        first = list(islice(numbered, 2))
        if len(first) < 2 or self.n_workers < 2:
            for number, item in chain(first, numbered):
                yield number, function(item)
            return
        crew = _Crew(pack(function), self.n_workers, self._idle, fork=self._fork)
        self._crews.add(crew)
        try:
            for number, item in chain(first, numbered):
                while crew.n_under_way >= ITEMS_PER_WORKER * self.n_workers:
                    yield cast("tuple[int, Found]", crew.wait())
                crew.give(number, pack(item), describe_item(number, item))
                while crew.has_answers():
                    yield cast("tuple[int, Found]", crew.wait())
            while crew.n_under_way:
                yield cast("tuple[int, Found]", crew.wait())
            crew.rest()
        finally:
            crew.stop()
            self._crews.discard(crew)

    def close(self) -> None:
        """End the workers, also in the middle of their work."""
        for crew in list(self._crews):
            crew.stop()
        while self._idle:
            self._idle.pop().end()

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


@final
class _Crew:
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
                number, said = self._done.get(timeout=_PAUSE)
                break
            except Empty:
                continue
        described = self._described.pop(number)
        if isinstance(said, EngineError):
            raise said
        if self._is_over:
            msg = "the engine was closed in the middle of a run"
            raise EngineError(msg)
        if isinstance(said, str):
            raise died(described, said)
        return number, open_answer(said)

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
                said: bytes | str | EngineError = self._ask(place, item)
            except EngineError as error:
                said = error
            self._done.put((number, said))

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
                how = worker.bury()
        return how
