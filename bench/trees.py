"""Seeded trees to measure on, and a system's wrong copy of them.

    python -m bench.trees FOLDER SENTENCES

This writes SENTENCES.gold.mrg and SENTENCES.system.mrg. It is a process of its own, because the peak memory
of a child process includes what its parent held when the child was started. With EVALIGN_DATA the trees are
GUM's and their perturbed copy, repeated; otherwise they are invented.
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

from bench.corpora import sentences

PARAMETERS = """\
MAX_ERROR 1000000
CUTOFF_LEN 40
DELETE_LABEL TOP
DELETE_LABEL ROOT
DELETE_LABEL -NONE-
DELETE_LABEL ,
DELETE_LABEL :
DELETE_LABEL ``
DELETE_LABEL ''
DELETE_LABEL .
DELETE_LABEL_FOR_LENGTH -NONE-
EQ_LABEL ADVP PRT
"""
LABELS = ["S", "NP", "VP", "PP", "NP-SBJ", "ADVP", "SBAR", "PRT", "NP-TMP"]
TAGS = ["NN", "DT", "IN", "VBD", "JJ", "NNS", "RB"]


def tree(rng: random.Random, words: list[str]) -> str:
    """Return a random tree over the words, mostly of two branches."""
    if len(words) == 1:
        tag = "." if words[0] == "." else TAGS[len(words[0]) % len(TAGS)]
        return f"({tag} {words[0]})"
    at = rng.randint(1, min(3, len(words) - 1))
    inside = f"{tree(rng, words[:at])} {tree(rng, words[at:])}"
    return f"({rng.choice(LABELS)} {inside})"


def invented(n: int) -> tuple[list[str], list[str]]:
    """Return trees over invented sentences, and a copy in which three in ten sentences are parsed anew."""
    rng = random.Random(5)
    rows = [row for row in sentences(14 * n) if row][:n]
    gold = [f"(ROOT {tree(rng, row)})" for row in rows]
    system = [
        f"(ROOT {tree(rng, row)})" if rng.random() < 0.3 else line
        for row, line in zip(rows, gold, strict=True)
    ]
    return gold, system


def repeated(n: int) -> tuple[list[str], list[str]] | None:
    """Return GUM's trees and their perturbed copy, repeated as needed; None if EVALIGN_DATA lacks them."""
    folder = Path(os.environ.get("EVALIGN_DATA", "")) / "constituency/gum"
    if not (folder / "gold.mrg").is_file():
        return None
    pair = [
        (folder / name).read_text(encoding="utf-8").splitlines() for name in ("gold.mrg", "sys_perturbed.mrg")
    ]
    gold, system = (lines * (n // len(lines) + 1) for lines in pair)
    return gold[:n], system[:n]


if __name__ == "__main__":
    target, size = Path(sys.argv[1]), int(sys.argv[2])
    for name, lines in zip(("gold", "system"), repeated(size) or invented(size), strict=True):
        text = "".join(f"{line}\n" for line in lines)
        (target / f"{size}.{name}.mrg").write_text(text, encoding="utf-8", newline="\n")
