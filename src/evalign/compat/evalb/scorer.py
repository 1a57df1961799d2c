"""Compares two files of trees line by line: what evalb counts in each pair of lines, and its messages.

`LineScorer` does the work for the program (`script`), for Python (`results`) and for debug output (`debug`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from io import BytesIO

from evalign.kernels.buffers import flags, int_rows, ints, long_rows
from evalign.kernels.evalb_cy import Crossing, EvalbTrees, LabelRules, SentenceCounter, add_up, codes
from evalign.kernels.tree_scan_cy import LabelTable, TreeScanner, codes as scanner_codes
from evalign.readers.evalb_parameters import Parameters

_SCANNER = scanner_codes()
_MANY = _SCANNER["MANY"]
_UNREADABLE = (_MANY, _SCANNER["OUTSIDE"], _SCANNER["MIXED"])
_CODES = codes()
_OTHER_LENGTH, _OTHER_WORD, WIDTH = _CODES["OTHER_LENGTH"], _CODES["OTHER_WORD"], _CODES["WIDTH"]
_DELETED, _UNCOUNTED = _CODES["DELETED"], _CODES["UNCOUNTED"]
_QUOTE, _DELETED_BRACKET = _CODES["QUOTE"], _CODES["DELETED_BRACKET"]

# Largest file in bytes, because offsets are integers of 32 bits.
LARGEST = 0x7FFFFFFF
_PIECE = 1 << 20

# Lines that are counted at once, and initial room for nodes: small enough to stay in the processor's cache.
_LINES = 128
_ROOM = 1 << 16
# Initial room for labels.
_LABEL_ROOM = 256

# Columns of a row of the scanner.
_START, _END, _LEAF, _CODE, _DEPTH, _BELOW = 0, 1, 3, 4, 5, 6


def read_file(path: str | os.PathLike[str], limit: int = LARGEST) -> bytes:
    """Return the bytes of a file, but at most `limit` + 1 of them, which shows that the file is too large."""
    whole = BytesIO()  # grows in place
    with open(path, "rb") as file:  # noqa: PTH123 - pathlib takes longer to import than most files to read
        while piece := file.read(min(_PIECE, limit + 1 - whole.tell())):
            whole.write(piece)
    return whole.getvalue()


class TooManyErrorsError(Exception):
    """More errors than MAX_ERROR allows; evalb then stops at once."""


class Complaints:
    """evalb's messages about the input, one on each line, until there are too many."""

    def __init__(self, max_error: int, write: Callable[[bytes], object]) -> None:
        self.left = max(max_error + 2, 1)
        self.write = write

    def say(self, number: int, message: bytes) -> None:
        """Write a message about sentence `number`.

        Raises `TooManyErrorsError` if it was the last one allowed.
        """
        self.write(b"%d : %s\n" % (number, message))
        self.left -= 1
        if self.left == 0:
            raise TooManyErrorsError

    def say_unreadable(self, number: int, code: int) -> None:
        """Write evalb's messages about an unreadable sentence, then raise `TooManyErrorsError`.

        evalb tries such a sentence again until there are too many errors.
        """
        if code == _MANY:
            self.say(number, b"More than two elements in a bracket")
        line = b"%d : Reading sentence\n" % number
        while self.left > 0:
            n = min(self.left, _ROOM)
            self.write(line * n)
            self.left -= n
        raise TooManyErrorsError


class TreeFile:
    """One of the two files, with its scanner and the lines that were read last."""

    def __init__(self, data: bytes, table: LabelTable, n_lines: int) -> None:
        self.data, self.table, self.n_lines = data, table, n_lines
        self.at = 0
        self.n = 0
        self.rows = int_rows(n_lines + 1, 7)
        self.make_room(min(_ROOM, len(data) + 1))

    def make_room(self, room: int) -> None:
        """Make a new scanner with room for `room` nodes."""
        self.room = room
        self.scanner = TreeScanner(self.data, self.table, room, lenient=False)

    def read(self) -> None:
        """Read the next lines into `rows`.

        Reads at most `n_lines` lines, and at least one unless the file is at its end.
        """
        self.n = self.scanner.scan_lines(self.at, len(self.data), self.rows, self.n_lines)
        if self.n == 0 and self.at < len(self.data):
            end = self.data.find(b"\n", self.at)
            self.make_room(self.data.count(b"(", self.at, end if end >= 0 else len(self.data)))
            self.read()

    def line(self, k: int) -> bytes:
        """Return the bytes of line `k` of the batch, without its end."""
        return self.data[self.rows[k, _START] : self.rows[k, _END]]

    def word(self, leaf: int) -> bytes:
        """Return the word of a leaf."""
        return self.data[self.scanner.word_starts[leaf] : self.scanner.word_ends[leaf]]

    def n_readable(self) -> int:
        """Count the lines of the batch that can be read: all, or all but the last."""
        return self.n - (self.n > 0 and self.rows[self.n - 1, _CODE] in _UNREADABLE)

    def complain(self, k: int, number: int, complaints: Complaints) -> None:
        """Write messages about the brackets of line `k`; raise `TooManyErrorsError` if it cannot be read."""
        for _ in range(self.rows[k, _BELOW]):
            complaints.say(number, b"Bracketing unbalance (too many close bracket)")
        self.complain_at_end(k, number, complaints)

    def complain_at_end(self, k: int, number: int, complaints: Complaints) -> None:
        """Write evalb's messages at the end of line `k`.

        Those about superfluous close brackets come earlier.
        """
        if self.rows[k, _CODE] in _UNREADABLE:
            complaints.say_unreadable(number, self.rows[k, _CODE])
        if self.rows[k, _DEPTH]:
            complaints.say(number, b"Bracketing is unbalanced (too many open bracket)")


class LineScorer:
    """Counts the lines of two files in batches.

    `counts` has a row for each sentence of the last batch, `sums` the two rows of the summary (all sentences,
    short ones). After `TooManyErrorsError`, `n_counted` says how many sentences of the last batch are still
    valid.
    """

    def __init__(
        self,
        gold: bytes,
        test: bytes,
        parameters: Parameters,
        complaints: Complaints,
        n_lines: int = _LINES,
    ) -> None:
        self.parameters, self.complaints = parameters, complaints
        self.table = LabelTable()
        self.gold = TreeFile(gold, self.table, n_lines)
        self.test = TreeFile(test, self.table, n_lines)
        self.labels = KnownLabels(self.table, parameters)
        self.counts = int_rows(n_lines, WIDTH)
        self.sums = long_rows(2, 13)
        self.number = 1
        self.n_counted = 0
        self.scanners: tuple[TreeScanner, ...] = ()

    def batches(self) -> Iterator[int]:
        """Count batch after batch; yield the number of sentences in each."""
        while self.read():
            n = min(self.gold.n_readable(), self.test.n_readable())
            events = self.count(n)
            for k in events:
                self.n_counted = k
                self.complain(k)
            self.n_counted = n
            if n < min(self.gold.n, self.test.n):
                self.complain(n)
            add_up(self.counts, n, self.parameters.cutoff, self.sums)
            yield n
            self.advance(n)
        self.end()

    def read(self) -> bool:
        """Read lines of both files; return False if one is at its end."""
        self.gold.read()
        self.test.read()
        self.n_counted = 0
        return self.gold.n > 0 and self.test.n > 0

    def advance(self, n: int) -> None:
        """Move past the first `n` sentences of the batch."""
        self.gold.at = self.gold.rows[n, _START]
        self.test.at = self.test.rows[n, _START]
        self.number += n

    def count(self, n: int) -> list[int]:
        """Count the first `n` sentences of the batch.

        Returns the indices of the sentences that need a message.
        """
        scanners = self.gold.scanner, self.test.scanner
        if scanners != self.scanners:
            self.scanners = scanners
            room = max(self.gold.room, self.test.room)
            parameters = self.parameters
            self.gold_side = EvalbTrees(self.gold.data, self.gold.scanner, self.gold.rows, room)
            self.test_side = EvalbTrees(self.test.data, self.test.scanner, self.test.rows, room)
            self.counter = SentenceCounter(
                self.gold_side,
                self.test_side,
                room,
                labeled=parameters.labeled,
                eq_words=frozenset(parameters.eq_words) | frozenset((b, a) for a, b in parameters.eq_words),
            )
            self.crossing = Crossing(2 * room)
        events = self.counter.count(0, n, self.labels.current(), self.counts)
        self.crossing.count(self.gold_side, self.test_side, n, self.counts)
        return events

    def complain(self, k: int) -> None:
        """Write all messages about sentence `k` of the batch."""
        number = self.number + k
        self.gold.complain(k, number, self.complaints)
        self.test.complain(k, number, self.complaints)
        self.complain_of_words(k)

    def complain_of_words(self, k: int) -> None:
        """Write a message if the words of both sides of sentence `k` differ."""
        said, a, b = self.counts[k, 8], self.counts[k, 9], self.counts[k, 10]
        if said & _OTHER_LENGTH:
            self.complaints.say(self.number + k, b"Length unmatch (%d|%d)" % (a, b))
        elif said & _OTHER_WORD:
            words = self.gold.word(a), self.test.word(b)
            self.complaints.say(self.number + k, b"Words unmatch (%s|%s)" % words)

    def end(self) -> None:
        """Write the messages that are due when one file is at its end."""
        if self.gold.n:
            self.gold.complain(0, self.number, self.complaints)
        self.complain_of_lines()

    def complain_of_lines(self) -> None:
        """Write a message if only one file is at its end."""
        if self.gold.n or self.test.n:
            longer = b"gold" if self.gold.n else b"test"
            message = b"Number of lines unmatch (too many lines in %s file)" % longer
            self.complaints.say(self.number, message)


def strip_label(label: bytes) -> bytes:
    """Strip a label of its functions: cut it at the first hyphen or equals sign.

    >>> strip_label(b"NP-SBJ=2"), strip_label(b"-NONE-")
    (b'NP', b'')
    """
    return label.partition(b"-")[0].partition(b"=")[0]


class Equals:
    """Labels or words that the parameters declare equal, in both directions.

    The relation is not transitive.
    """

    def __init__(self, pairs: tuple[tuple[bytes, bytes], ...]) -> None:
        self.pairs = frozenset(pairs) | frozenset((b, a) for a, b in pairs)
        self.others: dict[bytes, set[bytes]] = {}
        for a, b in self.pairs:
            self.others.setdefault(a, set()).add(b)

    def __call__(self, a: bytes, b: bytes) -> bool:
        """Return whether `a` and `b` are identical or declared equal."""
        return a == b or (a, b) in self.pairs


class KnownLabels:
    """The rules for all labels of a table, in the form that the kernel reads.

    New labels are appended; earlier ones never change.
    """

    def __init__(self, table: LabelTable, parameters: Parameters) -> None:
        self.table = table
        self.equals = Equals(parameters.eq_labels)
        self.deleted = frozenset(parameters.delete_labels)
        self.uncounted = frozenset(parameters.delete_for_length)
        self.quotes = frozenset(parameters.quote_labels)
        # A bracket is left out if its label is declared equal to a deleted one.
        self.deleted_brackets = self.deleted.union(
            *(self.equals.others.get(label, ()) for label in self.deleted)
        )
        # Labels that are declared equal to others are numbered first, so that no later label changes their
        # rules.
        for label in self.equals.others:
            table.add(label)
        self.others = ints(max(len(self.equals.pairs), 1))
        self.n = self.n_others = 0
        self.flags, self.stripped, self.cuts = flags(_LABEL_ROOM), ints(_LABEL_ROOM), ints(_LABEL_ROOM + 1)
        self.rules = LabelRules(self.flags, self.stripped, self.cuts, self.others)

    def current(self) -> LabelRules:
        """Return the rules for all labels of the table, after adding new labels.

        The cost is linear in the number of new labels.
        """
        labels = self.table.labels()
        while self.n < len(labels):  # stripping a label may add another one
            if self.n == len(self.flags):
                self._grow()
            self._add(labels[self.n])
        return self.rules

    def _add(self, label: bytes) -> None:
        self.flags[self.n] = (
            _DELETED * (label in self.deleted)
            | _UNCOUNTED * (label in self.uncounted)
            | _QUOTE * (label in self.quotes)
            | _DELETED_BRACKET * (label in self.deleted_brackets)
        )
        self.stripped[self.n] = self.table.add(strip_label(label))
        for other in self.equals.others.get(label, ()):
            if other != label:
                self.others[self.n_others] = self.table.add(other)
                self.n_others += 1
        self.n += 1
        self.cuts[self.n] = self.n_others

    def _grow(self) -> None:
        """Double the room for labels."""
        room = 2 * self.n
        wider = flags(room), ints(room), ints(room + 1)
        for column, old in zip(wider, (self.flags, self.stripped, self.cuts), strict=True):
            column[: len(old)] = old
        self.flags, self.stripped, self.cuts = wider
        self.rules = LabelRules(self.flags, self.stripped, self.cuts, self.others)
