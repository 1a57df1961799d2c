"""What is known of a data set: its counts, and how well its planted sentences are hidden.

`collect_statistics` is for who builds a data set, `bitext_statistics` for who has one.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.bitext.statistics.collected import collect_statistics as collect_statistics
    from evalign.bitext.statistics.comparability import Sources as Sources
    from evalign.bitext.statistics.genres import GenreCounts as GenreCounts
    from evalign.bitext.statistics.opened import (
        bitext_statistics as bitext_statistics,
        read_statistics as read_statistics,
    )
    from evalign.bitext.statistics.planted import read_gold as read_gold
    from evalign.bitext.statistics.review import (
        read_reviewed as read_reviewed,
        sample_review as sample_review,
    )
    from evalign.bitext.statistics.shapes import (
        FILE as FILE,
        SEED as SEED,
        LanguageLengths as LanguageLengths,
        PlantingCounts as PlantingCounts,
        SavedComparability as SavedComparability,
        SavedDetectability as SavedDetectability,
        SavedLengths as SavedLengths,
        SavedSimilarity as SavedSimilarity,
        Statistics as Statistics,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".collected": "collect_statistics",
        ".comparability": "Sources",
        ".genres": "GenreCounts",
        ".opened": "bitext_statistics read_statistics",
        ".planted": "read_gold",
        ".review": "read_reviewed sample_review",
        ".shapes": (
            "FILE LanguageLengths PlantingCounts SEED SavedComparability SavedDetectability "
            "SavedLengths SavedSimilarity Statistics"
        ),
    },
)
