"""Shared-task runs: many treebanks, several systems, a result for each treebank.

Each treebank is a piece of work of its own, done in this process or by a worker; what a worker is given and what it gives
back can be sent to another process. Of each only counts and the evidence that a saved result keeps stay; its documents
are gone when it is done. Where a system has no file, or one that cannot be scored, it failed on that treebank, and the
run goes on. Where failures count, an empty column is one too: nobody is to gain by leaving out what is hard.
"""

from __future__ import annotations

import gc
import marshal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice
from typing import Literal, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np

from evalign._version import __version__
from evalign.document import Document
from evalign.engines import Engine, EngineInput, SerialEngine, open_engine
from evalign.errors import CommandError, EvalignError, InputError, Place
from evalign.files import replace_paths, shorten_paths
from evalign.metrics import MOST_PASSAGES, DocumentSize, Metric, find_lacking
from evalign.progress import Progress, Step, no_progress
from evalign.readers import Folder, FolderLimit, InputLimit, find_limit, name_inputs, rename, show_path
from evalign.results import (
    CountsAlone,
    Failures,
    Ledger,
    NoEvidence,
    Parts,
    Result,
    SavedResult,
    Score,
    SystemResult,
    load_system,
    worst_value,
)
from evalign.scoring.api import Input, read, score
from evalign.scoring.checkpoints import (
    LAYOUT,
    FinishedFolder,
    KeptFile,
    make_digest,
    make_file,
    make_key,
    name_file,
)
from evalign.scoring.collection import Collection, Treebank, match_folders
from evalign.scoring.metric_choice import available_metrics, expand_names
from evalign.scoring.options import ScoreOptions, check_options, make_metric_options
from evalign.scoring.portable_inputs import (
    RunOrigin,
    can_travel,
    find_origin,
    find_path,
    list_inputs,
    list_raw_inputs,
    make_portable,
    read_inputs,
    size_of,
)
from evalign.scoring.warnings import check_gold
from evalign.text import LONGEST_LINE, Text
from evalign.wording import describe_failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Unpack


Keeping: TypeAlias = Literal["keep", "drop"]

# One treebank: what a worker does.

# Of the forms that marshal writes the one that all versions of Python know which evalign runs on.
_FORM = 4


@dataclass(frozen=True, slots=True)
class CollectionJob:
    """What is asked of every treebank of a run."""

    systems: tuple[str, ...]
    missing: tuple[str, ...]
    """Per system, what to say of it where it has nothing for a treebank."""
    options: ScoreOptions
    """All of them, checked."""
    failures: Failures
    evidence: Keeping
    passages: int | None
    origin: RunOrigin | None = None
    """Where it was asked; None for this process."""
    max_input: int = field(default_factory=find_limit)
    """How many bytes an input may have, as it was job."""

    @property
    def elsewhere(self) -> RunOrigin | None:
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


def score_treebank(
    job: CollectionJob, treebank: Treebank, progress: Progress = no_progress
) -> TreebankScores:
    """All systems against the gold of a treebank."""
    with _without_collector():
        result, shown = _TreebankRun(treebank, job, progress).score()
        if job.evidence == "drop":
            return TreebankScores(shown, _drop_evidence(result), None)
        return TreebankScores(shown, None, result.to_dict(whole=True, passages=job.passages))


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
class _TreebankRun:
    """One treebank to be scored."""

    treebank: Treebank
    job: CollectionJob
    progress: Progress

    def score(self) -> tuple[Result, frozenset[str]]:
        """All systems against gold, those that failed in their places; and what systems were scored by."""
        try:
            self.progress("reading gold")
            format = self.job.options["gold_format"]
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
            for k, name in enumerate(self.job.systems)
        )
        return replace(result, systems=systems), shown

    def _lost(self, failure: str) -> Result:
        """What is left of a treebank whose gold cannot be read: no metric, no unit."""
        systems = tuple(_failed(name, {}, failure) for name in self.job.systems)
        return Result(self.names[0] or self.treebank.name, systems, "whole", [])

    @cached_property
    def names(self) -> Sequence[str]:
        """What gold and the systems' files are called; nothing for what is no file."""
        return name_inputs((self.treebank.gold, *self.treebank.systems))

    def _read(self, source: Input, format: str, name: str) -> Document:
        document = read(
            source,
            format=format,
            strict=self.job.options["strict"],
            collapse_empty_nodes=self.job.options["collapse_empty_nodes"],
            empty=self.job.options["empty"],
            split_spaces=self.job.options["split_spaces"],
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
        if self.job.origin is not None:
            # A worker elsewhere looks for a relative path from the folder that the run was started in.
            names |= {self.job.origin.find(path): name for path, name in names.items() if path}
        return replace_paths(error.on_one_line, names)

    def _read_systems(self) -> tuple[dict[int, Document], dict[int, str]]:
        """What could be read, and why the rest could not."""
        documents: dict[int, Document] = {}
        failed: dict[int, str] = {}
        for k, (name, source) in enumerate(zip(self.job.systems, self.treebank.systems, strict=True)):
            if source is None:
                failed[k] = (self.treebank.missing or self.job.missing)[k]
                continue
            try:
                self.progress(f"reading {name}")
                documents[k] = self._read(source, self.job.options["system_format"], self.names[k + 1])
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
                failures = self._find_failures(gold, documents) or dict.fromkeys(documents, self._say(error))
                failed |= failures
                for k in failures:
                    del documents[k]
        return None

    def _find_failures(self, gold: Document, documents: Mapping[int, Document]) -> dict[int, str]:
        """Which systems cannot be scored on their own, and why."""
        failures = {}
        for k, document in documents.items():
            try:
                self._score(gold, [document])
            except EvalignError as error:
                failures[k] = self._say(error)
        return failures

    def _score(
        self, gold: Document, documents: Sequence[Document], **changed: Unpack[ScoreOptions]
    ) -> Result:
        options: ScoreOptions = {**self.job.options, **changed}
        return score(gold, *documents, raw=self.treebank.raw, progress=self.progress, **options)

    def _find_missed(
        self, gold: Document, documents: Mapping[int, Document], result: Result
    ) -> tuple[dict[str, Score], tuple[str, ...] | None]:
        """Scores where a system has none: not available, or those of an empty output; and what gold is judged by.

        An empty output can be better than the worst: it has no crossing bracket. Then there is no row to count with.
        """
        scores = result.systems[0].scores
        if self.job.failures == "skip":
            return {name: _without_rows(score.metric, result) for name, score in scores.items()}, None
        metrics = {metric.name: metric for metric in self._choose(gold, list(documents.values()), result)}
        judged = tuple(name for name, metric in metrics.items() if not find_lacking(gold, metric.needs))
        if len(documents) == len(self.job.systems) and not any(
            _lacks(system, name) for system in result.systems for name in judged
        ):
            return {}, judged
        nothing = read(Text("", "nothing"), format=gold.format, raw=self.treebank.raw)
        # A metric that was asked for is kept whatever the columns, and all documents together make the same units.
        rescored = self._score(gold, [*documents.values(), nothing], metrics=list(metrics), strict=False)
        empty_scores = rescored.systems[-1].scores
        return {
            name: empty_scores[name] if _is_worst(empty_scores[name]) else _without_rows(metric, result)
            for name, metric in metrics.items()
        }, judged

    def _choose(self, gold: Document, documents: Sequence[Document], result: Result) -> Sequence[Metric]:
        """The metrics of a treebank, and those that no system gives anything for and gold could be judged by."""
        metrics = [score.metric for score in result.systems[0].scores.values()]
        if self.job.options["strategy"] == "printed" or gold.spans is not None:
            return metrics
        asked, layer = self.job.options["metrics"], self.job.options["layer"]
        names = expand_names(asked, make_metric_options(self.job.options), layer)
        strict = self.job.options["strict"]
        return available_metrics(names, asked, gold, [gold, *documents], layer, strict=strict)


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
    return score.value is not None and score.value == worst_value(score.metric, score.metric.headline)


def _without_rows(metric: Metric, result: Result) -> Score:
    model = next(iter(result.systems[0].scores.values()))
    table = np.zeros((len(model.units), len(metric.fields)), np.int64)
    return Score(metric, table, model.average, available=False)


def _failed(
    name: str, scores: Mapping[str, Score], failure: str, judged: Sequence[str] | None = None
) -> SystemResult:
    signature = f"evalign:{__version__}|failed:yes"
    missed = None if judged is None else tuple(judged)
    return SystemResult(name, scores, Ledger(0, 0, 0, 0), signature, NoEvidence(), failure, missed)


# What is kept of finished treebanks.


class FinishedTreebank(NamedTuple):
    """A treebank that is done, and the file to keep of it; None where nothing is kept."""

    scored: TreebankScores
    file: KeptFile | None = None


def finish_treebank(
    job: CollectionJob, digest: str, treebank: Treebank, progress: Progress = no_progress
) -> FinishedTreebank:
    """Score a treebank, and make the file to keep of it: where a digest of the job says that one is wanted."""
    with InputLimit(job.max_input):
        return _finish(job, digest, treebank, progress)


def _finish(job: CollectionJob, digest: str, treebank: Treebank, progress: Progress) -> FinishedTreebank:
    origin = job.elsewhere
    is_kept = bool(digest) and can_travel(treebank)
    if is_kept or origin:
        # Read once: what is scored is what the key is of, and what has an address is not fetched twice.
        progress("reading files")
        treebank = read_inputs(treebank, origin)
    key = make_key(digest, treebank) if is_kept else ""
    scored = score_treebank(job, treebank, progress)
    if not is_kept or scored.is_lost:
        return FinishedTreebank(scored)
    return FinishedTreebank(scored, _make_checkpoint(treebank, key, scored))


def _make_checkpoint(treebank: Treebank, key: str, scored: TreebankScores) -> KeptFile:
    saved = scored.saved or scored.load().to_dict(whole=True)
    return KeptFile(name_file(treebank.name, key), make_file(key, scored.shown, saved))


def find_file(job: CollectionJob, digest: str, treebank: Treebank, progress: Progress = no_progress) -> str:
    """The name of the file that a treebank would be kept in; nothing for inputs that only this process has."""
    if not can_travel(treebank):
        return ""
    progress("looking whether it is finished")
    with InputLimit(job.max_input):
        return name_file(treebank.name, make_key(digest, treebank, job.elsewhere))


def describe_job(job: CollectionJob, *, version: str = __version__) -> str:
    """A digest of all that is asked of a treebank; of files among the options what they hold."""
    options = {name: _plain(value) for name, value in job.options.items()}
    if job.options["exceptions"]:
        from evalign.alignment import load_exceptions

        options["exceptions"] = [job.options["exceptions"], load_exceptions(job.options["exceptions"])]
    others = [job.systems, job.missing, job.failures, job.evidence, job.passages]
    if job.max_input != LONGEST_LINE:  # a system may have failed for it
        others.append(job.max_input)
    return make_digest([LAYOUT, version, options, others])


def _plain(value: object) -> object:
    """A value as JSON has it, the same for the same value."""
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(each) for each in value]
    return value


Answer = TypeVar("Answer")

# All treebanks of a run.

# A result, and the metrics that systems were scored by.
_Done: TypeAlias = tuple[Result, frozenset[str]]


class TreebankCost(NamedTuple):
    """Seconds that work takes in this process, by what is known of it before."""

    file: float
    """For each file of a system."""
    byte: float

    def of(self, treebanks: Iterable[Treebank]) -> float:
        """Those of some treebanks."""
        return sum(self.file * len(each.systems) + self.byte * size_of(each) for each in treebanks)


# Measured on 100 treebanks of 17 and of 52 KB a file: 0.6 and 0.8 s of counts, 2.9 and 4.1 s with evidence.
TREEBANK_COSTS: Mapping[Keeping, TreebankCost] = {
    "drop": TreebankCost(0.0045, 35e-9),
    "keep": TreebankCost(0.023, 170e-9),
}
COST_OF_LOOKING = TreebankCost(0.0005, 1e-9)
# Names of treebanks under way that are told.
_MOST_TOLD = 3


def score_collection(
    gold: Folder | Collection,
    *systems: Folder,
    raw: Folder | None = None,
    names: Sequence[str] = (),
    failures: Failures = "skip",
    evidence: Keeping = "keep",
    passages: int | None = MOST_PASSAGES,
    engine: EngineInput = None,
    keep: Folder | FinishedFolder | None = None,
    stay_below: Folder | None = None,
    progress: Progress = no_progress,
    **options: Unpack[ScoreOptions],
) -> Parts:
    """Score folders of systems against a folder of gold, treebank by treebank; files are matched by name.

    `gold` may be a `Collection` instead, as `read_manifest` makes it. Options are those of `score`; `raw` is a folder;
    `names` are what the systems are called, if not as their folders.
    A system that has no file for a treebank, or one that cannot be scored, failed on it, and `Parts.failed` says why.
    Averages leave it out, or with `failures` "zero" take everything of that treebank as missed; then also a metric that
    gold can be judged by and the system gives nothing for, as `Parts.missed` says. `evidence` is what a saved result
    keeps of errors, with at most so many `passages` for each system and treebank, None for all; without it there are
    only counts.

    `engine` is where treebanks are scored: a number of processes, the address of a cluster, a client of Dask's, an
    engine; else one after the other in this process. In the folder `keep` every finished treebank is kept, and a run
    that was stopped goes on behind those whose files and options have not changed. With `stay_below`, a folder, a file
    outside of it is refused before any is read, and so is a URL.
    """
    if failures not in ("skip", "zero") or evidence not in ("keep", "drop"):
        message = f'failures is "{failures}", evidence is "{evidence}"'
        raise CommandError(message, "skip or zero, and keep or drop")
    folder = keep if isinstance(keep, FinishedFolder) or keep is None else FinishedFolder(keep)
    collection = _collect(gold, systems, raw, names, folder)
    if stay_below is not None:
        _check_below(collection, FolderLimit(stay_below))
    job = CollectionJob(
        collection.systems, collection.missing, check_options(options), failures, evidence, passages
    )
    scored = _score_all(collection.treebanks, job, engine, folder, progress)
    treebanks = [treebank.name for treebank in collection.treebanks]
    results = {name: result for name, (result, _) in zip(treebanks, scored, strict=True)}
    _check_scored(results, show_path(collection.treebanks[0].gold))
    shown = frozenset[str]().union(*(each for _, each in scored))
    return Parts("treebank", _same_metrics(results, shown), failures=failures, warnings=collection.warnings)


def _collect(
    gold: Folder | Collection,
    systems: Sequence[Folder],
    raw: Folder | None,
    names: Sequence[str],
    keep: FinishedFolder | None,
) -> Collection:
    if not isinstance(gold, Collection):
        if keep:
            keep.check_apart(gold, *systems, *([raw] if raw is not None else []))
        return match_folders(gold, *systems, raw=raw, without=[keep.path] if keep else [], names=names)
    if systems or names or raw is not None:
        message = "folders besides a collection"
        raise CommandError(message, "one of the two", "a collection says which files there are")
    return gold


def _check_below(collection: Collection, limit: FolderLimit) -> None:
    """Raise `InputError` where a file is outside of a folder; what is open, or text, is the caller's own."""
    for treebank in collection.treebanks:
        for path in filter(None, map(find_path, list_inputs(treebank))):
            limit.check(Place(f"treebank {treebank.name}"), path)


def _score_all(
    treebanks: Sequence[Treebank],
    job: CollectionJob,
    given: EngineInput,
    folder: FinishedFolder | None,
    progress: Progress,
) -> list[_Done]:
    """All treebanks, in their order."""
    with _opened(given, progress) as engine:
        if not isinstance(engine, SerialEngine):
            job = replace(job, origin=find_origin())
        left = dict(enumerate(treebanks))
        results: dict[int, _Done] = {}
        digest = ""
        if folder:
            # Looked at first, and scored then: what can be read only once is read now.
            left = {k: make_portable(each) if can_travel(each) else each for k, each in left.items()}
            digest = describe_job(job)
            results = _recall(engine, folder, job, digest, left, progress)
            folder.begin(len(treebanks), len(results))
        left = {number: treebank for number, treebank in left.items() if number not in results}
        board = _Board("scoring", progress, len(treebanks), len(results))
        work = partial(finish_treebank, job, digest)
        for number, finished in _work(_choose(engine, left, TREEBANK_COSTS[job.evidence]), work, left, board):
            if folder and finished.file:
                folder.put(finished.file)
            results[number] = finished.scored.load(), finished.scored.shown
    return [results[number] for number in range(len(treebanks))]


@contextmanager
def _opened(given: EngineInput, progress: Progress) -> Iterator[Engine]:
    """An engine, let go afterwards if it was made here."""
    from evalign.engines import ProcessEngine

    if isinstance(given, (SerialEngine, ProcessEngine)):  # somebody else's
        yield given
        return
    with open_engine(given, progress=progress) as engine:
        yield engine


def _choose(engine: Engine, treebanks: Mapping[int, Treebank], cost: TreebankCost) -> Engine:
    """This process instead of several, where there is less to do than it takes to start them."""
    from evalign.engines import ProcessEngine

    if not isinstance(engine, ProcessEngine):
        return engine
    is_small = len(treebanks) < 2 or cost.of(treebanks.values()) < engine.least_work
    return SerialEngine() if is_small else engine


def _recall(
    engine: Engine,
    folder: FinishedFolder,
    job: CollectionJob,
    digest: str,
    treebanks: Mapping[int, Treebank],
    progress: Progress,
) -> dict[int, _Done]:
    """The treebanks that are finished already. Their inputs are read to know it, where the data is."""
    candidates = folder.find_candidates(treebanks)
    board = _Board("looking at", progress, len(candidates))
    look = partial(find_file, job, digest)
    results: dict[int, _Done] = {}
    for number, name in _work(_choose(engine, candidates, COST_OF_LOOKING), look, candidates, board):
        recalled = folder.take(name, job.systems)
        if recalled is not None:
            results[number] = recalled.result, recalled.shown
    return results


def _work(
    engine: Engine, function: Callable[..., Answer], treebanks: Mapping[int, Treebank], board: _Board
) -> Iterator[tuple[int, Answer]]:
    """What a function makes of each treebank, as they are done; what cannot travel stays in this process."""
    away = [k for k, each in treebanks.items() if not isinstance(engine, SerialEngine) and can_travel(each)]
    # The largest first: one that begins last is waited for.
    away.sort(key=lambda number: size_of(treebanks[number]), reverse=True)
    here = [k for k in treebanks if k not in set(away)]
    drawn = (make_portable(treebanks[k]) for k in board.begin(away, treebanks))
    yield from _run(engine.run(function, drawn), away, board)
    board.is_here = True
    drawn = (treebanks[k] for k in board.begin(here, treebanks))
    yield from _run(SerialEngine().run(partial(function, progress=board.tell_stage), drawn), here, board)


def _run(
    done: Iterator[tuple[int, Answer]], numbers: Sequence[int], board: _Board
) -> Iterator[tuple[int, Answer]]:
    """What an engine has done, under the numbers of the treebanks; it is stopped when nobody wants any more."""
    try:
        for place, value in done:
            yield numbers[place], value
            board.end(numbers[place])
    finally:
        close = getattr(done, "close", None)
        if close:
            close()


class _Board:
    """How many treebanks are done, and which are under way."""

    def __init__(self, doing: str, progress: Progress, total: int, done: int = 0) -> None:
        self._doing, self._progress, self._total, self._done = doing, progress, total, done
        self._under_way: dict[int, str] = {}
        self.is_here = False

    def begin(self, numbers: Iterable[int], treebanks: Mapping[int, Treebank]) -> Iterator[int]:
        """The numbers of treebanks, each told of when it is drawn."""
        for number in numbers:
            self._under_way[number] = treebanks[number].name
            self._tell()
            yield number

    def end(self, number: int) -> None:
        """A treebank is done."""
        del self._under_way[number]
        self._done += 1
        self._tell()

    def _tell(self) -> None:
        # Those that were drawn first are being worked on; in this process every stage is told.
        names = ", ".join(islice(self._under_way.values(), _MOST_TOLD))
        if names and not self.is_here:
            self._progress(Step(f"{self._doing} {names}", self._done, self._total))

    def tell_stage(self, stage: str) -> None:
        """What is being done with the one treebank that is under way."""
        [name] = self._under_way.values()
        self._progress(Step(f"{name}: {stage}", self._done, self._total))


def _same_metrics(results: Mapping[str, Result], scored: frozenset[str]) -> dict[str, Result]:
    """Gold may have metrics that no system was scored by anywhere: they are left out."""
    return {
        part: replace(r, systems=tuple(_only(s, scored) for s in r.systems)) for part, r in results.items()
    }


def _only(system: SystemResult, metrics: frozenset[str]) -> SystemResult:
    scores = {name: score for name, score in system.scores.items() if name in metrics}
    missed = None if system.missed is None else tuple(name for name in system.missed if name in metrics)
    # A system that did not fail misses nothing, unless it says so.
    return replace(system, scores=scores, missed=missed if missed or system.failure else None)


def _check_scored(results: Mapping[str, Result], gold: str) -> None:
    """Raise `InputError`, in `gold`, if every system failed on every treebank."""
    failures = [(name, s.name, s.failure) for name, r in results.items() for s in r.systems]
    if all(failure for *_, failure in failures):
        treebank, system, failure = failures[0]
        problem = f"nothing could be scored: {describe_failure(system, treebank, failure)}"
        raise InputError(Place(gold or treebank), problem, "a file that can be scored")
