"""A data set in a folder: sentences of two languages by split, gold pairs, and the origin of every sentence.

For the languages fr and en, `fr-en.SPLIT.fr` and `fr-en.SPLIT.en` hold lines of `id TAB sentence`,
`fr-en.SPLIT.gold` the gold pairs of ids, `provenance.tsv` the origin of every sentence, and `dataset.json`
the record of the build. `bitext.build` writes these files; excerpts, statistics, mining and scoring read
them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.bitext.pairs import (
    EXPECTED_ID,
    LANGUAGE_PATTERN,
    IdPairs,
    Numbers,
    format_id,
    parse_id,
    read_pairs,
)
from evalign.errors import InputError, Place, option, quote, suggest
from evalign.readers.content import load

SPLITS = ("sample", "training", "test")
"""The splits of the BUCC data sets; a data set may have others."""
GOLD = "gold"
DATASET_FILE = "dataset.json"
"""The file that a build writes last: its configuration, its inputs, and the files it wrote."""
BUILD_FOLDER = ".build"
"""The folder where an unfinished build keeps its own files."""

# Names of splits are part of file names, also on file systems that ignore case: so they are in lower case.
_SPLIT = r"[a-z][a-z0-9_-]{0,39}"
_FILE = re.compile(rf"({LANGUAGE_PATTERN})-({LANGUAGE_PATTERN})\.({_SPLIT})\.({LANGUAGE_PATTERN}|{GOLD})")
_LAYOUT = "files such as fr-en.training.fr, fr-en.training.en and fr-en.training.gold"


def is_split(name: str) -> bool:
    """Return whether `name` is allowed as the name of a split.

    >>> is_split("development"), is_split("test-2"), is_split("Test"), is_split("a.b")
    (True, True, False, False)
    """
    return re.fullmatch(_SPLIT, name) is not None


def order_splits(names: Iterable[str]) -> list[str]:
    """Sort names of splits: those of BUCC in their usual order, then all others by name.

    Sentences are numbered through the splits in this order.

    >>> order_splits(["test", "development", "sample", "blind"])
    ['sample', 'test', 'blind', 'development']
    """
    distinct = {*names}
    return [*(split for split in SPLITS if split in distinct), *sorted(distinct - {*SPLITS})]


@dataclass(frozen=True, eq=False)
class Corpus:
    """Sentences of one language and one split."""

    name: str
    """Name of the file, for messages."""
    language: str
    numbers: Sequence[int]
    """Numbers of the ids, in the order of the text."""
    texts: Sequence[str]

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def places(self) -> Mapping[int, int]:
        """The index of each sentence by its number."""
        return {number: k for k, number in enumerate(self.numbers)}


def read_corpus(path: str | os.PathLike[str], language: str = "") -> Corpus:
    """Read a corpus from a file of `id TAB sentence` lines.

    Without `language`, the first id says which language it is. Raises `InputError` for an id that is
    malformed, repeated or of another language, for a line without a sentence, and for a file without any.
    """
    content = load(path)
    numbers: list[int] = []
    texts: list[str] = []
    seen: dict[int, int] = {}
    for lineno, line in enumerate(content.data.decode("utf-8").split("\n"), 1):
        if not line:
            continue
        place = Place(content.name, lineno)
        id, tab, text = line.partition("\t")
        parsed = parse_id(id)
        if parsed is None:
            raise InputError(place, f"id {quote(id)}", EXPECTED_ID)
        code, number = parsed
        language = language or code
        if code != language:
            raise InputError(place, f"id {quote(id)}", f"an id of {language}")
        if number in seen:
            raise InputError(place, f"id {id} again, as in line {seen[number]}", "every id once")
        if not tab or not text.strip():
            raise InputError(place, f"{id} without a sentence", "an id, a tab and a sentence")
        seen[number] = lineno
        numbers.append(number)
        texts.append(text)
    if not texts:
        raise InputError(Place(content.name), "no sentence", "an id, a tab and a sentence on every line")
    return Corpus(content.name, language, numbers, texts)


def check_known(pairs: IdPairs, numbers: Numbers, corpus: Corpus, advice: str = "") -> None:
    """Raise `InputError` for the first line of `pairs` that names a sentence not in `corpus`.

    `numbers` are the ids of one side of `pairs`: `pairs.first` or `pairs.second`.
    """
    unknown = np.flatnonzero(~np.isin(numbers, np.array(corpus.numbers, np.int64)))
    if not len(unknown):
        return
    which = int(min(unknown, key=lambda k: pairs.place(int(k)).lineno))
    problem = f"{format_id(corpus.language, int(numbers[which]))} is not in {corpus.name}"
    if len(unknown) > 1:
        problem += ", nor is another one" if len(unknown) == 2 else f", nor are {len(unknown) - 1:,} others"
    raise InputError(pairs.place(which), problem, "ids of the corpora", advice)


def dump_json(saved: Mapping[str, object]) -> bytes:
    """Return a JSON object as the files of a data set hold it."""
    text = json.dumps(saved, ensure_ascii=False, allow_nan=False, indent=1)
    return f"{text}\n".encode("utf-8", "surrogatepass")


@dataclass(frozen=True)
class DataSet:
    """A folder with the corpora of two languages in one or more splits."""

    folder: Path
    first: str
    """Language of the first ids in gold files: the foreign one where the second is English."""
    second: str
    splits: tuple[str, ...]

    @property
    def pair(self) -> str:
        """Codes of both languages with a dash between them: fr-en."""
        return f"{self.first}-{self.second}"

    def corpus_path(self, split: str, language: str) -> Path:
        """Return the path of the file with the sentences of a split in one language."""
        return self.folder / f"{self.pair}.{split}.{language}"

    def gold_path(self, split: str) -> Path:
        """Return the path of the file with the gold pairs of a split, which need not exist."""
        return self.corpus_path(split, GOLD)

    def corpus(self, split: str, language: str) -> Corpus:
        """Read the sentences of a split in one language."""
        return read_corpus(self.corpus_path(split, language), language)

    def gold(self, split: str) -> IdPairs:
        """Read the gold pairs of a split; the file may be empty."""
        return read_pairs(self.gold_path(split), (self.first, self.second))


def open_dataset(folder: str | os.PathLike[str], pair: str = "") -> DataSet:
    """Open the data set in a folder.

    `pair` ("fr-en") chooses one where the folder has several. Raises `InputError` if there is no data set, if
    there are several and none is chosen, or if a split lacks one of its two corpora.
    """
    path = Path(folder)
    place = Place(os.fspath(folder))
    if not path.is_dir():
        problem = "a file" if path.is_file() else "no such folder"
        raise InputError(place, problem, f"a folder with {_LAYOUT}")
    splits_by_pair: dict[str, set[str]] = {}
    for each in sorted(path.iterdir()):
        match = _FILE.fullmatch(each.name)
        if match:
            splits_by_pair.setdefault(f"{match[1]}-{match[2]}", set()).add(match[3])
    if pair and pair not in splits_by_pair:
        expected = "" if splits_by_pair else _LAYOUT
        raise InputError(
            place, f"no data set {quote(pair)}", *suggest(pair, splits_by_pair, expected=expected)
        )
    if not splits_by_pair:
        raise InputError(place, "no data set", _LAYOUT)
    if len(splits_by_pair) > 1 and not pair:
        many = f"data sets of {', '.join(splits_by_pair)}"
        advice = option("pair", next(iter(splits_by_pair))) + " says which"
        raise InputError(place, many, "one of them", advice)
    pair = pair or next(iter(splits_by_pair))
    first, second = pair.split("-")
    dataset = DataSet(path, first, second, tuple(order_splits(splits_by_pair[pair])))
    for split in dataset.splits:
        for language in (first, second):
            if not dataset.corpus_path(split, language).is_file():
                missing = f"no {dataset.corpus_path(split, language).name}"
                raise InputError(place, missing, "both corpora of every split")
    return dataset


# Provenance: a table that says where every sentence came from, so that a data set can be audited.
#
# `provenance.tsv` has a header and a line per sentence, ordered by language (the first before the second),
# split and id.


PROVENANCE_FILE = "provenance.tsv"
NATIVE, PLANTED = "native", "planted"


class SentenceOrigin(NamedTuple):
    """Where one sentence came from: a line of `provenance.tsv`. No field contains a tab or a line end."""

    id: str
    split: str
    kind: str
    """Either native or planted."""
    document: str
    """The document that contains the sentence; for a planted one, the document it was inserted into."""
    source: str
    """The input that the sentence was read from, as the configuration names it."""
    name: str
    """Native: position of the sentence in its document as it was read, from 1. Planted: name of its pair."""
    pair_document: str = ""
    """Planted: name of the document that the pair comes from."""
    translation: str = ""
    """Planted: id of the translation."""
    after: str = ""
    """Planted: id of the native sentence that the search found for it, and that it stands directly behind."""
    similarity: str = ""
    """Planted: search score of that native sentence."""

    @property
    def is_planted(self) -> bool:
        """True if the build inserted the sentence."""
        return self.kind == PLANTED


PROVENANCE_HEADER = "\t".join(SentenceOrigin._fields)


def read_provenance(folder: Path) -> Iterator[SentenceOrigin]:
    """Read the lines of `provenance.tsv` in `folder`; raise `InputError` if it is missing or malformed."""
    path = folder / PROVENANCE_FILE
    place = Place(str(path))
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            if file.readline().rstrip("\n") != PROVENANCE_HEADER:
                raise InputError(place, "another header", PROVENANCE_HEADER, "build the data set again")
            for lineno, line in enumerate(file, 2):
                fields = line.rstrip("\n").split("\t")
                if len(fields) != len(SentenceOrigin._fields):
                    problem = f"columns: {len(fields)}"
                    raise InputError(Place(str(path), lineno), problem, str(len(SentenceOrigin._fields)))
                origin = SentenceOrigin(*fields)
                if origin.kind not in (NATIVE, PLANTED):
                    problem = f"a sentence of kind {quote(origin.kind)}"
                    raise InputError(Place(str(path), lineno), problem, f"{NATIVE} or {PLANTED}")
                yield origin
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(place, f"cannot be read ({error})", "the table that a build writes") from None


# Planted sentences: those that gold names.


def read_gold(dataset: DataSet, split: str) -> IdPairs | None:
    """Read the gold pairs of a split, or return None if there is no gold file.

    A test set that is still in use comes without one.
    """
    return dataset.gold(split) if dataset.gold_path(split).is_file() else None


def find_planted(corpus: Corpus, gold: IdPairs, ids: Numbers) -> npt.NDArray[np.bool_]:
    """Return for every sentence of `corpus` whether it is in a gold pair.

    `ids` are the ids of gold in the language of the corpus: `gold.first` or `gold.second`. Raises
    `InputError` for an id that is not in the corpus.
    """
    check_known(gold, ids, corpus)
    return np.isin(np.array(corpus.numbers, np.int64), ids)


def read_language_unit(folder: Path, code: str) -> str:
    """Return the unit of a language, "words" or "characters", from `dataset.json` in `folder`.

    Returns "" if the file does not say.
    """
    try:
        record = json.loads((folder / DATASET_FILE).read_bytes())
        unit = record["config"]["languages"][code]["unit"]
    except (OSError, ValueError, RecursionError, LookupError, TypeError):
        return ""
    return unit if unit in ("words", "characters") else ""
