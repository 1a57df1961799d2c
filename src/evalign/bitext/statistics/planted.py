"""Which sentences of a corpus are planted: those that gold names."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalign.bitext.corpora import Corpus, DataSet, check_known
from evalign.bitext.pairs import IdPairs, Numbers


def read_gold(dataset: DataSet, split: str) -> IdPairs | None:
    """The gold pairs of a split; None where there is no such file, as with a test set that is still used."""
    return dataset.gold(split) if dataset.gold_path(split).is_file() else None


def find_planted(corpus: Corpus, gold: IdPairs, ids: Numbers) -> npt.NDArray[np.bool_]:
    """For every sentence whether it is in a pair; `ids` are gold's of its language.

    Raises `InputError` for an id that no sentence has.
    """
    check_known(gold, ids, corpus)
    return np.isin(np.array(corpus.numbers, np.int64), ids)
