"""`evalign errors`: rank errors by kind, and by the texts or labels of gold and system."""

from __future__ import annotations

import argparse

from evalign.cli.command import Command, Option, check_standard_input, pick
from evalign.cli.diff import ERROR_METRICS, compare, default_metrics, read_error_metrics
from evalign.cli.output import columns, emit, output_format, use_color, warn
from evalign.cli.shared_options import FILES, READING, SCORING, count, output_options
from evalign.errors import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics.comparison import Comparison
    from evalign.reports.errors import RankedErrors

FORMATS = ("table", "json", "csv", "markdown", "latex")


def run(arguments: argparse.Namespace) -> int:
    """Run `evalign errors`: compare the files, group the errors of each metric, print them."""
    from evalign.metrics.registry import LABEL_METRICS
    from evalign.reports.errors import render_errors, render_matrices
    from evalign.scoring.metric_choice import refuse_columns

    check_standard_input(arguments.gold, arguments.system, arguments.raw)
    chosen = read_error_metrics(arguments.metrics)
    if arguments.matrix and (others := [metric for metric in chosen or () if metric not in LABEL_METRICS]):
        msg = f"--matrix of {others[0]}, which has no labels"
        raise CommandError(msg, f"some of {', '.join(LABEL_METRICS)}")
    format = output_format(arguments, FORMATS)
    comparison, warnings = compare(arguments)
    warn(warnings, arguments)
    render = render_matrices if arguments.matrix else render_errors
    metrics = chosen or default_metrics(comparison, of_labels=arguments.matrix)
    if arguments.split_spaces:
        refuse_columns(metrics)
    ranked = [_rank(comparison, metric) for metric in metrics]
    text = render(ranked, format, most=arguments.most, columns=columns(), color=use_color(arguments))
    emit([text], arguments, is_data=format == "csv")
    return 0


def _rank(comparison: Comparison, metric: str) -> RankedErrors:
    """Group the errors of `metric`, with its label pairs if it compares labels."""
    from evalign.metrics.errors.all_errors import count_kinds, count_label_pairs, group_errors
    from evalign.metrics.registry import LABEL_METRICS
    from evalign.reports.errors import RankedErrors

    pairing = count_label_pairs(comparison, metric) if metric in LABEL_METRICS else None
    return RankedErrors(metric, count_kinds(comparison, metric), group_errors(comparison, metric), pairing)


COMMAND = Command(
    "errors",
    (
        "evalign errors examples/gold.conllu examples/system.txt",
        "evalign errors examples/gold.conllu examples/system.txt --metrics tokens --most 50",
        "evalign errors examples/gold.conllu examples/second.conllu --metrics upos,las --matrix",
        "evalign errors examples/gold.mrg examples/system.mrg --metrics brackets",
    ),
    "Rank errors by kind and by what was written: \"can't -> ca n't\", how often, and where.",
    (
        *FILES,
        ERROR_METRICS,
        Option("--most", "rows per metric in a table (default 20; 0: all)", "N", count, default=20),
        Option(
            "--matrix",
            "print confusion matrices instead, gold in rows: of pairs of words (default: upos, las), of trees (default: "
            "tags, brackets); JSON has every cell with or without it",
        ),
        *output_options(FORMATS),
        *READING,
        *pick(SCORING, "split_spaces", "feature_values"),
    ),
    run,
    "Words that only one side has are errors of words; of the others, upos and the like say which label was taken for "
    "which. Errors of brackets are all of them: with another label, missing, inserted, crossing gold's.",
)
