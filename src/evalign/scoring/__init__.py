"""Scoring: the whole chain from inputs to a `Result`, for a text, a folder of treebanks or a training loop.

How the modules work together: `api` checks arguments and scores a whole text in memory. `run` scores a text
in parts, which `plan` cuts, `count` counts and `join` adds up. `collection_run` scores folders of treebanks,
`scorer` training loops. `gating`, `attribution`, `parsing_table` and `extraction` are separate commands built
on these.
"""

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
        score_request as score_request,
    )
    from evalign.scoring.attribution import (
        ATTRIBUTION_RUNS as ATTRIBUTION_RUNS,
        Attribution as Attribution,
        attribute as attribute,
        make_attribution_runs as make_attribution_runs,
    )
    from evalign.scoring.checkpoints import FinishedFolder as FinishedFolder
    from evalign.scoring.collection import (
        Collection as Collection,
        Treebank as Treebank,
        find_near as find_near,
        join_path as join_path,
        list_gold as list_gold,
        list_raw as list_raw,
        match_files as match_files,
        match_folders as match_folders,
        name_folders as name_folders,
        name_treebanks as name_treebanks,
        read_manifest as read_manifest,
        show_names as show_names,
    )
    from evalign.scoring.collection_run import (
        TREEBANK_COSTS as TREEBANK_COSTS,
        CollectionJob as CollectionJob,
        describe_job as describe_job,
        find_file as find_file,
        finish_treebank as finish_treebank,
        score_collection as score_collection,
    )
    from evalign.scoring.evidence_part import gather_evidence as gather_evidence
    from evalign.scoring.evidence_sum import EvidenceLimits as EvidenceLimits, EvidenceSum as EvidenceSum
    from evalign.scoring.extraction import (
        Batch as Batch,
        Extraction as Extraction,
        Triple as Triple,
        extract as extract,
        triples as triples,
    )
    from evalign.scoring.gate_systems import (
        match_other_run as match_other_run,
        match_system_name as match_system_name,
    )
    from evalign.scoring.gating import Gate as Gate, gate as gate
    from evalign.scoring.ledger import (
        FOUND_IN_PLACE as FOUND_IN_PLACE,
        LINES_DIFFERING as LINES_DIFFERING,
        LINES_EQUAL as LINES_EQUAL,
        LINES_NORMALISED as LINES_NORMALISED,
        REPEATED_TEXT as REPEATED_TEXT,
        SentenceHashes as SentenceHashes,
        SentenceOrder as SentenceOrder,
        count_reordered as count_reordered,
        join_orders as join_orders,
        no_order as no_order,
    )
    from evalign.scoring.metric_choice import (
        available_metrics as available_metrics,
        candidate_metrics as candidate_metrics,
        expand_names as expand_names,
        needs_whole as needs_whole,
        refuse_columns as refuse_columns,
    )
    from evalign.scoring.options import ScoreOptions as ScoreOptions, check_options as check_options
    from evalign.scoring.parsing_table import (
        PARSING_METRICS as PARSING_METRICS,
        ParsingRow as ParsingRow,
        ParsingTable as ParsingTable,
        tabulate_parsing as tabulate_parsing,
    )
    from evalign.scoring.portable_inputs import (
        ReadInput as ReadInput,
        RunOrigin as RunOrigin,
        make_portable as make_portable,
        read_input as read_input,
        size_of as size_of,
    )
    from evalign.scoring.request import (
        MOST_UNITS as MOST_UNITS,
        Execution as Execution,
        ScoreRequest as ScoreRequest,
        Settings as Settings,
        make_options as make_options,
    )
    from evalign.scoring.scorer import Scorer as Scorer
    from evalign.scoring.signature import describe_units as describe_units
    from evalign.scoring.summary import (
        count_tables as count_tables,
        find_facts as find_facts,
        freeze_facts as freeze_facts,
        join_facts as join_facts,
        list_warnings as list_warnings,
        make_systems as make_systems,
    )
    from evalign.scoring.units import find_units as find_units
    from evalign.scoring.warnings import find_reasons as find_reasons

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".api": "Input align compare_documents read score score_request",
        ".attribution": "Attribution ATTRIBUTION_RUNS attribute make_attribution_runs",
        ".checkpoints": "FinishedFolder",
        ".collection": (
            "Collection Treebank find_near join_path list_gold list_raw "
            "match_files match_folders name_folders name_treebanks read_manifest show_names"
        ),
        ".collection_run": "CollectionJob TREEBANK_COSTS describe_job find_file finish_treebank score_collection",
        ".evidence_part": "gather_evidence",
        ".evidence_sum": "EvidenceLimits EvidenceSum",
        ".extraction": "Batch Extraction Triple extract triples",
        ".gate_systems": "match_other_run match_system_name",
        ".gating": "Gate gate",
        ".ledger": (
            "FOUND_IN_PLACE LINES_DIFFERING LINES_EQUAL LINES_NORMALISED REPEATED_TEXT "
            "SentenceOrder SentenceHashes count_reordered join_orders no_order"
        ),
        ".metric_choice": "candidate_metrics available_metrics expand_names needs_whole refuse_columns",
        ".options": "ScoreOptions check_options",
        ".parsing_table": "PARSING_METRICS ParsingRow ParsingTable tabulate_parsing",
        ".portable_inputs": "ReadInput RunOrigin make_portable read_input size_of",
        ".request": "Execution MOST_UNITS ScoreRequest Settings make_options",
        ".scorer": "Scorer",
        ".signature": "describe_units",
        ".summary": "count_tables find_facts freeze_facts join_facts list_warnings make_systems",
        ".units": "find_units",
        ".warnings": "find_reasons",
    },
)
