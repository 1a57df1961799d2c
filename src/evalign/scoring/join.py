"""Add the tallies of parts, in text order, and make the result of the whole text.

`run` adds each `PartTally` to a `Joiner` and then takes its `result`. Rows of counts are kept
for each unit. If a unit continues from one part into the next, its rows are added. Stretches (runs of
sentences between shared boundaries) are merged with their neighbours as soon as there are too many, so that
memory does not grow with the text; documents are never merged.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from evalign.document import IntArray
from evalign.errors import call
from evalign.metrics.census import find_size
from evalign.metrics.comparison import CountTable
from evalign.metrics.errors.sentence_groups import MOST_FIELDS
from evalign.results.evidence import KeptEvidence, load_groups
from evalign.results.result import Result
from evalign.results.system_result import CountsAlone, Evidence
from evalign.scoring.count import PartFields, PartTally
from evalign.scoring.evidence_sum import EvidenceSum
from evalign.scoring.metric_choice import available_metrics
from evalign.scoring.plan import PartsRequest
from evalign.scoring.signature import describe_units
from evalign.scoring.summary import Facts, Tables, join_facts, list_warnings, make_systems
from evalign.scoring.units import name_stretches

# Parts whose facts are kept before they are joined into one.
_MOST_FACTS = 32


class GrowingRows:
    """The rows of one metric and system, one for each unit of the text so far."""

    def __init__(self, rows: CountTable) -> None:
        self._tables = [rows]
        self._size = len(rows)

    def add(self, first: int, rows: CountTable) -> None:
        """Add rows for consecutive units, the first of which is number `first`.

        This is either the next new unit, or the last unit so far if that continues in this part.
        """
        if first < self._size:
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
        self._tables = [np.concatenate(self._tables)]
        return self._tables[0]


def sum_groups(rows: CountTable, starts: IntArray) -> CountTable:
    """Sum the rows from each start up to the next one; the last group goes to the end."""
    summed: CountTable = np.add.reduceat(rows, starts, axis=0)
    return summed


class GrowingUnits:
    """The units of the text in all parts added so far: their number, starts and names.

    `merged` is how many neighbouring stretches make one unit; it doubles when there are more than `most`
    units.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self.size = 0
        self.merged = 1
        self._stretches = 0
        self._starts: list[IntArray] = []
        self._sentences: list[IntArray] = []
        self._names: list[str] = []

    def add(self, tally: PartTally, length: int, sentences: int) -> IntArray:
        """Add the units of the next part; return, per unit of the part, its number in the whole text.

        `length` and `sentences` are the characters and sentences of gold before the part.
        """
        units = tally.units
        count = len(units.starts)
        if units.kind == "stretch":
            numbers = (self._stretches + np.arange(count)) // self.merged
            self._stretches += count
        else:
            numbers = np.arange(count) + self.size - (units.continues and self.size > 0)
        is_new = np.append(numbers[0] >= self.size, np.diff(numbers) > 0)
        self.size = int(numbers[-1]) + 1
        self._starts.append(units.starts[is_new] + length)
        self._sentences.append(units.sentences[is_new] + sentences)
        self._names += [units.names[k] for k in np.flatnonzero(is_new).tolist()] if units.names else ()
        return numbers

    @property
    def has_too_many(self) -> bool:
        """True if there are more stretches than may be kept, so that `merge` is due."""
        return self._stretches > 0 and self.size > self._most

    def merge(self) -> None:
        """Make one unit of each pair of neighbours."""
        self._starts, self._sentences = [self.starts[::2]], [np.concatenate(self._sentences)[::2]]
        self.size, self.merged = len(self._starts[0]), 2 * self.merged

    @property
    def starts(self) -> IntArray:
        """Characters of gold's line before each unit."""
        return np.concatenate(self._starts)

    @property
    def names(self) -> list[str]:
        """Names of the units: documents have their own, stretches are named by their first sentence."""
        return name_stretches(np.concatenate(self._sentences)) if self._stretches else self._names


class Joiner:
    """The sum of all tallies so far: a left fold over the parts in text order, finished by `result`."""

    def __init__(self, request: PartsRequest) -> None:
        self._request = request
        self._facts: list[Facts] = []
        self._units = GrowingUnits(request.most_units)
        self._rows: list[dict[str, GrowingRows]] = []
        self._evidence: list[EvidenceSum] = []
        self._fields = GrowingFields()
        self._kind = ""
        self._sentences = self._length = self._bounded = 0

    def add(self, tally: PartTally) -> None:
        """Add the tally of the next part in the text."""
        self._kind = tally.units.kind
        numbers = self._units.add(tally, self._length, self._sentences)
        self._sentences += tally.n_sentences
        self._length += tally.length
        self._bounded += tally.n_bounded
        self._add_rows(tally.tables, numbers)
        self._evidence = self._evidence or [EvidenceSum() for _ in tally.evidence]
        for joiner, evidence in zip(self._evidence, tally.evidence, strict=True):
            joiner.add(evidence, numbers)
        if tally.fields is not None:
            self._fields.add(tally.fields, numbers)
        while self._units.has_too_many:
            self._merge()
        self._facts.append(tally.facts)
        if len(self._facts) == _MOST_FACTS:
            self._facts = [join_facts(self._facts)]

    @property
    def wrongly_empty(self) -> tuple[frozenset[str], ...]:
        """Per system, the columns that both sides fill; empty if every part was compared with all of them.

        A part whose words all have `_` in a column cannot know that other parts fill it. If the value is not
        empty, it is the one for `Assumptions.filled`, and the run must start again.
        """
        if not any(joiner.wrongly_empty for joiner in self._evidence):
            return ()
        return tuple(joiner.columns for joiner in self._evidence)

    def _add_rows(self, tables: Sequence[Tables], numbers: IntArray) -> None:
        """Add the rows of each system and metric; `numbers` are the units of the rows in the whole text."""
        starts = np.flatnonzero(np.append(True, np.diff(numbers) > 0))
        first = int(numbers[0])
        if not self._rows:
            self._rows = [
                {name: GrowingRows(sum_groups(rows, starts)) for name, rows in by_metric.items()}
                for by_metric in tables
            ]
            return
        for kept, by_metric in zip(self._rows, tables, strict=True):
            for name, rows in by_metric.items():
                kept[name].add(first, sum_groups(rows, starts))

    def _merge(self) -> None:
        """Make one unit of each pair of neighbours, wherever rows or names are kept by unit."""
        self._units.merge()
        for kept in self._rows:
            for rows in kept.values():
                rows.merge()
        for joiner in self._evidence:
            joiner.merge_units(2)

    def result(self) -> Result:
        """Make the result of the whole text from all tallies that were added.

        The available metrics are chosen only now, as one part may fill a column that another leaves empty.
        """
        facts = join_facts(self._facts)
        options = self._request.options
        metrics = available_metrics(options, *facts.documents)
        tables = [{name: rows.table() for name, rows in kept.items()} for kept in self._rows]
        units = self._units
        shown = {metric.name for metric in metrics}
        evidence: list[Evidence] = [_drop_hidden_groups(joiner.result(), shown) for joiner in self._evidence]
        unit_words = describe_units(self._kind, units.size, units.merged), units.size
        evidence = evidence or [CountsAlone()] * len(tables)
        systems = make_systems(facts, tables, unit_words, metrics, options, evidence)
        warnings = list_warnings(facts, [system.ledger for system in systems], metrics, options)
        if self._bounded:
            window = self._request.window
            warnings += (_warn_of_window(window, self._bounded),)
            systems = tuple(replace(each, signature=f"{each.signature}|window:{window}") for each in systems)
        fields = self._fields.result(units.size) if self._kind == "document" else {}
        result = Result(
            facts.gold.name,
            systems,
            self._kind,
            units.names,
            warnings,
            units.starts.tolist(),
            self._length,
            fields,
            find_size(facts.gold),
        )
        for by in self._request.by:
            result.check_split(by)
        return result


def _warn_of_window(window: int | None, times: int) -> str:
    return (
        f"searches that ended at the window of {window:,} characters: {times:,}; "
        "text displaced further counts as missing and extra "
        f"(a larger window: {call('window=N', '<window> N')})"
    )


def _drop_hidden_groups(evidence: KeptEvidence, metrics: Collection[str]) -> KeptEvidence:
    """Drop the sentence groups of all but `metrics`.

    Parts also count metrics that the result does not show.
    """
    groups = {}
    for by, grouped in evidence.tables.groups.items():
        counts = load_groups(grouped)
        groups[by] = replace(
            counts,
            tables={name: table for name, table in counts.tables.items() if name in metrics},
            left_out={name: why for name, why in counts.left_out.items() if name in metrics},
        )
    return replace(evidence, tables=evidence.tables._replace(groups=groups))


class GrowingFields:
    """The values that comments give for documents, of all parts so far."""

    def __init__(self) -> None:
        self._values: dict[str, dict[int, str]] = {}
        self._others: set[str] = set()
        self._long: set[str] = set()

    def add(self, fields: PartFields, numbers: IntArray) -> None:
        """Add the values of a part, whose units have these `numbers` in the whole text.

        The first value of a unit stays.
        """
        self._others |= fields.others
        self._long |= fields.long
        for key, values in fields.values.items():
            if key in self._others:
                continue
            by_unit = self._values.setdefault(key, {})
            for number, value in zip(numbers.tolist(), values, strict=True):
                if value:
                    by_unit.setdefault(number, value)

    def result(self, size: int) -> Mapping[str, list[str]]:
        """Return the comments that describe documents: for each key a value per unit, "" if it has none.

        `size` is the number of units. The first `MOST_FIELDS` keys stay, without those that have overlong values.
        """
        of_documents = [key for key in self._values if key not in self._others][:MOST_FIELDS]
        return {
            key: [self._values[key].get(number, "") for number in range(size)]
            for key in of_documents
            if key not in self._long
        }
