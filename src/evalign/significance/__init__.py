"""Confidence intervals and paired significance tests, computed from counts per unit.

`assess` resamples the units of a `Result`; `assess_parts` does so for averages over the parts of a run
(`Parts`). Reports, gates and the `bitext` package call them. No text is counted again: counts add up over
units, so the counts of a resample are a weighted sum of the rows of counts per unit.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.significance.assessment import assess as assess
    from evalign.significance.draws import (
        BOOTSTRAP as BOOTSTRAP,
        RANDOMIZATION as RANDOMIZATION,
        ColumnSums as ColumnSums,
        draw_resamples as draw_resamples,
        draw_swaps as draw_swaps,
        make_generator as make_generator,
        prepare_score as prepare_score,
        take_sums as take_sums,
    )
    from evalign.significance.inference import (
        adjust_p_values as adjust_p_values,
        find_floor as find_floor,
        find_interval as find_interval,
        quantile as quantile,
        ratios_of_rows as ratios_of_rows,
    )
    from evalign.significance.parts import assess_parts as assess_parts, share_units as share_units
    from evalign.significance.values import (
        DEFAULT_RESAMPLING as DEFAULT_RESAMPLING,
        FEW as FEW,
        FEW_UNITS as FEW_UNITS,
        FOR_EACH_TEST as FOR_EACH_TEST,
        MOST_RESAMPLES as MOST_RESAMPLES,
        TELLING as TELLING,
        TESTS as TESTS,
        BlockSizes as BlockSizes,
        Difference as Difference,
        Floor as Floor,
        Interval as Interval,
        PartsSignificance as PartsSignificance,
        Resampling as Resampling,
        Significance as Significance,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".assessment": "assess",
        ".draws": (
            "BOOTSTRAP ColumnSums RANDOMIZATION draw_resamples draw_swaps make_generator "
            "prepare_score take_sums"
        ),
        ".inference": "adjust_p_values find_floor find_interval quantile ratios_of_rows",
        ".parts": "assess_parts share_units",
        ".values": (
            "BlockSizes DEFAULT_RESAMPLING Difference FEW FEW_UNITS FOR_EACH_TEST Floor Interval "
            "MOST_RESAMPLES PartsSignificance Resampling Significance TELLING TESTS"
        ),
    },
)
