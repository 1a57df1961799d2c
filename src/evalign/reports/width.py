"""Text measured as a terminal shows it, and shortened or broken to fit; names as they are shortened for tables."""

from __future__ import annotations

from evalign.names import file_name, tell_apart
from evalign.wording import CUT, fold, head, shorten, tail, widest, width_of

# Whoever sets a table needs both.
__all__ = [
    "CUT",
    "file_name",
    "fold",
    "head",
    "shorten",
    "tail",
    "tell_apart",
    "widest",
    "width_of",
]
