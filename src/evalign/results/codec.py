"""Results as JSON and back: the saved types, writing, reading, and errors about files that are no results.

`Result` and `Parts` in `result` call this module to save, load and print themselves as JSON. The `Saved...`
types are what is checked when a file is read (`shapes`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, NotRequired, TypedDict, cast

import numpy as np

from evalign._version import __version__
from evalign.alignment.alignment import AsRead
from evalign.errors import InputError, Message, Place, quote
from evalign.metrics.census import DocumentSize
from evalign.metrics.errors.passages import Passages
from evalign.metrics.errors.positions import Marks
from evalign.metrics.errors.stages import Losses
from evalign.metrics.metric import MOST_PASSAGES
from evalign.metrics.registry import METRICS_WITH_ERRORS, find_metric
from evalign.readers.byte_stream import OpenFile, read_stored
from evalign.results.evidence import (
    PageEvidence,
    SavedCounts,
    SavedEvidence,
    SavedTables,
    SplitTables,
    breakdown_json,
    check_rows,
    check_tables,
    evidence_json,
    load_evidence,
    tables_json,
)
from evalign.results.ledger import Ledger, LedgerRule, PairLedger
from evalign.results.pairing import Pairing
from evalign.results.shapes import ShapeError, check_shape, describe_kind, refuse
from evalign.results.system_result import CountsAlone, Evidence, Failures, NoEvidence, Score, SystemResult

# Reading a file that should be a saved result; errors say what it is instead.


SCHEMA = 1


def read_saved(place: Place, path: str | os.PathLike[str]) -> Mapping[str, object]:
    """Read a saved result, alone or in parts, as a JSON object.

    Raises `InputError` that says what the file is instead. The types of what it holds are not yet checked.
    """
    text = _read_text(place, path)
    try:
        saved = parse_json(text)
    except RecursionError:
        raise no_result(place, "nested too deeply") from None
    except json.JSONDecodeError as error:
        raise no_result(place, _describe_text(text, error)) from None
    except ShapeError as error:
        raise no_result(place, str(error)) from None
    except ValueError:  # an integer with more digits than Python parses
        raise no_result(place, "a number that is too large") from None
    if not isinstance(saved, dict):
        raise no_result(place, f"JSON of something else: {describe_kind(saved)}")
    _check_schema(place, saved)
    return saved


def parse_json(text: str | bytes) -> object:
    """Parse JSON; raise `ShapeError` if an object has a key twice, as it is undefined which value counts.

    >>> parse_json('{"f1": 0.5, "f1": 0.9}')
    Traceback (most recent call last):
    evalign.results.shapes.ShapeError: f1: twice in the same object, expected every key once
    """
    return cast("object", json.loads(text, object_pairs_hook=_refuse_repeated))


def _refuse_repeated(pairs: list[tuple[str, object]]) -> dict[str, object]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        keys = [key for key, _ in pairs]
        refuse(next(key for key in keys if keys.count(key) > 1), "twice in the same object", "every key once")
    return mapping


def _read_text(place: Place, path: str | os.PathLike[str]) -> str:
    try:
        with Path(path).open("rb") as file:
            return read_stored(OpenFile(str(place), file)).decode("utf-8")
    except UnicodeDecodeError:
        raise no_result(place, "not UTF-8") from None
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL character
        reason = getattr(error, "strerror", None) or "no such name"
        raise _refuse_file(place, f"cannot be read ({reason})", "a saved result") from None


def _describe_text(text: str, error: json.JSONDecodeError) -> str:
    """Describe where `text` stops being JSON."""
    if not text.strip():
        return "an empty file"
    if error.pos >= len(text.rstrip()):
        return f"not JSON at line {error.lineno}: the file ends too early"
    return f"not JSON at line {error.lineno}, column {error.colno}"


def _refuse_file(place: Place, problem: str, expected: str) -> InputError:
    advice = Message('save one: {evalign.score(...).save("run.json")|evalign score ... -o run.json}')
    return InputError(place, problem, expected, advice)


def no_result(place: Place, problem: str) -> InputError:
    """Return the error for a file that is not a saved result; `problem` says why."""
    return _refuse_file(place, f"not a saved result ({problem})", "JSON that evalign saved")


def _check_schema(place: Place, saved: Mapping[str, object]) -> None:
    """Raise `InputError` unless `saved` is a whole result of this schema version."""
    if "schema" not in saved or not ("systems" in saved or "parts" in saved or saved["schema"] != SCHEMA):
        raise no_result(place, f"JSON of something else: {_describe_keys(saved)}")
    if saved["schema"] != SCHEMA:
        schema = saved["schema"]
        shown = str(schema)[:20] if isinstance(schema, int | str) else describe_kind(schema)
        problem = f"schema {shown}"
        raise _refuse_file(place, problem, f"a saved result of schema {SCHEMA}")
    if "parts" not in saved and "unit" not in saved:
        raise was_printed(place)


def _describe_keys(saved: Mapping[str, object]) -> str:
    if {"cells", "nbformat"} <= saved.keys():
        return "a notebook"
    named = ", ".join(quote(key[:20]) for key in list(saved)[:3])
    return f"an object of {named}{', ...' if len(saved) > 3 else ''}" if saved else "an object of nothing"


def was_printed(place: Place) -> InputError:
    """Return the error for a result that was printed as JSON, without the units that later commands need."""
    problem = Message("printed by {result.to_dict()|<format> json}, which keeps no units")
    expected = Message("a result saved with {result.save(...)|-o}")
    return _refuse_file(place, problem, expected)


AVERAGES = ("micro", "document", "sentence")
# Types of saved results.

# Exceptions raised when a result is made of damaged JSON, or of JSON that is something else.
DAMAGES = (ValueError, TypeError, LookupError, AttributeError, OverflowError)


class SavedRule(TypedDict):
    """JSON of a `LedgerRule`."""

    gold: int
    system: int
    places: list[str]


class SavedSubstitution(TypedDict):
    """A spelling in gold that is written differently by the system, and how often."""

    gold: str
    system: str
    count: int


class SavedPairs(TypedDict):
    """JSON of a `PairLedger`."""

    repeated: SavedRule
    first: SavedRule
    second: SavedRule


class SavedLedger(TypedDict):
    """JSON of a `Ledger`; some keys are missing if there is nothing to count, or in older results."""

    equal: int
    rewritten: int
    gold_only: int
    system_only: int
    rules: dict[str, SavedRule]
    blocks: dict[str, int]
    substitutions: list[SavedSubstitution]
    same_place_other_text: dict[str, int]
    reordered: int
    identical: NotRequired[int]
    made_equal: NotRequired[int]
    different: NotRequired[int]
    refused_sentences: NotRequired[int]
    failed_parses: NotRequired[SavedRule]
    pairs: NotRequired[SavedPairs]


class SavedUnits(TypedDict):
    """Counts of a metric: a row of integers per unit; no rows if the metric was not available."""

    fields: list[str]
    average: str
    available: bool
    rows: list[list[int]]


class SavedSystem(SavedTables, total=False):
    """JSON of a `SystemResult`; `units` and all `breakdowns` are there only if the result was saved whole.

    `evidence` is left out where errors are not known, because an empty value would say that there are none.
    """

    name: str
    scores: dict[str, dict[str, float | int | None]]
    ledger: SavedLedger
    signature: str
    failure: str
    missed: list[str]
    breakdowns: dict[str, dict[str, SavedCounts]]
    units: dict[str, SavedUnits]
    evidence: dict[str, SavedEvidence]
    passages: Passages
    marks: Marks
    losses: Losses
    pairing: Pairing


class SavedUnit(TypedDict):
    """The units that counts were kept by.

    Results saved before there were report pages lack the start of each unit on the gold line, the length of the
    line, and what comments say of the units.
    """

    kind: str
    names: list[str]
    starts: NotRequired[list[int]]
    length: NotRequired[int]
    fields: NotRequired[dict[str, list[str]]]


class SavedSize(TypedDict):
    """Size of gold."""

    sentences: int
    tokens: int


class SavedResult(TypedDict, total=False):
    """JSON of a `Result`; `unit` is there only if it was saved whole, `size` only if gold has a size."""

    schema: int
    version: str
    gold: str
    size: SavedSize
    systems: list[SavedSystem]
    unit: SavedUnit
    warnings: list[str]
    # Added by callers above this package that have resampled or split the result.
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
    """Return the JSON of `systems`: scores and the breakdowns in `per`; if `whole`, all that is saved.

    `passages` limits the passages with errors per system; None saves all.
    """
    saved = [system_json(system, whole=whole, per=per, passages=passages) for system in systems]
    return SavedResult(schema=SCHEMA, version=__version__, gold=gold, systems=saved)


class SavedSums(TypedDict, total=False):
    """The key of `SavedAverages` that is only there where breakdowns were asked for."""

    breakdowns: dict[str, dict[str, SavedCounts]]


class SavedAverages(SavedSums):
    """Averages of one system over all parts."""

    name: str
    failed: dict[str, str]
    parts: dict[str, int]
    macro: dict[str, dict[str, float | None]]
    micro: dict[str, dict[str, float | int | None]]


class SavedParts(TypedDict):
    """JSON of a `Parts`; its results are whole only if they were saved, not printed."""

    schema: int
    version: str
    by: str
    source: str
    failures: Failures
    averages: list[SavedAverages]
    parts: dict[str, SavedResult]
    warnings: list[str]


class KnownParts(TypedDict):
    """Keys of `SavedParts` that are read; averages are computed anew, each result is checked by itself."""

    by: str
    source: str
    failures: str
    parts: dict[str, dict[str, object]]
    warnings: list[str]


class ResultFields(NamedTuple):
    """Arguments of `Result`, in their order."""

    gold: str
    systems: tuple[SystemResult, ...]
    unit_kind: str
    unit_names: list[str]
    warnings: tuple[str, ...]
    unit_starts: list[int]
    length: int
    unit_fields: dict[str, list[str]]
    size: DocumentSize | None


class PartsFields(NamedTuple):
    """The fields that a `Parts` is made of."""

    by: str
    results: Mapping[str, ResultFields]
    source: str
    failures: Failures
    warnings: tuple[str, ...]


def load_fields(path: str | os.PathLike[str]) -> ResultFields | PartsFields:
    """Read the file `path` that `save` wrote; return the fields of its `Result` or `Parts`.

    Raises `InputError` for any other file.
    """
    place = Place(os.fspath(path))
    saved = read_saved(place, path)
    try:
        if "parts" in saved:
            return _take_parts(place, cast("SavedParts", saved))
        return take_fields(cast("SavedResult", saved))
    except ShapeError as error:
        raise no_result(place, str(error)) from None
    except KeyError as error:
        raise no_result(place, f'damaged: no "{error.args[0]}" in it') from None
    except DAMAGES:
        # Damage may only show far from its cause, where Python's own message would not help a user.
        raise no_result(place, "damaged: what it keeps does not go together") from None


def load_dict(saved: SavedResult) -> ResultFields:
    """Return the fields of the `Result` that `to_dict(whole=True)` returned; `InputError` for anything else."""
    place = Place("<dict>")
    try:
        check_shape(saved, SavedResult)
        _check_schema(place, cast("Mapping[str, object]", saved))
        return take_fields(saved)
    except ShapeError as error:
        raise no_result(place, str(error)) from None
    except DAMAGES:
        raise no_result(place, "not a dictionary that to_dict(whole=True) returned") from None


def take_fields(saved: SavedResult) -> ResultFields:
    """Check the JSON of a result that was saved whole; return the fields of its `Result`.

    Raises `ValueError`, `KeyError` or another of `DAMAGES` for any other JSON.
    """
    check_shape(saved, SavedResult)
    unit = saved["unit"]
    n_rows = max(1, len(unit["names"]))
    _check_unit(unit, n_rows)
    if not saved["systems"]:
        refuse("systems", "none", "at least one")
    systems = []
    for number, each in enumerate(saved["systems"]):
        try:
            _check_system(each, saved["systems"][0], n_rows)
            systems.append(load_system(each, n_rows))
        except ShapeError as error:
            raise error.inside(where=f"systems[{number}].") from None
    places = unit.get("starts", []), unit.get("length", 0), unit.get("fields", {})
    size = DocumentSize(**saved["size"]) if "size" in saved else None
    if size is not None and min(size) < 0:
        refuse("size", "a negative number", "how many sentences and tokens gold has")
    return ResultFields(
        saved["gold"], tuple(systems), unit["kind"], unit["names"], tuple(saved["warnings"]), *places, size
    )


def _take_parts(place: Place, saved: SavedParts) -> PartsFields:
    if not saved["parts"]:
        raise _refuse_file(place, "no parts", "at least one")
    check_shape(saved, KnownParts)
    if not all("unit" in result for result in saved["parts"].values()):
        raise was_printed(place)
    if saved["failures"] not in ("skip", "zero"):
        raise _refuse_file(place, f"failures {saved['failures']!r}", "skip or zero")
    results = {}
    for name, result in saved["parts"].items():
        try:
            results[name] = take_fields(result)
        except ShapeError as error:
            raise error.inside(where=f"parts.{name}.") from None
    names = {tuple(system.name for system in result.systems) for result in results.values()}
    if len(names) > 1:
        raise _refuse_file(place, "parts of different systems", "the same systems in every part")
    return PartsFields(saved["by"], results, saved["source"], saved["failures"], tuple(saved["warnings"]))


def _check_unit(unit: SavedUnit, n_rows: int) -> None:
    """Raise `ShapeError` unless starts and fields of the units have one value per unit."""
    sizes = (len(unit["names"]), n_rows)
    starts = unit.get("starts", [])
    if starts and (len(starts) not in sizes or min(starts) < 0 or starts != sorted(starts)):
        refuse("unit.starts", f"{len(starts)} of them, or out of order", f"{n_rows} positions")
    if unit.get("length", 0) < 0:
        refuse("unit.length", "a negative number", "how long the gold line is")
    for key, values in unit.get("fields", {}).items():
        if len(values) not in sizes:
            refuse(f"unit.fields.{key}", f"values: {len(values)}", f"one for each of {n_rows} units")


def _check_system(saved: SavedSystem, first: SavedSystem, n_rows: int) -> None:
    """Raise `ShapeError` if parts of a system contradict each other, or have other metrics than `first`."""
    metrics = set(saved["units"])
    if metrics != set(first["units"]):
        refuse("units", f"metrics {', '.join(saved['units'])}", ", ".join(first["units"]))
    for where, listed in (("evidence", saved.get("evidence", {})), ("marks", saved.get("marks", {}))):
        unknown = sorted(set(listed) - metrics)
        if unknown:
            refuse(where, f'"{unknown[0]}", which was not scored', ", ".join(saved["units"]))
    for metric, kinds in saved.get("marks", {}).items():
        for kind, marks in kinds.items():
            if any(len(mark) != 2 for mark in marks if isinstance(mark, list)):
                refuse(f"marks.{metric}.{kind}", "a list of another length", "a position and a count")
    for k, passage in enumerate(saved["passages"]["list"] if "passages" in saved else ()):
        if not 0 <= passage["unit"] < n_rows:
            refuse(f"passages.list[{k}].unit", str(passage["unit"]), f"one of {n_rows} units")
    widths = {metric: len(units["fields"]) for metric, units in saved["units"].items()}
    check_tables(saved, widths, n_rows)


def system_json(
    system: SystemResult, *, whole: bool, per: Sequence[str] = (), passages: int | None = MOST_PASSAGES
) -> SavedSystem:
    """Return the JSON of a system: scores and the breakdowns in `per`; if `whole`, all that is saved.

    Breakdowns that the system lacks are left out. `passages` limits the passages with errors; None saves all.
    """
    saved = SavedSystem(
        name=system.name,
        scores={name: score.to_dict() for name, score in system.scores.items()},
        ledger=_ledger_json(system.ledger),
        signature=system.signature,
    )
    if system.failure:
        saved["failure"] = system.failure
    if system.missed is not None:
        saved["missed"] = list(system.missed)
    if system.pairing is not None:
        saved["pairing"] = system.pairing
    if whole or per:
        saved["breakdowns"] = breakdowns_json(system, None if whole else per)
    if whole:
        saved["units"] = {
            name: SavedUnits(
                fields=list(s.metric.fields),
                average=s.average,
                available=s.available,
                rows=s.units.tolist() if s.available else [],
            )
            for name, s in system.scores.items()
        }
        if not system.has_counts_alone:
            saved["evidence"] = {
                metric: evidence_json(system.evidence, metric)
                for metric in METRICS_WITH_ERRORS
                if system.gives(metric)
            }
        saved.update(tables_json(system))  # type: ignore[typeddict-item]
        _add_shown(saved, system, passages)
    return saved


def breakdowns_json(system: SystemResult, kinds: Sequence[str] | None) -> dict[str, dict[str, SavedCounts]]:
    """Return those breakdowns in `kinds` that the system has, all for None, as JSON."""
    there = system.evidence.breakdown_kinds()
    return {
        kind: breakdown_json(system.breakdown(kind))
        for kind in (there if kinds is None else kinds)
        if kind in there
    }


def _add_shown(saved: SavedSystem, system: SystemResult, passages: int | None) -> None:
    """Add what report pages draw: passages, marks and losses."""
    metrics = [name for name in system.scores if system.gives(name)]
    kept_passages = system.evidence.passages(metrics, passages)
    if kept_passages is None:
        return
    saved["passages"] = kept_passages
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
        identical=ledger.as_read.identical,
        made_equal=ledger.as_read.made_equal,
        different=ledger.as_read.different,
        rules={name: _rule_json(rule) for name, rule in ledger.rules.items()},
        blocks=dict(ledger.blocks),
        substitutions=[SavedSubstitution(gold=a, system=b, count=n) for a, b, n in ledger.substitutions],
        same_place_other_text=dict(ledger.same_place_other_text),
        reordered=ledger.reordered,
        refused_sentences=ledger.refused_sentences,
    )
    if ledger.failed_parses is not None:
        saved["failed_parses"] = _rule_json(ledger.failed_parses)
    if ledger.pairs is not None:
        rules = {name: _rule_json(rule) for name, rule in ledger.pairs._asdict().items()}
        saved["pairs"] = cast("SavedPairs", rules)
    return saved


def _rule_json(rule: LedgerRule) -> SavedRule:
    return SavedRule(gold=rule.gold, system=rule.system, places=list(rule.places))


def load_system(saved: SavedSystem, n_units: int) -> SystemResult:
    """Make a system of the JSON of a whole result with `n_units` units."""
    scores = {name: _load_score(name, units, n_units) for name, units in saved["units"].items()}
    failure = saved.get("failure", "")
    return SystemResult(
        saved["name"],
        scores,
        _load_ledger(saved["ledger"]),
        saved["signature"],
        NoEvidence() if failure else _load_evidence(saved),
        failure,
        tuple(saved["missed"]) if "missed" in saved else None,
        saved.get("pairing"),
    )


def _load_score(name: str, units: SavedUnits, n_units: int) -> Score:
    metric = find_metric(name, units["fields"])
    if tuple(units["fields"]) != metric.fields:
        refuse(f"units.{name}.fields", ", ".join(units["fields"]), ", ".join(metric.fields))
    if units["average"] not in AVERAGES:
        refuse(f"units.{name}.average", f'"{units["average"]}"', f"one of {', '.join(AVERAGES)}")
    # Nothing was counted where a metric was not available, and no rows are kept.
    rows = units["rows"] if units["available"] else [[0] * len(metric.fields)] * n_units
    check_rows(f"units.{name}.rows", rows, n_units, len(metric.fields))
    return Score(metric, np.array(rows, np.int64), units["average"], units["available"])


def _load_evidence(saved: SavedSystem) -> Evidence:
    """Load errors and breakdowns; `CountsAlone` if errors were not known when the result was saved."""
    if "evidence" not in saved:
        return CountsAlone()
    tables = SplitTables(
        saved.get("groups", {}), saved.get("breakdown_units", {}), lacks_tables="groups" not in saved
    )
    drawings = PageEvidence(None, {}, None)  # of results saved before there were report pages
    if "passages" in saved:
        drawings = PageEvidence(saved["passages"], saved["marks"], saved.get("losses"))
    return load_evidence(saved["evidence"], saved["breakdowns"], drawings, tables)


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
        _load_pairs(saved["pairs"]) if "pairs" in saved else None,
        saved.get("refused_sentences", 0),
        # Older results have not kept what was made equal.
        AsRead(
            saved.get("identical", saved["equal"]),
            saved.get("made_equal", 0),
            saved.get("different", saved["rewritten"] + saved["gold_only"]),
        ),
    )


def _load_pairs(saved: SavedPairs) -> PairLedger:
    return PairLedger(_load_rule(saved["repeated"]), _load_rule(saved["first"]), _load_rule(saved["second"]))


def _load_rule(saved: SavedRule) -> LedgerRule:
    return LedgerRule(saved["gold"], saved["system"], tuple(saved["places"]))
