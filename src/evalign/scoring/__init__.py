"""Scoring: the whole chain from inputs to a result, of a text, a folder of treebanks or a training loop."""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.scoring.api import (
        Input as Input,
        align as align,
        compare_documents as compare_documents,
        read as read,
        score as score,
    )
    from evalign.scoring.attribution import RUNS as RUNS, Attribution as Attribution, attribute as attribute
    from evalign.scoring.collection import (
        Collection as Collection,
        Treebank as Treebank,
        match_folders as match_folders,
    )
    from evalign.scoring.columns import find_reasons as find_reasons
    from evalign.scoring.evidence_part import gather_evidence as gather_evidence
    from evalign.scoring.evidence_sum import EvidenceLimits as EvidenceLimits, EvidenceSum as EvidenceSum
    from evalign.scoring.extraction import (
        Batch as Batch,
        Extraction as Extraction,
        Triple as Triple,
        extract as extract,
        triples as triples,
    )
    from evalign.scoring.finished import FinishedFolder as FinishedFolder
    from evalign.scoring.folders import (
        Folder as Folder,
        list_files as list_files,
        match_files as match_files,
        show_names as show_names,
        unpack as unpack,
    )
    from evalign.scoring.gating import Gate as Gate, gate as gate
    from evalign.scoring.manifest import read_manifest as read_manifest
    from evalign.scoring.metrics import refuse_columns as refuse_columns
    from evalign.scoring.options import ScoreOptions as ScoreOptions
    from evalign.scoring.parsing_table import (
        METRICS as METRICS,
        ParsingRow as ParsingRow,
        ParsingTable as ParsingTable,
        tabulate_parsing as tabulate_parsing,
    )
    from evalign.scoring.scorer import Scorer as Scorer
    from evalign.scoring.shared import score_collection as score_collection
    from evalign.scoring.units import MOST_UNITS as MOST_UNITS

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".api": "Input align compare_documents read score",
        ".attribution": "Attribution RUNS attribute",
        ".collection": "Collection Treebank match_folders",
        ".columns": "find_reasons",
        ".evidence_part": "gather_evidence",
        ".evidence_sum": "EvidenceLimits EvidenceSum",
        ".extraction": "Batch Extraction Triple extract triples",
        ".finished": "FinishedFolder",
        ".folders": "Folder list_files match_files show_names unpack",
        ".gating": "Gate gate",
        ".manifest": "read_manifest",
        ".metrics": "refuse_columns",
        ".options": "ScoreOptions",
        ".parsing_table": "METRICS ParsingRow ParsingTable tabulate_parsing",
        ".scorer": "Scorer",
        ".shared": "score_collection",
        ".units": "MOST_UNITS",
    },
)
