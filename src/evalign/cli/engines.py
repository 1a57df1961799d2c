"""`--jobs` and `--cluster`: where the work of a command is done."""

from __future__ import annotations

import argparse
from typing import Literal, TypedDict

from evalign.cli.save import most_passages
from evalign.errors import CommandError
from evalign.progress import Progress, no_progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.engines import Engine


class SpreadOptions(TypedDict, total=False):
    """How `evalign.score` spreads its work."""

    engine: int | str | None
    stream: bool
    window: int | None
    evidence: Literal["keep", "drop"]
    passages: int | None


def add_engine(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Where the work is done. Values stay None where nothing is said."""
    group = parser.add_argument_group("where the work is done")
    group.add_argument(
        "--jobs", metavar="N", type=_jobs, help="in N processes of this machine; auto: one for each core"
    )
    group.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="by the workers of a Dask scheduler, tcp://HOST:PORT, which read the files themselves; local:N starts N "
        "of them on this machine",
    )
    return group


def add_streaming(group: argparse._ArgumentGroup) -> None:
    """In how much memory one pair is scored."""
    group.add_argument(
        "--stream",
        action="store_true",
        help="read and score part by part, in memory that does not grow with the files; the result is the same",
    )
    group.add_argument(
        "--window",
        metavar="N",
        type=_window,
        help="how far away text that was moved is looked for, in characters; what is further away is taken for missing "
        "and extra (with --stream: 1048576, else no limit)",
    )


def _window(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 19:
        return int(text)
    msg = f"{text!r} is not a number of characters"
    raise argparse.ArgumentTypeError(msg)


def read_spread(arguments: argparse.Namespace, *, keeps: bool) -> SpreadOptions:
    """How one pair is scored; whether errors and breakdowns are kept of its parts, or counts alone."""
    return SpreadOptions(
        engine=_given(arguments),
        stream=arguments.stream,
        window=arguments.window,
        evidence="keep" if keeps else "drop",
        passages=most_passages(arguments),
    )


def _given(arguments: argparse.Namespace) -> int | str | None:
    """What was asked for."""
    if arguments.jobs is not None and arguments.cluster is not None:
        msg = "--jobs together with --cluster"
        raise CommandError(msg, "one of them", "how many work is up to the cluster")
    found: int | str | None = arguments.jobs if arguments.cluster is None else arguments.cluster
    return found


def engine_of(arguments: argparse.Namespace, progress: Progress = no_progress) -> Engine:
    """What was asked for, to be closed when the work is done; this process where nothing was."""
    from evalign.engines import open_engine

    return open_engine(_given(arguments), progress=progress)


def _jobs(text: str) -> int:
    from evalign.engines import MOST_WORKERS, count_cores

    if text == "auto":
        return min(count_cores(), MOST_WORKERS)
    if not text.isascii() or not text.isdigit() or len(text) > 9 or not 1 <= int(text) <= MOST_WORKERS:
        msg = f"{text!r} is not a number from 1 to {MOST_WORKERS} or auto"
        raise argparse.ArgumentTypeError(msg)
    return int(text)
