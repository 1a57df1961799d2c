"""evalign scores the output of a text-processing pipeline, whatever its segmentation.

>>> import evalign
>>> result = evalign.score([["Is", "n't", "it", "?"]], [["Isn", "'t", "it", "?"]])
>>> result["tokens"].correct, result["tokens"].gold, result["tokens"].system
(2, 4, 4)
"""

from __future__ import annotations

from evalign._lazy import lazy_face

# In place of `typing.TYPE_CHECKING`: importing typing takes longer than all of `evalign --version`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign._version import __version__ as __version__
    from evalign.alignment.alignment import Alignment as Alignment
    from evalign.bitext.build.build import Built as Built, build_dataset as build_dataset
    from evalign.bitext.dataset import DataSet as DataSet, open_dataset as open_dataset
    from evalign.bitext.excerpts import bitext_excerpts as bitext_excerpts
    from evalign.bitext.mining.mine import mine_pairs as mine_pairs, write_mined as write_mined
    from evalign.bitext.scoring.pair_scores import score_pairs as score_pairs
    from evalign.bitext.statistics.dataset_statistics import bitext_statistics as bitext_statistics
    from evalign.document import Document as Document
    from evalign.engines.base import Engine as Engine, open_engine as open_engine
    from evalign.errors import (
        CommandError as CommandError,
        EngineError as EngineError,
        EvalignError as EvalignError,
        InputError as InputError,
        Place as Place,
        StrictError as StrictError,
    )
    from evalign.metrics.counts import Counts as Counts
    from evalign.metrics.definitions.catalogue import find_definition as find_definition
    from evalign.metrics.errors.mismatches import Mismatch as Mismatch
    from evalign.metrics.relations import load_weights as load_weights
    from evalign.options import Weights as Weights
    from evalign.readers.doctor import examine as examine
    from evalign.readers.limits import InputLimit as InputLimit
    from evalign.readers.live.tokens import Offsets as Offsets
    from evalign.results.result import Parts as Parts, Result as Result, load_saved as load_saved
    from evalign.results.system_result import Score as Score
    from evalign.scoring.api import align as align, read as read, score as score
    from evalign.scoring.attribution import (
        Attribution as Attribution,
        ParsingTable as ParsingTable,
        attribute as attribute,
        tabulate_parsing as tabulate_parsing,
    )
    from evalign.scoring.collection import Collection as Collection, read_manifest as read_manifest
    from evalign.scoring.collection_run import score_collection as score_collection
    from evalign.scoring.extraction import Triple as Triple, triples as triples
    from evalign.scoring.gating import Gate as Gate, gate as gate
    from evalign.scoring.scorer import Scorer as Scorer
    from evalign.significance.assessment import assess as assess
    from evalign.significance.parts import assess_parts as assess_parts
    from evalign.significance.values import (
        Difference as Difference,
        Interval as Interval,
        Resampling as Resampling,
        Significance as Significance,
    )
    from evalign.text import Text as Text

# The public names, by the module that defines them.
_MODULES = {
    "evalign._version": "__version__",
    "evalign.alignment.alignment": "Alignment",
    "evalign.bitext.build.build": "Built build_dataset",
    "evalign.bitext.dataset": "DataSet open_dataset",
    "evalign.bitext.excerpts": "bitext_excerpts",
    "evalign.bitext.mining.mine": "mine_pairs write_mined",
    "evalign.bitext.scoring.pair_scores": "score_pairs",
    "evalign.bitext.statistics.dataset_statistics": "bitext_statistics",
    "evalign.document": "Document",
    "evalign.engines.base": "Engine open_engine",
    "evalign.errors": "CommandError EngineError EvalignError InputError Place StrictError",
    "evalign.metrics.counts": "Counts",
    "evalign.metrics.definitions.catalogue": "find_definition",
    "evalign.metrics.errors.mismatches": "Mismatch",
    "evalign.metrics.relations": "load_weights",
    "evalign.options": "Weights",
    "evalign.readers.doctor": "examine",
    "evalign.readers.limits": "InputLimit",
    "evalign.readers.live.tokens": "Offsets",
    "evalign.results.result": "Parts Result load_saved",
    "evalign.results.system_result": "Score",
    "evalign.scoring.api": "align read score",
    "evalign.scoring.attribution": "Attribution ParsingTable attribute tabulate_parsing",
    "evalign.scoring.collection": "Collection read_manifest",
    "evalign.scoring.collection_run": "score_collection",
    "evalign.scoring.extraction": "Triple triples",
    "evalign.scoring.gating": "Gate gate",
    "evalign.scoring.scorer": "Scorer",
    "evalign.significance.assessment": "assess",
    "evalign.significance.parts": "assess_parts",
    "evalign.significance.values": "Difference Interval Resampling Significance",
    "evalign.text": "Text",
}

__getattr__, __dir__, __all__ = lazy_face(__name__, _MODULES)
