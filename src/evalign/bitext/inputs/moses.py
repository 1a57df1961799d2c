"""Two files whose lines belong together, as Moses and OPUS have them: a language in each."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import zip_longest

from evalign.bitext.inputs import SourcePair
from evalign.bitext.inputs.cleaning import clean_text
from evalign.bitext.inputs.tables import Skipped, no_skipped
from evalign.errors import InputError, Place, show_name
from evalign.progress import Progress, no_progress
from evalign.readers import read_lines


def read_moses(
    first: str | os.PathLike[str],
    second: str | os.PathLike[str],
    *,
    skipped: Skipped = no_skipped,
    progress: Progress = no_progress,
) -> Iterator[SourcePair]:
    """Pairs of two files, called by their line; raises `InputError` in the end if one has more lines.

    A pair with an empty side is skipped, and told of if the other side has something.
    """
    linenos = [0, 0]
    name = show_name(first)
    for one, two in zip_longest(read_lines(first, progress), read_lines(second)):
        linenos = [one[0] if one else linenos[0], two[0] if two else linenos[1]]
        if one is None or two is None:
            continue
        sentences = clean_text(one[1]), clean_text(two[1])
        if all(sentences):
            yield SourcePair(str(one[0]), "", *sentences)
        elif any(sentences):
            skipped(Place(name, one[0]))
    if linenos[0] != linenos[1]:
        found = f"{linenos[0]:,} lines, and {linenos[1]:,} in {show_name(second)}"
        raise InputError(Place(name), found, "as many in both: line by line they are translations")
