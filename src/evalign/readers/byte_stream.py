"""The bytes of an input, wherever they come from: a path, a URL, standard input, an open file, text.

They are decompressed while they are read, whatever the name says: in pieces (`open_stream`), or whole up to a limit.
Files that cannot be read are refused with an `InputError` that says what to do. Needs no numpy.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable
from itertools import islice
from typing import IO, Protocol, Self, TypeAlias, TypeGuard

from evalign.errors import CommandError, InputError, Place, find_nearest, quote, show_name
from evalign.readers.compression import MAGIC_BYTES, Decompressor, find_compression
from evalign.readers.limits import find_limit, refuse_size
from evalign.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from evalign.readers.remote import RemoteFile


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


def stored_size(path: str | os.PathLike[str]) -> int:
    """Bytes of a file of this machine, as it is stored; 0 where there is none, or it cannot be asked."""
    try:
        return os.stat(path).st_size  # noqa: PTH116 - pathlib takes longer to import than most files to read
    except (OSError, ValueError):  # a URL, nothing, a NUL in it
        return 0


def is_pipe(path: str) -> bool:
    """Whether it can be read only once: it is there, and no regular file or folder."""
    import stat

    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - a URL is no path
    except (OSError, ValueError):  # there is none, or a NUL is in its name
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


# What decompression may take: gzip needs 32 KB, bzip2 4 MB, xz -9 and zstd --ultra -22 less than 150 MB.
MEMORY_LIMIT = 1 << 28
# Bytes that are read at a time where all of them are wanted.
_PIECE = 1 << 18


class ByteStream:
    """The bytes of an input as they were before it was compressed, in order.

    Decompression takes at most `memory_limit` bytes and some MB, or what it needs if that is 0. The file is closed if
    it cannot be decompressed.
    """

    def __init__(self, file: ByteFile, *, memory_limit: int = MEMORY_LIMIT) -> None:
        self._file, self.name = file, file.name
        self.stored_read = 0
        """Bytes of the file that have been read, as it is stored."""
        self._head = b""
        try:
            # A pipe may give less than it was asked for.
            while len(self._head) < MAGIC_BYTES and (more := file.read(MAGIC_BYTES - len(self._head))):
                self._head += more
            self.compression = find_compression(self._head)
            """gzip, bzip2, xz, zstd, or nothing."""
            self._next: Callable[[int], bytes] = self._read_stored
            if self.compression:
                unpacking = Decompressor(
                    self.name, self.compression, self._read_stored, memory_limit=memory_limit
                )
                self._next = unpacking.read
        except InputError:
            file.close()
            raise

    def read(self, n: int) -> bytes:
        """The next bytes: so many, or fewer at the end, where there are none in the end."""
        data = self._next(n)
        if len(data) in (0, n):
            return data
        pieces, missing = [data], n - len(data)
        while missing and (data := self._next(missing)):
            pieces.append(data)
            missing -= len(data)
        return b"".join(pieces)

    def read_whole(self) -> bytes:
        """All bytes that are left; raises `InputError` as soon as they are more than the limit (`readers.limits`)."""
        return _read_up_to(find_limit(), self.name, self._next, self.stored_size, self.compression)

    @property
    def stored_size(self) -> int:
        """Bytes of the file as it is stored; 0 where nobody knows."""
        return self._file.size

    @property
    def can_seek(self) -> bool:
        """Whether others can read the same bytes by `path` and the numbers of the first and last: it is not compressed."""
        return not self.compression and self._file.can_seek

    @property
    def path(self) -> str:
        """The path or URL where it is, also as seen from other folders; nothing where it has none."""
        return self._file.path

    def close(self) -> None:
        """Close what was opened here; an open file that was given stays open."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _read_stored(self, n: int) -> bytes:
        if self._head:
            data, self._head = self._head[:n], self._head[n:]
        else:
            data = self._file.read(n)
        self.stored_read += len(data)
        return data


def read_stored(file: ByteFile) -> bytes:
    """All bytes of a file as it is stored; raises `InputError` as soon as they are more than the limit."""
    return _read_up_to(find_limit(), file.name, file.read, file.size)


def _read_up_to(
    limit: int, name: str, read: Callable[[int], bytes], stored_size: int, compression: str = ""
) -> bytes:
    if not compression and stored_size > limit:
        raise refuse_size(name, limit)
    # It grows in place, and gives its bytes away without a copy: a list of pieces to join would take twice the memory.
    whole = io.BytesIO()
    while piece := read(_PIECE):
        if whole.tell() + len(piece) > limit:
            raise refuse_size(name, limit, compression)
        whole.write(piece)
    return whole.getvalue()


Source: TypeAlias = "str | os.PathLike[str] | IO[str] | IO[bytes] | Text"


def is_source(source: object) -> TypeGuard[Source]:
    """Whether it is a path, standard input, an open file or text: anything that has bytes."""
    return isinstance(source, (str, os.PathLike, Text)) or hasattr(source, "read")


def find_input_path(source: object) -> str:
    """The path or URL of an input, as it was given or opened; nothing for standard input, text and objects in memory."""
    if isinstance(source, Text):
        return ""
    if isinstance(source, (str, os.PathLike)):
        return "" if source == "-" else os.fsdecode(source)
    name = getattr(source, "name", "") if hasattr(source, "read") else ""
    return name if isinstance(name, str) and not name.startswith("<") else ""


def read_bytes(source: Source) -> tuple[str, bytes]:
    """An input's name as messages show it, and its bytes as they are stored, up to the limit (`readers.limits`)."""
    file = _open(source)
    try:
        return file.name, read_stored(file)
    finally:
        file.close()


def open_stream(source: Source) -> ByteStream:
    """An input to read piece by piece; raises `InputError` as `load` does, also while it is read."""
    return ByteStream(_open(source))


def _open(source: Source) -> ByteFile:
    if isinstance(source, Text):
        return OpenFile(source.name, io.BytesIO(source.text.encode("utf-8", "surrogatepass")))
    if isinstance(source, str) and source == "-":
        # Replaced by an object without bytes under it, in a notebook or a test.
        return OpenFile("<stdin>", getattr(sys.stdin, "buffer", sys.stdin))
    if isinstance(source, (str, os.PathLike)):
        return open_path(source)
    if hasattr(source, "read"):
        return OpenFile(show_name(str(getattr(source, "name", "<file>"))), source)
    problem = f"{type(source).__name__} is not an input"
    raise CommandError(problem, "a path, an open file, evalign.Text, or lists of tokens")


class OpenFile:
    """A file that somebody else has opened, and closes: it cannot be found again by path."""

    path = ""
    can_seek = False
    size = 0

    def __init__(self, name: str, file: IO[str] | IO[bytes] | None) -> None:
        self.name, self._file = name, file
        self._rest = memoryview(b"")
        self._at_end = False
        # What is kept in memory to be read again begins anew, also if it was not read to its end the last time.
        begin_again = getattr(file, "begin_again", None)
        if begin_again is not None:
            begin_again()

    def read(self, most: int) -> bytes:
        """The next bytes, at most so many; none at the end."""
        # So many characters may be more bytes; what has no bytes under it may know of no number, and gives all at once.
        if not self._rest and not self._at_end:
            try:
                self._rest = memoryview(read_open(self.name, self._file, most))
            except TypeError:
                self._rest, self._at_end = memoryview(read_open(self.name, self._file)), True
            # Not to be asked again: what is kept in memory would begin anew.
            self._at_end = self._at_end or not self._rest
        data, self._rest = bytes(self._rest[:most]), self._rest[most:]
        return data

    def close(self) -> None:
        """Let go of it."""
        self._rest = memoryview(b"")


def read_open(name: str, file: IO[str] | IO[bytes] | None, most: int = -1) -> bytes:
    """The next bytes of an open file, or as many as that many characters have; all by default."""
    if file is None:
        raise InputError(Place(name), "standard input is closed", "something to read from it")
    try:
        data = file.read() if most < 0 else file.read(most)
    except UnicodeDecodeError as error:
        raise InputError(
            Place(name), f"byte {error.start} is not {error.encoding}: {error.reason}", "text in UTF-8",
            'open the file in binary mode, open(path, "rb"), or give its path',
        ) from None  # fmt: skip
    except (OSError, ValueError) as error:  # a folder, a closed file, a file opened for writing
        problem = f"cannot be read ({getattr(error, 'strerror', None) or error})"
        raise InputError(Place(name), problem, "a file open for reading") from None
    if isinstance(data, str):
        return data.encode("utf-8", "surrogatepass")
    return bytes(data or b"")


def open_path(source: str | os.PathLike[str], name: str = "") -> LocalFile | RemoteFile:
    """A file or a URL, open to read, in order or at any place; messages call it by another name if one is given."""
    path = os.fsdecode(source)
    if isinstance(source, str) and "://" in path:
        from evalign.readers.remote import RemoteFile, is_url

        if is_url(path):
            return RemoteFile(path, name)
    return LocalFile(path, name)


def read_range(path: str, start: int, end: int, name: str = "") -> bytes:
    """Some bytes of a file or a URL, as far as there are so many."""
    file = open_path(path, name)
    try:
        return file.read_range(start, end)
    finally:
        file.close()
