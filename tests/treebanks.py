"""CoNLL-U with trees: strategies for small treebanks; `bench.perturb` changes real ones.

Everything here is text, as a reader would get it. A few values are much more frequent than the others, so
that gold and system agree often enough.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import accumulate, product

from hypothesis import strategies as st

from strategies import Token, texts, word_cuts

DEPRELS = ["det", "case", "nsubj", "obj", "aux:pass", "nmod:poss", "nmod", "punct", "conj", "root", "x:y"]
UPOS = ["NOUN", "VERB", "DET", "PUNCT"]
LEMMAS = ["a", "b", "A", "_"]
FEATS = [
    "Number=Sing",
    "Number=Sing|Typo=Yes",
    "Case=Nom|Number=Sing",
    "Number=Sing|Case=Nom",
    "Gender=Fem,Masc",
    "Gender=Masc,Fem",
    "Number[psor]=Plur",
]
PATHS = ["nsubj", "nsubj:xsubj", "conj", "conj:and", "nsubj>conj", "nsubj:pass>conj:or", "root"]
BROKEN_HEADS = ["_", "0", "99", "1", "2", "3"]


@dataclass(frozen=True)
class Texts:
    """Two CoNLL-U texts to compare."""

    gold: str
    system: str


def mostly(usual: str, others: list[str]) -> list[str]:
    """Return values to choose from, half of them the usual one."""
    return [usual] * len(others) + others


# Making strategies and drawing take most of the time: these are made once, and draw four columns at once.
TAGS = st.sampled_from(
    [*product(mostly("a", LEMMAS), mostly("NOUN", UPOS), mostly("_", ["NN"]), mostly("_", FEATS))]
)
LABELS = [st.sampled_from(mostly(usual, DEPRELS)) for usual in DEPRELS[:3]]


@st.composite
def trees(draw: st.DrawFn, size: int) -> list[str]:
    """Draw the heads of a tree with one root: often a chain to the left, else any tree."""
    if draw(st.booleans()):
        return [str(number) for number in range(size)]
    order = draw(st.permutations(range(size)))
    heads = ["0"] * size
    for place in range(1, size):
        heads[order[place]] = str(1 + order[draw(st.integers(0, place - 1))])
    return heads


@st.composite
def broken_trees(draw: st.DrawFn, size: int) -> list[str]:
    """Draw the heads of a tree with some replaced: by the root, none, one out of range, or any.

    Cycles may arise.
    """
    if draw(st.integers(0, 9)) == 0:
        return ["_"] * size
    return [draw(st.sampled_from(mostly(head, BROKEN_HEADS))) for head in draw(trees(size))]


@st.composite
def conllu_sentences(draw: st.DrawFn, tokens: list[Token], *, is_valid: bool = True) -> str:
    """Draw a sentence with these tokens and any annotation.

    Empty nodes are between tokens. If the sentence need not be valid, they also occur inside multiword
    tokens, and heads are broken.
    """
    size = sum(len(inner) or 1 for _, inner in tokens)
    heads = draw(trees(size) if is_valid else broken_trees(size))
    places = (
        [*accumulate((len(inner) or 1 for _, inner in tokens), initial=0)] if is_valid else range(size + 1)
    )
    empty = Counter(draw(st.lists(st.sampled_from(places), max_size=2)))
    sources = [
        *map(str, range(size + 1)),
        *(f"{place}.{k}" for place in empty for k in range(1, empty[place] + 1)),
    ]
    edges = st.lists(st.sampled_from([*product(sources, mostly("nsubj", PATHS))]), max_size=3)

    def deps() -> str:
        drawn = draw(edges)
        drawn += drawn[:1] if len(drawn) == 2 else []  # a duplicate edge
        return "|".join(":".join(edge) for edge in drawn) or "_"

    def empty_nodes(place: int) -> list[list[str]]:
        return [[f"{place}.{k}", *"_" * 7, deps(), "_"] for k in range(1, empty[place] + 1)]

    lines = empty_nodes(0)
    number = 0
    for form, inner in tokens:
        if inner:
            lines.append([f"{number + 1}-{number + len(inner)}", form, *"_" * 8])
        for word in inner or [form]:
            number += 1
            head, deprel = heads[number - 1], draw(LABELS[number % 3])
            lines.append([str(number), word, *draw(TAGS), head, deprel, deps(), "_"])
            lines += empty_nodes(number)
    comment = draw(st.sampled_from(["", "# text = a\tb\n"]))
    return comment + "".join("\t".join(line) + "\n" for line in lines) + "\n"


@st.composite
def conllu_texts(draw: st.DrawFn, text: str, *, is_valid: bool = True) -> str:
    """Draw a treebank over these characters with any segmentation and many multiword tokens."""
    document = draw(word_cuts(text))
    return "".join(draw(conllu_sentences(sentence, is_valid=is_valid)) for sentence in document)


@st.composite
def treebank_texts(draw: st.DrawFn, max_size: int = 8) -> str:
    """Draw a small treebank that the official script accepts; it may be empty."""
    return draw(conllu_texts(draw(texts(max_size))))


@st.composite
def treebank_pairs(draw: st.DrawFn, max_size: int = 8) -> Texts:
    """Draw two treebanks over the same characters that the official script accepts.

    They differ in segmentation and annotation, or only in annotation.
    """
    text = draw(texts(max_size))
    if draw(st.booleans()):
        return Texts(draw(conllu_texts(text)), draw(conllu_texts(text)))
    document = draw(word_cuts(text))
    gold, system = ["".join(draw(conllu_sentences(tokens)) for tokens in document) for _ in range(2)]
    return Texts(gold, system)


@st.composite
def broken_pairs(draw: st.DrawFn, max_size: int = 8) -> Texts:
    """Draw two treebanks over the same characters whose heads need not form trees.

    Those of gold mostly do.
    """
    text = draw(texts(max_size))
    is_gold_valid = draw(st.integers(0, 3)) > 0
    return Texts(draw(conllu_texts(text, is_valid=is_gold_valid)), draw(conllu_texts(text, is_valid=False)))
