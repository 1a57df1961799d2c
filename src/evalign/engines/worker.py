"""What a worker process does: a function on an item, the answer as bytes."""

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
from typing import IO, NoReturn, cast

from evalign.errors import EngineError, EvalignError, InputError, quote

# How often an item is run whose worker dies: the worker may have been innocent, and an item is rarely guilty by chance.
MOST_TRIES = 3
# How many items are under way for each worker: one is worked on while the next is ready.
ITEMS_PER_WORKER = 2


class WorkerTraceback(Exception):
    """Where in a worker an exception arose: the cause of the exception here."""

    def __str__(self) -> str:
        return f'\n"""\n{self.args[0]}"""'


def pack_value(value: object) -> bytes:
    """A function, an item or a result as it is sent."""
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


def answer_packed(function: bytes, item: bytes, worker: str = "") -> bytes:
    """What a packed function says of a packed item, or raises: to be opened with `open_answer`.

    `worker` says who works, where files may be found by some workers and not by others.
    """
    try:
        return pack_value((_load(function)(pickle.loads(item)), None, ""))
    except BaseException as error:  # noqa: BLE001 - it is raised again where the work was asked for
        if worker and isinstance(error, InputError) and _is_of_files(error):
            error.add_advice(f"{worker} looked for it: every worker must find it under that name")
        return _pack_error(error)


# The last function and its bytes: a worker is mostly asked for the same again.
_loaded: tuple[bytes, Callable[[object], object]] = (b"", repr)


def _load(packed: bytes) -> Callable[[object], object]:
    global _loaded
    loaded = _loaded
    if loaded[0] != packed:
        _loaded = loaded = packed, cast("Callable[[object], object]", pickle.loads(packed))
    return loaded[1]


def _is_of_files(error: BaseException) -> bool:
    """Whether an error arose of one that the system gave."""
    before = error.__context__
    return before is not None and (isinstance(before, OSError) or _is_of_files(before))


def _pack_error(error: BaseException) -> bytes:
    from traceback import format_exception

    traceback = "".join(format_exception(type(error), error, error.__traceback__))
    try:
        packed = pack_value((None, error, traceback))
        pickle.loads(packed)
    except BaseException:  # noqa: BLE001 - of another package, made so that it cannot be made again
        return pack_value((None, RuntimeError(f"{type(error).__name__}: {error}"), traceback))
    return packed


def open_answer(packed: bytes) -> object:
    """What the function found; what it raised is raised."""
    result, error, traceback = cast("tuple[object, BaseException | None, str]", pickle.loads(packed))
    if error is None:
        return result
    if not isinstance(error, EvalignError):
        error.__cause__ = WorkerTraceback(traceback)
    raise error


def describe_item(number: int, item: object) -> str:
    """An item in words: how many came before it, and a name if it has one.

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
    """What to say of an item whose workers all died."""
    return EngineError(
        f"{described}: the worker died {n_deaths} times ({how})",
        "workers that live to the end",
        "out of memory? fewer workers at a time leave more for each",
    )


# The other side of `evalign.engines.processes`: a process that works until nobody is left to work for.
#
# Messages are a length of eight bytes and as many bytes. To a worker goes a function, or nothing where it is the one it
# has, and then an item; an answer comes back.

_N_BYTES = 8


def write_message(stream: IO[bytes], data: bytes) -> None:
    """Send bytes."""
    stream.write(len(data).to_bytes(_N_BYTES, "big"))
    stream.write(data)


def read_message(stream: IO[bytes]) -> bytes:
    """Bytes that were sent; raises EOFError where the other side is gone."""
    return _read(stream, int.from_bytes(_read(stream, _N_BYTES), "big"))


def _read(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


def worker_main() -> NoReturn:
    """A process of its own: asked on standard input, answering on standard output."""
    receive, send = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    serve(receive, send)


def serve(receive: IO[bytes], send: IO[bytes]) -> NoReturn:
    """Work until the other side closes: then end at once, in the middle of an item too."""
    # Ctrl-C at a terminal reaches every process of the command; who asked for the work decides what becomes of it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # What a function prints must not go where answers go, nor among the results of a command. The stream is a new one:
    # the old one's lock may have been held while the process was copied.
    with contextlib.suppress(OSError):  # there may be no standard error
        os.dup2(2, 1)
        sys.stdout = sys.stderr = open(  # noqa: SIM115 - no path, and never closed
            2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False
        )
    # A command may do without the collector; who works for long may not. What is shared by forking stays shared.
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
        except OSError:  # nobody is left to answer
            os._exit(1)


def _listen(receive: IO[bytes], asked: SimpleQueue[tuple[bytes, bytes]]) -> None:
    try:
        while True:
            asked.put((read_message(receive), read_message(receive)))
    except (EOFError, OSError):
        os._exit(0)
