"""Scores of extracted pairs: precision, recall and F1 over pairs of ids as sets."""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.bitext.scoring.pair_scores import MOST_EXAMPLES as MOST_EXAMPLES, score_pairs as score_pairs
    from evalign.bitext.scoring.review import (
        correct_precision as correct_precision,
        read_review as read_review,
        render_review as render_review,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".pair_scores": "MOST_EXAMPLES score_pairs",
        ".review": "correct_precision read_review render_review",
    },
)
