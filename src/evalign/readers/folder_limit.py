"""Keeping files that name other files to one folder: whatever they name must lead to something in it.

For manifests and configurations that somebody else has written. What counts is where a path leads, links followed, at
the time when it is looked at: whoever can change the folder while a run reads it is not kept out.
"""

from __future__ import annotations

import os
from typing import TypeAlias

from evalign.errors import InputError, Place, show_name
from evalign.readers.remote import is_url, mask_url

Folder: TypeAlias = "str | os.PathLike[str]"


class FolderLimit:
    """A folder that paths may not lead out of."""

    def __init__(self, folder: Folder) -> None:
        """Raises `InputError` where there is no such folder."""
        self.name = os.fspath(folder)
        if not os.path.isdir(folder):  # noqa: PTH112 - may hold a NUL
            place = Place(show_name(self.name) or '""')
            raise InputError(place, "no folder", "the folder that all named files are to be in")
        self._top = os.path.realpath(folder)

    def check(self, place: Place, path: str | os.PathLike[str]) -> None:
        """Raise `InputError` unless a path leads to something in the folder; of a folder, all that is in it too."""
        text = os.fspath(path)
        if is_url(text):
            raise self._refuse(place, f"the URL {show_name(mask_url(text))}")
        try:
            todo = [os.path.realpath(text)]
        except (OSError, ValueError):  # a NUL in it
            raise self._refuse(place, show_name(text)) from None
        seen: set[str] = set()
        while todo:
            target = todo.pop()
            if target in seen:
                continue
            seen.add(target)
            if not self._holds(target):
                leads = "" if target == text else f", which leads to {show_name(target)}"
                raise self._refuse(place, f"{show_name(text)}{leads}")
            # What cannot be listed here is refused by whoever reads it.
            if os.path.isdir(target) and os.access(target, os.R_OK | os.X_OK):  # noqa: PTH112
                todo += [os.path.realpath(entry.path) for entry in os.scandir(target)]

    def _holds(self, path: str) -> bool:
        try:
            return os.path.commonpath([self._top, path]) == self._top
        except ValueError:  # on another drive
            return False

    def _refuse(self, place: Place, shown: str) -> InputError:
        expected = f"a file below {show_name(self.name)}, which this run is to stay below"
        return InputError(
            place, f"{shown}: outside", expected, "copy it there, or name a folder that has both"
        )
