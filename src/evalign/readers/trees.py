"""Bracketed trees: one per line or spread over lines, as in the Penn Treebank (.mrg).

Every outermost bracket is a sentence. A word tagged -NONE- is an empty element: it is not in the text. What cannot be
read as a tree is left out with a remark, so that what gold has there counts as missed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.document import MISSING, Column, Document, Edges, IntArray, Runs, Trees
from evalign.errors import InputError, Place, Remark
from evalign.kernels.brackets_cy import LabelTable, TreeScanner, codes
from evalign.kernels.leaves_cy import gather_words
from evalign.readers.content import Content, TreeLayout
from evalign.readers.numbering import find_numbering
from evalign.text import WHITE_SPACE, without_space
from evalign.ud_labels import UNFILLED

Empty = Literal["drop", "keep"]
Mask: TypeAlias = npt.NDArray[np.bool_]

EMPTY_TAG = b"-NONE-"
MOST_PLACES = 5
CODES = codes()
# White space that C takes for part of a word; the rest separates words.
_WIDE_SPACE = [space for space in WHITE_SPACE if not space.isascii()]
_COMMENT = re.compile(rb"[ \t\r\v\f]*#")
# Roots for each unclosed tree from which on a few unclosed ones are no layout, but faults.
_MOST_ROOTS = 20
_BEGUN = re.compile(rb"^\(([^\s()]*)", re.MULTILINE)


def read_trees(content: Content, *, strict: bool = False, empty: Empty = "drop") -> Document:
    """Read bracketed trees. Empty elements are dropped, or kept as tokens without characters.

    >>> from evalign.readers.content import load
    >>> from evalign.text import Text
    >>> document = read_trees(load(Text("(S (NP (PRP We)) (VP (VBP go)))")))
    >>> document.tokens(), len(document.trees)
    (['We', 'go'], 3)
    """
    if not content.start and find_numbering(content.data):
        raise InputError(
            content.place(1),
            "leaves with numbers: discontinuous trees",
            "trees whose words stand in the order of the text",
            "as they are written they would be scored wrongly; the name of this format is discbracket",
        )
    scan = scan_trees(content, strict=strict)
    leaves = Leaves(content.data, scan, empty)
    firsts, lasts = leaves.rank[scan.firsts], leaves.rank[scan.lasts]
    rows = np.flatnonzero(~scan.is_leaf & (firsts < lasts))
    trees = Trees(firsts[rows], lasts[rows], scan.column(rows), scan.is_outermost[rows])
    return make_document(content, "trees", leaves, trees)


def make_document(
    content: Content, format: str, leaves: Leaves, trees: Trees, rewrite: Callable[[str], str] | None = None
) -> Document:
    """A document of the trees that were found, with words rewritten if need be, and remarks on what was tolerated."""
    scan = leaves.scan
    bounds = np.append(leaves.rank[scan.firsts[scan.root_nodes]], leaves.n)
    filled = np.diff(bounds) > 0
    line, cuts = leaves.gather()
    if rewrite is not None:
        line, cuts = rewrite_tokens(line, cuts, rewrite)
    linenos = content.linenos(scan.leaf_linenos[leaves.kept])
    failed = scan.root_linenos[~filled & ~leaves.is_left_out]
    return Document(
        content.name,
        format,
        line,
        cuts,
        np.append(bounds[:-1][filled], bounds[-1]).astype(np.int32),
        linenos,
        columns=TreeColumns(scan.column(scan.leaf_nodes[leaves.kept]), linenos),
        trees=trees,
        remarks=(*content.remarks, *_remarks(content, scan, failed.tolist())),
    )


class Scan(NamedTuple):
    """What the scanner found: nodes in opening order, leaves and roots in the order of the text."""

    labels: Sequence[bytes]
    numbers: IntArray
    """Per node: which of the labels it has."""
    firsts: IntArray
    """Per node: its first leaf."""
    lasts: IntArray
    is_leaf: Mask
    leaf_nodes: IntArray
    word_starts: IntArray
    word_ends: IntArray
    leaf_linenos: IntArray
    """Per leaf: the line of the content, from 1."""
    root_nodes: IntArray
    root_linenos: IntArray
    scanner: TreeScanner

    @property
    def is_outermost(self) -> Mask:
        """Per node: whether it is a root."""
        found = np.zeros(len(self.numbers), bool)
        found[self.root_nodes] = True
        return found

    def column(self, nodes: IntArray) -> Column:
        """The labels of some nodes, numbered in the order in which the file has them."""
        numbers = self.numbers[nodes]
        used = np.flatnonzero(np.bincount(numbers, minlength=len(self.labels)))
        table = np.zeros(len(self.labels), np.int32)
        table[used] = np.arange(len(used))
        return Column(table[numbers], [self.labels[number].decode("utf-8") for number in used.tolist()])


def scan_trees(content: Content, *, strict: bool) -> Scan:
    """Scan once as if all were well, and tree by tree if it is not, or if the layout of the whole file demands it."""
    data, layout = content.data, content.layout
    table = LabelTable()
    scanner = TreeScanner(data, table, data.count(b"("), lenient=True)
    by_line = layout is not None and layout.by_line
    if strict or not by_line:
        code = scanner.scan(0, len(data))
        if code and strict:
            raise _refusal(content, scanner.error_lineno, code)
        by_line = by_line or bool(code) or (layout is None and _hides_trees(data, table.labels(), scanner))
        error = _refusal(content, scanner.error_lineno, code) if code else None
    if by_line:
        table = LabelTable()
        scanner = TreeScanner(data, table, data.count(b"("), lenient=True)
        scanner.by_line = True
        scanner.scan(0, len(data))
        if layout is None and error and _tears_trees(table.labels(), scanner):
            raise error
    # What follows on others may have no tree in it.
    if scanner.n_broken and (strict or not (scanner.n_leaves or content.start)):
        raise _refusal(content, scanner.broken_linenos[0], scanner.broken_kinds[0])
    if not scanner.n_roots and data.strip() and not content.start:
        advice = "lines that begin with # are comments" if data.lstrip().startswith(b"#") else ""
        expected = "trees in brackets: (S (NP (PRP We)) (VP (VBP go)))"
        raise InputError(content.place(1), "no tree", expected, advice)
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
    return _root_labels(labels, scanner).issuperset(_BEGUN.findall(data))


def _tears_trees(labels: Sequence[bytes], scanner: TreeScanner) -> bool:
    """Whether the lines that were read as trees are parts of those that were left out.

    Then trees go on in the first column: no label of what is not closed is that of a tree, brackets are left over, and
    this is so throughout the file. A few trees that are not closed among very many are faults, whatever their labels.
    """
    kinds = np.asarray(scanner.broken_kinds)[: scanner.n_broken]
    unclosed = np.asarray(scanner.broken_labels)[: scanner.n_broken][kinds == CODES["OPEN"]].tolist()
    if len(unclosed) < 2 or not scanner.n_surplus or scanner.n_roots > _MOST_ROOTS * len(unclosed):
        return False
    return _root_labels(labels, scanner).isdisjoint(labels[number] for number in unclosed)


def _root_labels(labels: Sequence[bytes], scanner: TreeScanner) -> set[bytes]:
    numbers = np.asarray(scanner.labels)[np.asarray(scanner.root_nodes)[: scanner.n_roots]]
    return {labels[number] for number in set(numbers.tolist())}


# What is wrong with a tree, by the scanner's codes: what is there, and what should be.
_FAULTS = {
    CODES["MANY"]: ("two words in a bracket", "one word in each innermost bracket: (NP (DT the) (NN cat))"),
    CODES["MIXED"]: ("a word beside a bracket", "a bracket around every word: (NP (DT the) (NN cat))"),
    CODES["OPEN"]: ("a bracket is not closed", "as many closing as opening brackets"),
}


def _refusal(content: Content, lineno: int, code: int) -> InputError:
    found, expected = _FAULTS[code]
    return InputError(content.place(lineno), found, expected, "is this tree cut off, or not escaped?")


class Leaves:
    """The leaves that are tokens: all but those of trees that are left out, and, unless they are kept, empty elements."""

    def __init__(self, data: bytes, scan: Scan, empty: Empty, is_left_out: Mask | None = None) -> None:
        self.data, self.scan = data, scan
        roots = scan.root_nodes
        self.is_left_out = np.zeros(len(roots), bool) if is_left_out is None else is_left_out
        """Per tree."""
        numbers = scan.numbers[scan.leaf_nodes]
        self.is_empty = np.zeros(len(numbers), bool)
        if EMPTY_TAG in scan.labels:
            self.is_empty = numbers == scan.labels.index(EMPTY_TAG)
        self.is_kept = np.ones(len(numbers), bool) if empty == "keep" else ~self.is_empty
        for root in roots[self.is_left_out].tolist():
            self.is_kept[scan.firsts[root] : scan.lasts[root]] = False
        self.kept = np.flatnonzero(self.is_kept)
        self.rank = np.concatenate([[0], np.cumsum(self.is_kept)]).astype(np.int32)
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
            return rewrite_tokens(line, cuts, without_space)
        return line, cuts


def rewrite_tokens(line: str, cuts: IntArray, rewrite: Callable[[str], str]) -> tuple[str, IntArray]:
    """The line and the cuts of its tokens when each is written otherwise."""
    tokens = [rewrite(line[a:b]) for a, b in pairwise(cuts.tolist())]
    return "".join(tokens), np.cumsum([0, *map(len, tokens)]).astype(np.int32)


def find_runs(tokens: Sequence[int]) -> Runs:
    """The runs of some tokens, which ascend."""
    cuts = [k for k in range(1, len(tokens)) if tokens[k] - tokens[k - 1] > 1]
    bounds = pairwise([0, *cuts, len(tokens)])
    return tuple((tokens[a], tokens[b - 1] + 1) for a, b in bounds if a < b)


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


def remark_broken(content: Content, found: str, linenos: Sequence[int]) -> Remark:
    """Trees that are left out in some lines of the content, and why."""
    message = f"{found}: the tree is left out, a failed parse"
    return Remark("broken-tree", message, len(linenos), find_places(content, linenos))


def remark_failed(content: Content, linenos: Sequence[int]) -> Remark:
    """Trees without a word in some lines of the content."""
    message = "no word in the tree: a failed parse"
    return Remark("failed-parse", message, len(linenos), find_places(content, linenos))


def find_places(content: Content, linenos: Sequence[int]) -> tuple[Place, ...]:
    """The first of some lines of the content as places."""
    return tuple(content.place(lineno) for lineno in [*dict.fromkeys(linenos)][:MOST_PLACES])


def _remarks(content: Content, scan: Scan, failed: Sequence[int]) -> Iterator[Remark]:
    """What was tolerated, failed parses in the given lines among it."""
    scanner = scan.scanner
    places = partial(find_places, content)
    broken = scanner.n_broken
    for code, (found, _) in _FAULTS.items():
        kinds = np.asarray(scanner.broken_kinds)[:broken]
        linenos = np.asarray(scanner.broken_linenos)[:broken][kinds == code].tolist()
        if linenos:
            yield remark_broken(content, found, linenos)
    failed = sorted([*failed, *_find_blank_lines(content, scan)])
    if failed:
        yield remark_failed(content, failed)
    for row, (kind, message, times) in enumerate((
        ("loose-bracket", "white space before the closing bracket of a word (evalb stops there)", scanner.n_loose),
        ("surplus-bracket", "closing bracket without an opening one, passed over", scanner.n_surplus),
        ("outside", "words outside of brackets, passed over", scanner.n_outside),
        ("comment-bracket", "comment with a bracket in it, passed over (its line begins with #)", scanner.n_comments),
    )):  # fmt: skip
        if times:
            linenos = np.asarray(scanner.noted)[row, : scanner.noted_sizes[row]].tolist()
            yield Remark(kind, message, times, places(linenos))


def _find_blank_lines(content: Content, scan: Scan) -> list[int]:
    """Empty lines that stand for a tree: those before the last tree of a file that has one on each other line."""
    layout = content.layout or find_layout(content.data, scan)
    if not layout.blank_lines_are_trees:
        return []
    blank = _list_lines(content.data)[0]
    # What is behind the last tree are blank lines and comments.
    last = max([0, *scan.root_linenos[-1:].tolist(), *_broken_linenos(scan)[-1:]])
    return [lineno for lineno in blank if lineno < last]


def find_layout(data: bytes, scan: Scan) -> TreeLayout:
    """The layout of a file of which these are the trees: whether they are told apart by line, what empty lines are.

    Where an empty line comes between any two trees, they only separate them.
    """
    by_line = bool(scan.scanner.by_line)
    blank, filled = _list_lines(data)
    last = filled[-1] if filled else 0
    gaps = {bisect_left(filled, lineno) for lineno in blank if lineno < last}
    is_tree_each = len(filled) == len(scan.root_nodes) + scan.scanner.n_broken
    return TreeLayout(by_line, is_tree_each and bool(gaps) and not gaps.issuperset(range(1, len(filled))))


def _list_lines(data: bytes) -> tuple[list[int], list[int]]:
    """The lines that are empty, and those that are neither that nor a comment."""
    blank: list[int] = []
    filled: list[int] = []
    if not re.search(rb"(?:\A|\n)[ \t\r\v\f]*\n", data):
        return blank, filled
    for number, text in enumerate(data.split(b"\n"), 1):
        if not text or text.isspace():
            blank.append(number)
        elif not _COMMENT.match(text):
            filled.append(number)
    return blank, filled


def _broken_linenos(scan: Scan) -> list[int]:
    scanner = scan.scanner
    linenos: list[int] = np.asarray(scanner.broken_linenos)[: scanner.n_broken].tolist()
    return linenos
