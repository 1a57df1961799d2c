"""Results of scoring: scores, ledgers and errors per system, and how to save, load, split and average them.

`scoring` makes results; `significance`, `reports` and users read them. Nothing here opens a document.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.results.averages import (
        Failures as Failures,
        counted_ratios as counted_ratios,
        has_no_row as has_no_row,
        mean_ratios as mean_ratios,
        order_metrics as order_metrics,
        worst_value as worst_value,
    )
    from evalign.results.codec import (
        DAMAGES as DAMAGES,
        SavedResult as SavedResult,
        SavedSize as SavedSize,
        load_system as load_system,
        parse_json as parse_json,
        system_json as system_json,
    )
    from evalign.results.display import (
        MOST_HTML_ROWS as MOST_HTML_ROWS,
        MOST_SHOWN_WARNINGS as MOST_SHOWN_WARNINGS,
        PRINTED_WIDTH as PRINTED_WIDTH,
        render_html as render_html,
    )
    from evalign.results.evidence import (
        MOST_EVIDENCE as MOST_EVIDENCE,
        MOST_LABELLED_UNITS as MOST_LABELLED_UNITS,
        KeptEvidence as KeptEvidence,
        PageEvidence as PageEvidence,
        SplitTables as SplitTables,
        breakdown_json as breakdown_json,
        cell_json as cell_json,
        error_json as error_json,
        groups_json as groups_json,
        load_groups as load_groups,
    )
    from evalign.results.ledger import (
        RULE_WORDS as RULE_WORDS,
        Ledger as Ledger,
        LedgerRule as LedgerRule,
        PairLedger as PairLedger,
        add_as_read as add_as_read,
        add_written as add_written,
        describe_ledger as describe_ledger,
        join_ledgers as join_ledgers,
        list_tolerated as list_tolerated,
    )
    from evalign.results.pairing import (
        CurvePoint as CurvePoint,
        PairExample as PairExample,
        Pairing as Pairing,
        Review as Review,
        Threshold as Threshold,
        pairing_numbers as pairing_numbers,
    )
    from evalign.results.result import Parts as Parts, Result as Result, load_saved as load_saved
    from evalign.results.shapes import (
        ShapeError as ShapeError,
        check_shape as check_shape,
        describe_kind as describe_kind,
    )
    from evalign.results.signatures import (
        join_signatures as join_signatures,
        list_signatures as list_signatures,
        shorten_signatures as shorten_signatures,
        split_signature as split_signature,
    )
    from evalign.results.split import (
        LABEL_BREAKDOWNS as LABEL_BREAKDOWNS,
        guess_genres as guess_genres,
        search_names as search_names,
        split_names as split_names,
        without_folder as without_folder,
    )
    from evalign.results.sums import MOST_KEPT_WARNINGS as MOST_KEPT_WARNINGS, ResultSum as ResultSum
    from evalign.results.system_result import (
        CountsAlone as CountsAlone,
        Evidence as Evidence,
        NoEvidence as NoEvidence,
        Score as Score,
        SystemResult as SystemResult,
        mean as mean,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".averages": "Failures counted_ratios has_no_row mean_ratios order_metrics worst_value",
        ".codec": "DAMAGES SavedResult SavedSize load_system parse_json system_json",
        ".display": "MOST_HTML_ROWS MOST_SHOWN_WARNINGS PRINTED_WIDTH render_html",
        ".evidence": (
            "KeptEvidence MOST_EVIDENCE MOST_LABELLED_UNITS PageEvidence SplitTables "
            "breakdown_json cell_json error_json groups_json load_groups"
        ),
        ".ledger": (
            "Ledger LedgerRule PairLedger RULE_WORDS add_as_read add_written describe_ledger join_ledgers list_tolerated"
        ),
        ".pairing": "CurvePoint PairExample Pairing Review Threshold pairing_numbers",
        ".result": "Parts Result load_saved",
        ".shapes": "ShapeError check_shape describe_kind",
        ".signatures": "join_signatures list_signatures shorten_signatures split_signature",
        ".split": "LABEL_BREAKDOWNS guess_genres search_names split_names without_folder",
        ".sums": "MOST_KEPT_WARNINGS ResultSum",
        ".system_result": "CountsAlone Evidence NoEvidence Score SystemResult mean",
    },
)
