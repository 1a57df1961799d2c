"""The class `Metric`: what there is to know of a metric, the columns of its counts, the kinds of its errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Literal, cast

from evalign.errors import check_type
from evalign.metrics.counts import prf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction

    from evalign.metrics.comparison import Comparison, CountTable


MATCHED = ("correct", "gold", "system", "in_place", "same_text")
"""Fields of a metric that compares spans."""
WORD_FIELDS = ("correct", "gold", "system", "aligned", "in_place", "same_text")
"""Fields of a metric that judges pairs of words."""
LABEL_FIELDS = ("correct", "gold", "system")
"""Fields of the counts of one label, and of points."""
TREE = ("head", "deprel")
"""The columns of a dependency tree."""

SPAN_KINDS = ("split", "merge", "shifted", "missing", "inserted", "rewritten")
WORD_KINDS = ("confused", "label", "head", "both")
BRACKET_KINDS = ("label", "rewritten", "missing", "inserted", "crossing")
KINDS = (*SPAN_KINDS, *WORD_KINDS, "crossing")

# Number of passages of a system that a saved result keeps by default.
MOST_PASSAGES = 300


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: a name, a function that counts integers for each unit, and one that computes ratios of sums.

    The rows that are counted add up over units, files and machines; `ratios` takes the sum of all rows.
    """

    name: str
    counter: str = ""
    """The function that counts, as "module.function" of this package; empty if `count` cannot count it."""
    fields: tuple[str, ...] = MATCHED
    ratios: Callable[[Mapping[str, int]], Mapping[str, float | None]] = prf
    headline: str = "f1"
    """The ratio that stands for the metric where only one number is shown."""
    lower_is_better: tuple[str, ...] = ()
    """Ratios that are better the lower they are."""
    numbers: tuple[str, ...] = ()
    """Ratios that are not shares, and so are not shown as percentages."""
    needs: tuple[str, ...] = ()
    """What both documents must have: columns (lemma, upos, ...), "trees" or sentence boundaries ("sentences")."""
    reach: Literal["sentence", "block", "document"] = "sentence"
    """The smallest stretch of text that can be counted by itself.

    The edits of a block, or the windows of a document, cannot be assigned to single sentences. They are
    counted in the row of the unit in which the block or document begins. Gold without documents is one
    document.
    """
    written: str = ""
    """The name as papers write it, if that is another."""
    default: Literal["", "always", "columns"] = ""
    """When it is shown unasked: always, or where both documents have the columns. Trees have `DEFAULT_TREES`."""
    requires: str = ""
    """The option without which it cannot be counted; `all` leaves such a metric out."""
    signature: tuple[str, ...] = ()
    """Keys of the signature that are there because of it."""
    whole: str = ""
    """Why a part of a text is not enough to count it, behind its name; empty if it is enough."""
    kinds: tuple[str, ...] = ()
    """The kinds of its errors: `SPAN_KINDS`, `WORD_KINDS` or `BRACKET_KINDS`; none if they are not listed."""

    def count(self, comparison: Comparison) -> CountTable:
        """Count integers for each unit of the text, in the columns `fields`."""
        if not self.counter:
            message = f"{self.name} is not counted in documents"
            raise NotImplementedError(message)
        module, _, function = self.counter.partition(".")
        counter: Callable[[Comparison], CountTable]
        counter = getattr(import_module(f"evalign.metrics.{module}"), function)
        return counter(comparison)

    def scale(self, ratio: str) -> int:
        """Return the factor by which `ratio` is multiplied for display: 100 for a share, else 1."""
        return 1 if ratio in self.numbers else 100

    def fractions(self, counts: Mapping[str, int | Fraction]) -> dict[str, Fraction | None]:
        """Return the ratios of `counts` as exact fractions.

        Equal scores and equal differences then compare equal. As floats, 0.9 - 0.8 is less than 0.8 - 0.7.
        """
        from fractions import Fraction

        # A Fraction divides as an integer does, but exactly.
        exact = {name: Fraction(count) for name, count in counts.items()}
        ratios = self.ratios(cast("Mapping[str, int]", exact))
        return {name: None if value is None else Fraction(value) for name, value in ratios.items()}


def find_name(name: str, names: Iterable[str]) -> str:
    """Return the one of `names` that equals `name`, exactly or ignoring case; else `name` itself.

    >>> find_name("LAS", ["las", "uas"]), find_name("Las", ["Las", "las"]), find_name("l", ["las"])
    ('las', 'Las', 'l')
    """
    check_type(name, str, "a name", "text")
    listed = list(names)
    if name in listed:
        return name
    return next((candidate for candidate in listed if candidate.lower() == name.lower()), name)


def label_metric(metric: str) -> Metric:
    """Make the metric named `metric` with only the counts of one label: correct, gold and system."""
    return Metric(metric, fields=LABEL_FIELDS)
