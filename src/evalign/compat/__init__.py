"""The evaluation scripts that evalign replaces, with their numbers, output and Python interfaces.

The commands `conll18`, `udeval` and `evalb` use this package. Nothing here needs numpy: importing numpy takes
longer than scoring a test set.
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
