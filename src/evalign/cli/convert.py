"""`evalign convert`, `report` and `signature`: a saved result in a format, as a page, and what its numbers depend on."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace

from evalign.cli.command import Command, Option
from evalign.cli.output import check_writable, emit, output_format, show_report, tell, warn, write_error
from evalign.cli.result_output import (
    CommandAssessor,
    check_available,
    check_shown,
    make_page,
    show_result,
    write_page,
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
from evalign.files import tell_apart
from evalign.metrics.metric import find_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.results.result import Parts, Result

FORMATS = ("table", "json", "jsonl", "csv", "markdown", "latex", "typst")
# Formats of papers: with several systems, their default layout has a row for each system.
PAPER = ("markdown", "latex", "typst")


def run(arguments: argparse.Namespace) -> int:
    """Run `evalign convert`: load the saved result, print it."""
    from evalign.results.result import Result, load_saved

    check_shown(arguments)
    breakdowns = read_breakdowns(arguments)
    format = output_format(arguments, FORMATS)
    metrics = _metrics(arguments)
    saved = load_saved(arguments.result)
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


# report: a saved result as a page for the browser.


def run_report(arguments: argparse.Namespace) -> int:
    """Run `evalign report`: load the saved result, render the page, write it."""
    from evalign.results.result import load_saved

    breakdowns = read_breakdowns(arguments)
    target = _target(arguments.result, arguments.output, is_opened=arguments.open)
    assessor = CommandAssessor(arguments, page=True)
    with assessor.progress as progress:
        progress(f"reading {arguments.result}")
        saved = load_saved(arguments.result)
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
    run_report,
    "Save a result first: evalign score GOLD SYSTEM... -o run.json. Of the passages with errors a result keeps 300 of each "
    "system, chosen over the kinds of errors, or at most as many as --passages says; the page says how many there are.",
)


# signature: what the numbers of a saved result depend on.

SIGNATURE_FORMATS = ("table", "json", "csv", "markdown")


def run_signature(arguments: argparse.Namespace) -> int:
    """Run `evalign signature`: load the saved result and print the signature of each system."""
    from evalign.reports.signatures import report_signatures
    from evalign.results.result import Result, load_saved

    format = output_format(arguments, SIGNATURE_FORMATS)
    saved = load_saved(arguments.result)
    systems = saved.systems if isinstance(saved, Result) else saved.micro().systems
    show_report(
        report_signatures(systems, tell_apart([system.name for system in systems])), arguments, format
    )
    return 0


SIGNATURE = Command(
    "signature",
    ("evalign signature run.json",),
    "Say which numbers a saved result has: the short signature, as tables show it, and the long one that it is the hash "
    "of, with every part in words. Scores with other signatures are other measurements.",
    (RESULT, *output_options(SIGNATURE_FORMATS, warns=False)),
    run_signature,
    "Save a result first: evalign score GOLD SYSTEM... -o run.json.",
)
