"""`evalign explain`: say what a metric or a term means."""

from __future__ import annotations

import argparse
import sys

from evalign.cli.output import columns
from evalign.cli.parser import Parser


def make_parser() -> Parser:
    """Make the argument parser of `evalign explain`."""
    parser = Parser(
        "explain",
        "evalign explain tokens",
        "Say what a metric or a term means: definition, formula, source, a worked example.",
        reads_files=False,
    )
    parser.add_argument(
        "name", metavar="NAME", nargs="*", help="a metric or term, in any case; without one, all are listed"
    )
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Run `evalign explain`: print the definition of a metric or term, or list them all."""
    from evalign.metrics.definitions.catalogue import find_definition, load_definitions
    from evalign.reports.definitions import list_definitions, render_definition

    if arguments.name:
        # A term may have several words: evalign explain confidence interval
        definition = find_definition(" ".join(arguments.name))
        sys.stdout.write(render_definition(definition, columns=columns()))
    else:
        sys.stdout.write(list_definitions(load_definitions().values(), columns=columns()))
    return 0
