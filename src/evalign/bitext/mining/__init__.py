"""Baselines that extract pairs, so that a new data set can be judged at once.

lexical      a lexicon by IBM model 1, coverage in both directions, the best one to one
embeddings   vectors of any encoder, ratio margin of the nearest neighbours
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.bitext.mining.embeddings import Retrieval as Retrieval
    from evalign.bitext.mining.lexicon import (
        Lexicon as Lexicon,
        read_lexicon as read_lexicon,
        write_lexicon as write_lexicon,
    )
    from evalign.bitext.mining.mine import (
        CANDIDATES as CANDIDATES,
        METHODS as METHODS,
        check_folder as check_folder,
        find_languages as find_languages,
        mine_pairs as mine_pairs,
        write_mined as write_mined,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".embeddings": "Retrieval",
        ".lexicon": "Lexicon read_lexicon write_lexicon",
        ".mine": "CANDIDATES METHODS check_folder find_languages mine_pairs write_mined",
    },
)
