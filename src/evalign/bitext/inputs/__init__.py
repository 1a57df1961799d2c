"""What a data set is built from: documents of one language, pairs of translations, links between documents."""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.bitext.inputs.formats import (
        AUTO as AUTO,
        DOCUMENT_FORMATS as DOCUMENT_FORMATS,
        LINK_FORMATS as LINK_FORMATS,
        PAIR_FORMATS as PAIR_FORMATS,
        find_document_format as find_document_format,
        find_pair_format as find_pair_format,
        read_documents as read_documents,
        read_links as read_links,
        read_source_pairs as read_source_pairs,
    )
    from evalign.bitext.inputs.source import (
        Link as Link,
        SourceDocument as SourceDocument,
        SourcePair as SourcePair,
        clean_text as clean_text,
    )
    from evalign.bitext.inputs.tables import check_columns as check_columns, read_genres as read_genres

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".formats": (
            "AUTO DOCUMENT_FORMATS LINK_FORMATS PAIR_FORMATS find_document_format "
            "find_pair_format read_documents read_links read_source_pairs"
        ),
        ".source": "Link SourceDocument SourcePair clean_text",
        ".tables": "check_columns read_genres",
    },
)
