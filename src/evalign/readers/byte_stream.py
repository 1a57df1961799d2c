"""The bytes of any input: a path, a URL, standard input, an open file or text.

Bytes are decompressed while they are read, whatever the file's name says: in pieces (`open_stream`), or whole
up to a limit. An input that cannot be read raises `InputError` with advice. All readers, and `evalign
doctor`, get their bytes here. Needs no numpy.
"""

from __future__ import annotations

import io
import os
import re
import stat
import sys
from collections.abc import Callable
from itertools import islice
from typing import IO, Self, TypeAlias, TypeGuard

from evalign.errors import CommandError, InputError, Place, find_nearest, quote, show_name
from evalign.readers.compression import MAGIC_BYTES, Decompressor, find_compression
from evalign.readers.limits import (
    MOST_TIMES,
    UNPACKED_FREELY,
    find_limit,
    refuse_size,
    refuse_unpacking,
    requested_limit,
)
from evalign.text import Source, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from evalign.readers.remote import RemoteFile


# The ending of a file name: a dot and some letters or figures at the end, as no sentence has it.
_ENDING = re.compile(r"[^.]\.\w{1,10}$")
# Most systems allow no longer file names. Messages show only the beginning of a longer one that may be a
# text.
_LONGEST_NAME = 255
# The most names in a folder that are compared with the name of a missing file.
_MOST_NAMES = 10_000


# A file open to read bytes from. All its members raise `InputError` on failure.
ByteFile: TypeAlias = "LocalFile | OpenFile | RemoteFile"


class LocalFile:
    """A file of this machine; messages call it `name` if one is given, else by its path."""

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
        """The absolute path."""
        return os.path.abspath(self._given)  # noqa: PTH100

    @property
    def can_seek(self) -> bool:
        """Whether others can read parts of the file by its `path`: it is a regular file, not a pipe."""
        return os.path.isfile(self._given) and self._file.seekable()  # noqa: PTH113

    @property
    def size(self) -> int:
        """Size in bytes; 0 for a pipe, and for a file that the system generates while it is read."""
        try:
            return os.fstat(self._file.fileno()).st_size if self._file.seekable() else 0
        except OSError:
            return 0

    def read(self, most: int) -> bytes:
        """Read the next bytes: at most `most`, none at the end."""
        try:
            return self._file.read(most)
        except OSError as error:
            raise self._refuse(error) from None

    def read_range(self, start: int, end: int) -> bytes:
        """Read the bytes from `start` up to `end`; fewer if the file ends before."""
        try:
            self._file.seek(start)
            return self._file.read(end - start)
        except OSError as error:
            raise self._refuse(error) from None

    def close(self) -> None:
        """Close the file."""
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
    """Return advice on a path that does not exist: a similar file name, or how to score a text itself."""
    from pathlib import Path

    try:
        near = "" if "\n" in path else _near_name(Path(path))
    except (OSError, ValueError):
        near = ""
    return "\n  ".join(filter(None, (near, _AS_TEXT if _may_be_text(path) else "")))


_AS_TEXT = 'to score a text itself, not a file: evalign.Text("...") from Python, or - for standard input'


def _may_be_text(path: str) -> bool:
    """Return whether `path` may be a text: it has white space, or no ending like that of a file name."""
    name = os.path.basename(path)  # noqa: PTH119 - it may hold a NUL
    return any(map(str.isspace, path)) or not _ENDING.search(name)


def _near_name(path: Path) -> str:
    if not path.parent.exists():
        return f"the folder {show_name(str(path.parent))} does not exist either"
    names = [entry.name for entry in islice(path.parent.iterdir(), _MOST_NAMES)]
    near = find_nearest(path.name, names)[:1]
    return f"did you mean {show_name(str(path.parent / near[0]))}?" if near else ""


def stored_size(path: str | os.PathLike[str]) -> int:
    """Return the stored size in bytes of a file of this machine; 0 if it does not exist or is a URL."""
    try:
        return os.stat(path).st_size  # noqa: PTH116 - pathlib takes longer to import than most files to read
    except (OSError, ValueError):  # a URL, nothing, a NUL in it
        return 0


def is_pipe(path: str) -> bool:
    """Return whether `path` can be read only once: it exists, and is neither a regular file nor a folder."""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - a URL is no path
    except (OSError, ValueError):  # there is none, or a NUL is in its name
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


# Most memory for decompression: gzip needs 32 KB, bzip2 4 MB, xz -9 and zstd --ultra -22 less than 150 MB.
MEMORY_LIMIT = 1 << 28
# Bytes read at a time when a whole input is read.
_PIECE = 1 << 18


class ByteStream:
    """The decompressed bytes of an input, in order.

    Decompression takes at most `memory_limit` bytes and a few MB; any amount if the limit is 0. If the data
    cannot be decompressed, the file is closed before `InputError` is raised. Unless a limit of inputs is
    requested, data that unpacks to more than `free` bytes and to more than `MOST_TIMES` its size is refused
    as soon as it does (`readers.limits`).
    """

    def __init__(
        self, file: ByteFile, *, memory_limit: int = MEMORY_LIMIT, free: int = UNPACKED_FREELY
    ) -> None:
        self._file, self.name, self._free = file, file.name, free
        self.stored_read = 0
        """Bytes that have been read from the file so far, as stored."""
        self._head = b""
        try:
            # A pipe may return fewer bytes than requested.
            while len(self._head) < MAGIC_BYTES and (more := file.read(MAGIC_BYTES - len(self._head))):
                self._head += more
            self.compression = find_compression(self._head)
            """gzip, bzip2, xz or zstd; "" if not compressed."""
            self._next: Callable[[int], bytes] = self._read_stored
            if self.compression:
                self._unpacked = 0
                self._decompressor = Decompressor(
                    self.name, self.compression, self._read_stored, memory_limit=memory_limit
                )
                self._next = self._read_unpacked
        except InputError:
            file.close()
            raise

    def read(self, n: int) -> bytes:
        """Read the next `n` bytes; fewer only at the end, none after it."""
        data = self._next(n)
        if len(data) in (0, n):
            return data
        pieces, missing = [data], n - len(data)
        while missing and (data := self._next(missing)):
            pieces.append(data)
            missing -= len(data)
        return b"".join(pieces)

    def read_whole(self) -> bytes:
        """Read all remaining bytes; raise `InputError` once they exceed the limit (`readers.limits`)."""
        return _read_up_to(find_limit(), self.name, self._next, self.stored_size, self.compression)

    @property
    def stored_size(self) -> int:
        """Size of the file in bytes, as stored; 0 if unknown."""
        return self._file.size

    @property
    def can_seek(self) -> bool:
        """Whether others can read the same bytes by `path` and offsets, which takes an uncompressed file."""
        return not self.compression and self._file.can_seek

    @property
    def path(self) -> str:
        """A path or URL that leads to the input from any working folder; "" if there is none."""
        return self._file.path

    def close(self) -> None:
        """Close the file if it was opened here; an open file given by the caller stays open."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _read_unpacked(self, n: int) -> bytes:
        data = self._decompressor.read(n)
        self._unpacked += len(data)
        if self._unpacked > self._free and requested_limit() is None:
            # The size of a pipe is not known: what has been read of it counts.
            packed = max(self.stored_size, self.stored_read)
            if self._unpacked > MOST_TIMES * packed:
                raise refuse_unpacking(self.name, self.compression, packed, self._free)
        return data

    def _read_stored(self, n: int) -> bytes:
        if self._head:
            data, self._head = self._head[:n], self._head[n:]
        else:
            data = self._file.read(n)
        self.stored_read += len(data)
        return data


def read_stored(file: ByteFile) -> bytes:
    """Read all stored bytes of `file`; raise `InputError` once they exceed the limit (`readers.limits`)."""
    return _read_up_to(find_limit(), file.name, file.read, file.size)


def _read_up_to(
    limit: int, name: str, read: Callable[[int], bytes], stored_size: int, compression: str = ""
) -> bytes:
    if not compression and stored_size > limit:
        raise refuse_size(name, limit)
    # BytesIO grows in place and returns its bytes without a copy; joining a list of pieces takes twice the
    # memory.
    whole = io.BytesIO()
    while piece := read(_PIECE):
        if whole.tell() + len(piece) > limit:
            raise refuse_size(name, limit, compression)
        whole.write(piece)
    return whole.getvalue()


def is_source(source: object) -> TypeGuard[Source]:
    """Return whether `source` has bytes to read: a path, URL, "-" (standard input), open file or `Text`."""
    return isinstance(source, (str, os.PathLike, Text)) or callable(getattr(source, "read", None))


def find_input_path(source: object) -> str:
    """Return the path or URL of an input as given or opened; "" if it has none.

    Standard input, text and objects in memory have none.
    """
    if isinstance(source, Text):
        return ""
    if isinstance(source, (str, os.PathLike)):
        return "" if source == "-" else os.fsdecode(source)
    name = getattr(source, "name", "") if hasattr(source, "read") else ""
    return name if isinstance(name, str) and not name.startswith("<") else ""


def read_bytes(source: Source) -> tuple[str, bytes]:
    """Return an input's name for messages and its bytes as stored, up to the limit (`readers.limits`)."""
    file = _open(source)
    try:
        return file.name, read_stored(file)
    finally:
        file.close()


def open_stream(source: Source) -> ByteStream:
    """Open an input to read it in pieces. Opening and reading raise `InputError` as `load` does."""
    return ByteStream(_open(source))


def _open(source: Source) -> ByteFile:
    if isinstance(source, Text):
        return OpenFile(source.name, io.BytesIO(source.text.encode("utf-8", "surrogatepass")))
    if isinstance(source, str) and source == "-":
        # Notebooks and tests replace sys.stdin by an object without a buffer of bytes.
        return OpenFile("<stdin>", getattr(sys.stdin, "buffer", sys.stdin))
    if isinstance(source, (str, os.PathLike)):
        return open_path(source)
    if callable(getattr(source, "read", None)):
        return OpenFile(show_name(str(getattr(source, "name", "<file>"))), source)
    problem = f"{type(source).__name__} is not an input"
    raise CommandError(problem, "a path, an open file, evalign.Text, or lists of tokens")


class OpenFile:
    """A file that the caller has opened, and closes; it has no path by which others could read it."""

    path = ""
    can_seek = False
    # Unknown before the file is read.
    size = 0

    def __init__(self, name: str, file: IO[str] | IO[bytes] | None) -> None:
        self.name, self._file = name, file
        self._rest = memoryview(b"")
        self._at_end = False
        # An input that is kept in memory to be read again starts over, even if it was not read to its end
        # last time.
        begin_again = getattr(file, "begin_again", None)
        if begin_again is not None:
            begin_again()

    def read(self, most: int) -> bytes:
        """Read the next bytes: at most `most`, none at the end."""
        # A text file counts characters, so that `most` of them may be more bytes. An object whose `read`
        # takes no size returns everything at once.
        if not self._rest and not self._at_end:
            try:
                self._rest = memoryview(read_open(self.name, self._file, most))
            except TypeError:
                try:
                    self._rest, self._at_end = memoryview(read_open(self.name, self._file)), True
                except TypeError as error:  # a class, not an open file
                    raise InputError(Place(self.name), f"cannot be read ({error})", "an open file") from None
            # After its end the file is not read again: an input kept in memory would start over.
            self._at_end = self._at_end or not self._rest
        data, self._rest = bytes(self._rest[:most]), self._rest[most:]
        return data

    def close(self) -> None:
        """Drop bytes not yet returned. The file itself stays open."""
        self._rest = memoryview(b"")


def read_open(name: str, file: IO[str] | IO[bytes] | None, most: int = -1) -> bytes:
    """Read an open file: the next `most` bytes, or the bytes of `most` characters; everything by default."""
    if file is None:
        raise InputError(Place(name), "standard input is closed", "something to read from it")
    try:
        data: object = file.read() if most < 0 else file.read(most)
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
    if data is not None and not isinstance(data, (bytes, bytearray, memoryview)):
        raise InputError(Place(name), f"reading it gives {type(data).__name__}", "text or bytes")
    return bytes(data or b"")


def open_path(source: str | os.PathLike[str], name: str = "") -> LocalFile | RemoteFile:
    """Open a file or URL, to be read in order or by ranges; messages call it `name` if one is given."""
    path = os.fsdecode(source)
    if isinstance(source, str) and "://" in path:
        from evalign.readers.remote import RemoteFile, is_url

        if is_url(path):
            return RemoteFile(path, name)
    return LocalFile(path, name)


def read_range(path: str, start: int, end: int, name: str = "") -> bytes:
    """Read the bytes from `start` up to `end` of a file or URL; fewer if it ends before."""
    file = open_path(path, name)
    try:
        return file.read_range(start, end)
    finally:
        file.close()
