"""A wrong copy of a real treebank, as a parser might produce it: seeded, and valid CoNLL-U.

    python -m bench.perturb SOURCE RATE SEED COPIES GOLD SYSTEM

This writes gold and system, each repeated COPIES times. It is a process of its own for the reason given in
`bench.corpora`.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(eq=False)
class Node:
    """A word or an empty node; `head` is the head's node, or None for the root."""

    columns: list[str]
    head: Node | None = None
    edges: list[tuple[Node | None, str]] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return "." in self.columns[0]

    def is_under(self, other: Node) -> bool:
        """Return whether `other` is this node or above it."""
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
    """Return a wrong copy of a CoNLL-U file: the same characters, trees with one root, comments left out.

    At `rate`, words get another head, label, tag, lemma, features or DEPS; sentences get another root; plain
    tokens are cut in two; multiword tokens lose their words; and sentences are cut or joined with the next
    one.
    """
    chance = random.Random(seed)
    sentences = [parse(lines) for lines in _sentences(text)]
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
    """Return the units of a sentence. An empty node inside a multiword token goes behind the token."""
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
        node.edges = [(nodes.get(head), path) for head, path in _edges(node.columns[8])]
    return units


def words_of(units: list[Unit]) -> list[Node]:
    """Return the words, without empty nodes."""
    return [node for unit in units for node in unit.nodes if not node.is_empty]


def change_roots(root: Node, words: list[Node]) -> None:
    """Attach the root words of a sentence that is joined to another one to that sentence's root."""
    while root.head is not None:
        root = root.head
    for word in words:
        if word.head is None:
            word.head, word.columns[7] = root, "parataxis"


def part_of(units: list[Unit]) -> list[Unit]:
    """Make part of a sentence a sentence of its own.

    Words whose head is elsewhere are attached to one root.
    """
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
    """Take a word out of the tree; `new` takes its place where it was a head."""
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
    """Attach words elsewhere, and make another word the root."""
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
    """Return a sentence as CoNLL-U with new IDs."""
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


def _sentences(text: str) -> list[list[str]]:
    return [block.split("\n") for block in text.strip("\n").split("\n\n") if block]


def _edges(deps: str) -> list[tuple[str, str]]:
    return (
        [] if deps == "_" else [(edge.partition(":")[0], edge.partition(":")[2]) for edge in deps.split("|")]
    )


def main(source: str, rate: str, seed: str, copies: str, gold: str, system: str) -> None:
    """Write gold and system."""
    text = Path(source).read_text(encoding="utf-8")
    for path, content in ((gold, text), (system, perturb(text, float(rate), int(seed)))):
        with Path(path).open("w", encoding="utf-8", newline="\n") as out:
            out.writelines([content] * int(copies))


if __name__ == "__main__":
    main(*sys.argv[1:])
