"""A treebank as the CoNLL 2018 script and the UD tools script read it, in columns.

`read_pair` reads both files of a command, `read_treebank` one file. For the UD tools, the edges that the
option --enhancements excludes are left out here.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable
from contextvars import copy_context
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from evalign.errors import Place
from evalign.kernels.buffers import flags, ints, long_rows, longs
from evalign.kernels.conllu_columns_cy import codes as tree_codes
from evalign.kernels.text_scan_cy import N_NOTES, ConlluScanner, codes, count_bytes
from evalign.kernels.words_cy import cut_words
from evalign.readers.conllu_columns import (
    ConlluFields,
    DepsEdges,
    HeadTrees,
    LabelColumn,
    make_trees,
    read_deps,
    read_fields,
)
from evalign.readers.content import Content, load
from evalign.readers.official_errors import Dialect, refusal
from evalign.ud_labels import cut_relation

_CODES = codes()
# The oddity that scanner and script both tolerate. A file with any other is checked again in the script's own
# way.
_TOLERATED = {"conll18": _CODES["INNER_ID"], "udtools": _CODES["INNER_NODE"]}

_TREE_CODES = tree_codes()
ROOT, _NEVER_RIGHT = _TREE_CODES["ROOT"], _TREE_CODES["OUTSIDE"]
_DEPS = 8
# Relations whose labels may contain lemmas, and subtypes of theirs that are not lemmas.
_WITH_LEMMAS = frozenset(("obl", "nmod", "conj", "advcl"))
_SUBTYPES = frozenset(("pass", "relcl", "xsubj"))

# Files of this many bytes take longer to read than a thread to start.
LARGE = 4_000_000


class Script(NamedTuple):
    """Which script is imitated, with its options. All options but `dialect` are those of udtools."""

    dialect: Dialect
    enhanced: bool = False
    """True if enhanced dependencies are evaluated."""
    enhancements: str = ""
    """Digits of the enhancements that are left out."""
    multiple_roots_okay: bool = False
    no_empty_nodes: bool = False


class ScannedRows(NamedTuple):
    """Tokens, words and sentences of a file as the scanner finds them.

    `cuts` holds the boundaries of tokens on the line, in characters, and `sentences` the index of the first
    token of each sentence; both end with the total. `word_tokens` has the token of each word, and `multiword`
    is 1 for a word inside a multiword token.
    """

    line: bytes
    """All characters of the tokens, in UTF-8."""
    cuts: memoryview
    sentences: memoryview
    word_tokens: memoryview
    multiword: memoryview
    starts: memoryview
    """Byte offset of the row of each word."""
    inner: memoryview
    """Byte offsets (start, end) of the forms of words inside multiword tokens."""


class ScriptTreebank(NamedTuple):
    """A file that the script accepts, in columns."""

    content: Content
    """The file as it was given."""
    data: bytes
    """The bytes that were read: the file, or its plain form. Offsets in the columns refer to these bytes."""
    rows: ScannedRows
    written: ConlluFields
    trees: HeadTrees
    word_cuts: memoryview
    """Index of the first word of each sentence, and the number of words."""
    edges: DepsEdges | None
    """The enhanced graphs, or None if they are not evaluated."""

    @property
    def n_words(self) -> int:
        """Number of words."""
        return len(self.rows.starts)


def read_pair(
    gold: str, system: str, script: Script, *, large: int = LARGE
) -> tuple[ScriptTreebank, ScriptTreebank]:
    """Read two files; in two threads if both have more than `large` bytes.

    Threads help because the kernels of columns let other threads run.
    """
    if not _are_large(gold, system, large=large):
        return read_treebank(load(gold), script), read_treebank(load(system), script)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as other:
        # Run in the same context, because it holds the limit for the size of files.
        second = other.submit(copy_context().run, lambda: read_treebank(load(system), script))
        return read_treebank(load(gold), script), second.result()


def _are_large(*paths: str, large: int) -> bool:
    """Return whether all files have more than `large` bytes; False if a size is unknown (standard input)."""
    try:
        return min(map(os.path.getsize, paths)) > large
    except (OSError, ValueError):
        return False


def read_treebank(content: Content, script: Script) -> ScriptTreebank:
    """Read a treebank, or raise `OfficialError` with the message of the script.

    If the kernels cannot read the file as it is, the script's own checks are run on it. These give either the
    script's message or a plain form of the file that the kernels can read (3 where the file has "+3").
    """
    treebank = None
    if not _is_suspect(content, script):
        treebank = _read(content, content.data, script, is_checked=False)
    if treebank is None:
        # Imported here because few files need it and it takes time to load.
        from evalign.readers.official import canonical

        data = canonical(
            content,
            script.dialect,
            multiple_roots_okay=script.multiple_roots_okay,
            no_empty_nodes=script.no_empty_nodes,
        )
        treebank = _read(content, data, script, is_checked=True)
    if treebank is None:
        words, expected = "this cannot be read", "CoNLL-U as the script reads it"
        raise refusal(script.dialect, Place(content.name), words, expected=expected)
    return treebank


def _is_suspect(content: Content, script: Script) -> bool:
    """Return whether the script may refuse a file for something that the kernels do not see."""
    if any(remark.kind != "crlf" for remark in content.remarks):
        return True
    if not script.no_empty_nodes:
        return False
    # Imported here because few runs need it and it takes time to load.
    from evalign.readers.empty_nodes import has_empty_nodes

    return has_empty_nodes(content.data)


def _read(content: Content, data: bytes, script: Script, *, is_checked: bool) -> ScriptTreebank | None:
    """Read a treebank; None if it contains anything that the script may refuse or read differently.

    `is_checked` says that the script's own checks have accepted `data`.
    """
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
        # Read even if they are not evaluated, because the script refuses faulty edges in any case.
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
    n_words, _, _ = scanner.word_totals()
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
    """The form of each word, by index of the word.

    The form of a word inside a multiword token is that of its own row; any other form is the text of the
    token, without spaces. Access is fast in ascending order of words, because the words inside multiword
    tokens are counted on the way.
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


# The option --enhancements of the UD tools script, which excludes edges of the enhanced graphs from the
# evaluation.
#
# It was made for the shared task of 2020 (Bouma et al. 2020), where treebanks lacked some enhancements. The
# digits do what they do in the script, on both sides, before anything is counted:
#
# | digit | an edge                                          | becomes                                       |
# |-------|--------------------------------------------------|-----------------------------------------------|
# | 1     | of several steps                                 | the word's basic dependency                   |
# | 1     | of one step that the word has already            | nothing                                       |
# | 2     | any, if another of one step begins with `conj`   | nothing; the last of those is kept            |
# | 3     | any                                              | itself: the script compares word and text     |
# | 4     | from an `xcomp`, with a step that begins `nsubj` | nothing                                       |
# | 5     | whose first step is `ref`                        | the word's basic dependency                   |
# | 5     | from an `acl` that hangs on the word before      | nothing (the word itself is meant)            |
# | 6     | with a step such as `obl:in`                     | the same with `obl`                           |
#
# A basic dependency in place of an edge has the label DEPREL without its subtype. If its head is the root, it
# is counted but never right, because the script has another value for the root of the basic tree.

Edge: TypeAlias = tuple[int, int]
"""Head (index of a word, or a code of `conllu_columns_cy`) and number of the path."""


def read_loosely(data: bytes, starts: memoryview, word_cuts: memoryview) -> DepsEdges:
    """Read edges as the script does, where heads are not plain numbers. The script has accepted the file.

    A head is whatever Python's `int` reads. The script uses it as an index into a list of all words so far,
    so a negative head means a word of an earlier sentence, or one counted from the end.
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
    """Apply `digits`, the value of --enhancements, to the edges; return the edges to evaluate.

    Edges are left out, replaced by basic dependencies, or lose parts of their labels. The table at the
    head of this section says what each digit does. Characters other than the digits 1 to 6 have no effect.
    """
    if not set(digits).isdisjoint("1245"):
        edges = _Graphs(edges, written, trees).without(digits, word_cuts)
    if "6" in digits:
        labels = [cut_lemmas(path) for path in edges.paths.labels]
        edges = edges._replace(paths=edges.paths._replace(labels=labels))
    return edges


def cut_lemmas(path: str) -> str:
    """Remove from `path` what the script takes for lemmas: the single part after the colon of some relations.

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
    """The edges of a treebank, with the properties of paths and words that the digits depend on."""

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
        """Apply the rules of `digits` to the edges of each word.

        Returns the edges that remain, including those put in place of others.
        """
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
        """Return whether no digit can change the edges of a word.

        Most words are safe: they have a single plain edge.
        """
        if not edges:
            return True
        head, path = edges[0]
        return (
            len(edges) == 1
            and not self.is_special[path]
            and (head < 0 or not self.is_acl[self.deprels[head]])
        )

    def _basic(self, word: int) -> Edge:
        """Return the basic dependency of a word as an edge."""
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
        """Apply digit 5.

        `position` counts from 0 in the sentence, but the heads that it is compared with count from 1. So the
        script tests for the word before, though it means the word itself.
        """
        kept = []
        for head, path in edges:
            if self.is_ref[path]:
                kept.append(self._basic(word))
            elif head < 0 or not self.is_acl[self.deprels[head]] or self.heads[head] != position:
                kept.append((head, path))
        return kept
