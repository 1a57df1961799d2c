"""`evalign report`: write a saved result as a page for the browser."""

from __future__ import annotations

import argparse

from evalign.cli.command import Command, Option
from evalign.cli.output import check_writable, tell, write_error
from evalign.cli.result_output import CommandAssessor, load_result, make_page, write_page
from evalign.cli.shared_options import BREAKDOWNS, COMPARISON, DRAWS, RESULT, read_breakdowns
from evalign.errors import CommandError


def run(arguments: argparse.Namespace) -> int:
    """Run `evalign report`: load the saved result, render the page, write it."""
    breakdowns = read_breakdowns(arguments)
    target = _target(arguments.result, arguments.output, is_opened=arguments.open)
    assessor = CommandAssessor(arguments, page=True)
    with assessor.progress as progress:
        progress(f"reading {arguments.result}")
        saved = load_result(arguments.result)
    splits = breakdowns.split(saved)
    page = make_page(saved, assessor, passages=None, splits=splits, title=arguments.title)
    write_page(page, target)
    if target != "-":
        tell(f"the report is in {target}", arguments)
    if arguments.open and not _open_page(target):
        # Written even with --quiet: the user waits for a window that will not open.
        write_error(f"no browser could be opened; open {target} yourself")
    return 0


def _open_page(target: str) -> bool:
    """Open a written page in the browser; False if no browser can be opened."""
    import webbrowser
    from pathlib import Path

    try:
        return webbrowser.open(Path(target).resolve().as_uri())
    except (OSError, webbrowser.Error):
        return False


def _target(result: str, output: str | None, *, is_opened: bool) -> str:
    """Choose the file of the page: `output`, else the name of `result` with .html.

    Raises an error if this file cannot be written or is the result itself, and for --open with a page on
    standard output.
    """
    from pathlib import Path

    target = str(Path(result).with_suffix(".html")) if output is None else output
    if target == "-" and is_opened:
        message = "--open with a page on standard output"
        raise CommandError(message, "a file to open", "name one: -o report.html")
    check_writable(target)
    if target != "-" and Path(target).exists() and Path(target).resolve() == Path(result).resolve():
        message = f'"{target}" is the result itself'
        raise CommandError(message, "another file to write to", "name one: -o report.html")
    return target


REPORT = Command(
    "report",
    (
        "evalign report run.json -o report.html",
        'evalign report run.json --title "Segmenters on EWT" --resamples 10000',
        "evalign report run.json --open",
        "evalign report run.json --by length",
    ),
    "Write a saved result as one HTML file: scores with intervals and tests, passages with errors, documents, confusions, "
    "loss by stage, what was tolerated. It needs no network and no program but a browser.",
    (
        RESULT._replace(
            help="a saved result, or a saved run over several treebanks: evalign score ... -o run.json"
        ),
        Option(
            "-o --output",
            "where to write the page (default: the result's name with .html); - is standard output",
            "FILE",
        ),
        Option("--open", "open the page in the browser"),
        Option("--title", "title of the page", "TEXT", default=""),
        *BREAKDOWNS,
        Option("-q --quiet", "do not say where the page was written"),
        *COMPARISON,
        *DRAWS,
    ),
    run,
    "Save a result first: evalign score GOLD SYSTEM... -o run.json. Of the passages with errors a result keeps 300 of each "
    "system, chosen over the kinds of errors, or at most as many as --passages says; the page says how many there are.",
)
