"""evalign scores what a text-processing pipeline did to a text, whatever its segmentation.

>>> import evalign
>>> result = evalign.score([["Is", "n't", "it", "?"]], [["Isn", "'t", "it", "?"]])
>>> result["tokens"].correct, result["tokens"].gold, result["tokens"].system
(2, 4, 4)
"""

from __future__ import annotations

__version__ = "0.1.0"

# As in typing, which would take longer to import than all of `evalign --version`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.alignment import Alignment
    from evalign.document import Document
    from evalign.errors import CommandError, EvalignError, InputError, Place, StrictError
    from evalign.evaluate import align, read, score
    from evalign.evaluate.attribution import Attribution, attribute
    from evalign.evaluate.extraction import Triple, triples
    from evalign.layers import Counts, Mismatch
    from evalign.layers.definitions import find_definition
    from evalign.layers.weights import Weights, load_weights
    from evalign.readers.doctor import examine
    from evalign.result import Result, Score
    from evalign.text import Text

# Where each public name lives. Nothing is imported until it is asked for, so that
# `evalign --version` starts like a C program.
_HOMES = {
    "Alignment": "evalign.alignment",
    "Attribution": "evalign.evaluate.attribution",
    "CommandError": "evalign.errors",
    "Counts": "evalign.layers",
    "Document": "evalign.document",
    "EvalignError": "evalign.errors",
    "InputError": "evalign.errors",
    "Mismatch": "evalign.layers",
    "Place": "evalign.errors",
    "Result": "evalign.result",
    "Score": "evalign.result",
    "StrictError": "evalign.errors",
    "Text": "evalign.text",
    "Triple": "evalign.evaluate.extraction",
    "Weights": "evalign.layers.weights",
    "align": "evalign.evaluate",
    "attribute": "evalign.evaluate.attribution",
    "examine": "evalign.readers.doctor",
    "find_definition": "evalign.layers.definitions",
    "load_weights": "evalign.layers.weights",
    "read": "evalign.evaluate",
    "score": "evalign.evaluate",
    "triples": "evalign.evaluate.extraction",
}

__all__ = [
    "Alignment",
    "Attribution",
    "CommandError",
    "Counts",
    "Document",
    "EvalignError",
    "InputError",
    "Mismatch",
    "Place",
    "Result",
    "Score",
    "StrictError",
    "Text",
    "Triple",
    "Weights",
    "__version__",
    "align",
    "attribute",
    "examine",
    "find_definition",
    "load_weights",
    "read",
    "score",
    "triples",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        message = f"module 'evalign' has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module

    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
