"""Statistics of a data set: its counts, and how well its planted sentences are hidden.

A build calls `collect_statistics` as its last step; users and `evalign bitext stats` call `bitext_statistics`
on the folder of a data set.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.bitext.statistics.comparability import (
        LEAST_LIKELIHOOD as LEAST_LIKELIHOOD,
        MOST_KEYWORDS as MOST_KEYWORDS,
        DocumentSources as DocumentSources,
        compare_documents as compare_documents,
        find_keywords as find_keywords,
    )
    from evalign.bitext.statistics.dataset_statistics import (
        DECILES as DECILES,
        GenreCounts as GenreCounts,
        bitext_statistics as bitext_statistics,
        collect_statistics as collect_statistics,
        read_statistics as read_statistics,
        share_genres as share_genres,
        summarize_lengths as summarize_lengths,
    )
    from evalign.bitext.statistics.detectability import (
        CLASSIFIER_PENALTY as CLASSIFIER_PENALTY,
        CONTEXT_FEATURES as CONTEXT_FEATURES,
        FEWEST_SENTENCES as FEWEST_SENTENCES,
        FORM_FEATURES as FORM_FEATURES,
        MOST_FEATURES as MOST_FEATURES,
        NORMAL_QUANTILE as NORMAL_QUANTILE,
        SentenceInContext as SentenceInContext,
        detect_planted as detect_planted,
        find_area as find_area,
        find_chance as find_chance,
        fit_classifier as fit_classifier,
        judge_rows as judge_rows,
        measure_context as measure_context,
        measure_form as measure_form,
    )
    from evalign.bitext.statistics.native_pairs import (
        anchor_words as anchor_words,
        read_reviewed as read_reviewed,
        sample_review as sample_review,
    )
    from evalign.bitext.statistics.schema import (
        STATISTICS_FILE as STATISTICS_FILE,
        STATISTICS_SCHEMA as STATISTICS_SCHEMA,
        LanguageLengths as LanguageLengths,
        PlantingCounts as PlantingCounts,
        SavedComparability as SavedComparability,
        SavedDetectability as SavedDetectability,
        SavedLengths as SavedLengths,
        SavedSeparation as SavedSeparation,
        SavedSimilarity as SavedSimilarity,
        Statistics as Statistics,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".comparability": "DocumentSources LEAST_LIKELIHOOD MOST_KEYWORDS compare_documents find_keywords",
        ".dataset_statistics": (
            "DECILES GenreCounts bitext_statistics collect_statistics read_statistics "
            "share_genres summarize_lengths"
        ),
        ".detectability": (
            "CLASSIFIER_PENALTY CONTEXT_FEATURES FEWEST_SENTENCES FORM_FEATURES MOST_FEATURES "
            "NORMAL_QUANTILE SentenceInContext detect_planted find_area find_chance "
            "fit_classifier judge_rows measure_context measure_form"
        ),
        ".native_pairs": "anchor_words read_reviewed sample_review",
        ".schema": (
            "LanguageLengths PlantingCounts STATISTICS_FILE STATISTICS_SCHEMA SavedComparability "
            "SavedDetectability SavedLengths SavedSeparation SavedSimilarity Statistics"
        ),
    },
)
