"""The readers of bracketed trees, one per line or over several lines, as in the Penn Treebank (.mrg).

Every outermost bracket is a sentence. A word tagged -NONE- is an empty element, which is not in the text.
Anything that cannot be read as a tree is left out with a remark, so that gold's brackets there count as
missed. Discontinuous trees (discbracket) are read here too.
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
from evalign.kernels.tree_scan_cy import LabelTable, TreeScanner, codes, gather_words
from evalign.options import Empty
from evalign.readers.content import Content, TreeLayout
from evalign.text import WHITE_SPACE, without_space
from evalign.ud_labels import UNFILLED

Mask: TypeAlias = npt.NDArray[np.bool_]

EMPTY_TAG = b"-NONE-"
MOST_PLACES = 5
CODES = codes()
# White space that C's isspace, and so the scanner, takes for part of a word. Other white space separates
# words.
_WIDE_SPACE = [space for space in WHITE_SPACE if not space.isascii()]
_COMMENT = re.compile(rb"[ \t\r\v\f]*#")
# With more roots than this for each unclosed tree, unclosed trees are faults and not the layout of the file.
_MOST_ROOTS = 20
_BEGUN = re.compile(rb"^\(([^\s()]*)", re.MULTILINE)


def read_trees(content: Content, *, strict: bool = False, empty: Empty = "drop") -> Document:
    """Read bracketed trees into a document.

    Empty elements are dropped, or kept as tokens without characters.

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
    """Make a document of scanned trees, with remarks on what was tolerated.

    `rewrite` changes the text of each word if it is given.
    """
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
    """The result of the scanner: nodes in opening order, leaves and roots in the order of the text."""

    labels: Sequence[bytes]
    numbers: IntArray
    """Per node: the index of its label in `labels`."""
    firsts: IntArray
    """Per node: the index of its first leaf."""
    lasts: IntArray
    is_leaf: Mask
    leaf_nodes: IntArray
    word_starts: IntArray
    word_ends: IntArray
    leaf_linenos: IntArray
    """Per leaf: its line in the content, from 1."""
    root_nodes: IntArray
    root_linenos: IntArray
    scanner: TreeScanner

    @property
    def is_outermost(self) -> Mask:
        """Per node: whether it is a root."""
        mask = np.zeros(len(self.numbers), bool)
        mask[self.root_nodes] = True
        return mask

    def column(self, nodes: IntArray) -> Column:
        """Return the labels of `nodes`, numbered in the order in which the file has them."""
        numbers = self.numbers[nodes]
        used = np.flatnonzero(np.bincount(numbers, minlength=len(self.labels)))
        table = np.zeros(len(self.labels), np.int32)
        table[used] = np.arange(len(used))
        return Column(table[numbers], [self.labels[number].decode("utf-8") for number in used.tolist()])


def scan_trees(content: Content, *, strict: bool) -> Scan:
    """Scan the content as well-formed trees; scan it line by line if that fails or if the layout says so.

    By line, a bracket in the first column begins a new tree even if the one before is not closed.
    """
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
    # A chunk behind others may have no tree.
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
    """Return whether an unclosed tree contains other trees, because a surplus bracket elsewhere closes it.

    If most lines that begin with a bracket are trees of their own, the others are inside a broken one, unless
    their labels show that they merely continue a tree.
    """
    n_begun = data.count(b"\n(") + data.startswith(b"(")
    if not scanner.n_roots < n_begun < 2 * scanner.n_roots:
        return False
    return _root_labels(labels, scanner).issuperset(_BEGUN.findall(data))


def _tears_trees(labels: Sequence[bytes], scanner: TreeScanner) -> bool:
    """Return whether scanning by line tore trees apart: the lines read as trees are parts of others.

    Trees then continue in the first column: no unclosed bracket has the label of a tree, closing brackets are
    left over, and this is so throughout the file. A few unclosed trees among very many are faults, whatever
    their labels.
    """
    kinds = np.asarray(scanner.broken_kinds)[: scanner.n_broken]
    unclosed = np.asarray(scanner.broken_labels)[: scanner.n_broken][kinds == CODES["OPEN"]].tolist()
    if len(unclosed) < 2 or not scanner.n_surplus or scanner.n_roots > _MOST_ROOTS * len(unclosed):
        return False
    return _root_labels(labels, scanner).isdisjoint(labels[number] for number in unclosed)


def _root_labels(labels: Sequence[bytes], scanner: TreeScanner) -> set[bytes]:
    numbers = np.asarray(scanner.labels)[np.asarray(scanner.root_nodes)[: scanner.n_roots]]
    return {labels[number] for number in set(numbers.tolist())}


# Faults of a tree by the scanner's codes: what is there, and what is expected.
_FAULTS = {
    CODES["MANY"]: ("two words in a bracket", "one word in each innermost bracket: (NP (DT the) (NN cat))"),
    CODES["MIXED"]: ("a word beside a bracket", "a bracket around every word: (NP (DT the) (NN cat))"),
    CODES["OPEN"]: ("a bracket is not closed", "as many closing as opening brackets"),
}


def _refusal(content: Content, lineno: int, code: int) -> InputError:
    problem, expected = _FAULTS[code]
    return InputError(content.place(lineno), problem, expected, "is this tree cut off, or not escaped?")


class Leaves:
    """The leaves that become tokens: those of trees that are read, with or without empty elements."""

    def __init__(self, data: bytes, scan: Scan, empty: Empty, is_left_out: Mask | None = None) -> None:
        self.data, self.scan = data, scan
        roots = scan.root_nodes
        self.is_left_out = np.zeros(len(roots), bool) if is_left_out is None else is_left_out
        """Per tree: whether it is left out."""
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
        """Number of tokens."""
        return len(self.kept)

    def gather(self) -> tuple[str, IntArray]:
        """Return the line, and the token boundaries on it."""
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
    """Apply `rewrite` to each token of a line; return the new line and token boundaries."""
    tokens = [rewrite(line[a:b]) for a, b in pairwise(cuts.tolist())]
    return "".join(tokens), np.cumsum([0, *map(len, tokens)]).astype(np.int32)


def find_runs(tokens: Sequence[int]) -> Runs:
    """Return the runs of consecutive numbers in `tokens` as pairs (first, one past the last).

    `tokens` is ascending.
    """
    cuts = [k for k in range(1, len(tokens)) if tokens[k] - tokens[k - 1] > 1]
    bounds = pairwise([0, *cuts, len(tokens)])
    return tuple((tokens[a], tokens[b - 1] + 1) for a, b in bounds if a < b)


class TreeColumns:
    """The columns of words in trees: only tags; all others are empty."""

    def __init__(self, tags: Column, linenos: IntArray) -> None:
        self.xpos, self.linenos = tags, linenos

    @property
    def _nothing(self) -> Column:
        return Column(np.zeros(len(self.linenos), np.int32), (UNFILLED,))

    lemma = upos = feats = deprel = _nothing

    @property
    def parents(self) -> IntArray:
        """The head of every word: MISSING, as trees in brackets have constituents and no heads."""
        return np.full(len(self.linenos), MISSING, np.int32)

    @property
    def edges(self) -> Edges:
        """No edges."""
        no_edges = np.zeros(0, np.int32)
        return Edges(np.zeros(len(self.linenos) + 1, np.int32), no_edges, Column(no_edges, ()))

    tree_remarks: tuple[Remark, ...] = ()
    edge_remarks: tuple[Remark, ...] = ()


def remark_broken(content: Content, problem: str, linenos: Sequence[int]) -> Remark:
    """Return a remark on trees that are left out because of `problem`, at these lines of the content."""
    message = f"{problem}: the tree is left out, a failed parse"
    return Remark("broken-tree", message, len(linenos), find_places(content, linenos))


def remark_failed(content: Content, linenos: Sequence[int]) -> Remark:
    """Return a remark on trees without a word, at these lines of the content."""
    message = "no word in the tree: a failed parse"
    return Remark("failed-parse", message, len(linenos), find_places(content, linenos))


def find_places(content: Content, linenos: Sequence[int]) -> tuple[Place, ...]:
    """Return the places of the first few of `linenos`, which are lines of the content."""
    return tuple(content.place(lineno) for lineno in [*dict.fromkeys(linenos)][:MOST_PLACES])


def _remarks(content: Content, scan: Scan, failed: Sequence[int]) -> Iterator[Remark]:
    """Yield remarks on what was tolerated; `failed` has the lines of failed parses."""
    scanner = scan.scanner
    places = partial(find_places, content)
    broken = scanner.n_broken
    for code, (problem, _) in _FAULTS.items():
        kinds = np.asarray(scanner.broken_kinds)[:broken]
        linenos = np.asarray(scanner.broken_linenos)[:broken][kinds == code].tolist()
        if linenos:
            yield remark_broken(content, problem, linenos)
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
    """Return the empty lines that stand for a failed parse.

    These are the empty lines before the last tree, if every other line of the file is one tree.
    """
    layout = content.layout or find_layout(content.data, scan)
    if not layout.blank_lines_are_trees:
        return []
    blank = _list_lines(content.data)[0]
    # Behind the last tree there are only blank lines and comments.
    broken = np.asarray(scan.scanner.broken_linenos)[: scan.scanner.n_broken]
    last = max([0, *scan.root_linenos[-1:].tolist(), *broken[-1:].tolist()])
    return [lineno for lineno in blank if lineno < last]


def find_layout(data: bytes, scan: Scan) -> TreeLayout:
    """Return the layout of a file with these trees: whether they end by line, and what empty lines mean.

    If an empty line stands between any two trees, empty lines only separate them.
    """
    by_line = bool(scan.scanner.by_line)
    blank, filled = _list_lines(data)
    last = filled[-1] if filled else 0
    gaps = {bisect_left(filled, lineno) for lineno in blank if lineno < last}
    is_tree_each = len(filled) == len(scan.root_nodes) + scan.scanner.n_broken
    return TreeLayout(by_line, is_tree_each and bool(gaps) and not gaps.issuperset(range(1, len(filled))))


def _list_lines(data: bytes) -> tuple[list[int], list[int]]:
    """Return the numbers of the empty lines, and of the lines that are neither empty nor comments.

    Both lists are empty if the data has no empty line.
    """
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


# Discontinuous trees (disco-dop's discbracket): every leaf has the number of its word in the sentence.
#
#     (S (VP (VB 0=is) (JJ 2=rich)) (NP 1=John))      leaves
#     (S (VP (VB 0) (JJ 2)) (NP 1))<tab>is John rich  behind
#
# Words are sorted by their numbers; a bracket then covers one or more runs of consecutive words.

FAULT = "leaves that do not have each number from 0 up once"
EXPECTED = "leaves with the number of their word: (S (VP (VB 0=is) (JJ 2=rich)) (NP 1=John))"
# Most digits in the number of a leaf.
_MOST_DIGITS = 9
# Escapes of round brackets.
_ESCAPE = re.compile(rb"#[LR]RB#")
_BARE_LEAF = re.compile(rb"(?<=\s)\d+(?=\s*\))")


def read_discbracket(content: Content, *, strict: bool = False, empty: Empty = "drop") -> Document:
    """Read trees with numbered leaves into a document.

    A tree whose leaves do not have each number once is left out.

    >>> from evalign.readers.content import load
    >>> from evalign.text import Text
    >>> document = read_discbracket(load(Text("(S (VP (VB 0=is) (JJ 2=rich)) (NP 1=John))")))
    >>> document.tokens(), document.trees.runs
    (['is', 'John', 'rich'], {1: ((0, 1), (2, 3))})
    """
    content = put_words_in(content)
    data = content.data
    scan = scan_trees(content, strict=strict)
    numbers, word_starts = _read_numbers(data, scan)
    order, is_broken = _find_order(scan, numbers)
    linenos = scan.root_linenos[is_broken].tolist()
    remarks = content.remarks
    if linenos:
        whole = scan.root_nodes[~is_broken]
        has_leaf = (scan.firsts[whole] != scan.lasts[whole]).any()
        if strict or (not content.start and not has_leaf):
            raise InputError(content.place(linenos[0]), FAULT, EXPECTED, "is this tree cut off?")
        remarks = (*remarks, remark_broken(content, FAULT, linenos))
    labels = [label.replace(b"#LRB#", b"(").replace(b"#RRB#", b")") for label in scan.labels]
    ordered, torn = _sort_leaves(scan._replace(labels=labels, word_starts=word_starts), order)
    leaves = Leaves(data, ordered, empty, is_broken)
    trees = _find_brackets(leaves, {node: order[scan.firsts[node] : scan.lasts[node]] for node in torn})
    given = content._replace(remarks=remarks)
    return make_document(given, "discbracket", leaves, trees, _unescape if _ESCAPE.search(data) else None)


def _unescape(word: str) -> str:
    return word.replace("#LRB#", "(").replace("#RRB#", ")")


def put_words_in(content: Content) -> Content:
    """Move words that stand behind their trees, separated by a tab, to the leaves."""
    data = content.data
    return (
        content._replace(data=b"\n".join(map(_put_words_in, data.split(b"\n")))) if b"\t" in data else content
    )


def _put_words_in(line: bytes) -> bytes:
    """Move the words behind the tree of a line to its leaves.

    If their number differs from that of the leaves, the line stays as it is, a tree without numbers.
    """
    tree, _, behind = line.partition(b"\t")
    words = [word.replace(b"(", b"#LRB#").replace(b")", b"#RRB#") for word in behind.split()]
    numbers = _BARE_LEAF.findall(tree)
    if len(numbers) != len(words) or any(len(n) > _MOST_DIGITS or int(n) >= len(words) for n in numbers):
        return line
    return _BARE_LEAF.sub(lambda match: b"%b=%b" % (match[0], words[int(match[0])]), tree)


def _read_numbers(data: bytes, scan: Scan) -> tuple[IntArray, IntArray]:
    """Return per leaf the number before its first =, and where its word begins.

    The number is -1 if there is none, or no word behind it.
    """
    text = np.frombuffer(data, np.uint8)
    starts, ends = scan.word_starts, scan.word_ends
    signs = np.append(np.flatnonzero(text == ord("=")), len(data))
    at = signs[np.searchsorted(signs, starts)]
    lengths = at - starts
    is_good = (lengths > 0) & (lengths <= _MOST_DIGITS) & (at + 1 < ends)
    numbers = np.zeros(len(starts), np.int64)
    for k in range(int(lengths[is_good].max(initial=0))):
        rows = np.flatnonzero(is_good & (k < lengths))
        digits = text[starts[rows] + k].astype(np.int64) - ord("0")
        numbers[rows] = numbers[rows] * 10 + digits
        is_good[rows] &= (digits >= 0) & (digits <= 9)
    begins = np.where(is_good, at + 1, starts).astype(np.int32)
    return np.where(is_good, numbers, -1), begins


def _find_order(scan: Scan, numbers: IntArray) -> tuple[IntArray, Mask]:
    """Return per leaf its index in the order of the text, and per tree whether its numbers are unusable.

    Leaves of such a tree stay where they are.
    """
    firsts = scan.firsts[scan.root_nodes]
    sizes = scan.lasts[scan.root_nodes] - firsts
    tree = np.repeat(np.arange(len(sizes)), sizes)
    is_inside = (numbers >= 0) & (numbers < sizes[tree])
    order = firsts[tree] + numbers
    times = np.bincount(order[is_inside], minlength=len(numbers))
    is_broken = np.bincount(tree[~is_inside | (times != 1)], minlength=len(sizes)) > 0
    return np.where(is_broken[tree], np.arange(len(numbers)), order).astype(np.int32), is_broken


def _sort_leaves(scan: Scan, order: IntArray) -> tuple[Scan, list[int]]:
    """Sort the leaves by `order`; also return the nodes whose leaves are then not consecutive.

    Between the first and last leaf of such a node there are leaves of others.
    """
    places = np.argsort(order)
    firsts, lasts = scan.firsts.copy(), scan.lasts.copy()
    filled = np.flatnonzero(scan.firsts < scan.lasts)
    ranges = np.stack([scan.firsts[filled], scan.lasts[filled]], axis=1).ravel()
    padded = np.append(order, np.int32(0))
    if len(filled):
        firsts[filled] = np.minimum.reduceat(padded, ranges)[::2]
        lasts[filled] = np.maximum.reduceat(padded, ranges)[::2] + 1
    ordered = scan._replace(
        firsts=firsts,
        lasts=lasts,
        leaf_nodes=scan.leaf_nodes[places],
        word_starts=scan.word_starts[places],
        word_ends=scan.word_ends[places],
        leaf_linenos=scan.leaf_linenos[places],
    )
    return ordered, np.flatnonzero(lasts - firsts != scan.lasts - scan.firsts).tolist()


def _find_brackets(leaves: Leaves, torn: dict[int, IntArray]) -> Trees:
    """Return the brackets that contain a token; `torn` has the leaves of nodes that are not consecutive."""
    scan, rank = leaves.scan, leaves.rank
    firsts, lasts = rank[scan.firsts], rank[scan.lasts]
    runs_by_node: dict[int, Runs] = {}
    for node, places in torn.items():
        tokens = np.sort(rank[places[leaves.is_kept[places]]])
        firsts[node], lasts[node] = (tokens[0], tokens[-1] + 1) if len(tokens) else (0, 0)
        runs = find_runs(tokens.tolist())
        if len(runs) > 1:  # one run, if what stood between was left out
            runs_by_node[node] = runs
    rows = np.flatnonzero(~scan.is_leaf & (firsts < lasts))
    # In the order in which brackets open in the text. Of equal spans the outer one comes first, as in the
    # file.
    rows = rows[np.lexsort((-lasts[rows], firsts[rows]))]
    number = np.zeros(len(firsts), np.int32)
    number[rows] = np.arange(len(rows))
    runs_by_row = {int(number[node]): runs for node, runs in runs_by_node.items()}
    return Trees(firsts[rows], lasts[rows], scan.column(rows), scan.is_outermost[rows], runs_by_row)


Numbering = Literal["leaves", "behind"]

_PIECE = re.compile(rb"[()]|[^\s()]+")
_NUMBERED = re.compile(rb"\d+=.")
_COMMENT_LINE = re.compile(rb"^[ \t\r\v\f]*#[^\n]*", re.MULTILINE)
# Most bytes that are searched for the first tree with words.
_FIRST_BYTES = 1 << 16


def find_numbering(data: bytes) -> Numbering | None:
    """Return how the leaves of the first tree with words are numbered; None if not all of them are."""
    leaves, end = _first_leaves(data)
    if not leaves:
        return None
    if all(map(_NUMBERED.match, leaves)):
        return "leaves"
    behind = data[end : end + _FIRST_BYTES].partition(b"\n")[0]
    numbers = sorted(b"%d" % number for number in range(len(leaves)))
    return "behind" if behind.strip() and sorted(leaves) == numbers else None


def _first_leaves(data: bytes) -> tuple[list[bytes], int]:
    """Return the words of the first tree that has some, as written, and the offset where the tree ends."""
    leaves: list[bytes] = []
    depth = end = n_texts = 0
    text = b""
    shown = data[:_FIRST_BYTES]
    if b"#" in shown:
        shown = _COMMENT_LINE.sub(lambda match: b" " * len(match[0]), shown)
    for piece in _PIECE.finditer(shown):
        symbol, end = piece[0], piece.end()
        if symbol == b"(":
            depth += 1
        elif symbol != b")":
            text, n_texts = symbol, n_texts + 1
            continue
        else:
            # Between the brackets there are just a label and a word.
            if n_texts == 2 and depth > 0:
                leaves.append(text)
            depth = max(depth - 1, 0)
            if not depth and leaves:
                break
        n_texts = 0
    return leaves, end
