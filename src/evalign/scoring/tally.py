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


class RowTable:
    """The rows of one metric and system, one for each unit of the text so far."""

    def __init__(self, rows: CountTable) -> None:
        self._tables = [rows]
        self._size = len(rows)

    def add(self, rows: CountTable, numbers: IntArray) -> None:
        """Add the rows of the next part, whose units have these `numbers` in the whole text.

        The first is the next new unit, or the last unit so far if that continues in this part.
        """
        starts = np.flatnonzero(np.append(True, np.diff(numbers) > 0))
        rows = sum_groups(rows, starts)
        if numbers[0] < self._size:
            self._tables[-1][-1] += rows[0]
            rows = rows[1:]
        if len(rows):
            self._tables.append(rows)
            self._size += len(rows)

    def merge(self) -> None:
        """Add up each pair of neighbouring rows; halves the number of rows."""
        self._tables = [sum_groups(self.table(), np.arange(0, self._size, 2))]
        self._size = len(self._tables[0])

    def table(self) -> CountTable:
        """Return all rows as one table."""
        if len(self._tables) > 1:
            self._tables = [np.concatenate(self._tables)]
        return self._tables[0]


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
    rows: Mapping[str, RowTable]
    """Rows of counts by metric."""
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
        for name, rows in part.rows.items():
            self.rows[name].add(rows.table(), numbers)
        if part.evidence is not None:
            self.begin_sum(before).add(cast("EvidencePart", part.evidence), numbers)

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
                for rows in system.rows.values():
                    rows.merge()
                if system.evidence is not None:
                    system.begin_sum(before).merge_units(2)

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
