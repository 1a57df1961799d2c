"""Parallel sentences: build a data set, score systems that extract pairs, mine pairs as a baseline.

The method is that of Zweigenbaum, Sharoff and Rapp (2018) for the BUCC shared tasks: translations that are
known are hidden ("planted") in monolingual corpora of two languages, and systems have to find them.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.bitext.dataset import (
        NATIVE as NATIVE,
        PLANTED as PLANTED,
        PROVENANCE_FILE as PROVENANCE_FILE,
        PROVENANCE_HEADER as PROVENANCE_HEADER,
        SPLITS as SPLITS,
        DataSet as DataSet,
        SentenceOrigin as SentenceOrigin,
        open_dataset as open_dataset,
        read_provenance as read_provenance,
    )
    from evalign.bitext.excerpts import (
        PAIRS_SHOWN as PAIRS_SHOWN,
        ExcerptLine as ExcerptLine,
        ExcerptSide as ExcerptSide,
        PairExcerpt as PairExcerpt,
        bitext_excerpts as bitext_excerpts,
    )
    from evalign.bitext.languages import (
        Language as Language,
        count_units as count_units,
        find_language as find_language,
        index_terms as index_terms,
        known_languages as known_languages,
    )
    from evalign.bitext.pairs import (
        IdPairs as IdPairs,
        WrittenScores as WrittenScores,
        format_id as format_id,
        is_language as is_language,
        pack_ids as pack_ids,
        rank_exactly as rank_exactly,
        read_digits as read_digits,
        read_pairs as read_pairs,
        read_scores as read_scores,
    )
    from evalign.bitext.sampling import SEED as SEED, BoundedSample as BoundedSample, draw as draw
    from evalign.bitext.sentence_checks import (
        WrongLanguage as WrongLanguage,
        find_chinese_script as find_chinese_script,
        find_script as find_script,
        fold_copy as fold_copy,
        has_unpaired_brackets as has_unpaired_brackets,
        has_unpaired_quotes as has_unpaired_quotes,
        measure_scripts as measure_scripts,
    )
    from evalign.bitext.sentences import split_sentences as split_sentences
    from evalign.bitext.terms import cut_words as cut_words, fold_text as fold_text
    from evalign.bitext.typography import normalize_typography as normalize_typography
    from evalign.bitext.workers import (
        Broadcast as Broadcast,
        FileSpan as FileSpan,
        check_folder_visible as check_folder_visible,
        closing_results as closing_results,
        cut_evenly as cut_evenly,
        cut_file as cut_file,
        share_folder as share_folder,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".dataset": (
            "DataSet NATIVE PLANTED PROVENANCE_FILE PROVENANCE_HEADER SPLITS SentenceOrigin "
            "open_dataset read_provenance"
        ),
        ".excerpts": "ExcerptLine ExcerptSide PAIRS_SHOWN PairExcerpt bitext_excerpts",
        ".languages": "Language count_units find_language index_terms known_languages",
        ".pairs": (
            "IdPairs WrittenScores format_id is_language pack_ids rank_exactly read_digits "
            "read_pairs read_scores"
        ),
        ".sampling": "BoundedSample SEED draw",
        ".sentence_checks": (
            "WrongLanguage find_chinese_script find_script fold_copy has_unpaired_brackets "
            "has_unpaired_quotes measure_scripts"
        ),
        ".sentences": "split_sentences",
        ".terms": "cut_words fold_text",
        ".typography": "normalize_typography",
        ".workers": (
            "Broadcast FileSpan check_folder_visible closing_results cut_evenly cut_file share_folder"
        ),
    },
)
