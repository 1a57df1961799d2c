"""Definitions of all metrics and terms, with sources and worked examples, for `evalign explain`."""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics.definitions.catalogue import (
        Definition as Definition,
        Example as Example,
        Reference as Reference,
        find_definition as find_definition,
        find_references as find_references,
        load_definitions as load_definitions,
        load_references as load_references,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".catalogue": (
            "Definition Example Reference find_definition find_references load_definitions load_references"
        )
    },
)
