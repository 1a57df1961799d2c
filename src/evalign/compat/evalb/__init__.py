r"""evalb: its numbers, its output, its messages.

>>> from evalign.compat.evalb import evaluate
>>> result = evaluate(b"(S (NP (N dogs)) (VP (V bark)))\n", b"(S (N dogs) (VP (V bark)))\n")
>>> result.all.matched, result.all.gold, result.all.test, result.all.recall
(2, 3, 2, 66.66666666666667)
>>> [(sentence.number, sentence.is_valid, sentence.matched) for sentence in result.sentences]
[(1, True, 2)]

Trees come one per line. Nothing is imported before it is asked for: `evalign evalb` starts through this package.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.compat.evalb.results import Evaluation, Sentence, Totals, evaluate
    from evalign.readers.parameters import Parameters, read_parameters

__all__ = ["Evaluation", "Parameters", "Sentence", "Totals", "evaluate", "read_parameters"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module

    home = "evalign.readers.parameters" if "arameters" in name else "evalign.compat.evalb.results"
    return getattr(import_module(home), name)
