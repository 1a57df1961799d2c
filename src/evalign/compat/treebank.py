"""A treebank as the CoNLL 2018 and the UD tools scripts read it, in columns."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from evalign.errors import Place
from evalign.kernels.buffers import flags, ints, long_rows, longs
from evalign.kernels.scan_cy import N_NOTES, ConlluScanner, codes, count_bytes
from evalign.kernels.words_cy import cut_words
from evalign.readers.official import canonical
from evalign.readers.refusals import Dialect, refusal
from evalign.readers.source import Content
from evalign.readers.written import Trees, Written, WrittenEdges, make_trees, read_edges_of, read_written

CODES = codes()
# What the scanner tolerates and both scripts do, too; what a script may refuse is looked at again.
_TOLERATED = {"conll18": (CODES["INNER_ID"],), "udtools": (CODES["INNER_ID"], CODES["INNER_NODE"])}


class Script(NamedTuple):
    """Which script is asked, and how."""

    dialect: Dialect
    enhanced: bool = False
    multiple_roots_okay: bool = False
    no_empty_nodes: bool = False


class Rows(NamedTuple):
    """Tokens, words and sentences of a file as the scanner finds them."""

    line: bytes
    """All characters of the tokens, in UTF-8."""
    cuts: memoryview
    sentences: memoryview
    linenos: memoryview
    word_tokens: memoryview
    multiword: memoryview
    rows: memoryview
    inner: memoryview
    """Where the forms inside multiword tokens stand."""


class Treebank(NamedTuple):
    """A file that the script accepts."""

    content: Content
    found: Rows
    written: Written
    trees: Trees
    word_cuts: memoryview
    edges: WrittenEdges | None = None

    @property
    def n_words(self) -> int:
        """Number of words."""
        return len(self.found.rows)


def read_treebank(content: Content, script: Script) -> Treebank:
    """A treebank, or what the script says instead (`OfficialError`).

    What the kernels cannot read as it stands is read again in the script's own way: that gives its words for what it
    refuses and, of what it accepts ("+3" for 3), a canonical form.
    """
    treebank = None
    if all(remark.kind == "crlf" for remark in content.remarks):
        treebank = _read(content, script)
    if treebank is None:
        plain = canonical(
            content,
            script.dialect,
            multiple_roots_okay=script.multiple_roots_okay,
            no_empty_nodes=script.no_empty_nodes,
        )
        treebank = _read(content._replace(data=plain, remarks=()), script)
    if treebank is None:
        words, expected = "this cannot be read", "CoNLL-U as the script reads it"
        raise refusal(script.dialect, Place(content.name), words, expected=expected)
    return treebank


def _read(content: Content, script: Script) -> Treebank | None:
    """A treebank, or None if there is anything in it that the script may refuse or read otherwise."""
    found = _scan(content.data, script)
    if found is None:
        return None
    word_cuts = ints(len(found.sentences))
    cut_words(found.word_tokens, found.sentences, word_cuts)
    written = read_written(content.data, found.rows)
    trees = make_trees(written.heads, word_cuts)
    if not trees.is_whole(several_roots=script.multiple_roots_okay):
        return None
    edges = None
    if script.dialect == "udtools":
        edges = read_edges_of(content.data, found.rows, word_cuts)
        if edges.n_odd or edges.n_outside or (script.no_empty_nodes and edges.n_empty):
            return None
    return Treebank(content, found, written, trees, word_cuts, edges)


def _scan(data: bytes, script: Script) -> Rows | None:
    rows = count_bytes(data, ord("\n")) + 3
    line = flags(len(data) + 1)
    cuts, sentences, linenos, word_tokens = (ints(rows) for _ in range(4))
    multiword, starts = flags(rows), longs(rows)
    inner, marks, notes = long_rows(rows, 2), long_rows(rows, 4), long_rows(N_NOTES, 2)
    scanner = ConlluScanner(data, line, cuts, sentences, linenos, notes, only_zs=True)
    error, _, _ = scanner.scan(word_tokens, multiword, starts, inner, marks)
    tolerated = _TOLERATED[script.dialect]
    if error or any(notes[kind, 0] for kind in range(N_NOTES) if kind not in tolerated):
        return None
    used, n_tokens, n_sentences = scanner.totals()
    n_words, _, _ = scanner.found()
    return Rows(
        bytes(line[:used]),
        cuts[: n_tokens + 1],
        sentences[: n_sentences + 1],
        linenos[:n_tokens],
        word_tokens[:n_words],
        multiword[:n_words],
        starts[:n_words],
        inner,
    )


class Forms:
    """Forms of words: inside a multiword token as they are written, else the token without spaces."""

    def __init__(self, treebank: Treebank) -> None:
        found = treebank.found
        self._data, self._line = treebank.content.data, found.line.decode("utf-8")
        self._cuts, self._tokens, self._multiword, self._inner = (
            found.cuts, found.word_tokens, found.multiword, found.inner,
        )  # fmt: skip
        self._ranks = list(accumulate(found.multiword, initial=0))

    def __getitem__(self, word: int) -> str:
        if self._multiword[word]:
            rank = self._ranks[word]
            return self._data[self._inner[rank, 0] : self._inner[rank, 1]].decode("utf-8")
        token = self._tokens[word]
        return self._line[self._cuts[token] : self._cuts[token + 1]]
