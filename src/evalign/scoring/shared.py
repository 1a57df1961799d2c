"""Shared-task runs: many treebanks, several systems, a result for each treebank.

Each treebank is a piece of work of its own, done in this process or by a worker. Of each only counts and the evidence
that a saved result keeps stay; its documents are gone when it is done. Where a system has no file, or one that cannot be
scored, it failed on that treebank, and the run goes on. Where failures count, an empty column is one too: nobody is to
gain by leaving out what is hard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import NamedTuple, TypeAlias, TypeVar

from evalign.engines import Engine, EngineInput, SerialEngine, open_engine
from evalign.errors import CommandError, InputError, Place
from evalign.metrics import MOST_PASSAGES
from evalign.progress import Progress, Step, no_progress
from evalign.readers import FolderLimit, show_path
from evalign.results import Failures, Parts, Result, SystemResult
from evalign.scoring.collection import Collection, Treebank, match_folders
from evalign.scoring.finished import FinishedFolder, describe_asked, find_file, finish_treebank
from evalign.scoring.folders import Folder
from evalign.scoring.inputs import can_travel, find_origin, find_path, list_inputs, pack, size_of
from evalign.scoring.options import ScoreOptions, check_options
from evalign.scoring.treebank import Asked, Keeping
from evalign.wording import describe_failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Unpack


Found = TypeVar("Found")

# A result, and the metrics that systems were scored by.
_Done: TypeAlias = tuple[Result, frozenset[str]]


class Cost(NamedTuple):
    """Seconds that work takes in this process, by what is known of it before."""

    file: float
    """For each file of a system."""
    byte: float

    def of(self, treebanks: Iterable[Treebank]) -> float:
        """Those of some treebanks."""
        return sum(self.file * len(each.systems) + self.byte * size_of(each) for each in treebanks)


# Measured on 100 treebanks of 17 and of 52 KB a file: 0.6 and 0.8 s of counts, 2.9 and 4.1 s with evidence.
COSTS: Mapping[Keeping, Cost] = {"drop": Cost(0.0045, 35e-9), "keep": Cost(0.023, 170e-9)}
COST_OF_LOOKING = Cost(0.0005, 1e-9)
# Seconds of work from which on several processes are faster than one: if they can be copied (two of them cost 0.03 s), and
# if they begin anew (0.6 s).
LEAST = {True: 0.25, False: 1.5}
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
    asked = Asked(
        collection.systems, collection.missing, check_options(options), failures, evidence, passages
    )
    scored = _score_all(collection.treebanks, asked, engine, folder, progress)
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
    asked: Asked,
    given: EngineInput,
    folder: FinishedFolder | None,
    progress: Progress,
) -> list[_Done]:
    """All treebanks, in their order."""
    with _opened(given, progress) as engine:
        if not isinstance(engine, SerialEngine):
            asked = replace(asked, origin=find_origin())
        left = dict(enumerate(treebanks))
        found: dict[int, _Done] = {}
        digest = ""
        if folder:
            # Looked at first, and scored then: what can be read only once is read now.
            left = {k: pack(each) if can_travel(each) else each for k, each in left.items()}
            digest = describe_asked(asked)
            found = _recall(engine, folder, asked, digest, left, progress)
            folder.begin(len(treebanks), len(found))
        left = {number: treebank for number, treebank in left.items() if number not in found}
        board = _Board("scoring", progress, len(treebanks), len(found))
        work = partial(finish_treebank, asked, digest)
        for number, finished in _work(_choose(engine, left, COSTS[asked.evidence]), work, left, board):
            if folder and finished.file:
                folder.put(finished.file)
            found[number] = finished.scored.load(), finished.scored.shown
    return [found[number] for number in range(len(treebanks))]


@contextmanager
def _opened(given: EngineInput, progress: Progress) -> Iterator[Engine]:
    """An engine, let go afterwards if it was made here."""
    from evalign.engines import ProcessEngine

    if isinstance(given, (SerialEngine, ProcessEngine)):  # somebody else's
        yield given
        return
    with open_engine(given, progress=progress) as engine:
        yield engine


def _choose(engine: Engine, treebanks: Mapping[int, Treebank], cost: Cost) -> Engine:
    """This process instead of several, where there is less to do than it takes to start them."""
    from evalign.engines import ProcessEngine

    if not isinstance(engine, ProcessEngine):
        return engine
    from evalign.engines import can_fork

    is_small = len(treebanks) < 2 or cost.of(treebanks.values()) < LEAST[can_fork()]
    return SerialEngine() if is_small else engine


def _recall(
    engine: Engine,
    folder: FinishedFolder,
    asked: Asked,
    digest: str,
    treebanks: Mapping[int, Treebank],
    progress: Progress,
) -> dict[int, _Done]:
    """The treebanks that are finished already. Their inputs are read to know it, where the data is."""
    candidates = folder.find_candidates(treebanks)
    board = _Board("looking at", progress, len(candidates))
    look = partial(find_file, asked, digest)
    found: dict[int, _Done] = {}
    for number, name in _work(_choose(engine, candidates, COST_OF_LOOKING), look, candidates, board):
        recalled = folder.take(name, asked.systems)
        if recalled is not None:
            found[number] = recalled.result, recalled.shown
    return found


def _work(
    engine: Engine, function: Callable[..., Found], treebanks: Mapping[int, Treebank], board: _Board
) -> Iterator[tuple[int, Found]]:
    """What a function makes of each treebank, as they are done; what cannot travel stays in this process."""
    away = [k for k, each in treebanks.items() if not isinstance(engine, SerialEngine) and can_travel(each)]
    # The largest first: one that begins last is waited for.
    away.sort(key=lambda number: size_of(treebanks[number]), reverse=True)
    here = [k for k in treebanks if k not in set(away)]
    drawn = (pack(treebanks[k]) for k in board.begin(away, treebanks))
    yield from _run(engine.run(function, drawn), away, board)
    board.is_here = True
    drawn = (treebanks[k] for k in board.begin(here, treebanks))
    yield from _run(SerialEngine().run(partial(function, progress=board.tell_stage), drawn), here, board)


def _run(
    done: Iterator[tuple[int, Found]], numbers: Sequence[int], board: _Board
) -> Iterator[tuple[int, Found]]:
    """What an engine has done, under the numbers of the treebanks; it is stopped when nobody wants any more."""
    try:
        for place, found in done:
            yield numbers[place], found
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
        found = f"nothing could be scored: {describe_failure(system, treebank, failure)}"
        raise InputError(Place(gold or treebank), found, "a file that can be scored")
