"""Readers: a file, a string or live objects to a `Document`.

All of it is loaded when it is asked for: the compatible commands read without documents and numpy, and `evalb` without
the checks of the others.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.readers.formats import READERS, find_format, read_source
    from evalign.readers.live.tokens import read_tokens
    from evalign.readers.source import Content, Source, load

__all__ = ["READERS", "Content", "Source", "find_format", "load", "read_source", "read_tokens"]

_HOMES = {
    "READERS": "formats", "find_format": "formats", "read_source": "formats", "read_tokens": "live.tokens",
    "Content": "source", "Source": "source", "load": "source",
}  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module

    return getattr(import_module(f"evalign.readers.{_HOMES[name]}"), name)
