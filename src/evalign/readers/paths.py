"""Files of this machine, open to read; for one that cannot be read an `InputError` says what to do."""

from __future__ import annotations

import os
from itertools import islice
from typing import Protocol

from evalign.errors import InputError, Place, quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

# Names in a folder that are looked at for one near to a missing file's.
_MOST_NAMES = 10_000


class ByteFile(Protocol):
    """A file open to read bytes from; all of it raises `InputError`."""

    @property
    def name(self) -> str:
        """As messages show it."""

    @property
    def path(self) -> str:
        """Where to find it again, also from another folder."""

    @property
    def can_seek(self) -> bool:
        """Whether others can read parts of it by its path."""

    def read(self, most: int = -1) -> bytes:
        """The next bytes, at most so many; none at the end."""

    def close(self) -> None:
        """Let go of it."""


class PathFile(ByteFile, Protocol):
    """A file that was opened by its path."""

    def read_range(self, start: int, end: int) -> bytes:
        """The bytes from one up to another, as far as there are so many."""


class LocalFile:
    """A file of this machine; messages call it by another name if one is given."""

    def __init__(self, path: str, name: str = "") -> None:
        if not path:
            raise InputError(Place('""'), "an empty path", "the path of a file, or - for standard input")
        self._given, self.name = path, name or show_name(path)
        try:
            self._file = open(path, "rb")  # noqa: PTH123, SIM115 - pathlib takes longer to import than most files to read
        except (OSError, ValueError) as error:
            raise self._refuse(error) from None

    @property
    def path(self) -> str:
        """Where to find it again, also from another folder."""
        return os.path.abspath(self._given)  # noqa: PTH100

    @property
    def can_seek(self) -> bool:
        """Whether others can read parts of it by its path: it is no pipe."""
        return os.path.isfile(self._given) and self._file.seekable()  # noqa: PTH113

    def read(self, most: int = -1) -> bytes:
        """The next bytes, at most so many; none at the end."""
        try:
            return self._file.read(most)
        except OSError as error:
            raise self._refuse(error) from None

    def read_range(self, start: int, end: int) -> bytes:
        """The bytes from one up to another, as far as there are so many."""
        try:
            self._file.seek(start)
            return self._file.read(end - start)
        except OSError as error:
            raise self._refuse(error) from None

    def close(self) -> None:
        """Close it."""
        self._file.close()

    def _refuse(self, error: OSError | ValueError) -> InputError:
        place, path = Place(self.name), self._given
        if isinstance(error, FileNotFoundError):
            return InputError(place, "no such file", "a file to read", _advise_missing(path))
        if isinstance(error, ValueError):  # a NUL in the path
            return InputError(place, f"no path ({error})", "a file to read", _advise_missing(path))
        if _is_folder(path):  # Windows says PermissionError
            return InputError(place, "a directory", "a file", "name one of the files in it")
        reason = error.strerror or str(error)
        return InputError(place, f"cannot be read ({reason})", "a readable file", _advise_missing(path))


def show_name(name: str) -> str:
    """A name that a terminal can show: line ends, control characters and broken bytes escaped."""
    return name if name.isprintable() else quote(name)


def _is_folder(path: str) -> bool:
    from pathlib import Path

    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def _advise_missing(path: str) -> str:
    """What may have been meant by a path that leads nowhere."""
    from pathlib import Path

    if "\n" in path:
        return 'to read a text that is no path: evalign.Text("...")'
    try:
        return _near_name(Path(path))
    except (OSError, ValueError):
        return ""


def _near_name(path: Path) -> str:
    from difflib import get_close_matches

    if not path.parent.exists():
        return f"the folder {show_name(str(path.parent))} does not exist either"
    names = [entry.name for entry in islice(path.parent.iterdir(), _MOST_NAMES)]
    near = get_close_matches(path.name, names, 1)
    return f"did you mean {show_name(str(path.parent / near[0]))}?" if near else ""


def is_pipe(path: str) -> bool:
    """Whether it can be read only once: it is there, and no regular file or folder."""
    import stat

    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - a URL is no path
    except (OSError, ValueError):  # there is none, or a NUL is in its name
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
