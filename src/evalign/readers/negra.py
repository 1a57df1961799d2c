"""The reader of NEGRA's export format (Brants 1997), versions 3 and 4.

A sentence has a line for each word, then one for each constituent; each line ends with the parent.

    #BOS 1
    is      VB  --  --  500      word, in format 4 its lemma, tag, morphology, edge, parent
    John    NP  --  --  0        0 is the virtual root, a bracket VROOT around all
    rich    JJ  --  --  500
    #500    VP  --  --  0        constituent, in format 4 a lemma, label, morphology, edge, parent
    #EOS 1

Edge labels are not part of the constituents' labels, and secondary edges are not read. A sentence that cannot
be read is left out with a remark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from evalign.document import Column, Document, Runs, Trees
from evalign.errors import InputError, Remark, quote
from evalign.options import Empty
from evalign.readers.content import Content
from evalign.readers.trees import EMPTY_TAG, TreeColumns, find_places, find_runs, remark_broken, remark_failed
from evalign.text import without_space

ROOT_LABEL = "VROOT"
# How many columns come before the secondary edges, by version of the format.
_WIDTHS = {b"3": 5, b"4": 6}
_NODE = re.compile(rb"#(\d{3,9})")
_NUMBER = re.compile(rb"\d{1,9}")
# Constituents are numbered from 500. A name with a number of more than three digits may also be a word.
_FIRST_NODE, _LAST_NODE = 500, 999


class _BrokenError(Exception):
    """A sentence that cannot be read: what is wrong with it, and what was expected."""

    def __init__(self, lineno: int, problem: str, expected: str, shown: str = "") -> None:
        super().__init__(problem)
        self.lineno, self.problem, self.expected, self.shown = lineno, problem, expected, shown


class _Row(NamedTuple):
    """A line of a sentence: a word or a constituent."""

    lineno: int
    name: bytes
    """The word, or # and the number of the constituent."""
    label: bytes
    """The tag of the word, or the label of the constituent."""
    parent: int


def read_export(content: Content, *, strict: bool = False, empty: Empty = "drop") -> Document:
    r"""Read a treebank in export format into a document.

    Raises `InputError` for a sentence that cannot be read if `strict`, or if no other sentence can be read.

    >>> from evalign.readers.content import load
    >>> from evalign.text import Text
    >>> rows = ["is VB -- -- 500", "John NP -- -- 0", "rich JJ -- -- 500", "#500 VP -- -- 0"]
    >>> document = read_export(load(Text("\n".join(["#BOS 1", *rows, "#EOS 1", ""]))))
    >>> document.tokens(), document.trees.labels.labels, document.trees.runs
    (['is', 'John', 'rich'], ['VROOT', 'VP'], {1: ((0, 1), (2, 3))})
    """
    builder = _DocumentBuilder(empty)
    scanner = _SentenceSplitter(content)
    for sentence in scanner.sentences():
        try:
            builder.add(sentence.read())
        except _BrokenError as error:
            builder.broken.append(error)
            if strict:
                break
    # A chunk behind others may have no sentence that can be read.
    if builder.broken and (strict or not (builder.tokens or content.start)):
        first = builder.broken[0]
        shown = f": {quote(first.shown)}" if first.shown else ""
        raise InputError(content.place(first.lineno), f"{first.problem}{shown}", first.expected)
    remarks = *content.remarks, *builder.remarks(content), *scanner.remarks()
    return builder.document(content, remarks)


@dataclass
class _Sentence:
    """The lines of a sentence, not yet parsed."""

    lineno: int
    number: bytes
    width: int
    lines: list[tuple[int, bytes]] = field(default_factory=list)
    fault: _BrokenError | None = None

    def read(self) -> tuple[int, list[_Row], dict[int, _Row]]:
        """Parse the sentence; return its first line number, its words, and its constituents by number.

        Raises `_BrokenError` if it cannot be read.
        """
        if self.fault is not None:
            raise self.fault
        rows = [self._read_row(lineno, text) for lineno, text in self.lines]
        parents = {row.parent for row in rows}
        words: list[_Row] = []
        nodes: dict[int, _Row] = {}
        for row in rows:
            match = _NODE.fullmatch(row.name)
            number = int(match[1]) if match else 0
            if number < _FIRST_NODE or (number > _LAST_NODE and number not in parents):
                words.append(row)
            elif nodes.setdefault(number, row) is not row:
                shown = row.name.decode()
                raise _BrokenError(row.lineno, "two constituents of one number", "a number for each", shown)
        return self.lineno, words, nodes

    def _read_row(self, lineno: int, text: bytes) -> _Row:
        fields = text.split()
        more = fields[self.width :]
        comment = next((k for k, value in enumerate(more) if value.startswith(b"%%")), len(more))
        if len(fields) < self.width or comment % 2 or not _NUMBER.fullmatch(fields[self.width - 1]):
            columns = (
                "word, tag, morphology, edge, parent" if self.width == 5 else "word, lemma, tag, ..., parent"
            )
            expected = f"{self.width} columns ({columns}), and pairs of secondary edges"
            raise _BrokenError(lineno, "a line with other columns", expected, text.decode())
        return _Row(lineno, fields[0], fields[self.width - 4], int(fields[self.width - 1]))


class _SentenceSplitter:
    """Cuts a file into sentences."""

    def __init__(self, content: Content) -> None:
        self.content, self.lines = content, content.data.split(b"\n")
        # A chunk does not have the #FORMAT line, which is at the beginning of the file.
        self.width = _find_width(self.lines) if content.start else 0
        self.outside: list[int] = []

    def sentences(self) -> Iterator[_Sentence]:
        """Yield sentences, complete or not; tables and comments are skipped."""
        sentence: _Sentence | None = None
        in_table = False
        for lineno, text in enumerate(self.lines, 1):
            mark, value = ([*text.split(maxsplit=2), b"", b""])[:2]
            if not mark or mark.startswith(b"%%"):
                continue
            if mark == b"#BOS":
                if sentence is not None:
                    yield _cut_off(sentence)
                sentence, in_table = _Sentence(lineno, value, self.width), False
            elif mark == b"#EOS" and sentence is not None:
                if value != sentence.number:
                    expected = f"#EOS {sentence.number.decode()}"
                    sentence.fault = _BrokenError(
                        lineno, "the end of another sentence", expected, text.decode()
                    )
                yield sentence
                sentence = None
            elif sentence is not None:
                self.width = sentence.width = self.width or _guess_width(text)
                sentence.lines.append((lineno, text))
            elif mark == b"#FORMAT":
                self._read_format(lineno, value)
            elif mark in (b"#BOT", b"#EOT"):
                in_table = mark == b"#BOT"
            elif not in_table:
                self.outside.append(lineno)
        if sentence is not None:
            yield _cut_off(sentence)

    def _read_format(self, lineno: int, value: bytes) -> None:
        if value not in _WIDTHS:
            problem = f"export format {quote(value.decode())}"
            raise InputError(self.content.place(lineno), problem, "#FORMAT 3 or #FORMAT 4")
        self.width = _WIDTHS[value]

    def remarks(self) -> Iterator[Remark]:
        """Yield a remark if there are lines between sentences that belong to none."""
        if self.outside:
            places = find_places(self.content, self.outside)
            yield Remark("outside", "lines outside of sentences, passed over", len(self.outside), places)


def _guess_width(text: bytes) -> int:
    """Guess the number of columns from one line, where #FORMAT is missing: the last column is a number.

    That column is the parent; it is the fifth or, in format 4, the sixth.
    """
    fields = text.split()
    return _WIDTHS[b"3"] if fields[4:5] and fields[4].isdigit() else _WIDTHS[b"4"]


def _find_width(lines: Sequence[bytes]) -> int:
    """Return the number of columns that most lines have; 0 if no line shows it."""
    rows = [fields for fields in map(bytes.split, lines) if len(fields) > 4]
    threes = sum(fields[4].isdigit() for fields in rows)
    fours = sum(not fields[4].isdigit() and fields[5:6] != [] and fields[5].isdigit() for fields in rows)
    return _WIDTHS[b"4"] if fours > threes else _WIDTHS[b"3"] if threes else 0


def _cut_off(sentence: _Sentence) -> _Sentence:
    sentence.fault = _BrokenError(
        sentence.lineno, "a sentence without its end", f"#EOS {sentence.number.decode()}"
    )
    return sentence


class _Bracket(NamedTuple):
    """A constituent of the document: its runs of tokens and its label."""

    runs: Runs
    label: str
    is_outermost: bool


class _DocumentBuilder:
    """Collects sentences into a document."""

    def __init__(self, empty: Empty) -> None:
        self.empty = empty
        self.tokens: list[str] = []
        self.tags: list[str] = []
        self.linenos: list[int] = []
        self.bounds = [0]
        self.brackets: list[_Bracket] = []
        self.broken: list[_BrokenError] = []
        self.failed: list[int] = []

    def add(self, sentence: tuple[int, list[_Row], dict[int, _Row]]) -> None:
        """Add a sentence: its tokens, and its brackets in opening order.

        Raises `_BrokenError` if the parents do not form a tree.
        """
        lineno, words, nodes = sentence
        depths = _find_depths(nodes)
        for row in words:
            if row.parent not in depths:
                raise _lost(row)
        if self.empty == "drop":
            words = [row for row in words if row.label != EMPTY_TAG]
        if not words:
            self.failed.append(lineno)
            return
        inside: dict[int, list[int]] = {number: [] for number in depths}
        for token, row in enumerate(words, len(self.tokens)):
            number = row.parent
            while number:
                inside[number].append(token)
                number = nodes[number].parent
            inside[0].append(token)
        keys = [
            (tokens[0], -tokens[-1], depths[number], number) for number, tokens in inside.items() if tokens
        ]
        for *_, number in sorted(keys):
            label = nodes[number].label.decode() if number else ROOT_LABEL
            self.brackets.append(_Bracket(find_runs(inside[number]), label, number == 0))
        for row in words:
            self.tokens.append("" if row.label == EMPTY_TAG else without_space(row.name.decode()))
            self.tags.append(row.label.decode())
            self.linenos.append(row.lineno)
        self.bounds.append(len(self.tokens))

    def remarks(self, content: Content) -> Iterator[Remark]:
        """Yield remarks on the sentences that were left out."""
        for problem in dict.fromkeys(error.problem for error in self.broken):
            yield remark_broken(
                content, problem, [error.lineno for error in self.broken if error.problem == problem]
            )
        if self.failed:
            yield remark_failed(content, self.failed)

    def document(self, content: Content, remarks: tuple[Remark, ...]) -> Document:
        linenos = content.linenos(np.array(self.linenos, np.int32))
        brackets = self.brackets
        trees = Trees(
            np.array([bracket.runs[0][0] for bracket in brackets], np.int32),
            np.array([bracket.runs[-1][1] for bracket in brackets], np.int32),
            _number([bracket.label for bracket in brackets]),
            np.array([bracket.is_outermost for bracket in brackets], bool),
            {row: bracket.runs for row, bracket in enumerate(brackets) if len(bracket.runs) > 1},
        )
        return Document(
            content.name,
            "export",
            "".join(self.tokens),
            np.cumsum([0, *map(len, self.tokens)]).astype(np.int32),
            np.array(self.bounds, np.int32),
            linenos,
            columns=TreeColumns(_number(self.tags), linenos),
            trees=trees,
            remarks=remarks,
        )


def _find_depths(nodes: dict[int, _Row]) -> dict[int, int]:
    """Return the depth of each constituent below the root, which is 0 at depth 0.

    Raises `_BrokenError` if the parents of one do not lead to the root.
    """
    depths = {0: 0}
    for start, row in nodes.items():
        path: list[int] = []
        number = start
        while number not in depths:
            if number not in nodes:
                raise _lost(nodes[path[-1]])
            if len(path) > len(nodes):
                shown = row.name.decode()
                raise _BrokenError(
                    row.lineno,
                    "a constituent within itself",
                    "parents that lead up to 0 from every constituent",
                    shown,
                )
            path.append(number)
            number = nodes[number].parent
        for number in reversed(path):
            depths[number] = depths[nodes[number].parent] + 1
    return depths


def _lost(row: _Row) -> _BrokenError:
    expected = "0, or the number of a constituent of the sentence"
    return _BrokenError(row.lineno, "a parent that does not exist", expected, str(row.parent))


def _number(labels: Sequence[str]) -> Column:
    numbers: dict[str, int] = {}
    ids = np.array([numbers.setdefault(label, len(numbers)) for label in labels], np.int32)
    return Column(ids, list(numbers))
