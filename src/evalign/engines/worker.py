"""The worker's side of an engine: calls a packed function on a packed item and packs the answer.

`processes` runs `serve` in its worker processes, `dask_engine` calls `answer_packed` on a cluster.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import IO, NoReturn

from evalign.errors import EngineError, EvalignError, InputError, quote

# How often an item is tried if its worker dies. A worker may die for reasons other than the item, but an item
# whose workers die again and again is probably the cause.
MOST_TRIES = 3
# Items under way per worker: while it works on one, the next is ready.
ITEMS_PER_WORKER = 2


class WorkerTraceback(Exception):
    """Traceback from a worker as text; set as the cause of the exception that is raised again here."""

    def __str__(self) -> str:
        return f'\n"""\n{self.args[0]}"""'


def pack_value(value: object) -> bytes:
    """Pickle a function, an item or a result for sending."""
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


def answer_packed(function: bytes, item: bytes, worker: str = "") -> bytes:
    """Call a packed function on a packed item; return its result or exception, packed for `open_answer`.

    `worker` names the worker. Give it where workers may see different files: it is added to the advice of
    errors about files.
    """
    try:
        return pack_value((_load(function)(pickle.loads(item)), None, ""))
    except BaseException as error:  # noqa: BLE001 - `open_answer` raises it again
        if worker and isinstance(error, InputError) and _is_of_files(error):
            error.add_advice(f"{worker} looked for it: every worker must find it under that name")
        return _pack_error(error)


# The last function with its pickled bytes: consecutive items mostly need the same one.
_loaded: tuple[bytes, Callable[[object], object]] = (b"", repr)


def _load(packed: bytes) -> Callable[[object], object]:
    global _loaded
    loaded = _loaded
    if loaded[0] != packed:
        _loaded = loaded = packed, pickle.loads(packed)
    return loaded[1]


def _is_of_files(error: BaseException) -> bool:
    """Return whether an `OSError` is anywhere in the chain of errors that led to `error`."""
    before = error.__context__
    return before is not None and (isinstance(before, OSError) or _is_of_files(before))


def _pack_error(error: BaseException) -> bytes:
    from traceback import format_exception

    traceback = "".join(format_exception(type(error), error, error.__traceback__))
    try:
        packed = pack_value((None, error, traceback))
        pickle.loads(packed)
    except BaseException:  # noqa: BLE001 - other packages' exceptions may not survive pickling
        return pack_value((None, RuntimeError(f"{type(error).__name__}: {error}"), traceback))
    return packed


def open_answer(packed: bytes) -> object:
    """Unpack an answer: return the function's result, or raise the exception that it raised.

    An exception that is not evalign's own gets the worker's traceback as its cause.
    """
    result, error, traceback = pickle.loads(packed)
    if error is None:
        return result
    if not isinstance(error, EvalignError):
        error.__cause__ = WorkerTraceback(traceback)
    raise error


def describe_item(number: int, item: object) -> str:
    """Describe an item for messages: its number, counted from 1, and its name if it has one.

    >>> describe_item(0, "da.conllu")
    'item 1, "da.conllu"'
    >>> describe_item(6, 1.5)
    'item 7'
    """
    name = _find_name(item)
    return f"item {number + 1}, {quote(name)}" if name else f"item {number + 1}"


def _find_name(item: object) -> str:
    if isinstance(item, str | os.PathLike):
        return str(item)
    name = getattr(item, "name", "")
    if isinstance(name, str) and name:
        return name
    if isinstance(item, tuple | list):
        return next(filter(None, map(_find_name, item[:4])), "")
    return ""


def worker_died(described: str, how: str, n_deaths: int = MOST_TRIES) -> EngineError:
    """Return the error for an item whose workers died `n_deaths` times; `how` says how the last one ended."""
    return EngineError(
        f"{described}: the worker died {n_deaths} times ({how})",
        "workers that live to the end",
        "out of memory? fewer workers at a time leave more for each",
    )


# The other side of `evalign.engines.processes`: a process that works until its parent is gone.
#
# A message is its length in eight bytes, then that many bytes. The parent sends two messages for each item:
# the function (empty if it is the same as before), then the item. The worker sends one message back: the
# answer.

_N_BYTES = 8


def write_message(stream: IO[bytes], data: bytes) -> None:
    """Write `data` to `stream`, preceded by its length."""
    stream.write(len(data).to_bytes(_N_BYTES, "big"))
    stream.write(data)


def read_message(stream: IO[bytes]) -> bytes:
    """Read one message; raise EOFError if the other side has closed the stream."""
    return _read(stream, int.from_bytes(_read(stream, _N_BYTES), "big"))


def _read(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


def worker_main() -> NoReturn:
    """Main function of a worker process: requests come on standard input, answers go to standard output."""
    receive, send = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    serve(receive, send)


def serve(receive: IO[bytes], send: IO[bytes]) -> NoReturn:
    """Answer requests until the parent closes `receive`; then exit at once, even in the middle of an item."""
    # Ctrl-C at a terminal reaches every process of the command; the parent alone decides how to react.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # What a function prints must not get among the answers, nor among the results of a command. The stream is
    # a new one because another thread may have held the old stream's lock during the fork.
    with contextlib.suppress(OSError):  # there may be no standard error
        os.dup2(2, 1)
        sys.stdout = sys.stderr = open(  # noqa: SIM115 - no path, and never closed
            2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False
        )
    # Commands may run without the garbage collector, but a long-running worker needs it. Freezing keeps
    # memory pages that are shared by forking unchanged, hence shared.
    gc.freeze()
    gc.enable()
    asked: SimpleQueue[tuple[bytes, bytes]] = SimpleQueue()
    threading.Thread(target=_listen, args=(receive, asked), daemon=True).start()
    function = b""
    while True:
        sent_function, item = asked.get()
        function = sent_function or function
        answer = answer_packed(function, item)
        try:
            write_message(send, answer)
            send.flush()
        except OSError:  # the parent is gone
            os._exit(1)


def _listen(receive: IO[bytes], asked: SimpleQueue[tuple[bytes, bytes]]) -> None:
    try:
        while True:
            asked.put((read_message(receive), read_message(receive)))
    except (EOFError, OSError):
        os._exit(0)
