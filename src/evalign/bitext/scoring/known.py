"""The sentences behind the ids: whether they exist, and what they say."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalign.bitext.corpora import GOLD, Corpus, DataSet, check_known, open_dataset
from evalign.bitext.pairs import IdPairs, Numbers
from evalign.errors import CommandError, quote, suggest

_ADVICE = "are these pairs of another split? --split says which the corpora are of"


@dataclass(frozen=True, eq=False)
class SplitCorpora:
    """The corpora of one split."""

    first: Corpus
    second: Corpus

    def check(self, pairs: IdPairs) -> None:
        """Raise `InputError` for the first pair that names a sentence there is none of."""
        check_known(pairs, pairs.first, self.first, _ADVICE)
        check_known(pairs, pairs.second, self.second, _ADVICE)

    def text(self, side: int, number: int) -> str:
        """What a sentence says."""
        corpus, numbers = (self.first, self._numbers[0]) if side == 0 else (self.second, self._numbers[1])
        return corpus.texts[numbers[number]]

    @cached_property
    def _numbers(self) -> tuple[dict[int, int], dict[int, int]]:
        both = self.first, self.second
        first, second = ({number: k for k, number in enumerate(corpus.numbers)} for corpus in both)
        return first, second


def find_split_corpora(folder: str | os.PathLike[str], gold: IdPairs, split: str = "") -> SplitCorpora:
    """The corpora that gold's ids are of: those of the split named, else of gold's file name, else that have all ids."""
    dataset = open_dataset(folder, "-".join(gold.languages))
    if split and split not in dataset.splits:
        message = f"no split {quote(split)} in {os.fspath(folder)}"
        raise CommandError(message, *suggest(split, dataset.splits))
    named = re.search(rf"\.({'|'.join(map(re.escape, dataset.splits))})\.{GOLD}$", gold.name)
    chosen = split or (named[1] if named else "") or _find_split(dataset, gold)
    return SplitCorpora(dataset.corpus(chosen, dataset.first), dataset.corpus(chosen, dataset.second))


def _find_split(dataset: DataSet, gold: IdPairs) -> str:
    fitting = [
        split for split in dataset.splits if _has_all(dataset.corpus(split, dataset.first), gold.first)
    ]
    if len(fitting) == 1:
        return fitting[0]
    which = "several splits have" if fitting else "no split has"
    message = f"{which} all ids of {gold.name}"
    raise CommandError(message, "the split that it is of", f"--split {_either(dataset.splits)} says which")


def _has_all(corpus: Corpus, numbers: Numbers) -> bool:
    return bool(np.isin(numbers, np.array(corpus.numbers, np.int64)).all())


def _either(names: Sequence[str]) -> str:
    return "|".join(names)
