"""Results of a system on several texts, added up: updates of a `Scorer`, treebanks of a run, parts of a split.

Parts of one text are added in `scoring.tally`, as only all of them together are a result.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from evalign.alignment.differences import MOST_SUBSTITUTIONS
from evalign.metrics.comparison import CountTable
from evalign.metrics.metric import Metric
from evalign.metrics.registry import find_metric
from evalign.results.ledger import Ledger, add_written, join_ledgers
from evalign.results.signatures import join_signatures
from evalign.results.system_result import CountsAlone, Score, SystemResult, order_metrics

# The ledger before the first update.
NOTHING = Ledger(0, 0, 0, 0)
_UNIT = re.compile(r"\|unit:[^|]*")


@dataclass
class MetricRows:
    """The rows of counts of one metric in all updates, zeros for an update that lacked the metric."""

    metric: Metric
    integers: array[int] = field(default_factory=lambda: array("q"))
    n_available: int = 0
    """Number of updates that had the metric."""

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the metric by its name and fields, as its functions are code."""
        return restore_rows, (self.metric.name, self.metric.fields, self.integers, self.n_available)

    def extend(self, other: MetricRows, before: int) -> None:
        """Append the rows of `other`, after filling up to `before` units with zeros."""
        self.fill(before)
        self.integers.extend(other.integers)
        self.n_available += other.n_available

    def fill(self, units: int) -> None:
        """Append zeros until there are rows for `units` units."""
        missing = units * len(self.metric.fields) - len(self.integers)
        self.integers.extend(array("q", bytes(8 * missing)))

    def table(self, units: int) -> CountTable:
        """Return all rows as an array, filled up to `units` units with zeros."""
        self.fill(units)
        return np.array(self.integers, np.int64).reshape(-1, len(self.metric.fields))


def restore_rows(name: str, fields: tuple[str, ...], integers: array[int], n_available: int) -> MetricRows:
    """Unpickle the rows of a metric, looked up by its name and fields."""
    return MetricRows(find_metric(name, fields), integers, n_available)


@dataclass
class SystemSum:
    """Sum of one system's results: names, rows of counts, ledger and signatures."""

    names: dict[str, None] = field(default_factory=dict)
    """The first two names that the system had."""
    metrics: list[str] = field(default_factory=list)
    rows: dict[str, MetricRows] = field(default_factory=dict)
    ledger: Ledger = NOTHING
    """The sum of the ledgers, without substitutions: results list only the most frequent ones."""
    written: dict[tuple[str, str], int] = field(default_factory=dict)
    signatures: dict[str, None] = field(default_factory=dict)

    @classmethod
    def of(cls, system: SystemResult, *, as_one: bool, skips_failures: bool = False) -> SystemSum:
        """Make the sum of one result; if `as_one`, the counts of all its units are added up to one row.

        With `skips_failures`, rows of a system that failed do not count.
        """
        rows = {}
        for name, score in system.scores.items():
            table = score.units.sum(axis=0) if as_one else score.units
            is_counted = score.available and not (system.failure and skips_failures)
            integers = array("q", np.ascontiguousarray(table, np.int64).tobytes() if is_counted else b"")
            rows[name] = MetricRows(score.metric, integers, int(is_counted))
        if system.failure:
            return cls({system.name: None}, list(rows), rows)
        signature = _UNIT.sub("|unit:", system.signature)
        written = {(gold, other): count for gold, other, count in system.ledger.substitutions}
        ledger = system.ledger._replace(substitutions=())
        return cls({system.name: None}, list(rows), rows, ledger, written, {signature: None})

    def extend(self, other: SystemSum, before: int) -> None:
        """Add `other`, whose units come after the first `before` units."""
        self.names = first_two((*self.names, *other.names))
        self.metrics = order_metrics([self.metrics, other.metrics])
        for name, rows in other.rows.items():
            self.rows.setdefault(name, MetricRows(rows.metric)).extend(rows, before)
        self.ledger = join_ledgers([self.ledger, other.ledger])
        self.written = add_written([self.written, other.written])
        self.signatures |= other.signatures

    def result(self, name: str, average: str, units: int, signed: Mapping[str, str]) -> SystemResult:
        """Return the scores of all units as a system called `name`; `units` is their number.

        `signed` has fields of the signature to replace or add, such as how many units of which kind there are.
        """
        scores = {
            metric: Score(rows.metric, rows.table(units), average, rows.n_available > 0)
            for metric in self.metrics
            for rows in (self.rows[metric],)
        }
        most_frequent = Counter(self.written).most_common(MOST_SUBSTITUTIONS)
        ledger = self.ledger._replace(substitutions=tuple((*pair, count) for pair, count in most_frequent))
        return SystemResult(name, scores, ledger, join_signatures(self.signatures, **signed), CountsAlone())


def first_two(names: Iterable[str]) -> dict[str, None]:
    """Return the first two different names: enough to see whether there is more than one."""
    return dict.fromkeys(list(dict.fromkeys(names))[:2])
