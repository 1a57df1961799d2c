"""What is known of a data set: its counts, and how well its planted sentences are hidden.

`collect_statistics` is for who builds a data set, `bitext_statistics` for who has one.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.bitext.statistics.comparability import DocumentSources as DocumentSources
    from evalign.bitext.statistics.dataset_statistics import (
        GenreCounts as GenreCounts,
        bitext_statistics as bitext_statistics,
        collect_statistics as collect_statistics,
        read_statistics as read_statistics,
    )
    from evalign.bitext.statistics.native_pairs import (
        read_reviewed as read_reviewed,
        sample_review as sample_review,
    )
    from evalign.bitext.statistics.schema import (
        STATISTICS_FILE as STATISTICS_FILE,
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
        ".comparability": "DocumentSources",
        ".dataset_statistics": "GenreCounts bitext_statistics collect_statistics read_statistics",
        ".native_pairs": "read_reviewed sample_review",
        ".schema": (
            "LanguageLengths PlantingCounts STATISTICS_FILE SavedComparability SavedDetectability "
            "SavedLengths SavedSimilarity Statistics"
        ),
    },
)
