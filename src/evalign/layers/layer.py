"""What a metric is to evalign: a name, integers per unit, and ratios of their sums."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from evalign.layers.comparison import Comparison, CountTable
from evalign.layers.counts import prf

MATCHED = ("correct", "gold", "system", "in_place", "same_text")
"""Fields of a layer of spans."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A metric. Rows of `count` add up over units, files and machines; `ratios` is taken of their sum."""

    name: str
    count: Callable[[Comparison], CountTable]
    fields: tuple[str, ...] = MATCHED
    ratios: Callable[[Mapping[str, int]], Mapping[str, float | None]] = prf
    headline: str = "f1"
    """The ratio that stands for the metric where one number is wanted."""
    lower_is_better: tuple[str, ...] = ()
    """The ratios of which less is better."""
    numbers: tuple[str, ...] = ()
    """The ratios that are no shares, and are shown as they are."""
    needs: tuple[str, ...] = ()
    """The columns that both documents must have: lemma, upos, xpos, feats, head, deprel, deps."""
    reach: Literal["sentence", "block", "document"] = "sentence"
    """What is counted as a whole: a block's edits or a document's windows are not told by sentence.

    They are in the row of the unit that the block or document begins in. Where gold has no documents it is one.
    """
