"""Names of files and systems, as short as they can be told apart by."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import takewhile

SEPARATORS = "/\\._- "


def file_name(path: str) -> str:
    """The last part of a path, and the line number behind it if there is one.

    >>> file_name("runs/english/gold.conllu:41")
    'gold.conllu:41'
    """
    return path[max(path.rfind(mark) for mark in {"/", os.sep}) + 1 :] or path


def tell_apart(names: Sequence[str]) -> list[str]:
    """Names without what all of them begin and end with, as far as that is whole parts of a name.

    A name that is given twice has nothing to be told apart by, and stays whole but for its folder and ending.

    >>> tell_apart(["runs/ewt.nltk.txt", "runs/ewt.moses.txt"]), tell_apart(["runs/en-ewt.txt"] * 2)
    (['nltk', 'moses'], ['en-ewt', 'en-ewt'])
    """
    if len(names) < 2:
        return [file_name(name) for name in names]
    after = _common_start([name[::-1] for name in names])[::-1]
    if len(set(names)) == 1:
        after = file_name(after)
    ending = after[after.find(".") :] if "." in after else ""
    stems = [name.removesuffix(ending) for name in names]
    before = _common_start(stems)
    marks = SEPARATORS if len(set(names)) > 1 else ("/", os.sep)
    start = max(before.rfind(mark) for mark in marks) + 1
    apart = [stem[start:] for stem in stems]
    return apart if all(apart) else [file_name(name) for name in names]


def _common_start(names: Sequence[str]) -> str:
    first, last = min(names), max(names)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))
    return first[:same]
