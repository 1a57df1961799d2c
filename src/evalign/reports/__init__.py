"""Reports: results and other finished values rendered as text in one of several formats.

The command line prints what is made here. `evalign.reports.html` makes the page for a browser.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.reports.assessor import Assessor as Assessor
    from evalign.reports.attribution import (
        render_attribution as render_attribution,
        report_parsing as report_parsing,
    )
    from evalign.reports.bitext import (
        render_excerpts as render_excerpts,
        report_excerpts as report_excerpts,
        report_review as report_review,
        report_statistics as report_statistics,
    )
    from evalign.reports.blocks import (
        render_blocks as render_blocks,
        render_blocks_jsonl as render_blocks_jsonl,
        render_sentences as render_sentences,
        view_blocks as view_blocks,
    )
    from evalign.reports.breakdowns import Breakdowns as Breakdowns
    from evalign.reports.counts import (
        describe_uncounted as describe_uncounted,
        list_uncounted as list_uncounted,
        render_counts as render_counts,
        render_part_counts as render_part_counts,
    )
    from evalign.reports.definitions import (
        EVALIGN_REFERENCE as EVALIGN_REFERENCE,
        list_definitions as list_definitions,
        render_citations as render_citations,
        render_definition as render_definition,
    )
    from evalign.reports.diff import (
        fit_places as fit_places,
        render_diff as render_diff,
        render_mismatches_json as render_mismatches_json,
        take_excerpt as take_excerpt,
    )
    from evalign.reports.doctor import render_doctor as render_doctor
    from evalign.reports.errors import (
        RankedErrors as RankedErrors,
        fit_confusion_matrix as fit_confusion_matrix,
        make_confusion_matrix as make_confusion_matrix,
        render_errors as render_errors,
        render_matrices as render_matrices,
    )
    from evalign.reports.formats import (
        CYAN as CYAN,
        FORMULA_SIGNS as FORMULA_SIGNS,
        RED as RED,
        RENDERERS as RENDERERS,
        YELLOW as YELLOW,
        Report as Report,
        csv_cell as csv_cell,
        json_text as json_text,
        latex_cell as latex_cell,
        markdown_cell as markdown_cell,
        painter as painter,
        render_csv as render_csv,
        render_latex as render_latex,
        render_markdown as render_markdown,
        render_report as render_report,
        render_text as render_text,
        render_typst as render_typst,
        typst_cell as typst_cell,
    )
    from evalign.reports.gate import render_gate as render_gate
    from evalign.reports.parts import (
        MACRO_AVERAGE as MACRO_AVERAGE,
        MICRO_AVERAGE as MICRO_AVERAGE,
        cover_alike as cover_alike,
        parts_json as parts_json,
        render_part_lines as render_part_lines,
        render_parts as render_parts,
        render_parts_csv as render_parts_csv,
    )
    from evalign.reports.plots import (
        need_matplotlib as need_matplotlib,
        plot_comparison as plot_comparison,
        plot_profiles as plot_profiles,
    )
    from evalign.reports.scores import (
        long_table as long_table,
        only_value as only_value,
        render_lines as render_lines,
        render_scores as render_scores,
        render_systems as render_systems,
        scores_json as scores_json,
    )
    from evalign.reports.signatures import report_signatures as report_signatures
    from evalign.reports.significance import (
        Assessed as Assessed,
        AssessedParts as AssessedParts,
        assess_all as assess_all,
    )
    from evalign.reports.study import STUDY_PAGE as STUDY_PAGE, make_study_files as make_study_files
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
    from evalign.reports.verdict import AssessedScores as AssessedScores

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".assessor": "Assessor",
        ".attribution": "render_attribution report_parsing",
        ".bitext": "render_excerpts report_excerpts report_review report_statistics",
        ".blocks": "render_blocks render_blocks_jsonl render_sentences view_blocks",
        ".breakdowns": "Breakdowns",
        ".counts": "describe_uncounted list_uncounted render_counts render_part_counts",
        ".definitions": "EVALIGN_REFERENCE list_definitions render_citations render_definition",
        ".diff": "fit_places render_diff render_mismatches_json take_excerpt",
        ".doctor": "render_doctor",
        ".errors": ("RankedErrors fit_confusion_matrix make_confusion_matrix render_errors render_matrices"),
        ".formats": (
            "CYAN FORMULA_SIGNS RED RENDERERS Report YELLOW csv_cell json_text latex_cell "
            "markdown_cell painter render_csv render_latex render_markdown render_report "
            "render_text render_typst typst_cell"
        ),
        ".gate": "render_gate",
        ".parts": (
            "MACRO_AVERAGE MICRO_AVERAGE cover_alike parts_json render_part_lines render_parts "
            "render_parts_csv"
        ),
        ".plots": "need_matplotlib plot_comparison plot_profiles",
        ".scores": "long_table only_value render_lines render_scores render_systems scores_json",
        ".signatures": "report_signatures",
        ".significance": "Assessed AssessedParts assess_all",
        ".study": "STUDY_PAGE make_study_files",
        ".triples": "render_triples",
        ".typology": (
            "report_agreements report_cascades report_comparison report_profiles "
            "report_run_agreements report_selection report_weights"
        ),
        ".verdict": "AssessedScores",
    },
)
