"""`evalign typology judge`: agreement of scores with human judgements."""

from __future__ import annotations

import argparse

from evalign.cli.parser import Parser, add_output, add_systems, check_standard_input, output_format, warn
from evalign.cli.reported import show
from evalign.cli.typology.settings import FORMATS


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "typology judge",
        "evalign typology judge judgements.tsv gold.conllu malt.conllu mate.conllu --weights weights.json",
        "Say how far scores of sentences agree with people who saw what two systems made of each: Spearman's rho "
        "of the difference between the scores and of the preference.",
        "A row of the file of judgements: sentence id, system A, system B, preference, separated by tabs. Systems "
        "have their names, or those of their files with or without ending, or A, B, ... in the order given. The preference is A, "
        "B, tie, the name of a system, or a number: how much better A is.",
    )
    parser.add_argument("judgements", metavar="JUDGEMENTS", help="who preferred what; - is standard input")
    parser.add_argument("gold", metavar="GOLD", help="the file taken as right")
    add_systems(parser, "the systems that were judged, NAME=FILE to name one")
    parser.add_argument("--weights", metavar="FILE", help="weights of relations: adds WLAS")
    add_output(parser, FORMATS)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Score each sentence, compare with the judgements, print."""
    from evalign.layers.weights import load_weights
    from evalign.reports.typology import report_agreements
    from evalign.typology import judge

    check_standard_input(arguments.judgements, arguments.gold, *arguments.systems, arguments.weights)
    format = output_format(arguments, FORMATS)
    weights = load_weights(arguments.weights) if arguments.weights else None
    agreements = judge(
        arguments.judgements, arguments.gold, *arguments.systems, weights=weights, names=arguments.names
    )
    warn(agreements.warnings, arguments)
    show(report_agreements(agreements), arguments, format)
    return 0
