"""What can go wrong, and where.

    EvalignError
    ├── CommandError     the command or the call is wrong: an unknown metric, two inputs from standard input
    ├── EngineError      the work could not be done where it was to be done: workers that die, a cluster that is gone
    └── InputError       input that does not hold to its format, or cannot be read
        └── StrictError  input that can be scored, but that --strict refuses as the official script does

Every message says the place, what was found, what was expected and what to do next. All of them can be pickled: what a
worker raises is raised again, whole, where the work was asked for.
"""

from __future__ import annotations

import os
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

# How many names a message suggests, and how many letters may be wrong.
_MOST_SUGGESTED = 3
_MOST_CHANGED = 3

# What each extra of pyproject.toml installs; with the oldest version where evalign refuses older ones or they are not safe.
EXTRAS = {
    "bitext": ("mwparserfromhell", "mwxml", "tantivy>=0.26"),
    "cluster": ("cryptography", "dask", "distributed", "fsspec>=2026.6"),
    "pandas": ("pandas",),
    "plots": ("matplotlib",),
    "remote": ("aiohttp", "fsspec>=2026.6"),
    "zstd": ("zstandard",),
}


class Place(NamedTuple):
    """Where something stands in an input: a file, and a line of it counted from one (0: the whole file)."""

    path: str
    lineno: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.lineno}" if self.lineno else self.path


class EvalignError(Exception):
    """Anything evalign says no to; `exit_status` is what a command returns for it."""

    exit_status = 1

    @property
    def on_one_line(self) -> str:
        """The message without line breaks, for a list of warnings."""
        return str(self).replace("\n  ", "; ")

    def __reduce__(self) -> tuple[Callable[..., EvalignError], tuple[object, ...]]:
        """Pickled with its fields. Python's own way calls the class with the message, which is not what they take."""
        return _restore, (type(self), self.args, self.__dict__)


class CommandError(EvalignError):
    """A command or call that asks for what does not exist or cannot be had together."""

    exit_status = 2

    def __init__(self, found: str, expected: str = "", advice: str = "") -> None:
        self.found, self.expected, self.advice = found, expected, advice
        super().__init__(_message(found, expected, advice))


class EngineError(EvalignError):
    """Work that could not be done where it was to be done."""

    def __init__(self, found: str, expected: str = "", advice: str = "") -> None:
        self.found, self.expected, self.advice = found, expected, advice
        super().__init__(_message(found, expected, advice))


class InputError(EvalignError):
    """Input that does not hold to its format."""

    def __init__(self, place: Place, found: str, expected: str, advice: str = "") -> None:
        self.place, self.found, self.expected, self.advice = place, found, expected, advice
        super().__init__(_message(f"{place}: {found}", expected, advice))

    def show_paths(self, paths: Mapping[str, str]) -> None:
        """Name the file by its path where it has a shorter name, so that people can open it."""
        if self.place.path in paths:
            self.place = Place(paths[self.place.path], self.place.lineno)
            self.args = (_message(f"{self.place}: {self.found}", self.expected, self.advice),)

    def add_advice(self, advice: str) -> None:
        """Say more, at the end: which worker it was that could not read the file."""
        self.advice = "\n  ".join(filter(None, (self.advice, advice)))
        self.args = (_message(f"{self.place}: {self.found}", self.expected, self.advice),)


class StrictError(InputError):
    """Input that evalign can score, but that `--strict` refuses."""


class Remark(NamedTuple):
    """Something tolerated while reading: what it was, how often, and the first places."""

    kind: str
    message: str
    times: int
    places: tuple[Place, ...]

    def __str__(self) -> str:
        where = f"{self.places[0]}: " if self.places else ""
        others = ", ".join(str(place.lineno) for place in self.places[1:])
        rest = ", ..." if others and self.times > len(self.places) else ""
        lines = f", also at {others}{rest}" if others else ""
        return f"{where}{self.message}" + (f" ({self.times} times{lines})" if self.times > 1 else "")


def rename_remarks(remarks: Sequence[Remark], name: str) -> tuple[Remark, ...]:
    """Remarks on one file, which is called by another name."""
    return tuple(
        remark._replace(places=tuple(place._replace(path=name) for place in remark.places))
        for remark in remarks
    )


def quote(text: str, most: int = 60) -> str:
    """Text of an input as it may stand in a message: no control character reaches a terminal, no end is lost."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[:most])
    return f'"{shown}{"…" if len(text) > most else ""}"'


def show_name(name: str | os.PathLike[str]) -> str:
    """A name or path that a terminal can show: line ends, control characters and broken bytes escaped."""
    name = os.fsdecode(name)
    return name if name.isprintable() else quote(name)


def advise_install(extra: str) -> str:
    """Advice to install the packages of `extra` by their own names, since evalign may be on no package index.

    >>> advise_install("remote")
    'pip install aiohttp "fsspec>=2026.6"'
    """
    return " ".join(("pip install", *(f'"{name}"' if ">" in name else name for name in EXTRAS[extra])))


def suggest(
    name: str,
    names: Iterable[str],
    advice: str = "",
    *,
    expected: str = "",
    show: Callable[[str], str] = quote,
) -> tuple[str, str]:
    """Say what was expected, and advise, where `name` is not one of the `known` names.

    Names that are near are suggested, as `show` writes them. Only where none is near are all names listed (or
    `expected` said in their place), with `advice`. The two texts are the last two arguments of an error.

    >>> suggest("tokenz", ["sentences", "tokens"])
    ('', 'did you mean "tokens"?')
    >>> suggest("chunks", ["sentences", "tokens"], "evalign explain lists them")
    ('one of sentences, tokens', 'evalign explain lists them')
    """
    choices = list(dict.fromkeys(names))
    if near := find_nearest(name, choices):
        return "", f"did you mean {' or '.join(map(show, near))}?"
    listed = f"one of {', '.join(choices)}" if len(choices) > 1 else "".join(choices)
    return expected or listed, advice


def find_nearest(name: str, names: Iterable[str]) -> list[str]:
    """Find the nearest of the `known` names, in any case; several if they are as near, none if none is near.

    A name is near if a third of its letters or fewer have to be changed, three at most, or if it is the beginning of a
    known name, or a known name with a short ending.

    >>> find_nearest("Tokenz", ["tokens", "words"]), find_nearest("sent", ["sentences"]), find_nearest("foo", ["oov"])
    (['tokens'], ['sentences'], [])
    """
    distances = {each: _measure_distance(name.lower(), each.lower()) for each in names}
    near = {each: distance for each, distance in distances.items() if distance is not None}
    least = min(near.values(), default=0)
    return [each for each, distance in near.items() if distance == least][:_MOST_SUGGESTED]


def _measure_distance(name: str, other: str) -> int | None:
    """Count the letters to add, drop, replace or swap to get from `name` to `other`; None if it is not near.

    The restricted Damerau-Levenshtein distance.
    """
    longer = max(len(name), len(other))
    most = min(_MOST_CHANGED, max(1, longer // 3))
    begins = other.startswith(name) or (name.startswith(other) and longer - len(other) <= _MOST_CHANGED)
    if begins and min(len(name), len(other)) > 2:
        return min(most, abs(len(name) - len(other)))
    if abs(len(name) - len(other)) > most:
        return None
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(name, 1):
        last, row, before = before, [i], row
        for j, wanted in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and name[i - 2] == wanted:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return None
    return row[-1] if row[-1] <= most and row[-1] < longer else None


def _restore(kind: type[EvalignError], args: tuple[object, ...], fields: dict[str, object]) -> EvalignError:
    """A pickled error."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error


def _message(problem: str, expected: str, advice: str) -> str:
    return "\n  ".join(filter(None, (problem, f"expected {expected}" if expected else "", advice)))
