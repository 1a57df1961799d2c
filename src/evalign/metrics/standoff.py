"""Spans of stand-off tables: entities, chunks, or whatever a table of start, end and label says.

    $ evalign score gold.tsv system.tsv --raw text.txt --layer entities

A span is right if the other table has it with the same start, end and label; of equal ones as many as both have. Spans
may overlap, nest, cross and repeat. The layer has the name that it is given.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from evalign.document import Spans
from evalign.errors import CommandError, quote
from evalign.metrics.comparison import Comparison, CountTable, count_matches
from evalign.metrics.label_counts import Labelled, Tally
from evalign.metrics.layer import Layer
from evalign.metrics.multisets import match_rows, number_rows
from evalign.metrics.word_comparison import Shared, share

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def make_layer(name: str) -> Layer:
    """A layer of the spans of stand-off tables under a name of its own."""
    return Layer(name, count_spans)


def is_name(name: str) -> bool:
    """Whether a layer of spans may be called so, if no metric is.

    >>> is_name("named-entities"), is_name("Named entities")
    (True, False)
    """
    return bool(_NAME.fullmatch(name))


def count_spans(comparison: Comparison) -> CountTable:
    """Spans by place and label."""
    gold, system = get_spans(comparison)
    found = match_spans(gold, system, share(gold.labels, system.labels))
    cuts = comparison.system_unit_cuts(gold.starts), comparison.system_unit_cuts(system.starts)
    return count_matches(comparison, found, found, cuts, default=found)


def get_spans(comparison: Comparison) -> tuple[Spans, Spans]:
    """The spans of both sides; raises `CommandError` where they are not on one text."""
    sides = comparison.alignment.gold.original, comparison.alignment.system.original
    gold, system = sides[0].spans, sides[1].spans
    if gold is None or system is None:
        other = sides[0] if gold is None else sides[1]
        message = f"{quote(other.name)} is not a stand-off table, and the other file is one"
        advice = "evalign triples FILE --raw TEXT --format tsv makes a table of trees or CoNLL-U"
        raise CommandError(message, "stand-off tables on both sides", advice)
    if sides[0].line != sides[1].line:
        message = "stand-off tables of two texts"
        raise CommandError(message, "the same raw text for gold and system, white space aside")
    return gold, system


def match_spans(gold: Spans, system: Spans, labels: Shared) -> npt.NDArray[np.bool_]:
    """Per gold span whether the system has it: of equal ones the first, as many as both have."""
    columns = (
        (gold.documents, system.documents),
        (gold.starts, system.starts),
        (gold.ends, system.ends),
        (labels.gold, labels.system),
    )
    numbers = number_rows([np.concatenate(pair) for pair in columns])
    return match_rows(numbers[: len(gold)], numbers[len(gold) :])


def label_spans(comparison: Comparison) -> Labelled:
    """Labels of the spans; they add up to the layer's."""
    gold, system = get_spans(comparison)
    labels = share(gold.labels, system.labels)
    rows = np.flatnonzero(match_spans(gold, system, labels))
    gold_cuts, system_cuts = (comparison.system_unit_cuts(side.starts) for side in (gold, system))
    return Labelled(
        labels.labels,
        Tally(labels.gold[rows], gold_cuts, rows),
        Tally(labels.gold, gold_cuts),
        Tally(labels.system, system_cuts),
    )
