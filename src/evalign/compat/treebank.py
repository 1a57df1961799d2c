"""A treebank as the CoNLL 2018 and the UD tools scripts read it, in columns, without the edges that --enhancements leaves out."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from evalign.errors import Place
from evalign.kernels.buffers import flags, ints, long_rows, longs
from evalign.kernels.conllu_columns_cy import codes as tree_codes
from evalign.kernels.text_scan_cy import N_NOTES, ConlluScanner, codes, count_bytes
from evalign.kernels.words_cy import cut_words
from evalign.readers import (
    ConlluFields,
    Content,
    DepsEdges,
    Dialect,
    HeadTrees,
    LabelColumn,
    load,
    make_trees,
    read_deps,
    read_fields,
    refusal,
)
from evalign.ud_labels import cut_relation

_CODES = codes()
# What the scanner tolerates and the script does, too; what a script may refuse is looked at again.
_TOLERATED = {"conll18": _CODES["INNER_ID"], "udtools": _CODES["INNER_NODE"]}

_TREE_CODES = tree_codes()
ROOT, _NEVER_RIGHT = _TREE_CODES["ROOT"], _TREE_CODES["OUTSIDE"]
_DEPS = 8
# Relations whose labels have lemmas, and what follows their colon and is none.
_WITH_LEMMAS = frozenset(("obl", "nmod", "conj", "advcl"))
_SUBTYPES = frozenset(("pass", "relcl", "xsubj"))

# Bytes of a file that take longer to read than a thread to start.
LARGE = 4_000_000


class Script(NamedTuple):
    """Which script is asked, and how; all but the dialect are options of udtools."""

    dialect: Dialect
    enhanced: bool = False
    """Whether enhanced dependencies are evaluated."""
    enhancements: str = ""
    """Digits of the enhancements that are not evaluated."""
    multiple_roots_okay: bool = False
    no_empty_nodes: bool = False


class ScannedRows(NamedTuple):
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


class ScriptTreebank(NamedTuple):
    """A file that the script accepts."""

    content: Content
    """The file as it was given."""
    data: bytes
    """What was read: the file, or its plain form. Places in the columns are places in it."""
    rows: ScannedRows
    written: ConlluFields
    trees: HeadTrees
    word_cuts: memoryview
    """The words cut into sentences."""
    edges: DepsEdges | None
    """The enhanced graphs, if they are evaluated."""

    @property
    def n_words(self) -> int:
        """Number of words."""
        return len(self.rows.starts)


def read_pair(
    gold: str, system: str, script: Script, *, large: int = LARGE
) -> tuple[ScriptTreebank, ScriptTreebank]:
    """Two files; if both have more than `large` bytes at the same time: the kernels of columns let other threads run."""
    if not _are_large(gold, system, large=large):
        return read_treebank(load(gold), script), read_treebank(load(system), script)
    from concurrent.futures import ThreadPoolExecutor
    from contextvars import copy_context

    with ThreadPoolExecutor(1) as other:
        # In the same context, which says how large a file may be.
        second = other.submit(copy_context().run, lambda: read_treebank(load(system), script))
        return read_treebank(load(gold), script), second.result()


def _are_large(*paths: str, large: int) -> bool:
    """Whether all files are larger than `large`; what is no file, standard input say, is not."""
    try:
        return min(map(os.path.getsize, paths)) > large
    except (OSError, ValueError):
        return False


def read_treebank(content: Content, script: Script) -> ScriptTreebank:
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


def _read(content: Content, data: bytes, script: Script, *, is_checked: bool) -> ScriptTreebank | None:
    """A treebank, or None if there is anything in it that the script may refuse or read otherwise."""
    rows = _scan(data, script.dialect)
    if rows is None:
        return None
    word_cuts = ints(len(rows.sentences))
    cut_words(rows.word_tokens, rows.sentences, word_cuts)
    written = read_fields(data, rows.starts)
    trees = make_trees(written.heads, word_cuts)
    if not trees.is_whole(several_roots=script.multiple_roots_okay):
        return None
    edges = None
    if script.dialect == "udtools":
        # They are read even if they are not evaluated: the script refuses what is wrong with them all the same.
        edges = read_deps(data, rows.starts, word_cuts)
        if edges.n_odd and is_checked:
            edges = read_loosely(data, rows.starts, word_cuts)
        elif edges.n_odd or edges.n_outside or (script.no_empty_nodes and edges.n_empty):
            return None
        edges = leave_out(script.enhancements, edges, written, trees, word_cuts) if script.enhanced else None
    return ScriptTreebank(content, data, rows, written, trees, word_cuts, edges)


def _scan(data: bytes, dialect: Dialect) -> ScannedRows | None:
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
    return ScannedRows(
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

    def __init__(self, treebank: ScriptTreebank) -> None:
        rows = treebank.rows
        self._data, self._line = treebank.data, rows.line.decode("utf-8")
        self._cuts, self._tokens = rows.cuts, rows.word_tokens
        self._multiword, self._inner = rows.multiword.tobytes(), rows.inner
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


# `--enhancements` of the UD tools script: edges of the enhanced graphs that are not evaluated.
#
# Made for the shared task of 2020 (Bouma et al. 2020), whose treebanks had not all enhancements. The digits do what
# they do in the script, on both sides, before anything is counted:
#
# | digit | an edge                                          | becomes                                       |
# |-------|--------------------------------------------------|-----------------------------------------------|
# | 1     | of several steps                                 | the word's basic dependency                   |
# | 1     | of one step that the word has already            | nothing                                       |
# | 2     | any, if another of one step begins with `conj`   | nothing; the last of those is what is left    |
# | 3     | any                                              | itself: the script compares word and text     |
# | 4     | from an `xcomp`, with a step that begins `nsubj` | nothing                                       |
# | 5     | whose first step is `ref`                        | the word's basic dependency                   |
# | 5     | from an `acl` that hangs on the word before      | nothing (the word itself is meant)            |
# | 6     | with a step such as `obl:in`                     | the same with `obl`                           |
#
# A basic dependency that takes an edge's place is that of DEPREL without its subtype. Where it is the root it is
# counted and never right, since the script has another value for the root of the basic tree.

Edge: TypeAlias = tuple[int, int]
"""The word it comes from, or a code of `conllu_columns_cy`; and the number of its path."""


def read_loosely(data: bytes, starts: memoryview, word_cuts: memoryview) -> DepsEdges:
    """Edges as the script reads them, of a file that it accepts, for heads that are not plain numbers.

    A head is what Python's `int` reads, and an index into a list of all words so far: if negative, it is a word of
    a sentence before, or one counted from the end.
    """
    cuts, heads, ids = array("i", [0]), array("i"), array("i")
    numbers: dict[str, int] = {}
    for first, end in pairwise(word_cuts):
        for word in range(first, end):
            start = starts[word]
            deps = data[start : data.index(b"\n", start)].split(b"\t")[_DEPS].decode("utf-8")
            for edge in () if deps in ("", "_") else deps.split("|"):
                head, _, path = edge.partition(":")
                if "." not in head:
                    heads.append(_find_word(int(head), first, end))
                    ids.append(numbers.setdefault(path, len(numbers)))
            cuts.append(len(heads))
    paths = LabelColumn(memoryview(ids), list(numbers))
    return DepsEdges(memoryview(cuts), memoryview(heads), paths, 0, 0, 0, 0, 0)


def _find_word(head: int, first: int, end: int) -> int:
    index = first + head - 1
    return ROOT if not head else index if index >= 0 else end + index


def leave_out(
    digits: str, edges: DepsEdges, written: ConlluFields, trees: HeadTrees, word_cuts: memoryview
) -> DepsEdges:
    """The edges that are evaluated. What is no digit from 1 to 6 means nothing."""
    if not set(digits).isdisjoint("1245"):
        edges = _Graphs(edges, written, trees).without(digits, word_cuts)
    if "6" in digits:
        labels = [cut_lemmas(path) for path in edges.paths.labels]
        edges = edges._replace(paths=edges.paths._replace(labels=labels))
    return edges


def cut_lemmas(path: str) -> str:
    """A path without what is taken for a lemma: the one part after the colon of some relations.

    >>> cut_lemmas("conj:and>nmod:of")
    'conj>nmod'
    >>> cut_lemmas("obl:in:gen>acl:relcl>advcl:relcl")
    'obl:in:gen>acl:relcl>advcl:relcl'
    """
    return ">".join(map(_cut_lemma, path.split(">")))


def _cut_lemma(step: str) -> str:
    relation, _, rest = step.partition(":")
    if relation in _WITH_LEMMAS and rest not in _SUBTYPES and ":" not in rest:
        return relation
    return step


class _Graphs:
    """The edges of a treebank, and what the digits ask of their paths and of the words they come from."""

    def __init__(self, edges: DepsEdges, written: ConlluFields, trees: HeadTrees) -> None:
        self.edges, self.heads, self.parents = edges, written.heads, trees.parents
        self.deprels = written.deprel.ids.tolist()
        relations = [cut_relation(label) for label in written.deprel.labels]
        self.is_xcomp = [relation == "xcomp" for relation in relations]
        self.is_acl = [relation.startswith("acl") for relation in relations]
        numbers: dict[str, int] = {}
        for label in (*edges.paths.labels, *relations):
            numbers.setdefault(label, len(numbers))
        self.labels, self.basic_paths = list(numbers), [numbers[relation] for relation in relations]
        steps = [label.split(">") for label in self.labels]
        self.is_long = [len(path) > 1 for path in steps]
        self.is_conj = [len(path) == 1 and path[0].startswith("conj") for path in steps]
        self.is_ref = [path[0] == "ref" for path in steps]
        self.has_subject = [any(step.startswith("nsubj") for step in path) for path in steps]
        self.is_special = list(map(any, zip(self.is_long, self.is_ref, self.has_subject, strict=True)))

    def without(self, digits: str, word_cuts: memoryview) -> DepsEdges:
        """The edges that are left, and those that have taken the place of others."""
        rules: dict[str, Callable[[list[Edge], int, int], list[Edge]]] = {
            "1": self._without_gapping,
            "2": self._without_shared_parents,
            "4": self._without_control,
            "5": self._without_external_arguments,
        }
        asked = [rule for digit, rule in rules.items() if digit in digits]
        old_cuts, old = (
            self.edges.cuts.tolist(),
            list(zip(self.edges.heads, self.edges.paths.ids, strict=True)),
        )
        cuts: list[int] = [0]
        kept: list[Edge] = []
        for first, end in pairwise(word_cuts):
            for word in range(first, end):
                edges = old[old_cuts[word] : old_cuts[word + 1]]
                if not self._are_safe(edges):
                    for rule in asked:
                        edges = rule(edges, word, word - first)
                kept += edges
                cuts.append(len(kept))
        heads, ids = (memoryview(array("i", [edge[side] for edge in kept])) for side in range(2))
        paths = LabelColumn(ids, self.labels)
        return self.edges._replace(cuts=memoryview(array("i", cuts)), heads=heads, paths=paths)

    def _are_safe(self, edges: list[Edge]) -> bool:
        """Whether no digit can change the edges of a word. Most words have one that is like the basic one."""
        if not edges:
            return True
        head, path = edges[0]
        return (
            len(edges) == 1
            and not self.is_special[path]
            and (head < 0 or not self.is_acl[self.deprels[head]])
        )

    def _basic(self, word: int) -> Edge:
        """The basic dependency of a word as an edge."""
        parent = self.parents[word]
        return _NEVER_RIGHT if parent == ROOT else parent, self.basic_paths[self.deprels[word]]

    def _without_gapping(self, edges: list[Edge], word: int, _: int) -> list[Edge]:
        kept: list[Edge] = []
        for edge in edges:
            if self.is_long[edge[1]]:
                kept.append(self._basic(word))
            elif edge not in kept:
                kept.append(edge)
        return kept

    def _without_shared_parents(self, edges: list[Edge], _word: int, _: int) -> list[Edge]:
        return [edge for edge in edges if self.is_conj[edge[1]]][-1:] or edges

    def _without_control(self, edges: list[Edge], _word: int, _: int) -> list[Edge]:
        return [
            (head, path)
            for head, path in edges
            if not (head >= 0 and self.is_xcomp[self.deprels[head]] and self.has_subject[path])
        ]

    def _without_external_arguments(self, edges: list[Edge], word: int, position: int) -> list[Edge]:
        """`position` counts from 0 in the sentence, the heads that it is compared with from 1."""
        kept = []
        for head, path in edges:
            if self.is_ref[path]:
                kept.append(self._basic(word))
            elif head < 0 or not self.is_acl[self.deprels[head]] or self.heads[head] != position:
                kept.append((head, path))
        return kept
