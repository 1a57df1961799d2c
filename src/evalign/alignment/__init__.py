"""Two documents on one line: shared places, blocks, word pairs.

    equal lines                          positions are places
    equal once notation is normalised    positions of the normalised lines are places
    else                                 characters are aligned; places are what both sides have

`align_documents` is the entry; every module here is one step of it.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.alignment.align import Differing as Differing, align_documents as align_documents
    from evalign.alignment.align_differing import normalise_document as normalise_document
    from evalign.alignment.alignment import (
        MOST_PLACES as MOST_PLACES,
        Alignment as Alignment,
        Firing as Firing,
        Side as Side,
        share_enough as share_enough,
    )
    from evalign.alignment.character_alignment import MODEL as MODEL, SMALLEST_WINDOW as SMALLEST_WINDOW
    from evalign.alignment.cut_points import Cuts as Cuts, find_cuts as find_cuts
    from evalign.alignment.differences import (
        DIFFERENCES as DIFFERENCES,
        MOST_SUBSTITUTIONS as MOST_SUBSTITUTIONS,
    )
    from evalign.alignment.fold import code_points as code_points
    from evalign.alignment.normalize import (
        RULES as RULES,
        Rule as Rule,
        choose_rules as choose_rules,
        load_exceptions as load_exceptions,
    )
    from evalign.alignment.places import NOWHERE as NOWHERE, Blocks as Blocks
    from evalign.alignment.raw_map import (
        RawMap as RawMap,
        RawSpans as RawSpans,
        align_on_raw as align_on_raw,
        map_raw as map_raw,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".align": "Differing align_documents",
        ".align_differing": "normalise_document",
        ".alignment": "Alignment Firing MOST_PLACES Side share_enough",
        ".character_alignment": "MODEL SMALLEST_WINDOW",
        ".cut_points": "Cuts find_cuts",
        ".differences": "DIFFERENCES MOST_SUBSTITUTIONS",
        ".fold": "code_points",
        ".normalize": "RULES Rule choose_rules load_exceptions",
        ".places": "Blocks NOWHERE",
        ".raw_map": "RawMap RawSpans align_on_raw map_raw",
    },
)
