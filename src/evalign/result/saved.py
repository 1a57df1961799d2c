"""Results as JSON, and back (docs/json.md, docs/result.schema.json)."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias, TypedDict

import numpy as np

from evalign import __version__
from evalign.errors import InputError, Place
from evalign.layers.kinds import METRICS_WITH_ERRORS, MOST_PASSAGES
from evalign.layers.located import Marks
from evalign.layers.naming import find_layer
from evalign.layers.passages import Passages
from evalign.layers.stages import Losses
from evalign.result.kept import (
    KeptEvidence,
    SavedCounts,
    SavedEvidence,
    Shown,
    breakdown_json,
    evidence_json,
    load_evidence,
)  # fmt: skip
from evalign.result.ledger import Ledger, LedgerRule
from evalign.result.scores import Score
from evalign.result.systems import NoEvidence, SystemResult
from evalign.result.tables import KeptTables, SavedTables, tables_json

SCHEMA = 1
# What to do about a file that is no saved result.
ADVICE = "save one: evalign score ... -o run.json"


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


class SavedFailures(TypedDict, total=False):
    """What the ledger has of trees."""

    failed_parses: SavedRule


class SavedLedger(SavedFailures):
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


class SavedUnits(TypedDict):
    """Integers of a metric: a row per unit; none where the metric was not available."""

    fields: list[str]
    average: str
    available: bool
    rows: list[list[int]]


class SavedSystem(SavedTables, total=False):
    """One system; `units` and `evidence` only where the whole result was saved, with all `breakdowns` there are."""

    name: str
    scores: dict[str, dict[str, float | int | None]]
    ledger: SavedLedger
    signature: str
    failure: str
    breakdowns: dict[str, dict[str, SavedCounts]]
    units: dict[str, SavedUnits]
    evidence: dict[str, SavedEvidence]
    passages: Passages
    marks: Marks
    losses: Losses


class SavedPlaces(TypedDict, total=False):
    """Where units begin on the gold line, how long that is, and what comments say of them.

    Results saved before pages were drawn have none of it.
    """

    starts: list[int]
    length: int
    fields: dict[str, list[str]]


class SavedUnit(SavedPlaces):
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
    # Added by who has resampled or split it, above this level.
    significance: object
    splits: dict[str, object]


def result_json(
    gold: str,
    systems: Sequence[SystemResult],
    *,
    whole: bool,
    per: Sequence[str] = (),
    passages: int | None = MOST_PASSAGES,
) -> SavedResult:
    """Scores of all systems and the breakdowns asked for; all of them, units and evidence if `whole`."""
    saved = [system_json(system, whole=whole, per=per, passages=passages) for system in systems]
    return SavedResult(schema=SCHEMA, version=__version__, gold=gold, systems=saved)


ResultParts: TypeAlias = tuple[
    str, tuple[SystemResult, ...], str, list[str], tuple[str, ...], list[int], int, dict[str, list[str]]
]


def load_parts(path: str | os.PathLike[str]) -> ResultParts:
    """What a saved result is made of: gold, systems, kind and names of units, warnings, places of units, length, fields."""
    place = Place(os.fspath(path))
    try:
        saved: SavedResult = json.loads(Path(path).read_text(encoding="utf-8"))
        check_schema(place, saved)
        return take_parts(saved)
    except OSError as error:
        found = f"cannot be read ({error.strerror})"
        raise InputError(place, found, "a saved result", ADVICE) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        found = f"no saved result ({type(error).__name__}: {error})"
        raise InputError(place, found, "JSON that evalign saved", ADVICE) from None


def check_schema(place: Place, saved: SavedResult) -> None:
    """Raise `InputError` for JSON that is no whole result of this schema."""
    if saved.get("schema") == SCHEMA and "parts" in saved:
        raise InputError(place, "a result in parts", "a single result", "evalign.load_saved reads both")
    if saved.get("schema") != SCHEMA or "unit" not in saved:
        found = f"schema {saved['schema']}" if saved.get("schema", SCHEMA) != SCHEMA else "no units"
        raise InputError(place, found, f"a saved result of schema {SCHEMA}", ADVICE)


def take_parts(saved: SavedResult) -> ResultParts:
    """The same from JSON that was saved whole; raises `KeyError` and the like for any other."""
    unit = saved["unit"]
    systems = tuple(load_system(system, max(1, len(unit["names"]))) for system in saved["systems"])
    places = unit.get("starts", []), unit.get("length", 0), unit.get("fields", {})
    return saved["gold"], systems, unit["kind"], unit["names"], tuple(saved["warnings"]), *places


def system_json(
    system: SystemResult, *, whole: bool, per: Sequence[str] = (), passages: int | None = MOST_PASSAGES
) -> SavedSystem:
    """A system's scores and those breakdowns asked for that it has; all of them, units and evidence if `whole`."""
    saved = SavedSystem(
        name=system.name,
        scores={name: score.to_json() for name, score in system.scores.items()},
        ledger=_ledger_json(system.ledger),
        signature=system.signature,
    )
    if system.failure:
        saved["failure"] = system.failure
    if whole or per:
        kinds = system.evidence.breakdown_kinds()
        saved["breakdowns"] = {
            kind: breakdown_json(system.breakdown(kind))
            for kind in (kinds if whole else per)
            if kind in kinds
        }
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
        saved["evidence"] = {
            metric: evidence_json(system.evidence, metric)
            for metric in METRICS_WITH_ERRORS
            if metric in system.scores and system[metric].available and not system.failure
        }
        saved.update(tables_json(system))  # type: ignore[typeddict-item]
        _add_shown(saved, system, passages)
    return saved


def _add_shown(saved: SavedSystem, system: SystemResult, passages: int | None) -> None:
    """What a page draws."""
    metrics = [name for name, score in system.scores.items() if score.available]
    found = system.evidence.passages(metrics, passages)
    if found is None:
        return
    saved["passages"] = found
    saved["marks"] = system.evidence.marks(metrics)
    losses = system.evidence.losses()
    if losses is not None:
        saved["losses"] = losses


def _ledger_json(ledger: Ledger) -> SavedLedger:
    saved = SavedLedger(
        equal=ledger.equal,
        rewritten=ledger.rewritten,
        gold_only=ledger.gold_only,
        system_only=ledger.system_only,
        rules={name: _rule_json(rule) for name, rule in ledger.rules.items()},
        blocks=dict(ledger.blocks),
        substitutions=[SavedSubstitution(gold=a, system=b, count=n) for a, b, n in ledger.substitutions],
        same_place_other_text=dict(ledger.same_place_other_text),
        reordered=ledger.reordered,
    )
    if ledger.failed_parses is not None:
        saved["failed_parses"] = _rule_json(ledger.failed_parses)
    return saved


def _rule_json(rule: LedgerRule) -> SavedRule:
    return SavedRule(gold=rule.gold, system=rule.system, places=list(rule.places))


def load_system(saved: SavedSystem, n_units: int) -> SystemResult:
    """A system from the whole result it was saved in."""
    scores = {}
    for name, units in saved["units"].items():
        layer = find_layer(name, units["fields"])
        # Nothing was counted where a metric was not available, and no rows are kept.
        rows = units["rows"] if units["available"] else [[0] * len(layer.fields)] * n_units
        table = np.array(rows, np.int64).reshape(-1, len(layer.fields))
        scores[name] = Score(layer, table, units["average"], units["available"])
    failure = saved.get("failure", "")
    return SystemResult(
        saved["name"],
        scores,
        _load_ledger(saved["ledger"]),
        saved["signature"],
        NoEvidence() if failure else _load_evidence(saved),
        failure,
    )


def _load_evidence(saved: SavedSystem) -> KeptEvidence:
    tables = KeptTables(saved.get("groups", {}), saved.get("breakdown_units", {}))
    return load_evidence(saved["evidence"], saved["breakdowns"], _load_shown(saved), tables)


def _load_shown(saved: SavedSystem) -> Shown:
    """What a page draws; results of before there were pages have nothing of it."""
    if "passages" not in saved:
        return Shown(None, {}, None)
    return Shown(saved["passages"], saved["marks"], saved.get("losses"))


def _load_ledger(saved: SavedLedger) -> Ledger:
    rules = {name: _load_rule(rule) for name, rule in saved["rules"].items()}
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
        _load_rule(saved["failed_parses"]) if "failed_parses" in saved else None,
    )


def _load_rule(saved: SavedRule) -> LedgerRule:
    return LedgerRule(saved["gold"], saved["system"], tuple(saved["places"]))
