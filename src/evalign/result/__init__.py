"""Results: counts per unit, what was tolerated, and which number this is.

A `Result` is all that reports and later comparisons need; they never open a document again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from evalign import __version__
from evalign.errors import InputError, Place
from evalign.layers import Mismatch
from evalign.result.files import write_whole
from evalign.result.ledger import Ledger, LedgerRule
from evalign.result.saved import SavedSystem, error_json, load_system, score_json, system_json
from evalign.result.scores import Score
from evalign.result.systems import SPAN_METRICS, Evidence, SystemResult

__all__ = [
    "SPAN_METRICS",
    "Evidence",
    "Ledger",
    "LedgerRule",
    "Result",
    "Score",
    "SystemResult",
    "error_json",
    "score_json",
    "write_whole",
]

SCHEMA = 1


class SavedUnit(TypedDict):
    """What counts were kept by."""

    kind: str
    names: list[str]


class SavedResult(TypedDict, total=False):
    """A result as JSON; `unit` and `warnings` only where it was saved whole."""

    schema: int
    version: str
    gold: str
    systems: list[SavedSystem]
    unit: SavedUnit
    warnings: list[str]


@dataclass(frozen=True, eq=False)
class Result:
    """Gold and what the systems scored against it."""

    gold: str
    systems: tuple[SystemResult, ...]
    unit_kind: str
    """What counts are kept by: "document", "stretch", "sentence" or "whole"."""
    unit_names: Sequence[str]
    warnings: tuple[str, ...] = ()

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

    def to_json(self, *, whole: bool = False) -> SavedResult:
        """The scores, as `--format json` prints them; with units and evidence if `whole`, as `-o` saves them."""
        systems = [system_json(system, whole=whole) for system in self.systems]
        saved = SavedResult(schema=SCHEMA, version=__version__, gold=self.gold, systems=systems)
        if whole:
            saved["unit"] = SavedUnit(kind=self.unit_kind, names=list(self.unit_names))
            saved["warnings"] = list(self.warnings)
        return saved

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the whole result to a file, or nothing at all."""
        write_whole(path, json.dumps(self.to_json(whole=True), ensure_ascii=False, allow_nan=False) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """A result that was saved; its errors are those kept as evidence."""
        place = Place(os.fspath(path))
        advice = "save one: evalign score ... -o run.json"
        try:
            saved: SavedResult = json.loads(Path(path).read_text(encoding="utf-8"))
            if saved.get("schema") != SCHEMA or "unit" not in saved:
                found = f"schema {saved['schema']}" if saved.get("schema", SCHEMA) != SCHEMA else "no units"
                raise InputError(place, found, f"a saved result of schema {SCHEMA}", advice)
            unit, warnings = saved["unit"], tuple(saved["warnings"])
            systems = tuple(map(load_system, saved["systems"]))
            return cls(saved["gold"], systems, unit["kind"], unit["names"], warnings)
        except OSError as error:
            found = f"cannot be read ({error.strerror})"
            raise InputError(place, found, "a saved result", advice) from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            found = f"no saved result ({type(error).__name__}: {error})"
            raise InputError(place, found, "JSON that evalign saved", advice) from None
