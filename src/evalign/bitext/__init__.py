"""Parallel sentences: build a data set, score systems that extract pairs, mine as a baseline.

After Zweigenbaum, Sharoff and Rapp 2018, who hid known translations in corpora of two languages for the BUCC shared tasks.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.bitext.dataset import DataSet as DataSet, open_dataset as open_dataset
    from evalign.bitext.excerpts import (
        PAIRS_SHOWN as PAIRS_SHOWN,
        ExcerptLine as ExcerptLine,
        ExcerptSide as ExcerptSide,
        PairExcerpt as PairExcerpt,
        bitext_excerpts as bitext_excerpts,
    )
    from evalign.bitext.sampling import SEED as SEED

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".dataset": "DataSet open_dataset",
        ".excerpts": "ExcerptLine ExcerptSide PAIRS_SHOWN PairExcerpt bitext_excerpts",
        ".sampling": "SEED",
    },
)
