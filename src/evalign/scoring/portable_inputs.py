"""Prepare the inputs of a treebank for a worker: decide which can be sent, read others, measure their size.

`collection_run` uses this. Paths are sent as they were given, because errors show them. A worker in another
folder or on another machine resolves them against the folder that the run was started in (`RunOrigin`).
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import NamedTuple

from evalign.errors import EvalignError, InputError, show_name
from evalign.readers.byte_stream import is_pipe, is_source, open_path, read_bytes, read_stored, stored_size
from evalign.readers.remote import is_url
from evalign.scoring.collection import Treebank
from evalign.scoring.reading import Input
from evalign.text import Source, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.readers.raw_files import RawInput

STANDARD_INPUT = "-"
# URLs of files in the memory of this process, which no worker can read.
_OWN = "memory://"


class ReadInput(io.BytesIO):
    """An input that has been read, as a file in memory that can be pickled.

    It is read again from its start after its end was reached. If reading failed, `error` is kept and raised
    again by `read`.
    """

    def __init__(self, name: str, data: bytes, path: str = "", error: EvalignError | None = None) -> None:
        super().__init__(data)
        self.name, self.path, self.error = name, path, error

    def read(self, size: int | None = -1, /) -> bytes:
        """Read bytes as a file does.

        After the end was reached, the next read starts at the first byte again.
        """
        if self.error is not None:
            raise self.error
        data = super().read(size)
        if size is None or size < 0 or (size and not data):
            self.seek(0)
        return data

    def begin_again(self) -> None:
        """Go back to the first byte."""
        self.seek(0)

    def __reduce__(self) -> tuple[object, ...]:
        return ReadInput, (self.name, self.getvalue(), self.path, self.error)


class RunOrigin(NamedTuple):
    """The machine and working folder where a run was started, against which relative paths are resolved."""

    machine: str
    folder: str

    @property
    def is_here(self) -> bool:
        """True if this process runs on that machine in that folder, so that paths mean the same."""
        return self == find_origin()

    def find(self, path: str) -> str:
        """Join a relative path to the folder; a URL or an absolute path stays as it is."""
        return path if is_url(path) else os.path.join(self.folder, path)  # noqa: PTH118 - as it is written


def find_origin() -> RunOrigin:
    """Return the machine and working folder of this process."""
    from socket import gethostname

    try:
        folder = os.getcwd()  # noqa: PTH109 - pathlib loads more
    except OSError:  # it was removed
        folder = ""
    return RunOrigin(gethostname(), folder)


def read_input(source: Source, origin: RunOrigin | None = None) -> ReadInput:
    """Read all bytes of an input. With `origin`, a path is resolved where the run was started.

    An error is not raised here, but kept in the `ReadInput`.
    """
    if isinstance(source, ReadInput):
        return source
    path = find_path(source)
    try:
        if path and origin is not None:
            with closing(open_path(origin.find(path), "" if is_url(path) else show_name(path))) as file:
                return ReadInput(file.name, read_stored(file), path)
        return ReadInput(*read_bytes(source), path)
    except EvalignError as error:
        if origin is not None and isinstance(error, InputError):
            machine = find_origin().machine
            error.add_advice(f"{machine} looked for it: every worker must find it under that name")
        return ReadInput(path, b"", path, error)


def read_inputs(treebank: Treebank, origin: RunOrigin | None = None) -> Treebank:
    """Return the treebank with all its inputs read; objects in memory stay as they are."""
    return _replace_inputs(
        treebank, lambda source: read_input(source, origin), lambda raw: _read_raw(raw, origin)
    )


def _replace_inputs(
    treebank: Treebank, change: Callable[[Source], Source], change_raw: Callable[[Source], Source]
) -> Treebank:
    """Return the treebank with its inputs changed; objects in memory and missing outputs stay."""
    return replace(
        treebank,
        gold=change(treebank.gold) if is_source(treebank.gold) else treebank.gold,
        systems=tuple(change(source) if is_source(source) else source for source in treebank.systems),
        raw=None if treebank.raw is None else [change_raw(each) for each in list_raw_inputs(treebank.raw)],
    )


def _read_raw(source: Source, origin: RunOrigin | None) -> Source:
    """Read a raw text.

    For a folder of raw texts only the path is returned, as the order of its files is decided on reading.
    """
    path = find_path(source)
    if not path or is_url(path):
        return read_input(source, origin)
    where = origin.find(path) if origin else path
    return where if os.path.isdir(where) else read_input(source, origin)  # noqa: PTH112 - may hold a NUL


def list_inputs(treebank: Treebank) -> Iterator[Input]:
    """Yield all inputs of a treebank: gold, the outputs of systems that have one, raw texts."""
    yield treebank.gold
    yield from (source for source in treebank.systems if source is not None)
    yield from list_raw_inputs(treebank.raw)


def list_raw_inputs(raw: RawInput | None) -> Sequence[Source]:
    """Return raw texts, given as none, one or several, as a sequence."""
    if raw is None:
        return ()
    return (raw,) if isinstance(raw, str) or not isinstance(raw, Sequence) else tuple(raw)


def can_travel(treebank: Treebank) -> bool:
    """Return whether all inputs can be sent to a worker: paths, text, open files; not objects in memory."""
    return all(map(is_source, list_inputs(treebank)))


def make_portable(treebank: Treebank) -> Treebank:
    """Return a treebank that can be sent and read twice.

    Inputs that only this process can read, or only once, are read. Those are open files, standard input,
    pipes and URLs of this process's memory.
    """
    return _replace_inputs(treebank, _port, _port)


def _port(source: Source) -> Source:
    path = find_path(source)
    can_be_sent = isinstance(source, Text) or (path and _OWN not in path and not is_pipe(path))
    return source if can_be_sent else read_input(source)


def find_path(source: Input) -> str:
    """Return the path or URL of an input; empty for standard input, open files, text and objects."""
    if isinstance(source, ReadInput):
        return source.path
    if isinstance(source, (str, os.PathLike)) and source != STANDARD_INPUT:
        return os.fsdecode(source)
    return ""


def size_of(treebank: Treebank) -> int:
    """Estimate the bytes of a treebank's inputs, as a measure of work; files not found here count as 0."""
    return sum(map(_size_of, list_inputs(treebank)))


def _size_of(source: Input) -> int:
    if isinstance(source, Text):
        return len(source.text)
    if isinstance(source, ReadInput):
        return len(source.getbuffer())
    return stored_size(find_path(source))
