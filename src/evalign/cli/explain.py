"""`evalign explain` and `evalign cite`: what a metric or a term means, and where it comes from."""

from __future__ import annotations

import argparse
import sys

from evalign.cli.command import Command, Option
from evalign.cli.output import columns
from evalign.cli.shared_options import name_metrics
from evalign.metrics.definitions.catalogue import find_definition, find_references, load_definitions
from evalign.reports.definitions import (
    EVALIGN_REFERENCE,
    list_definitions,
    render_citations,
    render_definition,
)


def run(arguments: argparse.Namespace) -> int:
    """Run `evalign explain`: print the definition of a metric or term, or list them all."""
    if arguments.name:
        # A term may have several words: evalign explain confidence interval
        definition = find_definition(" ".join(arguments.name))
        sys.stdout.write(render_definition(definition, columns=columns()))
    else:
        sys.stdout.write(list_definitions(load_definitions().values(), columns=columns()))
    return 0


EXPLAIN = Command(
    "explain",
    ("evalign explain tokens",),
    "Say what a metric or a term means: definition, formula, source, a worked example.",
    (
        Option(
            "name",
            "a metric or term, in any case; without one, all are listed",
            "NAME",
            nargs="*",
            names=load_definitions,
        ),
    ),
    run,
    reads_files=False,
)


# cite: where definitions come from.

FORMATS = ("text", "bibtex")


def run_cite(arguments: argparse.Namespace) -> int:
    """Run `evalign cite`: print the reference of evalign, then those of the named metrics and terms."""
    names = [part for name in arguments.names for part in name.split(",") if part]
    definitions = load_definitions().values() if "all" in names else map(find_definition, names)
    references = [EVALIGN_REFERENCE, *find_references(definition.source for definition in definitions)]
    sys.stdout.write(render_citations(references, arguments.format, columns=columns()))
    return 0


CITE = Command(
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
    run_cite,
    "A score is best cited with its signature, which says all that could move it.",
    reads_files=False,
)
