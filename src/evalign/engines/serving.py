"""The other side of `evalign.engines.workers`: a process that works until nobody is left to work for.

Messages are a length of eight bytes and as many bytes. To a worker goes a function, or nothing where it is the one it
has, and then an item; an answer comes back.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import threading
from queue import SimpleQueue
from typing import IO, NoReturn

from evalign.engines.work import answer

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


def enter() -> NoReturn:
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
        given, item = asked.get()
        function = given or function
        said = answer(function, item)
        try:
            write_message(send, said)
            send.flush()
        except OSError:  # nobody is left to answer
            os._exit(1)


def _listen(receive: IO[bytes], asked: SimpleQueue[tuple[bytes, bytes]]) -> None:
    try:
        while True:
            asked.put((read_message(receive), read_message(receive)))
    except (EOFError, OSError):
        os._exit(0)
