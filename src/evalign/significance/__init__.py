"""Is it luck: confidence intervals and paired tests from the counts per unit.

`assess` takes a result and resamples its units, `assess_parts` does so for the averages over the parts of a run.
Nothing is counted again: rows of counts add up, so a resample is a weighted sum of the rows.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.significance.assessment import assess as assess
    from evalign.significance.parts import assess_parts as assess_parts
    from evalign.significance.settings import DEFAULT as DEFAULT, TESTS as TESTS, Resampling as Resampling
    from evalign.significance.values import (
        Difference as Difference,
        Interval as Interval,
        PartsSignificance as PartsSignificance,
        Significance as Significance,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".assessment": "assess",
        ".parts": "assess_parts",
        ".settings": "DEFAULT TESTS Resampling",
        ".values": "Difference Interval PartsSignificance Significance",
    },
)
