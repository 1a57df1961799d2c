"""Shared-task runs: `score_collection` scores many treebanks and several systems, treebank by treebank.

Each treebank is scored by itself, in this process or by a worker; what is sent to a worker and what it
returns can be pickled. Of each treebank only counts and the evidence of a saved result are kept, not its
documents. A system without a file for a treebank, or with one that cannot be scored, failed on that treebank,
and the run goes on. Where failures count as 0, an empty column counts as a failure too, so that no system
gains by leaving out what is hard.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice
from typing import Literal, NamedTuple, TypeAlias, TypeVar, Unpack

import numpy as np

from evalign._version import __version__
from evalign.engines.base import Engine, EngineInput, SerialEngine, open_engine
from evalign.engines.checkpoints import LAYOUT, make_digest
from evalign.errors import CommandError, EvalignError, InputError, Place, Spell, current_spell, spell_with
from evalign.files import replace_paths, shorten_paths
from evalign.metrics.metric import MOST_PASSAGES, Metric
from evalign.options import OptionKeywords, ScoreOptions
from evalign.progress import Progress, Step, no_progress
from evalign.readers.display_names import name_inputs, rename, show_path
from evalign.readers.folder_limit import Folder, FolderLimit
from evalign.readers.limits import InputLimit, requested_limit
from evalign.results.ledger import Ledger
from evalign.results.result import Parts, Result
from evalign.results.system_result import CountsAlone, Failures, NoEvidence, Score, SystemResult, worst_value
from evalign.scoring.checkpoints import (
    FinishedFolder,
    KeptFile,
    ScoredTreebank,
    make_file,
    make_key,
    name_file,
)
from evalign.scoring.collection import Collection, Treebank, match_folders
from evalign.scoring.finish import finish
from evalign.scoring.metric_choice import available_metrics
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
from evalign.scoring.reading import Input, load_raw, read_document
from evalign.scoring.request import Execution, ScoreRequest, list_groupings, make_request, resolve
from evalign.scoring.run import check_parts, count_all
from evalign.scoring.tally import Tally, sum_groups
from evalign.scoring.warnings import check_gold
from evalign.text import Text
from evalign.wording import describe_failure

Keeping: TypeAlias = Literal["keep", "drop"]

# One treebank, as a worker scores it.


@dataclass(frozen=True, slots=True)
class CollectionJob:
    """The systems and options that every treebank of a run is scored with; sent to workers."""

    systems: tuple[str, ...]
    """Names of the systems."""
    missing: tuple[str, ...]
    """Per system, the message where it has no output for a treebank."""
    options: ScoreOptions
    """All options of `score`, checked."""
    failures: Failures
    """"skip" to leave failures out of averages, "zero" to count all of gold there as missed."""
    evidence: Keeping
    """"keep" errors as in a saved result, or "drop" them."""
    passages: int | None
    """Most passages (blocks of sentences with errors) to keep per system and treebank; None for all."""
    origin: RunOrigin | None = None
    """Where the run was started; None if that is this process."""
    max_input: int | None = field(default_factory=requested_limit)
    """Most bytes that an input may have, as requested where the run was started."""
    spell: Spell = field(default_factory=current_spell)
    """What writes options in reasons of failure and in warnings."""
    by: tuple[str, ...] = ()
    """Names that the results will be split by, such as those of gold's comments."""
    stream: bool | int = False
    """True for bounded memory; a number also sets how many bytes of each file are read at a time."""
    window: int | None = None
    """With bounded memory, how far away displaced text is searched for, in characters; None for the usual."""

    @property
    def is_streamed(self) -> bool:
        """True if texts are read in parts."""
        return bool(self.stream) or self.window is not None

    @property
    def elsewhere(self) -> RunOrigin | None:
        """Where the run was started, if paths mean something else there than here; else None."""
        return None if self.origin is None or self.origin.is_here else self.origin


def score_treebank(
    job: CollectionJob, treebank: Treebank, progress: Progress = no_progress
) -> ScoredTreebank:
    """Score all systems against the gold of one treebank; the result marks those that cannot be scored."""
    with _without_collector():
        result, shown = _TreebankRun(treebank, job, progress).score()
        return ScoredTreebank(_condense(result, job), shown)


def _condense(result: Result, job: CollectionJob) -> Result:
    """Return the result without documents: with the errors of a saved result, or with counts alone."""
    if job.evidence == "keep":
        fields = {key: list(values) for key, values in result.unit_fields.items()}
        systems = [
            replace(system, evidence=system.evidence.condense(system, job.passages))
            for system in result.systems
        ]
    else:
        fields = {}
        systems = [
            replace(system, evidence=NoEvidence() if system.failure else CountsAlone())
            for system in result.systems
        ]
    return replace(result, systems=tuple(systems), unit_names=list(result.unit_names), unit_fields=fields)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Switch the garbage collector off within the context.

    It would find nothing to free: documents have no cycles, and evidence is many small objects that stay.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@dataclass(frozen=True)
class _TreebankRun:
    """The scoring of one treebank, which may leave out failed systems and score the others again."""

    treebank: Treebank
    job: CollectionJob
    progress: Progress

    def score(self) -> tuple[Result, frozenset[str]]:
        """Score all systems.

        Returns the result, with failed systems in their places, and the metrics scored.
        """
        outputs, failed = dict[int, Input](), dict[int, str]()
        try:
            gold = self._take(0, self.treebank.gold, "reading gold")
            self._take_outputs(outputs, failed)
            tally = self._count_those_that_can(gold, outputs, failed)
            is_lost = tally is None
            if tally is None:  # no system is left: count gold against itself for its units and metrics
                tally = self._count([gold, gold], [0, 0])
        except InputError as error:
            return self._fail_all(self._describe_error(error)), frozenset()
        result = finish(self._request(), tally)
        shown = frozenset(() if is_lost else result.systems[0].scores)
        result = replace(result, warnings=()) if is_lost else result
        scored = dict(zip(outputs, result.systems, strict=False))
        scores, judged = self._find_missed(gold, tally, result, is_complete=not failed)
        systems = tuple(
            _fill(replace(scored[k], name=name), scores, judged)
            if k in scored
            else _make_failed(name, scores, failed[k], judged)
            for k, name in enumerate(self.job.systems)
        )
        return replace(result, systems=systems), shown

    def check_streamed(self) -> None:
        """Raise `CommandError` if the treebank cannot be scored in bounded memory, before any file is read."""
        sources = [source for source in (self.treebank.gold, *self.treebank.systems) if source is not None]
        check_parts(self._request(sources), Execution(stream=self.job.stream))

    def _fail_all(self, failure: str) -> Result:
        """Return the result for a treebank whose gold cannot be read: all systems failed, no metrics."""
        systems = tuple(_make_failed(name, {}, failure) for name in self.job.systems)
        return Result(self.names[0] or self.treebank.name, systems, "whole", [])

    @cached_property
    def names(self) -> Sequence[str]:
        """Names of gold and of the systems' files; empty for inputs that are not files."""
        return name_inputs((self.treebank.gold, *self.treebank.systems))

    def _take(self, number: int, source: Input, stage: str) -> Input:
        """Read an input; 0 is gold. A text that is to be streamed is not read yet."""
        if self.job.is_streamed:
            return source
        self.progress(stage)
        options = self.job.options
        format = options.system_format if number else options.gold_format
        document = read_document(source, format, load_raw(self.treebank.raw), options)
        document = rename(document, self.names[number])
        if not number:
            check_gold(source, document.name, document.line, format)
        return document

    def _take_outputs(self, outputs: dict[int, Input], failed: dict[int, str]) -> None:
        """Read the systems' files: into `outputs`, or reasons of failure into `failed`, by number of the system."""
        for k, (name, source) in enumerate(zip(self.job.systems, self.treebank.systems, strict=True)):
            if source is None:
                failed[k] = (self.treebank.missing or self.job.missing)[k]
                continue
            try:
                outputs[k] = self._take(k + 1, source, f"reading {name}")
            except EvalignError as error:
                failed[k] = self._describe_error(error)

    def _describe_error(self, error: EvalignError) -> str:
        """Return an error's message on one line, as results keep it: with names of files instead of paths."""
        names = dict(
            zip(map(show_path, (self.treebank.gold, *self.treebank.systems)), self.names, strict=True)
        )
        raws = [path for path in map(show_path, list_raw_inputs(self.treebank.raw)) if path]
        names |= dict(zip(raws, shorten_paths(raws, self.names), strict=True))
        if self.job.origin is not None:
            # A worker elsewhere looks for a relative path from the folder that the run was started in.
            names |= {self.job.origin.find(path): name for path, name in names.items() if path}
        return replace_paths(error.on_one_line, names)

    def _count_those_that_can(
        self, gold: Input, outputs: dict[int, Input], failed: dict[int, str]
    ) -> Tally | None:
        """Count the systems that can be scored, all together, as their units depend on all of them.

        The others are moved from `outputs` to `failed`, in place. Returns None if no system is left.
        """
        while outputs:
            try:
                return self._count([gold, *outputs.values()], [0, *(k + 1 for k in outputs)])
            except EvalignError as error:
                failures = self._find_failures(gold, outputs) or dict.fromkeys(
                    outputs, self._describe_error(error)
                )
                failed |= failures
                for k in failures:
                    del outputs[k]
        return None

    def _find_failures(self, gold: Input, outputs: Mapping[int, Input]) -> dict[int, str]:
        """Count each system alone; return the reasons of those that fail, by number of the system."""
        failures = {}
        for k, output in outputs.items():
            try:
                self._count([gold, output], [0, k + 1])
            except EvalignError as error:
                failures[k] = self._describe_error(error)
        return failures

    def _request(self, sources: Sequence[Input] = (), numbers: Sequence[int] = ()) -> ScoreRequest:
        """Make the request to score inputs of the treebank; `numbers` say which ones they are."""
        job = self.job
        request = make_request(
            sources,
            job.options,
            raw=self.treebank.raw,
            by=job.by,
            window=job.window,
            has_evidence=job.evidence == "keep",
            passages=job.passages,
        )
        return request._replace(names=[self.names[number] for number in numbers])

    def _count(self, sources: Sequence[Input], numbers: Sequence[int]) -> Tally:
        return count_all(self._request(sources, numbers), Execution(stream=self.job.stream), self.progress)

    def _find_missed(
        self, gold: Input, tally: Tally, result: Result, *, is_complete: bool
    ) -> tuple[dict[str, Score], tuple[str, ...] | None]:
        """Find the scores to fill in where a system has none, and the metrics that gold has the columns for.

        With `failures="skip"` all these scores are marked as not available, and None is returned instead of
        the metrics. With "zero" they are the scores of an empty output, except for metrics where an empty
        output is not the worst (it has no crossing bracket): their scores are marked as not available,
        because no row of counts would be right.
        """
        scores = result.systems[0].scores
        if self.job.failures == "skip":
            return {name: _without_rows(score.metric, result) for name, score in scores.items()}, None
        metrics = {metric.name: metric for metric in self._choose(tally, result)}
        judged = tuple(name for name, metric in metrics.items() if not tally.gold.find_lacking(metric.needs))
        if is_complete and not any(_lacks(system, name) for system in result.systems for name in judged):
            return {}, judged
        empty_scores = self._score_nothing(gold, tally, tuple(metrics))
        return {
            name: empty_scores[name] if _is_worst(empty_scores[name]) else _without_rows(metric, result)
            for name, metric in metrics.items()
        }, judged

    def _score_nothing(self, gold: Input, tally: Tally, metrics: tuple[str, ...]) -> Mapping[str, Score]:
        """Score an empty output by `metrics`, with a row for each unit of `tally`."""
        # Metrics are named, so that they are kept whatever the columns; no stretches are merged, so that rows
        # can be added up by any units.
        options = replace(self.job.options, metrics=metrics, strict=False, system_format=tally.gold.format)
        request = self._request([gold, Text("", "nothing")], [0])
        request = request._replace(options=options, names=(), has_evidence=False, most_units=sys.maxsize)
        nothing = count_all(request, Execution(stream=self.job.stream), self.progress)
        starts = np.searchsorted(nothing.units.sentences, tally.units.sentences)
        scores = finish(request, nothing).systems[0].scores
        return {name: replace(score, units=sum_groups(score.units, starts)) for name, score in scores.items()}

    def _choose(self, tally: Tally, result: Result) -> Sequence[Metric]:
        """Choose the metrics of a treebank, including those whose columns gold fills but no system does."""
        metrics = [score.metric for score in result.systems[0].scores.values()]
        if self.job.options.strategy == "printed" or tally.gold.has_spans:
            return metrics
        censuses = [system.census for system in tally.systems]
        return available_metrics(self.job.options, tally.gold, [tally.gold, *censuses])


def _lacks(system: SystemResult, metric: str) -> bool:
    return metric not in system.scores or not system.scores[metric].available


def _fill(system: SystemResult, scores: Mapping[str, Score], judged: Sequence[str] | None) -> SystemResult:
    """Fill in `scores` for the metrics in `judged` that the system lacks, and note them as missed."""
    missed = tuple(name for name in judged or () if _lacks(system, name))
    if not missed:
        return system
    filled = {name: system.scores[name] if name not in missed else score for name, score in scores.items()}
    return replace(system, scores=filled, missed=missed)


def _is_worst(score: Score) -> bool:
    """Return whether a score has the worst value that its metric can have."""
    return score.value is not None and score.value == worst_value(score.metric, score.metric.headline)


def _without_rows(metric: Metric, result: Result) -> Score:
    """Make a score marked as not available, with rows of zeros, as many as the other scores have."""
    model = next(iter(result.systems[0].scores.values()))
    table = np.zeros((len(model.units), len(metric.fields)), np.int64)
    return Score(metric, table, model.average, available=False)


def _make_failed(
    name: str, scores: Mapping[str, Score], failure: str, judged: Sequence[str] | None = None
) -> SystemResult:
    signature = f"evalign:{__version__}|failed:yes"
    missed = None if judged is None else tuple(judged)
    return SystemResult(name, scores, Ledger(0, 0, 0, 0), signature, NoEvidence(), failure, missed)


# Finished treebanks and their checkpoints.


def finish_treebank(
    job: CollectionJob, digest: str, treebank: Treebank, progress: Progress = no_progress
) -> ScoredTreebank:
    """Score a treebank and make its checkpoint.

    `digest` is that of `describe_job`. No checkpoint is made if it is empty, if inputs are objects in memory,
    or if all systems failed.
    """
    before = spell_with(job.spell)
    try:
        with InputLimit(job.max_input):
            return _finish(job, digest, treebank, progress)
    finally:
        spell_with(before)


def _finish(job: CollectionJob, digest: str, treebank: Treebank, progress: Progress) -> ScoredTreebank:
    origin = job.elsewhere
    is_kept = bool(digest) and can_travel(treebank)
    if (is_kept and not job.is_streamed) or origin:
        # Read inputs once: the key is then of the bytes that are scored, and URLs are not fetched twice.
        progress("reading files")
        treebank = read_inputs(treebank, origin)
    key = make_key(digest, treebank, is_streamed=job.is_streamed) if is_kept else ""
    scored = score_treebank(job, treebank, progress)
    if not is_kept or all(system.failure for system in scored.result.systems):
        return scored
    saved = scored.result.to_dict(whole=True, passages=job.passages)
    return scored._replace(file=KeptFile(name_file(treebank.name, key), make_file(key, scored.shown, saved)))


def find_file(job: CollectionJob, digest: str, treebank: Treebank, progress: Progress = no_progress) -> str:
    """Read a treebank's inputs and return the name of its checkpoint; empty for inputs that are objects."""
    if not can_travel(treebank):
        return ""
    progress("looking whether it is finished")
    with InputLimit(job.max_input):
        key = make_key(digest, treebank, job.elsewhere, is_streamed=job.is_streamed)
        return name_file(treebank.name, key)


def describe_job(job: CollectionJob, *, version: str = __version__) -> str:
    """Return a digest of systems, options and version, with the content of files among the options."""
    values = vars(job.options) | {"preset": job.options.bracket_rules}
    if exceptions := job.options.exceptions:
        values["exceptions"] = [exceptions, exceptions.words]
    options = {name: _plain(value) for name, value in values.items()}
    others: list[object] = [job.systems, job.missing, job.failures, job.evidence, job.passages]
    if job.max_input is not None:  # a system may have failed because of the limit
        others.append(job.max_input)
    if job.by or job.is_streamed:  # fewer errors may be kept of a text in parts
        others.append({"by": job.by, "stream": job.stream, "window": job.window})
    return make_digest([LAYOUT, version, options, others])


def _plain(value: object) -> object:
    """Convert a value for JSON, with sets sorted, so that equal values give equal text."""
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(each) for each in value]
    return value


Answer = TypeVar("Answer")

# All treebanks of a run.


class TreebankCost(NamedTuple):
    """The seconds that work on treebanks takes in this process, estimated from their files."""

    file: float
    """Seconds for each file of a system."""
    byte: float
    """Seconds for each byte of any input."""

    def of(self, treebanks: Iterable[Treebank]) -> float:
        """Estimate the seconds for all of `treebanks` together."""
        return sum(self.file * len(each.systems) + self.byte * size_of(each) for each in treebanks)


# Measured on 100 treebanks with files of 17 and of 52 KB: 0.6 and 0.8 s for counts alone, 2.9 and 4.1 s with
# evidence.
TREEBANK_COSTS: Mapping[Keeping, TreebankCost] = {
    "drop": TreebankCost(0.0045, 35e-9),
    "keep": TreebankCost(0.023, 170e-9),
}
COST_OF_LOOKING = TreebankCost(0.0005, 1e-9)
# A progress message names at most this many treebanks that are under way.
_MOST_TOLD = 3


def score_collection(
    gold: Folder | Collection,
    *systems: Folder,
    raw: Folder | None = None,
    names: Sequence[str] = (),
    failures: Failures = "skip",
    by: Sequence[str] = (),
    stream: bool | int = False,
    window: int | None = None,
    evidence: Keeping = "keep",
    passages: int | None = MOST_PASSAGES,
    engine: EngineInput = None,
    keep: Folder | FinishedFolder | None = None,
    stay_below: Folder | None = None,
    progress: Progress = no_progress,
    **options: Unpack[OptionKeywords],
) -> Parts:
    """Score folders of systems against a folder of gold, treebank by treebank; files are matched by name.

    `gold` may be a `Collection` instead, as `read_manifest` makes it. Options are those of `score`; `raw` is
    a folder of raw texts; `names` are names for the systems, instead of those of their folders. A system
    without a file for a treebank, or with one that cannot be scored, failed on it; `Parts.failed` says why.
    Averages leave a failure out, or with `failures="zero"` count all of gold as missed there. With "zero" the
    same holds for a single metric if gold has its columns and the system does not; `Parts.missed` lists these
    metrics. With `evidence="keep"` as many errors are kept as in a saved result, with at most `passages`
    blocks of sentences with errors for each system and treebank (None for all); with "drop" only counts.
    `by` names what the run will be split by, and `stream` and `window` bound the memory of each treebank, as in
    `score`; what is impossible is refused.

    `engine` is where treebanks are scored: a number of processes, the address of a Dask cluster, its client,
    or an engine; without it, one after the other in this process. Every finished treebank is kept in the
    folder `keep`; if the run is stopped and started again, it skips those whose files and options have not
    changed. With `stay_below`, a folder, files outside of it and URLs are refused before any file is read.
    """
    if failures not in ("skip", "zero") or evidence not in ("keep", "drop"):
        message = f'failures is "{failures}", evidence is "{evidence}"'
        raise CommandError(message, "skip or zero, and keep or drop")
    folder = keep if isinstance(keep, FinishedFolder) or keep is None else FinishedFolder(keep)
    collection = _collect(gold, systems, raw, names, folder)
    if stay_below is not None:
        _check_below(collection, FolderLimit(stay_below))
    job = CollectionJob(
        collection.systems,
        collection.missing,
        resolve(**options),
        failures,
        "keep" if by else evidence,
        passages,
        by=list_groupings(by),
        stream=stream,
        window=window,
    )
    for treebank in collection.treebanks if job.is_streamed else ():
        _TreebankRun(treebank, job, progress).check_streamed()
    scored = _score_all(collection.treebanks, job, engine, folder, progress)
    treebanks = [treebank.name for treebank in collection.treebanks]
    results = {name: each.result for name, each in zip(treebanks, scored, strict=True)}
    _check_scored(results, show_path(collection.treebanks[0].gold))
    for name in job.by:
        _check_split(results.values(), name)
    shown = frozenset[str]().union(*(each.shown for each in scored))
    return Parts(
        "treebank", _drop_unscored_metrics(results, shown), failures=failures, warnings=collection.warnings
    )


def _check_split(results: Iterable[Result], by: str) -> None:
    """Raise `CommandError` if no result can be split by `by`."""
    refusals = []
    for result in results:
        try:
            return result.check_split(by)
        except CommandError as error:
            refusals.append(error)
    raise refusals[0]


def _collect(
    gold: Folder | Collection,
    systems: Sequence[Folder],
    raw: Folder | None,
    names: Sequence[str],
    keep: FinishedFolder | None,
) -> Collection:
    """Return the collection that was given, or match the files of folders."""
    if not isinstance(gold, Collection):
        if keep:
            keep.check_apart(gold, *systems, *([raw] if raw is not None else []))
        return match_folders(gold, *systems, raw=raw, without=[keep.path] if keep else [], names=names)
    if systems or names or raw is not None:
        message = "folders besides a collection"
        raise CommandError(message, "one of the two", "a collection says which files there are")
    return gold


def _check_below(collection: Collection, limit: FolderLimit) -> None:
    """Raise `InputError` if a path or URL is outside of a folder; open files and text are not checked."""
    for treebank in collection.treebanks:
        for path in filter(None, map(find_path, list_inputs(treebank))):
            limit.check(Place(f"treebank {treebank.name}"), path)


def _score_all(
    treebanks: Sequence[Treebank],
    job: CollectionJob,
    given: EngineInput,
    folder: FinishedFolder | None,
    progress: Progress,
) -> list[ScoredTreebank]:
    """Score all treebanks that have no checkpoint.

    Returns result and shown metrics of every treebank, in their order.
    """
    with _opened(given, progress) as engine:
        if not isinstance(engine, SerialEngine):
            job = replace(job, origin=find_origin())
        left = dict(enumerate(treebanks))
        results: dict[int, ScoredTreebank] = {}
        digest = ""
        if folder:
            # Inputs are read twice, for the key and for scoring: those that can be read only once are read
            # now.
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
            results[number] = finished
    return [results[number] for number in range(len(treebanks))]


@contextmanager
def _opened(given: EngineInput, progress: Progress) -> Iterator[Engine]:
    """Open an engine for a context; close it afterwards unless the caller made it."""
    from evalign.engines.processes import ProcessEngine

    if isinstance(given, (SerialEngine, ProcessEngine)):  # the caller's
        yield given
        return
    with open_engine(given, progress=progress) as engine:
        yield engine


def _choose(engine: Engine, treebanks: Mapping[int, Treebank], cost: TreebankCost) -> Engine:
    """Return `engine`, or this process if starting several processes would take longer than the work."""
    from evalign.engines.processes import ProcessEngine

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
) -> dict[int, ScoredTreebank]:
    """Read the checkpoints of treebanks that an earlier run finished; return them by treebank number.

    The inputs are read to compute the keys. Workers do this if there are any, as they have the data.
    """
    candidates = folder.find_candidates(treebanks)
    board = _Board("looking at", progress, len(candidates))
    look = partial(find_file, job, digest)
    results: dict[int, ScoredTreebank] = {}
    for number, name in _work(_choose(engine, candidates, COST_OF_LOOKING), look, candidates, board):
        recalled = folder.take(name, job.systems)
        if recalled is not None:
            results[number] = recalled
    return results


def _work(
    engine: Engine, function: Callable[..., Answer], treebanks: Mapping[int, Treebank], board: _Board
) -> Iterator[tuple[int, Answer]]:
    """Call `function` on each treebank; yield the treebank's number and the value, in order of completion.

    Treebanks whose inputs cannot be sent are done in this process, after the others.
    """
    away = [k for k, each in treebanks.items() if not isinstance(engine, SerialEngine) and can_travel(each)]
    # Largest first, so that the run does not end with waiting for a large one.
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
    """Yield each of an engine's values together with the number of its treebank.

    If the caller stops, the engine's iterator is closed.
    """
    try:
        for place, value in done:
            yield numbers[place], value
            board.end(numbers[place])
    finally:
        close = getattr(done, "close", None)
        if close:
            close()


class _Board:
    """Reports progress: how many treebanks are done, and which are under way."""

    def __init__(self, doing: str, progress: Progress, total: int, done: int = 0) -> None:
        self._doing, self._progress, self._total, self._done = doing, progress, total, done
        self._under_way: dict[int, str] = {}
        self.is_here = False

    def begin(self, numbers: Iterable[int], treebanks: Mapping[int, Treebank]) -> Iterator[int]:
        """Yield `numbers` one by one, and report each treebank as under way when its number is drawn."""
        for number in numbers:
            self._under_way[number] = treebanks[number].name
            self._tell()
            yield number

    def end(self, number: int) -> None:
        """Report a treebank as done."""
        del self._under_way[number]
        self._done += 1
        self._tell()

    def _tell(self) -> None:
        # Only the first drawn are being worked on. In this process `tell_stage` reports instead.
        names = ", ".join(islice(self._under_way.values(), _MOST_TOLD))
        if names and not self.is_here:
            self._progress(Step(f"{self._doing} {names}", self._done, self._total))

    def tell_stage(self, stage: str) -> None:
        """Report the stage of the one treebank that is under way in this process."""
        [name] = self._under_way.values()
        self._progress(Step(f"{name}: {stage}", self._done, self._total))


def _drop_unscored_metrics(results: Mapping[str, Result], scored: frozenset[str]) -> dict[str, Result]:
    """Drop the metrics that only gold has: those by which no system was scored on any treebank."""
    return {
        part: replace(r, systems=tuple(_keep_metrics(s, scored) for s in r.systems))
        for part, r in results.items()
    }


def _keep_metrics(system: SystemResult, metrics: frozenset[str]) -> SystemResult:
    """Keep only the scores and missed metrics that are among `metrics`."""
    scores = {name: score for name, score in system.scores.items() if name in metrics}
    missed = None if system.missed is None else tuple(name for name in system.missed if name in metrics)
    # No missed metrics are None for a system that did not fail.
    return replace(system, scores=scores, missed=missed if missed or system.failure else None)


def _check_scored(results: Mapping[str, Result], gold: str) -> None:
    """Raise `InputError` if every system failed on every treebank; the error is located in `gold`."""
    failures = [(name, s.name, s.failure) for name, r in results.items() for s in r.systems]
    if all(failure for *_, failure in failures):
        treebank, system, failure = failures[0]
        problem = f"nothing could be scored: {describe_failure(system, treebank, failure)}"
        raise InputError(Place(gold or treebank), problem, "a file that can be scored")
