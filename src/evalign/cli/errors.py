"""`evalign errors`: errors ranked by kind and by what was written."""

from __future__ import annotations

import argparse

from evalign.cli.parser import (
    Parser,
    add_files,
    add_output,
    add_reading,
    check_standard_input,
    columns,
    count,
    emit,
    output_format,
    use_color,
    warn,
)  # fmt: skip

FORMATS = ("table", "json", "csv", "markdown", "latex")


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "errors",
        "evalign errors gold.conllu system.txt\nevalign errors gold.conllu system.txt --metrics tokens --most 50",
        "Rank errors by kind and by what was written: \"can't -> ca n't\", how often, and where.",
    )
    add_files(parser)
    parser.add_argument(
        "--metrics", metavar="NAME,...", default="sentences,tokens", help="of sentences, tokens, words"
    )
    parser.add_argument(
        "--most", metavar="N", type=count, default=20, help="rows per metric in a table (default 20; 0: all)"
    )
    add_reading(parser)
    add_output(parser, FORMATS)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Compare, group, print."""
    from evalign.cli.compare import compare
    from evalign.cli.diff import chosen_metrics
    from evalign.layers import count_kinds, find_mismatches, group_mismatches
    from evalign.reports.errors import RankedErrors, render_errors

    check_standard_input(arguments.gold, arguments.system, arguments.raw)
    metrics, format = chosen_metrics(arguments.metrics), output_format(arguments, FORMATS)
    comparison, warnings = compare(arguments)
    warn(warnings, arguments)
    ranked = [
        RankedErrors(
            metric, count_kinds(comparison, metric), group_mismatches(find_mismatches(comparison, metric))
        )
        for metric in metrics
    ]
    text = render_errors(ranked, format, most=arguments.most, columns=columns(), color=use_color(arguments))
    emit([text], arguments, is_data=format == "csv")
    return 0
