"""What `score` and `convert` print of a result: tables, breakdowns and parts, with intervals and tests."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from evalign.cli.assess import Assessor
from evalign.cli.groupings import Groupings
from evalign.cli.parser import Parser, check_resampling, columns, emit, use_color, warn
from evalign.errors import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.result import Parts, Result

# Formats that programs read as they are; on a terminal their control characters are shown.
DATA = ("csv",)
LAYOUTS = ("systems", "metrics", "counts")


def check_shown(arguments: argparse.Namespace) -> None:
    """Raise `CommandError` for what cannot be had together."""
    intervals, paired = arguments.confidence is not None, arguments.paired is not None
    check_resampling(arguments, used=intervals or paired or bool(getattr(arguments, "report", None)))
    if arguments.all_pairs and not paired:
        msg = "--all-pairs without --paired"
        raise CommandError(msg, "a test of the pairs: --paired --all-pairs")
    if getattr(arguments, "layout", None) == "counts" and (intervals or paired):
        msg = f"{'--confidence' if intervals else '--paired'} with --layout counts"
        raise CommandError(msg, "one of the two", "intervals and tests are of ratios, not of counts")
    if getattr(arguments, "only", None):
        wanted = {"--layout": getattr(arguments, "layout", None)} | {
            "--per": arguments.per,
            "--by": arguments.by,
            "--confidence": intervals,
            "--paired": paired,
        }
        for option, value in wanted.items():
            if value:
                msg = f"{option} with --only"
                raise CommandError(msg, "one of the two", "--only prints one number for each system")


def add_layout(parser: Parser) -> None:
    """What the rows and columns of tables are."""
    parser.add_argument(
        "--layout",
        choices=LAYOUTS,
        help="systems: a row per system, a column per metric, as in papers; metrics: a row per metric and system with counts, "
        "precision and recall; counts: TP, FP and FN per metric and system. Folders have systems with a row per treebank and "
        "system, metrics with a table per metric, counts with a row per treebank. JSON has everything in any case",
    )


def show_result(
    result: Result,
    format: str,
    arguments: argparse.Namespace,
    groupings: Groupings,
    assessor: Assessor,
    layout: str = "",
) -> list[Parts]:
    """Print a result, and its parts if it is to be split; gives these."""
    groupings = groupings.resolve(result)
    by = (*groupings.by, *groupings.per) if layout == "counts" and format != "json" else groupings.by
    split = [result.split(name) for name in by]
    warn([warning for parts in split for warning in parts.warnings], arguments)
    if format == "json":
        text = _json(result, split, groupings, assessor)
    elif format == "csv":
        text = _csv(result, split, groupings, assessor, layout)
    else:
        text = _tables(result, split, format, arguments, groupings, assessor, layout)
    emit([text], arguments, is_data=format in DATA)
    return split


def _tables(
    result: Result,
    split: Sequence[Parts],
    format: str,
    arguments: argparse.Namespace,
    groupings: Groupings,
    assessor: Assessor,
    layout: str,
) -> str:
    """A result as tables for people, its parts behind it."""
    width, color = columns(), use_color(arguments)
    # Parts of a result have their own tables in either layout of scores.
    of_parts = layout if layout == "counts" else ""
    sections = [render(parts, format, arguments, assessor, layout=of_parts) for parts in split]
    if layout == "counts":
        from evalign.reports.counts import render_counts

        return render_counts(result, format, sections=sections, columns=width, color=color)
    if layout == "systems":
        from evalign.reports.paper import render_systems as render_tables
    else:
        from evalign.reports.scores import render_scores as render_tables

    return render_tables(
        result,
        format,
        per=groupings.per,
        assessed=assessor.of(result),
        sections=sections,
        columns=width,
        color=color,
    )


def _csv(
    result: Result, split: Sequence[Parts], groupings: Groupings, assessor: Assessor, layout: str
) -> str:
    """The result and its parts in one table."""
    from evalign.reports.table import RENDERERS

    if layout == "counts":
        from evalign.reports.counts import count_rows

        return RENDERERS["csv"](count_rows(result, split))
    from evalign.reports.breakdowns import Breakdowns
    from evalign.reports.parts import render_csv
    from evalign.reports.scores import long_table

    assessed = assessor.of(result)
    broken = Breakdowns(result, groupings.per, assessed) if groupings.per else None
    whole = long_table(result, broken, assessed)
    if not split:
        return RENDERERS["csv"](whole)
    return render_csv(split, [assessor.of_parts(parts) for parts in split], whole)


def _json(result: Result, split: Sequence[Parts], groupings: Groupings, assessor: Assessor) -> str:
    from evalign.reports.escape import json_text
    from evalign.reports.scores import scores_json

    saved: dict[str, object] = {**scores_json(result, groupings.per, assessor.of(result))}
    if split:
        from evalign.reports.parts import parts_json

        saved["splits"] = {parts.by: parts_json(parts, assessor.of_parts(parts)) for parts in split}
    return json_text(saved, indent=2) + "\n"


def render(
    parts: Parts,
    format: str,
    arguments: argparse.Namespace,
    assessor: Assessor,
    metrics: Sequence[str] = (),
    *,
    layout: str,
) -> str:
    """Parts in one of the formats."""
    if layout == "counts" and format == "csv":
        from evalign.reports.counts import part_count_rows
        from evalign.reports.table import RENDERERS

        return RENDERERS["csv"](part_count_rows(parts, metrics))
    if layout == "counts" and format != "json":
        from evalign.reports.counts import render_part_counts

        return render_part_counts(
            parts, format, columns=columns(), color=use_color(arguments), metrics=metrics
        )
    from evalign.reports.parts import render_parts

    return render_parts(
        parts,
        format,
        columns=columns(),
        color=use_color(arguments),
        metrics=metrics,
        assessed=assessor.of_parts(parts, metrics),
        layout=layout,
    )
