"""Files that are there whole or not at all."""

from __future__ import annotations

import os

from evalign.errors import InputError, Place


def write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file: under another name first, then renamed, so that no reader ever sees half of it."""
    from pathlib import Path

    target = Path(path)
    scratch = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        scratch.write_text(text, encoding="utf-8", newline="\n")
        scratch.replace(target)
    except OSError as error:
        scratch.unlink(missing_ok=True)
        found = f"cannot be written ({error.strerror})"
        raise InputError(Place(os.fspath(path)), found, "a file in a folder that can be written to") from None
