"""Files by URL, through fsspec: http, https, s3, gs, az, file and memory, and files in zip and tar archives there.

A URL may come from a manifest that somebody else has written, so that only listed schemes are followed. fsspec and what
it needs for a scheme are loaded for URLs alone. Passwords and keys in a URL are not in messages.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Protocol

from evalign.errors import InputError, Place, advise_install, quote, show_name

# A scheme has two letters or more: one is a drive of Windows. Chained: "zip://a.conllu::s3://bucket/all.zip".
_URL = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]+::)*([A-Za-z][A-Za-z0-9+.-]+)://[^\n\0]*")
_USER = re.compile(r"(?<=://)[^/?#\s]*@")
_KEY = re.compile(
    r"([?&][^=&#\s]*(?:auth|credential|key|pass|secret|sig|token)[^=&#\s]*=)[^&#\s'\"]+", re.IGNORECASE
)
# Seconds until a connection must stand, and between two pieces of an answer; there is no limit to all of it.
_CONNECT_SECONDS, ANSWER_SECONDS = 10, 60
_PACKAGES = {"s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "az": "adlfs", "abfs": "adlfs"}
_WEB = ("http", "https")
# The schemes that are followed: where a file may be, and the archives that it may be in there. fsspec knows many more,
# from other packages too. Some of them run what they read ("reference" renders templates), some log in to other
# machines, some keep copies on the disk: none of that is for a line of a manifest to ask for.
PLACES = (*_WEB, "s3", "s3a", "gs", "gcs", "az", "abfs", "file", "memory")
ARCHIVES = ("zip", "tar")
_GONE = (404, 410)
_FORBIDDEN = (401, 403)


class _File(Protocol):
    """A file of a file system, open to read."""

    def read(self, most: int, /) -> bytes:
        """The next bytes."""

    def seek(self, at: int, /) -> int:
        """Go on at a byte."""

    def close(self) -> None:
        """Let go of it."""


class _FileSystem(Protocol):
    """What is asked of a file system of fsspec."""

    def open(self, path: str, mode: str = "rb", **options: object) -> _File:
        """A file, open to read."""

    def cat_file(self, path: str, start: int | None = None, end: int | None = None) -> bytes:
        """The bytes of a file, or some of them."""


def is_url(path: object) -> bool:
    """Whether this is a URL, and no path of this machine."""
    return isinstance(path, str) and "://" in path and _URL.fullmatch(path) is not None


def mask_url(url: str) -> str:
    """A URL, or a message with one, without names of users, passwords and keys."""
    return _KEY.sub(r"\1***", _USER.sub("***@", url))


def check_url(url: str, place: Place) -> str:
    """The URL as fsspec is given it; raises `InputError` unless every link of the chain has a scheme that is followed.

    A chain is archives with "::" behind each, and then the place of the outermost one, which may be a path.

    >>> check_url("ZIP://a.conllu::all.zip", Place("runs.tsv", 2))
    'zip://a.conllu::file://all.zip'
    """
    *archives, last = url.split("::")
    links = []
    for link in archives:
        scheme, _, inside = link.partition("://")
        links.append(_check_link(url, scheme, inside, ARCHIVES, place))
    # fsspec would take a path of letters alone for a scheme, and data: for one too.
    scheme, is_link, inside = last.partition("://")
    links.append(_check_link(url, scheme, inside, PLACES, place) if is_link else f"file://{last}")
    return "::".join(links)


def _check_link(url: str, scheme: str, inside: str, allowed: Sequence[str], place: Place) -> str:
    """A link of a chain, as fsspec is given it."""
    lower = scheme.lower()
    # The web's addresses may have others in them, as a query. Elsewhere fsspec might follow the second scheme.
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
    """A file by URL; messages call it by another name if one is given."""

    # What a server says of it need not be so.
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
        """Whether other processes can read parts of it: not what is in memory here, or in an archive.

        A server that does not know of parts answers with the whole, which is not waited for.
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
        """The next bytes, at most so many; none at the end."""
        try:
            if self._file is None:
                # One request whose answer is read bit by bit, which any server understands. It is not asked for the
                # size first if fsspec is told one, which has no meaning then.
                options = {"block_size": 0, "size": 1} if self._is_web else {}
                self._file = self._system.open(self._inner, "rb", **options)
            return bytes(self._file.read(most))
        except _failures() as error:
            raise self._refuse(error) from None

    def read_range(self, start: int, end: int) -> bytes:
        """The bytes from one up to another, as far as there are so many."""
        try:
            if not self._is_web:
                return bytes(self._system.cat_file(self._inner, start, end))
            # cat_file takes a whole file for a part of it where a server sends one.
            file = self._system.open(self._inner, "rb", cache_type="none")
            try:
                file.seek(start)
                return bytes(file.read(end - start))
            finally:
                file.close()
        except _failures() as error:
            raise self._refuse(error) from None

    def close(self) -> None:
        """Let go of it."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _connect(self, url: str) -> tuple[_FileSystem, str]:
        """The file system, and what it calls the file."""
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
        """What is wrong with a URL; file systems of others are not of one mind which exception says it."""
        # That of the web says that there is no file wherever it did not get one.
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
    """What the web's file system is told of a URL that was checked: aiohttp would give up on an answer of more than five minutes."""
    schemes = {link.partition("://")[0] for link in url.split("::")} & {*_WEB}
    if not schemes:
        return {}
    from fsspec.config import conf  # type: ignore[import-untyped]

    try:
        from aiohttp import ClientTimeout
    except ImportError:  # fsspec says so
        return {}
    timeout = ClientTimeout(total=None, sock_connect=_CONNECT_SECONDS, sock_read=answer_seconds)
    return {
        scheme: {"client_kwargs": {"timeout": timeout}}
        for scheme in schemes
        if "client_kwargs" not in conf.get(scheme, {})
    }


# What file systems raise beside Python's own, by the modules that have it: only one that is loaded can have raised it.
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
