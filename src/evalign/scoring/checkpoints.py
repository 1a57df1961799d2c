"""Treebanks that are finished, kept in a folder: a run that was stopped goes on behind them.

A file for each, named by what went into it: contents and names of all inputs, options, version. So whatever has changed
is scored again, and nothing has to be said of it. A file is there whole or not at all, and has a digest of itself: what
was damaged is scored again, too, and that is said. It is JSON and looked through as any saved result is, so that
nothing in the folder can run code or stop a run, whoever put it there. Only the process that the run was started in
reads and writes the folder; workers, which may be on other machines, find out the key, as they have the data.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypedDict, cast

from evalign._version import __version__
from evalign.errors import CommandError, InputError, Place
from evalign.files import shorten_paths, write_whole
from evalign.readers import Folder, Source
from evalign.results import DAMAGES, Result, check_shape, parse_json
from evalign.scoring.api import Input
from evalign.scoring.collection import Treebank
from evalign.scoring.portable_inputs import (
    RunOrigin,
    find_path,
    list_raw_inputs,
    read_input,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.results import SavedResult

# Goes up when files of this folder hold something else, so that none of before are read.
LAYOUT = 2
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*-[0-9a-f]{64}|\.evalign-[0-9a-f]+\.part")
_LONGEST_NAME = 40


class _Body(TypedDict):
    """What a file has below its first line."""

    shown: list[str]
    result: object
    """As it is saved: a `SavedResult`."""


Tell: TypeAlias = Callable[[str], None]


class Recalled(NamedTuple):
    """A treebank that was finished before: its result, and the metrics that systems were scored by."""

    result: Result
    shown: frozenset[str]


class KeptFile(NamedTuple):
    """What is kept of a treebank: the name of the file, and all of it."""

    name: str
    data: bytes


# What a worker finds out


def make_key(digest: str, treebank: Treebank, origin: RunOrigin | None = None) -> str:
    """What tells whether a treebank would come out the same: names are in its result, too."""
    systems = [None if source is None else _describe(source, origin) for source in treebank.systems]
    raw = [_describe_raw(each, origin) for each in list_raw_inputs(treebank.raw)]
    missing = list(treebank.missing)
    return make_digest([digest, treebank.name, _describe(treebank.gold, origin), systems, raw, missing])


def _describe(source: Input, origin: RunOrigin | None) -> list[str]:
    """The name of an input and a digest of what it holds, or why it cannot be read."""
    content = read_input(cast("Source", source), origin)
    if content.error is not None:
        return [content.name, "", str(content.error)]
    return [content.name, sha256(content.getbuffer()).hexdigest()]


def _describe_raw(source: Source, origin: RunOrigin | None) -> list[str]:
    path = find_path(source)
    where = origin.find(path) if origin and path else path
    if not os.path.isdir(where):  # noqa: PTH112 - may be a URL, or hold a NUL
        return _describe(source, origin)
    try:
        files = sorted(each for each in Path(where).iterdir() if each.is_file())
    except OSError as error:
        return [path, "", str(error)]
    return [path, *(part for each in files for part in _describe(str(each), None))]


def make_digest(content: object) -> str:
    """A digest of what JSON can hold."""
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def name_file(treebank: str, key: str) -> str:
    """The name of the file of a treebank, by its key."""
    return f"{_begin_name(treebank)}{key}"


def _begin_name(treebank: str) -> str:
    """What the names of a treebank's files begin with, so that people can find them; two may have the same."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", treebank).lstrip("._-")[:_LONGEST_NAME]
    return f"{name or 'treebank'}-"


def make_file(key: str, shown: Collection[str], saved: SavedResult) -> bytes:
    """A line that says what follows, and the result with the metrics that systems were scored by."""
    data = json.dumps(_Body(shown=sorted(shown), result=saved), allow_nan=False).encode()
    head = {"evalign": __version__, "layout": LAYOUT, "key": key, "sha256": sha256(data).hexdigest()}
    return json.dumps(head).encode() + b"\n" + data + b"\n"


def _read_file(data: bytes, key: str, systems: Sequence[str]) -> Recalled | None:
    """What is kept in a file; None where it is damaged, of something else, or of other systems."""
    head, _, rest = data.partition(b"\n")
    try:
        header = cast("Mapping[str, object]", parse_json(head))
        if header["key"] != key or header["sha256"] != sha256(rest[:-1]).hexdigest() or rest[-1:] != b"\n":
            return None
        body = cast("_Body", parse_json(rest))
        check_shape(body, _Body)
        result = Result.from_dict(cast("SavedResult", body["result"]))
    except (*DAMAGES, RecursionError, MemoryError):
        return None
    named = tuple(system.name for system in result.systems)
    return Recalled(result, frozenset(body["shown"])) if named == tuple(systems) else None


# What the process does that the run was started in


def warn_user(message: str) -> None:
    """A warning of Python's, for who calls a function."""
    import warnings

    warnings.warn(message, RuntimeWarning, stacklevel=2)


class FinishedFolder:
    """A folder of finished treebanks; it is made when the first is."""

    def __init__(self, folder: Folder, *, tell: Tell | None = None, warn: Tell = warn_user) -> None:
        """A folder that there may be already; `tell` gets what was found in it, `warn` that it cannot be written."""
        self.path = Path(folder)
        [self._name] = shorten_paths([os.fspath(folder)])
        # Not pathlib's, which raises where a name is too long.
        if not os.fspath(folder) or (os.path.exists(folder) and not os.path.isdir(folder)):  # noqa: PTH110, PTH112
            problem = "no folder" if os.fspath(folder) else "no name"
            raise InputError(
                Place(os.fspath(folder) or '""'), problem, "a folder for finished treebanks, which may be new"
            )
        self.total = 0
        """Treebanks of the run."""
        self.n_before = 0
        """Those that were finished before."""
        self.n_now = 0
        """Those that were finished since, and could be kept."""
        self._tell, self._warn = tell, warn
        self._has_warned = False
        self._n_damaged = 0

    def check_apart(self, *folders: Folder) -> None:
        """Raise `CommandError` where it is one of those that are read: its files would be taken for treebanks."""
        for folder in folders:
            if os.path.exists(self.path) and os.path.exists(folder) and os.path.samefile(self.path, folder):  # noqa: PTH110, PTH121
                message = f"finished treebanks are to be kept in {os.fspath(folder)}, which is read"
                raise CommandError(message, "a folder of their own, which may be new")

    def find_candidates(self, treebanks: Mapping[int, Treebank]) -> dict[int, Treebank]:
        """Those treebanks that the folder may have something of."""
        try:
            files = {path.name.rpartition("-")[0] + "-" for path in self.path.iterdir()}
        except OSError:  # there is none yet
            return {}
        return {k: each for k, each in treebanks.items() if _begin_name(each.name) in files}

    def take(self, name: str, systems: Sequence[str]) -> Recalled | None:
        """A treebank that was finished, of these systems; None if there is none of this name that is whole."""
        path = self.path / name
        if not name or not os.path.lexists(path):
            return None
        recalled = None
        # Whoever reads a pipe may wait for ever, and a device may have no end.
        if path.is_file():
            try:
                recalled = _read_file(path.read_bytes(), name.rpartition("-")[2], systems)
            except OSError:
                recalled = None
        self._n_damaged += recalled is None
        return recalled

    def put(self, file: KeptFile) -> None:
        """Keep a treebank. Where that is not possible there is a warning: the run needs none of it."""
        is_new = not os.path.exists(self.path)  # noqa: PTH110
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            # What is there could not be taken. It may be a link, and lead to something that is not to be written to.
            (self.path / file.name).unlink(missing_ok=True)
            write_whole(self.path / file.name, file.data)
        except (InputError, OSError) as error:
            if is_new:
                self._remove_empty()
            if not self._has_warned:
                self._has_warned = True
                # The error names the path, which is of this machine alone.
                why = error.found if isinstance(error, InputError) else error.strerror or "cannot be written"
                self._warn(
                    f"{self._name}: {why}: finished treebanks are not kept, and a run that is stopped begins again"
                )
        else:
            self.n_now += 1

    def begin(self, total: int, n_before: int) -> None:
        """A run begins, of so many treebanks, some of which are finished."""
        self.total, self.n_before, self.n_now = total, n_before, 0
        if self._n_damaged:
            were = "1 kept treebank is" if self._n_damaged == 1 else f"{self._n_damaged} kept treebanks are"
            self._warn(f"{self._name}: {were} damaged, or not of this run; scored again")
            self._n_damaged = 0
        if n_before and self._tell:
            self._tell(f"{n_before} of {total} treebanks were finished before")

    @property
    def n_kept(self) -> int:
        """Treebanks of the run that need not be scored again."""
        return self.n_before + self.n_now

    def remove(self) -> None:
        """Remove all that is evalign's; a folder that has something else in it stays."""
        self.n_before = self.n_now = 0
        try:
            for path in list(self.path.iterdir()):
                if _FILE.fullmatch(path.name):
                    path.unlink(missing_ok=True)
        except OSError:  # there is none, or it may not be written to: then it stays
            return
        self._remove_empty()

    def _remove_empty(self) -> None:
        try:
            self.path.rmdir()
        except OSError:  # it has something in it, or is gone
            return
