"""Results of several texts added up: the updates of a `Scorer`, the treebanks of a run, the parts of a split.

Parts of one text are added in `scoring.tally`, as only all of them together are a result.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from evalign.alignment.differences import MOST_SUBSTITUTIONS
from evalign.errors import CommandError
from evalign.metrics.comparison import CountTable
from evalign.metrics.metric import Metric
from evalign.metrics.registry import find_metric
from evalign.results.ledger import Ledger, add_written, join_ledgers
from evalign.results.result import Result
from evalign.results.signatures import join_signatures
from evalign.results.system_result import CountsAlone, Score, SystemResult, order_metrics

# Most warnings kept; each update may bring its own.
MOST_KEPT_WARNINGS = 20
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
        self.names = _first_two((*self.names, *other.names))
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


@dataclass
class ResultSum:
    """Sum of results with the same options: rows of counts, ledgers and names. Only `extend` adds to it."""

    n_updates: int = 0
    gold: dict[str, None] = field(default_factory=dict)
    units: list[str] = field(default_factory=list)
    """Names of the units; empty for a unit without a name."""
    fields: dict[str, list[str]] = field(default_factory=dict)
    systems: list[SystemSum] = field(default_factory=list)
    warnings: dict[str, None] = field(default_factory=dict)
    n_warnings: int = 0

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return len(self.systems)

    @classmethod
    def of(cls, result: Result, name: str = "") -> ResultSum:
        """Make the sum of one update.

        Its units are kept if they are documents or sentences, else all of it is one unit. `name`, if given,
        names the text: it becomes the name of a single unit, and a prefix of several.
        """
        n_rows = result.systems[0].n_rows
        as_one = result.unit_kind not in ("document", "sentence")
        unit_names = list(result.unit_names)[:n_rows] or [""] * n_rows
        units = [name] if as_one else unit_names
        if name and not as_one:
            units = [f"{name}: {unit}" if unit and unit != result.gold else name for unit in unit_names]
        elif len(units) == 1 and units[0] == result.gold:
            units = [""]
        return cls(
            1,
            {result.gold: None},
            units,
            {} if as_one else {key: list(values) for key, values in result.unit_fields.items()},
            [SystemSum.of(system, as_one=as_one) for system in result.systems],
            dict.fromkeys(result.warnings[:MOST_KEPT_WARNINGS]),
            len(result.warnings),
        )

    def extend(self, other: ResultSum) -> None:
        """Add `other`, whose units come after those already here."""
        if self.systems and len(self.systems) != len(other.systems):
            problem = f"systems: {len(other.systems)}, before: {len(self.systems)}"
            raise CommandError(problem, "the same systems in all scorers")
        before = len(self.units)
        self.n_updates += other.n_updates
        self.gold = _first_two((*self.gold, *other.gold))
        for key in dict.fromkeys((*self.fields, *other.fields)):
            ours = self.fields.setdefault(key, [""] * before)
            ours += other.fields.get(key, [""] * len(other.units))
        self.units += other.units
        self.systems = self.systems or [SystemSum() for _ in other.systems]
        for system, added in zip(self.systems, other.systems, strict=True):
            system.extend(added, before)
        n_kept = len(self.warnings)
        self.warnings |= other.warnings
        # A warning that was seen before does not count again.
        self.n_warnings += other.n_warnings - (len(other.warnings) - (len(self.warnings) - n_kept))
        self.warnings = dict.fromkeys(list(self.warnings)[:MOST_KEPT_WARNINGS])

    def result(self, kind: str, average: str, names: Sequence[str]) -> Result:
        """Return everything as one result; `names` are the names of the systems, if given."""
        n_units = len(self.units)
        systems = []
        for called, total in zip(self._names(names), self.systems, strict=True):
            system = total.result(called, average, n_units, {"unit": f"{kind}({n_units})"})
            blocks = sorted(system.ledger.blocks.items(), key=lambda item: (-item[1], item[0]))
            systems.append(replace(system, ledger=system.ledger._replace(blocks=dict(blocks))))
        gold = next(iter(self.gold)) if len(self.gold) == 1 else "gold"
        units = [name or str(number) for number, name in enumerate(self.units, 1)]
        # Copies, as later updates extend these lists.
        fields = {key: list(values) for key, values in self.fields.items()}
        return Result(gold, tuple(systems), kind, units, self._warnings(), unit_fields=fields)

    def _names(self, given: Sequence[str]) -> Sequence[str]:
        """Return the names of the systems: `given`, else the name used in all updates, else a number."""
        if given:
            return given
        numbered = ["system"] if self.n_systems == 1 else [f"system {k + 1}" for k in range(self.n_systems)]
        return [
            next(iter(system.names)) if len(system.names) == 1 else number
            for number, system in zip(numbered, self.systems, strict=True)
        ]

    def _warnings(self) -> tuple[str, ...]:
        """Return the kept warnings, the number of further ones, and metrics that some updates lacked."""
        lines = list(self.warnings)
        if self.n_warnings > len(lines):
            lines.append(f"warnings of other updates: {self.n_warnings - len(lines):,}")
        for number, system in enumerate(self.systems):
            lacking: dict[int, list[str]] = {}
            for metric in system.metrics:
                missing = self.n_updates - system.rows[metric].n_available
                if 0 < missing < self.n_updates:
                    lacking.setdefault(missing, []).append(metric)
            called = f"system {number + 1}: " if self.n_systems > 1 else ""
            lines += [
                f"{called}{missing:,} of {self.n_updates:,} updates are not in the scores of {', '.join(metrics)}: "
                "not available there"
                for missing, metrics in lacking.items()
            ]
        return tuple(lines)


def _first_two(names: Iterable[str]) -> dict[str, None]:
    """Return the first two different names: enough to see whether there is more than one."""
    return dict.fromkeys(list(dict.fromkeys(names))[:2])
