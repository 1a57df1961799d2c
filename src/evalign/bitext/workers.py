"""What workers need beside their items: a folder they read from and write to, spans of a file, or something sent once.

Where workers get the names of files, not what is in them, all of them must see the folder, under the same name: those of one
machine do, those of a cluster do where it is on a file system that they share. Whatever they do there begins with a look.
"""

from __future__ import annotations

import pickle
import shutil
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar, cast
from uuid import uuid4

from evalign.engines import Engine, SerialEngine
from evalign.errors import EngineError

SHARED = "shared-"
"""What names of shared folders begin with."""

_Value = TypeVar("_Value")


@contextmanager
def share_folder(parent: Path) -> Iterator[Path]:
    """A new folder in another one, gone afterwards.

    Its name is like no other: a worker that sees it sees this folder, and what it keeps in memory of a file in it is
    never of another file.
    """
    folder = parent.resolve() / f"{SHARED}{uuid4().hex}.part"
    folder.mkdir()
    try:
        yield folder
    finally:
        # Windows lets no file go that a worker still has open; a build removes what is left the next time.
        shutil.rmtree(folder, ignore_errors=True)


def check_folder_visible(folder: Path) -> None:
    """Raise `EngineError` where a worker does not see the folder."""
    if not folder.is_dir():
        from platform import node

        message = (
            f"a worker on {node() or 'a machine without a name'} does not see the folder {folder.parent}"
        )
        raise EngineError(message, "a folder on a file system that all workers share, under the same name")


def is_inline(engine: Engine) -> bool:
    """Whether an engine works in this process. An engine may be lent, or a stranger's: its name tells."""
    return engine.name == SerialEngine.name


@contextmanager
def closing_results(results: Iterator[_Value]) -> Iterator[Iterator[_Value]]:
    """Results of an engine: what is still under way is called off when they are left, for whatever reason."""
    try:
        yield results
    finally:
        if isinstance(results, Generator):
            results.close()


class FileSpan(NamedTuple):
    """Some lines of a file, as its bytes."""

    path: Path
    start: int
    end: int

    def read(self) -> list[str]:
        """The lines, without their ends."""
        with self.path.open("rb") as file:
            file.seek(self.start)
            return file.read(self.end - self.start).decode("utf-8").split("\n")[:-1]


def cut_file(path: Path, size: int) -> Iterator[FileSpan]:
    """A file of lines in spans of about so many bytes; every line has an end."""
    total = path.stat().st_size
    start = 0
    with path.open("rb") as file:
        while start < total:
            file.seek(min(start + size, total) - 1)
            file.readline()
            end = file.tell()
            yield FileSpan(path, start, end)
            start = end


# So many blocks for each worker: the last of them end at about the same time, and what is sent with each is sent rarely.
_BLOCKS_PER_WORKER = 8


def cut_evenly(n: int, least: int, engine: Engine, most: int = sys.maxsize) -> Iterator[tuple[int, int]]:
    """Blocks of so many things for the workers of an engine, none smaller than it is worth: where each begins and ends.

    >>> from evalign.engines import SerialEngine
    >>> [*cut_evenly(10, 4, SerialEngine())]
    [(0, 4), (4, 8), (8, 10)]
    """
    even = -(-n // (_BLOCKS_PER_WORKER * engine.n_workers)) if not is_inline(engine) else 0
    size = min(max(least, even), most)
    return ((start, min(start + size, n)) for start in range(0, n, size))


class Broadcast(Generic[_Value]):
    """What all items of a run need: sent with the function, and unpacked once by each process."""

    def __init__(self, value: _Value, key: str = "") -> None:
        self.value = value
        self._key = key or uuid4().hex

    def __reduce__(self) -> tuple[Callable[[str, bytes], Broadcast[_Value]], tuple[str, bytes]]:
        """As it is sent: bytes, which a process opens that has not opened them yet."""
        return _open, (self._key, pickle.dumps(self.value, pickle.HIGHEST_PROTOCOL))


_opened: dict[str, object] = {}


def _open(key: str, packed: bytes) -> Broadcast[_Value]:
    broadcast = cast("Broadcast[_Value] | None", _opened.get(key))
    if broadcast is None:
        broadcast = Broadcast(pickle.loads(packed), key)
        # One is kept: runs come one after the other, and of each is sent one thing.
        _opened.clear()
        _opened[key] = broadcast
    return broadcast
