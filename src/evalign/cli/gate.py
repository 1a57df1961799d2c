"""`evalign gate`: fail a run of continuous integration if scores fall."""

from __future__ import annotations

import argparse

from evalign.cli.command import Command, Option
from evalign.cli.output import columns, emit, output_format, use_color, warn
from evalign.cli.shared_options import RESULT, TEST, name_metrics, output_options, read_resampling
from evalign.errors import CommandError

FORMATS = ("table", "markdown", "json")
FAILED = 3
"""Exit status if a condition does not hold."""


def run(arguments: argparse.Namespace) -> int:
    """Run `evalign gate`: check the limits, print the outcome; return 0 if it passed, else `FAILED`."""
    from evalign.results.result import load_saved
    from evalign.scoring.gating import gate

    limits = [arguments.max_drop, arguments.fail_under, arguments.fail_over]
    if not any(limits):
        msg = "a gate without a condition"
        advice = "for example: --baseline old.json --max-drop words=0.1"
        raise CommandError(msg, "--max-drop, --fail-under or --fail-over", advice)
    if limits[0] and arguments.baseline is None:
        msg = "--max-drop without --baseline"
        raise CommandError(msg, "an older result to compare with: --baseline OLD.json")
    if arguments.test is not None and not arguments.significant:
        msg = "--test without --significant"
        raise CommandError(msg, "--significant with it")
    format = output_format(arguments, FORMATS)
    outcome = gate(
        load_saved(arguments.result),
        load_saved(arguments.baseline) if arguments.baseline is not None else None,
        max_drop=limits[0],
        fail_under=limits[1],
        fail_over=limits[2],
        system=arguments.system,
        baseline_system=arguments.baseline_system,
        part=arguments.part,
        significant=read_resampling(arguments) if arguments.significant else None,
    )
    from evalign.reports.gate import render_gate

    if format == "table":  # the table contains the warnings
        arguments.n_warnings = len(outcome.warnings)
    else:
        warn(outcome.warnings, arguments)
    emit([render_gate(outcome, format, columns=columns(), color=use_color(arguments))], arguments)
    return 0 if outcome.passed else FAILED


def _limit_option(name: str, help: str) -> Option:
    return Option(
        name,
        help,
        "METRIC[.PART]=POINTS",
        action="append",
        names=lambda: [f"{metric}=" for metric in name_metrics()],
    )


GATE = Command(
    "gate",
    (
        "evalign gate run.json --baseline old.json --max-drop words=0.1 --fail-under tokens=98",
        'evalign gate run.json --baseline old.json --max-drop las=0.5 --significant --format markdown >> "$GITHUB_STEP_SUMMARY"',
    ),
    "Check a saved result against limits and against an older result. Limits are points of the ratio that stands for a "
    "metric (F1 of spans), or of the one named behind a dot: words.recall; 95 is 95 percent, and 0.95 is refused. A limit "
    "that is met exactly holds.",
    (
        RESULT,
        Option("--baseline", "an older saved result", "OLD.json"),
        _limit_option(
            "--max-drop",
            "fail if a score is worse than the baseline by more than this; repeat it for more metrics",
        ),
        _limit_option("--fail-under", "fail if a score is below this"),
        _limit_option(
            "--fail-over",
            "fail if an error rate (pk), or another score of which less is better, is above this",
        ),
        Option(
            "--system",
            "the system to check, by its whole name or as tables show it (default: the first)",
            "NAME",
            default="",
        ),
        Option(
            "--baseline-system",
            "the system of the baseline (default: the one of the same name, or the only one)",
            "NAME",
            default="",
        ),
        Option(
            "--part",
            "one treebank of a saved run of several (default: the macro average over all)",
            "NAME",
            default="",
        ),
        *output_options(FORMATS),
        *TEST,
    ),
    run,
    "Exit status: 0 if all conditions hold, 3 if one does not, 1 if a file is not a saved result, 2 if the command is wrong. "
    "A metric that was not scored or is not available has failed, and so has a treebank of a run that the system fails on "
    "and did not in the baseline.",
)
