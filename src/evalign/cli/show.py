"""What `score` and `convert` print of a result: tables, breakdowns and parts, with intervals and tests."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from evalign.cli.assess import CommandAssessor
from evalign.cli.groupings import Groupings
from evalign.cli.parser import Parser, check_resampling, columns, emit, use_color, warn
from evalign.errors import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.results import Parts, Result

# Formats that programs read as they are; on a terminal their control characters are shown.
DATA = ("csv",)
COUNTS = "counts"
LAYOUTS = ("systems", "metrics", COUNTS)


def check_shown(arguments: argparse.Namespace) -> None:
    """Raise `CommandError` for what cannot be had together."""
    intervals, paired = arguments.confidence is not None, arguments.paired is not None
    check_resampling(arguments, used=intervals or paired or bool(getattr(arguments, "report", None)))
    if arguments.all_pairs and not paired:
        msg = "--all-pairs without --paired"
        raise CommandError(msg, "a test of the pairs: --paired --all-pairs")
    if getattr(arguments, "layout", None) == COUNTS and (intervals or paired):
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
        "system, metrics with a table per metric, counts with a row per treebank. JSON has everything in any layout; CSV has a "
        "row per number in either layout of scores, counts with columns for TP, FP and FN",
    )


def show_result(
    result: Result,
    format: str,
    arguments: argparse.Namespace,
    groupings: Groupings,
    assessor: CommandAssessor,
    layout: str = "",
) -> list[Parts]:
    """Print a result, and its parts if it is to be split; gives these."""
    groupings = groupings.resolve(result)
    has_counts = _shows_counts(result, format, arguments, layout)
    by = (*groupings.by, *groupings.per) if has_counts else groupings.by
    split = [result.split(name) for name in by]
    warn([warning for parts in split for warning in parts.warnings], arguments)
    if has_counts:
        from evalign.reports import render_counts

        text = render_counts(result, split, format, columns=columns(), color=use_color(arguments))
    elif format == "json":
        text = _json(result, split, groupings, assessor)
    elif format == "csv":
        text = _csv(result, split, groupings, assessor)
    else:
        text = _tables(result, split, format, arguments, groupings, assessor, layout)
    emit([text], arguments, is_data=format in DATA)
    return split


def show_parts(
    parts: Parts,
    format: str,
    arguments: argparse.Namespace,
    assessor: CommandAssessor,
    metrics: Sequence[str] = (),
) -> None:
    """Print a run of several treebanks; of all metrics, or of some."""
    if _shows_counts(parts, format, arguments, arguments.layout, metrics):
        from evalign.reports import render_part_counts

        text = render_part_counts(
            parts, format, columns=columns(), color=use_color(arguments), metrics=metrics
        )
    else:
        text = _render_parts(parts, format, arguments, assessor, metrics, arguments.layout or "")
    emit([text], arguments, is_data=format in DATA)


def _shows_counts(
    found: Result | Parts,
    format: str,
    arguments: argparse.Namespace,
    layout: str | None,
    metrics: Sequence[str] = (),
) -> bool:
    """Whether only counts are shown, as JSON never does; warns of metrics that have none and are left out."""
    if layout != COUNTS or format == "json":
        return False
    from evalign.reports import describe_uncounted, list_uncounted

    warn(describe_uncounted(list_uncounted(found, metrics)), arguments)
    return True


def _tables(
    result: Result,
    split: Sequence[Parts],
    format: str,
    arguments: argparse.Namespace,
    groupings: Groupings,
    assessor: CommandAssessor,
    layout: str,
) -> str:
    """A result as tables for people, its parts behind it."""
    if layout == "systems":
        from evalign.reports import render_systems as render_tables
    else:
        from evalign.reports import render_scores as render_tables

    return render_tables(
        result,
        format,
        per=groupings.per,
        assessed=assessor.of(result),
        # Parts have their own tables in either layout.
        sections=[_render_parts(parts, format, arguments, assessor) for parts in split],
        columns=columns(),
        color=use_color(arguments),
    )


def _render_parts(
    parts: Parts,
    format: str,
    arguments: argparse.Namespace,
    assessor: CommandAssessor,
    metrics: Sequence[str] = (),
    layout: str = "",
) -> str:
    from evalign.reports import render_parts

    return render_parts(
        parts,
        format,
        columns=columns(),
        color=use_color(arguments),
        metrics=metrics,
        assessed=assessor.of_parts(parts, metrics),
        layout=layout,
    )


def _csv(result: Result, split: Sequence[Parts], groupings: Groupings, assessor: CommandAssessor) -> str:
    """The result and its parts in one table."""
    from evalign.reports import RENDERERS, Breakdowns, long_table, render_csv

    assessed = assessor.of(result)
    broken = Breakdowns(result, groupings.per, assessed) if groupings.per else None
    whole = long_table(result, broken, assessed)
    if not split:
        return RENDERERS["csv"](whole)
    return render_csv(split, [assessor.of_parts(parts) for parts in split], whole)


def _json(result: Result, split: Sequence[Parts], groupings: Groupings, assessor: CommandAssessor) -> str:
    from evalign.reports import json_text, scores_json

    saved: dict[str, object] = {**scores_json(result, groupings.per, assessor.of(result))}
    if split:
        from evalign.reports import parts_json

        saved["splits"] = {parts.by: parts_json(parts, assessor.of_parts(parts)) for parts in split}
    return json_text(saved, indent=2) + "\n"
