"""Finished treebanks of a collection, kept in a folder so that an interrupted run can resume after them.

`collection_run` uses this. Each treebank has a record (`engines.checkpoints`), whose key is made of everything
that went into its result: contents and names of all inputs, options, version. A treebank with any change is
therefore scored again, without a message; one whose record is damaged is scored again with a warning. Results
are checked like any saved one, so that nothing in the folder can stop a run. Only the process that started
the run reads and writes the folder; workers, which may be on other machines, compute the key, as they have
the data.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypedDict, cast

from evalign.engines.checkpoints import Checkpoints, make_digest, make_record, read_record
from evalign.errors import CommandError, InputError, Place, show_name
from evalign.files import shorten_paths
from evalign.readers.byte_stream import open_path
from evalign.readers.folder_limit import Folder
from evalign.readers.remote import is_url
from evalign.results.result import Result
from evalign.scoring.collection import Treebank
from evalign.scoring.portable_inputs import (
    ReadInput,
    RunOrigin,
    find_path,
    list_raw_inputs,
    read_input,
)
from evalign.scoring.reading import Input
from evalign.text import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.results.codec import SavedResult

_FILES = r"[A-Za-z0-9][A-Za-z0-9._-]*-[0-9a-f]{64}|\.evalign-[0-9a-f]+\.part"
_LONGEST_NAME = 40
# Bytes read at a time of a file that is scored part by part.
_PIECE = 1 << 20


class _Body(TypedDict):
    """The content of a treebank's record."""

    shown: list[str]
    """Metrics that systems were scored by."""
    result: object
    """The result as a `SavedResult`."""


Tell: TypeAlias = Callable[[str], None]


class KeptFile(NamedTuple):
    """The checkpoint file of a treebank: its name and content."""

    name: str
    data: bytes


class ScoredTreebank(NamedTuple):
    """A scored treebank, without its documents."""

    result: Result
    shown: frozenset[str]
    """Metrics that systems were scored by; gold may have others."""
    file: KeptFile | None = None
    """Its checkpoint, if it is to be kept and is not yet."""


# Keys and files, which workers make.


def make_key(
    digest: str, treebank: Treebank, origin: RunOrigin | None = None, *, is_streamed: bool = False
) -> str:
    """Return the digest of all that a treebank's result depends on.

    `digest` is that of the job (`describe_job`). The inputs are read to compute the key; in pieces, however
    large they are, if they are scored so. Their names are part of it too, because the result contains them.
    """
    describe = _describe_pieces if is_streamed else _describe
    systems = [None if source is None else describe(source, origin) for source in treebank.systems]
    raw = [_describe_raw(each, origin) for each in list_raw_inputs(treebank.raw)]
    missing = list(treebank.missing)
    return make_digest([digest, treebank.name, describe(treebank.gold, origin), systems, raw, missing])


def _describe(source: Input, origin: RunOrigin | None) -> list[str]:
    """Return the name of an input and a digest of its bytes, or an empty text and why it cannot be read."""
    content = read_input(cast("Source", source), origin)
    if content.error is not None:
        return [content.name, "", str(content.error)]
    return [content.name, sha256(content.getbuffer()).hexdigest()]


def _describe_pieces(source: Input, origin: RunOrigin | None) -> list[str]:
    """Return the same as `_describe`, without holding all of a file in memory."""
    path = find_path(source)
    if not path or isinstance(source, ReadInput):
        return _describe(source, origin)
    digest = sha256()
    try:
        file = open_path(origin.find(path) if origin else path, "" if is_url(path) else show_name(path))
        with closing(file):
            while piece := file.read(_PIECE):
                digest.update(piece)
    except InputError as error:
        return [path, "", str(error)]
    return [file.name, digest.hexdigest()]


def _describe_raw(source: Source, origin: RunOrigin | None) -> list[str]:
    """Return name and digest of a raw text as `_describe` does; for a folder, those of each file in it."""
    path = find_path(source)
    where = origin.find(path) if origin and path else path
    if not os.path.isdir(where):  # noqa: PTH112 - may be a URL, or hold a NUL
        return _describe(source, origin)
    try:
        files = sorted(each for each in Path(where).iterdir() if each.is_file())
    except OSError as error:
        return [path, "", str(error)]
    return [path, *(part for each in files for part in _describe(str(each), None))]


def name_file(treebank: str, key: str) -> str:
    """Return the file name of a treebank: its name, shortened, and its key."""
    return f"{_begin_name(treebank)}{key}"


def _begin_name(treebank: str) -> str:
    """Return the start of a treebank's file names, for people to find them; two treebanks may share it."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", treebank).lstrip("._-")[:_LONGEST_NAME]
    return f"{name or 'treebank'}-"


def make_file(key: str, shown: Collection[str], saved: SavedResult) -> bytes:
    """Return the record of a treebank: its result and the metrics `shown`."""
    return make_record(key, _Body(shown=sorted(shown), result=saved))


def _recall(body: _Body, systems: Sequence[str]) -> ScoredTreebank | None:
    """Load the result of a record; None if it is damaged or has other systems."""
    try:
        result = Result.from_dict(cast("SavedResult", body["result"]))
    except (InputError, RecursionError, MemoryError):
        return None
    named = [system.name for system in result.systems]
    return ScoredTreebank(result, frozenset(body["shown"])) if named == list(systems) else None


# The folder, which only the process that started the run reads and writes.


def warn_user(message: str) -> None:
    """Issue a Python `RuntimeWarning`."""
    warnings.warn(message, RuntimeWarning, stacklevel=2)


class FinishedFolder:
    """A folder of finished treebanks; it is created when the first one is finished."""

    def __init__(self, folder: Folder, *, tell: Tell | None = None, warn: Tell = warn_user) -> None:
        """Use `folder`, which may exist already. Raises `InputError` if it has no name, or is a file.

        `tell` is called with a message of how many treebanks were finished before, `warn` with a warning if
        files are damaged or cannot be written.
        """
        self.path = Path(folder)
        self._store = Checkpoints(self.path)
        [self._name] = shorten_paths([os.fspath(folder)])
        # pathlib's functions raise if a name is too long.
        if not os.fspath(folder) or (os.path.exists(folder) and not os.path.isdir(folder)):  # noqa: PTH110, PTH112
            problem = "no folder" if os.fspath(folder) else "no name"
            raise InputError(
                Place(os.fspath(folder) or '""'), problem, "a folder for finished treebanks, which may be new"
            )
        self.total = 0
        """Number of treebanks of the run."""
        self.n_before = 0
        """Number of treebanks that were finished before the run."""
        self.n_now = 0
        """Number of treebanks that were finished in this run and kept."""
        self._tell, self._warn = tell, warn
        self._has_warned = False
        self._n_damaged = 0

    def check_apart(self, *folders: Folder) -> None:
        """Raise `CommandError` if this folder is one of `folders`, from which the run reads its inputs.

        The checkpoints in it would be mistaken for treebanks.
        """
        for folder in folders:
            if os.path.exists(self.path) and os.path.exists(folder) and os.path.samefile(self.path, folder):  # noqa: PTH110, PTH121
                message = f"finished treebanks are to be kept in {os.fspath(folder)}, which is read"
                raise CommandError(message, "a folder of their own, which may be new")

    def find_candidates(self, treebanks: Mapping[int, Treebank]) -> dict[int, Treebank]:
        """Return the treebanks that may have a file in the folder, judging by the start of file names."""
        try:
            files = {path.name.rpartition("-")[0] + "-" for path in self.path.iterdir()}
        except OSError:  # there is none yet
            return {}
        return {k: each for k, each in treebanks.items() if _begin_name(each.name) in files}

    def take(self, name: str, systems: Sequence[str]) -> ScoredTreebank | None:
        """Read the finished treebank in the file `name`.

        Returns None if there is no such file, it is damaged, or it has other systems.
        """
        path = self.path / name
        if not name or not os.path.lexists(path):
            return None
        body = read_record(path, name.rpartition("-")[2], _Body)
        recalled = _recall(body, systems) if body else None
        self._n_damaged += recalled is None
        return recalled

    def put(self, file: KeptFile) -> None:
        """Write the file of a treebank.

        If that fails, warn once and go on: the run does not need the file.
        """
        is_new = not os.path.exists(self.path)  # noqa: PTH110
        try:
            self._store.make()
            self._store.put(file.name, file.data)
            self.n_now += 1
        except OSError as error:
            # Without the path of the error, which is specific to this machine.
            why = error.strerror or "cannot be written"
            if os.path.exists(self.path):  # noqa: PTH110
                why = f"cannot be written ({why})"
            if is_new:
                self._store.remove_empty()
            if not self._has_warned:
                self._has_warned = True
                self._warn(
                    f"{self._name}: {why}: finished treebanks are not kept, so a run that is stopped starts from the beginning"
                )

    def begin(self, total: int, n_before: int) -> None:
        """Note that a run begins: `total` treebanks, `n_before` finished before. Warn of damaged files."""
        self.total, self.n_before, self.n_now = total, n_before, 0
        if self._n_damaged:
            were = "1 kept treebank is" if self._n_damaged == 1 else f"{self._n_damaged} kept treebanks are"
            self._warn(f"{self._name}: {were} damaged, or not of this run; scored again")
            self._n_damaged = 0
        if n_before and self._tell:
            self._tell(f"{n_before} of {total} treebanks were finished before")

    @property
    def n_kept(self) -> int:
        """Number of treebanks of the run that are kept, so that a later run need not score them."""
        return self.n_before + self.n_now

    def remove(self) -> None:
        """Remove evalign's files, and the folder if nothing else is in it."""
        self.n_before = self.n_now = 0
        with suppress(OSError):  # there is none, or it may not be written to: then it stays
            self._store.clear(_FILES)
            self._store.remove_empty()
