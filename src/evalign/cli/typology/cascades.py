"""`evalign typology cascades`: errors that come from other errors."""

from __future__ import annotations

import argparse

from evalign.cli.parser import Parser, add_output, check_standard_input, columns, output_format, warn
from evalign.cli.reported import show
from evalign.cli.typology.settings import FORMATS, add_relations, add_root_heads
from evalign.errors import CommandError
from evalign.wording import counted


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "typology cascades",
        "evalign typology cascades gold.conllu system.conllu\n"
        "evalign typology cascades gold_folder system_folder\n"
        "evalign typology cascades en.gold.conllu en.conllu ko.gold.conllu ko.conllu",
        "Of the words that are attached wrongly, by class of their relation: how many have a head, in the system's "
        "tree, that is attached rightly. The fewer, the more errors come from other errors.",
    )
    parser.add_argument(
        "files",
        metavar="GOLD SYSTEM",
        nargs="+",
        help="pairs of files, one for each treebank; or a folder of gold files and one of a system's, matched by name",
    )
    group = parser.add_argument_group("choices that the paper leaves open")
    add_root_heads(group)
    add_relations(group)
    add_output(parser, FORMATS)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Compare each pair, print."""
    from evalign.cli.progress import ProgressLine
    from evalign.reports import report_cascades
    from evalign.typology import find_run_cascades

    if len(arguments.files) % 2:
        given = counted(len(arguments.files), "file")
        message = (
            f"{arguments.files[0]} alone" if len(arguments.files) == 1 else f"{given}, one without a partner"
        )
        raise CommandError(message, "pairs: gold and system, gold and system", "or two folders")
    check_standard_input(*arguments.files)
    format = output_format(arguments, FORMATS)
    pairs = list(zip(arguments.files[::2], arguments.files[1::2], strict=True))
    with ProgressLine(quiet=arguments.quiet) as progress:
        found = find_run_cascades(
            pairs, relations=arguments.relations, root_heads=arguments.root_heads, progress=progress
        )
    warn(found.warnings, arguments)
    width = columns() if format == "table" else None
    show(report_cascades(found.treebanks, arguments.root_heads, width), arguments, format)
    return 0
