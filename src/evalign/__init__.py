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
    from evalign.alignment import Alignment as Alignment
    from evalign.bitext import (
        DataSet as DataSet,
        bitext_excerpts as bitext_excerpts,
        open_dataset as open_dataset,
    )
    from evalign.bitext.build import Built as Built, build_dataset as build_dataset
    from evalign.bitext.mining import mine_pairs as mine_pairs, write_mined as write_mined
    from evalign.bitext.scoring import score_pairs as score_pairs
    from evalign.bitext.statistics import bitext_statistics as bitext_statistics
    from evalign.document import Document as Document
    from evalign.engines import Engine as Engine, open_engine as open_engine
    from evalign.errors import (
        CommandError as CommandError,
        EngineError as EngineError,
        EvalignError as EvalignError,
        InputError as InputError,
        Place as Place,
        StrictError as StrictError,
    )
    from evalign.metrics import Counts as Counts, Weights as Weights, load_weights as load_weights
    from evalign.metrics.definitions import find_definition as find_definition
    from evalign.metrics.errors import Mismatch as Mismatch
    from evalign.readers import InputLimit as InputLimit, Offsets as Offsets, examine as examine
    from evalign.results import Parts as Parts, Result as Result, Score as Score, load_saved as load_saved
    from evalign.scoring import (
        Attribution as Attribution,
        Collection as Collection,
        Gate as Gate,
        ParsingTable as ParsingTable,
        Scorer as Scorer,
        Triple as Triple,
        align as align,
        attribute as attribute,
        gate as gate,
        read as read,
        read_manifest as read_manifest,
        score as score,
        score_collection as score_collection,
        tabulate_parsing as tabulate_parsing,
        triples as triples,
    )
    from evalign.significance import (
        Difference as Difference,
        Interval as Interval,
        Resampling as Resampling,
        Significance as Significance,
        assess as assess,
        assess_parts as assess_parts,
    )
    from evalign.text import Text as Text

# The public names, by the module that defines them.
_MODULES = {
    "evalign._version": "__version__",
    "evalign.alignment": "Alignment",
    "evalign.bitext.build": "Built build_dataset",
    "evalign.bitext.dataset": "DataSet open_dataset",
    "evalign.bitext.excerpts": "bitext_excerpts",
    "evalign.bitext.mining": "mine_pairs write_mined",
    "evalign.bitext.scoring": "score_pairs",
    "evalign.bitext.statistics": "bitext_statistics",
    "evalign.document": "Document",
    "evalign.engines": "Engine open_engine",
    "evalign.errors": "CommandError EngineError EvalignError InputError Place StrictError",
    "evalign.metrics": "Counts Weights load_weights",
    "evalign.metrics.definitions": "find_definition",
    "evalign.metrics.errors": "Mismatch",
    "evalign.readers.doctor": "examine",
    "evalign.readers.limits": "InputLimit",
    "evalign.readers.live.tokens": "Offsets",
    "evalign.results": "Parts Result Score load_saved",
    "evalign.scoring": (
        "Attribution Collection Gate ParsingTable Scorer Triple align attribute gate read read_manifest score "
        "score_collection tabulate_parsing triples"
    ),
    "evalign.significance": "Difference Interval Resampling Significance assess assess_parts",
    "evalign.text": "Text",
}

__getattr__, __dir__, __all__ = lazy_face(__name__, _MODULES)
