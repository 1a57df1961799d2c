"""Files by URL, read through fsspec: on the web, in object stores, and in zip and tar archives there.

Only the schemes in `PLACES` and `ARCHIVES` are followed, because a URL may come from a manifest that somebody
else has written. fsspec and the packages it needs are loaded for URLs alone. Messages never show passwords
and keys in a URL.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Protocol

from evalign.errors import InputError, Place, advise_install, quote, show_name

# A scheme has at least two letters, since one letter is a Windows drive. A chain:
# "zip://a.conllu::s3://bucket/all.zip".
_URL = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]+::)*([A-Za-z][A-Za-z0-9+.-]+)://[^\n\0]*")
_USER = re.compile(r"(?<=://)[^/?#\s]*@")
_KEY = re.compile(
    r"([?&][^=&#\s]*(?:auth|credential|key|pass|secret|sig|token)[^=&#\s]*=)[^&#\s'\"]+", re.IGNORECASE
)
# Most seconds to connect, and between two pieces of an answer; the whole answer may take any time.
_CONNECT_SECONDS, ANSWER_SECONDS = 10, 60
_PACKAGES = {"s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "az": "adlfs", "abfs": "adlfs"}
_WEB = ("http", "https")
# Allowed schemes: for places, and for archives at these places. fsspec knows many more, some from other
# packages. Some of them execute what they read ("reference" renders templates), log in to other machines or
# keep copies on the disk, and a line of a manifest must not be able to ask for that.
PLACES = (*_WEB, "s3", "s3a", "gs", "gcs", "az", "abfs", "file", "memory")
ARCHIVES = ("zip", "tar")
_GONE = (404, 410)
_FORBIDDEN = (401, 403)


class _File(Protocol):
    """An open file of a file system of fsspec."""

    def read(self, most: int, /) -> bytes:
        """Read the next `most` bytes."""

    def seek(self, at: int, /) -> int:
        """Move to byte `at`."""

    def close(self) -> None:
        """Close the file."""


class _FileSystem(Protocol):
    """The methods of a file system of fsspec that are used here."""

    def open(self, path: str, mode: str = "rb", **options: object) -> _File:
        """Open a file."""

    def cat_file(self, path: str, start: int | None = None, end: int | None = None) -> bytes:
        """Return the bytes of a file from `start` up to `end`; all by default."""


def is_url(path: object) -> bool:
    """Return whether `path` is a URL rather than a path of this machine."""
    return isinstance(path, str) and "://" in path and _URL.fullmatch(path) is not None


def mask_url(url: str) -> str:
    """Hide user names, passwords and keys in a URL, or in a message that contains one."""
    return _KEY.sub(r"\1***", _USER.sub("***@", url))


def check_url(url: str, place: Place) -> str:
    """Return the URL as fsspec takes it; raise `InputError` for a scheme that is not allowed.

    A chain lists archives from the inside out, each followed by "::", and ends with the place of the
    outermost archive, which may be a path. The scheme of every link is checked. `place` is where the URL is
    named.

    >>> check_url("ZIP://a.conllu::all.zip", Place("runs.tsv", 2))
    'zip://a.conllu::file://all.zip'
    """
    *archives, last = url.split("::")
    links = []
    for link in archives:
        scheme, _, inside = link.partition("://")
        links.append(_check_link(url, scheme, inside, ARCHIVES, place))
    # Without "file://" fsspec would read a path of letters alone, or one that begins with "data:", as a
    # scheme.
    scheme, is_link, inside = last.partition("://")
    links.append(_check_link(url, scheme, inside, PLACES, place) if is_link else f"file://{last}")
    return "::".join(links)


def _check_link(url: str, scheme: str, inside: str, allowed: Sequence[str], place: Place) -> str:
    """Return one link of a chain as fsspec expects it; raise `InputError` if its scheme is not allowed."""
    lower = scheme.lower()
    # A web address may contain another URL, in its query. Elsewhere fsspec might follow the second scheme.
    if lower in allowed and ("://" not in inside or lower in _WEB):
        return f"{lower}://{inside}"
    shown = show_name(mask_url(url))
    whose = "" if place.path == shown else f" of {shown}"
    is_misplaced = lower in (*PLACES, *ARCHIVES)
    why = "does not belong there" if is_misplaced else "is not followed"
    raise InputError(
        place,
        f"the scheme {quote(scheme)}{whose}, which {why}",
        f"a path, or a URL of {', '.join(PLACES[:-1])} or {PLACES[-1]}; in an archive there: zip://FILE::URL or tar://FILE::URL",
        "copy the file to this machine and give its path; in Python, give it as an open file",
    )


class RemoteFile:
    """A file by URL; messages call it `name` if one is given."""

    # Unknown: the size that a server reports may be wrong.
    size = 0

    def __init__(self, url: str, name: str = "", *, answer_seconds: float = ANSWER_SECONDS) -> None:
        self.path, self.name = url, name or show_name(mask_url(url))
        self._answer_seconds = answer_seconds
        match = _URL.fullmatch(url)
        self._scheme = match[1].lower() if match else ""
        self._is_chained = "::" in url
        self._is_web = self._scheme in _WEB and not self._is_chained
        self._file: _File | None = None
        self._system, self._inner = self._connect(check_url(url, Place(self.name)))

    @cached_property
    def can_seek(self) -> bool:
        """Whether other processes can read parts of the file; not if it is in memory here, or in an archive.

        A server that does not support ranges answers with the whole file; this is noticed without waiting for
        it.
        """
        if self._is_chained or self._scheme == "memory":
            return False
        if not self._is_web:
            return True
        try:
            self.read_range(1, 2)
        except InputError:
            return False
        return True

    def read(self, most: int) -> bytes:
        """Read the next bytes: at most `most`, none at the end."""
        try:
            if self._file is None:
                # One request whose answer is read in pieces, which works with any server. Given a size, which
                # is not used then, fsspec does not ask the server for it first.
                options = {"block_size": 0, "size": 1} if self._is_web else {}
                self._file = self._system.open(self._inner, "rb", **options)
            return bytes(self._file.read(most))
        except _failures() as error:
            raise self._refuse(error) from None

    def read_range(self, start: int, end: int) -> bytes:
        """Read the bytes from `start` up to `end`; fewer if the file ends before."""
        try:
            if not self._is_web:
                return bytes(self._system.cat_file(self._inner, start, end))
            # If a server sends the whole file instead of a range, cat_file would return that.
            file = self._system.open(self._inner, "rb", cache_type="none")
            try:
                file.seek(start)
                return bytes(file.read(end - start))
            finally:
                file.close()
        except _failures() as error:
            raise self._refuse(error) from None

    def close(self) -> None:
        """Close the file if it was opened."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _connect(self, url: str) -> tuple[_FileSystem, str]:
        """Return the file system of `url`, and the name of the file in it."""
        place = Place(self.name)
        try:
            from fsspec.core import url_to_fs  # type: ignore[import-untyped]
        except ImportError:
            expected = "the package fsspec, which reads them"
            raise InputError(place, "a URL", expected, advise_install("remote")) from None
        try:
            system, inner = url_to_fs(url, **_find_options(url, self._answer_seconds))
        except ImportError as error:
            advice = advise_install("remote") if self._scheme in _WEB else str(error)
            if package := _PACKAGES.get(self._scheme):
                advice = f"pip install {package}"
            problem = f"a URL of {quote(self._scheme)}"
            raise InputError(place, problem, "a package that reads it", advice) from None
        except _failures() as error:
            raise self._refuse(error) from None
        return system, inner

    def _refuse(self, error: BaseException) -> InputError:
        """Return the `InputError` for an exception that a file system raised.

        Different file systems raise different exceptions for the same problem.
        """
        # fsspec's web file system raises FileNotFoundError for any failure; the cause says more.
        cause = error.__cause__
        if isinstance(error, FileNotFoundError) and cause is not None and not isinstance(cause, LookupError):
            error = cause
        place, status = Place(self.name), getattr(error, "status", None)
        expected = "a file that can be read at this URL"
        if isinstance(error, FileNotFoundError) or status in _GONE:
            return InputError(place, "no such file", expected, "is the URL right?")
        if isinstance(error, IsADirectoryError):
            return InputError(place, "a directory", "a file", "name one of the files in it")
        if isinstance(error, PermissionError) or status in _FORBIDDEN:
            problem = f"not allowed{_say_status(error)}"
            return InputError(place, problem, expected, "does it need a password or a key?")
        if isinstance(status, int) and status >= 400:
            return InputError(place, f"cannot be read{_say_status(error)}", expected, "try again later")
        if "Timeout" in type(error).__name__:
            problem = f"no answer within {_CONNECT_SECONDS} seconds, or none for {self._answer_seconds}"
            return InputError(place, problem, expected, "try again later")
        reason = mask_url(str(error).replace(self.path, self.name)) or type(error).__name__
        return InputError(
            place, f"cannot be read ({reason})", expected, "is the URL right, and the network there?"
        )


def _say_status(error: BaseException) -> str:
    status, message = getattr(error, "status", ""), getattr(error, "message", "")
    return f" (the server answers {status} {message})".replace(" )", ")") if status else ""


def _find_options(url: str, answer_seconds: float) -> dict[str, Mapping[str, object]]:
    """Return the time limits for each web scheme in `url`, as fsspec takes them.

    By default aiohttp gives up on an answer that takes more than five minutes.
    """
    schemes = {link.partition("://")[0] for link in url.split("::")} & {*_WEB}
    if not schemes:
        return {}
    from fsspec.config import conf  # type: ignore[import-untyped]

    try:
        from aiohttp import ClientTimeout
    except ImportError:  # fsspec reports the missing package itself
        return {}
    timeout = ClientTimeout(total=None, sock_connect=_CONNECT_SECONDS, sock_read=answer_seconds)
    return {
        scheme: {"client_kwargs": {"timeout": timeout}}
        for scheme in schemes
        if "client_kwargs" not in conf.get(scheme, {})
    }


# Exceptions of file systems that are not built in, and their modules. Only modules already loaded can have
# raised one.
_RAISED = (
    ("asyncio", "TimeoutError"),
    ("aiohttp", "ClientError"),
    ("botocore.exceptions", "BotoCoreError"),
    ("botocore.exceptions", "ClientError"),
    ("gcsfs.retry", "HttpError"),
    ("google.auth.exceptions", "GoogleAuthError"),
    ("azure.core.exceptions", "AzureError"),
    ("zipfile", "BadZipFile"),
    ("tarfile", "TarError"),
)


def _failures() -> tuple[type[Exception], ...]:
    others = (getattr(sys.modules[module], name) for module, name in _RAISED if module in sys.modules)
    return (OSError, ValueError, LookupError, TypeError, NotImplementedError, *others)
