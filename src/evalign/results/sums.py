"""Results of a system on several texts, added up: updates of a `Scorer`, treebanks of a run, parts of a split.

Parts of one text are added in `scoring.tally`, as only all of them together are a result.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from evalign.alignment.differences import MOST_SUBSTITUTIONS
from evalign.metrics.comparison import CountTable
from evalign.metrics.counts import Counts
from evalign.metrics.metric import Metric
from evalign.metrics.registry import find_metric
from evalign.results.ledger import Ledger, add_written, join_ledgers
from evalign.results.signatures import join_signatures
from evalign.results.system_result import CountsAlone, NoEvidence, Score, SystemResult, order_metrics

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


class AddedBreakdowns(NoEvidence):
    """Evidence of one system on several texts: counts per label, added up."""

    def __init__(self, texts: Sequence[Sequence[SystemResult]], number: int) -> None:
        self._texts, self._number = texts, number

    def breakdown_kinds(self) -> Sequence[str]:
        """Return the kinds that there are in any text."""
        own = (systems[self._number].evidence for systems in self._texts)
        return list(dict.fromkeys(kind for evidence in own for kind in evidence.breakdown_kinds()))

    def breakdown(self, kind: str) -> Mapping[str, Counts]:
        """Return the sums; a text without such labels counts as a whole, as far as it is judged by them.

        Where only this system has none, gold's labels count if failures do. Raises `CommandError` if no text
        has labels.
        """
        from evalign.metrics.errors.sentence_groups import NO_VALUE, order_groups

        added: dict[str, Counts] = {}
        for systems in self._texts:
            for label, counts in self._count(kind, systems).items():
                added[label] = added.get(label, Counts()) + counts
        if not {*added} - {NO_VALUE}:
            own = [systems[self._number] for systems in self._texts]
            return next((each for each in own if not each.failure), own[0]).evidence.breakdown(kind)
        return {label: added[label] for label in order_groups(kind, added, lambda name: added[name].gold)}

    def _count(self, kind: str, systems: Sequence[SystemResult]) -> Mapping[str, Counts]:
        from evalign.metrics.errors.breakdowns import BREAKDOWNS
        from evalign.metrics.errors.sentence_groups import NO_VALUE

        own = systems[self._number]
        having = [system for system in systems if kind in system.evidence.breakdown_kinds()]
        if own in having:
            return own.evidence.breakdown(kind)
        if having:
            gold = having[0].evidence.breakdown(kind) if own.missed else {}
            return {label: Counts(0, counts.gold, 0) for label, counts in gold.items() if counts.gold}
        score = own.scores.get(BREAKDOWNS[kind].metric)
        if score is not None and score.available:
            return {NO_VALUE: Counts(score.correct, score.gold, score.system)}
        return {} if own.failure else {NO_VALUE: Counts()}
