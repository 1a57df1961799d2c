"""NLTK: trees. A leaf is a word, or a pair of a word and its tag as chunkers give it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from evalign.text import without_space

_BRACKETS = str.maketrans({"(": "-LRB-", ")": "-RRB-"})
_END = object()


@runtime_checkable
class Tree(Protocol):
    """A tree."""

    def label(self) -> object:
        """Its label."""

    def __iter__(self) -> Iterator[object]:
        """Its children: trees and leaves."""


def write_tree(tree: Tree) -> Iterator[str]:
    """A tree in brackets, on one line, however deep it is."""
    pieces = [_open(tree)]
    open_trees = [iter(tree)]
    while open_trees:
        child = next(open_trees[-1], _END)
        if child is _END:
            pieces.append(")")
            open_trees.pop()
        elif isinstance(child, Tree):
            pieces.append(f" {_open(child)}")
            open_trees.append(iter(child))
        elif isinstance(child, tuple) and len(child) == 2:
            pieces.append(f" ({_word(child[1])} {_word(child[0])})")
        else:
            pieces.append(f" {_word(child)}")
    yield "".join(pieces)


def _open(tree: Tree) -> str:
    label = tree.label()
    return "(" + ("" if label is None else _word(label))


def _word(value: object) -> str:
    return without_space(str(value)).translate(_BRACKETS)
