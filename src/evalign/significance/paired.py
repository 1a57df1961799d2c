"""P-values of a difference between two systems on the same units.

Both count how often chance alone gives a difference at least as large, either way round, and count the observed one
with them, so that no p-value is 0 (Noreen 1989).
"""

from __future__ import annotations

import math

import numpy as np

from evalign.significance.ratios import Values

_TOLERANCE = 1e-12
"""Differences as near as this are equal: the same ratios, computed in another order."""


def bootstrap_p(observed: float, resampled: Values) -> float | None:
    """The paired bootstrap test, given the differences of the resamples.

    Resampled differences spread about the observed one; moved to mean 0 they are what there would be if the systems were
    alike: p = (1 + #{|d_b - mean(d)| >= |d|}) / (1 + B) (after Riezler and Maxwell 2005, On some pitfalls in automatic
    evaluation and significance testing for MT). sacrebleu takes absolute values before it moves them, and finds smaller
    p-values (docs/deviations.md). Undefined resamples are left out.
    """
    known = resampled[~np.isnan(resampled)]
    if not len(known):
        return None
    # fsum rounds once, so that the mean is the same on every platform.
    centre = math.fsum(known.tolist()) / len(known)
    return _share_as_large(known - centre, observed)


def randomization_p(observed: float, exchanged: Values) -> float | None:
    """The paired approximate randomization test, given the differences after random exchanges.

    If the systems are alike it does not matter which of them a unit's counts came from:
    p = (1 + #{|d_t| >= |d|}) / (1 + T) (Noreen 1989, Computer-intensive methods for testing hypotheses; Riezler and
    Maxwell 2005, figure 1). Undefined trials are left out.
    """
    known = exchanged[~np.isnan(exchanged)]
    return _share_as_large(known, observed) if len(known) else None


def _share_as_large(differences: Values, observed: float) -> float:
    limit = abs(observed) - _TOLERANCE * max(1.0, abs(observed))
    return (1 + int(np.count_nonzero(np.abs(differences) >= limit))) / (1 + len(differences))
