"""`evalign score` on folders or with a manifest: a shared-task run, treebank by treebank."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from evalign.cli.parser import Parser, emit, warn
from evalign.cli.progress import Progress
from evalign.cli.show import DATA, assess_parts, render, write_report
from evalign.errors import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.evaluate.collection import Collection
    from evalign.evaluate.shared import Options
    from evalign.result.parts import Parts


class _Manifest(argparse.Action):
    """A manifest names all files: then none are asked for on the command line."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        _option: str | None = None,
    ) -> None:
        setattr(namespace, self.dest, values)
        for action in parser._actions:
            if not action.option_strings:
                action.required = False


def add_collection(parser: Parser) -> None:
    """What is asked of a shared-task run."""
    group = parser.add_argument_group(
        "shared tasks", "GOLD and SYSTEM may be folders, their files matched by name"
    )
    group.add_argument(
        "--manifest",
        metavar="FILE",
        action=_Manifest,
        help="a table (treebank, gold, raw if any, a column per system) or JSON that names the files of a run, "
        "instead of GOLD and SYSTEM",
    )
    group.add_argument(
        "--failures",
        choices=("skip", "zero"),
        help="what averages make of a treebank that a system has no file for, or one that cannot be scored: leave it "
        "out (default), or take all of it as missed",
    )


def is_collection(arguments: argparse.Namespace) -> bool:
    """Whether folders or a manifest are to be scored; raises `CommandError` for what only those have."""
    if arguments.manifest is not None:
        if arguments.gold is not None:
            message = "--manifest with GOLD or SYSTEM"
            raise CommandError(message, "one of the two", "a manifest names all files")
        return True
    if any(map(os.path.isdir, (arguments.gold, *arguments.systems))):
        return True
    if arguments.failures is not None:
        message = f"--failures {arguments.failures} without a folder or a manifest"
        raise CommandError(message, "folders of gold and of systems", "evalign score GOLD_DIR SYSTEM_DIR...")
    return False


def run_collection(arguments: argparse.Namespace, options: Options, format: str) -> int:
    """Score all treebanks, then print."""
    from evalign.evaluate.shared import score_collection

    _refuse_options(arguments)
    raw = _raw_folder(arguments)
    saves = format == "json" and arguments.output not in (None, "-")
    kept = saves or arguments.report is not None
    progress = Progress(quiet=arguments.quiet)
    try:
        parts = score_collection(
            *_sources(arguments),
            raw=raw,
            failures=arguments.failures or "skip",
            evidence="keep" if kept else "drop",
            progress=progress,
            **options,
        )
    finally:
        progress.clear()
    failures = _describe_failures(parts)
    warn([*parts.warnings, *failures, *_other_warnings(parts)], arguments)
    if saves:
        # The whole run goes to the file; the table is still what a person wants to see.
        _save(parts, arguments)
        arguments.output, format = None, "table"
    emit([render(parts, format, arguments)], arguments, is_data=format in DATA)
    write_report(parts, arguments)
    return 1 if failures and arguments.strict else 0


def _save(parts: Parts, arguments: argparse.Namespace) -> None:
    """The whole run to a file, with the intervals and tests that were asked for."""
    assessed = assess_parts(parts, arguments)
    if assessed is None:
        parts.save(arguments.output)
        return
    import json

    from evalign.reports.parts import parts_json
    from evalign.result import write_whole

    saved = {**parts.to_json(whole=True), "significance": parts_json(parts, assessed)["significance"]}
    write_whole(arguments.output, json.dumps(saved, ensure_ascii=False, allow_nan=False) + "\n")


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
