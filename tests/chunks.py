"""Gold and systems in chunks: pieces of text that end a sentence on all sides.

So the whole can be cut between any two chunks. Where lines differ, every chunk begins and ends with a
sentence that occurs nowhere else and is written alike on all sides. It is long enough for the alignment to be
certain on both sides of a cut.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

from evalign.options import ScoreOptions
from evalign.readers.chunks import Chunk, read_chunk
from strategies import cuts, edited, texts, word_cuts
from treebanks import conllu_sentences
from trees import Node, restructured, with_more

FORMATS = ("plain", "conllu", "trees")
# Columns of CoNLL-U that may be empty in a chunk.
COLUMNS = {"lemma": 2, "upos": 3, "xpos": 4, "feats": 5, "head": 6, "deprel": 7, "deps": 8}
LETTERS = "defghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Chunks:
    """All sides, gold first: a format and chunks of text for each.

    Every side has the same number of chunks.
    """

    formats: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...]

    @property
    def n(self) -> int:
        return len(self.sides[0])

    def read(self, side: int, first: int, end: int, **reading):
        """Read the chunks from `first` to `end` of a side as a part of the whole."""
        chunks = [text.encode() for text in self.sides[side]]
        before, data = b"".join(chunks[:first]), b"".join(chunks[first:end])
        name = f"system{side}" if side else "gold"
        start, lineno = len(before), before.count(b"\n") + 1
        piece = Chunk(
            name, self.formats[side], "", start, start + len(data), lineno, "lf", end == self.n, data
        )
        return read_chunk(piece, ScoreOptions(**reading))

    def whole(self, **reading):
        return [self.read(side, 0, self.n, **reading) for side in range(len(self.sides))]

    def parts(self, bounds, **reading):
        return [
            [self.read(side, first, end, **reading) for side in range(len(self.sides))]
            for first, end in pairwise(bounds)
        ]


def anchor(number: int) -> str:
    """Return a sentence that occurs once in a text."""
    rng = np.random.default_rng(number)
    return "".join(rng.choice(list(LETTERS), 40))


@st.composite
def blanked(draw, text: str, always: frozenset[str]) -> str:
    """Draw CoNLL-U in which some columns are `_` for all words."""
    lacking = always | frozenset(draw(st.lists(st.sampled_from(sorted(COLUMNS)), max_size=3)))
    lines = [line.split("\t") for line in text.split("\n")]
    for columns in lines:
        if len(columns) == 10:
            for name in lacking:
                columns[COLUMNS[name]] = "_"
    return "\n".join("\t".join(columns) for columns in lines)


@st.composite
def conllu_chunk(draw, text: str, always: frozenset[str]) -> str:
    is_valid = draw(st.booleans())
    sentences = draw(word_cuts(text))
    written = "".join(draw(conllu_sentences(sentence, is_valid=is_valid)) for sentence in sentences)
    if draw(st.integers(0, 4)) == 0:  # labels in other case
        written = written.replace("\tNOUN\t", "\tNoun\t").replace("\tnsubj\t", "\tNsubj\t")
    return draw(blanked(written, always)) if draw(st.booleans()) else written


@st.composite
def tree_chunk(draw, tokens: list[list[str]]) -> str:
    """Draw trees over sentences of tokens."""
    lines = []
    for sentence in tokens:
        leaves = tuple(Node(draw(st.sampled_from(["NN", "VB", ","])), token) for token in sentence)
        tree = draw(restructured(Node(draw(st.sampled_from(["ROOT", "S"])), leaves)))
        lines.append(str(draw(with_more(tree)) if draw(st.booleans()) else tree))
        lines += draw(st.sampled_from([[], [], [], [], ["(())"], ["(S (NN a b))"], [")"]]))
    return "".join(f"{line}\n" for line in lines)


@st.composite
def write_chunk(draw, format: str, text: str, always: frozenset[str]) -> str:
    if format == "conllu":
        return draw(conllu_chunk(text, always))
    tokens = draw(cuts(text))
    if format == "trees":
        return draw(tree_chunk(tokens))
    return "".join(" ".join(sentence) + "\n" for sentence in tokens)


def write_anchor(format: str, text: str) -> str:
    """Return a sentence of one word for an end of a chunk."""
    if format == "conllu":
        return f"1\t{text}\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    return f"(ROOT (NN {text}))\n" if format == "trees" else f"{text}\n"


@st.composite
def chunked(draw, differing: bool = False, documents: bool = True, most_systems: int = 2) -> Chunks:
    """Draw gold and one or two systems in a few chunks; gold may say where documents begin."""
    family = draw(st.sampled_from(["plain", "conllu", "conllu", "trees", "mixed"]))
    n_sides = 1 + draw(st.integers(1, most_systems))
    formats = tuple(draw(st.sampled_from(FORMATS)) if family == "mixed" else family for _ in range(n_sides))
    always = [frozenset(draw(st.lists(st.sampled_from(sorted(COLUMNS)), max_size=2))) for _ in formats]
    has_documents = documents and draw(st.booleans())
    sides: list[list[str]] = [[] for _ in formats]
    for number in range(draw(st.integers(1, 4))):
        text = draw(texts(10)) or "ab"
        for side, format in enumerate(formats):
            own = text
            if differing and side and draw(st.booleans()):
                changed = draw(edited([list(text)]))
                own = "".join(token for sentence in changed for token in sentence) or "b"
            written = draw(write_chunk(format, own, always[side]))
            if differing:
                ends = [write_anchor(format, anchor(2 * number + k)) for k in range(2)]
                written = ends[0] + written + ends[1]
            if side == 0 and format == "conllu" and has_documents and draw(st.booleans()):
                written = f"# newdoc id = d{number}\n" + written
            sides[side].append(written)
    return Chunks(formats, tuple(map(tuple, sides)))


@st.composite
def bounds(draw, chunks: Chunks) -> list[int]:
    """Draw the bounds of parts.

    No part begins with a multiword token, because its words may pair with words before it.
    """
    inner = [
        k
        for k in range(1, chunks.n)
        if not any(begins_multiword(side[k]) for side in chunks.sides) and draw(st.integers(0, 2))
    ]
    return [0, *inner, chunks.n]


def begins_multiword(text: str) -> bool:
    """Return whether CoNLL-U begins with a multiword token."""
    rows = (line for line in text.split("\n") if not re.match(r"#|[0-9]+\.", line))
    return bool(re.match(r"[0-9]+-[0-9]+\t", next(rows)))
