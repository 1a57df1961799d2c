"""Results: scores, ledgers and evidence of systems, saved, loaded, split and averaged."""

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
    from evalign.results.display import render_html as render_html
    from evalign.results.genres import guess_genres as guess_genres
    from evalign.results.grouped import LABELS as LABELS, split_names as split_names
    from evalign.results.joined import add_written as add_written, join_ledgers as join_ledgers
    from evalign.results.kept import (
        KeptEvidence as KeptEvidence,
        breakdown_json as breakdown_json,
        cell_json as cell_json,
        error_json as error_json,
    )
    from evalign.results.ledger import Ledger as Ledger, LedgerRule as LedgerRule, PairLedger as PairLedger
    from evalign.results.ledger_words import (
        RULE_WORDS as RULE_WORDS,
        describe_ledger as describe_ledger,
        list_tolerated as list_tolerated,
    )
    from evalign.results.opened import parse_json as parse_json
    from evalign.results.pairing import (
        CurvePoint as CurvePoint,
        PairExample as PairExample,
        Pairing as Pairing,
        Review as Review,
        Threshold as Threshold,
        pairing_numbers as pairing_numbers,
    )
    from evalign.results.result import Parts as Parts, Result as Result, load_saved as load_saved
    from evalign.results.saved import (
        DAMAGES as DAMAGES,
        SavedResult as SavedResult,
        SavedSize as SavedSize,
        load_system as load_system,
        system_json as system_json,
    )
    from evalign.results.scores import Score as Score, mean as mean
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
    from evalign.results.systems import (
        CountsAlone as CountsAlone,
        Evidence as Evidence,
        NoEvidence as NoEvidence,
        SystemResult as SystemResult,
    )
    from evalign.results.tables import load_groups as load_groups

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".averages": "Failures counted_ratios has_no_row mean_ratios order_metrics worst_value",
        ".display": "render_html",
        ".genres": "guess_genres",
        ".grouped": "LABELS split_names",
        ".joined": "add_written join_ledgers",
        ".kept": "KeptEvidence breakdown_json cell_json error_json",
        ".ledger": "Ledger LedgerRule PairLedger",
        ".ledger_words": "RULE_WORDS describe_ledger list_tolerated",
        ".opened": "parse_json",
        ".pairing": "CurvePoint PairExample Pairing Review Threshold pairing_numbers",
        ".result": "Parts Result load_saved",
        ".saved": "DAMAGES SavedResult SavedSize load_system system_json",
        ".scores": "Score mean",
        ".shapes": "ShapeError check_shape describe_kind",
        ".signatures": "join_signatures list_signatures shorten_signatures split_signature",
        ".systems": "CountsAlone Evidence NoEvidence SystemResult",
        ".tables": "load_groups",
    },
)
