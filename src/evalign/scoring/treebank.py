"""One treebank of a shared-task run: all systems against its gold, those that failed in their places.

This is what a worker does. What it is given and what it gives back can be sent to another process.
"""

from __future__ import annotations

import gc
import marshal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, TypeAlias, cast

import numpy as np

from evalign._version import __version__
from evalign.document import Document
from evalign.errors import EvalignError
from evalign.files import replace_paths, shorten_paths
from evalign.metrics import DocumentSize, Layer, find_lacking
from evalign.progress import Progress, no_progress
from evalign.readers import find_limit, name_inputs, rename, show_path
from evalign.results import (
    CountsAlone,
    Failures,
    Ledger,
    NoEvidence,
    Result,
    SavedResult,
    Score,
    SystemResult,
    load_system,
    worst_value,
)
from evalign.scoring.api import Input, read, score
from evalign.scoring.collection import Treebank
from evalign.scoring.inputs import Origin, list_raw_inputs
from evalign.scoring.metrics import choose_metrics, expand_names
from evalign.scoring.options import ScoreOptions, make_layer_options
from evalign.scoring.tolerance import check_gold
from evalign.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Unpack

Keeping: TypeAlias = Literal["keep", "drop"]

# Of the forms that marshal writes the one that all versions of Python know which evalign runs on.
_FORM = 4


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of every treebank of a run."""

    systems: tuple[str, ...]
    missing: tuple[str, ...]
    """Per system, what to say of it where it has nothing for a treebank."""
    options: ScoreOptions
    """All of them, checked."""
    failures: Failures
    evidence: Keeping
    passages: int | None
    origin: Origin | None = None
    """Where it was asked; None for this process."""
    max_input: int = field(default_factory=find_limit)
    """How many bytes an input may have, as it was asked."""

    @property
    def elsewhere(self) -> Origin | None:
        """Where it was asked, if paths do not mean the same here."""
        return None if self.origin is None or self.origin.is_here else self.origin


@dataclass(frozen=True, slots=True, eq=False)
class TreebankScores:
    """A treebank that has been scored: it holds no document."""

    shown: frozenset[str]
    """Metrics that systems were scored by; gold may have others."""
    counts: Result | None
    """The result, where no errors are kept."""
    saved: SavedResult | None
    """The result as it is saved, where they are."""

    @property
    def is_lost(self) -> bool:
        """Whether all systems failed: then there is nothing that would take long to find again."""
        if self.saved is not None:
            return all(system.get("failure") for system in self.saved["systems"])
        return all(system.failure for system in self.load().systems)

    def load(self) -> Result:
        """The result; its errors are those that are kept."""
        return self.counts or _load(cast("SavedResult", self.saved))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled with evidence as bytes: it is many small values, and packing them one by one takes three times as long.

        Only processes that work together send each other such bytes. They never come from a file: a crafted one would
        crash Python.
        """
        return _restore, (self.shown, self.counts, marshal.dumps(self.saved, _FORM))  # type: ignore[arg-type]


def _restore(shown: frozenset[str], counts: Result | None, saved: bytes) -> TreebankScores:
    return TreebankScores(shown, counts, cast("SavedResult | None", marshal.loads(saved)))


def score_treebank(asked: Asked, treebank: Treebank, progress: Progress = no_progress) -> TreebankScores:
    """All systems against the gold of a treebank."""
    with _without_collector():
        result, shown = _Run(treebank, asked, progress).score()
        if asked.evidence == "drop":
            return TreebankScores(shown, _drop_evidence(result), None)
        return TreebankScores(shown, None, result.to_dict(whole=True, passages=asked.passages))


@contextmanager
def _without_collector() -> Iterator[None]:
    """Without the garbage collector: documents have no cycles, and evidence is many small objects that stay."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _drop_evidence(result: Result) -> Result:
    """A result with counts alone."""
    systems = tuple(
        replace(system, evidence=NoEvidence() if system.failure else CountsAlone())
        for system in result.systems
    )
    return replace(result, systems=systems, unit_names=list(result.unit_names), unit_fields={})


def _load(saved: SavedResult) -> Result:
    """A result from what a worker sent, which needs no looking through."""
    unit = saved["unit"]
    systems = tuple(load_system(system, max(1, len(unit["names"]))) for system in saved["systems"])
    places = unit.get("starts", []), unit.get("length", 0), unit.get("fields", {})
    size = DocumentSize(**saved["size"]) if "size" in saved else None
    return Result(
        saved["gold"], systems, unit["kind"], unit["names"], tuple(saved["warnings"]), *places, size
    )


@dataclass(frozen=True)
class _Run:
    """One treebank to be scored."""

    treebank: Treebank
    asked: Asked
    progress: Progress

    def score(self) -> tuple[Result, frozenset[str]]:
        """All systems against gold, those that failed in their places; and what systems were scored by."""
        try:
            self.progress("reading gold")
            format = self.asked.options["gold_format"]
            gold = self._read(self.treebank.gold, format, self.names[0])
            check_gold(self.treebank.gold, gold.name, gold.line, format)
        except EvalignError as error:
            return self._lost(self._say(error)), frozenset()
        documents, failed = self._read_systems()
        result = self._score_those_that_can(gold, documents, failed)
        shown = frozenset(result.systems[0].scores if result else ())
        if result is None:  # what there is to score, gold alone can tell
            result = replace(self._score(gold, [gold]), warnings=())
        scored = dict(zip(documents, result.systems, strict=False))
        scores, judged = self._find_missed(gold, documents, result)
        systems = tuple(
            _fill(replace(scored[k], name=name), scores, judged)
            if k in scored
            else _failed(name, scores, failed[k], judged)
            for k, name in enumerate(self.asked.systems)
        )
        return replace(result, systems=systems), shown

    def _lost(self, failure: str) -> Result:
        """What is left of a treebank whose gold cannot be read: no metric, no unit."""
        systems = tuple(_failed(name, {}, failure) for name in self.asked.systems)
        return Result(self.names[0] or self.treebank.name, systems, "whole", [])

    @cached_property
    def names(self) -> Sequence[str]:
        """What gold and the systems' files are called; nothing for what is no file."""
        return name_inputs((self.treebank.gold, *self.treebank.systems))

    def _read(self, source: Input, format: str, name: str) -> Document:
        document = read(
            source,
            format=format,
            strict=self.asked.options["strict"],
            collapse_empty_nodes=self.asked.options["collapse_empty_nodes"],
            empty=self.asked.options["empty"],
            split_spaces=self.asked.options["split_spaces"],
            raw=self.treebank.raw,
        )
        return rename(document, name)

    def _say(self, error: EvalignError) -> str:
        """A message on one line, as results keep it: files are called by their names, not their paths."""
        names = dict(
            zip(map(show_path, (self.treebank.gold, *self.treebank.systems)), self.names, strict=True)
        )
        raws = [path for path in map(show_path, list_raw_inputs(self.treebank.raw)) if path]
        names |= dict(zip(raws, shorten_paths(raws, self.names), strict=True))
        if self.asked.origin is not None:
            # A worker elsewhere looks for a relative path from the folder that the run was started in.
            names |= {self.asked.origin.find(path): name for path, name in names.items() if path}
        return replace_paths(error.on_one_line, names)

    def _read_systems(self) -> tuple[dict[int, Document], dict[int, str]]:
        """What could be read, and why the rest could not."""
        documents: dict[int, Document] = {}
        failed: dict[int, str] = {}
        for k, (name, source) in enumerate(zip(self.asked.systems, self.treebank.systems, strict=True)):
            if source is None:
                failed[k] = (self.treebank.missing or self.asked.missing)[k]
                continue
            try:
                self.progress(f"reading {name}")
                documents[k] = self._read(source, self.asked.options["system_format"], self.names[k + 1])
            except EvalignError as error:
                failed[k] = self._say(error)
        return documents, failed

    def _score_those_that_can(
        self, gold: Document, documents: dict[int, Document], failed: dict[int, str]
    ) -> Result | None:
        """The systems that can be scored; the others leave `documents` for `failed`. None if nothing is left."""
        while documents:
            try:
                return self._score(gold, list(documents.values()))
            except EvalignError as error:
                found = self._find_failures(gold, documents) or dict.fromkeys(documents, self._say(error))
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
                found[k] = self._say(error)
        return found

    def _score(
        self, gold: Document, documents: Sequence[Document], **changed: Unpack[ScoreOptions]
    ) -> Result:
        options: ScoreOptions = {**self.asked.options, **changed}
        return score(gold, *documents, raw=self.treebank.raw, progress=self.progress, **options)

    def _find_missed(
        self, gold: Document, documents: Mapping[int, Document], result: Result
    ) -> tuple[dict[str, Score], tuple[str, ...] | None]:
        """Scores where a system has none: not available, or those of an empty output; and what gold is judged by.

        An empty output can be better than the worst: it has no crossing bracket. Then there is no row to count with.
        """
        known = result.systems[0].scores
        if self.asked.failures == "skip":
            return {name: _without_rows(score.layer, result) for name, score in known.items()}, None
        layers = {layer.name: layer for layer in self._choose(gold, list(documents.values()), result)}
        judged = tuple(name for name, layer in layers.items() if not find_lacking(gold, layer.needs))
        if len(documents) == len(self.asked.systems) and not any(
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
        if self.asked.options["strategy"] == "printed" or gold.spans is not None:
            return known
        asked, layer = self.asked.options["metrics"], self.asked.options["layer"]
        names = expand_names(asked, make_layer_options(self.asked.options), layer)
        strict = self.asked.options["strict"]
        return choose_metrics(names, asked, gold, [gold, *documents], layer, strict=strict)


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
