"""`evalign typology judge`: agreement of scores with human judgements."""

from __future__ import annotations

import argparse

from evalign.cli.parser import Parser, add_output, add_systems, check_standard_input, output_format, warn
from evalign.cli.reported import show
from evalign.cli.typology.settings import FORMATS
from evalign.errors import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics import Weights
    from evalign.typology import RunAgreements


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "typology judge",
        "evalign typology judge judgements.tsv gold.conllu malt.conllu mate.conllu --weights weights.json\n"
        "evalign typology judge judgements.tsv gold_folder malt_folder mate_folder\n"
        "evalign typology judge judgements.tsv run.json",
        "Say how far scores of sentences agree with people who saw what two systems made of each: Spearman's rho "
        "of the difference between the scores and of the preference.",
        "A row of the file of judgements: sentence id, system A, system B, preference, separated by tabs. Systems "
        "have their names, or those of their files with or without ending, or A, B, ... in the order given. The preference is A, "
        "B, tie, the name of a system, or a number: how much better A is. Of folders, JUDGEMENTS is one file for all "
        "treebanks, in which a sentence id that several have is TREEBANK:ID, or a folder with a file for each. A run "
        "is what evalign score GOLD SYSTEM... --metrics las,content --average sentence -o RUN.json saved.",
    )
    parser.add_argument("judgements", metavar="JUDGEMENTS", help="who preferred what; - is standard input")
    parser.add_argument(
        "gold", metavar="GOLD", help="the file taken as right, a folder of them, or a saved run"
    )
    add_systems(parser, "the systems that were judged, NAME=FILE to name one; none with a saved run", "*")
    parser.add_argument(
        "--weights",
        metavar="FILE",
        help="weights of relations: adds WLAS; with a saved run, those that it was scored with",
    )
    add_output(parser, FORMATS)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Score each sentence, compare with the judgements, print."""
    from evalign.metrics import load_weights
    from evalign.reports import report_agreements, report_run_agreements
    from evalign.typology import is_folder, judge

    check_standard_input(arguments.judgements, arguments.gold, *arguments.systems, arguments.weights)
    format = output_format(arguments, FORMATS)
    if not arguments.systems and is_folder(arguments.gold):
        message = "no system was judged"
        raise CommandError(message, "gold and at least two systems, or a saved run: RUN.json")
    weights = load_weights(arguments.weights) if arguments.weights else None
    if not arguments.systems or is_folder(arguments.gold):
        found = _judge_run(arguments, weights)
        warn(found.warnings, arguments)
        show(report_run_agreements(found), arguments, format)
        return 0
    agreements = judge(
        arguments.judgements, arguments.gold, *arguments.systems, weights=weights, names=arguments.names
    )
    warn(agreements.warnings, arguments)
    show(report_agreements(agreements), arguments, format)
    return 0


def _judge_run(arguments: argparse.Namespace, weights: Weights | None) -> RunAgreements:
    """Agreement by treebank: of folders, or of a run that was saved."""
    from evalign.cli.progress import ProgressLine
    from evalign.results import load_saved
    from evalign.typology import judge_run

    if not arguments.systems:
        return judge_run(arguments.judgements, load_saved(arguments.gold), weights=weights)
    with ProgressLine(quiet=arguments.quiet) as progress:
        return judge_run(
            arguments.judgements,
            arguments.gold,
            *arguments.systems,
            weights=weights,
            names=arguments.names,
            progress=progress,
        )
