"""What the comments of CoNLL-U say of sentences and documents, found when it is first asked for.

    # newdoc id = weblog-7
    # meta::genre = weblog
    # speaker = A
    1	Hello	...

A comment belongs to the sentence it stands above. Those of a document stand above its first sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalign.document import IntArray

# Most comments are the text and the id of a sentence: they are passed over before anything is decoded.
_COMMENT = rb"#(?![ \t]*(?:text|sent_id)[ \t]*=)([^\n=]*)=([^\n]*)"
_FIRST, _OTHERS = re.compile(_COMMENT), re.compile(rb"\n" + _COMMENT)
# Known to a document under other names, or said of the whole file.
_KNOWN = re.compile(r"newdoc(?:\s+id)?|newpar(?:\s.*)?|global\.columns")
_DOCUMENT = re.compile(r"newdoc\s+")


class ConlluComments:
    """Comments of sentences whose words' rows begin at `rows`; `cuts` cuts the words into sentences."""

    def __init__(self, data: bytes, rows: npt.NDArray[np.int64], cuts: IntArray) -> None:
        self._data, self._rows, self._cuts = data, rows, cuts

    @property
    def keys(self) -> Sequence[str]:
        """Every key there is, in the order of the text."""
        return list(self._found)

    def values(self, key: str) -> Mapping[int, str]:
        """What a key says, by sentence; of two in one sentence the last holds."""
        return self._found.get(key, {})

    @cached_property
    def _found(self) -> dict[str, dict[int, str]]:
        matches = list(self._matches())
        # A sentence begins with its first word: behind it no comment is this sentence's.
        firsts = np.append(self._rows, len(self._data))[self._cuts[:-1]]
        sentences = np.searchsorted(firsts, [match.start() for match in matches]).tolist()
        found: dict[str, dict[int, str]] = {}
        for match, sentence in zip(matches, sentences, strict=True):
            key = match[1].decode("utf-8", "replace").strip()
            if key and sentence < len(firsts) and not _KNOWN.fullmatch(key):
                value = match[2].decode("utf-8", "replace").strip()
                found.setdefault(_DOCUMENT.sub("", key), {})[sentence] = value
        return found

    def _matches(self) -> Iterator[re.Match[bytes]]:
        first = _FIRST.match(self._data)
        if first:
            yield first
        yield from _OTHERS.finditer(self._data)
