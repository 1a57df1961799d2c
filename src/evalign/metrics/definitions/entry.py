"""What a definition is made of, and the sources that several of them have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Example(NamedTuple):
    """A small case by hand: sentences of gold and system with spaces between tokens, and what comes out.

    In a tree a word is form/UPOS/HEAD/DEPREL, and what else an example says of it after that: /FEATS/LEMMA/DEPS.
    """

    gold: tuple[str, ...]
    system: tuple[str, ...]
    counts: Mapping[str, int]
    ratios: Mapping[str, float]
    vocabulary: tuple[str, ...] = ()
    weights: Mapping[str, float] | None = None
    trees: bool = False
    brackets: bool = False
    """Whether sentences are trees in brackets."""
    metric: str = ""
    """The metric that is counted, where the example is of a term."""


class Definition(NamedTuple):
    """A metric or a term."""

    name: str
    title: str
    definition: str
    formula: str = ""
    source: str = ""
    notes: str = ""
    example: Example | None = None
    worked: str = ""
    """An example in words, for a term that needs more than two short texts to show it."""
    aliases: tuple[str, ...] = ()
    """Other names that people look it up by, in lower case with hyphens."""


JO = "Jo et al. 2024, An Untold Story of Preprocessing Task Evaluation, LREC-COLING 2024 (the jp-algorithm)"
ZEMAN = (
    "Zeman et al. 2018, CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to Universal Dependencies"
)
DRIDAN = "Dridan and Oepen 2013, Document Parsing: Towards Realistic Syntactic Analysis, IWPT 2013"
CALLIN = "Callin, A typological perspective on evaluation for Universal Dependencies"
PRF = "precision = correct / system; recall = correct / gold; f1 = 2 correct / (gold + system)"
