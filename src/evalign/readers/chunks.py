"""Inputs read in chunks of whole sentences, in memory that does not grow with the input.

`ChunkReader` reads an input once and finds where sentences end. It hands out `Chunk`s, which say where their
bytes are. A worker reads a chunk from the same path, or from bytes that the chunk carries, and finds the same
sentences with the same number of characters on the line. Line numbers and byte offsets in documents, remarks
and errors are those of the whole input.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Literal, NamedTuple, Self, TypeAlias

import numpy as np

from evalign.document import Document, IntArray
from evalign.errors import CommandError, InputError, Message, Place, Remark
from evalign.options import DEFAULT_OPTIONS, ScoreOptions
from evalign.readers.byte_stream import ByteStream, is_pipe, open_stream, read_range, stored_size
from evalign.readers.content import BOM, Content, TreeLayout, check_text, clean, clean_chunk
from evalign.readers.formats import cut_spaces, read_content, recognize
from evalign.readers.limits import show_size
from evalign.readers.sentence_ends import BYTES, CHARACTERS, LINES, find_layout, no_ends, open_finder
from evalign.text import Source, Text

TYPE_CHECKING = False


LineEnds: TypeAlias = Literal["lf", "cr"]


class Chunk(NamedTuple):
    """Consecutive sentences of an input, from one boundary between sentences to another."""

    name: str
    """The input's name in messages."""
    format: str
    path: str
    """A path or URL to read the bytes from; "" if they are in `data`."""
    start: int
    """Offset of the first byte in the decompressed input."""
    end: int
    lineno: int
    """Line number of the first line in the input."""
    line_ends: LineEnds
    """What ends a line: "cr" if the whole input has no LF, so that every CR does; else "lf"."""
    is_last: bool
    """True if the input ends with this chunk."""
    data: bytes | None = None
    layout: TreeLayout | None = None
    """How trees in brackets stand on the lines of the whole input; None for other formats."""
    remarks: tuple[Remark, ...] = ()
    """What the beginning of the input shows, for its first chunk (`formats.recognize`)."""


def load_chunk(part: Chunk) -> Content:
    """Read the bytes of a chunk, and only those, and return them as checked text.

    Raises `InputError` if they cannot be read, are not text, or are fewer than the chunk has.
    """
    data = part.data
    if data is None:
        data = read_range(part.path, part.start, part.end, part.name)
    expected = part.end - part.start
    if len(data) != expected:
        problem = f"{len(data):,} bytes from byte {part.start:,} on, where there were {expected:,}"
        advice = "was it written to while it was read, or is it another file on this machine?"
        raise InputError(Place(part.name), problem, "a file that stays as it is", advice)
    is_cr = part.line_ends == "cr"
    newline = b"\r" if is_cr else b"\n"
    check_text(part.name, data, start=part.start, lineno=part.lineno, newline=newline)
    content = Content(part.name, data, (), part.lineno, part.start, part.layout)
    content = clean_chunk(content, is_cr=is_cr, is_last=part.is_last)
    return content._replace(remarks=(*content.remarks, *part.remarks))


def read_chunk(part: Chunk, options: ScoreOptions = DEFAULT_OPTIONS) -> Document:
    """Read a chunk into a document."""
    document = read_content(load_chunk(part), part.format, options)
    return cut_spaces(document) if options.split_spaces else document


# Most bytes held in memory: of one sentence, and of all sentences not yet taken.
MAX_HELD_BYTES = 1 << 28
# Bytes from which format and line ends are determined, however large a chunk is.
SNIFF_BYTES = 1 << 22


class _Piece(NamedTuple):
    """Bytes of the input, and the offset of the first."""

    start: int
    data: bytes


class ChunkReader:
    r"""The sentences of an input, found piece by piece.

    Sentences are those that the reader of the format finds with `options`. The last
    complete sentence is only reported once another follows or the input ends, because everything behind the
    last sentence of an input belongs to it.

    >>> from evalign.text import Text
    >>> reader = ChunkReader(Text("a bc\nd\n\nef\n"))
    >>> reader.read_more()
    >>> reader.at_end, reader.sentence_ends.tolist()
    (True, [3, 4, 6])
    >>> reader.take_chunk(1).data, reader.sentence_ends.tolist(), reader.take_chunk(2).data
    (b'a bc\n', [1, 3], b'd\n\nef\n')
    """

    def __init__(
        self,
        source: Source,
        format: str = "auto",
        options: ScoreOptions = DEFAULT_OPTIONS,
        *,
        chunk: int = 1 << 22,
        name: str = "",
        sniff_bytes: int = SNIFF_BYTES,
        max_held_bytes: int = MAX_HELD_BYTES,
    ) -> None:
        self._chunk, self._sniff_bytes, self._max_held_bytes = chunk, sniff_bytes, max_held_bytes
        self._options = options
        self._stream: ByteStream = open_stream(source)
        self.name = name or self._stream.name
        # With a path, workers read the bytes of their chunks themselves.
        self._path = self._stream.path if self._stream.can_seek else ""
        try:
            self._begin(format)
        except BaseException:
            self.close()
            raise
        self.at_end = False
        """Whether the whole input has been read."""
        self._kept: list[_Piece] = []
        self._unended: list[bytes] = []
        """The beginning of a line whose end has not been read yet, in pieces."""
        self._n_read = self._n_skimmed = 0
        self._ends = no_ends()
        self._cut = np.zeros(3, np.int64)
        """Bytes, characters and lines up to the end of the last sentence taken."""

    def _begin(self, format: str) -> None:
        """Determine format, line ends and layout from the first bytes, and open the sentence finder."""
        self._first = data = self._stream.read(self._sniff_bytes)
        is_whole = len(data) < self._sniff_bytes
        self.size = len(data) if is_whole else stored_size(self._path)
        """Size of the decompressed input in bytes; 0 if not known yet."""
        self._line_ends: LineEnds = "cr" if b"\r" in data and b"\n" not in data else "lf"
        if not is_whole:
            # Only whole lines, if there are any, so that no character is cut in two.
            data = data[: data.rfind(b"\n" if self._line_ends == "lf" else b"\r") + 1]
        check_text(self.name, data)
        first = clean(self.name, data or self._first)
        self.format, self._remarks = recognize(first, format, self._first)
        if self.format == "standoff":
            problem = f"{self.name} is a stand-off table and cannot be read in parts"
            advice = "its positions are those of raw texts as a whole: score it in memory"
            raise CommandError(problem, "plain text, CoNLL-U or trees", advice)
        if self.format in ("trees", "discbracket"):
            layout = find_layout(first, self.format, is_whole=is_whole, strict=self._options.strict)
            first = first._replace(layout=layout)
        self._layout = first.layout
        self._finder = open_finder(first, self.format, self._options)

    def read_more(self) -> None:
        """Read on, about one chunk, until at least one more sentence is complete or the input ends."""
        n_known = self._n_whole
        while not self.at_end and self._n_whole == n_known:
            self._read_on()

    @property
    def can_seek(self) -> bool:
        """Whether others can read chunks of the input from its path."""
        return self._stream.can_seek

    @property
    def sentence_ends(self) -> IntArray:
        """Per complete sentence not yet taken: the characters on the line from the last cut to its end."""
        ends: IntArray = self._ends[: self._n_whole, CHARACTERS] - self._cut[CHARACTERS]
        return ends

    def begins_with_multiword(self, k: int) -> bool:
        """Return whether the sentence behind the first `k` begins with a multiword token (CoNLL-U only)."""
        if self.format not in ("conllu", "conllx") or k >= len(self._ends):
            return False
        start = int(self._ends[k - 1, BYTES]) if k else int(self._cut[BYTES])
        end = int(self._ends[k, BYTES])
        data = read_range(self._path, start, end, self.name) if self._path else self._bytes(start, end)
        for line in data.splitlines():
            number = line.partition(b"\t")[0].strip()
            if number and not line.startswith((b"#", BOM)) and b"." not in number:
                return b"-" in number
        return False

    def peek_chunk(self, k: int) -> Chunk:
        """Return the first `k` sentences not yet taken as a chunk.

        If these are all sentences that are left, the chunk ends with the input.
        """
        if not 0 <= k <= self._n_whole:
            message = f"{k} of {self._n_whole} sentences"
            raise ValueError(message)
        is_last = self.at_end and k == self._n_whole
        start = int(self._cut[BYTES])
        end = self._n_read if is_last else int(self._ends[k - 1, BYTES]) if k else start
        return Chunk(
            self.name,
            self.format,
            self._path,
            start,
            end,
            int(self._cut[LINES]) + 1,
            self._line_ends,
            is_last,
            None if self._path else self._bytes(start, end),
            self._layout,
            () if start or end == start else self._remarks,
        )

    def take_chunk(self, k: int) -> Chunk:
        """Return the first `k` sentences as a chunk and drop them: the next chunk begins behind them."""
        part = self.peek_chunk(k)
        if k:
            self._cut = self._ends[k - 1].copy()
        self._cut[BYTES] = part.end
        self._ends = self._ends[k:].copy()
        self._kept = [piece for piece in self._kept if piece.start + len(piece.data) > part.end]
        return part

    def close(self) -> None:
        """Close the input if it was opened here."""
        self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    @property
    def _n_whole(self) -> int:
        """Number of sentences that can be taken."""
        return len(self._ends) if self.at_end else max(0, len(self._ends) - 1)

    def _read_on(self) -> None:
        """Read the next chunk, and find the sentences that end in it."""
        data = self._next()
        ends = [self._ends]
        for text, start, end in self._whole_lines(data):
            if not self._n_skimmed and text.startswith(BOM):
                text, end, self._n_skimmed = text[len(BOM) :], end - len(BOM), len(BOM)
            ends.append(self._finder.add(text, start, end, self._n_skimmed - start))
            self._n_skimmed += end - start
        if self.at_end:
            ends.append(self._finder.finish(self._n_read))
        self._ends = np.concatenate(ends)
        self._check_held()

    def _check_held(self) -> None:
        """Raise `InputError` if one sentence is too long to hold, or too many sentences wait to be taken."""
        *_, last = [self._cut, *self._ends[-2:]]
        most = max(self._max_held_bytes, 2 * self._chunk)
        if self._n_read - int(self._cut[BYTES]) <= most:
            return
        self.close()
        if self._n_read - int(last[BYTES]) > most:
            line, problem = last[LINES], f"a sentence of more than {show_size(self._max_held_bytes)}"
            expected = "sentences that end, since each is held in memory"
        else:
            line, problem = (
                self._cut[LINES],
                f"more than {show_size(self._max_held_bytes)} that the other text has nothing of",
            )
            expected = "texts that have places in common, since what is between them is held in memory"
        advice = Message(
            "is this the right file? read whole, without {stream} and {engine=|<jobs>}, it may have it"
        )
        raise InputError(Place(self.name, int(line) + 1), problem, expected, advice)

    def _next(self) -> bytes:
        """Read the next bytes of the input; fewer than a chunk mean that it has ended."""
        data = self._first[self._n_read : self._n_read + self._chunk]
        if len(data) < self._chunk:
            self._first = b""
            data += self._stream.read(self._chunk - len(data))
            self.at_end = len(data) < self._chunk
        if self.at_end:
            self.close()
        if data and not self._path:
            self._kept.append(_Piece(self._n_read, data))
        self._n_read += len(data)
        return data

    def _whole_lines(self, data: bytes) -> list[tuple[bytes, int, int]]:
        """Return the lines that `data` completes, as triples (bytes, start, end).

        `start` and `end` say where in the bytes the lines are.
        """
        if self._line_ends == "cr":
            data = data.replace(b"\r", b"\n")
        first, last = data.find(b"\n") + 1, data.rfind(b"\n") + 1
        lines = []
        if first and self._unended:
            begun = b"".join([*self._unended, data[:first]])
            self._unended = []
            lines.append((begun, 0, len(begun)))
        else:
            first = 0
        if first < last:
            lines.append((data, first, last))
        if last < len(data):
            self._unended.append(data[last:])
        if self.at_end and self._unended:
            rest = b"".join(self._unended)
            self._unended = []
            lines.append((rest, 0, len(rest)))
        return lines

    def _bytes(self, start: int, end: int) -> bytes:
        """Return the bytes from `start` up to `end` of the input from the pieces held."""
        return b"".join(
            piece.data[max(0, start - piece.start) : max(0, end - piece.start)] for piece in self._kept
        )


# Inputs that can be read only once are copied to a file, so that they can be read again, and by other
# processes.

_CHUNK = 1 << 20


def can_reread(source: Source) -> bool:
    """Return whether `source` can be read twice: a `Text` or a file.

    Standard input, open files and pipes cannot.
    """
    if isinstance(source, Text):
        return True
    return source != "-" and isinstance(source, (str, os.PathLike)) and not is_pipe(os.fspath(source))


@contextmanager
def spool_to_file(source: Source) -> Iterator[tuple[str, str]]:
    """Copy an input, decompressed, to a temporary file; yield the input's name and the path of the file.

    The file is removed when the context ends.
    """
    with tempfile.TemporaryDirectory(prefix="evalign-") as folder, open_stream(source) as stream:
        path = os.path.join(folder, "input")  # noqa: PTH118 - a string, as workers want it
        pieces = iter(lambda: stream.read(_CHUNK), b"")
        try:
            _write(path, pieces)
        except OSError as error:
            problem = f"cannot be kept in a file ({error.strerror or error})"
            expected = f"room for it in {tempfile.gettempdir()}"
            raise InputError(Place(stream.name), problem, expected, "set TMPDIR, or give a path") from None
        yield stream.name, path


def _write(path: str, pieces: Iterable[bytes]) -> None:
    with open(path, "wb") as file:  # noqa: PTH123
        file.writelines(pieces)
