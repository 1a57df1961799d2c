"""`evalign explain`: say what a metric or a term means."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from evalign.cli.command import Command, Option
from evalign.cli.output import columns


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


def _name_definitions() -> Iterable[str]:
    from evalign.metrics.definitions.catalogue import load_definitions

    return load_definitions()


COMMAND = Command(
    "explain",
    ("evalign explain tokens",),
    "Say what a metric or a term means: definition, formula, source, a worked example.",
    (
        Option(
            "name",
            "a metric or term, in any case; without one, all are listed",
            "NAME",
            nargs="*",
            names=_name_definitions,
        ),
    ),
    run,
    reads_files=False,
)
