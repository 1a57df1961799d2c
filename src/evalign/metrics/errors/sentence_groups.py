"""Counts by group of gold sentences: by length, by comment; by label and unit.

Results are split by these (`Result.split`), and parts of a text bring them along.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from evalign.document import Document, IntArray
from evalign.errors import CommandError, quote
from evalign.metrics.census import has_columns
from evalign.metrics.comparison import Comparison, CountTable, Units
from evalign.metrics.keys import number_codes
from evalign.metrics.metric import Metric

# Gold sentences in groups, by length or by what a comment says of them, and all metrics counted group by group.
#
# A group's sentences are scattered over the text. Every run of them inside one unit is counted as a unit of its own,
# and the runs are added up, so that there is a row for each unit and group. A run owns what starts in it, as a unit
# does, so that the rows of all groups add up to those of the whole, whatever the system's sentences are.

# What has no value, or no match.
NO_VALUE = "(none)"
LENGTH = "length"
LENGTHS = ("1-5", "6-10", "11-20", "21-40", "41+")
_LAST_LENGTHS = (5, 10, 20, 40)

# Comments that say something of whole documents are kept, up to so many; longer values group nothing.
MOST_FIELDS = 50
LONGEST_VALUE = 100

# Why a metric that reaches over several sentences is not counted by groups of them.
_LEFT_OUT = {
    "document": "windows slide over whole documents, from one sentence into the next",
    "block": "edits are found in blocks of sentences, which may be of several groups",
}


@dataclass(frozen=True, eq=False)
class GroupedCounts:
    """Counts by unit and group: a row for each group that a unit has something of."""

    names: Sequence[str]
    """Names of the groups, in the order in which they are shown."""
    units: IntArray
    """The unit that each row is of."""
    groups: IntArray
    """The group that each row is of."""
    tables: Mapping[str, CountTable]
    """By metric."""
    source: str = ""
    """Where the groups come from, in words."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Metrics that cannot be counted so, and why."""


class SentenceGroups(NamedTuple):
    """A group for every gold sentence."""

    names: Sequence[str]
    numbers: IntArray
    source: str


def group_by_length(gold: Document) -> SentenceGroups:
    """Sentences by how many tokens they have."""
    numbers = np.searchsorted(_LAST_LENGTHS, np.diff(gold.sentences))
    return SentenceGroups(LENGTHS, numbers, "gold sentences by number of tokens")


def group_by_comment(gold: Document, key: str) -> SentenceGroups:
    """Sentences by what a comment above them says; raises `CommandError` where none has it."""
    values = gold.comments.values(key) if gold.comments is not None else {}
    if not values:
        message = f"no sentence of {gold.name} has the comment {quote(key)}"
        raise CommandError(message, f"# {key} = VALUE above sentences of gold")
    names = sort_names({value or NO_VALUE for value in values.values()} | {NO_VALUE})
    numbers = {name: number for number, name in enumerate(names)}
    groups = np.full(gold.n_sentences, numbers[NO_VALUE], np.int64)
    groups[list(values)] = [numbers[value or NO_VALUE] for value in values.values()]
    return SentenceGroups(names, groups, f"the comment {quote(key)} above gold's sentences")


def sort_names(names: Iterable[str]) -> list[str]:
    """Names in order: numbers by value if there is nothing else; what has no name comes last.

    >>> sort_names(["10", "(none)", "9"]), sort_names(["b", "10", "9"])
    (['9', '10', '(none)'], ['10', '9', 'b'])
    """
    distinct = set(names)
    named = distinct - {NO_VALUE}
    as_numbers = all(name.isascii() and name.isdigit() for name in named)
    ordered = sorted(named, key=_by_value) if as_numbers else sorted(named)
    return [*ordered, NO_VALUE] if NO_VALUE in distinct else ordered


def _by_value(digits: str) -> tuple[int, str, str]:
    """Orders numbers by value, of which Python reads only those of up to some thousand digits."""
    significant = digits.lstrip("0")
    return len(significant), significant, digits


def count_groups(comparison: Comparison, metrics: Sequence[Metric], groups: SentenceGroups) -> GroupedCounts:
    """All metrics that add up and have their columns, by unit and group."""
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
    # Runs of one unit and group are brought together before they are added up.
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


def document_fields(gold: Document, firsts: Collection[int]) -> list[str]:
    """Comments that say something of documents: they stand above the first sentence of one, and nowhere else."""
    if gold.comments is None or not firsts:
        return []
    begins = set(firsts)
    return [key for key in gold.comments.keys if gold.comments.values(key).keys() <= begins]


def sentence_fields(gold: Document, firsts: Collection[int]) -> list[str]:
    """Comments that say something of sentences."""
    if gold.comments is None:
        return []
    of_documents = set(document_fields(gold, firsts))
    return [key for key in gold.comments.keys if key not in of_documents]


def find_field(fields: Collection[str], name: str) -> str | None:
    """The key that is meant by a name: itself, or with the prefix that metadata may have.

    >>> find_field(["meta::genre", "speaker"], "genre")
    'meta::genre'
    """
    return next((key for key in (name, f"meta::{name}") if key in fields), None)


# What a fresh result can be split by within its units: comments of gold's sentences, lengths, labels.


def find_firsts(gold: Document, units: Units) -> Collection[int]:
    """The sentences that documents begin with: those of the units, if they are documents."""
    if units.kind == "document":
        firsts: list[int] = np.searchsorted(gold.sentences, units.tokens).tolist()
        return firsts
    return [int(first) for first in gold.documents.sentences]


def count_grouped(comparison: Comparison, metrics: Sequence[Metric], average: str, by: str) -> GroupedCounts:
    """Gold sentences by length or by a comment."""
    if average == "document":
        message = f'sentences by {by} with `average="document"`'
        advice = "leave out `average`: counts of all sentences of a part are added up"
        raise CommandError(message, '`average="micro"` or `average="sentence"`', advice)
    gold = comparison.gold
    groups = group_by_length(gold) if by == LENGTH else group_by_comment(gold, by)
    return count_groups(comparison, metrics, groups)


def find_grouped_fields(comparison: Comparison) -> list[str]:
    """The comments that stand above single sentences."""
    return sentence_fields(comparison.gold, find_firsts(comparison.gold, comparison.units))


def choose_kept(comparison: Comparison, average: str, asked: Sequence[str]) -> list[str]:
    """What a saved result can be split by later: lengths always, comments of sentences where they were asked for."""
    gold = comparison.gold
    if average == "document" or gold.spans is not None or not gold.n_sentences:
        return []
    kept = [LENGTH] if average == "micro" or LENGTH in asked else []
    if asked:
        fields = find_grouped_fields(comparison)
        matches = [find_field(fields, name) for name in asked if name != LENGTH]
        kept += dict.fromkeys(name for name in matches if name is not None)
    return kept


def count_labels(comparison: Comparison, kind: str, metrics: Sequence[Metric]) -> GroupedCounts:
    """Counts per label and unit, of labels in the order in which they are shown."""
    from evalign.metrics.errors.breakdowns import BREAKDOWNS, find_label_counts, sort_labels

    label_counts = find_label_counts(comparison, kind)
    units, numbers, rows = label_counts.count_by_unit()
    breakdown = BREAKDOWNS[kind]
    # What has an order has it in every system alike, whatever is there.
    names = list(label_counts.labels) if breakdown.is_ordered else sort_labels(label_counts.add_up(), kind)
    ranks = {name: rank for rank, name in enumerate(names)}
    groups = np.array([ranks.get(label, -1) for label in label_counts.labels] or [0])[numbers]
    order = np.lexsort([groups, units])
    metric = name_label_metric(comparison, kind, metrics)
    return GroupedCounts(names, units[order], groups[order], {metric: rows[order]}, breakdown.source)


def name_label_metric(comparison: Comparison, kind: str, metrics: Sequence[Metric]) -> str:
    """The metric that labels of a kind are shown as."""
    from evalign.metrics.errors.breakdowns import BREAKDOWNS

    if kind == "xpos" and (comparison.gold.trees is not None or comparison.system.trees is not None):
        return "tags"
    if kind == "label" and comparison.gold.spans is not None and metrics:
        return metrics[0].name  # a stand-off table has a layer of its own
    return BREAKDOWNS[kind].metric or kind
