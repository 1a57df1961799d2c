"""What a metric is to evalign: a name, integers per unit, and ratios of their sums."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, cast

from evalign.metrics.comparison import Comparison, CountTable
from evalign.metrics.counts import prf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction

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

    def scale(self, ratio: str) -> int:
        """What a ratio is multiplied by where it is shown: 100 for a share, 1 for what is none."""
        return 1 if ratio in self.numbers else 100

    def fractions(self, counts: Mapping[str, int | Fraction]) -> dict[str, Fraction | None]:
        """The ratios as fractions: scores that are equal compare equal, and so do equal differences of them.

        As floats 0.9 - 0.8 is less than 0.8 - 0.7.
        """
        from fractions import Fraction

        # A Fraction divides as an integer does, but exactly.
        exact = {name: Fraction(count) for name, count in counts.items()}
        found = self.ratios(cast("Mapping[str, int]", exact))
        return {name: None if value is None else Fraction(value) for name, value in found.items()}
