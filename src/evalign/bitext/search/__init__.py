"""Search for similar sentences: the interface of search engines, and tantivy, which is the default."""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.bitext.search.query import (
        Hit as Hit,
        Query as Query,
        SearchEngine as SearchEngine,
        SearchIndex as SearchIndex,
        make_query as make_query,
    )
    from evalign.bitext.search.tantivy_engine import TantivyEngine as TantivyEngine

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".query": "Hit Query SearchEngine SearchIndex make_query",
        ".tantivy_engine": "TantivyEngine",
    },
)
