"""`evalign diff`, `evalign align` and `evalign errors`: what differs between gold and system, and where."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from itertools import chain, islice

from evalign.cli.command import Command, Option, check_standard_input, pick
from evalign.cli.output import columns, emit, output_format, tell, use_color, warn
from evalign.cli.shared_options import (
    FILES,
    READING,
    SCORING,
    count,
    output_options,
    read_names,
    read_options,
)
from evalign.errors import CommandError, quote, suggest
from evalign.wording import join_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics.comparison import Comparison
    from evalign.reports.errors import RankedErrors

FORMATS = ("table", "jsonl")
ERROR_FORMATS = ("table", "json", "csv", "markdown", "latex")


def _name_metrics_with_errors() -> Iterable[str]:
    from evalign.metrics.registry import METRICS_WITH_ERRORS

    return METRICS_WITH_ERRORS


def _name_kinds() -> Iterable[str]:
    from evalign.metrics.metric import KINDS

    return KINDS


ERROR_METRICS = Option(
    "--metrics",
    "errors of sentences, tokens, words; of pairs of words that both files label: upos, xpos, tags, ufeats, allfeats, "
    "lemmas, uas, las; of trees: brackets (default: sentences, tokens, and of trees tags and brackets)",
    "NAME,...",
    names=_name_metrics_with_errors,
)


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
        tell(f"no differences{of} in {join_words(metrics, 'or')}", arguments)
    emit(chain([first], pieces), arguments)
    return 0


def compare(arguments: argparse.Namespace) -> tuple[Comparison, tuple[str, ...]]:
    """Read and align gold and system. Returns their comparison and the warnings."""
    from evalign.scoring.count import compare_documents
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


DIFF = Command(
    "diff",
    (
        "evalign diff examples/gold.conllu examples/system.txt",
        "evalign diff examples/gold.conllu examples/system.txt --metrics tokens --kind split",
        "evalign diff examples/gold.conllu examples/second.conllu --metrics las --kind label",
        "evalign diff examples/gold.mrg examples/system.mrg --metrics brackets --kind missing",
    ),
    "Print what differs, in the order of the text: gold's lines with -, the system's with +, boundaries as ¦.",
    (
        *FILES,
        ERROR_METRICS,
        Option(
            "--kind",
            "only split, merge, shifted, missing, inserted, rewritten; of word pairs confused, label, head, both; of "
            "brackets label, missing, inserted, rewritten, crossing",
            "KIND,...",
            default="",
            names=_name_kinds,
        ),
        Option("--most", "only the first N differences", "N", count, default=0),
        *output_options(FORMATS),
        *READING,
        *pick(SCORING, "split_spaces", "feature_values"),
    ),
    run,
)


# align: the aligned blocks, or the system's tokens in gold's sentences.


def run_align(arguments: argparse.Namespace) -> int:
    """Run `evalign align`: align both files, print the blocks or the regrouped tokens."""
    check_standard_input(arguments.gold, arguments.system, arguments.raw)
    format = output_format(arguments, FORMATS)
    comparison, warnings = compare(arguments)
    warn(warnings, arguments)
    if arguments.resegment:
        from evalign.reports.blocks import render_sentences

        emit(render_sentences(comparison.alignment.resegment(), format), arguments, is_data=True)
        return 0
    from evalign.reports.blocks import render_blocks, render_blocks_jsonl, view_blocks

    blocks = view_blocks(comparison)
    pieces = render_blocks_jsonl(blocks) if format == "jsonl" else render_blocks(blocks, columns())
    emit(pieces, arguments)
    return 0


ALIGN = Command(
    "align",
    (
        "evalign align examples/gold.conllu examples/system.txt",
        "evalign align examples/gold.conllu examples/system.txt --format jsonl -o blocks.jsonl",
        "evalign align examples/gold.conllu examples/system.txt --resegment -o resegmented.txt",
    ),
    'Print the aligned blocks: m:n sentences, "~~~" between merged parts, TP where gold and system agree.',
    (
        *FILES,
        Option(
            "--resegment",
            "write the system's tokens, one line for each sentence of gold (with --format jsonl, one list)",
        ),
        *output_options(FORMATS),
        *READING,
        *pick(SCORING, "split_spaces"),
    ),
    run_align,
)


# errors: how many there are of each kind.


def run_errors(arguments: argparse.Namespace) -> int:
    """Run `evalign errors`: compare the files, group the errors of each metric, print them."""
    from evalign.metrics.registry import LABEL_METRICS
    from evalign.reports.errors import render_errors, render_matrices
    from evalign.scoring.metric_choice import refuse_columns

    check_standard_input(arguments.gold, arguments.system, arguments.raw)
    chosen = read_error_metrics(arguments.metrics)
    if arguments.matrix and (others := [metric for metric in chosen or () if metric not in LABEL_METRICS]):
        msg = f"--matrix of {others[0]}, which has no labels"
        raise CommandError(msg, f"some of {', '.join(LABEL_METRICS)}")
    format = output_format(arguments, ERROR_FORMATS)
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


ERRORS = Command(
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
        *output_options(ERROR_FORMATS),
        *READING,
        *pick(SCORING, "split_spaces", "feature_values"),
    ),
    run_errors,
    "Words that only one side has are errors of words; of the others, upos and the like say which label was taken for "
    "which. Errors of brackets are all of them: with another label, missing, inserted, crossing gold's.",
)
