"""Discontinuous trees in brackets (disco-dop's discbracket): every leaf says which word of the sentence it is.

    (S (VP (VB 0=is) (JJ 2=rich)) (NP 1=John))

Words are put in the order of their numbers; a bracket is then the runs of words that its leaves are. Everything else is
as in `readers.trees`.
"""

from __future__ import annotations

import re

import numpy as np

from evalign.document import Document, IntArray, Runs, Trees
from evalign.errors import InputError
from evalign.readers.content import Content
from evalign.readers.trees import (
    Empty,
    Leaves,
    Mask,
    Scan,
    find_runs,
    make_document,
    remark_broken,
    scan_trees,
)

FAULT = "leaves that do not have each number from 0 up once"
EXPECTED = "leaves with the number of their word: (S (VP (VB 0=is) (JJ 2=rich)) (NP 1=John))"
# Digits that the number of a leaf may have.
_MOST_DIGITS = 9
# What stands for round brackets.
_ESCAPE = re.compile(rb"#[LR]RB#")
_BARE_LEAF = re.compile(rb"(?<=\s)\d+(?=\s*\))")


def read_discbracket(content: Content, *, strict: bool = False, empty: Empty = "drop") -> Document:
    """Read trees with numbered leaves. A tree whose numbers are no order of its words is left out.

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
        if strict or (not content.start and _has_no_leaf(scan, scan.root_nodes[~is_broken])):
            raise InputError(content.place(linenos[0]), FAULT, EXPECTED, "is this tree cut off?")
        remarks = (*remarks, remark_broken(content, FAULT, linenos))
    labels = [label.replace(b"#LRB#", b"(").replace(b"#RRB#", b")") for label in scan.labels]
    ordered, torn = _sort_leaves(scan._replace(labels=labels, word_starts=word_starts), order)
    leaves = Leaves(data, ordered, empty, is_broken)
    trees = _find_brackets(leaves, {node: order[scan.firsts[node] : scan.lasts[node]] for node in torn})
    given = content._replace(remarks=remarks)
    return make_document(given, "discbracket", leaves, trees, _unescape if _ESCAPE.search(data) else None)


def _has_no_leaf(scan: Scan, nodes: IntArray) -> bool:
    return bool((scan.firsts[nodes] == scan.lasts[nodes]).all())


def _unescape(word: str) -> str:
    return word.replace("#LRB#", "(").replace("#RRB#", ")")


def put_words_in(content: Content) -> Content:
    """The same with words at the leaves, where they stand behind the trees."""
    data = content.data
    return (
        content._replace(data=b"\n".join(map(_put_words_in, data.split(b"\n")))) if b"\t" in data else content
    )


def _put_words_in(line: bytes) -> bytes:
    """A line with the words of its tree behind it, as one with the words at the leaves.

    If they are not as many as leaves, it stays as it is, and is a tree without numbers.
    """
    tree, _, behind = line.partition(b"\t")
    words = [word.replace(b"(", b"#LRB#").replace(b")", b"#RRB#") for word in behind.split()]
    numbers = _BARE_LEAF.findall(tree)
    if len(numbers) != len(words) or any(len(n) > _MOST_DIGITS or int(n) >= len(words) for n in numbers):
        return line
    return _BARE_LEAF.sub(lambda found: b"%b=%b" % (found[0], words[int(found[0])]), tree)


def _read_numbers(data: bytes, scan: Scan) -> tuple[IntArray, IntArray]:
    """Per leaf the number before its first =, -1 without one or without a word behind it, and where the word begins."""
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
    found = np.where(is_good, at + 1, starts).astype(np.int32)
    return np.where(is_good, numbers, -1), found


def _find_order(scan: Scan, numbers: IntArray) -> tuple[IntArray, Mask]:
    """Per leaf which leaf of the file it would be if they stood as in the text, and per tree whether that cannot be told.

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
    """The same with leaves in the order of the text, and the nodes whose leaves do not stand together there.

    The first and last leaf of such a node have others between them.
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
    """The brackets that have a token in them; `torn` has the leaves of those that do not stand together."""
    scan, rank = leaves.scan, leaves.rank
    firsts, lasts = rank[scan.firsts], rank[scan.lasts]
    found: dict[int, Runs] = {}
    for node, places in torn.items():
        tokens = np.sort(rank[places[leaves.is_kept[places]]])
        firsts[node], lasts[node] = (tokens[0], tokens[-1] + 1) if len(tokens) else (0, 0)
        runs = find_runs(tokens.tolist())
        if len(runs) > 1:  # what stood between may be left out
            found[node] = runs
    rows = np.flatnonzero(~scan.is_leaf & (firsts < lasts))
    # As brackets open in the text; of those that cover as much, the outer one is written first.
    rows = rows[np.lexsort((-lasts[rows], firsts[rows]))]
    number = np.zeros(len(firsts), np.int32)
    number[rows] = np.arange(len(rows))
    runs_by_row = {int(number[node]): runs for node, runs in found.items()}
    return Trees(firsts[rows], lasts[rows], scan.column(rows), scan.is_outermost[rows], runs_by_row)
