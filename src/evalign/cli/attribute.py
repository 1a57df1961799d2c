"""`evalign attribute`: how much of the loss comes from sentences, tokens, tags and structure.

The loss is 100 - F1. Mixed runs are outputs of the same system on input that is partly gold.
"""

from __future__ import annotations

import argparse
import os

from evalign.cli.command import Command, Option, check_standard_input, choice, group
from evalign.cli.output import columns, emit, flag_of, output_format, show_report, use_color, warn
from evalign.cli.progress import ProgressLine
from evalign.cli.shared_options import READING, output_options, read_options, systems_option
from evalign.errors import CommandError, InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.results.result import Parts

FORMATS = ("table", "json", "csv", "markdown", "latex", "typst")
# Options for mixed runs, and what the system was given in each.
MIXED = {
    "gold_sentences": "gold sentences",
    "gold_tokens": "gold sentences and tokens",
    "gold_tags": "gold sentences, tokens and tags",
}


def run(arguments: argparse.Namespace) -> int:
    """Run `evalign attribute`: attribute the loss of one pair of files, or of all treebanks of a run."""
    mixed = [getattr(arguments, name) for name in MIXED]
    others = [path for paths in mixed for path in paths]
    check_standard_input(arguments.gold, *arguments.systems, *others, arguments.raw)
    format = output_format(arguments, FORMATS)
    if not arguments.systems or any(map(os.path.isdir, (arguments.gold, *arguments.systems))):
        return _run_treebanks(arguments, format, mixed)
    if len(arguments.systems) > 1 or any(len(paths) > 1 for paths in mixed):
        message = "several outputs of one kind"
        raise CommandError(
            message, "gold and one system", "folders may have several systems: GOLD_DIR SYSTEM_DIR..."
        )
    _check_mixed(arguments, "file")
    from evalign.reports.attribution import render_attribution
    from evalign.scoring.attribution import attribute

    first = [paths[0] if paths else None for paths in mixed]
    attribution = attribute(
        arguments.gold,
        arguments.systems[0],
        gold_sentences=first[0],
        gold_tokens=first[1],
        gold_tags=first[2],
        items=arguments.items,
        raw=arguments.raw,
        **read_options(arguments),  # type: ignore[misc] # those that the command has
    )
    warn(attribution.warnings, arguments)
    text = render_attribution(attribution, format, columns=columns(), color=use_color(arguments))
    emit([text], arguments, is_data=format == "csv")
    return 0


def _check_mixed(arguments: argparse.Namespace, kind: str) -> None:
    """Raise `CommandError` if the output of a mixed run does not exist, naming its option."""
    from evalign.readers.remote import is_url

    for name, input in MIXED.items():
        for path in getattr(arguments, name):
            if path != "-" and not is_url(path) and not os.path.exists(path):  # noqa: PTH110 - may hold a NUL
                message = f"{flag_of(name)} {path}: no such {kind}"
                expected = f"a {kind} with the system's output for {input}"
                raise CommandError(message, expected, f"without one, leave {flag_of(name)} out")


def _run_treebanks(arguments: argparse.Namespace, format: str, mixed: list[list[str]]) -> int:
    """Print the table of a run over treebanks, scored now or loaded from a file; return the exit status."""
    from evalign.reports.attribution import report_parsing
    from evalign.scoring.attribution import tabulate_parsing

    if arguments.items != "auto":
        message = f"--items {arguments.items} with folders or a saved run"
        raise CommandError(
            message, "gold and a system as files", "of folders, trees have brackets, CoNLL-U dependencies"
        )
    parts, named = _score(arguments, mixed) if arguments.systems else (_load(arguments), mixed)
    table = tabulate_parsing(parts, gold_sentences=named[0], gold_tokens=named[1], gold_tags=named[2])
    warn(table.warnings, arguments)
    show_report(report_parsing(table, columns() if format == "table" else None), arguments, format)
    return 0


def _load(arguments: argparse.Namespace) -> Parts:
    """Load a saved run. A single saved result becomes a run of one treebank."""
    from evalign.results.result import Parts, Result, load_saved

    gold = arguments.gold
    if os.path.isdir(gold):  # noqa: PTH112 - may hold a NUL
        raise _lacks_system(gold, "DIR")
    try:
        saved = load_saved(gold)
    except InputError:
        if os.path.isfile(gold) and ".json" not in gold:  # noqa: PTH113 - may hold a NUL
            raise _lacks_system(gold, "FILE") from None
        raise
    usual, given = ATTRIBUTE.make_parser().parse_args([arguments.gold]), read_options(arguments)
    if changed := [name for name in (*given, "raw") if getattr(arguments, name) != getattr(usual, name)]:
        message = f"{flag_of(changed[0])} with a saved run"
        raise CommandError(
            message,
            "no option for reading files: the run was scored with its own",
            "score the folders again with it",
        )
    return Parts("treebank", {saved.gold: saved}) if isinstance(saved, Result) else saved


def _lacks_system(gold: str, metavar: str) -> CommandError:
    message = f"{gold} alone, which is no saved run"
    return CommandError(
        message,
        "gold and a system, or a saved run",
        f"to compare a system with it: evalign attribute {gold} SYSTEM_{metavar}",
    )


def _score(arguments: argparse.Namespace, mixed: list[list[str]]) -> tuple[Parts, list[list[str]]]:
    """Score the folders of the systems and of the mixed runs as one run over treebanks.

    `mixed` has the folders for each kind of mixed run. Returns the run, and a copy of `mixed` in which each
    folder is replaced by the name that it has among the systems of the run.
    """
    from evalign.scoring.attribution import PARSING_METRICS
    from evalign.scoring.collection_run import score_collection

    _check_mixed(arguments, "folder")
    others = [path for paths in mixed for path in paths]
    raw = arguments.raw
    if raw and len(raw) > 1:
        message = f"{len(raw)} raw texts with folders of treebanks"
        raise CommandError(message, "one folder of raw texts, named as gold's files are")
    options = read_options(arguments)
    options["metrics"] = PARSING_METRICS
    with ProgressLine(quiet=arguments.quiet) as progress:
        parts = score_collection(
            arguments.gold,
            *arguments.systems,
            *others,
            raw=raw[0] if raw else None,
            names=[*arguments.names, *[""] * len(others)],
            progress=progress,
            **options,
        )
    left = iter(parts.systems[len(arguments.systems) :])
    return parts, [[next(left) for _ in paths] for paths in mixed]


ATTRIBUTE = Command(
    "attribute",
    (
        "evalign attribute gold.mrg system.mrg",
        "evalign attribute gold.conllu system.conllu --format json",
        "evalign attribute gold.mrg system.mrg --gold-sentences a.mrg --gold-tokens b.mrg --gold-tags c.mrg",
        "evalign attribute gold parser --gold-tokens parser-on-gold --preset document-parsing --format latex",
        "evalign attribute run.json",
    ),
    "Say how much of the loss comes from failed parses, sentences, tokens, tags and structure: every bracket or arc that "
    "is missed or spurious is charged to the first stage that failed for it, and the rows add up to 100 - F1.",
    (
        Option("gold", "the file or folder taken as right, or a saved run; - is standard input", "GOLD"),
        systems_option(
            "the file being compared; of folders, one for each system, NAME=DIR to name one", nargs="*"
        ),
        choice(
            "--items",
            "what is counted (default: brackets of trees, else dependencies)",
            ("auto", "brackets", "dependencies"),
        ),
        *output_options(FORMATS),
        *group(
            "mixed runs (files; folders, or names of systems in a saved run, repeated)",
            *(
                Option(flag_of(name), f"the system's output for {input}", "FILE", action="append")
                for name, input in MIXED.items()
            ),
        ),
        *READING,
    ),
    run,
    "With outputs of mixed runs, of the same system on gold input, a second table has the differences between them. Of "
    "folders, or of a run that was saved (evalign score GOLD_DIR SYSTEM_DIR... -o run.json), there is one table: a row for "
    "each treebank, system and input, with F1, sentence accuracy and the loss by stage. The first --gold-tokens is then that "
    "of the first system, and so on.",
)
