"""Leaves with numbers: how discontinuous trees in brackets say where in the sentence a word stands (disco-dop).

(S (VP (VB 0=is) (JJ 2=rich)) (NP 1=John))      leaves
(S (VP (VB 0) (JJ 2)) (NP 1))<tab>is John rich  behind
"""

from __future__ import annotations

import re
from typing import Literal

Numbering = Literal["leaves", "behind"]

_PIECE = re.compile(rb"[()]|[^\s()]+")
_NUMBERED = re.compile(rb"\d+=.")
_COMMENT = re.compile(rb"^[ \t\r\v\f]*#[^\n]*", re.MULTILINE)
# Bytes that are looked at for the first tree with words.
_LONGEST = 1 << 16


def find_numbering(data: bytes) -> Numbering | None:
    """How the leaves of the first tree that has some are numbered, if all of them are."""
    leaves, end = _first_leaves(data)
    if not leaves:
        return None
    if all(map(_NUMBERED.match, leaves)):
        return "leaves"
    behind = data[end : end + _LONGEST].partition(b"\n")[0]
    numbers = sorted(b"%d" % number for number in range(len(leaves)))
    return "behind" if behind.strip() and sorted(leaves) == numbers else None


def _first_leaves(data: bytes) -> tuple[list[bytes], int]:
    """The words of the first tree that has some, as they are written, and where it ends."""
    leaves: list[bytes] = []
    depth = end = n_texts = 0
    text = b""
    shown = data[:_LONGEST]
    if b"#" in shown:
        shown = _COMMENT.sub(lambda found: b" " * len(found[0]), shown)
    for piece in _PIECE.finditer(shown):
        found, end = piece[0], piece.end()
        if found == b"(":
            depth += 1
        elif found != b")":
            text, n_texts = found, n_texts + 1
            continue
        else:
            # A label and a word, and nothing between them and the closing bracket.
            if n_texts == 2 and depth > 0:
                leaves.append(text)
            depth = max(depth - 1, 0)
            if not depth and leaves:
                break
        n_texts = 0
    return leaves, end
