"""Where the sentences of an input end, found while it is read piece by piece.

A finder is given the lines of an input in order. Once the end of a sentence is certain, it returns how many
bytes, characters on the line and lines there are up to this end. It finds the same sentences as the reader of
the format, with the same number of characters. What cannot be read it skips, since the reader will report it.
`chunks.ChunkReader` uses it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from evalign.document import Document, IntArray
from evalign.errors import CommandError, InputError
from evalign.kernels.text_scan_cy import ConlluSkimmer, PlainSkimmer, count_bytes
from evalign.kernels.tree_scan_cy import TreeSkimmer
from evalign.options import ScoreOptions
from evalign.readers.content import BOM, Content, TreeLayout, check_text
from evalign.readers.formats import TREE_FORMATS, read_content

TYPE_CHECKING = False

# Columns of the rows that finders return: bytes, characters on the line and lines up to the end of a
# sentence.
BYTES, CHARACTERS, LINES = range(3)
# Most sentences that a kernel finds in one call.
_ROOM = 1 << 14
# If a reader refuses fewer bytes of trees than this, it is tried again with more text.
_MOST_REFUSED = 1 << 24
_BOS = re.compile(rb"^[ \t\r\v\f]*#BOS(?=\s|\Z)", re.MULTILINE)
_LINE = re.compile(rb"^[^\S\n]*(?=\S)", re.MULTILINE)

Read: TypeAlias = Callable[[Content], Document]


# Finds where sentences end in an input that is read in pieces.
#
# `add` takes the next lines, `data[start:end]`, where `data[0]` is the byte at `offset` in the input, and returns
# the ends that are now certain; `finish` returns the remaining ends of an input of `size` bytes. Each row of a
# result is an end: how many bytes, line characters and text lines of the input come before it, in the columns
# BYTES, CHARACTERS and LINES.
SentenceFinder: TypeAlias = "LineFinder | TreeFinder"


def open_finder(first: Content, format: str, options: ScoreOptions) -> SentenceFinder:
    """Return the finder for a format; `first` is the beginning of the input, or all of it.

    For trees in brackets, `first.layout` says how all trees stand on their lines (`find_layout`). Raises
    `CommandError` for a format that cannot be read in chunks.
    """
    if format in ("conllu", "conllx"):
        return LineFinder(ConlluSkimmer(options.strict))
    if format == "plain":
        return LineFinder(PlainSkimmer(options.strict))
    if format not in TREE_FORMATS:
        problem = f"{first.name} is of the format {format} and cannot be read in parts"
        raise CommandError(problem, "plain text, CoNLL-U or trees", "score it in memory")

    def read(content: Content) -> Document:
        return read_content(content, format, options)

    if format == "export":
        return TreeFinder(first, read, LineStarts(_BOS))
    from evalign.readers.trees import find_numbering

    if format == "discbracket" and find_numbering(first.data) == "behind":
        return TreeFinder(first, read, LineStarts(_LINE))
    return TreeFinder(first, read, BracketStarts(by_line=first.layout is None or first.layout.by_line))


class LineFinder:
    """Finds the sentences of plain text, which end with their line, and of CoNLL-U and CoNLL-X."""

    def __init__(self, skimmer: ConlluSkimmer | PlainSkimmer) -> None:
        self._skimmer = skimmer

    def add(self, data: bytes, start: int, end: int, offset: int) -> IntArray:
        """Return the ends of the sentences that end in these lines."""
        ends = []
        while start < end:
            rows = np.empty((min(_ROOM, end - start), 3), np.int64)
            start, n = self._skimmer.skim(data, start, end, offset, rows)
            ends.append(rows[:n].copy() if n < len(rows) else rows)
        return np.concatenate(ends) if ends else no_ends()

    def finish(self, size: int) -> IntArray:
        """Return the end of the last sentence of CoNLL-U if no empty line ended it."""
        if not isinstance(self._skimmer, ConlluSkimmer) or not self._skimmer.is_open():
            return no_ends()
        return np.array([[size, *self._skimmer.totals()]], np.int64)


def no_ends() -> IntArray:
    """Return an array without rows."""
    return np.empty((0, 3), np.int64)


class BracketStarts:
    """Finds the outermost brackets."""

    def __init__(self, *, by_line: bool) -> None:
        self._skimmer = TreeSkimmer(by_line)

    def find(self, data: bytes, start: int, end: int, offset: int) -> IntArray:
        """Return a row for each outermost bracket that opens in these lines.

        Rows are those of `TreeSkimmer`: offset to cut at, lines before it, lines before the sentence.
        """
        rows = np.empty((count_bytes(data, ord("(")), 3), np.int64)
        starts: IntArray = rows[: self._skimmer.skim(data, start, end, offset, rows)]
        return starts.copy()


class LineStarts:
    """Finds the lines that match a pattern."""

    def __init__(self, kind: re.Pattern[bytes]) -> None:
        self._kind = kind
        self._n_lines = 0

    def find(self, data: bytes, start: int, end: int, offset: int) -> IntArray:
        """Return a row for each line that matches the pattern; the text can be cut where the line begins."""
        rows = []
        for match in self._kind.finditer(data, start, end):
            self._n_lines += data.count(b"\n", start, match.start())
            start = match.start()
            rows.append((offset + start, self._n_lines, self._n_lines))
        self._n_lines += data.count(b"\n", start, end)
        return np.array(rows, np.int64).reshape(-1, 3)


TreeStarts: TypeAlias = BracketStarts | LineStarts
"""Finds places where sentences of trees may begin.

The text from one such place to another can be read by itself.
"""


class TreeFinder:
    """Finds the sentences of trees by reading blocks of them: the text from one start to the next.

    `read` is the reader of the format, `blocks` finds the starts. A block may have no sentence, if its tree
    is broken or without words. It then belongs to the sentence before it, so that every chunk begins with a
    sentence that can be read.
    """

    def __init__(self, first: Content, read: Read, blocks: TreeStarts) -> None:
        self._name, self._layout, self._read, self._blocks = first.name, first.layout, read, blocks
        self._pieces: list[bytes] = []
        self._starts = no_ends()
        """The starts of blocks in the pieces; the first is where the last sentence found begins."""
        self._base = np.zeros(3, np.int64)
        """Bytes, characters and lines before the pieces."""
        self._size = self._enough = 0

    def add(self, data: bytes, start: int, end: int, offset: int) -> IntArray:
        """Take more lines, and return the ends of the sentences that are followed by another."""
        if not self._pieces:
            self._base[BYTES] = offset + start
        self._pieces.append(data[start:end])
        self._size += end - start
        starts = self._blocks.find(data, start, end, offset)
        if not len(starts):
            return no_ends()
        self._starts = np.concatenate([self._starts, starts])
        if self._size < self._enough or len(self._starts) < 2:
            return no_ends()
        stop = int(self._starts[-1, 0] - self._base[BYTES])
        text = self._text()
        try:
            ends, first = self._find_ends(text[:stop], self._starts[:-1])
        except InputError:
            if self._size >= _MOST_REFUSED:
                raise
            ends, first = no_ends(), 0  # with more text, the broken tree may be one among good ones
        if not len(ends):
            self._enough = 2 * self._size
            return ends
        # More text may belong to the last sentence, which is therefore kept.
        done = int(ends[-1, BYTES] - self._base[BYTES])
        self._starts, self._base = self._starts[first:], ends[-1]
        self._pieces, self._size, self._enough = [text[done:]], len(text) - done, 0
        return ends

    def finish(self, size: int) -> IntArray:
        """Return the ends of the remaining sentences."""
        text = self._text()
        if not text:
            return no_ends()
        ends, _ = self._find_ends(text, self._starts, size)
        return ends

    def _text(self) -> bytes:
        if len(self._pieces) > 1:
            self._pieces = [b"".join(self._pieces)]
        return self._pieces[0] if self._pieces else b""

    def _find_ends(self, text: bytes, starts: IntArray, size: int = 0) -> tuple[IntArray, int]:
        """Return the ends of all sentences but the last in `text`, and the index of the last one's block.

        If `size`, the size of the whole input, is given, the end of the last sentence is returned too.
        """
        cuts = starts[:, 0] - self._base[BYTES]
        # A block that begins inside a line is moved to a line of its own, because sentences are assigned to
        # blocks by line number.
        before = np.frombuffer(text, np.uint8)[np.maximum(cuts - 1, 0)]
        joined = np.flatnonzero((cuts > 0) & (before != ord("\n")))
        document = self._read_text(text, cuts[joined].tolist())
        begins = starts[:, 2] - self._base[LINES]
        begins += np.searchsorted(joined, np.arange(len(starts)), side="right")
        lines = document.linenos[document.sentences[:-1]] - self._lineno
        blocks = np.maximum(np.searchsorted(begins, lines, side="right") - 1, 0)
        # Two sentences in one block cannot be separated, so that they count as one.
        is_last = np.append(np.diff(blocks) > 0, True)[: len(blocks)]
        characters = document.sentence_cuts[1:][is_last]
        blocks = blocks[is_last]
        if not len(blocks):
            return no_ends(), 0
        ends = np.empty((len(blocks), 3), np.int64)
        ends[:-1, BYTES], ends[:-1, LINES] = starts[blocks[1:], 0], starts[blocks[1:], 1]
        ends[:, CHARACTERS] = self._base[CHARACTERS] + characters
        ends[-1, BYTES], ends[-1, LINES] = size, self._base[LINES] + text.count(b"\n")
        return ends if size else ends[:-1], int(blocks[-1])

    @property
    def _lineno(self) -> int:
        return int(self._base[LINES]) + 1

    def _read_text(self, text: bytes, joined: list[int]) -> Document:
        """Read `text` into a document, with a line end put in at each of the offsets `joined`.

        Each line end is followed by a space, so that no bracket moves to the first column, where it might
        begin a tree.
        """
        start = int(self._base[BYTES]) if self._base[BYTES] > len(BOM) else 0
        check_text(self._name, text, start=start, lineno=self._lineno)
        content = Content(self._name, text, (), self._lineno, start, self._layout)
        if not joined:
            return self._read(_with_lf(content))
        bounds = zip([0, *joined], [*joined, len(text)], strict=True)
        try:
            return self._read(_with_lf(content._replace(data=b"\n ".join(text[a:b] for a, b in bounds))))
        except InputError:
            self._read(_with_lf(content))  # raises the error with the right line number
            raise


def _with_lf(content: Content) -> Content:
    """Return `content` with LF in place of CRLF; line numbers do not change."""
    return content._replace(data=content.data.replace(b"\r\n", b"\n")) if b"\r" in content.data else content


def find_layout(first: Content, format: str, *, is_whole: bool, strict: bool) -> TreeLayout:
    """Return how trees in brackets stand on their lines, given the beginning of an input, or all of it.

    If it is all of it (`is_whole`), raises what the reader would raise.
    """
    from evalign.readers import trees
    from evalign.readers.trees import put_words_in

    content = put_words_in(first) if format == "discbracket" else first
    if not is_whole:
        content = content._replace(data=_cut_last_tree(content.data))
    data = content.data
    try:
        layout = trees.find_layout(data, trees.scan_trees(content, strict=strict))
    except InputError:
        if is_whole:
            raise
        return TreeLayout(by_line=False, blank_lines_are_trees=False)
    skimmer = TreeSkimmer(by_line=False)
    skimmer.skim(data, 0, len(data), 0, np.empty((count_bytes(data, ord("(")), 3), np.int64))
    # No tree continues in the first column so far, so that a later unclosed tree is taken to end there.
    return layout if skimmer.n_inner else layout._replace(by_line=True)


def _cut_last_tree(data: bytes) -> bytes:
    """Return `data` without the last tree, which may be cut off or unclosed; b"" if there is no other."""
    for by_line in (False, True):
        starts = BracketStarts(by_line=by_line).find(data, 0, len(data), 0)
        if len(starts) > 1:
            return data[: starts[-1, 0]]
    return b""
