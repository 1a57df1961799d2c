"""A data set in a folder: corpora of two languages by split, gold pairs, and where every sentence came from.

`PAIR.SPLIT.LANG` has `id TAB sentence` on every line, `PAIR.SPLIT.gold` the gold pairs, `provenance.tsv` the origins.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
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
from evalign.errors import InputError, Place, quote, suggest
from evalign.readers import load

# Corpora and data sets in files: `PAIR.SPLIT.LANG` with `id TAB sentence` on every line, gold in `PAIR.SPLIT.gold`.


SPLITS = ("sample", "training", "test")
"""Those of the BUCC data sets; a data set may have others."""
GOLD = "gold"
DATASET_FILE = "dataset.json"
"""What a build writes last: its configuration, its inputs, and what it wrote."""
BUILD_FOLDER = ".build"
"""Where a build keeps its own files until it is finished."""

# A split is part of file names, also where upper and lower case are the same.
_SPLIT = r"[a-z][a-z0-9_-]{0,39}"
_FILE = re.compile(rf"({LANGUAGE_PATTERN})-({LANGUAGE_PATTERN})\.({_SPLIT})\.({LANGUAGE_PATTERN}|{GOLD})")
_LAYOUT = "files such as fr-en.training.fr, fr-en.training.en and fr-en.training.gold"


def is_split(name: str) -> bool:
    """Whether a split can be called so.

    >>> is_split("development"), is_split("test-2"), is_split("Test"), is_split("a.b")
    (True, True, False, False)
    """
    return re.fullmatch(_SPLIT, name) is not None


def order_splits(names: Iterable[str]) -> list[str]:
    """Splits in the order in which their sentences are numbered: those of BUCC, then others by name.

    >>> order_splits(["test", "development", "sample", "blind"])
    ['sample', 'test', 'blind', 'development']
    """
    distinct = {*names}
    return [*(split for split in SPLITS if split in distinct), *sorted(distinct - {*SPLITS})]


@dataclass(frozen=True, eq=False)
class Corpus:
    """Sentences of one language and one split."""

    name: str
    """The file, as messages show it."""
    language: str
    numbers: Sequence[int]
    """Of the ids, in the order of the text."""
    texts: Sequence[str]

    def __len__(self) -> int:
        return len(self.texts)


def read_corpus(path: str | os.PathLike[str], language: str = "") -> Corpus:
    """A corpus, every id once; raises `InputError` for ids that are no ids, come twice or are of another language."""
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
    """Raise `InputError` for the first line that names a sentence there is none of; `numbers` are of one side of the pairs."""
    unknown = np.flatnonzero(~np.isin(numbers, np.array(corpus.numbers, np.int64)))
    if not len(unknown):
        return
    which = int(min(unknown, key=lambda k: pairs.place(int(k)).lineno))
    problem = f"{format_id(corpus.language, int(numbers[which]))} is not in {corpus.name}"
    if len(unknown) > 1:
        problem += ", nor is another one" if len(unknown) == 2 else f", nor are {len(unknown) - 1:,} others"
    raise InputError(pairs.place(which), problem, "ids of the corpora", advice)


@dataclass(frozen=True)
class DataSet:
    """A folder with the corpora of two languages in one or more splits."""

    folder: Path
    first: str
    """The language of the first ids of gold, the foreign one where the second is English."""
    second: str
    splits: tuple[str, ...]

    @property
    def pair(self) -> str:
        """Both languages, fr-en."""
        return f"{self.first}-{self.second}"

    def corpus_path(self, split: str, language: str) -> Path:
        """Where the sentences of a split are."""
        return self.folder / f"{self.pair}.{split}.{language}"

    def gold_path(self, split: str) -> Path:
        """Where the gold pairs of a split are."""
        return self.corpus_path(split, GOLD)

    def corpus(self, split: str, language: str) -> Corpus:
        """The sentences of a split."""
        return read_corpus(self.corpus_path(split, language), language)

    def gold(self, split: str) -> IdPairs:
        """The gold pairs of a split; there may be none."""
        return read_pairs(self.gold_path(split), (self.first, self.second))


def open_dataset(folder: str | os.PathLike[str], pair: str = "") -> DataSet:
    """The data set in a folder; `pair` says which, where there are several."""
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
        raise InputError(place, many, "one of them", f'`pair="{next(iter(splits_by_pair))}"` says which')
    pair = pair or next(iter(splits_by_pair))
    first, second = pair.split("-")
    dataset = DataSet(path, first, second, tuple(order_splits(splits_by_pair[pair])))
    for split in dataset.splits:
        for language in (first, second):
            if not dataset.corpus_path(split, language).is_file():
                missing = f"no {dataset.corpus_path(split, language).name}"
                raise InputError(place, missing, "both corpora of every split")
    return dataset


# Where every sentence of a data set came from: a table beside the data, so that it can be audited.
#
# `provenance.tsv` has a header and a line per sentence, first language before second, each split in turn, by id.


PROVENANCE_FILE = "provenance.tsv"
NATIVE, PLANTED = "native", "planted"


class SentenceOrigin(NamedTuple):
    """Where one sentence came from. No field has a tab or a line end in it."""

    id: str
    split: str
    kind: str
    """native or planted."""
    document: str
    """The document that the sentence stands in; of a planted one that of the sentence it was put after."""
    source: str
    """The input that it was read from, as the configuration names it."""
    name: str
    """Native: its number in the document as it was read, from 1. Planted: the name of its pair."""
    pair_document: str = ""
    """Planted: the document that the pair comes from."""
    translation: str = ""
    """Planted: the id of its translation."""
    after: str = ""
    """Planted: the id of the sentence that was found for it, and that it stands behind."""
    similarity: str = ""
    """Planted: the score of that sentence in the search."""

    @property
    def is_planted(self) -> bool:
        """Whether it was put there."""
        return self.kind == PLANTED


PROVENANCE_HEADER = "\t".join(SentenceOrigin._fields)


def read_provenance(folder: Path) -> Iterator[SentenceOrigin]:
    """All lines of the table; raises `InputError` where it is none."""
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


# Which sentences of a corpus are planted: those that gold names.


def read_gold(dataset: DataSet, split: str) -> IdPairs | None:
    """The gold pairs of a split; None where there is no such file, as with a test set that is still used."""
    return dataset.gold(split) if dataset.gold_path(split).is_file() else None


def find_planted(corpus: Corpus, gold: IdPairs, ids: Numbers) -> npt.NDArray[np.bool_]:
    """For every sentence whether it is in a pair; `ids` are gold's of its language.

    Raises `InputError` for an id that no sentence has.
    """
    check_known(gold, ids, corpus)
    return np.isin(np.array(corpus.numbers, np.int64), ids)


def read_language_unit(folder: Path, code: str) -> str:
    """The unit that the record of a build says a language has; nothing where there is none."""
    try:
        record = json.loads((folder / DATASET_FILE).read_bytes())
        unit = record["config"]["languages"][code]["unit"]
    except (OSError, ValueError, RecursionError, LookupError, TypeError):
        return ""
    return unit if unit in ("words", "characters") else ""
