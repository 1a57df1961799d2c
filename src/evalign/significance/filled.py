"""Which units have anything of a metric: where fewer than two have, there is nothing to resample.

Windows of Pk slide over a whole document, and all of them are in the row of the unit that it begins in. Where gold names no
documents that is one row of many, and drawing it never, once or twice says nothing of other texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.metrics import Layer
from evalign.results import Score

Mask: TypeAlias = npt.NDArray[np.bool_]
NOTHING_TO_RESAMPLE = "nothing to resample"


def find_filled(scores: Iterable[Score | None], n_units: int) -> Mask:
    """Per unit: whether one of the scores has counted anything in it."""
    filled = np.zeros(n_units, bool)
    for score in scores:
        if score is not None:
            filled |= score.units.any(axis=1)
    return filled


def are_enough(filled: Mask) -> bool:
    """Whether there is something to resample."""
    return int(np.count_nonzero(filled)) > 1


def find_reason(unit_kind: str, n_units: int) -> str:
    """Why there is nothing to resample in a result; empty where there is.

    >>> find_reason("document", 1)
    'one document: nothing to resample'
    """
    if n_units > 1:
        return ""
    if unit_kind == "whole":
        return f"counted as a whole: {NOTHING_TO_RESAMPLE}"
    return f"{'one' if n_units else 'no'} {name_unit(unit_kind)}: {NOTHING_TO_RESAMPLE}"


def name_unit(kind: str) -> str:
    """A kind of unit as people call it: a stretch between shared sentence boundaries is a unit like any other."""
    return "unit" if kind == "stretch" else kind


def explain_metric(layer: Layer, unit_kind: str, where: str = "") -> str:
    """Why there is nothing to resample of a metric that one unit has all of; `where` is "each treebank" of a run."""
    if layer.reach == "document" and unit_kind != "document":
        return f"counted over {where or 'all of gold'} as one document: {NOTHING_TO_RESAMPLE}"
    return f"in one {name_unit(unit_kind)}{f' of {where}' if where else ''} only: {NOTHING_TO_RESAMPLE}"
