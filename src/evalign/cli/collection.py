"""`evalign score` on folders or with a manifest: a shared-task run, treebank by treebank."""

from __future__ import annotations

import argparse

from evalign.cli.assess import Assessor
from evalign.cli.parser import emit, warn
from evalign.cli.save import is_saved, make_page, most_passages, prints_page, save, write_page
from evalign.cli.show import DATA, render
from evalign.errors import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.evaluate.collection import Collection
    from evalign.evaluate.options import ScoreOptions
    from evalign.result import Parts


def run_collection(arguments: argparse.Namespace, options: ScoreOptions, format: str) -> int:
    """Score all treebanks, then print."""
    from evalign.evaluate.shared import score_collection

    _refuse_options(arguments)
    raw = _raw_folder(arguments)
    saves = is_saved(arguments, format)
    assessor = Assessor(arguments, page=bool(arguments.report))
    with assessor.progress as progress:
        parts = score_collection(
            *_sources(arguments),
            raw=raw,
            failures=arguments.failures or "skip",
            evidence="keep" if saves or arguments.report else "drop",
            passages=most_passages(arguments),
            progress=progress,
            **options,
        )
    failures = _describe_failures(parts)
    warn([*parts.warnings, *failures, *_other_warnings(parts)], arguments)
    if saves:
        save(parts, arguments, assessor)
        arguments.output, format = None, "table"
    if not prints_page(arguments):
        emit([render(parts, format, arguments, assessor)], arguments, is_data=format in DATA)
    if arguments.report:
        write_page(make_page(parts, assessor, passages=None), arguments.report)
    return 1 if failures and arguments.strict else 0


def _sources(arguments: argparse.Namespace) -> tuple[Collection] | tuple[str, ...]:
    if arguments.manifest is None:
        return (arguments.gold, *arguments.systems)
    from evalign.evaluate.manifest import read_manifest

    return (read_manifest(arguments.manifest),)


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
    for name in ("only", "per", "by"):
        if getattr(arguments, name, None):
            message = f"--{name} with folders or a manifest"
            advice = "save the run with -o run.json, or score the treebank alone"
            raise CommandError(message, "files, one of gold and one of each system", advice)


def _describe_failures(parts: Parts) -> list[str]:
    return [
        f"{system} failed on {part}: {reason}"
        for number, system in enumerate(parts.systems)
        for part, reason in parts.failed(number).items()
    ]


def _other_warnings(parts: Parts) -> list[str]:
    """What each treebank's result warns of; what is said of several is said once."""
    return list(dict.fromkeys(warning for result in parts.results.values() for warning in result.warnings))
