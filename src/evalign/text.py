"""Text: what of it stands on the line, and text that is given as it is.

Nothing here needs numpy, which takes longer to start than most files to read.
"""

from __future__ import annotations

# Positions are 32-bit; `readers.content` refuses a longer file.
LONGEST_LINE = 2**31 - 1

# Unicode White_Space (PropList.txt): what is never on the line. `kernels.text_scan_cy` knows the same set in UTF-8.
WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
)
# Unicode category Zs: what is not on the line of the CoNLL 2018 script.
SPACE_SEPARATORS = " \xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u202f\u205f\u3000"
_NO_SPACE = dict.fromkeys(map(ord, WHITE_SPACE))


def without_space(text: str) -> str:
    """Text as it stands on the line."""
    return text.translate(_NO_SPACE)


class Text:
    """Text given as it is, not as a path."""

    __slots__ = ("name", "text")

    def __init__(self, text: str, name: str = "<text>") -> None:
        self.text, self.name = text, name

    def __repr__(self) -> str:
        return f"Text({self.text!r}, {self.name!r})"
