"""The class `Metric`, the groups of metric names, the kinds of errors, and how metrics are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, cast

from evalign.errors import check_type
from evalign.metrics.comparison import Comparison, CountTable
from evalign.metrics.counts import prf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction


MATCHED = ("correct", "gold", "system", "in_place", "same_text")
"""Fields of a metric that compares spans."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: a name, a function that counts integers for each unit, and one that computes ratios of sums.

    The rows that `count` returns add up over units, files and machines; `ratios` takes the sum of all rows.
    """

    name: str
    count: Callable[[Comparison], CountTable]
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


SPAN_METRICS = ("sentences", "tokens", "words")
WORD_METRICS = ("upos", "xpos", "tags", "ufeats", "allfeats", "lemmas", "uas", "las")
LABEL_METRICS = (*WORD_METRICS, "brackets")
METRICS_WITH_ERRORS = (*SPAN_METRICS, *LABEL_METRICS)

# Number of passages of a system that a saved result keeps by default.
MOST_PASSAGES = 300

SPAN_KINDS = ("split", "merge", "shifted", "missing", "inserted", "rewritten")
WORD_KINDS = ("confused", "label", "head", "both")
BRACKET_KINDS = ("label", "rewritten", "missing", "inserted", "crossing")
KINDS = (*SPAN_KINDS, *WORD_KINDS, "crossing")

# Names of metrics as papers write them, for everything that people read; names not listed here stay as they
# are.
_WRITTEN = {
    "upos": "UPOS",
    "xpos": "XPOS",
    "ufeats": "UFeats",
    "allfeats": "AllFeats",
    "alltags": "AllTags",
    "uas": "UAS",
    "las": "LAS",
    "clas": "CLAS",
    "mlas": "MLAS",
    "blex": "BLEX",
    "elas": "ELAS",
    "eulas": "EULAS",
    "wlas": "WLAS",
    "bio": "BIO",
    "pk": "Pk",
    "windowdiff": "WindowDiff",
    "pk-nltk": "Pk-NLTK",
    "windowdiff-nltk": "WindowDiff-NLTK",
    "pk-segeval": "Pk-segeval",
    "windowdiff-segeval": "WindowDiff-segeval",
    "oov": "OOV",
}


def show_metric(name: str) -> str:
    """Return the name of a metric as papers write it, for tables and pages; an unknown name unchanged.

    >>> show_metric("las"), show_metric("tokens")
    ('LAS', 'tokens')
    """
    return _WRITTEN.get(name, name)


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


# Fields of the counts of one label.
LABEL_FIELDS = ("correct", "gold", "system")


def _not_counted(comparison: Comparison) -> CountTable:
    """Stand in for `Metric.count` and raise: `metrics.errors.breakdowns` counts all labels at once."""
    raise NotImplementedError


def label_metric(metric: str) -> Metric:
    """Make the metric named `metric` with only the counts of one label: correct, gold and system."""
    return Metric(metric, _not_counted, LABEL_FIELDS)
