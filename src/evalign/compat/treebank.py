"""A treebank as the CoNLL 2018 and the UD tools scripts read it, in columns."""

from __future__ import annotations

import os
from typing import NamedTuple

from evalign.compat.enhancements import leave_out, read_loosely
from evalign.errors import Place
from evalign.kernels.buffers import flags, ints, long_rows, longs
from evalign.kernels.scan_cy import N_NOTES, ConlluScanner, codes, count_bytes
from evalign.kernels.words_cy import cut_words
from evalign.readers import (
    ConlluFields,
    Content,
    DepsEdges,
    Dialect,
    HeadTrees,
    load,
    make_trees,
    read_deps,
    read_fields,
    refusal,
)

_CODES = codes()
# What the scanner tolerates and the script does, too; what a script may refuse is looked at again.
_TOLERATED = {"conll18": _CODES["INNER_ID"], "udtools": _CODES["INNER_NODE"]}

# Bytes of a file that take longer to read than a thread to start.
_LARGE = 4_000_000


class Script(NamedTuple):
    """Which script is asked, and how; all but the dialect are options of udtools."""

    dialect: Dialect
    enhanced: bool = False
    """Whether enhanced dependencies are evaluated."""
    enhancements: str = ""
    """Digits of the enhancements that are not evaluated."""
    multiple_roots_okay: bool = False
    no_empty_nodes: bool = False


class Rows(NamedTuple):
    """Tokens, words and sentences of a file as the scanner finds them."""

    line: bytes
    """All characters of the tokens, in UTF-8."""
    cuts: memoryview
    sentences: memoryview
    word_tokens: memoryview
    multiword: memoryview
    starts: memoryview
    """Where the row of each word begins."""
    inner: memoryview
    """Where the forms inside multiword tokens stand."""


class Treebank(NamedTuple):
    """A file that the script accepts."""

    content: Content
    """The file as it was given."""
    data: bytes
    """What was read: the file, or its plain form. Places in the columns are places in it."""
    found: Rows
    written: ConlluFields
    trees: HeadTrees
    word_cuts: memoryview
    """The words cut into sentences."""
    edges: DepsEdges | None
    """The enhanced graphs, if they are evaluated."""

    @property
    def n_words(self) -> int:
        """Number of words."""
        return len(self.found.starts)


def read_pair(gold: str, system: str, script: Script) -> tuple[Treebank, Treebank]:
    """Two files; large ones at the same time, since the kernels of columns leave other threads alone."""
    if not _are_large(gold, system):
        return read_treebank(load(gold), script), read_treebank(load(system), script)
    from concurrent.futures import ThreadPoolExecutor
    from contextvars import copy_context

    with ThreadPoolExecutor(1) as other:
        # In the same context, which says how large a file may be.
        second = other.submit(copy_context().run, lambda: read_treebank(load(system), script))
        return read_treebank(load(gold), script), second.result()


def _are_large(*paths: str) -> bool:
    """Whether both files are worth a thread; what is no file, standard input say, is read as it comes."""
    try:
        return min(map(os.path.getsize, paths)) > _LARGE
    except (OSError, ValueError):
        return False


def read_treebank(content: Content, script: Script) -> Treebank:
    """A treebank, or what the script says instead (`OfficialError`).

    What the kernels cannot read as it stands is read again in the script's own way: that gives its words for what it
    refuses and, of what it accepts ("+3" for 3), a plain form.
    """
    treebank = None
    if not _is_suspect(content, script):
        treebank = _read(content, content.data, script, is_checked=False)
    if treebank is None:
        treebank = _read(content, _plain_form(content, script), script, is_checked=True)
    if treebank is None:
        words, expected = "this cannot be read", "CoNLL-U as the script reads it"
        raise refusal(script.dialect, Place(content.name), words, expected=expected)
    return treebank


def _is_suspect(content: Content, script: Script) -> bool:
    """Whether there is something in a file that the kernels do not see, and that the script may refuse."""
    if any(remark.kind != "crlf" for remark in content.remarks):
        return True
    if not script.no_empty_nodes:
        return False
    # Few ask for it, and it takes time to load.
    from evalign.readers import has_empty_nodes

    return has_empty_nodes(content.data)


def _plain_form(content: Content, script: Script) -> bytes:
    # Few files need it, and it takes time to load.
    from evalign.readers import canonical

    return canonical(
        content,
        script.dialect,
        multiple_roots_okay=script.multiple_roots_okay,
        no_empty_nodes=script.no_empty_nodes,
    )


def _read(content: Content, data: bytes, script: Script, *, is_checked: bool) -> Treebank | None:
    """A treebank, or None if there is anything in it that the script may refuse or read otherwise."""
    found = _scan(data, script.dialect)
    if found is None:
        return None
    word_cuts = ints(len(found.sentences))
    cut_words(found.word_tokens, found.sentences, word_cuts)
    written = read_fields(data, found.starts)
    trees = make_trees(written.heads, word_cuts)
    if not trees.is_whole(several_roots=script.multiple_roots_okay):
        return None
    edges = None
    if script.dialect == "udtools":
        # They are read even if they are not evaluated: the script refuses what is wrong with them all the same.
        edges = read_deps(data, found.starts, word_cuts)
        if edges.n_odd and is_checked:
            edges = read_loosely(data, found.starts, word_cuts)
        elif edges.n_odd or edges.n_outside or (script.no_empty_nodes and edges.n_empty):
            return None
        edges = leave_out(script.enhancements, edges, written, trees, word_cuts) if script.enhanced else None
    return Treebank(content, data, found, written, trees, word_cuts, edges)


def _scan(data: bytes, dialect: Dialect) -> Rows | None:
    rows = count_bytes(data, ord("\n")) + 3
    line = flags(len(data) + 1)
    cuts, sentences, linenos, word_tokens = (ints(rows) for _ in range(4))
    multiword, starts = flags(rows), longs(rows)
    inner, marks, notes = long_rows(rows, 2), long_rows(rows, 4), long_rows(N_NOTES, 2)
    scanner = ConlluScanner(data, line, cuts, sentences, linenos, notes, as_script=True)
    error, _, _ = scanner.scan(word_tokens, multiword, starts, inner, marks)
    if error or any(notes[kind, 0] for kind in range(N_NOTES) if kind != _TOLERATED[dialect]):
        return None
    used, n_tokens, n_sentences = scanner.totals()
    n_words, _, _ = scanner.found()
    return Rows(
        bytes(line[:used]),
        cuts[: n_tokens + 1],
        sentences[: n_sentences + 1],
        word_tokens[:n_words],
        multiword[:n_words],
        starts[:n_words],
        inner,
    )


class Forms:
    """Forms of words: inside a multiword token as they are written, else the token without spaces.

    Words are asked for in their order: how many words of multiword tokens come before one is counted on the way.
    """

    def __init__(self, treebank: Treebank) -> None:
        found = treebank.found
        self._data, self._line = treebank.data, found.line.decode("utf-8")
        self._cuts, self._tokens = found.cuts, found.word_tokens
        self._multiword, self._inner = found.multiword.tobytes(), found.inner
        self._word = self._rank = 0

    def __getitem__(self, word: int) -> str:
        if self._multiword[word]:
            if word < self._word:
                self._word = self._rank = 0
            self._rank += self._multiword.count(1, self._word, word)
            self._word = word
            span = self._inner[self._rank, 0], self._inner[self._rank, 1]
            return self._data[span[0] : span[1]].decode("utf-8")
        token = self._tokens[word]
        return self._line[self._cuts[token] : self._cuts[token + 1]]
