"""`evalign bitext stats`: what a data set is like, and how well its planted sentences are hidden."""

from __future__ import annotations

import argparse

from evalign.cli.outputs import check_outside
from evalign.cli.parser import Parser, add_output, check_writable, columns, count, emit, output_format, tell
from evalign.cli.progress import ProgressLine
from evalign.cli.reported import show
from evalign.errors import CommandError

FORMATS = ("table", "json", "csv", "markdown", "latex", "typst")


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "bitext stats",
        "evalign bitext stats data/fr-en\n"
        "evalign bitext stats data/fr-en --review review.tsv\n"
        "evalign bitext stats data/fr-en -o statistics.json",
        "What a data set is like: sentences and gold pairs of each split, what its build has counted and planted, how "
        "long sentences are, how near documents with translations are to native ones, and how well a classifier of form "
        "tells planted from native sentences. Where the build has saved no statistics.json, this is counted from the "
        "files as far as they allow.",
    )
    parser.add_argument(
        "folder",
        metavar="DIR",
        help="the folder of fr-en.training.fr, fr-en.training.en, fr-en.training.gold",
    )
    parser.add_argument(
        "--pair", metavar="LANG-LANG", default="", help="which data set, if there are several"
    )
    parser.add_argument(
        "--seed", metavar="N", type=count, default=12345, help="where samples start (default 12345)"
    )
    group = parser.add_argument_group("pairs that are parallel by chance")
    group.add_argument(
        "--review",
        metavar="FILE",
        help="write a sample of native pairs that share most numbers and names, with a column to fill in: y or n",
    )
    group.add_argument(
        "--reviewed", metavar="FILE", help="such a file, filled in: say how many of them are parallel"
    )
    add_output(parser, FORMATS, warns=False)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Count or read, print."""
    format = output_format(arguments, FORMATS)
    check_writable(arguments.review)
    _check(arguments, format)
    from evalign.bitext.statistics import bitext_statistics
    from evalign.reports import report_statistics

    if arguments.reviewed:
        return _say_reviewed(arguments)
    with ProgressLine(quiet=arguments.quiet) as progress:
        found = bitext_statistics(arguments.folder, arguments.pair, seed=arguments.seed, progress=progress)
        if arguments.review:
            _write_review(arguments, progress)
    show(report_statistics(found, shapes=format == "table"), arguments, format)
    return 0


def _check(arguments: argparse.Namespace, format: str) -> None:
    """Raise `CommandError` for what cannot be had together, or would replace a file of the data set."""
    if arguments.review == "-":
        message = "--review -"
        raise CommandError(message, "a file, which people fill in: --review review.tsv")
    if arguments.reviewed and (arguments.review or format != "table"):
        other = "--review" if arguments.review else f"--format {format}"
        message = f"--reviewed with {other}"
        raise CommandError(message, "one of the two", "--reviewed says in words what was found")
    check_outside(arguments.folder, arguments.output, arguments.review)


def _write_review(arguments: argparse.Namespace, progress: ProgressLine) -> None:
    from evalign.bitext import open_dataset
    from evalign.bitext.scoring import render_review
    from evalign.bitext.statistics import sample_review
    from evalign.files import write_whole

    dataset = open_dataset(arguments.folder, arguments.pair)
    samples = sample_review(dataset, seed=arguments.seed, progress=progress)
    write_whole(arguments.review, render_review(samples))
    progress.clear()
    tell(f"{arguments.review}: pairs to review: {sum(map(len, samples.values()))}", arguments)


def _say_reviewed(arguments: argparse.Namespace) -> int:
    from evalign.bitext.statistics import read_reviewed
    from evalign.reports import report_review
    from evalign.wording import fold

    lines = report_review(read_reviewed(arguments.reviewed))
    emit([f"{line}\n" for text in lines for line in fold(text, columns())], arguments)
    return 0
