"""`evalign convert`: a saved result as a table for a paper, a page, a spreadsheet or a program."""

from __future__ import annotations

import argparse
from dataclasses import replace

from evalign.cli.parser import (
    Parser,
    add_output,
    add_resampling,
    columns,
    emit,
    names,
    output_format,
    use_color,
    warn,
)  # fmt: skip
from evalign.cli.show import (
    Groupings,
    add_groupings,
    assess,
    check_shown,
    read_groupings,
    render,
    show_result,
)  # fmt: skip
from evalign.errors import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.reports.significance import Assessed
    from evalign.result import Result
    from evalign.result.parts import Parts

FORMATS = ("table", "json", "jsonl", "csv", "markdown", "latex", "typst")
# What people paste into papers; a terminal shows as much as there is.
PAPER = ("markdown", "latex", "typst")


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "convert",
        "evalign convert run.json --format latex --metrics tokens,words,las --paired\n"
        "evalign convert run.json -o scores.csv --confidence\n"
        "evalign convert run.json --by genre",
        "Print a saved result in another format. Nothing but the saved file is needed: intervals, tests and breakdowns come "
        "from the counts in it.",
        "LaTeX needs the package booktabs. Of several systems the best is in bold; with --paired, * and ** mark differences "
        "from the first that are significant at 0.05 and 0.01, after Holm's correction.",
    )
    parser.add_argument("result", metavar="RESULT", help="a saved result: evalign score ... -o run.json")
    parser.add_argument("--metrics", metavar="NAME,...", help="only these, in this order (default: all)")
    parser.add_argument(
        "--layout",
        choices=("systems", "metrics"),
        help="systems: a row per system, a column per metric, as in papers (what markdown, latex and typst have where there "
        "are several systems); metrics: a row per metric and system with counts, precision and recall",
    )
    add_resampling(parser)
    add_groupings(parser)
    add_output(parser, FORMATS)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Load, then print."""
    from evalign.result import Result
    from evalign.result.collection import load_saved

    check_shown(arguments)
    groupings = read_groupings(arguments)
    format = output_format(arguments, FORMATS)
    metrics = _metrics(arguments)
    found = load_saved(arguments.result)
    if not isinstance(found, Result):
        return _convert_parts(found, format, arguments, groupings, metrics)
    return _convert(_choose(found, metrics), format, arguments, groupings)


def _metrics(arguments: argparse.Namespace) -> tuple[str, ...]:
    metrics = names(arguments.metrics or "")
    if arguments.metrics is not None and not metrics:
        msg = "--metrics without a name"
        raise CommandError(msg, "metrics separated by commas", "leave it out for all")
    return metrics


def _choose(result: Result, metrics: tuple[str, ...]) -> Result:
    """A result with some metrics only; one that was not scored is a `CommandError`."""
    if not metrics:
        return result
    systems = tuple(
        replace(system, scores={metric: system[metric] for metric in metrics}) for system in result.systems
    )
    return replace(result, systems=systems)


def _convert(result: Result, format: str, arguments: argparse.Namespace, groupings: Groupings) -> int:
    warn(result.warnings, arguments)
    assessed = assess(result, arguments)
    layout = arguments.layout or ("systems" if format in PAPER and len(result.systems) > 1 else "metrics")
    if format == "jsonl":
        from evalign.reports.paper import render_jsonl

        if groupings != Groupings():
            msg = "--by with --format jsonl"
            raise CommandError(msg, "--format json or csv")
        emit(render_jsonl(result, assessed), arguments)
    elif layout == "systems" and format in (*PAPER, "table"):
        from evalign.reports.paper import render_systems

        text = render_systems(
            result, format, columns=columns(), color=use_color(arguments), assessed=assessed
        )
        groupings = groupings.resolve(result)
        split = [render(result.split(by), format, arguments) for by in groupings.by]
        broken = _labels(result, format, groupings, assessed)
        emit(["\n".join([text, *broken, *split])], arguments)
    else:
        show_result(result, format, arguments, groupings, assessed)
    return 0


def _labels(result: Result, format: str, groupings: Groupings, assessed: Assessed | None) -> list[str]:
    """Breakdowns by label, behind a table of systems."""
    if not groupings.per:
        return []
    from evalign.reports.breakdowns import Breakdowns
    from evalign.reports.table import RENDERERS

    broken = Breakdowns(result, groupings.per, assessed)
    if format in RENDERERS:
        return [RENDERERS[format](table) for table in broken.tables()]
    return list(broken.render(columns=columns(), bold=False))


def _convert_parts(
    parts: Parts, format: str, arguments: argparse.Namespace, groupings: Groupings, metrics: tuple[str, ...]
) -> int:
    """A run of several treebanks."""
    if groupings != Groupings() or format == "jsonl":
        msg = f"{'--format jsonl' if format == 'jsonl' else '--by'} of a run of several {parts.by}s"
        raise CommandError(msg, "one of its formats table, json, csv, markdown, latex, typst, as it is")
    for metric in metrics:
        if metric not in parts.metrics:
            msg = f'"{metric}" was not scored'
            raise CommandError(msg, f"one of {', '.join(parts.metrics)}")
    warn(parts.warnings, arguments)
    emit([render(parts, format, arguments, metrics)], arguments, is_data=format == "csv")
    return 0
