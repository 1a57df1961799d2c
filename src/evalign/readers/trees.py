"""Bracketed trees: one per line or spread over lines, as in the Penn Treebank (.mrg).

Every outermost bracket is a sentence. A word tagged -NONE- is an empty element: it is not in the text. What cannot be
read as a tree is left out with a remark, so that what gold has there counts as missed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.document import MISSING, Column, Document, Edges, IntArray, Trees
from evalign.errors import InputError, Place, Remark, quote
from evalign.kernels.brackets_cy import LabelTable, TreeScanner, codes
from evalign.kernels.leaves_cy import gather_words
from evalign.labels import UNFILLED
from evalign.readers.source import Content
from evalign.text import WHITE_SPACE, without_space

Empty = Literal["drop", "keep"]

EMPTY_TAG = b"-NONE-"
MOST_PLACES = 5
CODES = codes()
# disco-dop writes leaves as 0=word, or as their numbers with the words behind the tree.
# White space that C takes for part of a word; the rest separates words.
_WIDE_SPACE = [space for space in WHITE_SPACE if not space.isascii()]
_NUMBERED = re.compile(rb"\d+=.")
_BEGUN = re.compile(rb"^\(([^\s()]*)", re.MULTILINE)


def read_trees(content: Content, *, strict: bool = False, empty: Empty = "drop") -> Document:
    """Read bracketed trees. Empty elements are dropped, or kept as tokens without characters.

    >>> from evalign.readers.source import load
    >>> from evalign.text import Text
    >>> document = read_trees(load(Text("(S (NP (PRP We)) (VP (VBP go)))")))
    >>> document.tokens(), len(document.trees)
    (['We', 'go'], 3)
    """
    scan = _scan(content, strict=strict)
    _refuse_discontinuous(content, scan)
    words = _Leaves(content.data, scan, empty)
    roots = scan.root_nodes
    bounds = np.append(words.rank[scan.firsts[roots]], words.n)
    filled = np.diff(bounds) > 0
    labels = [label.decode("utf-8") for label in scan.labels]
    line, cuts = words.gather()
    linenos = scan.leaf_linenos[words.kept]
    return Document(
        content.name,
        "trees",
        line,
        cuts,
        np.append(bounds[:-1][filled], bounds[-1]).astype(np.int32),
        linenos,
        columns=TreeColumns(_column(scan.numbers[scan.leaf_nodes[words.kept]], labels), linenos),
        trees=_brackets(scan, words.rank, labels),
        remarks=(*content.remarks, *_remarks(content, scan, filled)),
    )


class Scan(NamedTuple):
    """What the scanner found: nodes in opening order, leaves and roots in the order of the text."""

    labels: Sequence[bytes]
    numbers: IntArray
    """Per node: which of the labels it has."""
    firsts: IntArray
    """Per node: its first leaf."""
    lasts: IntArray
    is_leaf: npt.NDArray[np.bool_]
    leaf_nodes: IntArray
    word_starts: IntArray
    word_ends: IntArray
    leaf_linenos: IntArray
    root_nodes: IntArray
    root_linenos: IntArray
    scanner: TreeScanner


def _scan(content: Content, *, strict: bool) -> Scan:
    """Scan once as if all were well, and tree by tree if it is not."""
    data = content.data
    table = LabelTable()
    scanner = TreeScanner(data, table, data.count(b"("), lenient=True)
    code = scanner.scan(0, len(data))
    if code and strict:
        raise _refusal(content, scanner.error_lineno, code)
    if code or _hides_trees(data, table.labels(), scanner):
        table = LabelTable()
        scanner = TreeScanner(data, table, data.count(b"("), lenient=True)
        scanner.by_line = True
        scanner.scan(0, len(data))
    if scanner.n_broken and (strict or not scanner.n_leaves):
        raise _refusal(content, scanner.broken_linenos[0], scanner.broken_kinds[0])
    if not scanner.n_roots and data.strip():
        raise InputError(
            Place(content.name, 1), "no tree", "trees in brackets: (S (NP (PRP We)) (VP (VBP go)))"
        )
    nodes, leaves, roots = (slice(0, n) for n in (scanner.n_nodes, scanner.n_leaves, scanner.n_roots))
    return Scan(
        table.labels(),
        np.asarray(scanner.labels)[nodes],
        np.asarray(scanner.firsts)[nodes],
        np.asarray(scanner.lasts)[nodes],
        np.asarray(scanner.kinds)[nodes].astype(bool),
        np.asarray(scanner.leaf_nodes)[leaves],
        np.asarray(scanner.word_starts)[leaves],
        np.asarray(scanner.word_ends)[leaves],
        np.asarray(scanner.leaf_linenos)[leaves],
        np.asarray(scanner.root_nodes)[roots],
        np.asarray(scanner.root_linenos)[roots],
        scanner,
    )


def _hides_trees(data: bytes, labels: Sequence[bytes], scanner: TreeScanner) -> bool:
    """Whether trees are swallowed by one that is not closed, and a surplus bracket elsewhere makes up for it.

    Where most lines that begin with a bracket are trees of their own, the others are within a broken one, unless
    their labels show that they only go on with a tree.
    """
    n_begun = data.count(b"\n(") + data.startswith(b"(")
    if not scanner.n_roots < n_begun < 2 * scanner.n_roots:
        return False
    roots = np.asarray(scanner.labels)[np.asarray(scanner.root_nodes)[: scanner.n_roots]]
    return {labels[number] for number in set(roots.tolist())}.issuperset(_BEGUN.findall(data))


# What is wrong with a tree, by the scanner's codes: what is there, and what should be.
_FAULTS = {
    CODES["MANY"]: ("two words in a bracket", "one word in each innermost bracket: (NP (DT the) (NN cat))"),
    CODES["MIXED"]: ("a word beside a bracket", "a bracket around every word: (NP (DT the) (NN cat))"),
    CODES["OPEN"]: ("a bracket is not closed", "as many closing as opening brackets"),
}


def _refusal(content: Content, lineno: int, code: int) -> InputError:
    found, expected = _FAULTS[code]
    return InputError(Place(content.name, lineno), found, expected, "is this tree cut off, or not escaped?")


class _Leaves:
    """The leaves that are tokens: all, or all but the empty elements."""

    def __init__(self, data: bytes, scan: Scan, empty: Empty) -> None:
        self.data, self.scan = data, scan
        numbers = scan.numbers[scan.leaf_nodes]
        self.is_empty = np.zeros(len(numbers), bool)
        if EMPTY_TAG in scan.labels:
            self.is_empty = numbers == scan.labels.index(EMPTY_TAG)
        kept = np.ones(len(numbers), bool) if empty == "keep" else ~self.is_empty
        self.kept = np.flatnonzero(kept)
        self.rank = np.concatenate([[0], np.cumsum(kept)]).astype(np.int32)
        """Per leaf, and one past the last: how many tokens come before it."""

    @property
    def n(self) -> int:
        """How many tokens there are."""
        return len(self.kept)

    def gather(self) -> tuple[str, IntArray]:
        """The line and the cuts of its tokens."""
        starts = self.scan.word_starts[self.kept]
        ends = np.where(self.is_empty[self.kept], starts, self.scan.word_ends[self.kept])
        room = np.empty(int((ends - starts).sum()), np.uint8)
        cuts = np.empty(self.n + 1, np.int32)
        gather_words(self.data, starts, ends, room, cuts)
        line = room.tobytes().decode("utf-8")
        if not line.isascii() and any(space in line for space in _WIDE_SPACE):
            tokens = [without_space(line[a:b]) for a, b in pairwise(cuts.tolist())]
            np.cumsum([0, *map(len, tokens)], out=cuts)
            line = "".join(tokens)
        return line, cuts


def _brackets(scan: Scan, rank: IntArray, labels: Sequence[str]) -> Trees:
    """The brackets that have a token in them."""
    firsts, lasts = rank[scan.firsts], rank[scan.lasts]
    rows = np.flatnonzero(~scan.is_leaf & (firsts < lasts))
    outermost = np.zeros(len(scan.numbers), bool)
    outermost[scan.root_nodes] = True
    return Trees(firsts[rows], lasts[rows], _column(scan.numbers[rows], labels), outermost[rows])


def _column(numbers: IntArray, labels: Sequence[str]) -> Column:
    """A column with the labels that are in it, in the order in which the file has them."""
    used = np.flatnonzero(np.bincount(numbers, minlength=len(labels)))
    table = np.zeros(len(labels), np.int32)
    table[used] = np.arange(len(used))
    return Column(table[numbers], [labels[number] for number in used.tolist()])


class TreeColumns:
    """What trees say of words: their tags. Of the rest nothing."""

    def __init__(self, tags: Column, linenos: IntArray) -> None:
        self.xpos, self.linenos = tags, linenos

    @property
    def _nothing(self) -> Column:
        return Column(np.zeros(len(self.linenos), np.int32), (UNFILLED,))

    lemma = upos = feats = deprel = _nothing

    @property
    def parents(self) -> IntArray:
        """No word hangs on another."""
        return np.full(len(self.linenos), MISSING, np.int32)

    @property
    def edges(self) -> Edges:
        """There are none."""
        no_edges = np.zeros(0, np.int32)
        return Edges(np.zeros(len(self.linenos) + 1, np.int32), no_edges, Column(no_edges, ()))

    tree_remarks: tuple[Remark, ...] = ()
    edge_remarks: tuple[Remark, ...] = ()


def _refuse_discontinuous(content: Content, scan: Scan) -> None:
    """Raise for trees whose leaves say where in the sentence they stand: scored in this order they would be wrong."""
    filled = np.flatnonzero(scan.lasts[scan.root_nodes] > scan.firsts[scan.root_nodes])
    if not len(filled):
        return
    root = scan.root_nodes[filled[0]]
    first = slice(scan.firsts[root], scan.lasts[root])
    spans = zip(scan.word_starts[first].tolist(), scan.word_ends[first].tolist(), strict=True)
    words = [content.data[a:b] for a, b in spans]
    numbered = all(map(_NUMBERED.match, words))
    indexed = scan.scanner.n_outside and sorted(words) == sorted(b"%d" % k for k in range(len(words)))
    if numbered or indexed:
        raise InputError(
            Place(content.name, int(scan.root_linenos[filled[0]])),
            f"leaves with numbers ({quote(words[0].decode())}): discontinuous trees",
            "trees whose words stand in the order of the text",
            "discontinuous trees are not supported: make them continuous first (disco-dop: treetransforms)",
        )


def _remarks(content: Content, scan: Scan, filled: npt.NDArray[np.bool_]) -> Iterator[Remark]:
    """What was tolerated."""
    scanner, name = scan.scanner, content.name

    def places(linenos: Sequence[int]) -> tuple[Place, ...]:
        return tuple(Place(name, int(lineno)) for lineno in linenos[:MOST_PLACES])

    broken = scanner.n_broken
    for code, (found, _) in _FAULTS.items():
        kinds = np.asarray(scanner.broken_kinds)[:broken]
        linenos = np.asarray(scanner.broken_linenos)[:broken][kinds == code].tolist()
        if linenos:
            message = f"{found}: the tree is left out, so that nothing here matches what the other file has"
            yield Remark("broken-tree", message, len(linenos), places(linenos))
    failed = sorted({*scan.root_linenos[~filled].tolist(), *_find_blank_lines(content.data, scan)})
    if failed:
        message = "no word in the tree: a failed parse, so that nothing here matches what the other file has"
        yield Remark("failed-parse", message, len(failed), places(failed))
    if scanner.n_loose:
        message = "white space before the closing bracket of a word (evalb stops there)"
        yield Remark("loose-bracket", message, scanner.n_loose, ())
    if scanner.n_surplus:
        yield Remark(
            "surplus-bracket", "closing bracket without an opening one, passed over", scanner.n_surplus, ()
        )
    if scanner.n_outside:
        linenos = sorted(set(np.asarray(scanner.outside_linenos)[: scanner.n_outside].tolist()))
        yield Remark("outside", "words outside of brackets, passed over", scanner.n_outside, places(linenos))


def _find_blank_lines(data: bytes, scan: Scan) -> list[int]:
    """Empty lines that stand for a tree: in a file of one tree a line in which few lines are empty."""
    if b"\n\n" not in data and not data.startswith(b"\n"):
        return []
    lines = data.removesuffix(b"\n").split(b"\n")
    blank = [number for number, text in enumerate(lines, 1) if not text.strip()]
    n_trees = len(scan.root_nodes) + scan.scanner.n_broken
    is_one_a_line = n_trees == len(lines) - len(blank)
    return blank if is_one_a_line and 2 * len(blank) < n_trees else []
