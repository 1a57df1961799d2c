"""Exception lists: tokens that stand for other words, such as "n't" for "not".

A list is a file of two columns separated by a tab: what is written, and what it stands for. Empty lines and
lines that begin with "#" say nothing. Lists are shipped by language; they make texts comparable and are off
unless asked.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from evalign.errors import CommandError, InputError, Place, quote
from evalign.readers.source import Content, load
from evalign.text import without_space

_FOLDER = Path(__file__).parent
_PREFIX = "exceptions_"
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z]{2,8})?|[A-Za-z]+")


def shipped_languages() -> list[str]:
    """Languages that have a list of their own."""
    return sorted(path.stem.removeprefix(_PREFIX) for path in _FOLDER.glob(f"{_PREFIX}*.tsv"))


def load_exceptions(name_or_path: str) -> dict[str, str]:
    """The list of a language, or of a file: what is written to what it stands for.

    >>> load_exceptions("en")["n't"]
    'not'
    """
    shipped = shipped_languages()
    if name_or_path in shipped:
        return _read(load(_FOLDER / f"{_PREFIX}{name_or_path}.tsv"))
    if _LANGUAGE.fullmatch(name_or_path) and not os.path.exists(name_or_path):  # noqa: PTH110
        found = f'no exception list for "{name_or_path}"'
        advice = "a list of your own has two columns separated by a tab: what is written, what it stands for"
        raise CommandError(found, f"{', '.join(shipped)}, or the path of a file", advice)
    return _read(load(name_or_path))


def _read(content: Content) -> dict[str, str]:
    exceptions: dict[str, str] = {}
    linenos: dict[str, int] = {}
    for lineno, text in enumerate(content.data.decode("utf-8").split("\n"), 1):
        if not text.strip() or text.startswith("#"):
            continue
        written, meant = _split(Place(content.name, lineno), text)
        if exceptions.setdefault(written, meant) != meant:
            raise InputError(
                Place(content.name, lineno),
                f"{quote(written)} stands for {quote(meant)}, and at line {linenos[written]} "
                f"for {quote(exceptions[written])}",
                "one meaning for each token",
                "keep the one that fits your text",
            )
        linenos.setdefault(written, lineno)
    return exceptions


def _split(place: Place, text: str) -> tuple[str, str]:
    """What is written and what it stands for, as both stand on the line."""
    columns = [without_space(column) for column in text.split("\t")]
    if len(columns) == 2 and all(columns):
        return columns[0], columns[1]
    if len(columns) == 2:
        found = "an empty column"
    else:
        found = f"{len(columns)} {'column' if len(columns) == 1 else 'columns'}, {quote(text)}"
    expected = "two columns separated by a tab: what is written, what it stands for"
    advice = "put a tab for the space between the two" if len(text.split()) == 2 else ""
    raise InputError(place, found, expected, advice)
