"""Files of this machine, open to read; for one that cannot be read an `InputError` says what to do."""

from __future__ import annotations

import os
import re
from itertools import islice
from typing import Protocol

from evalign.errors import InputError, Place, find_nearest, quote, show_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

# An ending is a dot and some letters or figures behind a name, as no sentence has it.
_ENDING = re.compile(r"[^.]\.\w{1,10}$")
# A name of more characters is no file's on most systems; where it may be a text, messages show only its beginning.
_LONGEST_NAME = 255
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

    @property
    def size(self) -> int:
        """Its bytes; 0 where nobody knows before they are read."""

    def read(self, most: int) -> bytes:
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

    @property
    def size(self) -> int:
        """Its bytes; 0 of a pipe, and of what the system makes up while it is read."""
        try:
            return os.fstat(self._file.fileno()).st_size if self._file.seekable() else 0
        except OSError:
            return 0

    def read(self, most: int) -> bytes:
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
        path = self._given
        is_long_text = len(path) > _LONGEST_NAME and _may_be_text(path)
        place = Place(quote(path) if is_long_text else self.name)
        if isinstance(error, FileNotFoundError):
            return InputError(place, "no such file", "a file to read", _advise_missing(path))
        if isinstance(error, ValueError):  # a NUL in the path
            return InputError(place, f"not a path ({error})", "a file to read", _advise_missing(path))
        if _is_folder(path):  # Windows says PermissionError
            advice = "name one of the files in it; to score folders, file by file: evalign score GOLD_DIR SYSTEM_DIR"
            return InputError(place, "a directory", "a file", f"{advice} (Python: evalign.score_collection)")
        reason = error.strerror or str(error)
        return InputError(place, f"cannot be read ({reason})", "a readable file", _advise_missing(path))


def _is_folder(path: str) -> bool:
    from pathlib import Path

    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def _advise_missing(path: str) -> str:
    """What may have been meant by a path that leads nowhere: a file of a similar name, or a text."""
    from pathlib import Path

    try:
        near = "" if "\n" in path else _near_name(Path(path))
    except (OSError, ValueError):
        near = ""
    return "\n  ".join(filter(None, (near, _AS_TEXT if _may_be_text(path) else "")))


_AS_TEXT = 'to score a text itself, not a file: evalign.Text("...") from Python, or - for standard input'


def _may_be_text(path: str) -> bool:
    """Whether a path is written as a text might be: with white space in it, or without the ending of a file's name."""
    name = os.path.basename(path)  # noqa: PTH119 - it may hold a NUL
    return any(map(str.isspace, path)) or not _ENDING.search(name)


def _near_name(path: Path) -> str:
    if not path.parent.exists():
        return f"the folder {show_name(str(path.parent))} does not exist either"
    names = [entry.name for entry in islice(path.parent.iterdir(), _MOST_NAMES)]
    near = find_nearest(path.name, names)[:1]
    return f"did you mean {show_name(str(path.parent / near[0]))}?" if near else ""


def is_pipe(path: str) -> bool:
    """Whether it can be read only once: it is there, and no regular file or folder."""
    import stat

    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - a URL is no path
    except (OSError, ValueError):  # there is none, or a NUL is in its name
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
