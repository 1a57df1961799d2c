"""Metric: its name, the integers it counts, and the ratios of their sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, cast

from evalign.metrics.comparison import Comparison, CountTable
from evalign.metrics.counts import prf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction


MATCHED = ("correct", "gold", "system", "in_place", "same_text")
"""Fields of a metric of spans."""


@dataclass(frozen=True, slots=True)
class Metric:
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
        ratios = self.ratios(cast("Mapping[str, int]", exact))
        return {name: None if value is None else Fraction(value) for name, value in ratios.items()}


SPAN_METRICS = ("sentences", "tokens", "words")
WORD_METRICS = ("upos", "xpos", "tags", "ufeats", "allfeats", "lemmas", "uas", "las")
LABEL_METRICS = (*WORD_METRICS, "brackets")
METRICS_WITH_ERRORS = (*SPAN_METRICS, *LABEL_METRICS)

# Passages that a saved result keeps of a system unless more are asked for.
MOST_PASSAGES = 300

SPAN_KINDS = ("split", "merge", "shifted", "missing", "inserted", "rewritten")
WORD_KINDS = ("confused", "label", "head", "both")
BRACKET_KINDS = ("label", "rewritten", "missing", "inserted", "crossing")
KINDS = (*SPAN_KINDS, *WORD_KINDS, "crossing")

# Metrics as the field writes them, in everything that people read; any other is written as it is called.
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
    """A metric as the field writes it, for tables and pages.

    >>> show_metric("las"), show_metric("tokens")
    ('LAS', 'tokens')
    """
    return _WRITTEN.get(name, name)


def find_name(name: str, names: Iterable[str]) -> str:
    """The one of the `known` names that `name` is, in whatever case it is written; else `name` itself.

    >>> find_name("LAS", ["las", "uas"]), find_name("Las", ["Las", "las"]), find_name("l", ["las"])
    ('las', 'Las', 'l')
    """
    listed = list(names)
    if name in listed:
        return name
    return next((candidate for candidate in listed if candidate.lower() == name.lower()), name)


# What is counted of a label.
LABEL_FIELDS = ("correct", "gold", "system")


def _not_counted(comparison: Comparison) -> CountTable:
    """Labels are counted all at once (`breakdowns`), not one by one."""
    raise NotImplementedError


def label_metric(metric: str) -> Metric:
    """A metric as it is counted of one label: correct, gold and system."""
    return Metric(metric, _not_counted, LABEL_FIELDS)
