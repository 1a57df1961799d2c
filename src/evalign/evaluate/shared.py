"""Shared-task runs: many treebanks, several systems, a result for each treebank.

Treebanks are scored one by one. Of each only counts and the evidence that a saved result keeps stay; its documents are
gone before the next is read. Where a system has no file, or one that cannot be scored, it failed on that treebank, and
the run goes on. Where failures count, an empty column is one too: nobody is to gain by leaving out what is hard.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from evalign import __version__
from evalign.document import Document
from evalign.errors import CommandError, EvalignError, InputError, Place
from evalign.evaluate import Input, read, score
from evalign.evaluate.collection import Collection, Treebank, match_folders
from evalign.evaluate.folders import Folder
from evalign.evaluate.metrics import choose_metrics, expand_names
from evalign.evaluate.options import ScoreOptions, check_options, make_layer_options
from evalign.layers import Layer
from evalign.layers.kinds import MOST_PASSAGES
from evalign.layers.needs import find_lacking
from evalign.progress import Progress, Step, no_progress
from evalign.result import Ledger, NoEvidence, Parts, Result, Score, SystemResult
from evalign.result.averages import Failures, worst_value
from evalign.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing_extensions import Unpack


def score_collection(
    gold: Folder | Collection,
    *systems: Folder,
    raw: Folder | None = None,
    failures: Failures = "skip",
    evidence: Literal["keep", "drop"] = "keep",
    passages: int | None = MOST_PASSAGES,
    progress: Progress = no_progress,
    **options: Unpack[ScoreOptions],
) -> Parts:
    """Score folders of systems against a folder of gold, treebank by treebank; files are matched by name.

    `gold` may be a `Collection` instead, as `read_manifest` makes it. Options are those of `score`; `raw` is a folder.
    A system that has no file for a treebank, or one that cannot be scored, failed on it, and `Parts.failed` says why.
    Averages leave it out, or with `failures` "zero" take everything of that treebank as missed; then also a metric that
    gold can be judged by and the system gives nothing for, as `Parts.missed` says. `evidence` is what a saved result keeps of errors, with at most so many `passages` for each system and treebank, None for all; without
    it there are only counts.
    """
    if failures not in ("skip", "zero") or evidence not in ("keep", "drop"):
        message = f'failures is "{failures}", evidence is "{evidence}"'
        raise CommandError(message, "skip or zero, and keep or drop")
    collection = _collect(gold, systems, raw)
    checked = check_options(options)
    results: dict[str, Result] = {}
    scored: set[str] = set()
    for number, treebank in enumerate(collection.treebanks):
        told = _told_of(treebank, number, len(collection.treebanks), progress)
        run = _Run(treebank, collection, checked, failures, told)
        results[treebank.name], shown = _score_one(run, evidence, passages)
        scored |= shown
    _check_scored(results)
    return Parts("treebank", _same_metrics(results, scored), failures=failures, warnings=collection.warnings)


def _collect(gold: Folder | Collection, systems: Sequence[Folder], raw: Folder | None) -> Collection:
    if not isinstance(gold, Collection):
        return match_folders(gold, *systems, raw=raw)
    if systems or raw is not None:
        message = "folders besides a collection"
        raise CommandError(message, "one of the two", "a collection says which files there are")
    return gold


def _told_of(treebank: Treebank, done: int, total: int, progress: Progress) -> Progress:
    """Stages of one treebank as steps of the whole run."""
    return lambda stage: progress(Step(f"{treebank.name}: {stage}", done, total))


@dataclass(frozen=True, slots=True)
class _Run:
    """One treebank to be scored."""

    treebank: Treebank
    collection: Collection
    options: ScoreOptions
    failures: Failures
    progress: Progress

    def score(self) -> tuple[Result, set[str]]:
        """All systems against gold, those that failed in their places; and what systems were scored by."""
        try:
            self.progress("reading gold")
            gold = self._read(self.treebank.gold, self.options["gold_format"])
        except EvalignError as error:
            return self._lost(_say(error)), set()
        documents, failed = self._read_systems()
        result = self._score_those_that_can(gold, documents, failed)
        shown = set(result.systems[0].scores) if result else set()
        if result is None:  # what there is to score, gold alone can tell
            result = replace(self._score(gold, [gold]), warnings=())
        scored = dict(zip(documents, result.systems, strict=False))
        scores, judged = self._find_missed(gold, documents, result)
        systems = tuple(
            _fill(replace(scored[k], name=name), scores, judged)
            if k in scored
            else _failed(name, scores, failed[k], judged)
            for k, name in enumerate(self.collection.systems)
        )
        return replace(result, systems=systems), shown

    def _lost(self, failure: str) -> Result:
        """What is left of a treebank whose gold cannot be read: no metric, no unit."""
        systems = tuple(_failed(name, {}, failure) for name in self.collection.systems)
        gold = self.treebank.gold
        return Result(gold if isinstance(gold, str) else self.treebank.name, systems, "whole", [])

    def _read(self, source: Input, format: str) -> Document:
        return read(
            source,
            format=format,
            strict=self.options["strict"],
            collapse_empty_nodes=self.options["collapse_empty_nodes"],
            empty=self.options["empty"],
            raw=self.treebank.raw,
        )

    def _read_systems(self) -> tuple[dict[int, Document], dict[int, str]]:
        """What could be read, and why the rest could not."""
        documents: dict[int, Document] = {}
        failed: dict[int, str] = {}
        for k, (name, source) in enumerate(zip(self.collection.systems, self.treebank.systems, strict=True)):
            if source is None:
                failed[k] = self.collection.missing[k]
                continue
            try:
                self.progress(f"reading {name}")
                documents[k] = self._read(source, self.options["system_format"])
            except EvalignError as error:
                failed[k] = _say(error)
        return documents, failed

    def _score_those_that_can(
        self, gold: Document, documents: dict[int, Document], failed: dict[int, str]
    ) -> Result | None:
        """The systems that can be scored; the others leave `documents` for `failed`. None if nothing is left."""
        while documents:
            try:
                return self._score(gold, list(documents.values()))
            except EvalignError as error:
                found = self._find_failures(gold, documents) or dict.fromkeys(documents, _say(error))
                failed |= found
                for k in found:
                    del documents[k]
        return None

    def _find_failures(self, gold: Document, documents: Mapping[int, Document]) -> dict[int, str]:
        """Which systems cannot be scored on their own, and why."""
        found = {}
        for k, document in documents.items():
            try:
                self._score(gold, [document])
            except EvalignError as error:
                found[k] = _say(error)
        return found

    def _score(
        self, gold: Document, documents: Sequence[Document], **changed: Unpack[ScoreOptions]
    ) -> Result:
        options: ScoreOptions = {**self.options, **changed}
        return score(gold, *documents, raw=self.treebank.raw, progress=self.progress, **options)

    def _find_missed(
        self, gold: Document, documents: Mapping[int, Document], result: Result
    ) -> tuple[dict[str, Score], tuple[str, ...] | None]:
        """Scores where a system has none: not available, or those of an empty output; and what gold is judged by.

        An empty output can be better than the worst: it has no crossing bracket. Then there is no row to count with.
        """
        known = result.systems[0].scores
        if self.failures == "skip":
            return {name: _without_rows(score.layer, result) for name, score in known.items()}, None
        layers = {layer.name: layer for layer in self._choose(gold, list(documents.values()), result)}
        judged = tuple(name for name, layer in layers.items() if not find_lacking(gold, layer.needs))
        if len(documents) == len(self.collection.systems) and not any(
            _lacks(system, name) for system in result.systems for name in judged
        ):
            return {}, judged
        nothing = read(Text("", "nothing"), format=gold.format, raw=self.treebank.raw)
        # A metric that was asked for is kept whatever the columns, and all documents together make the same units.
        all_of = self._score(gold, [*documents.values(), nothing], metrics=list(layers), strict=False)
        found = all_of.systems[-1].scores
        return {
            name: found[name] if _is_worst(found[name]) else _without_rows(layer, result)
            for name, layer in layers.items()
        }, judged

    def _choose(self, gold: Document, documents: Sequence[Document], result: Result) -> Sequence[Layer]:
        """The metrics of a treebank, and those that no system gives anything for and gold could be judged by."""
        known = [score.layer for score in result.systems[0].scores.values()]
        if self.options["strategy"] == "printed" or gold.spans is not None:
            return known
        asked, layer = self.options["metrics"], self.options["layer"]
        names = expand_names(asked, make_layer_options(self.options), layer)
        return choose_metrics(names, asked, gold, [gold, *documents], layer)


def _lacks(system: SystemResult, metric: str) -> bool:
    return metric not in system.scores or not system.scores[metric].available


def _fill(system: SystemResult, scores: Mapping[str, Score], judged: Sequence[str] | None) -> SystemResult:
    """A system with the scores of an empty output where it gives nothing and gold could be judged."""
    missed = tuple(name for name in judged or () if _lacks(system, name))
    if not missed:
        return system
    filled = {name: system.scores[name] if name not in missed else score for name, score in scores.items()}
    return replace(system, scores=filled, missed=missed)


def _is_worst(score: Score) -> bool:
    return score.value is not None and score.value == worst_value(score.layer, score.layer.headline)


def _without_rows(layer: Layer, result: Result) -> Score:
    model = next(iter(result.systems[0].scores.values()))
    table = np.zeros((len(model.units), len(layer.fields)), np.int64)
    return Score(layer, table, model.average, available=False)


def _failed(
    name: str, scores: Mapping[str, Score], failure: str, judged: Sequence[str] | None = None
) -> SystemResult:
    signature = f"evalign:{__version__}|failed:yes"
    missed = None if judged is None else tuple(judged)
    return SystemResult(name, scores, Ledger(0, 0, 0, 0), signature, NoEvidence(), failure, missed)


def _say(error: EvalignError) -> str:
    """A message on one line."""
    return str(error).replace("\n  ", "; ")


def _score_one(run: _Run, evidence: Literal["keep", "drop"], passages: int | None) -> tuple[Result, set[str]]:
    """A treebank scored and settled: nothing else holds its documents."""
    result, shown = run.score()
    return _settle(result, evidence, passages), shown


def _settle(result: Result, evidence: Literal["keep", "drop"], passages: int | None) -> Result:
    """A result that holds no document: its errors are those that a saved one keeps, or none."""
    if evidence == "keep":
        return Result.from_json(result.to_json(whole=True, passages=passages))
    systems = tuple(replace(system, evidence=NoEvidence()) for system in result.systems)
    return replace(result, systems=systems, unit_names=list(result.unit_names), unit_fields={})


def _same_metrics(results: Mapping[str, Result], scored: set[str]) -> dict[str, Result]:
    """Gold may have metrics that no system was scored by anywhere: they are left out."""
    return {
        part: replace(r, systems=tuple(_only(s, scored) for s in r.systems)) for part, r in results.items()
    }


def _only(system: SystemResult, metrics: set[str]) -> SystemResult:
    scores = {name: score for name, score in system.scores.items() if name in metrics}
    missed = None if system.missed is None else tuple(name for name in system.missed if name in metrics)
    # A system that did not fail misses nothing, unless it says so.
    return replace(system, scores=scores, missed=missed if missed or system.failure else None)


def _check_scored(results: Mapping[str, Result]) -> None:
    """Raise `InputError` if every system failed on every treebank."""
    failures = [(name, s.name, s.failure) for name, r in results.items() for s in r.systems]
    if all(failure for *_, failure in failures):
        treebank, system, failure = failures[0]
        found = f"nothing could be scored: {system} on {treebank}: {failure}"
        raise InputError(Place(next(iter(results.values())).gold), found, "a file that can be scored")
