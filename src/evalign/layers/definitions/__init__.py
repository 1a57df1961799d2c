"""What every metric and term means, with source and worked example: what `evalign explain NAME` says."""

from __future__ import annotations

from evalign.errors import CommandError, quote, suggest
from evalign.layers.definitions.bitext import BITEXT
from evalign.layers.definitions.constituency import CONSTITUENCY
from evalign.layers.definitions.dependencies import DEPENDENCIES
from evalign.layers.definitions.entry import Definition, Example
from evalign.layers.definitions.segmentation import POINTS, SPANS
from evalign.layers.definitions.terms import GENERAL
from evalign.layers.definitions.triples import TRIPLES
from evalign.layers.definitions.typology import TYPOLOGY

__all__ = ["DEFINITIONS", "METRICS", "TERMS", "Definition", "Example", "find_definition"]

METRICS = (*SPANS, *DEPENDENCIES, *TRIPLES, *CONSTITUENCY, *POINTS)
TERMS = (*GENERAL, *TYPOLOGY, *BITEXT)
DEFINITIONS: dict[str, Definition] = {entry.name: entry for entry in (*METRICS, *TERMS)}


def find_definition(name: str) -> Definition:
    """The definition of a metric or term.

    >>> find_definition("pk").title
    'Windows in which one side alone has a boundary'
    """
    found = DEFINITIONS.get(name.lower())
    if found is not None:
        return found
    message = f"no metric or term is called {quote(name)}"
    raise CommandError(message, *suggest(name, DEFINITIONS))
