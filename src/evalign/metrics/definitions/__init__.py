"""Definitions of all metrics and terms, with sources and worked examples, for `evalign explain`."""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics.definitions.catalogue import (
        DEFINITIONS as DEFINITIONS,
        METRIC_DEFINITIONS as METRIC_DEFINITIONS,
        REFERENCES as REFERENCES,
        TERMS as TERMS,
        Reference as Reference,
        find_definition as find_definition,
        find_references as find_references,
        write_definition as write_definition,
    )
    from evalign.metrics.definitions.metric_definitions import Definition as Definition, Example as Example
    from evalign.metrics.definitions.terms import TYPOLOGY_TERMS as TYPOLOGY_TERMS

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".catalogue": "DEFINITIONS METRIC_DEFINITIONS REFERENCES Reference TERMS find_definition find_references "
        "write_definition",
        ".metric_definitions": "Definition Example",
        ".terms": "TYPOLOGY_TERMS",
    },
)
