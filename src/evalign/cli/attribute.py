"""`evalign attribute`: how much of the loss comes from sentences, tokens, tags and structure."""

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
    reading,
    use_color,
    warn,
)  # fmt: skip

FORMATS = ("table", "json", "csv", "markdown", "latex")


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "attribute",
        "evalign attribute gold.mrg system.mrg\n"
        "evalign attribute gold.conllu system.conllu --format json\n"
        "evalign attribute gold.mrg system.mrg --gold-sentences a.mrg --gold-tokens b.mrg --gold-tags c.mrg",
        "Say how much of the loss comes from sentences, tokens, tags and structure: every bracket or arc that is "
        "missed or spurious is charged to the first stage that failed for it, and the rows add up to 100 - F1.",
        "With outputs of mixed runs, of the same system on gold input, a second table has the differences between them.",
    )
    add_files(parser)
    group = parser.add_argument_group("mixed runs")
    group.add_argument("--gold-sentences", metavar="FILE", help="the system's output for gold sentences")
    group.add_argument(
        "--gold-tokens", metavar="FILE", help="the system's output for gold sentences and tokens"
    )
    group.add_argument(
        "--gold-tags", metavar="FILE", help="the system's output for gold sentences, tokens and tags"
    )
    parser.add_argument(
        "--items",
        choices=("auto", "brackets", "dependencies"),
        default="auto",
        help="what is counted (default: brackets of trees, else dependencies)",
    )
    add_reading(parser)
    add_output(parser, FORMATS)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Attribute, then print."""
    from evalign.evaluate.attribution import attribute
    from evalign.reports.attribution import render_attribution

    mixed = (arguments.gold_sentences, arguments.gold_tokens, arguments.gold_tags)
    check_standard_input(arguments.gold, arguments.system, *mixed, arguments.raw)
    format = output_format(arguments, FORMATS)
    found = attribute(
        arguments.gold,
        arguments.system,
        gold_sentences=mixed[0],
        gold_tokens=mixed[1],
        gold_tags=mixed[2],
        items=arguments.items,
        **reading(arguments),
    )
    warn(found.warnings, arguments)
    text = render_attribution(found, format, columns=columns(), color=use_color(arguments))
    emit([text], arguments, is_data=format == "csv")
    return 0
