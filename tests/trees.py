"""Bracketed trees: strategies for small ones, and for the changes that parsers make to them.

A tree is a `Node`; the children of a leaf are its word. All trees become text before they are scored.
"""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

from evalign.options import Preset

LABELS = ["NP", "VP", "S", "NP-SBJ", "NP=2", "PP-LOC=1", "ADVP", "PRT", "TOP", "-NONE-"]
TAGS = ["NN", "VB", "IN", ",", "ADVP", "PRT"]
WORDS = ["a", "b", "ab", "é", "字", "ba", ","]
ROOTS = ["ROOT", "TOP", "S1", "", "S", "VROOT"]
CHARACTERS = "xé-"


class Node(NamedTuple):
    """A bracket with its children, or a tag with its word."""

    label: str
    children: tuple[Node, ...] | str

    @property
    def is_leaf(self) -> bool:
        return isinstance(self.children, str)

    @property
    def is_empty(self) -> bool:
        """True if the node is an empty element or contains nothing else."""
        return self.label == "-NONE-" if self.is_leaf else all(child.is_empty for child in self.children)

    def __str__(self) -> str:
        inner = self.children if self.is_leaf else " ".join(map(str, self.children))
        return f"({self.label} {inner})"


def lines(trees: list[Node]) -> str:
    """Return a file with one tree per line."""
    return "".join(f"{tree}\n" for tree in trees)


def leaf(tag: str, word: str) -> Node:
    return Node(tag, word)


leaves = st.builds(leaf, st.sampled_from(TAGS), st.sampled_from(WORDS))
empties = st.builds(leaf, st.just("-NONE-"), st.sampled_from(["*", "0"]))
marks = st.just(leaf(",", ";"))
"""Leaves with a word that no other leaf has; their tag is often deleted."""


@st.composite
def trees(draw: st.DrawFn, max_size: int = 6, *, with_empty: bool = False, roots=tuple(ROOTS)) -> Node:
    """Draw a tree with at least one word.

    Neighbours are put into brackets a few times, and in the end all of them.
    """
    usual = st.one_of(leaves, leaves, empties) if with_empty else leaves
    forest = draw(st.lists(usual, max_size=max_size - 1))
    forest.insert(draw(st.integers(0, len(forest))), draw(leaves))
    for label in draw(st.lists(st.sampled_from(LABELS), max_size=6)):
        first = draw(st.integers(0, len(forest) - 1))
        last = draw(st.integers(first + 1, len(forest)))
        forest[first:last] = [Node(label, tuple(forest[first:last]))]
    return Node(draw(st.sampled_from(roots)), tuple(forest))


def documents(max_size: int = 4, **options) -> st.SearchStrategy[list[Node]]:
    """Draw a few trees."""
    return st.lists(trees(**options), max_size=max_size)


def brackets(tree: Node) -> list[tuple[int, ...]]:
    """Return the paths to all brackets, the outermost first."""
    bracket_paths, paths = [], [()]
    while paths:
        path = paths.pop()
        node = at(tree, path)
        if not node.is_leaf:
            bracket_paths.append(path)
            paths += [(*path, k) for k in range(len(node.children))]
    return bracket_paths


def at(tree: Node, path: tuple[int, ...]) -> Node:
    """Return the node that a path leads to."""
    for k in path:
        tree = tree.children[k]
    return tree


def put(tree: Node, path: tuple[int, ...], *nodes: Node) -> Node:
    """Return the tree with `nodes` in the place of one node; exactly one node at the root."""
    if not path:
        (node,) = nodes
        return node
    k, *rest = path
    inner = nodes if not rest else (put(tree.children[k], tuple(rest), *nodes),)
    return tree._replace(children=(*tree.children[:k], *inner, *tree.children[k + 1 :]))


def paths_to_leaves(tree: Node) -> list[tuple[int, ...]]:
    return [
        (*path, k)
        for path in brackets(tree)
        for k, child in enumerate(at(tree, path).children)
        if child.is_leaf
    ]


@st.composite
def restructured(draw: st.DrawFn, tree: Node, most: int = 4) -> Node:
    """Draw the same words under other brackets: relabelled, spliced, inserted, doubled ones.

    The root stays.
    """
    for kind in draw(
        st.lists(st.sampled_from(["relabel", "splice", "insert", "double", "move"]), max_size=most)
    ):
        path = draw(st.sampled_from(brackets(tree)))
        node = at(tree, path)
        if kind == "relabel" and path:
            tree = put(tree, path, node._replace(label=draw(st.sampled_from(LABELS))))
        elif kind == "splice" and path:
            tree = put(tree, path, *node.children)
        elif kind == "double" and path:
            tree = put(tree, path, Node(node.label, (node,)))
        elif kind == "insert":
            first = draw(st.integers(0, len(node.children) - 1))
            last = draw(st.integers(first + 1, len(node.children)))
            inner = Node(draw(st.sampled_from(LABELS)), node.children[first:last])
            children = (*node.children[:first], inner, *node.children[last:])
            tree = put(tree, path, node._replace(children=children))
        elif kind == "move" and path and len(node.children) > 1:
            # The last child leaves the bracket, so that brackets cross those of the original tree.
            tree = put(tree, path, node._replace(children=node.children[:-1]), node.children[-1])
    return tree


@st.composite
def retagged(draw: st.DrawFn, tree: Node, most: int = 2) -> Node:
    """Draw other tags for a few words."""
    paths = [path for path in paths_to_leaves(tree) if not at(tree, path).is_empty]
    for _ in range(draw(st.integers(0, most))):
        path = draw(st.sampled_from(paths))
        tree = put(tree, path, at(tree, path)._replace(label=draw(st.sampled_from(TAGS))))
    return tree


@st.composite
def with_more(draw: st.DrawFn, tree: Node, more: st.SearchStrategy[Node] = empties) -> Node:
    """Add leaves drawn from `more`, by default empty elements, to a few brackets."""
    for added in draw(st.lists(more, max_size=2)):
        path = draw(st.sampled_from(brackets(tree)))
        node = at(tree, path)
        k = draw(st.integers(0, len(node.children)))
        children = (*node.children[:k], added, *node.children[k:])
        tree = put(tree, path, node._replace(children=children))
    return tree


@st.composite
def retokenised(draw: st.DrawFn, tree: Node, most: int = 4) -> Node:
    """Split words and join sisters; every bracket still begins and ends where it did."""
    for wants_split in draw(st.lists(st.booleans(), max_size=most)):
        path = draw(st.sampled_from(brackets(tree)))
        node = at(tree, path)
        children = list(node.children)
        k = draw(st.integers(0, len(children) - 1))
        one, pair = children[k], children[k : k + 2]
        if wants_split and one.is_leaf and not one.is_empty and len(one.children) > 1:
            children[k : k + 1] = [leaf(one.label, one.children[:1]), leaf("X", one.children[1:])]
        elif not wants_split and len(pair) == 2 and all(x.is_leaf and not x.is_empty for x in pair):
            children[k : k + 2] = [leaf("X", pair[0].children + pair[1].children)]
        tree = put(tree, path, node._replace(children=tuple(children)))
    return tree


@st.composite
def resegmented(draw: st.DrawFn, document: list[Node], root: str = "ROOT") -> list[Node]:
    """Join neighbouring sentences under one root, and cut sentences that have several children."""
    resegmented_trees: list[Node] = []
    for tree in document:
        kind = draw(st.sampled_from(["keep", "join", "cut"]))
        if kind == "join" and resegmented_trees:
            resegmented_trees[-1] = Node(root, resegmented_trees[-1].children + tree.children)
        elif kind == "cut" and len(tree.children) > 1:
            k = draw(st.integers(1, len(tree.children) - 1))
            resegmented_trees += [Node(root, tree.children[:k]), Node(root, tree.children[k:])]
        else:
            resegmented_trees.append(tree)
    return resegmented_trees


@st.composite
def with_failures(draw: st.DrawFn, document: list[Node]) -> str:
    """Draw a file in which some parses have failed."""
    return "".join(draw(st.sampled_from([f"{tree}\n", f"{tree}\n", "(())\n", "\n"])) for tree in document)


@st.composite
def with_other_characters(draw: st.DrawFn, tree: Node) -> Node:
    """Change a few words by one character: added or replaced."""
    paths = [path for path in paths_to_leaves(tree) if not at(tree, path).is_empty]
    for _ in range(draw(st.integers(0, 2))):
        path = draw(st.sampled_from(paths))
        word = at(tree, path).children
        k = draw(st.integers(0, len(word)))
        changed = word[:k] + draw(st.sampled_from(CHARACTERS)) + word[k + draw(st.integers(0, 1)) :]
        tree = put(tree, path, at(tree, path)._replace(children=changed))
    return tree


@st.composite
def presets(draw: st.DrawFn, *, like_evalb: bool = False) -> Preset:
    """Draw any preset; pairs of equal labels form classes, so that chaining them makes no difference.

    With `like_evalb`, -NONE- is deleted, labels are cut and the root is not dropped.
    """
    labels = st.sampled_from(["NP", "VP", "S", "ADVP", "PRT", "NN", "VB", ",", "TOP", "NP-SBJ", "PP"])
    delete = draw(st.frozensets(labels, max_size=3))
    chosen = draw(st.lists(labels, unique=True, max_size=4))
    half = draw(st.integers(0, len(chosen)))
    classes = chosen[:half], chosen[half:]
    equal = tuple((a, b) for group in classes for k, a in enumerate(group) for b in group[:k])
    labelled = draw(st.integers(0, 4)) > 0
    if like_evalb:
        return Preset("random", delete | {"-NONE-"}, equal, cut=True, labelled=labelled, drops_root=False)
    cut, drops_root = draw(st.booleans()), draw(st.booleans())
    return Preset("random", delete, equal, cut=cut, labelled=labelled, drops_root=drops_root)
