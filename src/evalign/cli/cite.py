"""`evalign cite`: say how to cite evalign and what a metric comes from."""

from __future__ import annotations

import argparse
import sys

from evalign.cli.command import Command, Option
from evalign.cli.output import columns
from evalign.cli.shared_options import name_metrics
from evalign.metrics.definitions.catalogue import find_definition, find_references, load_definitions

FORMATS = ("text", "bibtex")


def run(arguments: argparse.Namespace) -> int:
    """Run `evalign cite`: print the reference of evalign, then those of the named metrics and terms."""
    from evalign.reports.definitions import EVALIGN_REFERENCE, render_citations

    names = [part for name in arguments.names for part in name.split(",") if part]
    definitions = load_definitions().values() if "all" in names else map(find_definition, names)
    references = [EVALIGN_REFERENCE, *find_references(definition.source for definition in definitions)]
    sys.stdout.write(render_citations(references, arguments.format, columns=columns()))
    return 0


COMMAND = Command(
    "cite",
    ("evalign cite words pk --format bibtex",),
    "Print how to cite evalign, then the works that define the metrics which are named.",
    (
        Option(
            "names",
            "metrics or terms, as evalign explain lists them; all for all",
            "NAME",
            nargs="*",
            names=name_metrics,
        ),
        Option("--format", "default text", choices=FORMATS, default="text"),
    ),
    run,
    "A score is best cited with its signature, which says all that could move it.",
    reads_files=False,
)
