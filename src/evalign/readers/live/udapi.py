"""Udapi: a `Document`, or trees of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from evalign.readers.live.rows import write_comment, write_row


class MultiwordToken(Protocol):
    """A multiword token."""

    form: str | None

    @property
    def ord_range(self) -> str:
        """Its numbers, as in CoNLL-U."""


class Node(Protocol):
    """A word, or an empty node, whose number has a fraction."""

    form: str | None
    lemma: str | None
    upos: str | None
    xpos: str | None
    deprel: str | None
    raw_deps: str | None

    @property
    def ord(self) -> float:
        """Its number."""

    @property
    def feats(self) -> object:
        """Features; as text they are written as in FEATS."""

    @property
    def parent(self) -> Node | None:
        """What it hangs on."""

    @property
    def multiword_token(self) -> MultiwordToken | None:
        """The multiword token it is in."""


class Root(Protocol):
    """A tree."""

    sent_id: str | None
    comment: str
    newdoc: str | bool | None
    newpar: str | bool | None

    @property
    def descendants(self) -> Sequence[Node]:
        """Its words in order."""

    @property
    def empty_nodes(self) -> Sequence[Node]:
        """Its empty nodes."""


class Document(Protocol):
    """A document."""

    @property
    def trees(self) -> Iterator[Root]:
        """Its trees, of all zones."""


def write_document(document: Document) -> Iterator[str]:
    """The sentences of a document in CoNLL-U."""
    for tree in document.trees:
        yield from write_tree(tree)


def write_tree(tree: Root) -> Iterator[str]:
    """One tree in CoNLL-U; without words it is no sentence."""
    words = tree.descendants
    rows = []
    token = None
    for node in sorted([*words, *tree.empty_nodes], key=lambda node: node.ord):
        if node.multiword_token is not token:
            token = node.multiword_token
            if token is not None:
                rows.append(write_row(token.ord_range, token.form))
        rows.append(
            write_row(
                node.ord, node.form, node.lemma, node.upos, node.xpos, node.feats,
                None if node.parent is None else node.parent.ord, node.deprel, node.raw_deps,
            )
        )  # fmt: skip
    yield "\n".join([*_write_comments(tree), *rows]) if words else ""


def _write_comments(tree: Root) -> Iterator[str]:
    for key, value in (("newdoc", tree.newdoc), ("newpar", tree.newpar)):
        if value:
            yield f"# {key}" if value is True else write_comment(f" {key} id = {value}")
    if tree.sent_id:
        yield write_comment(f" sent_id = {tree.sent_id}")
    # Udapi marks with $NAME where those above stood.
    yield from (write_comment(line) for line in tree.comment.splitlines() if line[:1] != "$" and line.strip())
