"""Counts by unit and group of gold sentences: groups by length or by comment, and counts by label.

`Result.split` splits results by these groups; parts of a text count them too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from evalign.document import Document, IntArray
from evalign.errors import CommandError, quote
from evalign.metrics.census import has_columns
from evalign.metrics.comparison import Comparison, CountTable, Units
from evalign.metrics.keys import number_codes
from evalign.metrics.metric import Metric

# Groups of gold sentences, by length or by a comment above them, and metrics counted by group.
#
# The sentences of a group are scattered over the text. Every run of them inside a unit is counted as a unit
# of its own, and the runs are added up, which gives one row for each unit and group. What starts in a run is
# counted there, as with units, so the rows of all groups add up to those of the whole text, whatever the
# sentences of the system are.

# The group of sentences without a value.
NO_VALUE = "(none)"
LENGTH = "length"
LENGTHS = ("1-5", "6-10", "11-20", "21-40", "41+")
_LAST_LENGTHS = (5, 10, 20, 40)

# Most keys of document comments that are kept, and the longest value in characters that makes a group.
MOST_FIELDS = 50
LONGEST_VALUE = 100

# Why metrics of this reach are not counted by groups of sentences.
_LEFT_OUT = {
    "document": "windows slide over whole documents, from one sentence into the next",
    "block": "edits are found in blocks of sentences, which may be of several groups",
}


@dataclass(frozen=True, eq=False)
class GroupedCounts:
    """Counts by unit and group: one row for each group that occurs in a unit."""

    names: Sequence[Any]
    """Names of the groups, in display order; of a part of a text, in the order of the part."""
    units: IntArray
    """The unit of each row."""
    groups: IntArray
    """The group of each row, an index into `names`."""
    tables: Mapping[str, CountTable]
    """The rows of each metric."""
    source: str = ""
    """What the groups are, in words."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Metrics that cannot be counted by group, and the reason."""


class SentenceGroups(NamedTuple):
    """The group of each gold sentence, as an index into `names`."""

    names: Sequence[str]
    numbers: IntArray
    source: str


def group_by_length(gold: Document) -> SentenceGroups:
    """Group sentences by their number of tokens."""
    numbers = np.searchsorted(_LAST_LENGTHS, np.diff(gold.sentences))
    return SentenceGroups(LENGTHS, numbers, "gold sentences by number of tokens")


def group_by_comment(gold: Document, key: str) -> SentenceGroups:
    """Group sentences by the value of the comment `key` above them."""
    values = gold.comments.values(key) if gold.comments is not None else {}
    names = sort_names({value or NO_VALUE for value in values.values()} | {NO_VALUE})
    numbers = {name: number for number, name in enumerate(names)}
    groups = np.full(gold.n_sentences, numbers[NO_VALUE], np.int64)
    groups[list(values)] = [numbers[value or NO_VALUE] for value in values.values()]
    return SentenceGroups(names, groups, f"the comment {quote(key)} above gold's sentences")


def sort_names(names: Iterable[str]) -> list[str]:
    """Sort names of groups: by value if all are numbers, else as strings; `NO_VALUE` comes last.

    >>> sort_names(["10", "(none)", "9"]), sort_names(["b", "10", "9"])
    (['9', '10', '(none)'], ['10', '9', 'b'])
    """
    distinct = set(names)
    named = distinct - {NO_VALUE}
    ordered = sorted(named)
    if all(name.isascii() and name.isdigit() for name in named):
        # Sorted by length and text, as int() would refuse more than some thousand digits.
        ordered.sort(key=lambda name: (len(name.lstrip("0")), name.lstrip("0")))
    return [*ordered, NO_VALUE] if NO_VALUE in distinct else ordered


def order_groups(by: str, names: Iterable[str], gold: Callable[[str], int]) -> list[str]:
    """Order groups of several texts as those of one; `gold` counts what gold has in a group, for labels."""
    from evalign.metrics.errors.breakdowns import BREAKDOWNS, FREQUENCIES

    ordered = {LENGTH: LENGTHS, "frequency": FREQUENCIES}.get(by)
    if ordered:
        names = sorted(names, key=[*ordered, NO_VALUE].index)
    elif by in BREAKDOWNS:
        names = sorted(names, key=lambda name: (-gold(name), name))
    elif by != "document":
        names = sort_names(names)
    return sorted(names, key=NO_VALUE.__eq__)


def count_groups(comparison: Comparison, metrics: Sequence[Metric], groups: SentenceGroups) -> GroupedCounts:
    """Count metrics by unit and group of gold sentences.

    Metrics that reach over several sentences are left out, as are those whose columns are missing. Raises
    `CommandError` if gold has no sentences.
    """
    gold = comparison.gold
    if gold.spans is not None or not gold.n_sentences:
        problem = "is a stand-off table, without sentences" if gold.spans is not None else "has no sentence"
        message = f"{gold.name} {problem} to group"
        raise CommandError(message, "gold with sentences")
    size = len(groups.names)
    owners = np.searchsorted(comparison.units.tokens, gold.sentences[:-1], side="right") - 1
    codes = owners * size + groups.numbers
    firsts = np.flatnonzero(np.append(True, codes[1:] != codes[:-1]))
    runs = comparison.with_units(Units("run", gold.sentences[firsts], ()))
    distinct_codes, numbers = number_codes(codes[firsts])
    # Sort the runs by unit and group, so that each combination can be added up as one slice.
    order = np.argsort(numbers, kind="stable")
    cuts = np.searchsorted(numbers[order], np.arange(len(distinct_codes)))
    left_out = {metric.name: _LEFT_OUT[metric.reach] for metric in metrics if metric.reach in _LEFT_OUT}
    tables = {
        metric.name: np.add.reduceat(metric.count(runs)[order], cuts, axis=0)
        for metric in metrics
        if metric.name not in left_out and has_columns(comparison, metric.needs)
    }
    units, numbers = np.divmod(distinct_codes, size)
    return GroupedCounts(groups.names, units, numbers, tables, groups.source, left_out)


def find_field(fields: Collection[str], name: str) -> str | None:
    """Return the key in `fields` that `name` means, `name` itself or with the prefix meta::; None if neither.

    >>> find_field(["meta::genre", "speaker"], "genre")
    'meta::genre'
    """
    return next((key for key in (name, f"meta::{name}") if key in fields), None)


# Splitting a fresh result within its units: by comments and lengths of gold sentences, and by labels.


def count_grouped(comparison: Comparison, metrics: Sequence[Metric], by: str) -> GroupedCounts:
    """Count metrics by unit and by length of gold sentences, or by the comment `by` above them."""
    gold = comparison.gold
    if by != LENGTH and (gold.comments is None or not gold.comments.values(by)):
        problem = f"no sentence of {gold.name} has the comment {quote(by)}"
        raise CommandError(problem, f"# {by} = VALUE above sentences of gold")
    groups = group_by_length(gold) if by == LENGTH else group_by_comment(gold, by)
    return count_groups(comparison, metrics, groups)


def find_grouped_fields(comparison: Comparison) -> list[str]:
    """Return the keys of comments that describe single sentences of gold.

    Those of documents stand above first sentences of documents, which are the units if units are documents.
    """
    gold, units = comparison.gold, comparison.units
    if gold.comments is None:
        return []
    firsts = gold.documents.sentences
    if units.kind == "document":
        firsts = np.searchsorted(gold.sentences, units.tokens)
    begins = set(firsts.tolist())
    return [key for key in gold.comments.keys if not gold.comments.values(key).keys() <= begins]


def choose_kept(comparison: Comparison, asked: Sequence[str]) -> list[str]:
    """Return by what a saved result can be split later: "length", and the comments in `asked` that exist.

    Lengths are always kept for micro averages, else only if they are in `asked`. Empty if results are
    averaged over documents, or if gold has no sentences.
    """
    gold, average = comparison.gold, comparison.options.average
    if average == "document" or gold.spans is not None or not gold.n_sentences:
        return []
    kept = [LENGTH] if average == "micro" or LENGTH in asked else []
    if asked:
        fields = find_grouped_fields(comparison)
        matches = [find_field(fields, name) for name in asked if name != LENGTH]
        kept += dict.fromkeys(name for name in matches if name is not None)
    return kept


def count_labels(comparison: Comparison, kind: str, metrics: Sequence[Metric]) -> GroupedCounts:
    """Count the labels of a breakdown by unit, with the labels in display order as groups."""
    from evalign.metrics.errors.breakdowns import BREAKDOWNS, find_label_counts, sort_labels

    label_counts = find_label_counts(comparison, kind)
    units, numbers, rows = label_counts.count_by_unit()
    breakdown = BREAKDOWNS[kind]
    # Ordered labels keep their order in every system, whichever of them occur.
    names = list(label_counts.labels) if breakdown.is_ordered else sort_labels(label_counts.add_up(), kind)
    ranks = {name: rank for rank, name in enumerate(names)}
    groups = np.array([ranks.get(label, -1) for label in label_counts.labels] or [0])[numbers]
    order = np.lexsort([groups, units])
    metric = name_label_metric(comparison, kind, metrics)
    return GroupedCounts(names, units[order], groups[order], {metric: rows[order]}, breakdown.source)


def name_label_metric(comparison: Comparison, kind: str, metrics: Sequence[Metric]) -> str:
    """Return the name of the metric under which the labels of the breakdown `kind` are shown."""
    from evalign.metrics.errors.breakdowns import BREAKDOWNS

    if kind == "xpos" and (comparison.gold.trees is not None or comparison.system.trees is not None):
        return "tags"
    if kind == "label" and comparison.gold.spans is not None and metrics:
        return metrics[0].name  # a stand-off table has a layer of its own
    return BREAKDOWNS[kind].metric or kind
