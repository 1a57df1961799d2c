"""Whether gold and systems are scored in parts, and how: what was asked for, and what the data allow."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from typing import cast

from evalign.alignment import SMALLEST_WINDOW, load_exceptions
from evalign.engines import Engine, open_engine
from evalign.errors import CommandError, InputError, Place
from evalign.metrics import choose_layers
from evalign.progress import Progress
from evalign.readers import Source, can_reread, is_source, is_url, spool_to_file
from evalign.scoring.metrics import needs_whole
from evalign.scoring.parts.counting import Asked
from evalign.scoring.parts.cutting import Manner, Told
from evalign.scoring.parts.running import Sources, run_parts
from evalign.scoring.scored import Scored, Spread, find_size
from evalign.scoring.tolerance import check_gold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.results import Result

# How far away text that was displaced is looked for where memory is bounded, in characters: some 200,000 words.
WINDOW = 1 << 20
# Bytes of each file in a part, at most and, where there are workers to share them with, at least: in smaller parts the
# same labels are read again and again.
CHUNK, SMALLEST_CHUNK = 1 << 24, 1 << 20
# Parts for each worker, so that none waits long for the last.
PARTS_PER_WORKER = 4


def score_spread(scored: Scored, spread: Spread, names: Sequence[str], progress: Progress) -> Result | None:
    """The result, scored in parts; None where the whole is to be scored at once, in this process.

    `names` are what the result calls the inputs; nothing for those that are called as they say themselves.
    """
    _check(spread)
    named = [name for name in scored.names if name != "default"]
    metrics = choose_layers(named) if named else ()
    reasons = needs_whole(metrics, scored.settings, has_raw=scored.raw is not None)
    if scored.layer:
        reasons.append("spans of stand-off tables are of all of a raw text")
    if not all(map(is_source, scored.sources)):
        reasons.append("objects in memory are there as a whole")
    if (spread.stream or spread.window is not None) and reasons:
        told = "stream" if spread.stream else "window"
        message = f"--{told}: {reasons[0]}"
        raise CommandError(
            message, "what can be counted part by part", f"leave out --{told}, or what needs the whole text"
        )
    with open_engine(spread.engine, progress=progress) as engine:
        # A client may have no worker yet, and an engine of somebody's own but one.
        if reasons or not (
            spread.stream or spread.window is not None or engine.is_remote or engine.n_workers > 1
        ):
            return None
        return _run(scored, spread, names, engine, progress)


def _check(spread: Spread) -> None:
    if spread.stream < 0:
        message = f"stream={spread.stream}"
        raise CommandError(message, "a number of bytes of each file to read at a time, or True")
    if spread.window is not None and spread.window < SMALLEST_WINDOW:
        message = f"--window {spread.window}"
        raise CommandError(message, f"a number of characters from {SMALLEST_WINDOW} up", f"usually {WINDOW}")


def _run(scored: Scored, spread: Spread, names: Sequence[str], engine: Engine, progress: Progress) -> Result:
    settings = scored.settings
    exceptions = load_exceptions(settings.exceptions) if settings.exceptions else {}
    window = WINDOW if spread.stream and spread.window is None else spread.window
    n_systems = len(scored.sources) - 1
    asked = Asked(
        settings,
        tuple(scored.names),
        tuple(scored.asked),
        Told((False,) * n_systems),
        Manner(settings.reading, settings.normalize, exceptions, window),
        spread.passages,
        spread.has_evidence,
    )
    formats = (scored.formats[0], *[scored.formats[1]] * n_systems)
    with ExitStack() as stack:
        found = [_reach(source, engine, stack) for source in cast("tuple[Source, ...]", scored.sources)]
        known, sources = zip(*found, strict=True)
        names = tuple(name or own for name, own in zip(names, known, strict=True))
        before = list(map(_state, sources))
        chunk = _choose_chunk(max(map(find_size, sources)), engine, spread)
        result = run_parts(Sources(sources, names, formats, chunk), asked, engine, progress)
        check_gold(scored.sources[0], result.gold, result.length, formats[0])
        for name, source, state in zip(names, sources, before, strict=True):
            if _state(source) != state:
                found_there = "was written to while it was read"
                raise InputError(
                    Place(name or str(source)), found_there, "a file that stays as it is", "score it again"
                )
        return result


def _reach(source: Source, engine: Engine, stack: ExitStack) -> tuple[str, Source]:
    """What an input calls itself, if that is lost, and the input as it can be read several times, wherever the work is."""
    if not can_reread(source):
        if engine.is_remote:
            message = "standard input, an open file or a pipe with --cluster"
            raise CommandError(message, "a path or URL that the workers can read")
        # What was assumed of the texts may turn out wrong: then they are read again.
        return stack.enter_context(spool_to_file(source))
    if engine.is_remote and isinstance(source, (str, os.PathLike)) and not is_url(os.fspath(source)):
        # A worker may be in another folder.
        return "", os.path.abspath(source)  # noqa: PTH100 - links stay as they are
    return "", source


def _state(source: Source) -> tuple[int, int] | None:
    """What changes when a file of this machine is written to."""
    try:
        found = os.stat(source) if isinstance(source, (str, os.PathLike)) else None  # noqa: PTH116
    except (OSError, ValueError):
        return None
    return found and (found.st_size, found.st_mtime_ns)


def _choose_chunk(size: int, engine: Engine, spread: Spread) -> int:
    """Bytes of each file in a part, given the largest."""
    if not isinstance(spread.stream, bool):
        return spread.stream
    if engine.n_workers == 1 or not size:
        return CHUNK
    return min(CHUNK, max(SMALLEST_CHUNK, size // (PARTS_PER_WORKER * engine.n_workers)))
