"""`evalign diff`: print what differs between gold and system, and where.

`evalign align` also uses `compare`; `evalign errors` uses `compare`, `add_metrics`, `read_error_metrics` and
`default_metrics`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import chain, islice

from evalign.cli.output import columns, emit, output_format, tell, use_color, warn
from evalign.cli.parser import Parser, check_standard_input
from evalign.cli.shared_options import (
    add_feature_values,
    add_files,
    add_output,
    add_reading,
    add_split_spaces,
    count,
    read_names,
    read_options,
)
from evalign.errors import CommandError, quote, suggest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics.comparison import Comparison

FORMATS = ("table", "jsonl")


def make_parser() -> Parser:
    """Make the argument parser of `evalign diff`."""
    parser = Parser(
        "diff",
        "evalign diff examples/gold.conllu examples/system.txt\n"
        "evalign diff examples/gold.conllu examples/system.txt --metrics tokens --kind split\n"
        "evalign diff examples/gold.conllu examples/second.conllu --metrics las --kind label\n"
        "evalign diff examples/gold.mrg examples/system.mrg --metrics brackets --kind missing",
        "Print what differs, in the order of the text: gold's lines with -, the system's with +, boundaries as ¦.",
    )
    add_files(parser)
    add_metrics(parser)
    parser.add_argument(
        "--kind",
        metavar="KIND,...",
        default="",
        help="only split, merge, shifted, missing, inserted, rewritten; of word pairs confused, label, head, both; of "
        "brackets label, missing, inserted, rewritten, crossing",
    )
    parser.add_argument("--most", metavar="N", type=count, default=0, help="only the first N differences")
    add_reading(parser)
    add_split_spaces(parser)
    add_output(parser, FORMATS)
    return parser


def add_metrics(parser: Parser) -> None:
    """Add the options that choose the metrics whose errors are shown."""
    parser.add_argument(
        "--metrics",
        metavar="NAME,...",
        help="errors of sentences, tokens, words; of pairs of words that both files label: upos, xpos, tags, ufeats, allfeats, "
        "lemmas, uas, las; of trees: brackets (default: sentences, tokens, and of trees tags and brackets)",
    )
    add_feature_values(parser)


def read_error_metrics(text: str | None) -> tuple[str, ...] | None:
    """Read the metrics named in `text`. None means that none were named and the columns of the files decide.

    Raises `CommandError` for a metric whose errors cannot be shown.
    """
    from evalign.metrics.metric import find_name
    from evalign.metrics.registry import METRICS_WITH_ERRORS

    if text is None:
        return None
    chosen = tuple(find_name(name, METRICS_WITH_ERRORS) for name in read_names(text))
    for name in chosen:
        if name not in METRICS_WITH_ERRORS:
            msg = f"errors of {quote(name)} cannot be shown"
            raise CommandError(msg, *suggest(name, METRICS_WITH_ERRORS))
    if not chosen:
        msg = "no metric"
        raise CommandError(msg, f"some of {', '.join(METRICS_WITH_ERRORS)}")
    return chosen


def run(arguments: argparse.Namespace) -> int:
    """Run `evalign diff`: compare the files, print what differs."""
    from evalign.metrics.errors.all_errors import find_mismatches
    from evalign.metrics.metric import KINDS
    from evalign.reports.diff import render_diff, render_mismatches_json
    from evalign.scoring.metric_choice import refuse_columns

    check_standard_input(arguments.gold, arguments.system, arguments.raw)
    kinds = read_names(arguments.kind)
    if unknown := set(kinds) - set(KINDS):
        name = min(unknown)
        msg = f"unknown kind {quote(name)}"
        raise CommandError(msg, *suggest(name, KINDS))
    chosen, format = read_error_metrics(arguments.metrics), output_format(arguments, FORMATS)
    comparison, warnings = compare(arguments)
    warn(warnings, arguments)
    metrics = chosen or default_metrics(comparison)
    if arguments.split_spaces:
        refuse_columns(metrics)
    # All metrics are looked at before anything is printed, so that an impossible one is refused first.
    mismatches = chain.from_iterable([find_mismatches(comparison, metric) for metric in metrics])
    shown = islice((m for m in mismatches if not kinds or m.kind in kinds), arguments.most or None)
    if format == "jsonl":
        pieces = render_mismatches_json(shown)
    else:
        pieces = render_diff(shown, columns=columns(), color=use_color(arguments))
    first = next(pieces, "")
    if not first:
        of = f" of kind {' or '.join(kinds)}" if kinds else ""
        tell(f"no differences{of} in {_either(metrics)}", arguments)
    emit(chain([first], pieces), arguments)
    return 0


def _either(names: Sequence[str]) -> str:
    """Join names with commas and a final "or": "sentences, tokens or tags"."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def compare(arguments: argparse.Namespace) -> tuple[Comparison, tuple[str, ...]]:
    """Read and align gold and system. Returns their comparison and the warnings."""
    from evalign.scoring.api import compare_documents
    from evalign.scoring.request import resolve

    options = resolve(**read_options(arguments))
    return compare_documents(arguments.gold, arguments.system, options, arguments.raw)


def default_metrics(comparison: Comparison, *, of_labels: bool = False) -> tuple[str, ...]:
    """Choose the metrics whose errors are shown if none is named; with `of_labels`, only metrics of labels.

    Trees have other metrics than files in columns.
    """
    from evalign.metrics.census import has_columns
    from evalign.metrics.registry import METRICS

    trees = [side.trees is not None for side in (comparison.gold, comparison.system)]
    if not all(trees):
        if of_labels:
            # With trees on one side only, the metric "tags" refuses the other file with a message.
            return ("tags",) if any(trees) else ("upos", "las")
        return "sentences", "tokens"
    names = ("tags", "brackets") if of_labels else ("sentences", "tokens", "tags", "brackets")
    return tuple(name for name in names if has_columns(comparison, METRICS[name].needs))
