"""Facts of gold and systems that add up over parts, and the scores, signatures and warnings made from them.

Facts are a census of each document (its sizes, filled columns, labels) and a ledger of each system (what the
comparison tolerated, as counts). There is no document in them, so they can be sent. `count` collects the facts of
each part as if it were a whole text:

    censuses = take_censuses(...)
    metrics = candidate_metrics(..., *censuses)           by format: another part may fill a column
    tables = count_tables(comparison, metrics)            rows of counts of each system
    facts = find_facts(*censuses, comparisons, ...)

and `join` merges the parts into the same results that the whole text would have given:

    facts = join_facts(parts)
    metrics = available_metrics(..., *facts.documents)
    make_systems(facts, tables, ...), list_warnings(facts, ...)

A text that is scored as a whole (`api`) has one set of facts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from evalign.metrics.census import Census, find_lacking_of_both, join_censuses
from evalign.metrics.comparison import Comparison, CountTable
from evalign.metrics.metric import Metric
from evalign.options import ScoreOptions
from evalign.results.ledger import Ledger
from evalign.results.system_result import Evidence, Score, SystemResult
from evalign.scoring.ledger import LedgerFacts, find_ledger, make_ledger
from evalign.scoring.metric_choice import can_count
from evalign.scoring.signature import sign
from evalign.scoring.warnings import make_warnings, warn_of_columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.alignment.raw_map import RawMap

Tables = Mapping[str, CountTable]
"""Rows of counts by metric: one row of integers for each unit."""

# The warning of a run with `split_spaces`.
NO_COLUMNS = "tokens are cut at their spaces: metrics over tags, lemmas and heads are not available"


class SystemFacts(NamedTuple):
    """The facts of one system: its census, and what its comparison with gold tolerated."""

    census: Census
    ledger: LedgerFacts


class Facts(NamedTuple):
    """The facts of a text or part: the census of gold, and the facts of all systems."""

    gold: Census
    systems: tuple[SystemFacts, ...]

    @property
    def documents(self) -> tuple[Census, list[Census]]:
        """The censuses of gold and of the systems."""
        return self.gold, [system.census for system in self.systems]

    @property
    def ledgers(self) -> list[Ledger]:
        """The ledger of each system."""
        return [make_ledger(system.ledger, self.gold, system.census) for system in self.systems]


def find_facts(
    gold: Census, systems: Sequence[Census], comparisons: Sequence[Comparison], *, differing: bool = False
) -> Facts:
    """Collect the facts of gold and all systems; `differing`: this is a part of texts with unequal lines."""
    options = comparisons[0].options
    rules = _list_rules(options) if differing else None
    ledgers = [find_ledger(comparison, differing=rules) for comparison in comparisons]
    if options.strategy == "printed":  # it credits sentences by their text, and refuses none in its place
        ledgers = [ledger._replace(refused_sentences=0) for ledger in ledgers]
    return Facts(gold, tuple(map(SystemFacts, systems, ledgers)))


def _list_rules(options: ScoreOptions) -> tuple[str, ...]:
    from evalign.alignment.normalize import choose_rules

    return (*(rule.name for rule in choose_rules(options.normalize)), "exceptions")


def join_facts(parts: Sequence[Facts]) -> Facts:
    """Merge the facts of consecutive parts.

    Merged facts can be merged again with those of later parts.
    """
    from evalign.scoring.ledger import join_ledger_facts

    gold = join_censuses([part.gold for part in parts])
    systems = (
        SystemFacts(
            join_censuses([same.census for same in of_system], gold),
            join_ledger_facts([same.ledger for same in of_system]),
        )
        for of_system in zip(*(part.systems for part in parts), strict=True)
    )
    return Facts(gold, tuple(systems))


def count_tables(
    comparison: Comparison, metrics: Sequence[Metric], gold: Census, system: Census, *, is_part: bool = False
) -> Tables:
    """Return the rows of counts, by metric, of those `metrics` whose columns both sides have.

    With `is_part`, all metrics are counted whose columns the formats of both sides can have.
    """
    return {
        metric.name: metric.count(comparison)
        for metric in metrics
        if (
            can_count(metric, gold, system)
            if is_part
            else _have(metric, gold, system, strict=comparison.options.strict)
        )
    }


def _have(metric: Metric, gold: Census, system: Census, *, strict: bool) -> bool:
    return not any(find_lacking_of_both(gold, system, metric.needs, strict=strict))


def make_systems(
    facts: Facts,
    tables: Sequence[Tables],
    units: tuple[str, int],
    metrics: Sequence[Metric],
    options: ScoreOptions,
    evidence: Sequence[Evidence],
    *,
    raw: str = "",
) -> tuple[SystemResult, ...]:
    """Make the results of all systems from their facts, rows of counts (`tables`) and evidence.

    `units` has the description of the units for the signature, and their number; each table has a row per
    unit. `raw` is a fingerprint of the raw text that all are compared on, if there is one.
    """
    results = []
    for system, ledger, table, errors in zip(facts.systems, facts.ledgers, tables, evidence, strict=True):
        census, scores = system.census, {}
        for metric in metrics:
            # A table alone is not enough: a part counts all that its format can have. A metric without a
            # table cannot be shown either: the printed algorithm counts few metrics.
            rows = table.get(metric.name)
            is_available = rows is not None and _have(metric, facts.gold, census, strict=options.strict)
            if rows is None or not is_available:
                rows = np.zeros((units[1], len(metric.fields)), np.int64)
            scores[metric.name] = Score(metric, rows, options.average, is_available)
        signature = sign(facts.gold, census, system.ledger.lines, units[0], metrics, options, raw)
        results.append(SystemResult(census.name, scores, ledger, signature, errors))
    return tuple(results)


def list_warnings(
    facts: Facts,
    ledgers: Sequence[Ledger],
    metrics: Sequence[Metric],
    options: ScoreOptions,
    raw: RawMap | None = None,
) -> tuple[str, ...]:
    """List all warnings of a result: on files, ledgers, columns, the bracket preset, and split tokens."""
    gold, systems = facts.documents
    return (
        *make_warnings(gold, list(zip(systems, ledgers, strict=True)), raw, metrics),
        *warn_of_columns(gold, systems, metrics, options, has_raw=raw is not None),
        *options.bracket_rules.messages,
        *([NO_COLUMNS] if options.split_spaces and not gold.has_trees else ()),
    )
