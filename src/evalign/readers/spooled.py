"""What can be read only once, written to a file, so that it can be read again and by others."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from evalign.errors import InputError, Place
from evalign.readers.byte_stream import Source, is_pipe, open_stream
from evalign.text import Text

_CHUNK = 1 << 20


def is_gone_once_read(source: Source) -> bool:
    """Whether it is standard input, an open file or a pipe."""
    if isinstance(source, Text):
        return False
    return source == "-" or not isinstance(source, (str, os.PathLike)) or is_pipe(os.fspath(source))


@contextmanager
def spool(source: Source) -> Iterator[tuple[str, str]]:
    """Its name, and the path of a file with all of it, unpacked; the file is gone in the end."""
    with tempfile.TemporaryDirectory(prefix="evalign-") as folder, open_stream(source) as stream:
        path = os.path.join(folder, "input")  # noqa: PTH118 - a string, as workers want it
        pieces = iter(lambda: stream.read(_CHUNK), b"")
        try:
            _write(path, pieces)
        except OSError as error:
            found = f"cannot be kept in a file ({error.strerror or error})"
            expected = f"room for it in {tempfile.gettempdir()}"
            raise InputError(Place(stream.name), found, expected, "set TMPDIR, or give a path") from None
        yield stream.name, path


def _write(path: str, pieces: Iterable[bytes]) -> None:
    with open(path, "wb") as file:  # noqa: PTH123
        file.writelines(pieces)
