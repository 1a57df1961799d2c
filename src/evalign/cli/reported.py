"""Reports of tables, printed or written by any command."""

from __future__ import annotations

import argparse

from evalign.cli.parser import columns, emit, use_color

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.reports import Report


def show(report: Report, arguments: argparse.Namespace, format: str) -> None:
    """Print a report, or write it to the file that was named."""
    from evalign.reports import render_report

    text = render_report(report, format, columns=columns(), color=use_color(arguments))
    emit([text], arguments, is_data=format == "csv")
