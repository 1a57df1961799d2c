"""Data that the page's scripts read: JSON inside of script elements, which no browser runs."""

from __future__ import annotations

import json
import re

from markupsafe import Markup

# What would end a script element or begin another, what JavaScript takes for the end of a line, what turns text
# around for who reads the source, and what is no character on its own. Inside of JSON each of them can stand only in a
# string, where it may be written by number.
_UNSAFE = re.compile("[<>&\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]")


def embed(value: object) -> Markup:
    r"""JSON that is safe inside of a script element, and the same for the same value.

    >>> print(embed({"name": "</script>"}))
    {"name":"\u003c/script\u003e"}
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # Nothing is left in it that a parser of HTML would look at.
    return Markup(_UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text))
