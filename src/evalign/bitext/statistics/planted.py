"""Which sentences of a corpus are planted: those that gold names."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalign.bitext.corpora import Corpus, DataSet
from evalign.bitext.ids import format_id
from evalign.bitext.pairs import Numbers, Pairs, read_pairs
from evalign.errors import InputError


def read_gold(dataset: DataSet, split: str) -> Pairs | None:
    """The gold pairs of a split; None where there is no such file, as with a test set that is still used."""
    path = dataset.gold_path(split)
    return read_pairs(path, (dataset.first, dataset.second)) if path.is_file() else None


def find_planted(corpus: Corpus, gold: Pairs, ids: Numbers) -> npt.NDArray[np.bool_]:
    """For every sentence whether it is in a pair; `ids` are gold's of its language.

    Raises `InputError` for an id that no sentence has.
    """
    numbers = np.asarray(corpus.numbers, np.int64)
    unknown = np.flatnonzero(~np.isin(ids, numbers))
    if len(unknown):
        which = int(unknown[0])
        found = f"{format_id(corpus.language, int(ids[which]))} is not in {corpus.name}"
        others = f", as are {len(unknown) - 1:,} others" if len(unknown) > 1 else ""
        raise InputError(gold.place(which), found + others, "ids of sentences that are there")
    return np.isin(numbers, ids)
