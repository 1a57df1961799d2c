"""`evalign signature`: show everything that the numbers of a saved result depend on."""

from __future__ import annotations

import argparse

from evalign.cli.command import Command
from evalign.cli.output import output_format, show_report
from evalign.cli.shared_options import RESULT, output_options
from evalign.files import tell_apart

FORMATS = ("table", "json", "csv", "markdown")


def run(arguments: argparse.Namespace) -> int:
    """Run `evalign signature`: load the saved result and print the signature of each system."""
    from evalign.reports.signatures import report_signatures
    from evalign.results.result import Result, load_saved

    format = output_format(arguments, FORMATS)
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
    (RESULT, *output_options(FORMATS, warns=False)),
    run,
    "Save a result first: evalign score GOLD SYSTEM... -o run.json.",
)
