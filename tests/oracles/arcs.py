"""Dependencies as triples, for two treebanks over the same characters.

A triple is the span of the dependent's token, the span of its head's token (None for the root), and the full
DEPREL. The correct ones are the multiset intersection (Dridan and Oepen 2013, section 2, for dependencies).
"""

from __future__ import annotations

from collections import Counter
from itertools import chain

from oracles.dependencies import ROOT, Counts, Treebank, parents_of, without_cycles
from oracles.spans import spans_of, strip_white_space


def word_spans(treebank: Treebank) -> list[tuple[int, int]]:
    """Return, for each word, the span of its token."""
    tokens = list(chain.from_iterable(treebank.tokens))
    spans = spans_of(strip_white_space(form) for form, _ in tokens)
    return [span for span, (_, inner) in zip(spans, tokens, strict=True) for _ in inner or [None]]


def arcs_of(treebank: Treebank) -> Counter[tuple[object, ...]]:
    """Count all triples. A word whose head is missing, out of range or on a cycle has no triple."""
    spans = word_spans(treebank)
    parents = without_cycles(parents_of(treebank))
    return Counter(
        (spans[number], None if parent == ROOT else spans[parent], treebank.words[number].deprel)
        for number, parent in enumerate(parents)
        if parent is not None
    )


def count_arcs(gold: Treebank, system: Treebank) -> Counts:
    """Return the numbers of correct, gold and system triples; the fourth field, aligned words, is None."""
    ours, theirs = arcs_of(gold), arcs_of(system)
    return (ours & theirs).total(), ours.total(), theirs.total(), None
