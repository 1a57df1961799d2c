"""The scripts that evalign replaces: their numbers, their output, their Python interfaces.

Nothing here needs numpy: a test set is scored in less time than numpy takes to start.
"""

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.compat.evaluation import (
        evaluate_treebanks as evaluate_treebanks,
        print_scores as print_scores,
    )
    from evalign.compat.treebank import Script as Script, read_pair as read_pair

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".evaluation": "evaluate_treebanks print_scores",
        ".treebank": "Script read_pair",
    },
)
