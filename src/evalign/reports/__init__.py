"""Reports: a result, an alignment or a list of errors to text."""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.reports.attribution import render_attribution as render_attribution
    from evalign.reports.bitext import report_review as report_review, report_statistics as report_statistics
    from evalign.reports.bitext_excerpts import (
        render_excerpts as render_excerpts,
        report_excerpts as report_excerpts,
    )
    from evalign.reports.blocks import (
        render_blocks as render_blocks,
        render_blocks_jsonl as render_blocks_jsonl,
        render_sentences as render_sentences,
        view_blocks as view_blocks,
    )
    from evalign.reports.breakdowns import Breakdowns as Breakdowns
    from evalign.reports.citations import EVALIGN as EVALIGN, render_citations as render_citations
    from evalign.reports.counts import (
        describe_uncounted as describe_uncounted,
        list_uncounted as list_uncounted,
        render_counts as render_counts,
        render_part_counts as render_part_counts,
    )
    from evalign.reports.definitions import (
        list_definitions as list_definitions,
        render_definition as render_definition,
    )
    from evalign.reports.diff import (
        render_diff as render_diff,
        render_mismatches_json as render_mismatches_json,
    )
    from evalign.reports.doctor import render_doctor as render_doctor
    from evalign.reports.errors import (
        RankedErrors as RankedErrors,
        render_errors as render_errors,
        render_matrices as render_matrices,
    )
    from evalign.reports.escape import json_text as json_text
    from evalign.reports.formats import Report as Report, render_report as render_report
    from evalign.reports.gate import render_gate as render_gate
    from evalign.reports.lines import render_lines as render_lines, render_part_lines as render_part_lines
    from evalign.reports.paint import CYAN as CYAN, RED as RED, YELLOW as YELLOW, painter as painter
    from evalign.reports.paper import render_systems as render_systems
    from evalign.reports.parsing_table import report_parsing as report_parsing
    from evalign.reports.parts import (
        parts_json as parts_json,
        render_csv as render_csv,
        render_parts as render_parts,
    )
    from evalign.reports.plots import (
        need_matplotlib as need_matplotlib,
        plot_comparison as plot_comparison,
        plot_profiles as plot_profiles,
    )
    from evalign.reports.scores import (
        long_table as long_table,
        only_value as only_value,
        render_scores as render_scores,
        scores_json as scores_json,
    )
    from evalign.reports.signatures import report_signatures as report_signatures
    from evalign.reports.significance import (
        Assessed as Assessed,
        AssessedParts as AssessedParts,
        assess_all as assess_all,
    )
    from evalign.reports.study import PAGE as PAGE, make_study_files as make_study_files
    from evalign.reports.table import RENDERERS as RENDERERS
    from evalign.reports.triples import render_triples as render_triples
    from evalign.reports.typology import (
        report_agreements as report_agreements,
        report_cascades as report_cascades,
        report_comparison as report_comparison,
        report_profiles as report_profiles,
        report_run_agreements as report_run_agreements,
        report_selection as report_selection,
        report_weights as report_weights,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".attribution": "render_attribution",
        ".bitext": "report_review report_statistics",
        ".bitext_excerpts": "render_excerpts report_excerpts",
        ".blocks": "render_blocks render_blocks_jsonl render_sentences view_blocks",
        ".breakdowns": "Breakdowns",
        ".citations": "EVALIGN render_citations",
        ".counts": "describe_uncounted list_uncounted render_counts render_part_counts",
        ".definitions": "list_definitions render_definition",
        ".diff": "render_diff render_mismatches_json",
        ".doctor": "render_doctor",
        ".errors": "RankedErrors render_errors render_matrices",
        ".escape": "json_text",
        ".formats": "Report render_report",
        ".gate": "render_gate",
        ".lines": "render_lines render_part_lines",
        ".paint": "CYAN RED YELLOW painter",
        ".paper": "render_systems",
        ".parsing_table": "report_parsing",
        ".parts": "parts_json render_csv render_parts",
        ".plots": "need_matplotlib plot_comparison plot_profiles",
        ".scores": "long_table only_value render_scores scores_json",
        ".signatures": "report_signatures",
        ".significance": "Assessed AssessedParts assess_all",
        ".study": "PAGE make_study_files",
        ".table": "RENDERERS",
        ".triples": "render_triples",
        ".typology": (
            "report_agreements report_cascades report_comparison report_profiles "
            "report_run_agreements report_selection report_weights"
        ),
    },
)
