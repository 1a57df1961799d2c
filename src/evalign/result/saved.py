"""Results as JSON, and back (docs/json.md, docs/result.schema.json)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypedDict

import numpy as np

from evalign import __version__
from evalign.errors import InputError, Place
from evalign.layers import LAYERS, Mismatch
from evalign.result.ledger import Ledger, LedgerRule
from evalign.result.scores import Score
from evalign.result.systems import SPAN_METRICS, SystemResult

# Errors kept per metric in a saved result; the counts by kind are always whole.
MOST_EVIDENCE = 200
SCHEMA = 1


class SavedRule(TypedDict):
    """A rule of the ledger."""

    gold: int
    system: int
    places: list[str]


class SavedSubstitution(TypedDict):
    """What was written otherwise."""

    gold: str
    system: str
    count: int


class SavedLedger(TypedDict):
    """What was tolerated."""

    equal: int
    rewritten: int
    gold_only: int
    system_only: int
    rules: dict[str, SavedRule]
    blocks: dict[str, int]
    substitutions: list[SavedSubstitution]
    same_place_other_text: dict[str, int]
    reordered: int


class SavedError(TypedDict):
    """One error."""

    kind: str
    trigger: str | None
    gold: list[str]
    system: list[str]
    gold_place: str | None
    system_place: str | None
    start: int | None
    before: str
    after: str


class SavedEvidence(TypedDict):
    """The first errors of a metric, and how many there are."""

    total: int
    kept: int
    kinds: dict[str, int]
    errors: list[SavedError]


class SavedUnits(TypedDict):
    """Integers of a metric: a row per unit; none where the metric was not available."""

    fields: list[str]
    average: str
    available: bool
    rows: list[list[int]]


class SavedSystem(TypedDict, total=False):
    """One system; `units` and `evidence` only where the whole result was saved."""

    name: str
    scores: dict[str, dict[str, float | int | None]]
    ledger: SavedLedger
    signature: str
    units: dict[str, SavedUnits]
    evidence: dict[str, SavedEvidence]


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


def result_json(gold: str, systems: Sequence[SystemResult], *, whole: bool) -> SavedResult:
    """Scores of all systems; with the rows of their units and evidence if `whole`."""
    saved = [system_json(system, whole=whole) for system in systems]
    return SavedResult(schema=SCHEMA, version=__version__, gold=gold, systems=saved)


def load_parts(
    path: str | os.PathLike[str],
) -> tuple[str, tuple[SystemResult, ...], str, list[str], tuple[str, ...]]:
    """What a saved result is made of: gold, systems, kind and names of units, warnings."""
    place = Place(os.fspath(path))
    advice = "save one: evalign score ... -o run.json"
    try:
        saved: SavedResult = json.loads(Path(path).read_text(encoding="utf-8"))
        if saved.get("schema") != SCHEMA or "unit" not in saved:
            found = f"schema {saved['schema']}" if saved.get("schema", SCHEMA) != SCHEMA else "no units"
            raise InputError(place, found, f"a saved result of schema {SCHEMA}", advice)
        unit, systems = saved["unit"], tuple(map(load_system, saved["systems"]))
        return saved["gold"], systems, unit["kind"], unit["names"], tuple(saved["warnings"])
    except OSError as error:
        found = f"cannot be read ({error.strerror})"
        raise InputError(place, found, "a saved result", advice) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        found = f"no saved result ({type(error).__name__}: {error})"
        raise InputError(place, found, "JSON that evalign saved", advice) from None


def system_json(system: SystemResult, *, whole: bool) -> SavedSystem:
    """A system's scores; with its units and evidence if `whole`."""
    saved = SavedSystem(
        name=system.name,
        scores={name: score.to_json() for name, score in system.scores.items()},
        ledger=_ledger_json(system.ledger),
        signature=system.signature,
    )
    if whole:
        saved["units"] = {
            name: SavedUnits(
                fields=list(s.layer.fields),
                average=s.average,
                available=s.available,
                rows=s.units.tolist() if s.available else [],
            )
            for name, s in system.scores.items()
        }
        saved["evidence"] = {m: _evidence_json(system, m) for m in SPAN_METRICS if m in system.scores}
    return saved


def _ledger_json(ledger: Ledger) -> SavedLedger:
    return SavedLedger(
        equal=ledger.equal,
        rewritten=ledger.rewritten,
        gold_only=ledger.gold_only,
        system_only=ledger.system_only,
        rules={
            name: SavedRule(gold=rule.gold, system=rule.system, places=list(rule.places))
            for name, rule in ledger.rules.items()
        },
        blocks=dict(ledger.blocks),
        substitutions=[SavedSubstitution(gold=a, system=b, count=n) for a, b, n in ledger.substitutions],
        same_place_other_text=dict(ledger.same_place_other_text),
        reordered=ledger.reordered,
    )


def _evidence_json(system: SystemResult, metric: str) -> SavedEvidence:
    kinds = dict(system.evidence.kinds(metric))
    kept = [error_json(mismatch) for mismatch in islice(system.evidence.mismatches(metric), MOST_EVIDENCE)]
    return SavedEvidence(total=sum(kinds.values()), kept=len(kept), kinds=kinds, errors=kept)


def error_json(mismatch: Mismatch) -> SavedError:
    """One error as JSON."""
    return SavedError(
        kind=mismatch.kind,
        trigger=mismatch.trigger or None,
        gold=list(mismatch.gold),
        system=list(mismatch.system),
        gold_place=str(mismatch.gold_place) if mismatch.gold_place else None,
        system_place=str(mismatch.system_place) if mismatch.system_place else None,
        start=mismatch.start,
        before=mismatch.before,
        after=mismatch.after,
    )


@dataclass(frozen=True, slots=True)
class KeptEvidence:
    """The errors a saved result kept."""

    counted: Mapping[str, Mapping[str, int]]
    kept: Mapping[str, Sequence[Mismatch]]

    def kinds(self, metric: str) -> Mapping[str, int]:
        """How many errors there were of each kind, kept or not."""
        return self.counted.get(metric, {})

    def mismatches(self, metric: str) -> Iterator[Mismatch]:
        """The errors that were kept."""
        return iter(self.kept.get(metric, ()))


def load_system(saved: SavedSystem) -> SystemResult:
    """A system from the whole result it was saved in."""
    scores = {}
    for name, units in saved["units"].items():
        layer = LAYERS[name]
        rows = np.array(units["rows"], np.int64).reshape(-1, len(layer.fields))
        scores[name] = Score(layer, rows, units["average"], units.get("available", True))
    evidence = saved["evidence"].items()
    kept = {metric: [_load_error(metric, error) for error in found["errors"]] for metric, found in evidence}
    return SystemResult(
        saved["name"],
        scores,
        _load_ledger(saved["ledger"]),
        saved["signature"],
        KeptEvidence({metric: found["kinds"] for metric, found in evidence}, kept),
    )


def _load_ledger(saved: SavedLedger) -> Ledger:
    rules = {n: LedgerRule(r["gold"], r["system"], tuple(r["places"])) for n, r in saved["rules"].items()}
    return Ledger(
        saved["equal"],
        saved["rewritten"],
        saved["gold_only"],
        saved["system_only"],
        rules,
        saved["blocks"],
        tuple((s["gold"], s["system"], s["count"]) for s in saved["substitutions"]),
        saved["same_place_other_text"],
        saved["reordered"],
    )


def _load_error(metric: str, saved: SavedError) -> Mismatch:
    return Mismatch(
        metric,
        saved["kind"],
        tuple(saved["gold"]),
        tuple(saved["system"]),
        _load_place(saved["gold_place"]),
        _load_place(saved["system_place"]),
        saved["start"],
        saved["before"],
        saved["after"],
        saved["trigger"] or "",
    )


def _load_place(text: str | None) -> Place | None:
    if text is None:
        return None
    path, _, lineno = text.rpartition(":")
    return Place(path, int(lineno)) if path and lineno.isdigit() else Place(text)
