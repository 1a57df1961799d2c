"""CoNLL-U with trees: strategies for small treebanks, and seeded changes of real ones.

Everything here is text, as a reader would find it. A few values are much commoner
than the others, so that gold and system have something to agree on.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate, product

from hypothesis import strategies as st

from oracles.dependencies import sentences_of
from oracles.enhanced import deps_of
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
    """Values to choose from, half of them the usual one."""
    return [usual] * len(others) + others


# Making strategies and drawing is what takes time: these are made once, and draw four columns as one.
TAGS = st.sampled_from(
    [*product(mostly("a", LEMMAS), mostly("NOUN", UPOS), mostly("_", ["NN"]), mostly("_", FEATS))]
)
LABELS = [st.sampled_from(mostly(usual, DEPRELS)) for usual in DEPRELS[:3]]


@st.composite
def trees(draw: st.DrawFn, size: int) -> list[str]:
    """Heads of a tree with one root: often a chain to the left, else any tree."""
    if draw(st.booleans()):
        return [str(number) for number in range(size)]
    order = draw(st.permutations(range(size)))
    heads = ["0"] * size
    for place in range(1, size):
        heads[order[place]] = str(1 + order[draw(st.integers(0, place - 1))])
    return heads


@st.composite
def broken_trees(draw: st.DrawFn, size: int) -> list[str]:
    """Heads of a tree, some replaced: by the root, by none, by one out of range, by any; may form cycles."""
    if draw(st.integers(0, 9)) == 0:
        return ["_"] * size
    return [draw(st.sampled_from(mostly(head, BROKEN_HEADS))) for head in draw(trees(size))]


@st.composite
def conllu_sentences(draw: st.DrawFn, tokens: list[Token], *, is_valid: bool = True) -> str:
    """A sentence with these tokens and any annotation.

    Empty nodes stand between tokens. If it need not be valid they also stand inside
    multiword tokens, and heads are broken.
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
        drawn += drawn[:1] if len(drawn) == 2 else []  # an edge that is there twice
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
    """A treebank over these characters, any segmentation, rich in multiword tokens."""
    document = draw(word_cuts(text))
    return "".join(draw(conllu_sentences(sentence, is_valid=is_valid)) for sentence in document)


@st.composite
def treebank_texts(draw: st.DrawFn, max_size: int = 8) -> str:
    """A small treebank that the official script accepts; may be empty."""
    return draw(conllu_texts(draw(texts(max_size))))


@st.composite
def treebank_pairs(draw: st.DrawFn, max_size: int = 8) -> Texts:
    """Two treebanks on the same characters that the official script accepts.

    Segmentation and annotation are each one's own, or only the annotation is.
    """
    text = draw(texts(max_size))
    if draw(st.booleans()):
        return Texts(draw(conllu_texts(text)), draw(conllu_texts(text)))
    document = draw(word_cuts(text))
    gold, system = ["".join(draw(conllu_sentences(tokens)) for tokens in document) for _ in range(2)]
    return Texts(gold, system)


@st.composite
def broken_pairs(draw: st.DrawFn, max_size: int = 8) -> Texts:
    """Two treebanks on the same characters with heads that are no trees; the gold ones mostly are."""
    text = draw(texts(max_size))
    is_gold_valid = draw(st.integers(0, 3)) > 0
    return Texts(draw(conllu_texts(text, is_valid=is_gold_valid)), draw(conllu_texts(text, is_valid=False)))


@dataclass(eq=False)
class Node:
    """A word or an empty node; heads are nodes, and None is the root."""

    columns: list[str]
    head: Node | None = None
    edges: list[tuple[Node | None, str]] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return "." in self.columns[0]

    def is_under(self, other: Node) -> bool:
        """Whether the other one is this one or above it."""
        node: Node | None = self
        while node is not None and node is not other:
            node = node.head
        return node is other


@dataclass(eq=False)
class Unit:
    """A token with its words, or an empty node; `columns` are those of a multiword token."""

    nodes: list[Node]
    columns: list[str] | None = None


def perturb(text: str, rate: float, seed: int) -> str:
    """A wrong copy of a CoNLL-U file: the same characters, trees with one root, comments left out.

    At this rate words get another head, label, tag, lemma, features or DEPS,
    sentences another root, plain tokens are cut in two, multiword tokens lose their
    words, and sentences are cut or joined with the next one.
    """
    chance = random.Random(seed)
    sentences = [parse(lines) for lines in sentences_of(text)]
    changed: list[list[Unit]] = []
    is_joining = False
    for units in sentences:
        if is_joining:
            change_roots(words_of(changed[-1])[0], words_of(units))
            changed[-1] += units
            is_joining = False
        else:
            cuts = [k for k in range(1, len(units)) if words_of(units[:k]) and words_of(units[k:])]
            if cuts and chance.random() < rate:
                place = chance.choice(cuts)
                changed += [part_of(units[:place]), part_of(units[place:])]
            else:
                changed.append(units)
                is_joining = chance.random() < rate
    everything = [node for units in changed for node in words_of(units)]
    for units in changed:
        change_tokens(units, rate, chance)
        change_heads(words_of(units), rate, chance)
        change_cells(words_of(units), everything, rate, chance)
    return "".join(write(units) for units in changed)


def parse(lines: list[str]) -> list[Unit]:
    """The units of a sentence. An empty node inside a multiword token goes behind it."""
    units: list[Unit] = []
    behind: list[Unit] = []
    last = 0
    for columns in (line.split("\t") for line in lines if not line.startswith("#")):
        if "-" in columns[0]:
            last = int(columns[0].split("-")[1])
            units.append(Unit([], columns))
        elif "." in columns[0]:
            (behind if int(columns[0].split(".")[0]) < last else units).append(Unit([Node(columns)]))
        elif int(columns[0]) <= last:
            units[-1].nodes.append(Node(columns))
            if int(columns[0]) == last:
                units += behind
                behind = []
        else:
            units.append(Unit([Node(columns)]))
    nodes = {node.columns[0]: node for unit in units for node in unit.nodes}
    for node in nodes.values():
        node.head = None if node.is_empty else nodes.get(node.columns[6])
        node.edges = [(nodes.get(head), path) for head, path in deps_of(node.columns[8])]
    return units


def words_of(units: list[Unit]) -> list[Node]:
    """The words, without empty nodes."""
    return [node for unit in units for node in unit.nodes if not node.is_empty]


def change_roots(root: Node, words: list[Node]) -> None:
    """Put what hangs on the root, in a sentence that is joined to one with this root, under that one."""
    while root.head is not None:
        root = root.head
    for word in words:
        if word.head is None:
            word.head, word.columns[7] = root, "parataxis"


def part_of(units: list[Unit]) -> list[Unit]:
    """Part of a sentence as one of its own: what has its head elsewhere hangs on one root."""
    words = words_of(units)
    tops = [word for word in words if word.head not in words]
    root = next((word for word in tops if word.head is None), tops[0])
    for word in tops:
        word.head = None if word is root else root
    root.columns[7] = "root"
    nodes = [node for unit in units for node in unit.nodes]
    for node in nodes:
        node.edges = [(head if head in nodes else None, path) for head, path in node.edges]
    return units


def change_tokens(units: list[Unit], rate: float, chance: random.Random) -> None:
    """Cut plain tokens in two, and make multiword tokens plain."""
    for unit in list(units):
        first, form = unit.nodes[0], unit.nodes[0].columns[1]
        if chance.random() >= rate or first.is_empty:
            continue
        if unit.columns:
            for other in unit.nodes[1:]:
                replace_node(other, first, units)
            first.columns[1], unit.nodes, unit.columns = unit.columns[1], [first], None
        elif len(form) > 1 and not any(character.isspace() for character in form):
            place = chance.randrange(1, len(form))
            second = Node([*first.columns], first, [(first, "flat")])
            first.columns[1], second.columns[1], second.columns[7] = form[:place], form[place:], "flat"
            units.insert(units.index(unit) + 1, Unit([second]))


def replace_node(old: Node, new: Node, units: list[Unit]) -> None:
    """Take a word out of the tree; another one takes its place where it was a head."""
    if new.is_under(old):
        above = new
        while above.head is not old:
            above = above.head
        above.head = old.head
    for unit in units:
        for node in unit.nodes:
            if node.head is old and node is not new:
                node.head = new
            node.edges = [(new if head is old else head, path) for head, path in node.edges]


def change_heads(words: list[Node], rate: float, chance: random.Random) -> None:
    """Hang words elsewhere, and make another word the root."""
    for word in words:
        if word.head is not None and chance.random() < rate:
            head = chance.choice(words)
            if not head.is_under(word):
                word.head = head
    if chance.random() < rate:
        new, old = chance.choice(words), next(word for word in words if word.head is None)
        if new is not old:
            old.head, new.head = new, None


def change_cells(words: list[Node], everything: list[Node], rate: float, chance: random.Random) -> None:
    """Give words the LEMMA, UPOS, XPOS, FEATS or DEPREL of any word of the file, and change their edges."""
    for word in words:
        for column in (2, 3, 4, 5, 7):
            if chance.random() < rate:
                word.columns[column] = chance.choice(everything).columns[column]
        if chance.random() < rate:
            kind = chance.choice(["basic", "add", "drop", "double", "label"])
            place = chance.randrange(len(word.edges)) if word.edges else None
            if kind == "basic":
                word.edges = [(word.head, word.columns[7])]
            elif kind == "add":
                word.edges.append((chance.choice([None, *words]), word.columns[7]))
            elif place is not None and kind == "drop":
                del word.edges[place]
            elif place is not None and kind == "double":
                word.edges.append(word.edges[place])
            elif place is not None:
                word.edges[place] = (word.edges[place][0], f"{word.edges[place][1]}:other")


def write(units: list[Unit]) -> str:
    """A sentence, numbered anew."""
    numbers: dict[Node | None, str] = {None: "0"}
    word = part = 0
    for unit in units:
        for node in unit.nodes:
            word, part = (word, part + 1) if node.is_empty else (word + 1, 0)
            numbers[node] = f"{word}.{part}" if node.is_empty else str(word)
    lines = []
    for unit in units:
        if unit.columns:
            unit.columns[0] = f"{numbers[unit.nodes[0]]}-{numbers[unit.nodes[-1]]}"
            lines.append(unit.columns)
        for node in unit.nodes:
            head = node.columns[6] if node.is_empty else numbers[node.head]
            edges = "|".join(f"{numbers[head]}:{path}" for head, path in node.edges) or "_"
            lines.append([numbers[node], *node.columns[1:6], head, node.columns[7], edges, node.columns[9]])
    return "".join("\t".join(line) + "\n" for line in lines) + "\n"
