"""`evalign bitext show`: planted sentences among those around them."""

from __future__ import annotations

import argparse

from evalign.cli.outputs import check_outside
from evalign.cli.parser import Parser, add_output, columns, count, emit, output_format, use_color
from evalign.cli.progress import ProgressLine
from evalign.cli.reported import show
from evalign.errors import CommandError

FORMATS = ("table", "json", "csv", "markdown", "latex", "typst")


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "bitext show",
        "evalign bitext show data/fr-en\n"
        "evalign bitext show data/fr-en fr-000001781 --context 3\n"
        "evalign bitext show data/fr-en --split test --pairs 50 -o placements.csv",
        "Show planted sentences of a data set with the sentences around them, in both languages, as Figure 1 of the paper "
        "does. A sentence that is named by its id brings its translation along; one that is in no pair is shown alone.",
        "Where documents begin and end, and where sentences come from, is known where the data set has its provenance.tsv.",
    )
    parser.add_argument(
        "folder",
        metavar="DIR",
        help="the folder of fr-en.training.fr, fr-en.training.en, fr-en.training.gold",
    )
    parser.add_argument(
        "ids", metavar="ID", nargs="*", help="sentences of either language; without any, some pairs are drawn"
    )
    parser.add_argument(
        "--pair", metavar="LANG-LANG", default="", help="which data set, if there are several"
    )
    parser.add_argument("--split", metavar="NAME", default="", help="only this split")
    parser.add_argument(
        "--pairs", metavar="N", type=count, help="how many pairs are drawn where no id is named (default 5)"
    )
    parser.add_argument(
        "--context", metavar="N", type=count, default=2, help="sentences before and behind each (default 2)"
    )
    parser.add_argument(
        "--seed",
        metavar="N",
        type=count,
        help="which pairs are drawn where no id is named (default 12345)",
    )
    add_output(parser, FORMATS, warns=False)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Find, print."""
    format = output_format(arguments, FORMATS)
    for option, says in (("pairs", "how many"), ("seed", "which pairs")):
        value = getattr(arguments, option)
        if value is not None and arguments.ids:
            message = f"--{option} {value} with ids"
            raise CommandError(
                message, "one of the two", f"--{option} says {says} are drawn where no id is named"
            )
    if arguments.pairs == 0:
        message = "--pairs 0"
        raise CommandError(message, "one or more")
    check_outside(arguments.folder, arguments.output)
    from evalign.bitext import NUMBER, bitext_excerpts
    from evalign.bitext.statistics import SEED
    from evalign.reports import render_excerpts, report_excerpts

    with ProgressLine(quiet=arguments.quiet) as progress:
        found = bitext_excerpts(
            arguments.folder,
            *arguments.ids,
            pair=arguments.pair,
            split=arguments.split,
            number=arguments.pairs or NUMBER,
            context=arguments.context,
            seed=SEED if arguments.seed is None else arguments.seed,
            progress=progress,
        )
    if format == "table":
        emit([render_excerpts(found, columns=columns(), color=use_color(arguments))], arguments)
    else:
        show(report_excerpts(found), arguments, format)
    return 0
