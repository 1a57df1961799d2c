"""Which system is meant by a name: by all of it, as tables show it, or by its file.

Names are ends of paths for the most part, and whole paths in results that were saved before; tables show them short.
Whoever reads a table can ask for a system by what it shows.
"""

from __future__ import annotations

from collections.abc import Sequence

from evalign.files import are_alike, tell_apart


def find_called(names: Sequence[str], name: str) -> list[int]:
    """Which names are meant by one: those equal to it, else as tables show them, else by the end of a path.

    The ending of a file may be left out.

    >>> names = ["runs/ewt.nltk.txt", "runs/ewt.moses.txt", "old/ewt.moses.txt"]
    >>> find_called(names, "runs/ewt.moses.txt"), find_called(names, "ewt.nltk"), find_called(names, "ewt.moses.txt")
    ([1], [0], [1, 2])
    """
    paths, wanted = [_with_slashes(each) for each in names], _with_slashes(name)
    stems = [_without_ending(path) for path in paths]
    ways = (
        [each == name for each in names],
        [each == name for each in tell_apart(names)] if names else [],
        *(
            [path == wanted or path.endswith(f"/{wanted}") for path in known if wanted]
            for known in (paths, stems)
        ),
    )
    return next(([k for k, is_meant in enumerate(way) if is_meant] for way in ways if any(way)), [])


def find_like(names: Sequence[str], others: Sequence[str], number: int) -> list[int]:
    """Which names are those of one among others: by all of it, by the end of its path, as tables show it, by its file.

    >>> find_like(["old/nltk.txt", "old/moses.txt"], ["new/moses.txt", "new/syntok.txt"], 0)
    [1]
    """
    if others[number] not in names:
        found = [k for k, name in enumerate(names) if are_alike(name, others[number])]
        if found:
            return found
    file = _with_slashes(others[number]).rpartition("/")[2]
    forms = (others[number], tell_apart(others)[number], file, _without_ending(file))
    return next(filter(None, (find_called(names, form) for form in forms)), [])


def _with_slashes(path: str) -> str:
    # A result may have been saved on another system.
    return path.replace("\\", "/")


def _without_ending(path: str) -> str:
    """A path without what is behind the last dot of its file."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{name.rpartition('.')[0] or name}"
