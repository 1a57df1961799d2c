"""Folders of files to measure on, made in a process of its own.

    python -m bench.making FOLDER treebanks|build|mine NAME NUMBER...

This makes FOLDER/NAME. The numbers are treebanks and words of each for `treebanks`, sentences and pairs of a
data set for `build`, and sentences for `mine`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from bench.bitext import write_inputs, write_mined
from bench.corpora import write_treebanks

MAKERS: dict[str, Callable[..., object]] = {
    "treebanks": write_treebanks,
    "build": write_inputs,
    "mine": write_mined,
}

if __name__ == "__main__":
    target, kind, name, *numbers = sys.argv[1:]
    folder = Path(target, name)
    folder.mkdir()
    MAKERS[kind](folder, *map(int, numbers))
