"""The exceptions and remarks of evalign: what can go wrong, and where.

    EvalignError
    ├── CommandError     the command or call is wrong: an unknown metric, two inputs from standard input
    │   └── SplitError   a result has the groups that it is to be split by, and cannot be split all the same
    ├── EngineError      the work could not be done where it should run: dead workers, a lost cluster
    └── InputError       input that cannot be read or violates its format
        └── StrictError  input that can be scored, but that `strict` refuses as the official script does

Every message says where the problem is, what was found, what was expected and what to do next. All exceptions
can be pickled: an error in a worker is raised again, with all its fields, in the process that asked for the
work.

A message that names a parameter or a call is a `Message`: Python shows `` `strict=` `` in it, the
command line --strict.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias, cast

# The most names that a message suggests, and the most letters that may differ from the given name.
_MOST_SUGGESTED = 3
_MOST_CHANGED = 3

# Packages of each extra in pyproject.toml; with the oldest version where evalign refuses older ones, or where
# those are not safe.
EXTRAS = {
    "bitext": ("mwparserfromhell", "mwxml", "tantivy>=0.26"),
    "cluster": ("dask", "distributed", "fsspec>=2026.6"),
    "pandas": ("pandas",),
    "plots": ("matplotlib",),
    "remote": ("aiohttp", "fsspec>=2026.6"),
    "zstd": ("zstandard",),
}


class Parameter(NamedTuple):
    """A parameter that a message names, perhaps with a value, or with a placeholder such as FILE for one."""

    name: str
    value: object = None
    placeholder: str = ""


class Call(NamedTuple):
    """A call, or other code, that a message names, and what does the same on the command line."""

    python: str
    command: str
    """Options in it are names in angle brackets, `evalign score <stream>`; empty brackets stand for `data`."""
    data: str = ""


Spell: TypeAlias = Callable[[Parameter | Call], str]


def spell_python(piece: Parameter | Call) -> str:
    """Write an option or a call of a message for users of Python."""
    if isinstance(piece, Call):
        return f"`{piece.python}`"
    name, value, placeholder = piece
    shown = f'"{value}"' if isinstance(value, str) else value
    return f"`{name}={placeholder if value is None else shown}`"


_spell: Spell = spell_python


def spell_with(spell: Spell) -> Spell:
    """Have `spell` write options and calls in messages from now on; return what did before.

    The command line sets it for as long as it runs, and so do workers for the work it sends them.
    """
    global _spell
    before, _spell = _spell, spell
    return before


def current_spell() -> Spell:
    """Return what writes options and calls in messages."""
    return _spell


class Message(str):
    """A text that names options or calls, and remembers where: `+` and unpickling write it anew.

    Options stand in braces in the text, and so do calls, each with what to type instead on the command line.
    Data, which may have braces too, is put before or behind the message by `+`, or is the value of an
    `option`. Errors keep a message; in an f-string or a result it is text like any other.

    >>> Message("leave out {strict}, or say {gold_format=plain}, {raw=FILE}, {stream=True}")
    'leave out `strict=`, or say `gold_format="plain"`, `raw=FILE`, `stream=True`'
    >>> "{a}.json: save it by " + Message("{result.save(...)|-o}")
    '{a}.json: save it by `result.save(...)`'
    """

    pieces: tuple[str | Parameter | Call, ...]

    def __new__(cls, text: str) -> Message:  # noqa: PYI034 - there are no subclasses
        """Read the options and calls in the braces of `text`."""
        parts = re.split(r"\{([^{}]+)\}", text)
        parts[1::2] = map(_read_braces, parts[1::2])
        return _write(*parts)

    def __add__(self, other: str) -> Message:
        return _write(self, other)

    def __radd__(self, other: str) -> Message:
        return _write(other, self)

    def __reduce__(self) -> tuple[object, ...]:
        return _write, self.pieces


def _write(*pieces: str | Parameter | Call) -> Message:
    """Make the message of `pieces`; those of a message among them are written one by one."""
    flat = [each for one in pieces for each in (one.pieces if isinstance(one, Message) else (one,))]
    text = "".join(each if isinstance(each, str) else _spell(each) for each in flat)
    message = str.__new__(Message, text)
    message.pieces = tuple(flat)
    return message


def _read_braces(text: str) -> Parameter | Call:
    python, bar, command = text.partition("|")
    if bar:
        return Call(python, command)
    name, _, value = text.partition("=")
    if value == "True":
        return Parameter(name, value=True)
    return Parameter(name, placeholder=value) if value.isupper() else Parameter(name, value or None)


def option(name: str, value: object = None) -> Message:
    """Name a parameter in a message, perhaps with data as its value; its flag is the name with hyphens.

    >>> option("by", "meta::genre"), option("window", 4096)
    ('`by="meta::genre"`', '`window=4096`')
    """
    return _write(Parameter(name, value))


def call(python: str, command: str, data: str = "") -> Message:
    """Name a call or other code in a message; `command` is what to type instead, with `data` for its `<>`."""
    return _write(Call(python, command, data))


class Place(NamedTuple):
    """A place in an input: a file, and a line in it counted from 1 (0 means the whole file)."""

    path: str
    lineno: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.lineno}" if self.lineno else self.path


class EvalignError(Exception):
    """Base of the exceptions that evalign raises on purpose. A command exits with `exit_status`."""

    exit_status = 1

    def __init__(self, found: str, expected: str = "", advice: str = "") -> None:
        self.found, self.expected, self.advice = found, expected, advice
        super().__init__(_join(found, expected, advice))

    @property
    def on_one_line(self) -> str:
        """The message without line breaks, for a list of warnings."""
        return str(self).replace("\n  ", "; ")

    def __reduce__(self) -> tuple[Callable[..., EvalignError], tuple[object, ...]]:
        """Pickle the error with its fields.

        By default Python would call the class with the finished message, but `__init__` takes the parts of
        it.
        """
        return _restore, (type(self), self.args, self.__dict__)


class CommandError(EvalignError):
    """A command or call that asks for what does not exist, or for things that exclude each other."""

    exit_status = 2


class SplitError(CommandError):
    """A split by groups that are there, but were not kept unit by unit or cannot be found in time."""


class EngineError(EvalignError):
    """Work that could not be done where it should have run."""


class InputError(EvalignError):
    """Input that cannot be read or violates its format."""

    def __init__(self, place: Place, found: str, expected: str, advice: str = "") -> None:
        super().__init__(found, expected, advice)
        self.place = place
        self._write()

    def _write(self) -> None:
        self.args = (_join(f"{self.place}: " + self.found, self.expected, self.advice),)

    def show_paths(self, paths: Mapping[str, str]) -> None:
        """Show the full path in the message if the file's short name is a key of `paths`."""
        if self.place.path in paths:
            self.place = Place(paths[self.place.path], self.place.lineno)
            self._write()

    def add_advice(self, advice: str) -> None:
        """Append `advice` to the message, for example which worker could not read the file."""
        self.advice = _join(self.advice, "", advice) if self.advice else advice
        self._write()


class StrictError(InputError):
    """Input that evalign can score, but refuses with `strict`."""


class Remark(NamedTuple):
    """Something a reader tolerated: its kind, a message, how often it occurred, and the first places."""

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
    """Return `remarks` with `name` as the file in all their places."""
    return tuple(
        remark._replace(places=tuple(place._replace(path=name) for place in remark.places))
        for remark in remarks
    )


def check_type(value: object, kinds: type | tuple[type, ...], subject: str, expected: str) -> None:
    """Raise `CommandError` that names the `subject` of an argument which is of none of the types `kinds`.

    >>> check_type(3, str, "`part=`", "the name of a part")
    Traceback (most recent call last):
    evalign.errors.CommandError: `part=` is of type int
      expected the name of a part
    """
    if not isinstance(value, kinds):
        problem = f"{subject} is of type {type(value).__name__}"
        raise CommandError(problem, expected)


def list_texts(value: object, subject: str, expected: str) -> tuple[str, ...]:
    """Return the texts in a list, or a single text as the only one; `CommandError` for anything else.

    >>> list_texts(["a", "b"], "`per=`", "names"), list_texts("a,b", "`per=`", "names")
    (('a', 'b'), ('a,b',))
    """
    if isinstance(value, str):
        return (value,)
    try:
        texts = tuple(cast("Iterable[object]", value))
    except TypeError:
        problem = f"{subject} is of type {type(value).__name__}"
        raise CommandError(problem, expected) from None
    for text in texts:
        check_type(text, str, f"an item of {subject}", expected)
    return cast("tuple[str, ...]", texts)


def check_flag(value: object, name: str) -> None:
    """Raise `CommandError` if the argument called `name` is neither True nor False."""
    if type(value).__name__ not in ("bool", "bool_"):  # that of numpy
        check_type(value, bool, f"`{name}=`", "True or False")


def quote(text: str, most: int = 60) -> str:
    """Quote input text for a message: escape control characters, cut after `most` characters."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[:most])
    return f'"{shown}{"…" if len(text) > most else ""}"'


def quote_word(text: str) -> str:
    """Quote `text` for a command line, if need be.

    >>> quote_word("en_ewt-ud.conllu"), quote_word("my 01.mrg")
    ('en_ewt-ud.conllu', "'my 01.mrg'")
    """
    if re.fullmatch(r"[\w.,:/=+-]+", text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"


def show_name(name: str | os.PathLike[str]) -> str:
    """Return `name` if a terminal can show it, else quoted and escaped (control characters, broken bytes)."""
    name = os.fsdecode(name)
    return name if name.isprintable() else quote(name)


def advise_install(extra: str) -> str:
    """Return the command that installs the packages of `extra`.

    It names them instead of the extra, since evalign may be on no package index.

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
    """Return what was expected, and advice, for a `name` that is not one of `names`.

    Both are arguments of an error (`expected`, `advice`); either may be empty. Names that are close to `name`
    are suggested as the advice, each written by `show`. Only if none is close are all `names` listed as
    expected (or `expected` is given in their place), with `advice`.

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
    """Return the `names` closest to `name`, ignoring case: several if equally close, none if none is close.

    A name is close if at most a third of its letters, and at most three, have to be changed, if it begins
    with `name`, or if `name` is that name with up to three letters behind it.

    >>> find_nearest("Tokenz", ["tokens", "words"]), find_nearest("sent", ["sentences"]), find_nearest("foo", ["oov"])
    (['tokens'], ['sentences'], [])
    """
    distances = {each: _measure_distance(name.lower(), each.lower()) for each in names}
    near = {each: distance for each, distance in distances.items() if distance is not None}
    least = min(near.values(), default=0)
    return [each for each, distance in near.items() if distance == least][:_MOST_SUGGESTED]


def _measure_distance(name: str, other: str) -> int | None:
    """Count the letters to add, drop, replace or swap to turn `name` into `other`; None if not close.

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
    """Rebuild a pickled error without calling its `__init__`."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error


def _join(found: str, expected: str, advice: str) -> str:
    text = found
    if expected:
        text += "\n  expected " + expected
    return text + "\n  " + advice if advice else text
