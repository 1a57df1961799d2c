"""Sentences and names as they may stand in a table: on one line, in one cell."""

from __future__ import annotations

import re

# Control characters (category Cc), and the separators that end a line for whoever reads the files again.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def clean_text(text: str) -> str:
    r"""Text without a tab, a line end or a control character: spaces are there instead, and none at its ends.

    >>> clean_text("\ttwo\r\nwords ")
    'two words'
    """
    return (text if text.isprintable() else _CONTROL.sub(" ", text)).strip()
