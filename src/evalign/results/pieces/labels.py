"""Breakdowns of parts joined: counts per label, and per unit as long as there are few enough of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from evalign.document import IntArray
from evalign.metrics import LABEL_FIELDS, Counts
from evalign.metrics.errors import BREAKDOWNS, FREQUENCIES, Grouped, find_bins, sort_labels
from evalign.results.evidence import MOST_LABELLED_UNITS
from evalign.results.pieces.piece import FormRows
from evalign.results.pieces.sums import GroupSums, RowSums, add_up

FREQUENCY = "frequency"
# Forms of tokens that are told apart. How often a form is in gold is known at the end: of a text with more of them there
# is no breakdown by frequency.
MOST_FORMS = 2_000_000
# Forms by unit; if there are more, frequencies are not counted by unit.
MOST_FORM_ROWS = 1_000_000


def _in_one(units: IntArray) -> IntArray:
    """All units as one."""
    return np.zeros_like(units)


class JoinedForms:
    """Tokens by unit and form."""

    def __init__(self) -> None:
        self._sums = RowSums(2, len(LABEL_FIELDS))
        self.is_by_unit = True
        self.is_complete = True
        """Whether every form was counted; there may be too many."""

    def add(self, forms: FormRows, units: IntArray) -> None:
        """Add those of the next part."""
        if self.is_complete:
            self._sums.add([units[forms.units], forms.hashes], forms.rows)
            self._make_room()

    def change_units(self, change: Callable[[IntArray], IntArray]) -> None:
        """Other numbers of units."""
        self._sums.change(lambda keys: [change(keys[0]), keys[1]])

    def leave_units(self) -> None:
        """Count in the whole text alone."""
        self.is_by_unit = False
        self.change_units(_in_one)

    def _make_room(self) -> None:
        most = MOST_FORM_ROWS if self.is_by_unit else MOST_FORMS
        if self._sums.size <= most or len(self._sums) <= most:
            return
        if self.is_by_unit:
            self.leave_units()
        if len(self._sums) > MOST_FORMS:
            self.is_complete = False
            self._sums = RowSums(2, len(LABEL_FIELDS))

    def grouped(self) -> Grouped:
        """Tokens by how often their form is in gold."""
        (units, hashes), rows = self._sums.rows()
        (known,), sums, _ = add_up([hashes], rows)
        bins = find_bins(sums[:, LABEL_FIELDS.index("gold")])
        found = bins[np.searchsorted(known, hashes)] if len(known) else hashes
        (units, found), rows, _ = add_up([units, found], rows)
        breakdown = BREAKDOWNS[FREQUENCY]
        return Grouped(FREQUENCIES, units, found, {breakdown.metric: rows}, breakdown.source)


class JoinedLabels:
    """All breakdowns."""

    def __init__(self) -> None:
        self._kinds: dict[str, GroupSums] | None = None
        self._forms: JoinedForms | None = JoinedForms()
        self.is_by_unit = True

    def add(self, labels: Mapping[str, Grouped], forms: FormRows | None, units: IntArray) -> None:
        """Add those of the next part, given the number that each of its units has in the whole."""
        if self.is_by_unit and units.max(initial=0) >= MOST_LABELLED_UNITS:
            self.leave_units()
        units = units if self.is_by_unit else _in_one(units)
        if self._kinds is None:
            self._kinds = {kind: GroupSums(grouped) for kind, grouped in labels.items()}
        # What a part has not the whole has not.
        self._kinds = {kind: sums for kind, sums in self._kinds.items() if kind in labels}
        for kind, sums in self._kinds.items():
            sums.add(labels[kind], units)
        if forms is None:
            self._forms = None
        elif self._forms is not None:
            self._forms.add(forms, units)

    def leave_units(self) -> None:
        """Count in the whole text alone: a saved result has no labels of so many units."""
        self.is_by_unit = False
        for sums in (self._kinds or {}).values():
            sums.change_units(_in_one)
        if self._forms is not None:
            self._forms.leave_units()

    def change_units(self, change: Callable[[IntArray], IntArray]) -> None:
        """Other numbers of units."""
        if self.is_by_unit:
            for sums in (self._kinds or {}).values():
                sums.change_units(change)
            if self._forms is not None and self._forms.is_by_unit:
                self._forms.change_units(change)

    def breakdowns(self) -> tuple[dict[str, dict[str, Counts]], dict[str, Grouped]]:
        """Counts per label by kind; and by unit those kinds of which that is kept."""
        counts: dict[str, dict[str, Counts]] = {}
        by_unit: dict[str, Grouped] = {}
        for kind in BREAKDOWNS:
            if self._kinds is not None and kind in self._kinds:
                totals = {label: Counts(*row) for label, row in self._kinds[kind].totals().items()}
                names = sort_labels(totals, kind)
                counts[kind] = {label: totals[label] for label in names}
                if self.is_by_unit:
                    by_unit[kind] = self._kinds[kind].grouped(names)
            elif kind == FREQUENCY and self._forms is not None and self._forms.is_complete:
                found = self._forms.grouped()
                counts[kind] = _add_up_bins(found)
                if self.is_by_unit and self._forms.is_by_unit:
                    by_unit[kind] = found
        return counts, by_unit


def _add_up_bins(found: Grouped) -> dict[str, Counts]:
    (rows,) = found.tables.values()
    numbers, sums, _ = add_up([found.groups], rows)
    names = [FREQUENCIES[number] for number in numbers[0].tolist()]
    return {name: Counts(*row) for name, row in zip(names, sums.tolist(), strict=True) if row[1] or row[2]}
