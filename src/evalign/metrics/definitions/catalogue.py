"""What every metric and term means, with source and worked example: what `evalign explain NAME` says."""

from __future__ import annotations

from evalign.errors import CommandError, quote, suggest
from evalign.metrics.definitions.bitext import BITEXT
from evalign.metrics.definitions.constituency import CONSTITUENCY
from evalign.metrics.definitions.dependencies import DEPENDENCIES
from evalign.metrics.definitions.entry import Definition
from evalign.metrics.definitions.segmentation import POINTS, SPANS
from evalign.metrics.definitions.terms import GENERAL, SCORES, SIGNIFICANCE
from evalign.metrics.definitions.triples import TRIPLES
from evalign.metrics.definitions.typology import TYPOLOGY

METRICS = (*SPANS, *DEPENDENCIES, *TRIPLES, *CONSTITUENCY, *POINTS)
TERMS = (*SCORES, *SIGNIFICANCE, *GENERAL, *TYPOLOGY, *BITEXT)
DEFINITIONS: dict[str, Definition] = {entry.name: entry for entry in (*METRICS, *TERMS)}
_ALIASES = {alias: entry.name for entry in DEFINITIONS.values() for alias in entry.aliases}


def find_definition(name: str) -> Definition:
    """Find a metric or term by its name or an alias, in any case, words joined by hyphens or not.

    >>> find_definition("Pk").title, find_definition("confidence interval").name
    ('Windows in which one side alone has a boundary', 'interval')
    """
    key = "-".join(name.lower().replace("_", " ").split())
    if key in DEFINITIONS or key in _ALIASES:
        return DEFINITIONS[_ALIASES.get(key, key)]
    message = f"no metric or term is called {quote(name)}"
    raise CommandError(
        message, *suggest(key, (*DEFINITIONS, *_ALIASES), expected=f"one of {', '.join(DEFINITIONS)}")
    )
