"""Readers for the inputs of a data set: documents, pairs of translations, links between documents.

A build reads all its inputs through this package, and the lexicon of the baseline reads pairs.
`read_documents`, `read_source_pairs` and `read_links` choose the reader that the format needs.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.bitext.inputs.folders import read_folder as read_folder
    from evalign.bitext.inputs.formats import (
        AUTO as AUTO,
        DOCUMENT_FORMATS as DOCUMENT_FORMATS,
        LINK_FORMATS as LINK_FORMATS,
        PAIR_FORMATS as PAIR_FORMATS,
        find_document_format as find_document_format,
        find_link_format as find_link_format,
        find_pair_format as find_pair_format,
        read_documents as read_documents,
        read_links as read_links,
        read_source_pairs as read_source_pairs,
    )
    from evalign.bitext.inputs.source import (
        SENTENCES_PER_PIECE as SENTENCES_PER_PIECE,
        Link as Link,
        SourceDocument as SourceDocument,
        SourcePair as SourcePair,
        clean_text as clean_text,
    )
    from evalign.bitext.inputs.tables import (
        check_columns as check_columns,
        read_document_table as read_document_table,
        read_genres as read_genres,
        read_link_table as read_link_table,
        read_moses as read_moses,
        read_pair_table as read_pair_table,
    )
    from evalign.bitext.inputs.tmx import read_tmx as read_tmx
    from evalign.bitext.inputs.wikipedia import (
        LanglinkRow as LanglinkRow,
        read_articles as read_articles,
        read_dump as read_dump,
        read_langlink_rows as read_langlink_rows,
        read_langlinks as read_langlinks,
        read_titles as read_titles,
    )
    from evalign.bitext.inputs.wikitext import (
        BLOCK_MARK as BLOCK_MARK,
        HOLE_MARK as HOLE_MARK,
        LinkParser as LinkParser,
        PageText as PageText,
        find_sections as find_sections,
        load_parser as load_parser,
        read_wikitext as read_wikitext,
        split_paragraphs as split_paragraphs,
        strip_markup as strip_markup,
        strip_quotes as strip_quotes,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".folders": "read_folder",
        ".formats": (
            "AUTO DOCUMENT_FORMATS LINK_FORMATS PAIR_FORMATS find_document_format "
            "find_link_format find_pair_format read_documents read_links read_source_pairs"
        ),
        ".source": "Link SENTENCES_PER_PIECE SourceDocument SourcePair clean_text",
        ".tables": (
            "check_columns read_document_table read_genres read_link_table read_moses read_pair_table"
        ),
        ".tmx": "read_tmx",
        ".wikipedia": ("LanglinkRow read_articles read_dump read_langlink_rows read_langlinks read_titles"),
        ".wikitext": (
            "BLOCK_MARK HOLE_MARK LinkParser PageText find_sections load_parser read_wikitext "
            "split_paragraphs strip_markup strip_quotes"
        ),
    },
)
