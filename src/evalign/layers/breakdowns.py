"""Scores label by label: what became of the words of each relation, tag or feature.

    $ evalign score gold.conllu system.conllu --per relation,feature

Words are paired as in the metric words. Of gold's words and of the system's with a label, those are correct that are
in a pair with the same label; relations ask for the right head too. So the relations add up to las, the tags to upos.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from evalign.document import IntArray
from evalign.errors import CommandError, quote
from evalign.layers.cells import number_codes
from evalign.layers.comparison import Comparison
from evalign.layers.counts import Counts
from evalign.layers.features import split_features
from evalign.layers.judged import TREE
from evalign.layers.judgement import BITS, Judgement, Shared, share
from evalign.layers.needs import check_columns, has_columns, name_columns
from evalign.layers.parsing import same_tags

Rows = dict[str, Counts]
# The one row of brackets where a scheme ignores labels.
ANY_LABEL = "(any)"


def count_labels(comparison: Comparison, shared: Callable[[Judgement], Shared], asked: int = 0) -> Rows:
    """Counts per label of a column; of the pairs with equal labels, those whose verdict has all bits asked for."""
    judgement, partners = comparison.judgement, comparison.word_partners
    column = shared(judgement)
    correct = judgement.pairs_equal(column, partners)
    if asked:
        correct &= (comparison.verdicts & asked) == asked
    size = len(column.labels)
    counted = [
        np.bincount(ids, minlength=size).tolist()
        for ids in (column.gold[correct], column.gold, column.system)
    ]
    return dict(zip(column.labels, map(Counts, *counted), strict=True))


def subtypes(judgement: Judgement) -> Shared:
    """Relations with their subtypes."""
    return share(judgement.gold.deprel, judgement.system.deprel)


def by_name(feats: str) -> Mapping[str, object]:
    """Features by name, layer included; two of one name, which CoNLL-U does not allow, are one."""
    found: dict[str, list[str]] = {}
    for feature in split_features(feats):
        found.setdefault(feature.partition("=")[0], []).append(feature)
    return found


def by_value(feats: str) -> Mapping[str, object]:
    """Features by name and value."""
    return dict.fromkeys(split_features(feats))


def count_features(comparison: Comparison, name: Callable[[str], Mapping[str, object]]) -> Rows:
    """Counts per feature: words that have it, and pairs that have the same under its name."""
    judgement, partners = comparison.judgement, comparison.word_partners
    column = judgement.all_feats
    size = len(column.labels)
    features = [name(feats) for feats in column.labels]
    sides: list[dict[str, int]] = []
    for ids in (column.gold, column.system):
        sides.append({})
        for having, count in zip(features, np.bincount(ids, minlength=size).tolist(), strict=True):
            for feature in having:
                sides[-1][feature] = sides[-1].get(feature, 0) + count
    paired = np.flatnonzero(partners >= 0)
    codes = column.gold[paired].astype(np.int64) * size + column.system[partners[paired]]
    values, numbers = number_codes(codes)
    correct = dict.fromkeys(sides[0], 0)
    for code, count in zip(
        values.tolist(), np.bincount(numbers, minlength=len(values)).tolist(), strict=True
    ):
        gold, system = (features[k] for k in divmod(code, size))
        for feature in gold.keys() & system.keys():
            correct[feature] += count * (gold[feature] == system[feature])
    return {feature: Counts(correct[feature], sides[0][feature], sides[1][feature]) for feature in correct}


def count_brackets(comparison: Comparison) -> Rows:
    """Counts per label of brackets, those that are the same taken together; of stand-off spans where there are some."""
    if comparison.gold.spans is not None:
        from evalign.layers.standoff import count_by_label

        return count_by_label(comparison)
    constituents = comparison.constituents
    gold, system = (side.labels for side in constituents.sides)
    if not comparison.options.scheme.labelled:
        return {ANY_LABEL: Counts(int(constituents.right.sum()), len(gold), len(system))}
    return _count_ids(constituents.labels.labels, gold[constituents.right], gold, system)


def count_tags(comparison: Comparison) -> Rows:
    """Counts per tag, of trees as the scheme counts and names them."""
    if comparison.gold.trees is None and comparison.system.trees is None:
        return count_labels(comparison, attrgetter("xpos"))
    constituents, tags = comparison.constituents, comparison.constituents.tags
    gold, system = constituents.counted_words
    correct = same_tags(comparison, comparison.word_partners)
    return _count_ids(tags.labels, tags.gold[correct], tags.gold[gold], tags.system[system])


def _count_ids(labels: Sequence[str], correct: IntArray, gold: IntArray, system: IntArray) -> Rows:
    """Counts per label of three columns, without labels that are in none."""
    counted = [np.bincount(ids, minlength=len(labels)).tolist() for ids in (correct, gold, system)]
    rows = zip(labels, map(Counts, *counted), strict=True)
    return {label: counts for label, counts in rows if counts.gold or counts.system}


class Breakdown(NamedTuple):
    """A way to break scores down: the columns it needs, and how its rows are counted."""

    needs: tuple[str, ...]
    rows: Callable[[Comparison], Rows]


BREAKDOWNS: Mapping[str, Breakdown] = {
    "relation": Breakdown(TREE, partial(count_labels, shared=attrgetter("relations"), asked=BITS["HEAD"])),
    "subtype": Breakdown(TREE, partial(count_labels, shared=subtypes, asked=BITS["HEAD"])),
    "tag": Breakdown(("upos",), partial(count_labels, shared=attrgetter("upos"))),
    "xpos": Breakdown(("xpos",), count_tags),
    "feature": Breakdown(("feats",), partial(count_features, name=by_name)),
    "feature-value": Breakdown(("feats",), partial(count_features, name=by_value)),
    "label": Breakdown(("labels",), count_brackets),
}


def break_down(comparison: Comparison, kind: str) -> Rows:
    """Counts per label, those that gold has most often first; raises `CommandError` where a column is missing."""
    check_kind(kind)
    check_columns(comparison, BREAKDOWNS[kind].needs, f"breakdown by {kind}")
    rows = BREAKDOWNS[kind].rows(comparison)
    return dict(sorted(rows.items(), key=lambda row: (-row[1].gold, row[0])))


def find_kinds(comparison: Comparison) -> list[str]:
    """The breakdowns that the columns of both sides allow."""
    return [kind for kind, breakdown in BREAKDOWNS.items() if has_columns(comparison, breakdown.needs)]


def check_kind(kind: str) -> None:
    """Raise `CommandError` for a breakdown there is none of."""
    if kind not in BREAKDOWNS:
        from difflib import get_close_matches

        near = get_close_matches(kind, BREAKDOWNS, 1)
        message, advice = f"unknown breakdown {quote(kind)}", f'did you mean "{near[0]}"?' if near else ""
        raise CommandError(message, f"some of {', '.join(BREAKDOWNS)}", advice)


def describe_needs(kind: str) -> str:
    """What both sides must have for a breakdown."""
    return f"{name_columns(BREAKDOWNS[kind].needs)} in gold and system"
