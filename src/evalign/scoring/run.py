"""Run a request: count the whole text here, or its parts in an engine, and finish the sum into a result.

    plan.cut_parts -> Part -> count.count -> Tally -> Tally.add -> finish.finish -> Result

Without an engine or bounded memory there is one part, the whole. Otherwise texts are cut and tallies added
here, in text order, while an engine counts the parts, several at a time. The result is the same. The run
starts again with corrected assumptions where a part shows that an assumption about the whole text was wrong
(`plan.Assumptions`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from typing import NamedTuple, TypeVar, cast

from evalign.errors import CommandError, InputError, Message, Place, option
from evalign.metrics.registry import choose_metrics
from evalign.progress import Progress, Step, no_progress
from evalign.readers.byte_stream import is_source
from evalign.readers.display_names import name_inputs, paths_in_errors
from evalign.readers.limits import InputLimit, requested_limit
from evalign.scoring.count import count
from evalign.scoring.finish import finish
from evalign.scoring.metric_choice import expand_names, needs_whole
from evalign.scoring.plan import AssumptionBroken, Assumptions, Part, cut_parts
from evalign.scoring.request import WINDOW, Execution, ScoreRequest, find_size
from evalign.scoring.tally import Tally
from evalign.scoring.warnings import check_gold
from evalign.text import Source, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.engines.base import Engine
    from evalign.results.result import Result

# What only runs in parts need is imported where it is used: a small file must be scored at once.

Answer = TypeVar("Answer")

# Bytes of each file in a part: the most, and the fewest where several workers share them. In smaller parts
# the same labels are read again and again.
CHUNK, SMALLEST_CHUNK = 1 << 24, 1 << 20
# Parts for each worker: enough that no worker waits long for another to finish the last part.
PARTS_PER_WORKER = 4


def run(request: ScoreRequest, execution: Execution, progress: Progress = no_progress) -> Result:
    """Score a request; see `count_all`.

    Raises `CommandError` also if the result cannot be split by what it is to be split by.
    """
    result = finish(request, count_all(request, execution, progress))
    for by in request.by:
        result.check_split(by)
    return result


def count_all(request: ScoreRequest, execution: Execution, progress: Progress = no_progress) -> Tally:
    """Count a request: in parts if `execution` asks for it and the request allows it, else as a whole.

    Raises `CommandError` if bounded memory was requested and a metric or an input needs the whole text.
    """
    if len(request.sources) == 1:
        message = "no system to score"
        raise CommandError(message, "gold and at least one system")
    if execution.is_asked(request):
        tally = _count_in_parts(request, execution, progress)
        if tally is not None:
            return tally
    return cast("Tally", count(request, Assumptions(()), Part(), progress))


def _count_in_parts(request: ScoreRequest, execution: Execution, progress: Progress) -> Tally | None:
    """Count a request in parts if possible; return None if the whole is to be counted at once."""
    from evalign.engines.base import open_engine

    is_bounded = bool(execution.stream) or request.window is not None
    reasons = check_parts(request, execution)
    with open_engine(execution.engine, progress=progress) as engine:
        # A client may have no worker yet, and an engine made by the caller may have just one.
        if reasons or not (is_bounded or engine.is_remote or engine.n_workers > 1):
            return None
        names = name_inputs(request.sources, given=request.names)
        with paths_in_errors(request.sources, names):
            return _count_files(request, execution, names, engine, progress)


def check_parts(request: ScoreRequest, execution: Execution) -> list[str]:
    """Check how the request is to be cut, and list the reasons why it must be scored as a whole.

    Raises `CommandError` if there is a reason and bounded memory was requested.
    """
    from evalign.alignment.character_alignment import SMALLEST_WINDOW

    if execution.stream < 0:
        message = f"stream={execution.stream}"
        raise CommandError(message, "a number of bytes of each file to read at a time, or True")
    if request.window is not None and request.window < SMALLEST_WINDOW:
        message = option("window", request.window)
        raise CommandError(message, f"a number of characters from {SMALLEST_WINDOW} up", f"usually {WINDOW}")
    named = [name for name in expand_names(request.options) if name != "default"]
    metrics = choose_metrics(named) if named else ()
    reasons = needs_whole(metrics, request.options, has_raw=request.raw is not None)
    if request.options.layer:
        reasons.append("spans of stand-off tables are of all of a raw text")
    if not all(map(is_source, request.sources)):
        reasons.append("objects in memory are there as a whole")
    if reasons and (execution.stream or request.window is not None):
        by_parts = option("stream") if execution.stream else option("window")
        advice = "leave out " + by_parts + ", or what needs the whole text"
        raise CommandError(by_parts + ": " + reasons[0], "what can be counted part by part", advice)
    return reasons


def _count_files(
    request: ScoreRequest, execution: Execution, names: Sequence[str], engine: Engine, progress: Progress
) -> Tally:
    """Make all inputs readable several times, count the parts, and check that no file changed meanwhile."""
    if execution.stream and request.window is None:
        request = request._replace(window=WINDOW)
    given = request.sources[0]
    with ExitStack() as stack:
        reached = [
            _make_rereadable(source, engine, stack) for source in cast("tuple[Source, ...]", request.sources)
        ]
        own_names, sources = zip(*reached, strict=True)
        names = tuple(name or own for name, own in zip(names, own_names, strict=True))
        before = list(map(_state, sources))
        request = request._replace(sources=sources, names=names)
        chunk = _choose_chunk(max(map(find_size, sources)), engine, execution)
        tally = count_parts(request, chunk, engine, progress)
        check_gold(given, tally.gold.name, tally.units.length, request.options.gold_format)
        for name, source, state in zip(names, sources, before, strict=True):
            if _state(source) != state:
                problem = "was written to while it was read"
                raise InputError(
                    Place(name or str(source)), problem, "a file that stays as it is", "score it again"
                )
        return tally


def _make_rereadable(source: Source, engine: Engine, stack: ExitStack) -> tuple[str, Source]:
    """Make an input readable several times, by this process or by remote workers.

    Returns its own name, empty if the source still carries it, and the source: a path is made absolute for
    remote workers, standard input and open files are copied to a temporary file that `stack` removes.
    """
    from evalign.readers.chunks import can_reread, spool_to_file
    from evalign.readers.remote import is_url

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


def count_parts(request: ScoreRequest, chunk: int, engine: Engine, progress: Progress = no_progress) -> Tally:
    """Cut the inputs of `request` into parts, count them with `engine`, and add them up.

    `request.names` names all inputs here; `chunk` is how many bytes of each are read at a time. The
    run starts again if an assumption breaks. Where workers may see other files than this process does
    (`engine.is_remote`), one of them does the cutting.
    """
    from evalign.engines.base import run_ordered

    assumed = Assumptions((False,) * (len(request.sources) - 1))
    # Workers read slices of the inputs, and need not know of the inputs.
    shared = request._replace(sources=(), names=())
    while True:
        with ExitStack() as stack:
            if engine.is_remote:
                progress("one worker cuts the files into parts")
                cut = _call_worker(engine, partial(_cut_all, request, assumed, chunk))
                if cut is None:
                    progress("one worker alone can read the files, as they are compressed")
                    return _call_worker(engine, partial(_count_alone, request, chunk))
            else:
                cut = _cut(request, assumed, chunk, stack)
            parts = _report(cut, progress)
            tallies = stack.enter_context(
                closing(run_ordered(engine, partial(count, shared, assumed), parts))
            )
            total = _add_up(tallies, assumed, request.most_units)
        if isinstance(total, Tally):
            return total
        progress("beginning again: the texts are not as they seemed at first")
        assumed = total.assumed


def _add_up(
    tallies: Iterator[Tally | AssumptionBroken], assumed: Assumptions, most_units: int
) -> Tally | AssumptionBroken:
    """Add up the tallies of parts; return corrected assumptions instead as soon as one is broken.

    Parts that are being counted at that moment are given up: the caller closes `tallies`.
    """
    total = next(tallies)
    if isinstance(total, Tally):
        total.merge_units(most_units)
        for tally in tallies:
            if isinstance(tally, AssumptionBroken):
                return tally
            total.add(tally, most_units)
            if filled := total.wrongly_empty:
                return AssumptionBroken(assumed._replace(filled=filled))
        total.settle()
    return total


class CutTexts(NamedTuple):
    """All texts of a run, cut into parts, or being cut."""

    size: int
    """Bytes of all inputs together; 0 if unknown."""
    can_slice: bool
    """True if workers can read slices of all inputs."""
    parts: Iterable[Part | AssumptionBroken]


def _cut(request: ScoreRequest, assumed: Assumptions, chunk: int, stack: ExitStack) -> CutTexts:
    """Cut the inputs on demand; `stack` closes them."""
    from evalign.readers.chunks import ChunkReader

    options = request.options
    formats = [options.gold_format, *[options.system_format] * (len(request.sources) - 1)]
    inputs = zip(cast("Sequence[Source]", request.sources), formats, request.names, strict=True)
    feeds = [
        stack.enter_context(ChunkReader(source, format, options, chunk=chunk, name=name))
        for source, format, name in inputs
    ]
    sizes = [feed.size for feed in feeds]
    can_slice = all(
        feed.can_seek or isinstance(source, Text) for feed, source in zip(feeds, request.sources, strict=True)
    )
    return CutTexts(sum(sizes) if all(sizes) else 0, can_slice, cut_parts(feeds, request, assumed))


def _cut_all(request: ScoreRequest, assumed: Assumptions, chunk: int) -> CutTexts | None:
    """Cut all parts at once, on a worker that has the data.

    Returns None if workers cannot read slices of the inputs: a compressed file cannot be read from its
    middle.
    """
    with ExitStack() as stack:
        cut = _cut(request, assumed, chunk, stack)
        if not cut.can_slice:
            return None
        parts = list(cut.parts)
        # Parts before a broken assumption would be counted for nothing.
        return cut._replace(parts=parts[-1:] if isinstance(parts[-1], AssumptionBroken) else parts)


def _count_alone(request: ScoreRequest, chunk: int) -> Tally:
    """Count all parts on one worker, one after the other."""
    from evalign.engines.base import SerialEngine

    return count_parts(request, chunk, SerialEngine())


def _call_worker(engine: Engine, function: Callable[[], Answer]) -> Answer:
    """Call `function` on one worker, with the limit of inputs that holds here, and return its answer."""
    answer: Answer
    ((_, answer),) = engine.run(partial(_call_limited, requested_limit()), [function])
    return answer


def _call_limited(limit: int | None, function: Callable[[], Answer]) -> Answer:
    with InputLimit(limit):
        return function()


def _report(cut: CutTexts, progress: Progress) -> Iterator[Part | AssumptionBroken]:
    """Yield the parts, and report as they are handed out how many bytes of all inputs are under way."""
    for part in cut.parts:
        if isinstance(part, Part):
            done = sum(each.end for each in part.chunks)
            progress(Step(f"scoring {part.chunks[0].name}", min(done, cut.size or done), cut.size, "bytes"))
        yield part
