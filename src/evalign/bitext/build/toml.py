"""Tables of a configuration: what they may hold, and what is said of what they may not."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, TypeGuard

from evalign.errors import InputError, Place, quote, suggest

# What every reader of TOML can hold.
MOST_WHOLE = 2**63 - 1
MOST = 10**9

# tomllib says it in words only; from Python 3.14 on also in numbers.
_LINE = re.compile(r"\(at line (\d+), column \d+\)")


class ConfigTable(NamedTuple):
    """A table of a file, by the names that lead to it."""

    place: Place
    path: str
    """documents.fr, or nothing for the whole file."""
    values: Mapping[str, object]

    def name(self, key: str) -> str:
        """A key as it is called from outside."""
        return f"{self.path}.{key}" if self.path else key

    def refuse(self, key: str, found: str, expected: str, advice: str = "") -> InputError:
        """What is wrong with a key."""
        return InputError(self.place, f"{self.name(key)}: {found}", expected, advice)

    def check_keys(self, known: Collection[str]) -> ConfigTable:
        """The table itself, if it has no other keys than these."""
        for key in self.values:
            if key not in known:
                found = f"unknown key {quote(self.name(key))}"
                raise InputError(self.place, found, *suggest(key, known, show=self.name))
        return self

    def text(self, key: str, default: str = "") -> str:
        """A string that is not empty, or the default."""
        found = self.values.get(key, default)
        if not isinstance(found, str) or (key in self.values and not found):
            raise self.refuse(key, _show(found), "a string that is not empty")
        return found

    def choice(self, key: str, choices: Sequence[str]) -> str:
        """One of some names; the first where none is given."""
        found = self.text(key, choices[0])
        if found not in choices:
            raise self.refuse(key, quote(found), *suggest(found, choices))
        return found

    def texts(self, key: str) -> tuple[str, ...]:
        """A string or a list of strings; nothing where there is none."""
        found = self.values.get(key, [])
        listed = [found] if isinstance(found, str) else found
        if not _are_texts(listed):
            raise self.refuse(key, _show(found), "a string, or a list of strings")
        if key in self.values and not (listed and all(listed)):
            raise self.refuse(key, "nothing in it", "a string, or a list of strings")
        return tuple(listed)

    def whole(self, key: str, default: int, least: int = 0, most: int = MOST_WHOLE) -> int:
        """A whole number from `least` to `most`."""
        found = self.values.get(key, default)
        if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
            raise self.refuse(key, _show(found), f"a whole number from {least} to {most}")
        return found

    def number(self, key: str, default: float) -> float:
        """A number from 0 up, small enough that a few of them can be added."""
        found = self.values.get(key, default)
        if not isinstance(found, int | float) or isinstance(found, bool) or not 0 <= found <= MOST:
            raise self.refuse(key, _show(found), f"a number from 0 to {MOST}")
        return float(found)

    def share(self, key: str, default: float) -> float:
        """A number from 0 to 1."""
        found = self.number(key, default)
        if found > 1:
            raise self.refuse(key, _show(found), "a share from 0 to 1: 0.75 for 75 %")
        return found

    def table(self, key: str) -> ConfigTable:
        """A table in it; an empty one where there is none."""
        return self._as_table(self.name(key), self.values.get(key, {}), f"[{self.name(key)}]")

    def tables(self, key: str) -> tuple[ConfigTable, ...]:
        """All tables of an array; none where there is none."""
        found = self.values.get(key, [])
        expected = f"[[{self.name(key)}]]"
        if not isinstance(found, list):
            advice = f"[{self.name(key)}] is one table: write {expected}" if isinstance(found, dict) else ""
            raise self.refuse(key, "no array of tables", expected, advice)
        return tuple(
            self._as_table(f"{self.name(key)}[{number}]", each, expected)
            for number, each in enumerate(found, 1)
        )

    def _as_table(self, path: str, found: object, expected: str) -> ConfigTable:
        if not isinstance(found, dict):
            raise InputError(self.place, f"{path}: {_show(found)}", f"a table: {expected}")
        return ConfigTable(self.place, path, found)


def parse_table(place: Place, text: str) -> ConfigTable:
    """The tables of a file in TOML; raises `InputError` with the line where it is none."""
    try:
        return ConfigTable(place, "", tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        line = _LINE.search(message)
        at = Place(place.path, int(line[1]) if line else 0)
        raise InputError(at, f"not TOML ({message})", 'lines such as pair = "fr-en"') from None
    except RecursionError:
        raise InputError(place, "not TOML (nested too deeply)", 'lines such as pair = "fr-en"') from None


def _are_texts(found: object) -> TypeGuard[list[str]]:
    return isinstance(found, list) and all(isinstance(each, str) for each in found)


def _show(found: object) -> str:
    """A value of TOML in a message."""
    if isinstance(found, bool):
        return "true" if found else "false"
    if isinstance(found, str):
        return quote(found)
    if isinstance(found, dict | list):
        return "a table" if isinstance(found, dict) else "a list"
    if isinstance(found, int | float):
        # Of a number in hexadecimals Python may refuse to show all digits.
        return str(found) if isinstance(found, float) or abs(found) <= MOST_WHOLE else "a number too large"
    return quote(str(found))
