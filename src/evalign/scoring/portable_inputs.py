"""Inputs of a treebank on their way to a worker: what can travel, where it is read, how large it all is.

Paths travel as they are, as errors have them. A worker of another machine or folder reads them as seen
from the folder that the run was started in.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from evalign.errors import EvalignError, InputError, show_name
from evalign.readers import (
    Source,
    is_pipe,
    is_source,
    is_url,
    open_path,
    read_bytes,
    read_stored,
    stored_size,
)
from evalign.scoring.api import Input
from evalign.scoring.collection import Treebank
from evalign.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.readers import RawInput

STANDARD_INPUT = "-"
# What has a URL, and is in the memory of this process.
_OWN = "memory://"


class ReadInput(io.BytesIO):
    """An input that has been read, as a file in memory: it can be sent, and begins again at its end.

    What could not be read says so again when it is to be read.
    """

    def __init__(self, name: str, data: bytes, path: str = "", error: EvalignError | None = None) -> None:
        super().__init__(data)
        self.name, self.path, self.error = name, path, error

    def read(self, size: int | None = -1, /) -> bytes:
        """Bytes; after the last ones nothing, and then the first again."""
        if self.error is not None:
            raise self.error
        data = super().read(size)
        if size is None or size < 0 or (size and not data):
            self.seek(0)
        return data

    def begin_again(self) -> None:
        """Go to the first byte, wherever it was left."""
        self.seek(0)

    def __reduce__(self) -> tuple[object, ...]:
        return ReadInput, (self.name, self.getvalue(), self.path, self.error)


class RunOrigin(NamedTuple):
    """Where a run was started."""

    machine: str
    folder: str

    @property
    def is_here(self) -> bool:
        """Whether paths mean the same here."""
        return self == find_origin()

    def find(self, path: str) -> str:
        """A path as seen from anywhere; a URL is that already."""
        return path if is_url(path) else os.path.join(self.folder, path)  # noqa: PTH118 - as it is written


def find_origin() -> RunOrigin:
    """Where this process is."""
    from socket import gethostname

    try:
        folder = os.getcwd()  # noqa: PTH109 - pathlib loads more
    except OSError:  # it was removed
        folder = ""
    return RunOrigin(gethostname(), folder)


def read_input(source: Source, origin: RunOrigin | None = None) -> ReadInput:
    """An input with all its bytes; of a path as it is meant where the run was started."""
    if isinstance(source, ReadInput):
        return source
    path = find_path(source)
    try:
        if path and origin is not None:
            return ReadInput(*_read_from(path, origin), path)
        return ReadInput(*read_bytes(source), path)
    except EvalignError as error:
        if origin is not None and isinstance(error, InputError):
            machine = find_origin().machine
            error.add_advice(f"{machine} looked for it: every worker must find it under that name")
        return ReadInput(path, b"", path, error)


def _read_from(path: str, origin: RunOrigin) -> tuple[str, bytes]:
    file = open_path(origin.find(path), "" if is_url(path) else show_name(path))
    try:
        return file.name, read_stored(file)
    finally:
        file.close()


def read_inputs(treebank: Treebank, origin: RunOrigin | None = None) -> Treebank:
    """A treebank with the bytes of all its inputs that have any."""
    return replace(
        treebank,
        gold=_read_if_source(treebank.gold, origin),
        systems=tuple(
            None if source is None else _read_if_source(source, origin) for source in treebank.systems
        ),
        raw=None
        if treebank.raw is None
        else [_read_raw(each, origin) for each in list_raw_inputs(treebank.raw)],
    )


def _read_if_source(source: Input, origin: RunOrigin | None) -> Input:
    return read_input(source, origin) if is_source(source) else source


def _read_raw(source: Source, origin: RunOrigin | None) -> Source:
    """A raw text; a folder of them stays one, as its files have no order until they are looked at."""
    path = find_path(source)
    if not path or is_url(path):
        return read_input(source, origin)
    where = origin.find(path) if origin else path
    return where if os.path.isdir(where) else read_input(source, origin)  # noqa: PTH112 - may hold a NUL


def list_inputs(treebank: Treebank) -> Iterator[Input]:
    """All inputs of a treebank: gold, those of systems that have one, raw texts."""
    yield treebank.gold
    yield from (source for source in treebank.systems if source is not None)
    yield from list_raw_inputs(treebank.raw)


def list_raw_inputs(raw: RawInput | None) -> Sequence[Source]:
    """Raw texts as they were given: none, one, or several."""
    if raw is None:
        return ()
    return (raw,) if isinstance(raw, str) or not isinstance(raw, Sequence) else tuple(raw)


def can_travel(treebank: Treebank) -> bool:
    """Whether a worker can have its inputs: paths, text, and what is open and can be read first."""
    return all(map(is_source, list_inputs(treebank)))


def make_portable(treebank: Treebank) -> Treebank:
    """A treebank that can be sent, and read twice: what can be read only once, or only by this process, is read."""
    return replace(
        treebank,
        gold=_port(treebank.gold),
        systems=tuple(None if source is None else _port(source) for source in treebank.systems),
        raw=None if treebank.raw is None else [_port_source(each) for each in list_raw_inputs(treebank.raw)],
    )


def _port(source: Input) -> Input:
    return _port_source(source) if is_source(source) else source


def _port_source(source: Source) -> Source:
    path = find_path(source)
    can_be_sent = isinstance(source, Text) or (path and _OWN not in path and not is_pipe(path))
    return source if can_be_sent else read_input(source)


def find_path(source: Input) -> str:
    """The path or URL of an input; nothing where it has none, as standard input, an open file and text do."""
    if isinstance(source, ReadInput):
        return source.path
    if isinstance(source, (str, os.PathLike)) and source != STANDARD_INPUT:
        return os.fsdecode(source)
    return ""


def size_of(treebank: Treebank) -> int:
    """Bytes of its files, as far as this machine has them; a guess is enough to tell large ones from small."""
    return sum(map(_size_of, list_inputs(treebank)))


def _size_of(source: Input) -> int:
    if isinstance(source, Text):
        return len(source.text)
    if isinstance(source, ReadInput):
        return len(source.getbuffer())
    return stored_size(find_path(source))
