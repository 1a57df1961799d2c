"""The configuration of a data set: a file in TOML whose every default is what the BUCC data sets were built with.

    pair = "fr-en"

    [documents.fr]
    path = "fr.tsv"

    [documents.en]
    path = "en.tsv"

    [[parallel]]
    path = "news.fr-en.tsv"

Paths are as seen from the folder of the file.
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
from evalign.bitext.inputs import AUTO, DOCUMENT_FORMATS, LINK_FORMATS, PAIR_FORMATS, check_columns
from evalign.bitext.languages import Language, find_language
from evalign.bitext.pairs import is_language
from evalign.bitext.sampling import SEED
from evalign.errors import CommandError, InputError, Place, quote, suggest
from evalign.readers import FolderLimit, is_url, load

# Tables of a configuration: what they may hold, and what is said of what they may not.


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

    def refuse(self, key: str, problem: str, expected: str, advice: str = "") -> InputError:
        """What is wrong with a key."""
        return InputError(self.place, f"{self.name(key)}: {problem}", expected, advice)

    def check_keys(self, allowed: Collection[str]) -> ConfigTable:
        """The table itself, if it has no other keys than these."""
        for key in self.values:
            if key not in allowed:
                problem = f"unknown key {quote(self.name(key))}"
                raise InputError(self.place, problem, *suggest(key, allowed, show=self.name))
        return self

    def text(self, key: str, default: str = "") -> str:
        """A string that is not empty, or the default."""
        value = self.values.get(key, default)
        if not isinstance(value, str) or (key in self.values and not value):
            raise self.refuse(key, _show(value), "a string that is not empty")
        return value

    def choice(self, key: str, choices: Sequence[str]) -> str:
        """One of some names; the first where none is given."""
        value = self.text(key, choices[0])
        if value not in choices:
            raise self.refuse(key, quote(value), *suggest(value, choices))
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A string or a list of strings; nothing where there is none."""
        value = self.values.get(key, [])
        listed = [value] if isinstance(value, str) else value
        if not _are_texts(listed):
            raise self.refuse(key, _show(value), "a string, or a list of strings")
        if key in self.values and not (listed and all(listed)):
            raise self.refuse(key, "nothing in it", "a string, or a list of strings")
        return tuple(listed)

    def whole(self, key: str, default: int, least: int = 0, most: int = MOST_WHOLE) -> int:
        """A whole number from `least` to `most`."""
        value = self.values.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self.refuse(key, _show(value), f"a whole number from {least} to {most}")
        return value

    def number(self, key: str, default: float) -> float:
        """A number from 0 up, small enough that a few of them can be added."""
        value = self.values.get(key, default)
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= MOST:
            raise self.refuse(key, _show(value), f"a number from 0 to {MOST}")
        return float(value)

    def share(self, key: str, default: float) -> float:
        """A number from 0 to 1."""
        value = self.number(key, default)
        if value > 1:
            raise self.refuse(key, _show(value), "a share from 0 to 1: 0.75 for 75 %")
        return value

    def table(self, key: str) -> ConfigTable:
        """A table in it; an empty one where there is none."""
        return self._as_table(self.name(key), self.values.get(key, {}), f"[{self.name(key)}]")

    def tables(self, key: str) -> tuple[ConfigTable, ...]:
        """All tables of an array; none where there is none."""
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


def _are_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _show(value: object) -> str:
    """A value of TOML in a message."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    if isinstance(value, int | float):
        # Of a number in hexadecimals Python may refuse to show all digits.
        return str(value) if isinstance(value, float) or abs(value) <= MOST_WHOLE else "a number too large"
    return quote(str(value))


DROP, SPLIT, KEEP = "drop", "split", "keep"
# Sections 2.2.4 and 2.2.5: of two interlinked documents one is kept, 2 % sample, halves of the rest.
DESYNC = (DROP, SPLIT)
SHARES = {"sample": 2.0, "training": 49.0, "test": 49.0}
# A search gives room to as many hits as are asked for.
MOST_CANDIDATES = 10_000
# Files of all splits are open at once.
MOST_SPLITS = 100
# No sentence that is kept has more words.
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
    """Where the documents of a language are."""

    language: str
    path: tuple[str, ...]
    format: str = AUTO
    genres: str = ""
    """A table of documents and their genres, where they do not say them themselves."""


@dataclass(frozen=True)
class ParallelInput:
    """Where sentences and their translations are: in one file, or line by line in two."""

    path: str = ""
    first: str = ""
    second: str = ""
    format: str = AUTO
    columns: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What provenance calls it."""
        return self.path or self.first

    @property
    def paths(self) -> tuple[str, ...]:
        """All files of it."""
        return tuple(filter(None, (self.path, self.first, self.second)))


@dataclass(frozen=True)
class LinkInput:
    """Which documents are of the same thing."""

    path: str = ""
    format: str = AUTO
    of: str = ""
    """Whose langlinks table it is, where its name does not say that."""
    same_names: tuple[str, ...] = ()
    """Documents of one name in both languages are linked if it begins with one of these."""


@dataclass(frozen=True)
class Filter:
    """What is left out beside sentences of other lengths and exact repetitions; each is "drop" or "keep"."""

    identical: str = DROP
    """Native sentences that stand on both sides of a split, case, digits and punctuation aside."""
    wrong_language: str = DROP
    """Sentences that are clearly not in the language of their side."""
    unpaired: str = DROP
    """Sentences with a quote or bracket that has no partner."""
    lists: str = DROP
    """List items of Wikipedia's articles, and their sections of references and links."""
    least_own_script: float = 0.25
    """Share of letters in the scripts of the language below which a sentence is in the wrong one."""
    least_foreign_words: int = 2
    """Stop words of the other language that a sentence in the wrong one has, where both have the same script."""
    least_foreign_share: float = 0.75
    """Their share among stop words of either language in such a sentence."""


@dataclass(frozen=True)
class Planting:
    """Where sentences may be put (section 2.2.2)."""

    shortest_ratio: float = 0.8
    """Length of what is inserted over that of what was found, at least."""
    longest_ratio: float = 1.2
    candidates: int = 10
    """How many of the sentences that are found are looked at, the best first."""


@dataclass(frozen=True)
class Config:
    """All that a data set depends on, with every default filled in."""

    place: Place
    """The file that says it."""
    folder: Path
    """Where its paths begin."""
    languages: tuple[Language, Language]
    documents: tuple[DocumentInput, DocumentInput]
    parallel: tuple[ParallelInput, ...]
    links: LinkInput = LinkInput()
    splits: tuple[tuple[str, float], ...] = tuple(SHARES.items())
    """Those with a share, and the share."""
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
        """Both languages, fr-en."""
        return "-".join(self.codes)

    @property
    def shares(self) -> dict[str, float]:
        """The share of each split."""
        return dict(self.splits)

    @property
    def paths(self) -> tuple[str, ...]:
        """All files and folders that it names, but those of stop words, which have been read."""
        sides = [path for each in self.documents for path in (*each.path, each.genres)]
        pairs = [path for each in self.parallel for path in each.paths]
        return tuple(filter(None, (*sides, *pairs, self.links.path)))

    def find(self, path: str) -> Path:
        """Where a path of it leads."""
        return self.folder / path

    def check_below(self, limit: FolderLimit) -> None:
        """Raise `InputError` where it names a file outside of a folder."""
        for path in self.paths:
            limit.check(self.place, path if is_url(path) else self.find(path))

    def as_json(self) -> dict[str, object]:
        """The configuration as it was used, for the record."""
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
    """Read a configuration; raises `InputError` for whatever is not as it should be.

    With `stay_below`, a folder, whatever it names must be in that folder, links followed.
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
    # All names begin with nothing.
    names = (("",) if same else ()) if isinstance(same, bool) else table.texts("same_names")
    of = table.text("of")
    if of and of not in codes:
        raise table.refuse(key="of", problem=quote(of), expected=" or ".join(codes))
    return LinkInput(table.text("path"), table.choice("format", LINK_FORMATS), of, names)


def _read_splits(table: ConfigTable, codes: tuple[str, str]) -> tuple[tuple[str, float], ...]:
    """Shares of the usual splits and of those that the table names beside them; none of a share of 0."""
    taken = (*codes, GOLD, "pairs")
    for name in table.values:
        if not is_split(name) or name in taken:
            expected = (
                f"a small letter, then up to 39 small letters, digits, dashes; none of {', '.join(taken)}"
            )
            raise InputError(table.place, f"split {quote(name)}", expected)
        # Which of the two is meant is not known, unless the file says how large the usual one is.
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
