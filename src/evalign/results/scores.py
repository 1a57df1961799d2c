"""A score: integers per unit, and the ratios taken of their sum."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evalign.errors import CommandError, quote, suggest
from evalign.metrics import CountTable, Layer, add_misses, find_name


@dataclass(frozen=True, eq=False)
class Score:
    """One metric of one system: integers, the ratios taken of them, and the rows they are sums of."""

    layer: Layer
    units: CountTable
    average: str = "micro"
    available: bool = True
    """False where the documents have nothing to judge: then no number means anything."""

    def __repr__(self) -> str:
        if not self.available:
            return f"<Score {self.name!r}: not available>"
        value = self.value
        return (
            f"<Score {self.name!r}: {self.layer.headline} {'undefined' if value is None else f'{value:.4f}'}>"
        )

    def __str__(self) -> str:
        """All numbers in a small table."""
        from evalign.results.display import render_text, score_table

        return render_text(score_table(self.layer, self.to_dict()))

    @property
    def name(self) -> str:
        """Name of the metric."""
        return self.layer.name

    @property
    def counts(self) -> Mapping[str, int]:
        """Sums over all units, by name."""
        return dict(zip(self.layer.fields, self.units.sum(axis=0).tolist(), strict=True))

    @property
    def all_counts(self) -> Mapping[str, int | None]:
        """The sums and what follows from them, false positives and negatives of spans; all None if not available."""
        found = add_misses(self.counts)
        return found if self.available else dict.fromkeys(found)

    @property
    def ratios(self) -> Mapping[str, float | None]:
        """Ratios from 0 to 1, None where there is nothing to judge."""
        if not self.available:
            return dict.fromkeys(self.layer.ratios(self.counts))
        if self.average == "micro":
            return self.layer.ratios(self.counts)
        rows = [
            self.layer.ratios(dict(zip(self.layer.fields, row, strict=True))) for row in self.units.tolist()
        ]
        names = self.layer.ratios(self.counts)
        return {name: mean([row[name] for row in rows]) for name in names}

    @property
    def value(self) -> float | None:
        """The ratio that stands for the metric, F1 for spans."""
        return self.ratios[self.layer.headline]

    def __getitem__(self, name: str) -> float | int | None:
        found = {**self.all_counts, **self.ratios}
        known = [*found]
        measure = find_name(name, known)
        if measure in found:
            return found[measure]
        msg = f"{self.name} has no {quote(name)}"
        raise CommandError(msg, *suggest(name, known))

    @property
    def correct(self) -> int:
        """Correct spans."""
        return self._count("correct")

    @property
    def gold(self) -> int:
        """Gold spans."""
        return self._count("gold")

    @property
    def system(self) -> int:
        """System spans."""
        return self._count("system")

    @property
    def false_positives(self) -> int:
        """System spans that are not correct."""
        return self._count("false_positives")

    @property
    def false_negatives(self) -> int:
        """Gold spans that were not found."""
        return self._count("false_negatives")

    @property
    def precision(self) -> float | None:
        """Correct over system spans."""
        return self._ratio("precision")

    @property
    def recall(self) -> float | None:
        """Correct over gold spans."""
        return self._ratio("recall")

    @property
    def f1(self) -> float | None:
        """2 correct / (gold + system)."""
        return self._ratio("f1")

    @property
    def aligned_accuracy(self) -> float | None:
        """Correct over aligned words."""
        return self._ratio("aligned_accuracy")

    def _count(self, name: str) -> int:
        return self.counts[name] if name in self.layer.fields else int(self[name] or 0)

    def _ratio(self, name: str) -> float | None:
        ratios = self.ratios
        return ratios[name] if name in ratios else self[name]

    def to_dict(self) -> dict[str, float | int | None]:
        """Counts and ratios, None if not available; `in_place` and `same_text` only where they differ."""
        found: dict[str, float | int | None] = dict(self.all_counts)
        if found.get("in_place") == found.get("same_text"):
            found.pop("in_place", None)
            found.pop("same_text", None)
        return {**found, **self.ratios}

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled with the name of the metric: what a layer counts is code."""
        return restore, (self.name, self.layer.fields, self.units, self.average, self.available)

    def _repr_html_(self) -> str:
        """A table for notebooks."""
        from evalign.results.display import render_html, score_table

        return render_html(score_table(self.layer, self.to_dict()))


def restore(name: str, fields: tuple[str, ...], units: CountTable, average: str, available: bool) -> Score:  # noqa: FBT001
    """The score that was pickled."""
    from evalign.metrics import find_layer

    return Score(find_layer(name, fields), units, average, available)


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the values that are defined, whatever their order: one that is added last weighs what the first does.

    >>> mean([0.1, 0.2, 0.3]) == mean([0.3, 0.2, 0.1]), mean([None])
    (True, None)
    """
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None
