"""Keep files named by manifests and configurations inside one folder.

This is for manifests and configurations that somebody else has written: every path in them must lead into the
folder after links are followed. Each path is checked once, so a change of the folder during a run goes
unnoticed.
"""

from __future__ import annotations

import os
from typing import TypeAlias

from evalign.errors import InputError, Place, show_name
from evalign.readers.remote import is_url, mask_url

Folder: TypeAlias = "str | os.PathLike[str]"


class FolderLimit:
    """A folder that named files must be in."""

    def __init__(self, folder: Folder) -> None:
        """Raise `InputError` if the folder does not exist."""
        self.name = os.fspath(folder)
        if not os.path.isdir(folder):  # noqa: PTH112 - may hold a NUL
            place = Place(show_name(self.name) or '""')
            raise InputError(place, "no folder", "the folder that all named files are to be in")
        self._top = os.path.realpath(folder)

    def check(self, place: Place, path: str | os.PathLike[str]) -> None:
        """Raise `InputError` unless `path`, and everything below it if it is a folder, is inside this folder.

        `place` is where the path is named, for the message.
        """
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
            # A folder that cannot be listed raises an error where it is read.
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
