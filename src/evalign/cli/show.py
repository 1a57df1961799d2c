"""What `score` and `convert` print of a result: tables, breakdowns, parts, intervals and tests, and the page."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple

from evalign.cli.parser import Parser, check_resampling, columns, emit, names, resampling, use_color, warn
from evalign.cli.progress import Progress
from evalign.errors import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.reports.parts import AssessedParts
    from evalign.reports.significance import Assessed
    from evalign.result import Result
    from evalign.result.parts import Parts
    from evalign.result.saved import SavedResult

# Formats that programs read as they are; on a terminal their control characters are shown.
DATA = ("csv",)
# What `--by label` means: the first of these that the files have.
LABELS = ("label", "relation", "tag", "xpos")


class Groupings(NamedTuple):
    """What a result is broken down by: labels, and what else it is split by."""

    per: tuple[str, ...] = ()
    by: tuple[str, ...] = ()

    def resolve(self, result: Result) -> Groupings:
        """The same of a result: labels that are asked for with --by have the tables that --per has."""
        from evalign.layers.breakdowns import BREAKDOWNS

        kinds = {kind for system in result.systems for kind in system.evidence.breakdown_kinds()}
        first = next((kind for kind in LABELS if kind in kinds), LABELS[0])
        labels = [first if name == "label" else name for name in self.by if name in (*BREAKDOWNS, "label")]
        others = [name for name in self.by if name not in (*BREAKDOWNS, "label")]
        return Groupings(tuple(dict.fromkeys((*self.per, *labels))), tuple(others))


def add_groupings(parser: Parser) -> None:
    """What scores are broken down by."""
    parser.add_argument(
        "--by",
        metavar="NAME,...",
        action="append",
        default=[],
        help="also print scores by genre, document, length (of gold's sentences), frequency (of forms), label, relation or any "
        "kind that --per takes, the name of a comment in gold, or what a regular expression finds in names of documents",
    )
    parser.add_argument(
        "--per",
        metavar="KIND,...",
        default="",
        help="also print precision, recall and F1 per relation, subtype (relation with subtype), tag, xpos, feature, "
        "feature-value, label (of brackets or stand-off spans)",
    )


def add_report(parser: Parser) -> None:
    """Where the page goes."""
    parser.add_argument("--report", metavar="FILE.html", help="also write a page for the browser")


def read_groupings(arguments: argparse.Namespace) -> Groupings:
    """The groupings asked for, before anything is read; raises `CommandError` for one there is none of."""
    per = names(arguments.per)
    if per:
        from evalign.layers.breakdowns import check_kind

        for kind in per:
            check_kind(kind)
    if not arguments.by:
        return Groupings(per)
    from evalign.result.grouped import split_names

    by = [name for text in arguments.by for name in split_names(text)]
    if not by:
        msg = "--by without a name"
        raise CommandError(msg, "genre, document, length, a comment of gold: --by genre")
    return Groupings(per, tuple(dict.fromkeys(by)))


def check_shown(arguments: argparse.Namespace) -> None:
    """Raise `CommandError` for what cannot be had together."""
    intervals, paired = arguments.confidence is not None, arguments.paired is not None
    check_resampling(arguments, used=intervals or paired or bool(getattr(arguments, "report", None)))
    if getattr(arguments, "only", None):
        wanted = {"--per": arguments.per, "--by": arguments.by, "--confidence": intervals, "--paired": paired}
        for option, value in wanted.items():
            if value:
                msg = f"{option} with --only"
                raise CommandError(msg, "one of the two", "--only prints one number for each system")


def assess(result: Result, arguments: argparse.Namespace, metrics: Sequence[str] = ()) -> Assessed | None:
    """Intervals and tests, if any are asked for."""
    if arguments.confidence is None and arguments.paired is None:
        return None
    from evalign.reports.significance import assess_result

    _check_paired(len(result.systems), arguments)
    with Progress(quiet=arguments.quiet) as progress:
        return assess_result(
            result,
            resampling(arguments),
            intervals=arguments.confidence is not None,
            paired=arguments.paired is not None,
            metrics=metrics,
            progress=progress,
        )


def _check_paired(systems: int, arguments: argparse.Namespace) -> None:
    if arguments.paired is not None and systems < 2:
        msg = "--paired with one system"
        raise CommandError(msg, "at least two to compare", "--confidence gives intervals of one")


def assess_parts(
    parts: Parts, arguments: argparse.Namespace, metrics: Sequence[str] = ()
) -> AssessedParts | None:
    """The same of every part and of the averages."""
    if arguments.confidence is None and arguments.paired is None:
        return None
    from evalign.reports.parts import assess_all

    _check_paired(len(parts.systems), arguments)
    with Progress(quiet=arguments.quiet) as progress:
        progress(f"resampling {len(parts)} parts")
        return assess_all(
            parts,
            resampling(arguments),
            intervals=arguments.confidence is not None,
            paired=arguments.paired is not None,
            metrics=metrics,
        )


def show_result(
    result: Result,
    format: str,
    arguments: argparse.Namespace,
    groupings: Groupings,
    assessed: Assessed | None,
) -> None:
    """A result, and its parts if it is to be split."""
    from evalign.reports.scores import render_scores

    groupings = groupings.resolve(result)
    split = [result.split(by) for by in groupings.by]
    warn([warning for parts in split for warning in parts.warnings], arguments)
    if format == "json":
        emit([_json(result, split, arguments, groupings, assessed)], arguments)
        return
    if format == "csv" and split:
        emit([_csv(result, split, arguments, groupings, assessed)], arguments, is_data=True)
        return
    text = render_scores(
        result,
        format,
        columns=columns(),
        color=use_color(arguments),
        per=groupings.per,
        assessed=assessed,
        sections=[render(parts, format, arguments) for parts in split],
    )
    emit([text], arguments, is_data=format in DATA)


def _csv(
    result: Result,
    split: Sequence[Parts],
    arguments: argparse.Namespace,
    groupings: Groupings,
    assessed: Assessed | None,
) -> str:
    """The result and its parts in one table."""
    from evalign.reports.breakdowns import Breakdowns
    from evalign.reports.parts import render_csv
    from evalign.reports.scores import long_table

    broken = Breakdowns(result, groupings.per, assessed) if groupings.per else None
    found = [assess_parts(parts, arguments) for parts in split]
    return render_csv(split, found, long_table(result, broken, assessed))


def _json(
    result: Result,
    split: Sequence[Parts],
    arguments: argparse.Namespace,
    groupings: Groupings,
    assessed: Assessed | None,
) -> str:
    from evalign.reports.escape import json_text
    from evalign.reports.scores import scores_json

    saved: dict[str, object] = {**scores_json(result, groupings.per, assessed)}
    if split:
        from evalign.reports.parts import parts_json

        saved["splits"] = {parts.by: parts_json(parts, assess_parts(parts, arguments)) for parts in split}
    return json_text(saved, indent=2) + "\n"


def render(parts: Parts, format: str, arguments: argparse.Namespace, metrics: Sequence[str] = ()) -> str:
    """Parts in one of the formats."""
    from evalign.reports.parts import render_parts

    assessed = assess_parts(parts, arguments, metrics)
    width, color = columns(), use_color(arguments)
    return render_parts(parts, format, columns=width, color=color, metrics=metrics, assessed=assessed)


def save_result(result: Result, path: str, assessed: Assessed | None) -> None:
    """The whole result to a file, with the intervals and tests that were asked for."""
    if assessed is None:
        result.save(path)
        return
    import json

    from evalign.result import write_whole

    saved: SavedResult = result.to_json(whole=True)
    saved["significance"] = assessed.found.to_json([system.name for system in result.systems])
    write_whole(path, json.dumps(saved, ensure_ascii=False, allow_nan=False) + "\n")


def write_report(result: Result | Parts, arguments: argparse.Namespace) -> None:
    """The page, if one is asked for."""
    if not arguments.report:
        return
    from evalign.reports.html import render_report
    from evalign.result import write_whole

    with Progress(quiet=arguments.quiet) as progress:
        progress(f"making {arguments.report}")
        write_whole(arguments.report, render_report(result, resampling=resampling(arguments)))
