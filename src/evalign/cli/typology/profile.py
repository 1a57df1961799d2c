"""`evalign typology profile`: what treebanks are like."""

from __future__ import annotations

import argparse

from evalign.cli.parser import Parser, add_output, columns, output_format, warn
from evalign.cli.reported import show
from evalign.cli.typology.plots import add_plot, check_plot, write_plot
from evalign.cli.typology.settings import FORMATS, add_settings, add_treebanks, read_profiles


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "typology profile",
        "evalign typology profile en_ewt-ud-test.conllu ko_gsd-ud-test.conllu\n"
        "evalign typology profile UD_English-EWT UD_Korean-GSD -o profile.json --plot profile.pdf",
        "What treebanks are like: sentences, tokens, words; non-projective trees; shares of content and function "
        "relations; standardized type/token ratio (STTR); word dependency entropy (WDE) of each relation.",
    )
    add_treebanks(parser)
    parser.add_argument(
        "--each", action="store_true", help="show the WDE of each treebank, not only the average"
    )
    add_settings(parser, "case", "vocabulary", "missing", "chunk", "share_of", "relations")
    add_output(parser, FORMATS)
    add_plot(parser, {"2": "averaged WDE of each relation", "3": "STTR and shares of each treebank"})
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Read, measure, print."""
    format = output_format(arguments, FORMATS)
    check_plot(arguments)
    profiles = read_profiles(arguments)
    warn(profiles.warnings, arguments)
    from evalign.reports import report_profiles

    show(report_profiles(profiles, each=arguments.each, columns=columns()), arguments, format)
    if arguments.plot:
        from evalign.reports import plot_profiles

        write_plot(arguments, lambda kind, figures: plot_profiles(profiles, kind, figures))
    return 0
