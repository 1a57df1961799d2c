"""The columns of CoNLL-U beside the form, as written. Needs no numpy.

`readers.conllu` and the compatible commands use it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise
from typing import NamedTuple

from evalign.errors import Remark
from evalign.kernels.buffers import ints, long_rows
from evalign.kernels.conllu_columns_cy import (
    N_NOTES,
    LabelNumbers,
    codes,
    read_columns,
    read_edges,
    settle_edges,
    settle_heads,
)
from evalign.kernels.text_scan_cy import count_bytes
from evalign.readers.content import Content

_CODES = codes()
_ODD, _NONE, _NO_SOURCE = _CODES["ODD_HEAD"], _CODES["NO_HEAD"], _CODES["NO_SOURCE"]
_HEAD = 6
_LARGEST = 2**31 - 1
_MOST_PLACES = 5

# Kind and message of each note, in the order of the notes of `conllu_columns_cy`.
_NOTES = (
    ("missing-head", "word without a HEAD that is a number: its attachment is wrong"),
    ("head-outside", "HEAD beyond the sentence: the attachment is wrong"),
    ("cycle", "word on a cycle of heads: its attachment is wrong"),
    ("several-roots", "sentence with several roots: each is right where gold has it too"),
    ("no-root", "sentence without a root"),
)


class LabelColumn(NamedTuple):
    """One number per word, and the labels that the numbers are indices of, in order of first appearance."""

    ids: memoryview
    labels: list[str]


class ConlluFields(NamedTuple):
    """The columns of some words, one row per word."""

    lemma: LabelColumn
    upos: LabelColumn
    xpos: LabelColumn
    feats: LabelColumn
    heads: memoryview
    """HEAD as written: the number of a word in the sentence, 0 for the root; negative if not a number."""
    deprel: LabelColumn


class HeadTrees(NamedTuple):
    """The head of each word as a word index (or a code of `conllu_columns_cy`), and counts of faults."""

    parents: memoryview
    notes: memoryview

    def is_whole(self, *, several_roots: bool = False) -> bool:
        """Return whether every sentence is a tree with one root, or several roots if that is allowed."""
        return not any(
            self.notes[kind, 0] for kind in range(N_NOTES) if not (several_roots and kind == _CODES["ROOTS"])
        )


class DepsEdges(NamedTuple):
    """The edges of enhanced graphs, grouped by the word they lead to.

    The edges of word `k` are those from `cuts[k]` up to `cuts[k + 1]`. `n_odd`, `n_empty` and `n_outside`
    count the edges that cannot be read, that come from empty nodes, and that come from outside their
    sentence.
    """

    cuts: memoryview
    heads: memoryview
    """Per edge: the index in the document of the word it comes from, or a code of `conllu_columns_cy`."""
    paths: LabelColumn
    n_odd: int
    n_empty: int
    n_outside: int
    first_odd: int
    """The first word with an edge that cannot be read."""
    first_outside: int
    """The first word with an edge from outside its sentence."""


def read_fields(data: bytes, rows: memoryview) -> ConlluFields:
    """Read the columns of the words whose rows, of ten columns, begin at the byte offsets `rows`."""
    n = len(rows)
    columns = [_Room(n) for _ in range(5)]
    lemma, upos, xpos, feats, deprel = (column.numbers for column in columns)
    heads = ints(n)
    if read_columns(data, rows, lemma, upos, xpos, feats, heads, deprel):
        _read_odd_heads(data, rows, heads)
    read = [column.decoded(data) for column in columns]
    return ConlluFields(read[0], read[1], read[2], read[3], heads, read[4])


class _Room:
    """Arrays for a column of labels, to be filled by a kernel."""

    def __init__(self, n: int) -> None:
        self.ids, self.spans = ints(n), long_rows(n, 2)
        # At least twice as many slots as there can be labels keep the chains of the hash table short.
        self.numbers = LabelNumbers(self.ids, self.spans, ints(1 << (2 * n).bit_length()))

    def decoded(self, data: bytes) -> LabelColumn:
        spans = self.spans
        labels = [data[spans[k, 0] : spans[k, 1]].decode("utf-8") for k in range(self.numbers.count())]
        return LabelColumn(self.ids, labels)


def _read_odd_heads(data: bytes, rows: memoryview, heads: memoryview) -> None:
    """Read the heads that only Python's `int`, and so the CoNLL 2018 script, reads ("+3", "1_0").

    Replaces the code of an odd head in `heads` by its number, or by the code for no head if it is not a
    number or below 0.
    """
    for word, head in enumerate(heads):
        if head != _ODD:
            continue
        start = rows[word]
        written = data[start : data.find(b"\n", start) % (len(data) + 1)].split(b"\t")[_HEAD]
        try:
            value = int(written.decode("utf-8"))
        except ValueError:
            value = _NONE
        heads[word] = min(value, _LARGEST) if value >= 0 else _NONE


def no_edges(n_words: int) -> DepsEdges:
    """Return the edges of `n_words` words without enhanced graphs."""
    return DepsEdges(ints(n_words + 1), ints(0), LabelColumn(ints(0), []), 0, 0, 0, 0, 0)


def read_deps(data: bytes, rows: memoryview, word_cuts: memoryview) -> DepsEdges:
    """Read the edges in DEPS of the words whose rows begin at the byte offsets `rows`.

    `word_cuts` has the boundaries of sentences as word indices. Edges from empty nodes are left out.
    """
    most = len(rows) + count_bytes(data, ord("|"))
    cuts, heads, nodes, first = ints(len(rows) + 1), ints(most), ints(most), ints(1)
    paths = _Room(most)
    n_odd, first_odd = read_edges(data, rows, cuts, heads, nodes, paths.numbers)
    if n_odd:  # odd edges also become OUTSIDE
        first_outside = _find_outside(word_cuts, cuts, heads, nodes)
    n_empty, n_beyond = settle_edges(word_cuts, cuts, heads, nodes, paths.ids, first)
    n_outside = n_beyond - n_odd
    n = cuts[len(rows)]
    column = paths.decoded(data)
    return DepsEdges(
        cuts, heads[:n], column._replace(ids=column.ids[:n]), n_odd, n_empty, n_outside, first_odd,
        first_outside if n_odd else first[0],
    )  # fmt: skip


def _find_outside(word_cuts: memoryview, cuts: memoryview, heads: memoryview, nodes: memoryview) -> int:
    """Return the first word with an edge from a number beyond its sentence; 0 if there is none."""
    for first, end in pairwise(word_cuts):
        for word in range(first, end):
            edges = range(cuts[word], cuts[word + 1])
            if any(nodes[edge] < 0 and end - first < heads[edge] < _NO_SOURCE for edge in edges):
                return word
    return 0


def make_trees(heads: memoryview, cuts: memoryview) -> HeadTrees:
    """Convert heads, as numbers in the sentence, into word indices of the document, and note faults.

    `cuts` has the boundaries of sentences as word indices.
    """
    n = len(heads)
    parents, notes = ints(n), long_rows(N_NOTES, 2)
    settle_heads(heads, cuts, parents, ints(n), notes)
    return HeadTrees(parents, notes)


def tree_remarks(
    content: Content, rows: memoryview, cuts: memoryview, trees: HeadTrees
) -> tuple[Remark, ...]:
    """Return a remark for each kind of fault in the trees, with its first places.

    `rows` has the byte offsets of the words' rows, `cuts` the boundaries of sentences as word indices.
    """
    remarks = []
    for k, (kind, message) in enumerate(_NOTES):
        times = trees.notes[k, 0]
        if times:
            words = islice(_find_noted(k, cuts, trees.parents), _MOST_PLACES)
            places = tuple(content.place_of(rows[word]) for word in words)
            remarks.append(Remark(kind, message, times, places))
    return tuple(remarks)


def _find_noted(kind: int, cuts: memoryview, parents: memoryview) -> Iterator[int]:
    """Yield the words with the fault `kind`; for faults of whole sentences, their first words."""
    code = {_CODES["NO_PARENT"]: "MISSING", _CODES["BEYOND"]: "OUTSIDE", _CODES["ON_CYCLE"]: "CYCLIC"}.get(
        kind
    )
    if code:
        yield from (word for word, parent in enumerate(parents) if parent == _CODES[code])
        return
    for first, end in pairwise(cuts):
        sentence = parents[first:end].tolist()
        roots = sentence.count(_CODES["ROOT"])
        unknown = sentence.count(_CODES["MISSING"]) + sentence.count(_CODES["OUTSIDE"])
        if roots > 1 if kind == _CODES["ROOTS"] else not roots and not unknown:
            yield first


def edge_remarks(content: Content, rows: memoryview, edges: DepsEdges) -> tuple[Remark, ...]:
    """Return a remark for each kind of edge that can never be right, with its first place."""
    faults = (
        ("odd-edge", "edge of DEPS without a number and a colon: it is wrong", edges.n_odd, edges.first_odd),
        (
            "edge-outside",
            "edge of DEPS from beyond the sentence: it is wrong",
            edges.n_outside,
            edges.first_outside,
        ),
    )
    return tuple(
        Remark(kind, message, times, (content.place_of(rows[word]),))
        for kind, message, times, word in faults
        if times
    )
