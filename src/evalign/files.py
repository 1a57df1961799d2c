"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping

from evalign.errors import InputError, Place


def write_json(path: str | os.PathLike[str], saved: Mapping[str, object]) -> None:
    """Write JSON without spaces between its values to a file, or nothing at all."""
    import json

    text = json.dumps(saved, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    write_whole(path, f"{text}\n")


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file: under another name first, then renamed, so that no reader ever sees half of it.

    A link is followed. What is no regular file (a device, a pipe) is written to as it is: it cannot be replaced.
    """
    from pathlib import Path

    place = Place(os.fspath(path) or '""')
    target = Path(path)
    if not os.fspath(path) or os.path.isdir(path):  # noqa: PTH112 - pathlib raises where a name is too long
        raise InputError(place, "a directory" if os.fspath(path) else "no name", "a file to write to")
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    try:
        target = target.resolve()
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            _replace(target, data)
    except OSError as error:
        found = f"cannot be written ({error.strerror or error})"
        raise InputError(place, found, "a file in a folder that can be written to") from None


def _replace(target: os.PathLike[str], data: bytes) -> None:
    from pathlib import Path

    target = Path(target)
    # A name that no other thread or process has. Not tempfile's: its files are the owner's alone, whatever the umask.
    scratch = target.with_name(f".evalign-{os.urandom(8).hex()}.part")
    try:
        scratch.write_bytes(data)
        if target.exists():
            scratch.chmod(target.stat().st_mode & 0o7777)
        scratch.replace(target)
    finally:
        # Gone already where all went well; whatever went wrong, Ctrl-C included, nothing is left behind.
        scratch.unlink(missing_ok=True)
