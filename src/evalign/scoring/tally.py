"""`Tally`: all that is known of a counted text, or of a part and the parts before it, added in text order.

`count` makes the tally of a part, `run` adds those of all parts, and `finish` makes the result of the sum. A
text that is scored as a whole has one tally, and nothing is added. Rows of counts are kept for each unit. If
a unit continues from one part into the next, its rows are added. Stretches are merged with their neighbours
as soon as there are too many, so that memory does not grow with the text; documents are never merged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from evalign.document import IntArray
from evalign.metrics.census import Census, join_censuses
from evalign.metrics.comparison import Comparison, CountTable
from evalign.scoring.ledger import LedgerFacts, join_ledger_facts
from evalign.scoring.units import FieldTable, UnitTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.scoring.evidence_part import EvidencePart
    from evalign.scoring.evidence_sum import EvidenceSum

# Censuses and ledgers of parts that are kept before they are joined into one.
_MOST_WAITING = 32


def sum_groups(rows: CountTable, starts: IntArray) -> CountTable:
    """Sum the rows from each start up to the next one; the last group goes to the end."""
    summed: CountTable = np.add.reduceat(rows, starts, axis=0)
    return summed


@dataclass(eq=False)
class SystemTally:
    """All that is known of one system: what it has, what was tolerated, rows of counts, and errors."""

    censuses: list[Census]
    """What the parts so far have; one is left after `Tally.settle`."""
    ledgers: list[LedgerFacts]
    """What was tolerated in the parts so far; one is left after `Tally.settle`."""
    rows: Mapping[str, list[CountTable]]
    """Rows of counts by metric, one for each unit: tables to be put one below the other."""
    evidence: EvidencePart | EvidenceSum | None = None
    """Errors and breakdowns of parts; None if none are kept, and for a text that is scored as a whole."""
    comparison: Comparison | None = None
    """The comparison of a text that is scored as a whole: errors are found in it when they are asked for."""

    @property
    def census(self) -> Census:
        """What the system has in all parts, once they are added up."""
        [census] = self.censuses
        return census

    @property
    def ledger(self) -> LedgerFacts:
        """What was tolerated in all parts, once they are added up."""
        [ledger] = self.ledgers
        return ledger

    def add(self, part: SystemTally, numbers: IntArray, before: int) -> None:
        """Add the next part; `numbers` are those of its units in the text, which had `before` units so far."""
        self.censuses += part.censuses
        self.ledgers += part.ledgers
        starts = np.flatnonzero(np.append(True, np.diff(numbers) > 0))
        for name, [table] in part.rows.items():
            rows, new = self.rows[name], sum_groups(table, starts)
            if numbers[0] < before:  # the last unit continues
                rows[-1][-1] += new[0]
                new = new[1:]
            if len(new):
                rows.append(new)
        if part.evidence is not None:
            self.begin_sum(before).add(cast("EvidencePart", part.evidence), numbers)

    def table(self, metric: str) -> CountTable:
        """Return all rows of a metric as one table."""
        return np.concatenate(self.rows[metric])

    def merge_units(self, before: int) -> None:
        """Make one unit of each pair of neighbours among the `before` units."""
        for metric, rows in self.rows.items():
            rows[:] = [sum_groups(self.table(metric), np.arange(0, before, 2))]
        if self.evidence is not None:
            self.begin_sum(before).merge_units(2)

    def begin_sum(self, n_units: int) -> EvidenceSum:
        """Return the evidence as a sum that can be added to; `n_units` are the units so far."""
        from evalign.scoring.evidence_sum import EvidenceSum

        if not isinstance(self.evidence, EvidenceSum):
            first, self.evidence = cast("EvidencePart", self.evidence), EvidenceSum()
            self.evidence.add(first, np.arange(n_units))
        return self.evidence


@dataclass(eq=False)
class Tally:
    """All that is known of a text, or of a part of it."""

    units: UnitTable
    golds: list[Census]
    """What gold has in the parts so far; one is left after `settle`."""
    systems: Sequence[SystemTally]
    fields: FieldTable | None = None
    """Values of comments of gold's documents, if evidence of parts is kept."""
    n_bounded: int = 0
    """Number of searches for displaced text that ended at the window."""

    def add(self, part: Tally, most_units: int) -> None:
        """Add the tally of the next part in the text; above `most_units` stretches, neighbours are merged."""
        before = self.units.size
        numbers = self.units.add(part.units)
        for system, of_part in zip(self.systems, part.systems, strict=True):
            system.add(of_part, numbers, before)
        if self.fields is not None and part.fields is not None:
            self.fields.add(part.fields, numbers)
        self.n_bounded += part.n_bounded
        self.golds += part.golds
        if len(self.golds) >= _MOST_WAITING:
            self.settle()
        self.merge_units(most_units)

    def merge_units(self, most: int) -> None:
        """Make one unit of each pair of neighbouring stretches, while there are more than `most`."""
        while self.units.kind == "stretch" and self.units.size > most:
            before = self.units.size
            self.units.merge()
            for system in self.systems:
                system.merge_units(before)

    @property
    def gold(self) -> Census:
        """What gold has in all parts, once they are added up."""
        [census] = self.golds
        return census

    def settle(self) -> None:
        """Add up the censuses and ledgers of all parts so far."""
        if len(self.golds) == 1:
            return
        self.golds = [join_censuses(self.golds)]
        for system in self.systems:
            system.censuses = [join_censuses(system.censuses, self.golds[0])]
            system.ledgers = [join_ledger_facts(system.ledgers)]

    @property
    def wrongly_empty(self) -> tuple[frozenset[str], ...]:
        """Per system, the columns that both sides fill; empty if every part was compared with all of them.

        A part whose words all have `_` in a column cannot know that other parts fill it. If the value is not
        empty, it is the one for `Assumptions.filled`, and the run must start again.
        """
        sums = [system.begin_sum(self.units.size) for system in self.systems if system.evidence is not None]
        return tuple(each.columns for each in sums) if any(each.wrongly_empty for each in sums) else ()
