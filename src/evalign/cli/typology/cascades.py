"""`evalign typology cascades`: errors that come from other errors."""

from __future__ import annotations

import argparse

from evalign.cli.parser import Parser, add_output, check_standard_input, output_format, warn
from evalign.cli.reported import show
from evalign.cli.typology.settings import FORMATS, add_relations
from evalign.errors import CommandError


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "typology cascades",
        "evalign typology cascades gold.conllu system.conllu\n"
        "evalign typology cascades en.gold.conllu en.conllu ko.gold.conllu ko.conllu",
        "Of the words that are attached wrongly, by class of their relation: how many have a head, in the system's "
        "tree, that is attached rightly. The fewer, the more errors come from other errors.",
    )
    parser.add_argument(
        "files", metavar="GOLD SYSTEM", nargs="+", help="pairs of files, one for each treebank"
    )
    group = parser.add_argument_group("choices that the paper leaves open")
    group.add_argument(
        "--root-heads",
        choices=("wrong", "left-out", "right"),
        default="wrong",
        help="a word that the system makes a root has no head that is attached: what it counts as (default wrong)",
    )
    add_relations(group)
    add_output(parser, FORMATS)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Compare each pair, print."""
    from evalign.reports.typology import report_cascades
    from evalign.typology import find_cascades
    from evalign.typology.treebanks import name_apart

    if len(arguments.files) % 2:
        message = f"{len(arguments.files)} files"
        raise CommandError(message, "pairs: gold and system, gold and system")
    check_standard_input(*arguments.files)
    format = output_format(arguments, FORMATS)
    golds, systems = arguments.files[::2], arguments.files[1::2]
    found = {
        name: find_cascades(gold, system, relations=arguments.relations, root_heads=arguments.root_heads)
        for name, gold, system in zip(name_apart(golds), golds, systems, strict=True)
    }
    warn([warning for one in found.values() for warning in one.warnings], arguments)
    show(report_cascades(found, arguments.root_heads), arguments, format)
    return 0
