"""`Tally`: all that is known of a counted text, or of a part and the parts before it, added in text order.

`count` makes the tally of a part, `run` adds those of all parts, and `finish` makes the result of the sum. A
text that is scored as a whole has one tally, and nothing is added. Rows of counts are kept for each unit. If
a unit continues from one part into the next, its rows are added. Stretches are merged with their neighbours
as soon as there are too many, so that memory does not grow with the text; documents are never merged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

import numpy as np

from evalign.document import Breaks, Document, IntArray
from evalign.metrics.census import Census, join_censuses
from evalign.metrics.comparison import Comparison, CountTable, Units
from evalign.scoring.ledger import LedgerFacts, join_ledger_facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.alignment.raw_map import RawMap
    from evalign.scoring.evidence_part import EvidencePart
    from evalign.scoring.evidence_sum import EvidenceSum

# Units: the stretches of gold that each row of counts is kept for, and the values of comments on them. Rows of
# counts by unit are what significance tests resample.


def name_stretches(starts: IntArray) -> list[str]:
    """Name stretches by their first sentences; `starts` counts sentences from 0, names count from 1."""
    return [f"from sentence {k + 1}" for k in starts.tolist()]


def describe_units(kind: str, n: int, merged: int = 1) -> str:
    """Describe units in a signature: their kind and number, and how many stretches were merged into one.

    >>> describe_units("stretch", 1200, 2)
    'stretch(1200)x2'
    """
    return f"{kind}({n})" + (f"x{merged}" if merged > 1 else "")


class UnitTable:
    """The units of a text, or of a part and all parts before it: their number, starts and names."""

    def __init__(self, gold: Document, units: Units, *, continues: bool = False) -> None:
        self.kind, self.merged = units.kind, units.merged
        """What the units are; and how many neighbouring stretches make one of them."""
        self.continues = continues
        """True if the first unit of a part is the last one of the part before it, if there is such a part."""
        self.n_sentences, self.length = gold.n_sentences, len(gold.line)
        """Sentences and characters of gold in all units."""
        self.size = self._stretches = len(units)
        self._starts: list[IntArray] = [gold.cuts[units.tokens]]
        self._sentences: list[IntArray] = [np.searchsorted(gold.sentences, units.tokens)]
        self._names = list(units.names)

    def add(self, part: UnitTable) -> IntArray:
        """Add the units of the next part; return, per unit of the part, its number in the whole text."""
        if self.kind == "stretch":
            numbers = (self._stretches + np.arange(part.size)) // self.merged
            self._stretches += part.size
        else:
            numbers = np.arange(part.size) + self.size - part.continues
        is_new = np.append(numbers[0] >= self.size, np.diff(numbers) > 0)
        self.size = int(numbers[-1]) + 1
        self._starts.append(part.starts[is_new] + self.length)
        self._sentences.append(part.sentences[is_new] + self.n_sentences)
        self._names += [part._names[k] for k in np.flatnonzero(is_new).tolist()]
        self.n_sentences += part.n_sentences
        self.length += part.length
        return numbers

    def merge(self) -> None:
        """Make one unit of each pair of neighbouring stretches."""
        starts, sentences = self.starts[::2], self.sentences[::2]
        self._starts, self._sentences = [starts], [sentences]
        self.size, self.merged = len(starts), 2 * self.merged

    def describe(self) -> str:
        """Describe the units as in a signature."""
        return describe_units(self.kind, self.size, self.merged)

    @property
    def starts(self) -> IntArray:
        """Characters of gold's line before each unit."""
        return np.concatenate(self._starts)

    @property
    def sentences(self) -> IntArray:
        """Sentences of gold before each unit."""
        return np.concatenate(self._sentences)

    @property
    def names(self) -> Sequence[str]:
        """Names of the units: documents have their own, stretches are named by their first sentence."""
        return name_stretches(self.sentences) if self.kind == "stretch" else self._names


NAME = "newdoc id"


@dataclass
class FieldTable:
    """The values that comments of gold give for each unit, such as `# genre = news` above a document."""

    values: dict[str, dict[int, str]] = field(default_factory=dict)
    """By key, the value of each unit that has one, by number of the unit."""
    others: set[str] = field(default_factory=set)
    """Keys that also stand above sentences inside documents, and so describe sentences."""
    long: set[str] = field(default_factory=set)
    """Keys with a value longer than `LONGEST_VALUE`."""

    @classmethod
    def find(cls, gold: Document, documents: Breaks, units: Units) -> FieldTable:
        """Find the comments above the first sentences of documents.

        Where units are sentences, each has the values of its document, and the document's name as `newdoc id`.
        """
        from evalign.metrics.errors.sentence_groups import LONGEST_VALUE

        found = cls()
        firsts = documents.sentences
        sentences = np.searchsorted(gold.sentences, units.tokens)
        # Per unit the document that it is or is in; -1 for sentences before the first document.
        owners = (np.searchsorted(firsts, sentences, side="right") - 1).tolist()
        begins = [int(firsts[owner]) if owner >= 0 else 0 for owner in owners]
        if units.kind == "sentence":
            found.values[NAME] = {
                unit: documents.names[owner] for unit, owner in enumerate(owners) if owner >= 0
            }
        for key in gold.comments.keys if gold.comments is not None else ():
            above = gold.comments.values(key) if gold.comments is not None else {}
            if not above.keys() <= set(firsts.tolist()):
                found.others.add(key)
                continue
            found.values[key] = {unit: above[begin] for unit, begin in enumerate(begins) if above.get(begin)}
            if any(len(value) > LONGEST_VALUE for value in above.values()):
                found.long.add(key)
        return found

    def add(self, part: FieldTable, numbers: IntArray) -> None:
        """Add the values of the next part, whose units have these `numbers` in the whole text.

        The first value of a unit stays.
        """
        self.others |= part.others
        self.long |= part.long
        for key, values in part.values.items():
            by_unit = self.values.setdefault(key, {})
            for unit, value in values.items():
                by_unit.setdefault(int(numbers[unit]), value)

    def by_key(self, size: int) -> Mapping[str, list[str]]:
        """Return for each key a value per unit, "" if it has none; `size` is the number of units.

        The first `MOST_FIELDS` keys stay, without those that have overlong values.
        """
        from evalign.metrics.errors.sentence_groups import MOST_FIELDS

        most = MOST_FIELDS + (NAME in self.values)
        kept = [key for key in self.values if key not in self.others][:most]
        return {
            key: [self.values[key].get(unit, "") for unit in range(size)]
            for key in kept
            if key not in self.long
        }


class UnitFields(Mapping[str, Sequence[str]]):
    """The values that comments of gold give for each unit, by key; looked up on first access.

    Every run makes this object, but few use its values.
    """

    def __init__(self, gold: Document, documents: Breaks, units: Units) -> None:
        self._gold, self._documents, self._units = gold, documents, units

    def __reduce__(self) -> tuple[type, tuple[Mapping[str, list[str]]]]:
        """Pickle the values as a dict, without the document."""
        return dict, (self._values,)

    def __getitem__(self, key: str) -> Sequence[str]:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    @cached_property
    def _values(self) -> Mapping[str, list[str]]:
        return FieldTable.find(self._gold, self._documents, self._units).by_key(len(self._units))


def find_documents(gold: Document, raw: RawMap | None) -> Breaks:
    """Return where gold's documents begin, and their names; if gold marks none, those of the raw files."""
    return gold.documents if len(gold.documents) or raw is None else raw.breaks or gold.documents


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
