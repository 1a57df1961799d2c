"""Errors of a comparison: found, grouped, placed in the text, counted by label, and charged to stages.

`scoring` asks for them and keeps some in saved results; `reports` shows them.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics.errors.all_errors import (
        count_kinds as count_kinds,
        count_label_pairs as count_label_pairs,
        find_cells as find_cells,
        find_mismatches as find_mismatches,
        group_errors as group_errors,
    )
    from evalign.metrics.errors.breakdowns import (
        BREAKDOWNS as BREAKDOWNS,
        FREQUENCIES as FREQUENCIES,
        break_down as break_down,
        check_kind as check_kind,
        describe_needs as describe_needs,
        find_bins as find_bins,
        find_forms as find_forms,
        find_kinds as find_kinds,
        find_label_counts as find_label_counts,
        sort_labels as sort_labels,
    )
    from evalign.metrics.errors.label_errors import ASPECTS as ASPECTS, count_gold_words as count_gold_words
    from evalign.metrics.errors.mismatches import (
        BOUNDARY as BOUNDARY,
        CONTEXT as CONTEXT,
        LONGEST_SIDE as LONGEST_SIDE,
        MOST_CONFUSIONS as MOST_CONFUSIONS,
        NO_TEXT as NO_TEXT,
        NOTHING as NOTHING,
        ErrorCell as ErrorCell,
        ErrorCells as ErrorCells,
        ErrorGroup as ErrorGroup,
        Mismatch as Mismatch,
        PairCounts as PairCounts,
        Surroundings as Surroundings,
        differing_features as differing_features,
        group_mismatches as group_mismatches,
        group_sides as group_sides,
        join_label as join_label,
        mismatch_sides as mismatch_sides,
        name_head as name_head,
        show_labels as show_labels,
    )
    from evalign.metrics.errors.passages import (
        Passage as Passage,
        Passages as Passages,
        PassageTree as PassageTree,
        choose_again as choose_again,
        find_candidates as find_candidates,
        find_passages as find_passages,
        keep_candidates as keep_candidates,
        thin_passages as thin_passages,
    )
    from evalign.metrics.errors.positions import (
        LOCATED_METRICS as LOCATED_METRICS,
        MOST_MARKS as MOST_MARKS,
        NO_SLOTS as NO_SLOTS,
        LocatedErrors as LocatedErrors,
        Marks as Marks,
        MetricMarks as MetricMarks,
        Positions as Positions,
        Ticks as Ticks,
        choose_candidates as choose_candidates,
        choose_rows as choose_rows,
        find_width as find_width,
        first_of_kinds as first_of_kinds,
        has_multiword as has_multiword,
        locate_errors as locate_errors,
        mark_errors as mark_errors,
        unfold_positions as unfold_positions,
    )
    from evalign.metrics.errors.sentence_groups import (
        LENGTH as LENGTH,
        LENGTHS as LENGTHS,
        LONGEST_VALUE as LONGEST_VALUE,
        MOST_FIELDS as MOST_FIELDS,
        NO_VALUE as NO_VALUE,
        GroupedCounts as GroupedCounts,
        SentenceGroups as SentenceGroups,
        choose_kept as choose_kept,
        count_grouped as count_grouped,
        count_groups as count_groups,
        count_labels as count_labels,
        document_fields as document_fields,
        find_field as find_field,
        find_grouped_fields as find_grouped_fields,
        group_by_comment as group_by_comment,
        group_by_length as group_by_length,
        sentence_fields as sentence_fields,
        sort_names as sort_names,
    )
    from evalign.metrics.errors.span_errors import find_surrounded as find_surrounded
    from evalign.metrics.errors.stages import (
        INPUT_STAGES as INPUT_STAGES,
        STAGES as STAGES,
        Charges as Charges,
        Losses as Losses,
        charge_arcs as charge_arcs,
        charge_brackets as charge_brackets,
        find_charges as find_charges,
        find_losses as find_losses,
        make_losses as make_losses,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".all_errors": "count_kinds count_label_pairs find_cells find_mismatches group_errors",
        ".breakdowns": (
            "BREAKDOWNS FREQUENCIES break_down check_kind describe_needs find_bins find_forms "
            "find_kinds find_label_counts sort_labels"
        ),
        ".label_errors": "ASPECTS count_gold_words",
        ".mismatches": (
            "BOUNDARY CONTEXT ErrorCell ErrorCells ErrorGroup LONGEST_SIDE MOST_CONFUSIONS "
            "Mismatch NOTHING NO_TEXT PairCounts Surroundings differing_features group_mismatches "
            "group_sides join_label mismatch_sides name_head show_labels"
        ),
        ".passages": (
            "Passage PassageTree Passages choose_again find_candidates find_passages "
            "keep_candidates thin_passages"
        ),
        ".positions": (
            "LOCATED_METRICS LocatedErrors MOST_MARKS Marks MetricMarks NO_SLOTS Positions Ticks "
            "choose_candidates choose_rows find_width first_of_kinds has_multiword locate_errors "
            "mark_errors unfold_positions"
        ),
        ".sentence_groups": (
            "GroupedCounts LENGTH LENGTHS LONGEST_VALUE MOST_FIELDS NO_VALUE SentenceGroups "
            "choose_kept count_grouped count_groups count_labels document_fields find_field "
            "find_grouped_fields group_by_comment group_by_length sentence_fields sort_names"
        ),
        ".span_errors": "find_surrounded",
        ".stages": (
            "Charges INPUT_STAGES Losses STAGES charge_arcs charge_brackets find_charges "
            "find_losses make_losses"
        ),
    },
)
