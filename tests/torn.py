"""Discontinuous trees: strategies for small ones, the formats to write them in, and their brackets as sets.

A node is the number of a word, or a label with nodes. Words are written in the order of the text.
"""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

from trees import Node

LABELS = ["NP", "VP", "S", "NP-SBJ", "TOP"]
TAGS = ["N", "V", ",", "$("]
WORDS = ["a", "b", "ab", "é", "(", "-LRB-", "1=2"]
ROOTS = ["ROOT", "VROOT", "S", ""]


class Torn(NamedTuple):
    """Words with their tags, and a tree over their numbers."""

    words: tuple[tuple[str, str], ...]
    root: tuple

    def sets(self, first: int = 0) -> list[tuple[str, frozenset[int], bool]]:
        """Return all brackets: label, numbers of words counted from `first`, and whether it is outermost."""
        brackets = []

        def visit(node, is_root) -> frozenset[int]:
            if isinstance(node, int):
                return frozenset([first + node])
            label, children = node
            inside = frozenset().union(*(visit(child, False) for child in children))
            brackets.append((label, inside, is_root))
            return inside

        visit(self.root, True)
        return brackets

    def write(self, leaf) -> str:
        """Write the tree in brackets; `leaf` returns the text of a word, given its number."""

        def visit(node) -> str:
            if isinstance(node, int):
                return f"({escape(self.words[node][1])} {leaf(node)})"
            return f"({node[0]} {' '.join(map(visit, node[1]))})"

        return visit(self.root)


def escape(text: str) -> str:
    return text.replace("(", "#LRB#").replace(")", "#RRB#")


def numbered(trees: list[Torn]) -> str:
    """Write trees with words and their numbers at the leaves."""
    return "".join(tree.write(lambda k: f"{k}={escape(tree.words[k][0])}") + "\n" for tree in trees)  # noqa: B023


def behind(trees: list[Torn]) -> str:
    """Write trees with numbers at the leaves and the words behind the tree."""
    return "".join(f"{tree.write(str)}\t{' '.join(word for word, _ in tree.words)}\n" for tree in trees)


def export(trees: list[Torn], version: int = 3, header: bool = True) -> str:
    """Write trees in export format, which omits the label of the root."""
    lemma = [] if version == 3 else ["--"]
    lines = [f"#FORMAT {version}"] if header else []
    for number, tree in enumerate(trees, 1):
        parents: dict[int, int] = {}
        nodes: list[list[str]] = []

        def visit(node, parent, parents=parents, nodes=nodes) -> None:
            if isinstance(node, int):
                parents[node] = parent
                return
            mine = 500 + len(nodes)
            nodes.append([f"#{mine}", *lemma, node[0], "--", "--", str(parent)])
            for child in node[1]:
                visit(child, mine)

        for child in tree.root[1]:
            visit(child, 0)
        lines.append(f"#BOS {number} 1 0 0")
        lines += [
            "\t".join([w, *lemma, tag, "--", "HD", str(parents[k])]) for k, (w, tag) in enumerate(tree.words)
        ]
        lines += ["\t\t".join(row) for row in nodes]
        lines.append(f"#EOS {number}")
    return "\n".join([*lines, ""])


def number_leaves(trees: list[Node]) -> str:
    """Write continuous trees with numbers at their leaves."""
    texts = []
    for tree in trees:
        count = iter(range(10_000))

        def visit(node, count=count):
            if node.is_leaf:
                return f"({node.label} {next(count)}={node.children})"
            return f"({node.label} {' '.join(map(visit, node.children))})"

        texts.append(visit(tree))
    return "".join(f"{text}\n" for text in texts)


words = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(TAGS)), min_size=1, max_size=7).map(tuple)


@st.composite
def trees_over(draw: st.DrawFn, words: tuple[tuple[str, str], ...], roots=tuple(ROOTS)) -> Torn:
    """Draw a tree over `words`: in any order, neighbours are put into brackets a few times."""
    forest = draw(st.permutations(range(len(words))))
    for label in draw(st.lists(st.sampled_from(LABELS), max_size=6)):
        first = draw(st.integers(0, len(forest) - 1))
        last = draw(st.integers(first + 1, len(forest)))
        forest[first:last] = [(label, tuple(forest[first:last]))]
    return Torn(words, (draw(st.sampled_from(roots)), tuple(forest)))


@st.composite
def torn_documents(draw: st.DrawFn, max_size: int = 3, **options) -> list[Torn]:
    """Draw a few trees."""
    return [draw(trees_over(each, **options)) for each in draw(st.lists(words, max_size=max_size))]


@st.composite
def torn_pairs(draw: st.DrawFn) -> tuple[list[Torn], list[Torn]]:
    """Draw two sides over the same words; the system has a few of gold's trees."""
    gold = draw(torn_documents())
    system = [tree if draw(st.booleans()) else draw(trees_over(tree.words)) for tree in gold]
    return gold, system


@st.composite
def split_words(draw: st.DrawFn, tree: Torn) -> Torn:
    """Draw a tree with some words cut in two; every bracket keeps its characters."""
    cut = {k for k, (word, _) in enumerate(tree.words) if len(word) > 1 and draw(st.booleans())}
    words: list[tuple[str, str]] = []
    numbers: dict[int, tuple[int, ...]] = {}
    for k, (word, tag) in enumerate(tree.words):
        parts = [word[:1], word[1:]] if k in cut else [word]
        numbers[k] = tuple(range(len(words), len(words) + len(parts)))
        words += [(part, tag) for part in parts]

    def visit(node):
        if isinstance(node, int):
            return numbers[node]
        return ((node[0], tuple(child for each in node[1] for child in visit(each))),)

    return Torn(tuple(words), visit(tree.root)[0])
