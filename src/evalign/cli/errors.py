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
    parser.add_argument("--most", metavar="N", type=int, default=20, help="rows per metric (default 20)")
    add_reading(parser)
    add_output(parser, FORMATS)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Compare, group, print."""
    from evalign.cli.compare import compare
    from evalign.cli.diff import chosen_metrics
    from evalign.layers import count_kinds, find_mismatches, group_mismatches
    from evalign.reports.errors import render_groups

    check_standard_input(arguments.gold, arguments.system)
    metrics = chosen_metrics(arguments.metrics)
    comparison, warnings = compare(arguments)
    warn(warnings, arguments)
    format = output_format(arguments, FORMATS)
    color = use_color() and not arguments.output
    rendered = [
        render_groups(
            metric,
            count_kinds(comparison, metric),
            group_mismatches(find_mismatches(comparison, metric)),
            format,
            most=arguments.most,
            columns=columns(),
            color=color,
        )
        for metric in metrics
    ]
    emit("\n".join(rendered) if format != "json" else _json_list(rendered), arguments)
    return 0


def _json_list(objects: list[str]) -> str:
    return (
        objects[0]
        if len(objects) == 1
        else "[\n" + ",\n".join(text.rstrip("\n") for text in objects) + "\n]\n"
    )
