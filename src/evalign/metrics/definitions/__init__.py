"""What every metric and term means, with source and worked example: what evalign explain NAME says."""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics.definitions.catalogue import (
        DEFINITIONS as DEFINITIONS,
        METRICS as METRICS,
        TERMS as TERMS,
        find_definition as find_definition,
    )
    from evalign.metrics.definitions.entry import Definition as Definition, Example as Example
    from evalign.metrics.definitions.references import (
        Reference as Reference,
        find_references as find_references,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".catalogue": "DEFINITIONS METRICS TERMS find_definition",
        ".entry": "Definition Example",
        ".references": "Reference find_references",
    },
)
