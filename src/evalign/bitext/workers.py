"""What worker processes need besides their items: a shared folder, spans of a file, a value sent only once.

The stages of a build and mining use this module. Workers that get names of files instead of contents must all
see the folder of these files under the same name. Workers on one machine always see it, workers of a cluster
if the folder is on a shared file system. A worker that needs a shared folder first calls
`check_folder_visible`.
"""

from __future__ import annotations

import pickle
import shutil
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from platform import node
from typing import Generic, NamedTuple, TypeVar, cast
from uuid import uuid4

from evalign.engines.base import Engine, SerialEngine
from evalign.errors import EngineError

SHARED = "shared-"
"""Prefix of the names of shared folders."""

_Value = TypeVar("_Value")


@contextmanager
def share_folder(parent: Path) -> Iterator[Path]:
    """Make a new folder in `parent`, and remove it afterwards.

    Its name is unique. So a worker that sees the name sees this very folder, and what a worker caches about a
    file in it can never be about another file.
    """
    folder = parent.resolve() / f"{SHARED}{uuid4().hex}.part"
    folder.mkdir()
    try:
        yield folder
    finally:
        # Windows removes no file that a worker still has open; the next build removes what is left.
        shutil.rmtree(folder, ignore_errors=True)


def check_folder_visible(folder: Path) -> None:
    """Raise `EngineError` if this process does not see `folder`."""
    if not folder.is_dir():
        message = (
            f"a worker on {node() or 'a machine without a name'} does not see the folder {folder.parent}"
        )
        raise EngineError(message, "a folder on a file system that all workers share, under the same name")


def is_inline(engine: Engine) -> bool:
    """Return whether `engine` works in this process.

    It goes by the name, because the engine may be wrapped or the user's own class.
    """
    return engine.name == SerialEngine.name


@contextmanager
def closing_results(results: Iterator[_Value]) -> Iterator[Iterator[_Value]]:
    """Close a generator of results when the block ends for whatever reason.

    Closing it cancels the work of the engine that is still under way.
    """
    try:
        yield results
    finally:
        if isinstance(results, Generator):
            results.close()


class FileSpan(NamedTuple):
    """Some whole lines of a file, given by byte offsets."""

    path: Path
    start: int
    end: int
    shared: Path | None = None
    """A folder that the process must see which reads the lines."""

    def read(self) -> list[str]:
        """Read the lines, without their line ends; raise `EngineError` if `shared` is not to be seen."""
        if self.shared:
            check_folder_visible(self.shared)
        with self.path.open("rb") as file:
            file.seek(self.start)
            return file.read(self.end - self.start).decode("utf-8").split("\n")[:-1]


def cut_file(path: Path, size: int, shared: Path | None = None) -> Iterator[FileSpan]:
    """Cut a file of lines into spans of about `size` bytes.

    Every line, also the last, must have a line end.
    """
    total = path.stat().st_size
    start = 0
    with path.open("rb") as file:
        while start < total:
            file.seek(min(start + size, total) - 1)
            file.readline()
            end = file.tell()
            yield FileSpan(path, start, end, shared)
            start = end


# Enough that all workers finish at about the same time, and few enough that what is sent with each block is
# sent rarely.
_BLOCKS_PER_WORKER = 8


def cut_evenly(n: int, least: int, engine: Engine, most: int = sys.maxsize) -> Iterator[tuple[int, int]]:
    """Cut `n` items into blocks for the workers of `engine`; yield the start and end of each.

    Blocks have at least `least` items (but for the last one) and at most `most`. In this process all blocks
    have `least`.

    >>> from evalign.engines.base import SerialEngine
    >>> [*cut_evenly(10, 4, SerialEngine())]
    [(0, 4), (4, 8), (8, 10)]
    """
    even = -(-n // (_BLOCKS_PER_WORKER * engine.n_workers)) if not is_inline(engine) else 0
    size = min(max(least, even), most)
    return ((start, min(start + size, n)) for start in range(0, n, size))


class Broadcast(Generic[_Value]):
    """A value that all items of a run need.

    It is pickled with the function, and unpickled only once by each process.
    """

    def __init__(self, value: _Value, key: str = "") -> None:
        self.value = value
        self._key = key or uuid4().hex

    def __reduce__(self) -> tuple[Callable[[str, bytes], Broadcast[_Value]], tuple[str, bytes]]:
        """Pickle as a key and bytes, which `_open` unpickles unless its process has done so already."""
        return _open, (self._key, pickle.dumps(self.value, pickle.HIGHEST_PROTOCOL))


_opened: dict[str, object] = {}


def _open(key: str, packed: bytes) -> Broadcast[_Value]:
    broadcast = cast("Broadcast[_Value] | None", _opened.get(key))
    if broadcast is None:
        broadcast = Broadcast(pickle.loads(packed), key)
        # Only the latest is kept: runs come one after the other, and each sends one value.
        _opened.clear()
        _opened[key] = broadcast
    return broadcast
