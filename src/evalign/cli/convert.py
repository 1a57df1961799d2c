"""`evalign convert`: print a saved result as a table for a paper, a page, a spreadsheet or a program."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace

from evalign.cli.command import Command, Option
from evalign.cli.output import emit, output_format, warn
from evalign.cli.result_output import (
    CommandAssessor,
    check_available,
    check_shown,
    load_result,
    show_result,
)
from evalign.cli.shared_options import (
    ALL_PAIRS,
    BREAKDOWNS,
    COMPARISON,
    DRAWS,
    LAYOUT,
    RESULT,
    BreakdownChoice,
    name_metrics,
    output_options,
    read_breakdowns,
    read_names,
)
from evalign.errors import CommandError, quote, suggest
from evalign.metrics.metric import find_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.results.result import Parts, Result

FORMATS = ("table", "json", "jsonl", "csv", "markdown", "latex", "typst")
# Formats of papers: with several systems, their default layout has a row for each system.
PAPER = ("markdown", "latex", "typst")


def run(arguments: argparse.Namespace) -> int:
    """Run `evalign convert`: load the saved result, print it."""
    from evalign.results.result import Result

    check_shown(arguments)
    breakdowns = read_breakdowns(arguments)
    format = output_format(arguments, FORMATS)
    metrics = _metrics(arguments)
    saved = load_result(arguments.result)
    if not isinstance(saved, Result):
        return _convert_parts(saved, format, arguments, breakdowns, metrics)
    return _convert(_choose(saved, metrics), format, arguments, breakdowns)


def _metrics(arguments: argparse.Namespace) -> tuple[str, ...]:
    metrics = read_names(arguments.metrics or "")
    if arguments.metrics is not None and not metrics:
        msg = "--metrics without a name"
        raise CommandError(msg, "metrics separated by commas", "leave it out for all")
    return metrics


def _choose(result: Result, metrics: tuple[str, ...]) -> Result:
    """Return the result with only the metrics in `metrics`, in their order; with all metrics if it is empty.

    Raises an error for a metric that was not scored.
    """
    if not metrics:
        return result
    chosen = [[system[metric] for metric in metrics] for system in result.systems]
    systems = tuple(
        replace(system, scores={score.name: score for score in scores})
        for system, scores in zip(result.systems, chosen, strict=True)
    )
    return replace(result, systems=systems)


def _convert(result: Result, format: str, arguments: argparse.Namespace, breakdowns: BreakdownChoice) -> int:
    warn(result.warnings, arguments)
    assessor = CommandAssessor(arguments)
    assessor.of(result)  # refuses a test that is impossible before anything is written
    layout = arguments.layout or ("systems" if format in PAPER and len(result.systems) > 1 else "metrics")
    if format == "jsonl":
        emit(_lines(result, breakdowns, arguments, assessor, ()), arguments)
    else:
        show_result(result, format, arguments, breakdowns, assessor, layout)
    check_available(result, arguments)
    return 0


def _lines(
    result: Result | Parts,
    breakdowns: BreakdownChoice,
    arguments: argparse.Namespace,
    assessor: CommandAssessor,
    metrics: tuple[str, ...],
) -> Iterator[str]:
    """Yield lines of JSON: those of the result or run, then those of its parts.

    A breakdown by label (--per) gives parts like any other breakdown (--by).
    """
    from evalign.reports.parts import render_part_lines
    from evalign.reports.scores import render_lines
    from evalign.results.result import Result

    split = [result.split(by) for by in dict.fromkeys((*breakdowns.per, *breakdowns.by))]
    warn([warning for parts in split for warning in parts.warnings], arguments)
    if isinstance(result, Result):
        yield from render_lines(result, assessor.of(result))
    else:
        split = [result, *split]
    for parts in split:
        yield from render_part_lines(parts, assessor.of_parts(parts, metrics), metrics)


def _convert_parts(
    parts: Parts,
    format: str,
    arguments: argparse.Namespace,
    breakdowns: BreakdownChoice,
    metrics: tuple[str, ...],
) -> int:
    """Print a run of several treebanks; return the exit status."""
    metrics = tuple(find_name(metric, parts.metrics) for metric in metrics)
    if arguments.all_pairs:
        msg = "--all-pairs of several treebanks"
        raise CommandError(msg, "a result of one treebank", "for every pair in every treebank: --format csv")
    for metric in metrics:
        if metric not in parts.metrics:
            msg = f"{quote(metric)} was not scored"
            raise CommandError(msg, *suggest(metric, parts.metrics))
    warn(parts.warnings, arguments)
    assessor = CommandAssessor(arguments)
    if format == "jsonl":
        emit(_lines(parts, breakdowns, arguments, assessor, metrics), arguments)
    else:
        show_result(parts, format, arguments, breakdowns, assessor, arguments.layout or "", metrics)
    check_available(parts, arguments)
    return 0


CONVERT = Command(
    "convert",
    (
        "evalign convert run.json --format latex --metrics tokens,words,las --paired",
        "evalign convert run.json -o scores.csv --confidence",
        "evalign convert run.json --by genre",
    ),
    "Print a saved result in another format. Nothing but the saved file is needed: intervals, tests and breakdowns come "
    "from the counts in it.",
    (
        RESULT,
        Option("--metrics", "only these, in this order (default: all)", "NAME,...", names=name_metrics),
        *BREAKDOWNS,
        *output_options(FORMATS, LAYOUT),
        *COMPARISON,
        ALL_PAIRS,
        *DRAWS,
    ),
    run,
    "LaTeX needs the package booktabs. Of several systems the best is in bold; with --paired, * and ** mark differences "
    "from the first that are significant at 0.05 and 0.01, after Holm's correction. Without --layout, Markdown, LaTeX and "
    "Typst have a row per system where there are several, all else a row per metric.",
)
