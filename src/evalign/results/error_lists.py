"""Errors, groups of them and counts per label, as lists and dictionaries that print a line for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import SupportsIndex, TypeVar, overload

from evalign.metrics import Counts
from evalign.metrics.errors import NO_TEXT, ErrorGroup, Mismatch, group_sides, mismatch_sides
from evalign.results.display import render_html, render_text
from evalign.table import Table
from evalign.wording import name_ratio, percent

Item = TypeVar("Item")

# Rows that a notebook shows, and characters of what a side wrote in each.
MOST_ROWS, LONGEST_CELL = 100, 200


class _Lines(list[Item]):
    """A list that prints a line for each item, or why there is `nothing`; a slice of it does so, too."""

    __slots__ = ("nothing",)

    def __init__(self, items: Iterable[Item] = (), nothing: str = "no errors") -> None:
        super().__init__(items)
        self.nothing = nothing

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or self.nothing

    @overload
    def __getitem__(self, key: SupportsIndex) -> Item: ...
    @overload
    def __getitem__(self, key: slice) -> _Lines[Item]: ...
    def __getitem__(self, key: SupportsIndex | slice) -> Item | _Lines[Item]:
        if isinstance(key, slice):
            return type(self)(super().__getitem__(key), self.nothing)
        return super().__getitem__(key)


class Errors(_Lines[Mismatch]):
    """Errors in the order of the text: a list that prints a line for each, and is a table in a notebook."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        rows = []
        for error in self:
            around = " ".join(filter(None, (error.before, f"[{error.word}]" * bool(error.word), error.after)))
            place = error.gold_place or error.system_place
            rows.append(
                [error.kind, *mismatch_sides(error, LONGEST_CELL), error.trigger, around, str(place or "")]
            )
        return render_html(
            Table(["kind", "gold", "system", "trigger", "context", "place"], rows, "l" * 6), most=MOST_ROWS
        )


class ErrorGroups(_Lines[ErrorGroup]):
    """Groups of errors, most frequent first: a list that prints a line for each, and is a table in a notebook."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        rows = []
        for group in self:
            labels = [f"{group.count:,}", group.kind, group.trigger]
            share = "" if group.share is None else percent(group.share)
            rows.append([*labels, *group_sides(group, LONGEST_CELL), share, str(group.first_place or "")])
        headers = ["count", "kind", "trigger", "gold", "system", "% of gold words", "first place"]
        return render_html(Table(headers, rows, "rllllrl"), most=MOST_ROWS)


class Breakdown(dict[str, Counts]):
    """Counts per label: a dictionary that prints a line for each, and is a table in a notebook."""

    __slots__ = ("kind",)

    def __init__(self, kind: str, counts: Mapping[str, Counts]) -> None:
        super().__init__(counts)
        self.kind = kind

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled with its kind, which Python's own way for dictionaries leaves out."""
        return Breakdown, (self.kind, dict(self))

    def __str__(self) -> str:
        return render_text(self._table())

    def _repr_html_(self) -> str:
        return render_html(self._table())

    def _table(self) -> Table:
        """A row for each label."""
        ratios = ("precision", "recall", "f1")
        rows = []
        for label, counts in self.items():
            numbers = [f"{count:,}" for count in (counts.correct, counts.gold, counts.system)]
            rows.append([label or NO_TEXT, *(percent(getattr(counts, ratio)) for ratio in ratios), *numbers])
        return Table([self.kind, *map(name_ratio, ratios), "correct", "gold", "system"], rows)
