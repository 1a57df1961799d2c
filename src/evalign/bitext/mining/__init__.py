"""Baselines that extract pairs of translations from a data set, so that a new data set can be judged at once.

lexical      a lexicon learnt by IBM model 1, scores by coverage in both directions, one-to-one pairs
embeddings   vectors of any encoder, ratio margins of nearest neighbours

`mine_pairs` runs either of them on a data set.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.bitext.mining.candidates import (
        Candidates as Candidates,
        MiningSizes as MiningSizes,
        choose_pairs as choose_pairs,
        take_ratios as take_ratios,
    )
    from evalign.bitext.mining.embeddings import (
        RETRIEVALS as RETRIEVALS,
        Retrieval as Retrieval,
        encode_sentences as encode_sentences,
        find_embedded as find_embedded,
        find_nearest as find_nearest,
    )
    from evalign.bitext.mining.encoders import load_encoder as load_encoder, name_encoder as name_encoder
    from evalign.bitext.mining.ibm_model1 import (
        estimate_model as estimate_model,
        pack_sentences as pack_sentences,
    )
    from evalign.bitext.mining.lexical import (
        MOST_LINKS as MOST_LINKS,
        LinkedCorpora as LinkedCorpora,
        encode_corpus as encode_corpus,
        find_candidates as find_candidates,
        link_terms as link_terms,
        relative_strengths as relative_strengths,
        reverse_links as reverse_links,
        score_coverage as score_coverage,
        strip_accents as strip_accents,
        word_likeness as word_likeness,
    )
    from evalign.bitext.mining.lexicon import (
        LONGEST_SENTENCE as LONGEST_SENTENCE,
        MOST_TRANSLATIONS as MOST_TRANSLATIONS,
        Lexicon as Lexicon,
        join_lexicons as join_lexicons,
        learn_lexicon as learn_lexicon,
        lexicon_of_entries as lexicon_of_entries,
        read_lexicon as read_lexicon,
        write_lexicon as write_lexicon,
    )
    from evalign.bitext.mining.mine import (
        CANDIDATES as CANDIDATES,
        METHODS as METHODS,
        check_output_folder as check_output_folder,
        find_dataset_languages as find_dataset_languages,
        mine_pairs as mine_pairs,
        render_pairs as render_pairs,
        write_mined as write_mined,
    )
    from evalign.bitext.mining.word_cutter import Cutter as Cutter, find_expressions as find_expressions

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".candidates": "Candidates MiningSizes choose_pairs take_ratios",
        ".embeddings": "RETRIEVALS Retrieval encode_sentences find_embedded find_nearest",
        ".encoders": "load_encoder name_encoder",
        ".ibm_model1": "estimate_model pack_sentences",
        ".lexical": (
            "LinkedCorpora MOST_LINKS encode_corpus find_candidates link_terms relative_strengths "
            "reverse_links score_coverage strip_accents word_likeness"
        ),
        ".lexicon": (
            "LONGEST_SENTENCE Lexicon MOST_TRANSLATIONS join_lexicons learn_lexicon "
            "lexicon_of_entries read_lexicon write_lexicon"
        ),
        ".mine": (
            "CANDIDATES METHODS check_output_folder find_dataset_languages mine_pairs "
            "render_pairs write_mined"
        ),
        ".word_cutter": "Cutter find_expressions",
    },
)
