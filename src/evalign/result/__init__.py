"""Results: counts per unit, what was tolerated, and which number this is.

A `Result` is all that reports and later comparisons need; they never open a document again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evalign.layers.kinds import MOST_PASSAGES, SPAN_METRICS, WORD_METRICS
from evalign.result.files import write_whole
from evalign.result.ledger import Ledger, LedgerRule
from evalign.result.scores import Score
from evalign.result.systems import Evidence, NoEvidence, SystemResult

__all__ = [
    "SPAN_METRICS",
    "WORD_METRICS",
    "Evidence",
    "Ledger",
    "LedgerRule",
    "NoEvidence",
    "Result",
    "Score",
    "SystemResult",
    "write_whole",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.layers import Counts, ErrorGroup, Mismatch
    from evalign.result.parts import Parts
    from evalign.result.saved import SavedResult


@dataclass(frozen=True, eq=False)
class Result:
    """Gold and what the systems scored against it."""

    gold: str
    systems: tuple[SystemResult, ...]
    unit_kind: str
    """What counts are kept by: "document", "stretch", "sentence" or "whole"."""
    unit_names: Sequence[str]
    warnings: tuple[str, ...] = ()
    unit_starts: Sequence[int] = ()
    """Where each unit begins on the gold line; nothing where that is not known."""
    length: int = 0
    """Characters of the gold line."""
    unit_fields: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    """What comments say of the units, a value for each and none where nothing is said: genre, source, year."""

    def __repr__(self) -> str:
        return f"<Result against {self.gold!r}: {list(self.systems)}>"

    def __getitem__(self, metric: str) -> Score:
        """A metric of the first system."""
        return self.systems[0][metric]

    @property
    def signature(self) -> str:
        """Which number this is: everything that could move it."""
        return self.systems[0].signature

    @property
    def ledger(self) -> Ledger:
        """What the first system's scores tolerated."""
        return self.systems[0].ledger

    def errors(self, metric: str) -> list[Mismatch]:
        """The first system's errors."""
        return self.systems[0].errors(metric)

    def error_groups(self, metric: str, *, examples: int = 3) -> list[ErrorGroup]:
        """The first system's errors by kind and by what was written, commonest first."""
        return self.systems[0].error_groups(metric, examples=examples)

    def breakdown(self, kind: str) -> Mapping[str, Counts]:
        """The first system's counts per relation, subtype, tag, xpos, feature, feature-value, label or frequency."""
        return self.systems[0].breakdown(kind)

    def split(self, by: str) -> Parts:
        """The result in parts, each with the units, or the share of them, that are of it (docs/breakdowns.md).

        By `document`, `genre`, `length` of gold sentences, `frequency` of forms, `label` or any other breakdown, the key
        of a comment of gold, or a regular expression that finds the group in the names of the units.
        """
        from evalign.result.grouped import split

        return split(self, by)

    def to_json(
        self, *, whole: bool = False, per: Sequence[str] = (), passages: int | None = MOST_PASSAGES
    ) -> SavedResult:
        """The scores and the breakdowns asked for, as `--format json` prints them.

        If `whole`, with units, evidence and all breakdowns, as `-o` saves them; of the passages with errors at most so
        many for each system, None for all.
        """
        from evalign.result.saved import SavedUnit, result_json

        saved = result_json(self.gold, self.systems, whole=whole, per=per, passages=passages)
        if whole:
            saved["unit"] = SavedUnit(kind=self.unit_kind, names=list(self.unit_names))
            if self.unit_starts:
                saved["unit"]["starts"] = list(self.unit_starts)
                saved["unit"]["length"] = self.length
            if self.unit_fields:
                saved["unit"]["fields"] = {key: list(values) for key, values in self.unit_fields.items()}
        saved["warnings"] = list(self.warnings)
        return saved

    def save(self, path: str | os.PathLike[str], *, passages: int | None = MOST_PASSAGES) -> None:
        """Write the whole result to a file, or nothing at all."""
        import json

        saved = self.to_json(whole=True, passages=passages)
        write_whole(path, json.dumps(saved, ensure_ascii=False, allow_nan=False) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """A result that was saved; its errors are those kept as evidence."""
        from evalign.result.saved import load_parts

        return cls(*load_parts(path))

    @classmethod
    def from_json(cls, saved: SavedResult) -> Result:
        """A result from what `to_json` gives of a whole one; its errors are those kept as evidence."""
        from evalign.result.saved import take_parts

        return cls(*take_parts(saved))
