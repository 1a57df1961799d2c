"""What a command leaves behind: the whole result in a file, and the page."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from evalign.cli.parser import Parser, check_writable
from evalign.errors import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.cli.assess import CommandAssessor
    from evalign.results import Parts, Result

ALL = "all"


def add_report(parser: Parser) -> None:
    """The page."""
    parser.add_argument(
        "--report",
        metavar="FILE.html",
        help="also write a page for the browser; - is standard output, which then has no table",
    )


def add_saved(parser: Parser) -> None:
    """The page, and how much a saved result keeps for it."""
    add_report(parser)
    parser.add_argument(
        "--passages",
        metavar="N|all",
        type=_passages,
        help="how many passages with errors a saved result and the page keep of each system at most, chosen over the "
        "kinds of errors (default 300); all errors are counted in any case",
    )


def _passages(text: str) -> int | str:
    if text == ALL:
        return ALL
    if text.isascii() and text.isdigit():
        return int(text)
    msg = f"{text!r} is neither a number from 0 up nor all"
    raise argparse.ArgumentTypeError(msg)


def check_saved(arguments: argparse.Namespace, format: str) -> None:
    """Raise `CommandError` for a page that cannot be written, and for --passages where none are kept."""
    _check_report(arguments)
    if arguments.passages is not None and not arguments.report and not is_saved(arguments, format):
        msg = f"--passages {arguments.passages} without a saved result or page"
        raise CommandError(msg, "one of them: -o run.json, --report report.html")


def _check_report(arguments: argparse.Namespace) -> None:
    """The page needs a place of its own."""
    if arguments.report == "":
        msg = "--report without a name"
        raise CommandError(msg, "the path of a file to write: --report report.html")
    check_writable(arguments.report)
    if arguments.report != "-":
        return
    others = {"-o -": arguments.output == "-", "--only": getattr(arguments, "only", None)}
    others[f"--format {arguments.format}"] = arguments.format and not arguments.output
    for option, given in others.items():
        if given:
            msg = f"--report - with {option}"
            raise CommandError(msg, "one thing on standard output", "name a file: --report report.html")


def prints_page(arguments: argparse.Namespace) -> bool:
    """Whether standard output has the page, and so no table."""
    return arguments.report == "-" and arguments.output is None


def write_page(page: str, target: str) -> None:
    """A page to a file, or to standard output."""
    if target == "-":
        import sys

        sys.stdout.write(page)
        return
    from evalign.files import write_whole

    write_whole(target, page)


def is_saved(arguments: argparse.Namespace, format: str) -> bool:
    """Whether the whole result goes to a file; the table is then still what a person wants to see."""
    return format == "json" and arguments.output not in (None, "-")


def most_passages(arguments: argparse.Namespace) -> int | None:
    """How many passages are kept, None for all."""
    if arguments.passages is None:
        from evalign.metrics import MOST_PASSAGES

        return MOST_PASSAGES
    return None if arguments.passages == ALL else int(arguments.passages)


def save(found: Result | Parts, arguments: argparse.Namespace, assessor: CommandAssessor) -> None:
    """The whole result or run to a file, with the intervals and tests that were asked for."""
    from evalign.files import write_json
    from evalign.results import Result

    saved: dict[str, object] = {**found.to_dict(whole=True, passages=most_passages(arguments))}
    if isinstance(found, Result):
        if (assessed := assessor.of(found)) is not None:
            saved["significance"] = assessed.significance.to_dict([system.name for system in found.systems])
    elif (averages := assessor.of_parts(found)) is not None:
        saved["significance"] = averages.to_dict(found.systems)
    write_json(arguments.output, saved)


def make_page(
    found: Result | Parts,
    assessor: CommandAssessor,
    *,
    passages: int | None,
    splits: Sequence[Parts] = (),
    title: str = "",
) -> str:
    """The page of a result, with what it is doing on the terminal; resampled before is not resampled again."""
    from evalign.reports.html import render_report

    with assessor.progress as progress:
        progress("making the page")
        return render_report(
            found, title=title, splits=splits, passages=passages, assessor=assessor, progress=progress
        )
