"""`evalign score` on folders or with a manifest: a shared-task run, treebank by treebank."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from evalign.cli.assess import CommandAssessor
from evalign.cli.engines import engine_of
from evalign.cli.parser import tell, warn
from evalign.cli.save import is_saved, make_page, most_passages, prints_page, save, write_page
from evalign.cli.show import show_parts
from evalign.cli.unavailable import check_available
from evalign.errors import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.cli.progress import Progress
    from evalign.results import Parts
    from evalign.scoring import Collection, FinishedFolder, ScoreOptions


def run_collection(arguments: argparse.Namespace, options: ScoreOptions, format: str) -> int:
    """Score all treebanks, then print."""
    from evalign.scoring import score_collection

    _refuse_options(arguments)
    raw = _raw_folder(arguments)
    saves = is_saved(arguments, format)
    assessor = CommandAssessor(arguments, page=bool(arguments.report))
    with _kept(arguments, assessor.progress) as folder:
        with assessor.progress as progress, engine_of(arguments, progress) as engine:
            parts = score_collection(
                *_sources(arguments),
                raw=raw,
                names=arguments.names,
                failures=arguments.failures or "skip",
                evidence="keep" if saves or arguments.report else "drop",
                passages=most_passages(arguments),
                engine=engine,
                keep=folder,
                stay_below=arguments.stay_below,
                progress=progress,
                **options,
            )
        return _show(parts, format, arguments, assessor, folder if arguments.keep is None else None)


def _show(
    parts: Parts,
    format: str,
    arguments: argparse.Namespace,
    assessor: CommandAssessor,
    folder: FinishedFolder | None,
) -> int:
    """Print, and save what is to be saved; then there is no more use for a folder of finished treebanks."""
    failures = _describe_failures(parts)
    warn([*parts.warnings, *failures, *_other_warnings(parts)], arguments)
    if is_saved(arguments, format):
        save(parts, arguments, assessor)
        arguments.output, format = None, "table"
        if folder:
            folder.remove()
    if not prints_page(arguments):
        show_parts(parts, format, arguments, assessor)
        if folder:
            folder.remove()
    if arguments.report:
        write_page(make_page(parts, assessor, passages=None), arguments.report)
    check_available(parts, arguments)
    return 1 if failures and (arguments.strict or arguments.fail_on_failure) else 0


@contextmanager
def _kept(arguments: argparse.Namespace, progress: Progress) -> Iterator[FinishedFolder | None]:
    """Where finished treebanks are kept: as long as the output is not written, or for good if that was asked for.

    Where the command is stopped, it says what it leaves behind.
    """
    from evalign.scoring import FinishedFolder

    path = _find_folder(arguments)
    if path is None:
        yield None
        return

    def say(message: str) -> None:
        progress.clear()
        tell(message, arguments)

    def say_warning(message: str) -> None:
        progress.clear()
        warn([message], arguments)

    folder = FinishedFolder(path, tell=say, warn=say_warning)
    try:
        yield folder
    except BaseException:
        if folder.n_kept:
            done = f"{folder.n_kept} of {folder.total} treebanks finished"
            say(f"{done} and kept in {path}; run the same command again to go on")
        raise


def _find_folder(arguments: argparse.Namespace) -> str | None:
    if arguments.keep is not None:
        return str(arguments.keep)
    if arguments.output in (None, "-"):
        return None
    from pathlib import Path

    # What is no regular file (/dev/null, a pipe) has no place beside it.
    output, folder = Path(arguments.output), Path(f"{arguments.output}.parts")
    is_free = (output.is_file() or not output.exists()) and (folder.is_dir() or not folder.exists())
    return str(folder) if is_free else None


def _sources(arguments: argparse.Namespace) -> tuple[Collection] | tuple[str, ...]:
    if arguments.manifest is None:
        return (arguments.gold, *arguments.systems)
    from evalign.scoring import read_manifest

    return (read_manifest(arguments.manifest, stay_below=arguments.stay_below),)


def _raw_folder(arguments: argparse.Namespace) -> str | None:
    if not arguments.raw:
        return None
    if arguments.manifest is not None:
        message = "--raw with --manifest"
        raise CommandError(message, "a column raw in the manifest")
    if len(arguments.raw) > 1:
        message = f"{len(arguments.raw)} raw texts with folders of treebanks"
        raise CommandError(message, "one folder of raw texts, named as gold's files are")
    return str(arguments.raw[0])


def _refuse_options(arguments: argparse.Namespace) -> None:
    """What is asked of a single result and not of many."""
    saved = "save the run with -o run.json, or score the treebank alone"
    whole = "each treebank is scored in memory: score one alone"
    advised = {
        "only": saved,
        "per": saved,
        "by": saved,
        "all_pairs": "for every pair in every treebank: --format csv",
        "stream": whole,
        "window": whole,
    }
    for name, advice in advised.items():
        if getattr(arguments, name, None):
            message = f"--{name.replace('_', '-')} with folders or a manifest"
            raise CommandError(message, "a file of gold and a file of each system", advice)


def _describe_failures(parts: Parts) -> list[str]:
    from evalign.wording import describe_failure

    return [
        describe_failure(system, part, reason)
        for number, system in enumerate(parts.systems)
        for part, reason in parts.failed(number).items()
    ]


def _other_warnings(parts: Parts) -> list[str]:
    """What each treebank's result warns of; what is said of several is said once."""
    return list(dict.fromkeys(warning for result in parts.results.values() for warning in result.warnings))
