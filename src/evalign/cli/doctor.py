"""`evalign doctor`: examine files before they are scored."""

from __future__ import annotations

import argparse

from evalign.cli.command import Command, Option, check_standard_input
from evalign.cli.output import columns, emit, output_format, use_color
from evalign.cli.shared_options import file_format_option, output_options

FORMATS = ("table", "json")


def run(arguments: argparse.Namespace) -> int:
    """Run `evalign doctor`: examine each file, compare the others with the first, print the findings."""
    from evalign.readers.doctor import examine, find_hints
    from evalign.reports.doctor import render_doctor

    check_standard_input(*arguments.files)
    format = output_format(arguments, FORMATS)
    reports = [examine(path, arguments.file_format) for path in arguments.files]
    hints = [hint for other in reports[1:] for hint in find_hints(reports[0], other)]
    emit(
        [render_doctor(reports, hints, format, columns=columns(), color=use_color(arguments))],
        arguments,
    )
    findings = [finding for report in reports for finding in report.findings]
    arguments.n_warnings = sum(finding.severity == "warning" for finding in (*findings, *hints))
    return 1 if any(report.error for report in reports) else 0


DOCTOR = Command(
    "doctor",
    ("evalign doctor examples/gold.conllu examples/system.txt",),
    "Examine files: encoding, normal form, byte order mark, line ends, ids, sizes, and, of two or more, whether they "
    "belong together and in this order.",
    (
        Option("files", "files to examine; gold first", "FILE", nargs="+"),
        file_format_option("--file-format"),
        *output_options(FORMATS),
    ),
    run,
    "exit status: 0 whatever was found, 1 if a file cannot be read, or with --fail-on-warning if there is a warning",
)
