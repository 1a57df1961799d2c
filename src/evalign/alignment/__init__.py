"""Alignment: bring two documents onto one line, so that their spans can be compared.

`align_documents` is the entry; scoring and metrics use the `Alignment` that it returns. A place is a position
on the line that both documents share:

    equal lines                          positions are places
    equal once notation is normalised    positions of the normalised lines are places
    otherwise                            characters are aligned; what both sides have gets a place
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.alignment.align import PartContext as PartContext, align_documents as align_documents
    from evalign.alignment.align_differing import normalize_document as normalize_document
    from evalign.alignment.alignment import (
        MOST_PLACES as MOST_PLACES,
        Alignment as Alignment,
        AsRead as AsRead,
        PlacedDocument as PlacedDocument,
        RewrittenByList as RewrittenByList,
        RuleUse as RuleUse,
        count_equal_line as count_equal_line,
        share_enough as share_enough,
    )
    from evalign.alignment.character_alignment import (
        EQUAL as EQUAL,
        JUMP as JUMP,
        MODEL as MODEL,
        ONE_SIDED as ONE_SIDED,
        SMALLEST_WINDOW as SMALLEST_WINDOW,
        SUBSTITUTED as SUBSTITUTED,
        PathWalker as PathWalker,
        Stretch as Stretch,
        align_characters as align_characters,
        comes_later as comes_later,
        count_bits as count_bits,
        find_waypoints as find_waypoints,
        slide_pieces as slide_pieces,
        split_pieces as split_pieces,
        walk_characters as walk_characters,
    )
    from evalign.alignment.cut_points import Cuts as Cuts, find_cuts as find_cuts
    from evalign.alignment.differences import (
        DIFFERENCES as DIFFERENCES,
        MOST_SUBSTITUTIONS as MOST_SUBSTITUTIONS,
    )
    from evalign.alignment.fold import (
        SENTENCE_MARK as SENTENCE_MARK,
        TOKEN_MARK as TOKEN_MARK,
        FoldedLine as FoldedLine,
        code_points as code_points,
        fold_aligned as fold_aligned,
        fold_character as fold_character,
        fold_document as fold_document,
        fold_line as fold_line,
        fold_text as fold_text,
    )
    from evalign.alignment.normalize import (
        NOTATION as NOTATION,
        ON_REQUEST as ON_REQUEST,
        RULES as RULES,
        Rule as Rule,
        apply_rules as apply_rules,
        choose_rules as choose_rules,
        load_exceptions as load_exceptions,
        lookup_exception as lookup_exception,
        rewrite_exceptions as rewrite_exceptions,
        shipped_languages as shipped_languages,
    )
    from evalign.alignment.places import (
        NOWHERE as NOWHERE,
        Blocks as Blocks,
        count_equal_before as count_equal_before,
        make_blocks as make_blocks,
        place_characters as place_characters,
        place_side as place_side,
    )
    from evalign.alignment.raw_map import (
        RawMap as RawMap,
        RawSpans as RawSpans,
        align_on_raw as align_on_raw,
        map_raw as map_raw,
    )
    from evalign.alignment.raw_order import (
        NOT_FOUND as NOT_FOUND,
        find_texts as find_texts,
        order_texts as order_texts,
    )
    from evalign.alignment.rewriting import agreed_tokens as agreed_tokens, agreed_words as agreed_words

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".align": "PartContext align_documents",
        ".align_differing": "normalize_document",
        ".alignment": (
            "Alignment AsRead MOST_PLACES PlacedDocument RewrittenByList RuleUse count_equal_line share_enough"
        ),
        ".character_alignment": (
            "EQUAL JUMP MODEL ONE_SIDED PathWalker SMALLEST_WINDOW SUBSTITUTED Stretch "
            "align_characters comes_later count_bits find_waypoints slide_pieces split_pieces "
            "walk_characters"
        ),
        ".cut_points": "Cuts find_cuts",
        ".differences": "DIFFERENCES MOST_SUBSTITUTIONS",
        ".fold": (
            "FoldedLine SENTENCE_MARK TOKEN_MARK code_points fold_aligned fold_character "
            "fold_document fold_line fold_text"
        ),
        ".normalize": (
            "NOTATION ON_REQUEST RULES Rule apply_rules choose_rules load_exceptions "
            "lookup_exception rewrite_exceptions shipped_languages"
        ),
        ".places": "Blocks NOWHERE count_equal_before make_blocks place_characters place_side",
        ".raw_map": "RawMap RawSpans align_on_raw map_raw",
        ".raw_order": "NOT_FOUND find_texts order_texts",
        ".rewriting": "agreed_tokens agreed_words",
    },
)
