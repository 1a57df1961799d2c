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
    from evalign.bitext.build import Built, build_dataset
    from evalign.bitext.corpora import DataSet, open_dataset
    from evalign.bitext.excerpts import bitext_excerpts
    from evalign.bitext.mining import mine_pairs, write_mined
    from evalign.bitext.scoring import score_pairs
    from evalign.bitext.statistics import bitext_statistics
    from evalign.document import Document
    from evalign.engines import Engine, open_engine
    from evalign.errors import CommandError, EngineError, EvalignError, InputError, Place, StrictError
    from evalign.metrics import Counts, Mismatch
    from evalign.metrics.definitions import find_definition
    from evalign.metrics.weights import Weights, load_weights
    from evalign.readers.doctor import examine
    from evalign.readers.limits import InputLimit
    from evalign.readers.live.offsets import Offsets
    from evalign.results import Parts, Result, Score, load_saved
    from evalign.scoring import align, read, score
    from evalign.scoring.attribution import Attribution, attribute
    from evalign.scoring.collection import Collection
    from evalign.scoring.extraction import Triple, triples
    from evalign.scoring.gate import Gate, gate
    from evalign.scoring.manifest import read_manifest
    from evalign.scoring.parsing_table import ParsingTable, tabulate_parsing
    from evalign.scoring.scorer import Scorer
    from evalign.scoring.shared import score_collection
    from evalign.significance import Difference, Interval, Resampling, Significance, assess, assess_parts
    from evalign.text import Text

# Where each public name lives. Nothing is imported until it is asked for, so that
# `evalign --version` starts like a C program.
_HOMES = {
    "Alignment": "evalign.alignment",
    "Attribution": "evalign.scoring.attribution",
    "Built": "evalign.bitext.build",
    "Collection": "evalign.scoring.collection",
    "CommandError": "evalign.errors",
    "Counts": "evalign.metrics",
    "DataSet": "evalign.bitext.corpora",
    "Difference": "evalign.significance",
    "Document": "evalign.document",
    "Engine": "evalign.engines",
    "EngineError": "evalign.errors",
    "EvalignError": "evalign.errors",
    "Gate": "evalign.scoring.gate",
    "InputError": "evalign.errors",
    "InputLimit": "evalign.readers.limits",
    "Interval": "evalign.significance",
    "Mismatch": "evalign.metrics",
    "Offsets": "evalign.readers.live.offsets",
    "ParsingTable": "evalign.scoring.parsing_table",
    "Parts": "evalign.results",
    "Place": "evalign.errors",
    "Resampling": "evalign.significance",
    "Result": "evalign.results",
    "Score": "evalign.results",
    "Scorer": "evalign.scoring.scorer",
    "Significance": "evalign.significance",
    "StrictError": "evalign.errors",
    "Text": "evalign.text",
    "Triple": "evalign.scoring.extraction",
    "Weights": "evalign.metrics.weights",
    "align": "evalign.scoring",
    "assess": "evalign.significance",
    "assess_parts": "evalign.significance",
    "attribute": "evalign.scoring.attribution",
    "bitext_excerpts": "evalign.bitext.excerpts",
    "bitext_statistics": "evalign.bitext.statistics",
    "build_dataset": "evalign.bitext.build",
    "examine": "evalign.readers.doctor",
    "find_definition": "evalign.metrics.definitions",
    "gate": "evalign.scoring.gate",
    "load_saved": "evalign.results",
    "load_weights": "evalign.metrics.weights",
    "mine_pairs": "evalign.bitext.mining",
    "open_engine": "evalign.engines",
    "open_dataset": "evalign.bitext.corpora",
    "read": "evalign.scoring",
    "read_manifest": "evalign.scoring.manifest",
    "score": "evalign.scoring",
    "score_collection": "evalign.scoring.shared",
    "score_pairs": "evalign.bitext.scoring",
    "tabulate_parsing": "evalign.scoring.parsing_table",
    "triples": "evalign.scoring.extraction",
    "write_mined": "evalign.bitext.mining",
}

__all__ = [
    "Alignment",
    "Attribution",
    "Built",
    "Collection",
    "CommandError",
    "Counts",
    "DataSet",
    "Difference",
    "Document",
    "Engine",
    "EngineError",
    "EvalignError",
    "Gate",
    "InputError",
    "InputLimit",
    "Interval",
    "Mismatch",
    "Offsets",
    "ParsingTable",
    "Parts",
    "Place",
    "Resampling",
    "Result",
    "Score",
    "Scorer",
    "Significance",
    "StrictError",
    "Text",
    "Triple",
    "Weights",
    "__version__",
    "align",
    "assess",
    "assess_parts",
    "attribute",
    "bitext_excerpts",
    "bitext_statistics",
    "build_dataset",
    "examine",
    "find_definition",
    "gate",
    "load_saved",
    "load_weights",
    "mine_pairs",
    "open_dataset",
    "open_engine",
    "read",
    "read_manifest",
    "score",
    "score_collection",
    "score_pairs",
    "tabulate_parsing",
    "triples",
    "write_mined",
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
