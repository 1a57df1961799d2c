r"""evalb, the standard scorer of constituency trees: its numbers, its output, its messages.

>>> from evalign.compat.evalb import evaluate
>>> result = evaluate(b"(S (NP (N dogs)) (VP (V bark)))\n", b"(S (N dogs) (VP (V bark)))\n")
>>> result.all.matched, result.all.gold, result.all.test, result.all.recall
(2, 3, 2, 66.66666666666667)
>>> [(sentence.number, sentence.is_valid, sentence.matched) for sentence in result.sentences]
[(1, True, 2)]

Trees come one per line. Names are imported when they are first used, because `evalign evalb` starts through
this package.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.compat.evalb.results import evaluate as evaluate
    from evalign.readers.evalb_parameters import read_parameters as read_parameters

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".results": "evaluate",
        "evalign.readers.evalb_parameters": "read_parameters",
    },
)
