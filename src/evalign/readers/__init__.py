"""Readers: a file, a string or live objects to a `Document`.

All of it is loaded when it is asked for: the compatible commands read without documents and numpy, and `evalb` without
the checks of the others.
"""

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.readers.formats import (
        READERS as READERS,
        find_format as find_format,
        read_source as read_source,
    )
    from evalign.readers.live.tokens import read_tokens as read_tokens
    from evalign.readers.source import Content as Content, Source as Source, load as load

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".formats": "READERS find_format read_source",
        ".live.tokens": "read_tokens",
        ".source": "Content Source load",
    },
)
