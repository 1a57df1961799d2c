"""The configuration of a data set: a TOML file whose defaults are the settings of the BUCC data sets.

    pair = "fr-en"

    [documents.fr]
    path = "fr.tsv"

    [documents.en]
    path = "en.tsv"

    [[parallel]]
    path = "news.fr-en.tsv"

Paths are relative to the folder of the file.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple, TypeGuard

from evalign.bitext.dataset import GOLD, SPLITS, is_split, order_splits
from evalign.bitext.inputs.formats import AUTO, DOCUMENT_FORMATS, LINK_FORMATS, PAIR_FORMATS
from evalign.bitext.inputs.tables import check_columns
from evalign.bitext.languages import Language, find_language
from evalign.bitext.pairs import is_language
from evalign.bitext.sampling import SEED
from evalign.errors import CommandError, InputError, Place, quote, suggest
from evalign.readers.content import load
from evalign.readers.folder_limit import FolderLimit
from evalign.readers.remote import is_url

# Tables of a configuration, with checks of their values.


# The largest integer that every reader of TOML supports.
MOST_WHOLE = 2**63 - 1
MOST = 10**9

# tomllib gives the line only in its message; from Python 3.14 on also as a number.
_LINE = re.compile(r"\(at line (\d+), column \d+\)")


class ConfigTable(NamedTuple):
    """A table of a configuration file; its methods read values and raise `InputError` for wrong ones."""

    place: Place
    path: str
    """Name of the table, such as documents.fr; empty for the whole file."""
    values: Mapping[str, object]

    def name(self, key: str) -> str:
        """Return the full name of a key."""
        return f"{self.path}.{key}" if self.path else key

    def refuse(self, key: str, problem: str, expected: str, advice: str = "") -> InputError:
        """Return the error for a wrong value of a key."""
        return InputError(self.place, f"{self.name(key)}: {problem}", expected, advice)

    def check_keys(self, allowed: Collection[str]) -> ConfigTable:
        """Return the table itself; raise `InputError` if it has other keys than `allowed`."""
        for key in self.values:
            if key not in allowed:
                problem = f"unknown key {quote(self.name(key))}"
                raise InputError(self.place, problem, *suggest(key, allowed, show=self.name))
        return self

    def text(self, key: str, default: str = "") -> str:
        """Return a string that is not empty, or the default."""
        value = self.values.get(key, default)
        if not isinstance(value, str) or (key in self.values and not value):
            raise self.refuse(key, _show(value), "a string that is not empty")
        return value

    def choice(self, key: str, choices: Sequence[str]) -> str:
        """Return one of `choices`; the first one if the key is missing."""
        value = self.text(key, choices[0])
        if value not in choices:
            raise self.refuse(key, quote(value), *suggest(value, choices))
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the strings of a string or of a list of strings; an empty tuple if the key is missing."""
        value = self.values.get(key, [])
        listed = [value] if isinstance(value, str) else value
        if not _are_texts(listed):
            raise self.refuse(key, _show(value), "a string, or a list of strings")
        if key in self.values and not (listed and all(listed)):
            raise self.refuse(key, "nothing in it", "a string, or a list of strings")
        return tuple(listed)

    def whole(self, key: str, default: int, least: int = 0, most: int = MOST_WHOLE) -> int:
        """Return an integer from `least` to `most`."""
        value = self.values.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self.refuse(key, _show(value), f"a whole number from {least} to {most}")
        return value

    def number(self, key: str, default: float) -> float:
        """Return a number from 0 to `MOST`, so that a few of them can be added."""
        value = self.values.get(key, default)
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= MOST:
            raise self.refuse(key, _show(value), f"a number from 0 to {MOST}")
        return float(value)

    def share(self, key: str, default: float) -> float:
        """Return a number from 0 to 1."""
        value = self.number(key, default)
        if value > 1:
            raise self.refuse(key, _show(value), "a share from 0 to 1: 0.75 for 75 %")
        return value

    def table(self, key: str) -> ConfigTable:
        """Return a table inside this one; an empty one if the key is missing."""
        return self._as_table(self.name(key), self.values.get(key, {}), f"[{self.name(key)}]")

    def tables(self, key: str) -> tuple[ConfigTable, ...]:
        """Return the tables of an array of tables; none if the key is missing."""
        value = self.values.get(key, [])
        expected = f"[[{self.name(key)}]]"
        if not isinstance(value, list):
            advice = f"[{self.name(key)}] is one table: write {expected}" if isinstance(value, dict) else ""
            raise self.refuse(key, "no array of tables", expected, advice)
        return tuple(
            self._as_table(f"{self.name(key)}[{number}]", each, expected)
            for number, each in enumerate(value, 1)
        )

    def _as_table(self, path: str, value: object, expected: str) -> ConfigTable:
        if not isinstance(value, dict):
            raise InputError(self.place, f"{path}: {_show(value)}", f"a table: {expected}")
        return ConfigTable(self.place, path, value)


def parse_table(place: Place, text: str) -> ConfigTable:
    """Parse TOML; raise `InputError` with the line if that fails."""
    try:
        return ConfigTable(place, "", tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        line = _LINE.search(message)
        at = Place(place.path, int(line[1]) if line else 0)
        raise InputError(at, f"not TOML ({message})", 'lines such as pair = "fr-en"') from None
    except RecursionError:
        raise InputError(place, "not TOML (nested too deeply)", 'lines such as pair = "fr-en"') from None


def _are_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _show(value: object) -> str:
    """Return a TOML value as messages show it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    if isinstance(value, int | float):
        # Python may refuse to convert a very long number, which TOML can write in hexadecimal, to decimal
        # digits.
        return str(value) if isinstance(value, float) or abs(value) <= MOST_WHOLE else "a number too large"
    return quote(str(value))


DROP, SPLIT, KEEP = "drop", "split", "keep"
# Sections 2.2.4 and 2.2.5: one of two linked documents is kept; 2 % are sample, and the rest is halved.
DESYNC = (DROP, SPLIT)
SHARES = {"sample": 2.0, "training": 49.0, "test": 49.0}
# A search allocates memory for as many hits as are asked for.
MOST_CANDIDATES = 10_000
# The files of all splits are open at the same time.
MOST_SPLITS = 100
# No sentence that is kept can have more words.
MOST_STOP_WORDS = 10**6

_KEYS = (
    "pair",
    "seed",
    "desync",
    "documents",
    "parallel",
    "links",
    "filter",
    "splits",
    "planting",
    "languages",
)


@dataclass(frozen=True)
class DocumentInput:
    """Where to read the documents of a language."""

    language: str
    path: tuple[str, ...]
    format: str = AUTO
    genres: str = ""
    """Path of a table of documents and genres, for documents that do not give their genres themselves."""


@dataclass(frozen=True)
class ParallelInput:
    """Where to read sentences and their translations: one file, or two files whose lines belong together."""

    path: str = ""
    first: str = ""
    second: str = ""
    format: str = AUTO
    columns: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Name of the input in the provenance table."""
        return self.path or self.first

    @property
    def paths(self) -> tuple[str, ...]:
        """All files of the input."""
        return tuple(filter(None, (self.path, self.first, self.second)))


@dataclass(frozen=True)
class LinkInput:
    """Where to read links between documents of both languages about the same subject."""

    path: str = ""
    format: str = AUTO
    of: str = ""
    """The language of a langlinks table, if the name of the file does not say it."""
    same_names: tuple[str, ...] = ()
    """Documents with the same name in both languages are linked if the name begins with one of these."""


@dataclass(frozen=True)
class Filter:
    """Which sentences are left out, apart from repetitions and those of the wrong length.

    `identical`, `wrong_language`, `unpaired`, `script` and `lists` are each "drop" or "keep".
    """

    identical: str = DROP
    """Native sentences with a copy on the other side of their split, but for case, digits and punctuation."""
    wrong_language: str = DROP
    """Sentences that are clearly not in the language of their side."""
    unpaired: str = DROP
    """Sentences with a quote or bracket that has no partner."""
    script: str = DROP
    """Chinese sentences in the script, traditional or simplified, that at most one native in twenty has."""
    lists: str = DROP
    """List items of Wikipedia articles, and their sections of references and links."""
    least_own_script: float = 0.25
    """A sentence is wrong if less than this share of its letters is in scripts of its own language."""
    least_foreign_words: int = 2
    """How many stop words of the other language make a sentence suspicious, if both share a script."""
    least_foreign_share: float = 0.75
    """A suspicious sentence is in the wrong language if these are at least this share of its stop words.

    Only stop words that one of the two languages has, and not the other, are counted.
    """


@dataclass(frozen=True)
class Planting:
    """Conditions for slots, the native sentences that a sentence may be planted behind.

    See section 2.2.2 of Zweigenbaum, Sharoff and Rapp (2018).
    """

    shortest_ratio: float = 0.8
    """Smallest ratio of the length of the planted sentence to that of the one found for it."""
    longest_ratio: float = 1.2
    """Largest ratio of these lengths."""
    candidates: int = 10
    """How many of the best search hits are tried."""


@dataclass(frozen=True)
class Config:
    """Everything that a data set depends on, with all defaults filled in."""

    place: Place
    """The configuration file."""
    folder: Path
    """The folder that paths are relative to."""
    languages: tuple[Language, Language]
    documents: tuple[DocumentInput, DocumentInput]
    parallel: tuple[ParallelInput, ...]
    links: LinkInput = LinkInput()
    splits: tuple[tuple[str, float], ...] = tuple(SHARES.items())
    """The splits with a positive share, and their shares."""
    planting: Planting = Planting()
    seed: int = SEED
    desync: str = DROP
    filter: Filter = Filter()

    @property
    def codes(self) -> tuple[str, str]:
        """Codes of both languages."""
        return self.languages[0].code, self.languages[1].code

    @property
    def pair(self) -> str:
        """Codes of both languages with a dash between them: fr-en."""
        return "-".join(self.codes)

    @property
    def shares(self) -> dict[str, float]:
        """The share of each split, by name."""
        return dict(self.splits)

    @property
    def paths(self) -> tuple[str, ...]:
        """All files and folders that the configuration names, except stop words, which have been read."""
        sides = [path for each in self.documents for path in (*each.path, each.genres)]
        pairs = [path for each in self.parallel for path in each.paths]
        return tuple(filter(None, (*sides, *pairs, self.links.path)))

    def find(self, path: str) -> Path:
        """Return `path`, which the configuration names, relative to the folder of the configuration."""
        return self.folder / path

    def check_below(self, limit: FolderLimit) -> None:
        """Raise `InputError` if the configuration names a file outside the folder of `limit`."""
        for path in self.paths:
            limit.check(self.place, path if is_url(path) else self.find(path))

    def as_json(self) -> dict[str, object]:
        """Return the configuration for `dataset.json`."""
        return {
            "pair": self.pair,
            "seed": self.seed,
            "desync": self.desync,
            "documents": {each.language: _as_json(each) for each in self.documents},
            "parallel": [_as_json(each) for each in self.parallel],
            "links": _as_json(self.links),
            "filter": _as_json(self.filter),
            "splits": self.shares,
            "planting": _as_json(self.planting),
            "languages": {each.code: _as_json(each) for each in self.languages},
        }


def _as_json(
    settings: DocumentInput | ParallelInput | LinkInput | Filter | Planting | Language,
) -> dict[str, object]:
    values = {key: sorted(v) if isinstance(v, frozenset) else v for key, v in asdict(settings).items()}
    return {key: list(v) if isinstance(v, tuple) else v for key, v in values.items()}


def read_config(path: str | os.PathLike[str], *, stay_below: str | os.PathLike[str] | None = None) -> Config:
    """Read a configuration file; raise `InputError` for anything wrong in it.

    If `stay_below` is a folder, everything that the configuration names must be in it, symbolic links
    followed.
    """
    limit = None if stay_below is None else FolderLimit(stay_below)
    content = load(path)
    place = Place(content.name)
    table = parse_table(place, content.data.decode("utf-8")).check_keys(_KEYS)
    codes = _read_pair(table)
    folder = Path(path).parent
    languages = table.table("languages").check_keys(codes)
    parallel = tuple(map(_read_parallel, table.tables("parallel")))
    if not parallel:
        advice = '[[parallel]]\n  path = "pairs.tsv"'
        raise InputError(place, 'no "parallel"', "pairs of sentences to hide", advice)
    config = Config(
        place,
        folder,
        (
            _read_language(languages, codes[0], folder, limit),
            _read_language(languages, codes[1], folder, limit),
        ),
        _read_documents(table, codes),
        parallel,
        _read_links(table.table("links"), codes),
        _read_splits(table.table("splits"), codes),
        _read_planting(table.table("planting")),
        table.whole("seed", SEED),
        table.choice("desync", DESYNC),
        _read_filter(table.table("filter")),
    )
    if limit is not None:
        config.check_below(limit)
    return config


def _read_pair(table: ConfigTable) -> tuple[str, str]:
    if "pair" not in table.values:
        raise InputError(table.place, 'no "pair"', 'the languages of the data set: pair = "fr-en"')
    pair = table.text("pair")
    first, _, second = pair.partition("-")
    if not is_language(first) or not is_language(second):
        raise table.refuse(
            key="pair",
            problem=quote(pair),
            expected='codes of two languages with a dash between them: "fr-en"',
        )
    if first == second:
        raise table.refuse(key="pair", problem=quote(pair), expected="two languages")
    return first, second


def _read_language(table: ConfigTable, code: str, folder: Path, limit: FolderLimit | None) -> Language:
    values = table.table(code).values
    stop_words = values.get("stop_words")
    if limit is not None and isinstance(stop_words, str):  # a file, which is read at once
        limit.check(table.place, stop_words if is_url(stop_words) else folder / stop_words)
    try:
        return find_language(code, values, folder=folder)
    except CommandError as error:
        raise InputError(table.place, error.found, error.expected, error.advice) from None


def _read_documents(table: ConfigTable, codes: tuple[str, str]) -> tuple[DocumentInput, DocumentInput]:
    documents = table.table("documents").check_keys(codes)
    for code in codes:
        if code not in documents.values:
            problem = f'no "documents.{code}"'
            raise InputError(table.place, problem, f'its documents: [documents.{code}] with path = "..."')
    first, second = (_read_side(documents, code) for code in codes)
    both = set(first.path) & set(second.path)
    if both:
        problem = f"path of both languages: {quote(min(both))}"
        raise InputError(table.place, problem, "documents of one language in each")
    return first, second


def _read_side(documents: ConfigTable, code: str) -> DocumentInput:
    side = documents.table(code).check_keys(("path", "format", "genres"))
    paths = side.texts("path")
    if not paths:
        raise side.refuse(
            key="path", problem="missing", expected="the path of a file or folder, or a list of them"
        )
    if len(set(paths)) < len(paths):
        raise side.refuse(key="path", problem="a path twice", expected="each once")
    return DocumentInput(code, paths, side.choice("format", DOCUMENT_FORMATS), side.text("genres"))


def _read_parallel(table: ConfigTable) -> ParallelInput:
    table.check_keys(tuple(field.name for field in fields(ParallelInput)))
    path, first, second = (table.text(key) for key in ("path", "first", "second"))
    if bool(first) != bool(second) or bool(path) == bool(first):
        problem = (
            f"{table.path}: {' and '.join(key for key in ('path', 'first', 'second') if key in table.values)}"
        )
        expected = "path, or first and second: one file, or two whose lines belong together"
        raise InputError(table.place, problem if table.values else f"{table.path}: nothing in it", expected)
    format = table.choice("format", PAIR_FORMATS)
    if first and format not in (AUTO, "moses"):
        raise table.refuse(key="format", problem=quote(format), expected="moses for two files")
    if path and format == "moses":
        raise table.refuse(
            key="format", problem=quote(format), expected="first and second with it, a file for each language"
        )
    return ParallelInput(path, first, second, format, _read_columns(table))


def _read_columns(table: ConfigTable) -> tuple[str, ...]:
    columns = table.texts("columns")
    try:
        return check_columns(columns) if columns else ()
    except CommandError as error:
        raise table.refuse(
            key="columns", problem=error.found, expected=error.expected, advice=error.advice
        ) from None


def _read_links(table: ConfigTable, codes: tuple[str, str]) -> LinkInput:
    table.check_keys(tuple(field.name for field in fields(LinkInput)))
    same = table.values.get("same_names", False)
    # True links all documents with the same name: every name begins with "".
    names = (("",) if same else ()) if isinstance(same, bool) else table.texts("same_names")
    of = table.text("of")
    if of and of not in codes:
        raise table.refuse(key="of", problem=quote(of), expected=" or ".join(codes))
    return LinkInput(table.text("path"), table.choice("format", LINK_FORMATS), of, names)


def _read_splits(table: ConfigTable, codes: tuple[str, str]) -> tuple[tuple[str, float], ...]:
    """Read the shares of the BUCC splits and of others that the table names, without those of share 0."""
    taken = (*codes, GOLD, "pairs")
    for name in table.values:
        if not is_split(name) or name in taken:
            expected = (
                f"a small letter, then up to 39 small letters, digits, dashes; none of {', '.join(taken)}"
            )
            raise InputError(table.place, f"split {quote(name)}", expected)
        # A name like that of a BUCC split may be a typing error, unless the file gives the share of that
        # split too.
        alike = get_close_matches(name, [split for split in SPLITS if split not in table.values], 1, 0.7)
        if alike:
            problem = (
                f"split {quote(name)} beside {alike[0]}, which has {SHARES[alike[0]]:g} if nothing is said"
            )
            advice = f"{alike[0]} = 0 leaves it out, {alike[0]} = {SHARES[alike[0]]:g} keeps both"
            raise InputError(table.place, problem, f"splits.{alike[0]}, or a share of both", advice)
    shares = {
        split: table.number(split, SHARES.get(split, 0.0)) for split in order_splits((*SPLITS, *table.values))
    }
    kept = tuple((split, share) for split, share in shares.items() if share > 0)
    if not kept:
        raise InputError(table.place, "splits: all are 0", "a share of at least one of them")
    if len(kept) > MOST_SPLITS:
        raise InputError(table.place, f"splits: {len(kept)}", f"at most {MOST_SPLITS}")
    return kept


def _read_filter(table: ConfigTable) -> Filter:
    table.check_keys(tuple(field.name for field in fields(Filter)))
    usual = Filter()
    return Filter(
        table.choice("identical", (DROP, KEEP)),
        table.choice("wrong_language", (DROP, KEEP)),
        table.choice("unpaired", (DROP, KEEP)),
        table.choice("script", (DROP, KEEP)),
        table.choice("lists", (DROP, KEEP)),
        table.share("least_own_script", usual.least_own_script),
        table.whole("least_foreign_words", usual.least_foreign_words, 1, MOST_STOP_WORDS),
        table.share("least_foreign_share", usual.least_foreign_share),
    )


def _read_planting(table: ConfigTable) -> Planting:
    table.check_keys(tuple(field.name for field in fields(Planting)))
    usual = Planting()
    planting = Planting(
        table.number("shortest_ratio", usual.shortest_ratio),
        table.number("longest_ratio", usual.longest_ratio),
        table.whole("candidates", usual.candidates, 1, MOST_CANDIDATES),
    )
    if planting.shortest_ratio > planting.longest_ratio:
        raise table.refuse(
            key="shortest_ratio",
            problem=f"{planting.shortest_ratio:g}",
            expected=f"at most longest_ratio, {planting.longest_ratio:g}",
        )
    return planting
