"""`--jobs` and `--cluster`: where the work of a command is done."""

from __future__ import annotations

import argparse

from evalign.errors import CommandError
from evalign.progress import Progress, no_progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.engines import Engine


def add_engine(parser: argparse.ArgumentParser) -> None:
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


def engine_of(arguments: argparse.Namespace, progress: Progress = no_progress) -> Engine:
    """What was asked for, to be closed when the work is done; this process where nothing was."""
    from evalign.engines import open_engine

    if arguments.jobs is not None and arguments.cluster is not None:
        msg = "--jobs together with --cluster"
        raise CommandError(msg, "one of them", "how many work is up to the cluster")
    return open_engine(arguments.jobs if arguments.cluster is None else arguments.cluster, progress=progress)


def _jobs(text: str) -> int:
    from evalign.engines import count_cores
    from evalign.engines.addresses import MOST_WORKERS

    if text == "auto":
        return min(count_cores(), MOST_WORKERS)
    if not text.isascii() or not text.isdigit() or len(text) > 9 or not 1 <= int(text) <= MOST_WORKERS:
        msg = f"{text!r} is no number from 1 up to {MOST_WORKERS}, and not auto"
        raise argparse.ArgumentTypeError(msg)
    return int(text)
