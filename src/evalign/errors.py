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

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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


def advise_install(extra: str) -> str:
    """Advice to install the packages of `extra` by their own names, since evalign may be on no package index.

    >>> advise_install("remote")
    'pip install aiohttp "fsspec>=2026.6"'
    """
    return " ".join(("pip install", *(f'"{name}"' if ">" in name else name for name in EXTRAS[extra])))


def _restore(kind: type[EvalignError], args: tuple[object, ...], fields: dict[str, object]) -> EvalignError:
    """A pickled error."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error


def _message(found: str, expected: str, advice: str) -> str:
    return "\n  ".join(filter(None, (found, f"expected {expected}" if expected else "", advice)))
