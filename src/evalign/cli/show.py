"""What `score` and `convert` print of a result: tables, breakdowns and parts, with intervals and tests."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from evalign.cli.assess import Assessor
from evalign.cli.groupings import Groupings
from evalign.cli.parser import check_resampling, columns, emit, use_color, warn
from evalign.errors import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.result import Parts, Result

# Formats that programs read as they are; on a terminal their control characters are shown.
DATA = ("csv",)


def check_shown(arguments: argparse.Namespace) -> None:
    """Raise `CommandError` for what cannot be had together."""
    intervals, paired = arguments.confidence is not None, arguments.paired is not None
    check_resampling(arguments, used=intervals or paired or bool(getattr(arguments, "report", None)))
    if arguments.all_pairs and not paired:
        msg = "--all-pairs without --paired"
        raise CommandError(msg, "a test of the pairs: --paired --all-pairs")
    if getattr(arguments, "only", None):
        wanted = {"--per": arguments.per, "--by": arguments.by, "--confidence": intervals, "--paired": paired}
        for option, value in wanted.items():
            if value:
                msg = f"{option} with --only"
                raise CommandError(msg, "one of the two", "--only prints one number for each system")


def show_result(
    result: Result, format: str, arguments: argparse.Namespace, groupings: Groupings, assessor: Assessor
) -> list[Parts]:
    """Print a result, and its parts if it is to be split; gives these."""
    from evalign.reports.scores import render_scores

    groupings = groupings.resolve(result)
    split = [result.split(by) for by in groupings.by]
    warn([warning for parts in split for warning in parts.warnings], arguments)
    if format == "json":
        emit([_json(result, split, groupings, assessor)], arguments)
    elif format == "csv" and split:
        emit([_csv(result, split, groupings, assessor)], arguments, is_data=True)
    else:
        text = render_scores(
            result,
            format,
            columns=columns(),
            color=use_color(arguments),
            per=groupings.per,
            assessed=assessor.of(result),
            sections=[render(parts, format, arguments, assessor) for parts in split],
        )
        emit([text], arguments, is_data=format in DATA)
    return split


def _csv(result: Result, split: Sequence[Parts], groupings: Groupings, assessor: Assessor) -> str:
    """The result and its parts in one table."""
    from evalign.reports.breakdowns import Breakdowns
    from evalign.reports.parts import render_csv
    from evalign.reports.scores import long_table

    assessed = assessor.of(result)
    broken = Breakdowns(result, groupings.per, assessed) if groupings.per else None
    found = [assessor.of_parts(parts) for parts in split]
    return render_csv(split, found, long_table(result, broken, assessed))


def _json(result: Result, split: Sequence[Parts], groupings: Groupings, assessor: Assessor) -> str:
    from evalign.reports.escape import json_text
    from evalign.reports.scores import scores_json

    saved: dict[str, object] = {**scores_json(result, groupings.per, assessor.of(result))}
    if split:
        from evalign.reports.parts import parts_json

        saved["splits"] = {parts.by: parts_json(parts, assessor.of_parts(parts)) for parts in split}
    return json_text(saved, indent=2) + "\n"


def render(
    parts: Parts, format: str, arguments: argparse.Namespace, assessor: Assessor, metrics: Sequence[str] = ()
) -> str:
    """Parts in one of the formats."""
    from evalign.reports.parts import render_parts

    return render_parts(
        parts,
        format,
        columns=columns(),
        color=use_color(arguments),
        metrics=metrics,
        assessed=assessor.of_parts(parts, metrics),
    )
