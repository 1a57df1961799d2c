"""What is written must not be what is read: a result in place of gold is a loss that nobody asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator

from evalign.errors import CommandError

# Arguments that name files to write.
WRITTEN = {"output": "-o", "report": "--report", "review": "--review"}


def check_outputs(arguments: object) -> None:
    """Raise `CommandError` where a file to write is a file to read, or another one to write; links are followed."""
    given = vars(arguments)
    written = {name: given[name] for name in WRITTEN if isinstance(given.get(name), str)}
    written = {name: path for name, path in written.items() if path not in ("", "-")}
    if len(set(map(os.path.realpath, written.values()))) < len(written):
        message = f"{' and '.join(WRITTEN[name] for name in written)} are the same file"
        raise CommandError(message, "a file for each")
    for name, path in written.items():
        # What is no regular file (/dev/null, a pipe) is not replaced.
        if not os.path.isfile(path):  # noqa: PTH113
            continue
        if any(os.path.exists(read) and os.path.samefile(path, read) for read in _texts(given)):  # noqa: PTH110, PTH121
            message = f'{WRITTEN[name]} "{path}" would replace a file that is read'
            raise CommandError(message, "another file to write to")


def _texts(given: dict[str, object]) -> Iterator[str]:
    """All arguments that may be names of files to read."""
    for name, value in given.items():
        if name in WRITTEN:
            continue
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str) and each and "\0" not in each:
                yield each


def check_outside(folder: str, *paths: str | None) -> None:
    """Raise `CommandError` for a path that would replace a file of the data set in a folder."""
    from pathlib import Path

    inside = Path(folder).resolve()
    for path in paths:
        if path and path != "-" and Path(path).is_file() and Path(path).resolve().parent == inside:
            message = f'"{path}" is a file of the data set'
            raise CommandError(message, "another file to write to")
