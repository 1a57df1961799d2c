"""What commands do with a result: print it, save it, make its page.

`score`, `convert`, `report` and `bitext score` use these functions. They also check options that exclude each
other, and make a command fail if a metric that was asked for has no number.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from evalign.cli.output import check_writable, columns, emit, use_color, warn
from evalign.cli.progress import ProgressLine
from evalign.cli.shared_options import (
    COUNTS,
    BreakdownChoice,
    check_resampling,
    most_passages,
    read_names,
    read_resampling,
)
from evalign.errors import CommandError, EvalignError
from evalign.reports.assessor import Assessor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.reports.significance import Assessed, AssessedParts
    from evalign.results.result import Parts, Result

# Formats for programs: their control characters are kept, except on a terminal.
DATA = ("csv",)
# Words of --metrics that stand for sets of metrics.
SETS = ("all", "default")
# Most reasons in one message.
MOST_REASONS = 3


class CommandAssessor(Assessor):
    """`Assessor` set up by --confidence and --paired, which shows its progress.

    With `page` it also computes what the HTML page needs.
    """

    def __init__(self, arguments: argparse.Namespace, *, page: bool = False) -> None:
        self.progress = ProgressLine(quiet=arguments.quiet)
        self._is_paired = arguments.paired is not None
        super().__init__(
            lambda: read_resampling(arguments),
            self.progress,
            intervals=arguments.confidence is not None,
            paired=self._is_paired,
            all_pairs=getattr(arguments, "all_pairs", False),
            page=page,
        )

    def of(self, result: Result) -> Assessed | None:
        """Return the intervals and tests of `result`, or None if none are shown.

        Raises `CommandError` for --paired with one system.
        """
        self._check(len(result.systems))
        return super().of(result)

    def of_parts(self, parts: Parts, metrics: Sequence[str] = ()) -> AssessedParts | None:
        """Return the intervals and tests of every part and of the averages, or None if none are shown.

        `metrics` are those that the table shows; all by default. Raises `CommandError` for --paired with one
        system.
        """
        self._check(len(parts.systems))
        return super().of_parts(parts, [metric for metric in metrics if metric in parts.metrics])

    def _check(self, systems: int) -> None:
        if self._is_paired and systems < 2:
            msg = "--paired with one system"
            raise CommandError(msg, "at least two to compare", "--confidence gives intervals of one")


def check_shown(arguments: argparse.Namespace) -> None:
    """Raise `CommandError` for options of tables, intervals and tests that exclude each other."""
    intervals, paired = arguments.confidence is not None, arguments.paired is not None
    check_resampling(arguments, used=intervals or paired or bool(getattr(arguments, "report", None)))
    if arguments.all_pairs and not paired:
        msg = "--all-pairs without --paired"
        raise CommandError(msg, "a test of the pairs: --paired --all-pairs")
    if getattr(arguments, "layout", None) == COUNTS and (intervals or paired):
        msg = f"{'--confidence' if intervals else '--paired'} with --layout counts"
        raise CommandError(msg, "one of the two", "intervals and tests are of ratios, not of counts")
    if getattr(arguments, "only", None):
        others = {"--layout": getattr(arguments, "layout", None)} | {
            "--per": arguments.per,
            "--by": arguments.by,
            "--confidence": intervals,
            "--paired": paired,
        }
        for option, value in others.items():
            if value:
                msg = f"{option} with --only"
                raise CommandError(msg, "one of the two", "--only prints one number for each system")


# Tables on standard output or in a file.


def show_scores(
    result: Result | Parts,
    format: str,
    arguments: argparse.Namespace,
    breakdowns: BreakdownChoice,
    assessor: CommandAssessor,
    *,
    passages: int | None,
    write_more: Callable[[], None] | None = None,
    tell_written: Callable[[], None] = lambda: None,
) -> int:
    """Print and save what was scored, a result or a run over several treebanks, with its page.

    The page has at most `passages` of each system. `write_more` is called before anything else is written,
    `tell_written` when the scores are. Returns the exit status.
    """
    from evalign.results.result import Result

    only = _list_numbers(result, arguments.only) if arguments.only else []
    warn(result.warnings if isinstance(result, Result) else list_warnings(result), arguments)
    if isinstance(result, Result):
        assessor.of(result)  # refuses a test that is impossible before anything is written
    if write_more:
        write_more()
    if saves_result(arguments, format):
        save(result, arguments, assessor)
        arguments.output, format = None, "table"
        tell_written()
    split: list[Parts] = []
    if arguments.only:
        # A number that no system has is not printed; check_available reports it.
        emit(only, arguments)
    elif not prints_page(arguments):
        layout = getattr(arguments, "layout", None) or ""
        split = show_result(result, format, arguments, breakdowns, assessor, layout)
    tell_written()
    if arguments.report:
        # Parts that were printed are not computed again.
        splits = breakdowns.split(result, split)
        write_page(make_page(result, assessor, passages=passages, splits=splits), arguments.report)
    check_available(result, arguments)
    return 0


def list_warnings(parts: Parts) -> list[str]:
    """List the warnings about a run, then its failures, then the warnings of all treebanks, each text once."""
    from evalign.reports.parts import describe_failures

    others = (warning for result in parts.results.values() for warning in result.warnings)
    return [*parts.warnings, *describe_failures(parts), *dict.fromkeys(others)]


def show_result(
    result: Result | Parts,
    format: str,
    arguments: argparse.Namespace,
    breakdowns: BreakdownChoice,
    assessor: CommandAssessor,
    layout: str = "",
    metrics: Sequence[str] = (),
) -> list[Parts]:
    """Print `result`, with its parts if it is split by anything; return these parts.

    A run is printed with all metrics, or only `metrics`.
    """
    breakdowns = breakdowns.resolve(result)
    has_counts = _shows_counts(result, format, arguments, layout, metrics)
    by = (*breakdowns.by, *breakdowns.per) if has_counts else breakdowns.by
    split = [result.split(name) for name in by]
    warn([warning for parts in split for warning in parts.warnings], arguments)
    if has_counts:
        from evalign.reports.counts import render_counts

        width, color = columns(), use_color(arguments)
        text = render_counts(result, split, format, columns=width, color=color, chosen=metrics)
    elif format == "json":
        text = _json(result, split, breakdowns, assessor, metrics)
    elif format == "csv":
        text = _csv(result, split, breakdowns, assessor, metrics)
    else:
        text = _tables(result, split, format, arguments, breakdowns, assessor, layout, metrics)
    emit([text], arguments, is_data=format in DATA)
    return split


def _shows_counts(
    result: Result | Parts,
    format: str,
    arguments: argparse.Namespace,
    layout: str | None,
    metrics: Sequence[str] = (),
) -> bool:
    """Return whether the output is the layout that has only counts; JSON has everything in any layout.

    For the counts layout, also warn about metrics that have no counts and are left out.
    """
    if layout != COUNTS or format == "json":
        return False
    from evalign.reports.counts import describe_uncounted, list_uncounted

    warn(describe_uncounted(list_uncounted(result, metrics)), arguments)
    return True


def _tables(
    result: Result | Parts,
    split: Sequence[Parts],
    format: str,
    arguments: argparse.Namespace,
    breakdowns: BreakdownChoice,
    assessor: CommandAssessor,
    layout: str,
    metrics: Sequence[str],
) -> str:
    """Render `result` as tables for people, followed by the tables of its parts."""
    from evalign.results.result import Result

    # Parts have tables of their own in either layout.
    sections = [_render_parts(parts, format, arguments, assessor, metrics) for parts in split]
    if not isinstance(result, Result):
        return "\n".join([
            _render_parts(result, format, arguments, assessor, metrics, layout),
            *_render_breakdowns(result, format, arguments, breakdowns, assessor, metrics),
            *sections,
        ])  # fmt: skip
    from evalign.reports.scores import render_scores

    return render_scores(
        result,
        format,
        layout=layout,
        per=breakdowns.per,
        assessed=assessor.of(result),
        sections=sections,
        columns=columns(),
        color=use_color(arguments),
    )


def _render_breakdowns(
    parts: Parts,
    format: str,
    arguments: argparse.Namespace,
    breakdowns: BreakdownChoice,
    assessor: CommandAssessor,
    metrics: Sequence[str],
) -> list[str]:
    """Render the tables of a run by label."""
    from evalign.reports.breakdowns import Breakdowns
    from evalign.reports.formats import RENDERERS

    broken = Breakdowns(parts, breakdowns.per, assessor.of_parts(parts, metrics))
    if format in RENDERERS:
        return [RENDERERS[format](table) for table in broken.tables()]
    return [*broken.render(columns=columns(), bold=use_color(arguments))]


def _render_parts(
    parts: Parts,
    format: str,
    arguments: argparse.Namespace,
    assessor: CommandAssessor,
    metrics: Sequence[str] = (),
    layout: str = "",
) -> str:
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


def _csv(
    result: Result | Parts,
    split: Sequence[Parts],
    breakdowns: BreakdownChoice,
    assessor: CommandAssessor,
    metrics: Sequence[str],
) -> str:
    """Render `result` and its parts as one CSV table."""
    from evalign.reports.breakdowns import Breakdowns
    from evalign.reports.formats import RENDERERS
    from evalign.reports.parts import render_parts_csv
    from evalign.reports.scores import long_table
    from evalign.results.result import Result
    from evalign.table import Table

    if not isinstance(result, Result):
        rows = [*Breakdowns(result, breakdowns.per, assessor.of_parts(result, metrics)).rows()]
        tables = [result, *split]
        assessed_parts = [assessor.of_parts(each, metrics) for each in tables]
        return render_parts_csv(tables, assessed_parts, Table([], rows), metrics)
    assessed = assessor.of(result)
    broken = Breakdowns(result, breakdowns.per, assessed) if breakdowns.per else None
    whole = long_table(result, broken, assessed)
    if not split:
        return RENDERERS["csv"](whole)
    return render_parts_csv(split, [assessor.of_parts(parts) for parts in split], whole)


def _json(
    result: Result | Parts,
    split: Sequence[Parts],
    breakdowns: BreakdownChoice,
    assessor: CommandAssessor,
    metrics: Sequence[str],
) -> str:
    from evalign.reports.formats import json_text
    from evalign.reports.scores import scores_json
    from evalign.results.result import Result

    if isinstance(result, Result):
        saved: dict[str, object] = {**scores_json(result, breakdowns.per, assessor.of(result))}
    else:
        from evalign.reports.parts import parts_json

        saved = parts_json(result, assessor.of_parts(result, metrics), breakdowns.per)
    if split:
        from evalign.reports.parts import parts_json

        saved["splits"] = {parts.by: parts_json(parts, assessor.of_parts(parts)) for parts in split}
    return json_text(saved, indent=2) + "\n"


# The whole result in a file, and the page.


def check_saved(arguments: argparse.Namespace, format: str) -> None:
    """Raise an error if the page cannot be written, or if --passages is given and nothing keeps passages."""
    _check_report(arguments)
    if arguments.passages is not None and not arguments.report and not saves_result(arguments, format):
        msg = f"--passages {arguments.passages} without a saved result or page"
        raise CommandError(msg, "one of them: -o run.json, --report report.html")


def _check_report(arguments: argparse.Namespace) -> None:
    """Raise an error if the page has no file, or competes with other output for standard output."""
    if arguments.report == "":
        msg = "--report without a name"
        raise CommandError(msg, "the path of a file to write: --report report.html")
    check_writable(arguments.report)
    if arguments.report != "-":
        return
    others = {"-o -": arguments.output == "-", "--only": getattr(arguments, "only", None)}
    others[f"--format {arguments.format}"] = arguments.format and not arguments.output
    for option, value in others.items():
        if value:
            msg = f"--report - with {option}"
            raise CommandError(msg, "one thing on standard output", "name a file: --report report.html")


def prints_page(arguments: argparse.Namespace) -> bool:
    """Return whether the page goes to standard output, which then has no table."""
    return arguments.report == "-" and arguments.output is None


def saves_result(arguments: argparse.Namespace, format: str) -> bool:
    """Return whether the whole result is saved to a file. A table is printed all the same."""
    return format == "json" and arguments.output not in (None, "-")


def save(result: Result | Parts, arguments: argparse.Namespace, assessor: CommandAssessor) -> None:
    """Save the whole result or run as JSON in `arguments.output`, with the intervals and tests asked for."""
    from evalign.files import write_json
    from evalign.results.result import Result

    saved: dict[str, object] = {**result.to_dict(whole=True, passages=most_passages(arguments))}
    if isinstance(result, Result):
        if (assessed := assessor.of(result)) is not None:
            saved["significance"] = assessed.significance.to_dict([system.name for system in result.systems])
    elif (averages := assessor.of_parts(result)) is not None:
        saved["significance"] = averages.to_dict(result.systems)
    write_json(arguments.output, saved)


def make_page(
    result: Result | Parts,
    assessor: CommandAssessor,
    *,
    passages: int | None,
    splits: Sequence[Parts] = (),
    title: str = "",
) -> str:
    """Render the HTML page of a result or run and show progress meanwhile.

    The page has the breakdowns `splits`, and at most `passages` passages with errors for each system (None:
    all that the result has). `assessor` keeps intervals and tests, so that nothing is resampled twice.
    """
    from evalign.reports.html.page import render_report

    with assessor.progress as progress:
        progress("making the page")
        return render_report(
            result, title=title, splits=splits, passages=passages, assessor=assessor, progress=progress
        )


def write_page(page: str, target: str) -> None:
    """Write `page` to the file `target`, or to standard output if `target` is "-"."""
    if target == "-":
        sys.stdout.write(page)
        return
    from evalign.files import write_whole

    write_whole(target, page)


# A metric that was named and that no system has makes the command fail, after all else has been written.


def check_available(result: Result | Parts, arguments: argparse.Namespace) -> None:
    """Raise `EvalignError` if no system has a number for a metric that --metrics or --only names.

    Call this after everything else is printed and written. A metric that only some systems lack is no error:
    those systems have a warning, and a dash in the table.
    """
    from evalign.metrics.metric import find_name
    from evalign.results.result import Result

    results = [result] if isinstance(result, Result) else list(result.results.values())
    systems = [system for result in results for system in result.systems]
    only = getattr(arguments, "only", None) or ""
    words = [
        *read_names(getattr(arguments, "metrics", None) or ""),
        *([only.partition(".")[0]] if only else []),
    ]
    choices = [*SETS, *(metric for system in systems for metric in system.scores)]
    metrics = [name for name in (find_name(each, choices) for each in words) if name not in SETS]
    missing = [name for name in dict.fromkeys(metrics) if not any(system.gives(name) for system in systems)]
    if missing:
        raise _refuse(missing, results)
    if only and not _list_numbers(result, only):
        msg = (
            f"{only} is undefined: nothing was counted\n  expected something to judge in gold and in a system"
        )
        raise EvalignError(msg)


def _list_numbers(result: Result | Parts, only: str) -> list[str]:
    """Return a line per system with the number that `only` names, such as "tokens.f1"; none if nobody has it."""
    from evalign.reports.scores import only_values

    values = only_values(result, only)
    return [f"{value}\n" for value in values] if {*values} != {"-"} else []


def _refuse(missing: Sequence[str], results: Sequence[Result]) -> EvalignError:
    """Make the error for metrics that no system has: their names, the reasons and what to do."""
    from evalign.metrics.census import name_columns
    from evalign.metrics.registry import METRICS
    from evalign.scoring.warnings import find_reasons

    reasons = find_reasons((warning for result in results for warning in result.warnings), missing)
    needs = dict.fromkeys(column for name in missing if name in METRICS for column in METRICS[name].needs)
    lines = [
        f"no system has {', '.join(missing)}",
        *reasons[:MOST_REASONS],
        *(["..."] if len(reasons) > MOST_REASONS else []),
        f"expected {name_columns(list(needs)) if needs else 'what it needs'} in gold and in a system",
        "without --metrics and --only what the files have is scored; evalign explain NAME says what a metric needs",
    ]
    return EvalignError("\n  ".join(lines))
