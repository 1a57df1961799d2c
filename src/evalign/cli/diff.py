"""`evalign diff`: only what differs, with places."""

from __future__ import annotations

import argparse
from itertools import chain, islice

from evalign.cli.parser import (
    Parser,
    add_files,
    add_output,
    add_reading,
    check_standard_input,
    columns,
    count,
    emit,
    names,
    output_format,
    tell,
    use_color,
    warn,
)  # fmt: skip
from evalign.errors import CommandError

FORMATS = ("table", "jsonl")


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "diff",
        "evalign diff gold.conllu system.txt\nevalign diff gold.conllu system.txt --metrics tokens --kind merge",
        "Print what differs, in the order of the text: gold's lines with -, the system's with +, boundaries as ¦.",
    )
    add_files(parser)
    parser.add_argument(
        "--metrics", metavar="NAME,...", default="sentences,tokens", help="of sentences, tokens, words"
    )
    parser.add_argument(
        "--kind",
        metavar="KIND,...",
        default="",
        help="only split, merge, shifted, missing, inserted, rewritten",
    )
    parser.add_argument("--most", metavar="N", type=count, default=0, help="only the first N differences")
    add_reading(parser)
    add_output(parser, FORMATS)
    return parser


def chosen_metrics(text: str) -> tuple[str, ...]:
    """The metrics of spans named in an argument."""
    from evalign.result import SPAN_METRICS

    chosen = names(text)
    for name in chosen:
        if name not in SPAN_METRICS:
            msg = f'no errors are kept for "{name}"'
            raise CommandError(msg, f"some of {', '.join(SPAN_METRICS)}")
    if not chosen:
        msg = "no metric"
        raise CommandError(msg, f"some of {', '.join(SPAN_METRICS)}")
    return chosen


def run(arguments: argparse.Namespace) -> int:
    """Compare, then print what differs."""
    from evalign.cli.compare import compare
    from evalign.layers import KINDS, find_mismatches
    from evalign.reports.errors import render_diff, render_mismatches_json

    check_standard_input(arguments.gold, arguments.system, arguments.raw)
    kinds = names(arguments.kind)
    if unknown := set(kinds) - set(KINDS):
        msg = f'unknown kind "{min(unknown)}"'
        raise CommandError(msg, f"some of {', '.join(KINDS)}")
    metrics, format = chosen_metrics(arguments.metrics), output_format(arguments, FORMATS)
    comparison, warnings = compare(arguments)
    warn(warnings, arguments)
    found = chain.from_iterable(find_mismatches(comparison, metric) for metric in metrics)
    wanted = islice((m for m in found if not kinds or m.kind in kinds), arguments.most or None)
    if format == "jsonl":
        pieces = render_mismatches_json(wanted)
    else:
        pieces = render_diff(wanted, columns=columns(), color=use_color(arguments))
    first = next(pieces, "")
    if not first:
        of = f" of kind {' or '.join(kinds)}" if kinds else ""
        tell(f"no differences{of} in {' or '.join(metrics)}", arguments)
    emit(chain([first], pieces), arguments)
    return 0
