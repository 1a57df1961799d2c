"""Is it luck: confidence intervals and paired tests from the counts per unit.

`assess` takes a result and resamples its units, `assess_parts` does so for the averages over the parts of a run.
Nothing is counted again: rows of counts add up, so a resample is a weighted sum of the rows.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.significance.assessment import assess as assess
    from evalign.significance.intervals import quantile as quantile
    from evalign.significance.paired import find_floor as find_floor
    from evalign.significance.parts import assess_parts as assess_parts
    from evalign.significance.settings import (
        DEFAULT as DEFAULT,
        FOR_EACH_TEST as FOR_EACH_TEST,
        MOST_RESAMPLES as MOST_RESAMPLES,
        TELLING as TELLING,
        TESTS as TESTS,
        Resampling as Resampling,
    )
    from evalign.significance.strata import share_units as share_units
    from evalign.significance.values import (
        FEW as FEW,
        FEW_UNITS as FEW_UNITS,
        Difference as Difference,
        Floor as Floor,
        Interval as Interval,
        PartsSignificance as PartsSignificance,
        Significance as Significance,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".assessment": "assess",
        ".intervals": "quantile",
        ".paired": "find_floor",
        ".parts": "assess_parts",
        ".settings": "DEFAULT FOR_EACH_TEST MOST_RESAMPLES Resampling TELLING TESTS",
        ".strata": "share_units",
        ".values": "Difference FEW FEW_UNITS Floor Interval PartsSignificance Significance",
    },
)
