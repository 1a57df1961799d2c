"""Score gold and systems in parts: in bounded memory, in one process, several, or on a cluster.

    cut_parts (plan) -> Part -> count_part (count) -> PartTally -> Joiner (join) -> Result

The result is the same as that of scoring the whole text at once. `api` calls `score_in_parts`, which decides
whether the request and the data allow parts, and how large they are; `run_parts` cuts, counts and joins them.
Cutting and joining happen here, in text order; an engine counts the parts, several at a time. The run starts
again with corrected assumptions where a part shows that an assumption about the whole text was wrong
(`plan.Assumptions`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from typing import NamedTuple, TypeVar, cast

from evalign.alignment.character_alignment import SMALLEST_WINDOW
from evalign.engines.base import Engine, SerialEngine
from evalign.engines.run import open_engine, run_ordered
from evalign.errors import CommandError, InputError, Message, Place, option
from evalign.metrics.registry import choose_metrics
from evalign.progress import Progress, Step, no_progress
from evalign.readers.byte_stream import is_source
from evalign.readers.chunks import ChunkReader, can_reread, spool_to_file
from evalign.readers.limits import InputLimit, requested_limit
from evalign.readers.remote import is_url
from evalign.scoring.count import PartTally, count_part
from evalign.scoring.join import Joiner
from evalign.scoring.metric_choice import expand_names, needs_whole
from evalign.scoring.plan import AssumptionBroken, Assumptions, Part, PartsRequest, cut_parts
from evalign.scoring.request import Execution, ScoreRequest, find_size
from evalign.scoring.warnings import check_gold
from evalign.text import Source, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.results.result import Result


Answer = TypeVar("Answer")


# Parts cut, counted by an engine, and joined.


class InputSources(NamedTuple):
    """The inputs that are cut into parts: gold first, then the systems."""

    sources: tuple[Source, ...]
    names: tuple[str, ...]
    """Names of the inputs; an empty one stands for the source's own name."""
    formats: tuple[str, ...]
    chunk: int
    """Bytes of each input that are read at a time; a part has about as many."""

    def open(self, request: PartsRequest, stack: ExitStack) -> list[ChunkReader]:
        """Open a reader at the beginning of each input; `stack` closes them."""
        return [
            stack.enter_context(ChunkReader(source, format, request.options, chunk=self.chunk, name=name))
            for source, name, format in zip(self.sources, self.names, self.formats, strict=True)
        ]


def run_parts(
    sources: InputSources, request: PartsRequest, engine: Engine, progress: Progress = no_progress
) -> Result:
    """Cut `sources` into parts, count them with `engine` and join them; start again if an assumption breaks.

    Where workers may see other files than this process does (`engine.is_remote`), one of them does the
    cutting.
    """
    while True:
        joiner = Joiner(request)
        with ExitStack() as stack:
            if engine.is_remote:
                progress("one worker cuts the files into parts")
                plan = _call_worker(engine, partial(plan_parts, request), sources)
                if plan is None:
                    progress("one worker alone can read the files, as they are compressed")
                    return _call_worker(engine, partial(run_alone, request), sources)
                cutting = Cutting(plan.name, plan.total, plan.parts)
            else:
                cutting = cut_feeds(sources.open(request, stack), request)
            counting = run_ordered(engine, partial(count_part, request), _hand_out(cutting, progress))
            broken = _join(joiner, stack.enter_context(closing(counting)), request.assumed) or cutting.broken
        if broken is None:
            return joiner.result()
        progress("beginning again: the texts are not as they seemed at first")
        request = request._replace(assumed=broken)


def _call_worker(engine: Engine, function: Callable[[InputSources], Answer], sources: InputSources) -> Answer:
    """Call `function` on one worker, with the limit of inputs that holds here, and return its answer."""
    ((_, answer),) = engine.run(partial(_call_limited, requested_limit(), function), [sources])
    return answer


def _call_limited(
    limit: int | None, function: Callable[[InputSources], Answer], sources: InputSources
) -> Answer:
    with InputLimit(limit):
        return function(sources)


class Cutting:
    """An iterator over parts that stops at a broken assumption and keeps the correction in `broken`."""

    def __init__(self, name: str, total: int, parts: Iterable[Part | AssumptionBroken]) -> None:
        self.name, self.total = name, total
        """Name of gold, and bytes of all inputs together (0 if unknown), for messages of progress."""
        self.broken: Assumptions | None = None
        self._parts = parts

    def __iter__(self) -> Iterator[Part]:
        for part in self._parts:
            if isinstance(part, AssumptionBroken):
                self.broken = part.assumed
                return
            yield part


def cut_feeds(feeds: Sequence[ChunkReader], request: PartsRequest) -> Cutting:
    """Cut open readers into parts on demand."""
    sizes = [feed.size for feed in feeds]
    total = sum(sizes) if all(sizes) else 0
    return Cutting(feeds[0].name, total, cut_parts(feeds, request))


class Plan(NamedTuple):
    """All parts of a text, cut by one worker before any is counted; or only the broken assumption."""

    name: str
    """Name of gold."""
    total: int
    """Bytes of all inputs together; 0 if unknown."""
    parts: list[Part | AssumptionBroken]


def plan_parts(request: PartsRequest, sources: InputSources) -> Plan | None:
    """Cut all parts at once, on a worker that has the data.

    Returns None if workers cannot read slices of the inputs: a compressed file cannot be read from its
    middle.
    """
    with ExitStack() as stack:
        feeds = sources.open(request, stack)
        kinds = zip(feeds, sources.sources, strict=True)
        if not all(feed.can_seek or isinstance(source, Text) for feed, source in kinds):
            return None
        cutting = cut_feeds(feeds, request)
        parts: list[Part | AssumptionBroken] = list(cutting)
        if cutting.broken is not None:
            # The parts before it would be counted for nothing.
            parts = [AssumptionBroken(cutting.broken)]
        return Plan(cutting.name, cutting.total, parts)


def run_alone(request: PartsRequest, sources: InputSources) -> Result:
    """Run all parts on one worker, one after the other."""
    return run_parts(sources, request, SerialEngine())


def _hand_out(cutting: Cutting, progress: Progress) -> Iterator[Part]:
    """Yield the parts, and report progress as they are handed out."""
    for part in cutting:
        done = sum(each.end for each in (part.gold, *part.systems))
        progress(Step(f"scoring {cutting.name}", min(done, cutting.total or done), cutting.total, "bytes"))
        yield part


def _join(
    joiner: Joiner, tallies: Iterator[PartTally | AssumptionBroken], assumed: Assumptions
) -> Assumptions | None:
    """Add `tallies` to `joiner`. Return corrected assumptions as soon as one is broken, None if none is.

    Parts that are being counted at that moment are given up: the caller closes `tallies`.
    """
    for tally in tallies:
        if isinstance(tally, AssumptionBroken):
            return tally.assumed
        joiner.add(tally)
        if joiner.wrongly_empty:
            return assumed._replace(filled=joiner.wrongly_empty)
    return None


# Whether gold and systems are scored in parts, and how.

# The usual window with `stream`: how far away displaced text is searched for, in characters; some 200,000
# words.
WINDOW = 1 << 20
# Bytes of each file in a part: the most, and the fewest where several workers share them. In smaller parts
# the same labels are read again and again.
CHUNK, SMALLEST_CHUNK = 1 << 24, 1 << 20
# Parts for each worker: enough that no worker waits long for another to finish the last part.
PARTS_PER_WORKER = 4


def score_in_parts(
    request: ScoreRequest, execution: Execution, names: Sequence[str], progress: Progress
) -> Result | None:
    """Score `request` in parts if possible; return None if the whole is to be scored at once.

    `names` are the names of the inputs in the result; an empty one stands for the input's own name. Raises
    `CommandError` if bounded memory was requested and a metric or an input needs the whole text.
    """
    _check(execution)
    named = [name for name in expand_names(request.options) if name != "default"]
    metrics = choose_metrics(named) if named else ()
    reasons = needs_whole(metrics, request.options, has_raw=request.raw is not None)
    if request.options.layer:
        reasons.append("spans of stand-off tables are of all of a raw text")
    if not all(map(is_source, request.sources)):
        reasons.append("objects in memory are there as a whole")
    if (execution.stream or execution.window is not None) and reasons:
        by_parts = option("stream") if execution.stream else option("window")
        advice = "leave out " + by_parts + ", or what needs the whole text"
        raise CommandError(by_parts + ": " + reasons[0], "what can be counted part by part", advice)
    with open_engine(execution.engine, progress=progress) as engine:
        # A client may have no worker yet, and an engine made by the caller may have just one.
        if reasons or not (
            execution.stream or execution.window is not None or engine.is_remote or engine.n_workers > 1
        ):
            return None
        return _run(request, execution, names, engine, progress)


def _check(execution: Execution) -> None:
    if execution.stream < 0:
        message = f"stream={execution.stream}"
        raise CommandError(message, "a number of bytes of each file to read at a time, or True")
    if execution.window is not None and execution.window < SMALLEST_WINDOW:
        message = option("window", execution.window)
        raise CommandError(message, f"a number of characters from {SMALLEST_WINDOW} up", f"usually {WINDOW}")


def _run(
    request: ScoreRequest, execution: Execution, names: Sequence[str], engine: Engine, progress: Progress
) -> Result:
    """Prepare the inputs and options, run the parts, and check that no file changed meanwhile."""
    options = request.options
    window = WINDOW if execution.stream and execution.window is None else execution.window
    n_systems = len(request.sources) - 1
    parts_request = PartsRequest(
        options,
        request.by,
        request.most_units,
        Assumptions((False,) * n_systems),
        window,
        execution.passages,
        execution.has_evidence,
    )
    formats = (options.gold_format, *[options.system_format] * n_systems)
    with ExitStack() as stack:
        reached = [
            _make_rereadable(source, engine, stack) for source in cast("tuple[Source, ...]", request.sources)
        ]
        own_names, sources = zip(*reached, strict=True)
        names = tuple(name or own for name, own in zip(names, own_names, strict=True))
        before = list(map(_state, sources))
        chunk = _choose_chunk(max(map(find_size, sources)), engine, execution)
        result = run_parts(InputSources(sources, names, formats, chunk), parts_request, engine, progress)
        check_gold(request.sources[0], result.gold, result.length, formats[0])
        for name, source, state in zip(names, sources, before, strict=True):
            if _state(source) != state:
                problem = "was written to while it was read"
                raise InputError(
                    Place(name or str(source)), problem, "a file that stays as it is", "score it again"
                )
        return result


def _make_rereadable(source: Source, engine: Engine, stack: ExitStack) -> tuple[str, Source]:
    """Make an input readable several times, by this process or by remote workers.

    Returns its own name, empty if the source still carries it, and the source: a path is made absolute for
    remote workers, standard input and open files are copied to a temporary file that `stack` removes.
    """
    if not can_reread(source):
        if engine.is_remote:
            message = Message("standard input, an open file or a pipe with {engine=ADDRESS|<cluster>}")
            raise CommandError(message, "a path or URL that the workers can read")
        # If an assumption breaks, the input is read again from its beginning.
        return stack.enter_context(spool_to_file(source))
    if engine.is_remote and isinstance(source, (str, os.PathLike)) and not is_url(os.fspath(source)):
        # A worker may run in another folder.
        return "", os.path.abspath(source)  # noqa: PTH100 - links stay as they are
    return "", source


def _state(source: Source) -> tuple[int, int] | None:
    """Return size and time of change of a local file; None for any other input."""
    try:
        status = os.stat(source) if isinstance(source, (str, os.PathLike)) else None  # noqa: PTH116
    except (OSError, ValueError):
        return None
    return status and (status.st_size, status.st_mtime_ns)


def _choose_chunk(size: int, engine: Engine, execution: Execution) -> int:
    """Choose how many bytes of each file are in a part, given the bytes of the largest file."""
    if not isinstance(execution.stream, bool):
        return execution.stream
    if engine.n_workers == 1 or not size:
        return CHUNK
    return min(CHUNK, max(SMALLEST_CHUNK, size // (PARTS_PER_WORKER * engine.n_workers)))
