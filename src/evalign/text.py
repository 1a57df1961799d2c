"""Which characters of a text are on the line, and `Text`, for input that is text and not a path.

Nothing here needs numpy, whose import takes longer than reading most files.
"""

from __future__ import annotations

import os
from typing import IO, TypeAlias

from evalign.errors import check_type

# Positions have 32 bits; `readers.content` refuses a longer file.
LONGEST_LINE = 2**31 - 1

# Unicode White_Space (PropList.txt): never on the line. `kernels.text_scan_cy` has the same set in UTF-8.
WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
)
# Unicode category Zs: the only characters that the CoNLL 2018 script leaves out.
SPACE_SEPARATORS = " \xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u202f\u205f\u3000"
_NO_SPACE = dict.fromkeys(map(ord, WHITE_SPACE))


def without_space(text: str) -> str:
    """Return `text` without white space, as it stands on the line."""
    return text.translate(_NO_SPACE)


class Text:
    """A text given as an input itself, not as a path; `name` stands for it in messages and results."""

    __slots__ = ("name", "text")

    def __init__(self, text: str, name: str = "<text>") -> None:
        check_type(text, str, "the text", "text (of bytes: data.decode())")
        check_type(name, str, "`name=`", "the name of the text")
        self.text, self.name = text, name

    def __repr__(self) -> str:
        return f"Text({self.text!r}, {self.name!r})"


Source: TypeAlias = "str | os.PathLike[str] | IO[str] | IO[bytes] | Text"
"""Input that has bytes to read: a path, a URL, "-" (standard input), an open file or a `Text`."""
