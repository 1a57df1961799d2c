"""Results: counts per unit, what was tolerated, and which number this is.

A `Result` is all that reports and later comparisons need; they never open a document again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evalign.layers.kinds import SPAN_METRICS, WORD_METRICS
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
        """The first system's counts per relation, subtype, tag, xpos, feature, feature-value or label."""
        return self.systems[0].breakdown(kind)

    def to_json(self, *, whole: bool = False, per: Sequence[str] = ()) -> SavedResult:
        """The scores and the breakdowns asked for, as `--format json` prints them.

        If `whole`, with units, evidence and all breakdowns, as `-o` saves them.
        """
        from evalign.result.saved import SavedUnit, result_json

        saved = result_json(self.gold, self.systems, whole=whole, per=per)
        if whole:
            saved["unit"] = SavedUnit(kind=self.unit_kind, names=list(self.unit_names))
        saved["warnings"] = list(self.warnings)
        return saved

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the whole result to a file, or nothing at all."""
        import json

        write_whole(path, json.dumps(self.to_json(whole=True), ensure_ascii=False, allow_nan=False) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """A result that was saved; its errors are those kept as evidence."""
        from evalign.result.saved import load_parts

        gold, systems, kind, names, warnings = load_parts(path)
        return cls(gold, systems, kind, names, warnings)
