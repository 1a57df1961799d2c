"""Scoring of systems that extract pairs: precision, recall and F1 over sets of id pairs."""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.bitext.scoring.curves import Curve as Curve, are_gold as are_gold, make_curve as make_curve
    from evalign.bitext.scoring.pair_scores import (
        MOST_EXAMPLES as MOST_EXAMPLES,
        find_pair_units as find_pair_units,
        score_pairs as score_pairs,
    )
    from evalign.bitext.scoring.review import (
        REVIEW_COLUMNS as REVIEW_COLUMNS,
        correct_precision as correct_precision,
        read_review as read_review,
        render_review as render_review,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".curves": "Curve are_gold make_curve",
        ".pair_scores": "MOST_EXAMPLES find_pair_units score_pairs",
        ".review": "REVIEW_COLUMNS correct_precision read_review render_review",
    },
)
