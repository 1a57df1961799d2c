"""`evalign score`: score one or several systems against gold, as files, folders or a manifest."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager

from evalign.cli.command import Command, check_standard_input, pick
from evalign.cli.output import flag_of, output_format, tell, warn
from evalign.cli.progress import ProgressLine
from evalign.cli.result_output import (
    CommandAssessor,
    check_saved,
    check_shown,
    saves_result,
    show_scores,
)
from evalign.cli.shared_options import (
    ALL_PAIRS,
    BREAKDOWNS,
    COLLECTION,
    COMPARISON,
    DRAWS,
    ENGINE,
    GOLD,
    LAYOUT,
    ONLY,
    PASSAGES,
    REPORT,
    SCORING,
    STREAM,
    BreakdownChoice,
    engine_of,
    most_passages,
    output_options,
    read_breakdowns,
    read_engine,
    read_names,
    read_options,
    systems_option,
)
from evalign.errors import CommandError
from evalign.options import OptionKeywords

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.scoring.checkpoints import FinishedFolder
    from evalign.scoring.collection import Collection

FORMATS = ("table", "json", "csv", "markdown", "latex", "typst")


def run(arguments: argparse.Namespace) -> int:
    """Run `evalign score`: score files, or folders of them; print and save the result."""
    check_shown(arguments)
    collected = _is_collection(arguments)
    breakdowns = read_breakdowns(arguments)
    if arguments.split_spaces and any(breakdowns):
        from evalign.scoring.metric_choice import refuse_columns

        refuse_columns((), (*breakdowns.per, *breakdowns.by))
    check_standard_input(
        arguments.gold, *(arguments.systems or ()), arguments.raw, arguments.vocabulary, arguments.weights
    )
    format = output_format(arguments, FORMATS)
    check_saved(arguments, format)
    if collected:
        return _run_collection(arguments, _options(arguments), format, breakdowns)
    from evalign.scoring.api import score

    assessor = CommandAssessor(arguments, page=bool(arguments.report))
    files = arguments.gold, *arguments.systems
    keeps = saves_result(arguments, format) or any(breakdowns) or bool(arguments.report)
    with assessor.progress as progress:
        result = score(
            *files,
            raw=arguments.raw,
            by=breakdowns.by,
            names=arguments.names,
            engine=read_engine(arguments),
            stream=arguments.stream,
            window=arguments.window,
            evidence="keep" if keeps else "drop",
            passages=most_passages(arguments),
            progress=progress,
            **_options(arguments),
        )
    passages = most_passages(arguments)
    return show_scores(result, format, arguments, breakdowns, assessor, passages=passages)


def _options(arguments: argparse.Namespace) -> OptionKeywords:
    """Read the options of `evalign.score`.

    Raw text is left out, because --raw names a folder if folders are scored, and otherwise a list of files.
    """
    named: OptionKeywords = {
        "metrics": _metrics(arguments),
        "vocabulary": _read_vocabulary(arguments.vocabulary),
    }
    return {**read_options(arguments), **named}


def _metrics(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Read the names of the metrics to score.

    The metric of --only is added to them; without --metrics and --output it is the only one.
    """
    metrics = read_names(arguments.metrics or "")
    if arguments.metrics is not None and not metrics:
        msg = "--metrics without a name"
        raise CommandError(msg, "metrics separated by commas, or all", "evalign explain lists them")
    if arguments.only is None:
        return metrics
    if arguments.format and not arguments.output:
        msg = f"--only with --format {arguments.format}"
        raise CommandError(msg, "one of the two", "--only prints plain numbers, one for each system")
    metric = arguments.only.partition(".")[0]
    if metric in ("", "all"):
        msg = f'--only "{arguments.only}"'
        raise CommandError(msg, "one metric, and a part of it if you like: --only tokens.f1")
    if arguments.metrics is None and not arguments.output:
        return (metric,)
    return tuple(dict.fromkeys((*(metrics or ("default",)), metric)))


def _read_vocabulary(path: str | None) -> list[str] | None:
    if path is None:
        return None
    from evalign.readers.content import load

    return [line.strip() for line in load(path).data.decode("utf-8").split("\n") if line.strip()]


# Folders or a manifest: a shared-task run, scored treebank by treebank.


def _is_collection(arguments: argparse.Namespace) -> bool:
    """Return whether folders or a manifest are to be scored.

    Raises `CommandError` for options that need folders or a manifest if there are none, and for a manifest
    beside GOLD.
    """
    if arguments.manifest is not None:
        if arguments.gold is not None:
            message = "--manifest with GOLD or SYSTEM"
            raise CommandError(message, "one of the two", "a manifest names all files")
        return True
    if any(map(os.path.isdir, (arguments.gold, *arguments.systems))):
        return True
    for name in ("failures", "keep", "stay_below"):
        if getattr(arguments, name) is not None:
            message = f"{flag_of(name)} {getattr(arguments, name)} without a folder or a manifest"
            advice = "evalign score GOLD_DIR SYSTEM_DIR..."
            raise CommandError(message, "folders of gold and of systems", advice)
    return False


def _run_collection(
    arguments: argparse.Namespace, options: OptionKeywords, format: str, breakdowns: BreakdownChoice
) -> int:
    """Score all treebanks, print and save the run; return the exit status."""
    from evalign.scoring.collection_run import score_collection

    if arguments.all_pairs:
        message = "--all-pairs with folders or a manifest"
        advice = "for every pair in every treebank: --format csv"
        raise CommandError(message, "a file of gold and a file of each system", advice)
    raw = _raw_folder(arguments)
    saves = saves_result(arguments, format)
    assessor = CommandAssessor(arguments, page=bool(arguments.report))
    with _keep_finished(arguments, assessor.progress) as folder:
        with assessor.progress as progress, engine_of(arguments, progress) as engine:
            parts = score_collection(
                *_sources(arguments),
                raw=raw,
                names=arguments.names,
                failures=arguments.failures or "skip",
                by=breakdowns.by,
                stream=arguments.stream,
                window=arguments.window,
                evidence="keep" if saves or arguments.report or any(breakdowns) else "drop",
                passages=most_passages(arguments),
                engine=engine,
                keep=folder,
                stay_below=arguments.stay_below,
                progress=progress,
                **options,
            )
        # A folder that is only for going on after a stop is removed as soon as the results are written.
        remove = folder.remove if folder and arguments.keep is None else lambda: None
        show_scores(parts, format, arguments, breakdowns, assessor, passages=None, tell_written=remove)
    has_failures = any(parts.failed(number) for number in range(len(parts.systems)))
    return 1 if has_failures and (arguments.strict or arguments.fail_on_failure) else 0


@contextmanager
def _keep_finished(arguments: argparse.Namespace, progress: ProgressLine) -> Iterator[FinishedFolder | None]:
    """Provide the folder that keeps finished treebanks for the block, or None if nothing can be kept.

    --keep names a folder that stays. Without it, the folder is FILE.parts beside the output FILE, and is only
    needed until FILE is written. If the command is stopped, a message says what was kept.
    """
    from evalign.scoring.checkpoints import FinishedFolder

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

    # Nothing can be kept beside an output that is no regular file (/dev/null, a pipe).
    output, folder = Path(arguments.output), Path(f"{arguments.output}.parts")
    is_free = (output.is_file() or not output.exists()) and (folder.is_dir() or not folder.exists())
    return str(folder) if is_free else None


def _sources(arguments: argparse.Namespace) -> tuple[Collection] | tuple[str, ...]:
    if arguments.manifest is None:
        return (arguments.gold, *arguments.systems)
    from evalign.scoring.collection import read_manifest

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


SCORE = Command(
    "score",
    (
        "evalign score examples/gold.conllu examples/system.txt",
        "evalign score examples/gold.conllu examples/system.txt examples/second.conllu --metrics tokens,pk",
        "evalign score examples/gold.conllu examples/second.conllu --only tokens.f1",
        "evalign score examples/gold.conllu examples/second.conllu examples/system.txt --layout counts",
        "evalign score examples/gold.conllu examples/second.conllu --metrics las --per relation",
        "evalign score examples/gold.mrg examples/system.mrg --preset document-parsing --per label",
        "evalign score examples/gold.conllu examples/second.conllu examples/system.txt --confidence --paired",
        "evalign score gold.tsv system.tsv --raw text.txt --layer entities",
    ),
    "Score one or several systems against gold, whatever the segmentation: sentences, tokens, words, tags, features, "
    "lemmas, dependencies, constituents, spans of stand-off tables.",
    (
        GOLD,
        systems_option("the file or files being scored, NAME=FILE to name one; the first is the baseline"),
        *pick(SCORING, "metrics"),
        ONLY,
        *BREAKDOWNS,
        *pick(SCORING, "average"),
        *output_options(FORMATS, LAYOUT, REPORT, PASSAGES),
        *COMPARISON,
        ALL_PAIRS,
        *COLLECTION,
        *ENGINE,
        STREAM,
        *(option for option in SCORING if option.parameter not in ("metrics", "average")),
        *DRAWS,
    ),
    run,
    "evalign explain NAME says what a metric is; evalign explain lists them.",
)
