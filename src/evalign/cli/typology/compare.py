"""`evalign typology compare`: scores of many treebanks."""

from __future__ import annotations

import argparse

from evalign.cli.parser import Parser, add_output, check_standard_input, columns, output_format, warn
from evalign.cli.reported import show
from evalign.cli.typology.plots import add_plot, check_plot, write_plot
from evalign.cli.typology.settings import FORMATS, add_variance


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "typology compare",
        "evalign typology compare run.json --profiles profile.json\n"
        "evalign typology compare en.json ko.json zh.json --profiles profile.json\n"
        "evalign typology compare runs/*.json --plot figures.pdf",
        "Compare the scores of many treebanks: LAS, WLAS, precision and recall of content and function relations; "
        "correlations between them; the variance over the best n treebanks; whether what LAS has more than WLAS or "
        "content relations goes with STTR.",
        "A RESULT is what evalign score GOLD SYSTEM --metrics las,wlas,content,function --weights weights.json "
        "-o RESULT wrote, of two files or of two folders of treebanks.",
    )
    parser.add_argument(
        "results",
        metavar="RESULT",
        nargs="+",
        help="a saved result: of one treebank, or of a run of folders, which is all of its treebanks",
    )
    parser.add_argument(
        "--profiles",
        metavar="FILE",
        help="what evalign typology profile -o FILE.json wrote: adds shares of relations and STTR",
    )
    parser.add_argument(
        "--system", metavar="N|NAME", default="1", help="which system of each result (default: the first)"
    )
    add_variance(parser)
    add_output(parser, FORMATS)
    add_plot(parser, {"4": "scores of each treebank", "5": "cumulative variance"})
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Load, compare, print."""
    from evalign.typology import compare, load_profiles

    check_standard_input(*arguments.results, arguments.profiles)
    format = output_format(arguments, FORMATS)
    check_plot(arguments)
    profiles = load_profiles(arguments.profiles) if arguments.profiles else None
    comparison = compare(
        *arguments.results, profiles=profiles, system=arguments.system, variance=arguments.variance
    )
    warn(comparison.warnings, arguments)
    from evalign.reports import report_comparison

    show(report_comparison(comparison, columns() if format == "table" else None), arguments, format)
    if arguments.plot:
        from evalign.reports import plot_comparison

        write_plot(arguments, lambda kind, figures: plot_comparison(comparison, kind, figures))
    return 0
