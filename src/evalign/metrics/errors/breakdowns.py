"""Breakdowns: scores of each relation, tag, feature, bracket label or frequency class.

    evalign.score("gold.conllu", "system.conllu").breakdown("relation")

Words are paired as in the metric words. Of the gold words and the system words with a label, those in a pair
with equal labels are correct; relations must also have the right head. So the relations add up to las, the
tags to upos.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from evalign.document import IntArray
from evalign.errors import CommandError, check_type, quote, suggest
from evalign.metrics.brackets import same_tags
from evalign.metrics.census import check_columns, has_columns, name_columns
from evalign.metrics.comparison import Comparison
from evalign.metrics.counts import Counts
from evalign.metrics.errors.mismatches import split_features
from evalign.metrics.keys import (
    LabelCounts,
    LabelMeanings,
    NumberedLabels,
    SharedLabels,
    number_codes,
)
from evalign.metrics.metric import TREE
from evalign.metrics.word_comparison import VERDICT_BITS, WordComparison

# The only label of brackets under a preset that ignores labels.
ANY_LABEL = "(any)"
# Classes of how often the form of a token occurs in gold, and the upper bounds of all classes but the last.
FREQUENCIES = ("0", "1", "2-5", "6-10", "11-100", "101+")
_LAST_FREQUENCIES = (0, 1, 5, 10, 100)


def find_labels(
    comparison: Comparison, shared: Callable[[WordComparison], SharedLabels], asked: int = 0
) -> LabelCounts:
    """Count the labels of a column of words.

    A pair is correct if its labels are equal and its verdict has all bits of `asked`.
    """
    word_comparison, partners = comparison.word_comparison, comparison.word_partners
    column = shared(word_comparison)
    correct = word_comparison.pairs_equal(column, partners)
    if asked:
        correct &= (comparison.verdicts & asked) == asked
    return LabelCounts.of(column, correct, comparison.word_cuts)


def by_name(feats: str) -> Mapping[str, object]:
    """Map the name of each feature, layer included, to the features with this name.

    CoNLL-U allows one feature of each name; several are compared as one.
    """
    features: dict[str, list[str]] = {}
    for feature in split_features(feats):
        features.setdefault(feature.partition("=")[0], []).append(feature)
    return features


def by_value(feats: str) -> Mapping[str, object]:
    """Map each feature, name with value, to None, because only its presence is compared."""
    return dict.fromkeys(split_features(feats))


def find_features(comparison: Comparison, find: Callable[[str], Mapping[str, object]]) -> LabelCounts:
    """Count features of words.

    `find` maps a cell of FEATS to features by name or by value. A feature is correct if both words of a pair
    map it to the same.
    """
    word_comparison, partners = comparison.word_comparison, comparison.word_partners
    column = word_comparison.all_feats
    size = len(column.labels)
    features = [find(feats) for feats in column.labels]
    numbers: dict[str, int] = {}
    for feature in chain.from_iterable(features):
        numbers.setdefault(feature, len(numbers))
    having_each = LabelMeanings.of([numbers[feature] for feature in having] for having in features)
    rows = np.flatnonzero(partners >= 0)
    codes, pairs = number_codes(column.gold[rows].astype(np.int64) * size + column.system[partners[rows]])
    # The features that are the same on both sides of each pair of cells.
    equal = []
    for code in codes.tolist():
        gold, system = (features[k] for k in divmod(code, size))
        equal.append([numbers[name] for name in gold.keys() & system.keys() if gold[name] == system[name]])
    gold_cuts, system_cuts = comparison.word_cuts
    return LabelCounts(
        list(numbers),
        NumberedLabels(pairs, gold_cuts, rows, LabelMeanings.of(equal)),
        NumberedLabels(column.gold, gold_cuts, None, having_each),
        NumberedLabels(column.system, system_cuts, None, having_each),
    )


def find_brackets(comparison: Comparison) -> LabelCounts:
    """Count labels of brackets, or of stand-off spans if the documents are tables.

    Labels that the preset equates are one label.
    """
    if comparison.gold.spans is not None:
        from evalign.metrics.spans import label_spans

        return label_spans(comparison)
    constituents = comparison.constituents
    gold, system = (side.labels for side in constituents.sides)
    column = SharedLabels(gold, system, constituents.labels.labels)
    if not comparison.options.bracket_rules.labelled:
        column = SharedLabels(np.zeros_like(gold), np.zeros_like(system), [ANY_LABEL])
    return LabelCounts.of(column, constituents.right, comparison.bracket_cuts)


def find_tags(comparison: Comparison) -> LabelCounts:
    """Count language-specific tags; in trees, only those that the preset counts, equated as it says."""
    if comparison.gold.trees is None and comparison.system.trees is None:
        return find_labels(comparison, attrgetter("xpos"))
    constituents, tags = comparison.constituents, comparison.constituents.tags
    gold_cuts, system_cuts = comparison.word_cuts
    correct = np.flatnonzero(same_tags(comparison, comparison.word_partners))
    gold, system = map(np.flatnonzero, constituents.counted_words)
    return LabelCounts(
        tags.labels,
        NumberedLabels(tags.gold[correct], gold_cuts, correct),
        NumberedLabels(tags.gold[gold], gold_cuts, gold),
        NumberedLabels(tags.system[system], system_cuts, system),
    )


def find_frequencies(comparison: Comparison) -> LabelCounts:
    """Count tokens by how often their form, as it was read, occurs in gold.

    A correct system token counts in the class of its gold token, even if it is written differently, so that
    no class has more correct tokens than tokens.
    """
    forms = find_forms(comparison)
    bins = find_bins(forms.gold.add_up(len(forms.labels)))
    return LabelCounts(
        FREQUENCIES, *(numbered._replace(numbers=bins[numbered.numbers]) for numbered in forms[1:])
    )


def find_forms(comparison: Comparison) -> LabelCounts:
    """Count tokens by their form as it was read.

    A correct system token counts under the form of its gold token.
    """
    sides = comparison.alignment.gold.original, comparison.alignment.system.original
    numbers: dict[str, int] = {}
    gold, system = (
        np.array([numbers.setdefault(text, len(numbers)) for text in side.tokens()], np.int64)
        for side in sides
    )
    right = comparison.tokens_right
    system[comparison.token_partners[right]] = gold[right]
    return LabelCounts.of(SharedLabels(gold, system, list(numbers)), right, comparison.token_cuts)


def find_bins(times: IntArray) -> IntArray:
    """Return the frequency class of each form, an index into `FREQUENCIES`, given its count in gold."""
    return np.searchsorted(_LAST_FREQUENCIES, times)


class Breakdown(NamedTuple):
    """A way to break scores down by labels."""

    source: str
    """What the labels are, in words."""
    needs: tuple[str, ...]
    """The columns that both sides must have."""
    find: Callable[[Comparison], LabelCounts]
    metric: str = ""
    """The metric that the labels add up to; empty if there is none."""
    is_ordered: bool = False
    """True if the labels have an order of their own."""


_BY_RELATION = partial(find_labels, shared=attrgetter("relations"), asked=VERDICT_BITS["HEAD"])
_BY_SUBTYPE = partial(find_labels, shared=attrgetter("full_relations"), asked=VERDICT_BITS["HEAD"])
_BY_TAG = partial(find_labels, shared=attrgetter("upos"))
BREAKDOWNS: Mapping[str, Breakdown] = {
    "relation": Breakdown("relations without their subtypes", TREE, _BY_RELATION, "las"),
    "subtype": Breakdown("relations with their subtypes", TREE, _BY_SUBTYPE),
    "tag": Breakdown("universal tags", ("upos",), _BY_TAG, "upos"),
    "xpos": Breakdown("tags", ("xpos",), find_tags, "xpos"),
    "feature": Breakdown("features by name", ("feats",), partial(find_features, find=by_name)),
    "feature-value": Breakdown(
        "features by name and value", ("feats",), partial(find_features, find=by_value)
    ),
    "label": Breakdown("labels of brackets or spans", ("labels",), find_brackets, "brackets"),
    "frequency": Breakdown(
        "tokens by how often their form is in gold", ("tokens",), find_frequencies, "tokens", is_ordered=True
    ),
}


def break_down(comparison: Comparison, kind: str) -> dict[str, Counts]:
    """Return counts for each label, the most frequent in gold first.

    Raises `CommandError` if `kind` is unknown or a column is missing.
    """
    counts = find_label_counts(comparison, kind).add_up()
    return {label: counts[label] for label in sort_labels(counts, kind)}


def find_label_counts(comparison: Comparison, kind: str) -> LabelCounts:
    """Count the labels of a breakdown by unit; raises `CommandError` as `break_down` does."""
    check_kind(kind)
    check_columns(comparison, BREAKDOWNS[kind].needs, f"breakdown by {kind}")
    return BREAKDOWNS[kind].find(comparison)


def sort_labels(rows: Mapping[str, Counts], kind: str) -> list[str]:
    """Return the labels of `rows` in display order.

    The most frequent in gold come first, unless the labels of `kind` have an order of their own.
    """
    if BREAKDOWNS[kind].is_ordered:
        return list(rows)
    return sorted(rows, key=lambda label: (-rows[label].gold, label))


def find_kinds(comparison: Comparison) -> list[str]:
    """Return the breakdowns for which both sides have the columns."""
    return [kind for kind, breakdown in BREAKDOWNS.items() if has_columns(comparison, breakdown.needs)]


def check_kind(kind: str) -> None:
    """Raise `CommandError` for an unknown breakdown."""
    check_type(kind, str, "a kind of breakdown", f"one of {', '.join(BREAKDOWNS)}")
    if kind not in BREAKDOWNS:
        message = f"unknown breakdown {quote(kind)}"
        raise CommandError(message, *suggest(kind, BREAKDOWNS))


def describe_needs(kind: str) -> str:
    """Return a phrase that says which columns both sides must have for a breakdown."""
    return f"{name_columns(BREAKDOWNS[kind].needs)} in gold and system"
