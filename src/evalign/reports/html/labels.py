"""The section on confused labels: matrices of the labels with most errors, gold in rows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence, Set as AbstractSet
from typing import NamedTuple

from evalign.metrics.errors.mismatches import ErrorGroup, join_label
from evalign.metrics.errors.passages import Passages
from evalign.reports.html.markup import metric_name, visible
from evalign.results.system_result import SystemResult

METRICS = ("upos", "xpos", "tags", "las", "brackets")
MOST_LABELS = 20
# Number of shades of cells.
SHADES = 9
OTHERS = "others"


class ConfusionCell(NamedTuple):
    """A count, its shade, and the raw labels by which scripts look for examples."""

    number: int
    shade: int
    gold: str
    system: str
    kind: str
    """The kind of the errors; "" if they are of several kinds."""
    has_examples: bool
    """True if a passage with such an error is on the page; False in the row and column of other labels."""


class ConfusionRow(NamedTuple):
    """The row of a gold label in a confusion matrix."""

    label: str
    cells: Sequence[ConfusionCell]
    total: int
    share: str


class ConfusionTable(NamedTuple):
    """The matrix of one system and metric."""

    metric: str
    title: str
    """The metric as it is shown."""
    labels: Sequence[str]
    lines: Sequence[ConfusionRow]
    total: int
    n_labels: int
    """Number of labels; those beyond `MOST_LABELS` are in "others"."""

    @property
    def has_examples(self) -> bool:
        """True if any cell has examples."""
        return any(cell.has_examples for line in self.lines for cell in line.cells)


def find_metrics(system: SystemResult) -> list[str]:
    """Return the metrics to show matrices of; "tags" only without "xpos", which is the same for CoNLL-U."""
    metrics = [metric for metric in METRICS if system.gives(metric)]
    return [metric for metric in metrics if metric != "tags" or "xpos" not in metrics]


def find_examples(passages: Passages | None) -> dict[str, set[tuple[str, str]]]:
    """Return, for each metric, the pairs of labels (gold, system) that errors in the passages have."""
    labels: dict[str, set[tuple[str, str]]] = {}
    for passage in passages["list"] if passages else ():
        for error in passage["errors"]:
            if "labels" in error:
                gold, system = error["labels"]
                labels.setdefault(error["metric"], set()).add((gold, system))
    return labels


def make_confusion_table(
    metric: str, groups: Sequence[ErrorGroup], examples: AbstractSet[tuple[str, str]] = frozenset()
) -> ConfusionTable | None:
    """Make the matrix; `examples` are the pairs of labels with examples. None if nothing was confused."""
    if not groups:
        return None
    ranked = _rank(groups)
    filled = _ConfusionGrid(ranked[:MOST_LABELS], groups, examples)
    size = range(len(filled.names))
    columns = [k for k in size if any((i, k) in filled.counts for i in size)]
    lines = [
        filled.line(i, columns, max(filled.counts.values()))
        for i in size
        if any((i, k) in filled.counts for k in size)
    ]
    labels = [visible(filled.names[j]) for j in columns]
    return ConfusionTable(metric, metric_name(metric), labels, lines, filled.counts.total(), len(ranked))


class _ConfusionGrid:
    """Counts of a matrix by row and column numbers; the last row and column are for all other labels."""

    def __init__(
        self, chosen: Sequence[str], groups: Sequence[ErrorGroup], examples: AbstractSet[tuple[str, str]]
    ) -> None:
        self.examples = examples
        self.counts: Counter[tuple[int, int]] = Counter()
        self.kinds: dict[tuple[int, int], set[str]] = {}
        self.written: dict[int, str] = {}
        self.gold_words: dict[int, int] = {}
        places = {label: k for k, label in enumerate(chosen)}
        self.others = len(chosen)
        for group in groups:
            row = places.get(join_label(group.gold), self.others)
            column = places.get(join_label(group.system), self.others)
            self.counts[row, column] += group.count
            self.kinds.setdefault((row, column), set()).add(group.kind)
            self.written[row], self.written[column] = "|".join(group.gold), "|".join(group.system)
            self.gold_words[row] = group.gold_words
        self.names = [*chosen, OTHERS]

    def line(self, row: int, columns: Sequence[int], most: int) -> ConfusionRow:
        """Return the row of a gold label."""
        cells = [self._cell(row, column, most) for column in columns]
        total = sum(cell.number for cell in cells)
        words = self.gold_words.get(row) if row != self.others else None
        return ConfusionRow(
            visible(self.names[row]), cells, total, f"{100 * total / words:.1f}%" if words else ""
        )

    def _cell(self, row: int, column: int, most: int) -> ConfusionCell:
        count, kinds = self.counts.get((row, column), 0), self.kinds.get((row, column), set())
        gold, system = self.written.get(row, ""), self.written.get(column, "")
        return ConfusionCell(
            count,
            _shade(count, most),
            gold,
            system,
            next(iter(kinds)) if len(kinds) == 1 else "",
            self.others not in (row, column) and (gold, system) in self.examples,
        )


def _shade(count: int, most: int) -> int:
    """Return a shade from 1 to SHADES, by the logarithm of `count`, as few cells have most errors."""
    if not count:
        return 0
    return 1 + int((SHADES - 1) * math.log1p(count) / math.log1p(most) + 1e-9)


def _rank(groups: Sequence[ErrorGroup]) -> list[str]:
    """Order labels by the number of errors they are part of."""
    counts: Counter[str] = Counter()
    for group in groups:
        for label in {join_label(group.gold), join_label(group.system)}:
            counts[label] += group.count
    return sorted(counts, key=lambda label: (-counts[label], label))
