"""Bracketed trees read into columns, in one pass over bytes, without recursion.

A bracket is a node. `(TAG word)` is a preterminal and has one leaf; every other bracket covers the leaves
opened while it was open. Separators are the white space of C and the round brackets; all other bytes belong
to labels and words. Strictly read, the grammar is that of evalb, with one line per sentence. Leniently read,
white space, text between the trees and surplus closing brackets do no harm and are counted, and a line whose
first visible character is `#` is a comment, unless a bracket waits for its word there.

`TreeScanner` is used by readers and compat. `TreeSkimmer` only finds where trees begin, piece by piece, and
raises nothing; `gather_words` puts the words of trees on one line.
"""

from __future__ import annotations

from sys import byteorder

from evalign.kernels import buffers

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython

if cython.compiled:
    from cython.cimports.libc.string import memchr, memcmp, memcpy

# Codes of what is wrong with a tree. MANY: a second word in a bracket. OUTSIDE: text where no bracket is
# open. MIXED: text beside a bracket. OPEN: brackets not closed at the end. SURPLUS: closing brackets without
# an opening one.
MANY = cython.declare(cython.int, 1)
OUTSIDE = cython.declare(cython.int, 2)
MIXED = cython.declare(cython.int, 3)
OPEN = cython.declare(cython.int, 4)
SURPLUS = cython.declare(cython.int, 5)

# Rows of `noted`: loose brackets, surplus ones, words outside of brackets, comments with a bracket in them.
# Each row remembers the first MOST_NOTED lines, each once.
LOOSE = cython.declare(cython.int, 0)
SURPLUS_ROW = cython.declare(cython.int, 1)
OUTSIDE_ROW = cython.declare(cython.int, 2)
COMMENT_ROW = cython.declare(cython.int, 3)
N_NOTED = cython.declare(cython.int, 4)
MOST_NOTED = cython.declare(cython.int, 8)

# Number of labels that a scanner remembers, a power of two; the others cost a look-up in the table.
REMEMBERED = cython.declare(cython.uint, 2048)
MULTIPLIER = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
IS_LITTLE_ENDIAN = cython.declare(cython.bint, byteorder == "little")


def is_compiled() -> bool:
    """Return whether this module runs as compiled code."""
    return cython.compiled


def codes() -> dict[str, int]:
    """Return the constants that callers need, by name."""
    return {"MANY": MANY, "OUTSIDE": OUTSIDE, "MIXED": MIXED, "OPEN": OPEN, "SURPLUS": SURPLUS}


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def is_space(byte: cython.uchar) -> cython.bint:
    """Return whether C counts the byte as white space."""
    return byte == 32 or 9 <= byte <= 13


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def is_text(byte: cython.uchar) -> cython.bint:
    """Return whether the byte belongs to a label or a word."""
    return byte > 41 or (byte != 40 and byte != 41 and byte != 32 and (byte < 9 or byte > 13))


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def text_end(text: cython.p_const_uchar, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the first place from `at` on whose byte belongs to no label or word, at most `end`."""
    while at < end and is_text(text[at]):
        at += 1
    return at


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def find_byte(
    data: cython.p_const_uchar, byte: cython.uchar, start: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Return the first place of a byte in data[start:end], or `end` if there is none."""
    if cython.compiled:
        hit: cython.p_const_uchar = cython.cast(
            cython.p_const_uchar, memchr(data + start, byte, cython.cast(cython.size_t, end - start))
        )
        return end if hit == cython.NULL else hit - data
    else:
        place = data.find(byte, start, end)
        return end if place < 0 else place


class LabelTable:
    """Numbers for labels, in the order of their first appearance. Several scanners may share one table."""

    def __init__(self) -> None:
        self.numbers: dict[bytes, int] = {}
        self.names: list[bytes] = []

    def __len__(self) -> int:
        return len(self.names)

    def labels(self) -> list[bytes]:
        """Return the labels in the order of their numbers; only `add` may change this list."""
        return self.names

    def add(self, label: bytes) -> int:
        """Return the number of a label; a label without one gets the next."""
        number = self.numbers.setdefault(label, len(self.names))
        if number == len(self.names):
            self.names.append(label)
        return number


@cython.final
@cython.cclass
class TreeScanner:
    """A reader of trees: from one bytes object into columns of 32-bit integers, overwritten by the next scan.

    `room` is the largest number of nodes: the opening brackets of the longest stretch that is scanned. The
    columns of nodes, in opening order, are `labels` (numbers in the table), `firsts` and `lasts` (first leaf
    and one past the last; -1 in a bracket that is never closed) and `kinds` (1 for a preterminal). Those of
    leaves, in order, are `leaf_nodes`, `word_starts`, `word_ends` and `leaf_linenos`; those of outermost
    brackets are `root_nodes` and `root_linenos`. `n_nodes`, `n_leaves` and `n_roots` say how much of them is
    used. The data must be shorter than 2 GiB.

    To be set before a scan: `lineno` (of the first byte scanned), `by_line` (a bracket in the first column
    begins a tree).
    """

    table: LabelTable
    data: bytes
    text: cython.p_const_uchar
    size: cython.Py_ssize_t
    lenient: cython.bint
    has_nul: cython.bint
    top: cython.int
    origin: cython.Py_ssize_t
    label: cython.Py_ssize_t
    label_end: cython.Py_ssize_t
    word: cython.Py_ssize_t
    word_end: cython.Py_ssize_t
    bracket_lineno: cython.int
    remembered: cython.longlong[:, ::1]
    labels = cython.declare(cython.int[::1], visibility="readonly")
    firsts = cython.declare(cython.int[::1], visibility="readonly")
    lasts = cython.declare(cython.int[::1], visibility="readonly")
    kinds = cython.declare(cython.uchar[::1], visibility="readonly")
    leaf_nodes = cython.declare(cython.int[::1], visibility="readonly")
    word_starts = cython.declare(cython.int[::1], visibility="readonly")
    word_ends = cython.declare(cython.int[::1], visibility="readonly")
    leaf_linenos = cython.declare(cython.int[::1], visibility="readonly")
    root_nodes = cython.declare(cython.int[::1], visibility="readonly")
    root_linenos = cython.declare(cython.int[::1], visibility="readonly")
    broken_linenos = cython.declare(cython.int[::1], visibility="readonly")
    broken_kinds = cython.declare(cython.uchar[::1], visibility="readonly")
    broken_labels = cython.declare(cython.int[::1], visibility="readonly")
    noted = cython.declare(cython.int[:, ::1], visibility="readonly")
    noted_sizes = cython.declare(cython.int[::1], visibility="readonly")
    n_nodes = cython.declare(cython.int, visibility="readonly")
    n_leaves = cython.declare(cython.int, visibility="readonly")
    n_roots = cython.declare(cython.int, visibility="readonly")
    n_broken = cython.declare(cython.int, visibility="readonly")
    n_loose = cython.declare(cython.int, visibility="readonly")
    n_surplus = cython.declare(cython.int, visibility="readonly")
    n_outside = cython.declare(cython.int, visibility="readonly")
    n_comments = cython.declare(cython.int, visibility="readonly")
    n_below = cython.declare(cython.int, visibility="readonly")
    depth = cython.declare(cython.int, visibility="readonly")
    code = cython.declare(cython.int, visibility="readonly")
    error_at = cython.declare(cython.Py_ssize_t, visibility="readonly")
    error_lineno = cython.declare(cython.int, visibility="readonly")
    lineno = cython.declare(cython.int, visibility="public")
    by_line = cython.declare(cython.bint, visibility="public")
    stack: cython.int[::1]

    def __init__(self, data: bytes, table: LabelTable, room: int, *, lenient: bool) -> None:
        self.data, self.table, self.lenient = data, table, lenient
        self.text, self.size = data, len(data)
        self.has_nul = not lenient and 0 in data
        self.lineno, self.by_line = 1, False
        self.labels = buffers.ints(room)
        self.firsts = buffers.ints(room)
        self.lasts = buffers.ints(room)
        self.kinds = buffers.flags(room)
        self.leaf_nodes = buffers.ints(room)
        self.word_starts = buffers.ints(room)
        self.word_ends = buffers.ints(room)
        self.leaf_linenos = buffers.ints(room)
        self.root_nodes = buffers.ints(room)
        self.root_linenos = buffers.ints(room)
        self.broken_linenos = buffers.ints(room)
        self.broken_kinds = buffers.flags(room)
        self.broken_labels = buffers.ints(room)
        self.noted = buffers.int_rows(N_NOTED, MOST_NOTED)
        self.noted_sizes = buffers.ints(N_NOTED)
        self.stack = buffers.ints(room)
        self.remembered = buffers.long_rows(REMEMBERED, 4)
        self.reset()

    @cython.cfunc
    @cython.exceptval(check=False)
    def reset(self) -> cython.void:
        """Forget all nodes, leaves and notes of the scan before."""
        self.n_nodes = self.n_leaves = self.n_roots = self.n_broken = 0
        self.n_loose = self.n_outside = self.n_comments = 0
        row: cython.int
        for row in range(N_NOTED):
            self.noted_sizes[row] = 0
        self.begin()

    @cython.cfunc
    @cython.exceptval(check=False)
    def begin(self) -> cython.void:
        """Set the state to: no bracket open, nothing wrong."""
        self.top = self.depth = self.n_surplus = self.n_below = self.code = 0
        self.error_at = -1
        self.error_lineno = 0

    def scan(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> int:
        """Read all trees in data[start:end]; returns 0, or the code of what is wrong, with `error_at`.

        In a strict scan, brackets left open and surplus ones are reported when everything is read: `depth` is
        the number of open brackets minus that of surplus ones, `n_below` how many closing brackets came when
        `depth` was below 0 already. In a lenient scan, whatever `noted` has rows for is counted (`n_loose`,
        `n_surplus`, `n_outside`, `n_comments`) and passed over; each row of `noted` has the numbers of the
        first lines with such a thing, and `noted_sizes` says how many. With `by_line`, a wrong tree is left
        out and recorded in `broken_linenos`, `broken_kinds` and `broken_labels` (`n_broken`), and reading
        goes on with the next line that begins with a bracket, or begins with text and contains one.
        """
        self.reset()
        self.read(start, end)
        return self.code

    def scan_lines(
        self,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        rows: cython.int[:, ::1],
        most: cython.Py_ssize_t,
    ) -> int:
        """Read up to `most` lines of data[start:end], each by itself; returns how many were read.

        `rows` gets a row of seven per line, and one more: where the line begins and ends, its first node, its
        first leaf, the code, `depth`, `n_below`. Reading stops before a line that has more nodes than there
        is room for, and behind a line that could not be read to its end.
        """
        n: cython.Py_ssize_t = 0
        stop: cython.Py_ssize_t
        room: cython.Py_ssize_t = len(self.labels)
        self.reset()
        while n < most and start < end:
            stop = find_byte(self.text, 10, start, end)
            if stop - start > room - self.n_nodes and self.count_opening(start, stop) > room - self.n_nodes:
                break
            self.begin()
            rows[n, 0] = cython.cast(cython.int, start)
            rows[n, 1] = cython.cast(cython.int, stop)
            rows[n, 2] = self.n_nodes
            rows[n, 3] = self.n_leaves
            self.read(start, stop)
            rows[n, 4] = self.code
            rows[n, 5] = self.depth
            rows[n, 6] = self.n_below
            start = stop + 1
            n += 1
            if self.code in (MANY, OUTSIDE, MIXED):
                break
        rows[n, 0] = cython.cast(cython.int, min(end, start))
        rows[n, 2] = self.n_nodes
        rows[n, 3] = self.n_leaves
        return n

    @cython.cfunc
    @cython.exceptval(check=False)
    def count_opening(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the number of opening brackets in data[start:end]."""
        at: cython.Py_ssize_t
        n: cython.Py_ssize_t = 0
        for at in range(start, end):
            n += self.text[at] == 40
        return n

    @cython.cfunc
    @cython.exceptval(-1)
    def read(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
        """Read all trees in data[start:end]; `code` says what is wrong."""
        at: cython.Py_ssize_t = start
        byte: cython.uchar
        self.origin = start
        while at < end:
            byte = self.text[at]
            if byte == 40:
                if self.by_line and self.top > 0 and self.begins_tree(at, end):
                    self.break_tree(OPEN)
                at = self.open_bracket(at, end)
            elif byte == 41:
                self.close_bracket()
                at += 1
            elif is_space(byte):
                self.lineno += byte == 10
                at += 1
            elif byte == 0 and not self.lenient:  # evalb reads lines as strings of C, which end there
                break
            elif byte == 35 and self.lenient and self.begins_line(at):
                at = self.pass_comment(at, end)
            else:
                at = self.pass_text(at, end)
            if self.code:
                return 0
        if self.top > 0 and self.by_line:
            self.break_tree(OPEN)
        elif self.top > 0:
            self.fail(OPEN, at)
            self.error_lineno = self.root_linenos[self.n_roots - 1]
        elif self.n_surplus > 0 and not self.lenient:
            self.fail(SURPLUS, at)
        return 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1)
    def open_bracket(self, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Read an opening bracket and its label, and the word and closing bracket of a preterminal.

        Returns where to go on.
        """
        text: cython.p_const_uchar = self.text
        at += 1
        self.bracket_lineno = self.lineno
        self.label = at
        self.label_end = at = text_end(text, at, end)
        while at < end and is_space(text[at]):
            self.lineno += text[at] == 10
            at += 1
        self.word = at
        self.word_end = at = text_end(text, at, end)
        # `(X )` has an empty word for evalb, and is an empty bracket for everyone else.
        if self.word == at and (self.label_end == at or self.lenient or at >= end or text[at] != 41):
            self.add_node(0)
            return at
        if at < end and text[at] == 41:
            self.add_leaf(self.lineno)
            return at + 1
        return self.read_loose(at, end)

    @cython.cfunc
    @cython.exceptval(-1)
    def read_loose(self, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Read a bracket whose word, which ends at `at`, is not followed by a closing bracket.

        Returns where to go on.
        """
        lineno: cython.int = self.lineno
        if not self.lenient:
            self.fail(MIXED if at < end and self.text[at] == 40 else MANY, at)
            return at
        while at < end and is_space(self.text[at]):
            self.lineno += self.text[at] == 10
            at += 1
        if at < end and self.text[at] == 41:
            self.n_loose += 1
            self.note(LOOSE, lineno)
            self.add_leaf(lineno)
            return at + 1
        if self.top == 0:  # the broken tree begins here
            self.add_node(0)
        return self.give_up(MIXED if at < end and self.text[at] == 40 else MANY, at, end)

    @cython.cfunc
    @cython.exceptval(-1)
    def pass_text(self, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Pass over text where a bracket was expected; returns where to go on."""
        if not self.lenient or self.top > 0:
            return self.give_up(MIXED if self.top > 0 else OUTSIDE, at, end)
        self.n_outside += 1
        self.note(OUTSIDE_ROW, self.lineno)
        return text_end(self.text, at, end)

    @cython.cfunc
    @cython.exceptval(check=False)
    def note(self, row: cython.int, lineno: cython.int) -> cython.void:
        """Record a line number in a row of `noted`, unless the row is full or already ends with it."""
        n: cython.int = self.noted_sizes[row]
        if n < MOST_NOTED and (n == 0 or self.noted[row, n - 1] != lineno):
            self.noted[row, n] = lineno
            self.noted_sizes[row] = n + 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def begins_line(self, at: cython.Py_ssize_t) -> cython.bint:
        """Return whether only white space stands before `at` on its line."""
        while at > self.origin and self.text[at - 1] != 10 and is_space(self.text[at - 1]):
            at -= 1
        return at == self.origin or self.text[at - 1] == 10

    @cython.cfunc
    @cython.exceptval(-1)
    def pass_comment(self, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Pass over a comment that begins at `at`; returns where its line ends.

        A comment with a bracket is noted, because its writer may have meant a tree.
        """
        stop: cython.Py_ssize_t = find_byte(self.text, 10, at, end)
        if find_byte(self.text, 40, at, stop) < stop:
            self.n_comments += 1
            self.note(COMMENT_ROW, self.lineno)
        return stop

    @cython.cfunc
    @cython.exceptval(-1)
    def give_up(self, kind: cython.int, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Deal with an open tree that is wrong at `at`; return where to go on.

        With `by_line`, the tree is left out, and reading goes on where the next one begins; otherwise the
        scan fails.
        """
        if at >= end or (self.by_line and self.begins_tree(at, end)):
            kind = OPEN
        if not self.by_line:
            self.fail(kind, at)
            if kind == OPEN:
                self.error_lineno = self.root_linenos[self.n_roots - 1]
            return at
        self.break_tree(kind)
        while at < end and not self.begins_tree(at, end):
            at = find_byte(self.text, 10, at, end)
            if at < end:
                self.lineno += 1
                at = self.pass_comment_line(at + 1, end)
        return at

    @cython.cfunc
    @cython.exceptval(-1)
    def pass_comment_line(self, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return where the line that begins at `at` ends if it is a comment; otherwise `at`."""
        first: cython.Py_ssize_t = at
        while first < end and self.text[first] != 10 and is_space(self.text[first]):
            first += 1
        return self.pass_comment(first, end) if first < end and self.text[first] == 35 else at

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1)
    def add_node(self, kind: cython.uchar) -> cython.int:
        """Open a bracket; `kind` is 1 for a preterminal.

        It is within bounds, because `room` is at least the number of opening brackets.
        """
        node: cython.int = self.n_nodes
        if self.has_nul:
            self.label_end = find_byte(self.text, 0, self.label, self.label_end)
        self.labels[node] = cython.cast(cython.int, self.label_number(self.text, self.label, self.label_end))
        self.firsts[node] = self.n_leaves
        self.kinds[node] = kind
        if self.top == 0:
            self.root_nodes[self.n_roots] = node
            self.root_linenos[self.n_roots] = self.bracket_lineno
            self.n_roots += 1
        self.n_nodes += 1
        if kind:
            self.lasts[node] = self.n_leaves + 1
        else:
            self.lasts[node] = -1
            self.stack[self.top] = node
            self.top += 1
            self.depth += 1
        return 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1)
    def add_leaf(self, lineno: cython.int) -> cython.int:
        """Add a preterminal with its word, which stands in line `lineno`."""
        leaf: cython.int = self.n_leaves
        self.add_node(1)
        if self.has_nul:
            self.word_end = find_byte(self.text, 0, self.word, self.word_end)
        self.leaf_nodes[leaf] = self.n_nodes - 1
        self.word_starts[leaf] = cython.cast(cython.int, self.word)
        self.word_ends[leaf] = cython.cast(cython.int, self.word_end)
        self.leaf_linenos[leaf] = lineno
        self.n_leaves += 1
        return 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1)
    def label_number(
        self, text: cython.p_const_uchar, start: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.longlong:
        """Return the number of the label text[start:end].

        The compiled form remembers labels, and asks the table only for those that it does not find.
        """
        if cython.compiled:
            at: cython.Py_ssize_t
            size: cython.Py_ssize_t = end - start
            key: cython.ulonglong = 0  # a label of up to eight bytes is compared by its key alone
            if IS_LITTLE_ENDIAN and size < 8 and start + 8 <= self.size:
                memcpy(cython.address(key), text + start, 8)
                key &= (cython.cast(cython.ulonglong, 1) << (8 * size)) - 1
            else:
                for at in range(end - 1, start - 1, -1):
                    key = (key << 8) | text[at]
            slot: cython.uint = cython.cast(cython.uint, ((key + size) * MULTIPLIER) >> 40) & (REMEMBERED - 1)
            if (
                self.remembered[slot, 1] == size + 1
                and cython.cast(cython.ulonglong, self.remembered[slot, 0]) == key
                and (size <= 8 or memcmp(text + self.remembered[slot, 2], text + start, size) == 0)
            ):
                return self.remembered[slot, 3]
            self.remembered[slot, 0] = cython.cast(cython.longlong, key)
            self.remembered[slot, 1] = size + 1
            self.remembered[slot, 2] = start
            self.remembered[slot, 3] = self.table.add(text[start:end])
            return self.remembered[slot, 3]
        else:
            return self.table.add(text[start:end])

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def close_bracket(self) -> cython.void:
        """Close the bracket opened last, or count a surplus one."""
        if self.top > 0:
            self.top -= 1
            self.lasts[self.stack[self.top]] = self.n_leaves
        else:
            self.n_surplus += 1
            if self.lenient:
                self.note(SURPLUS_ROW, self.lineno)
        self.n_below += self.depth < 0
        self.depth -= 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def break_tree(self, kind: cython.int) -> cython.void:
        """Leave the open tree out, and record it as broken."""
        self.n_roots -= 1
        self.n_nodes = self.root_nodes[self.n_roots]
        self.n_leaves = self.firsts[self.n_nodes]
        self.broken_linenos[self.n_broken] = self.root_linenos[self.n_roots]
        self.broken_kinds[self.n_broken] = cython.cast(cython.uchar, kind)
        self.broken_labels[self.n_broken] = self.labels[self.n_nodes]
        self.n_broken += 1
        self.top = self.depth = 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def fail(self, code: cython.int, at: cython.Py_ssize_t) -> cython.void:
        """Record what is wrong, and where."""
        self.code = code
        self.error_at = at
        self.error_lineno = self.lineno

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def begins_tree(self, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
        """Return whether `at` is the beginning of a line on which a tree begins.

        Such a line begins with a bracket, or begins with text (such as a score before a tree) and contains a
        bracket.
        """
        if at > self.origin and self.text[at - 1] != 10:
            return False
        if self.text[at] == 40:
            return True
        if self.text[at] == 35 or not is_text(self.text[at]):
            return False
        end = find_byte(self.text, 10, at, end)
        return find_byte(self.text, 40, at, end) < end


# Where in a bracket the skimmer is: in its label, behind the label where its word may stand, or elsewhere.
NO_LABEL = cython.declare(cython.int, 0)
IN_LABEL = cython.declare(cython.int, 1)
WORD_DUE = cython.declare(cython.int, 2)


@cython.cclass
class TreeSkimmer:
    """A finder of outermost brackets in trees, which looks at brackets alone.

    With `by_line`, a tree that is not closed ends where something stands in the first column. `rows` get
    (byte where the tree can be cut off from what comes before, lines before that byte, lines before the first
    bracket of the tree). That byte is where the line of the tree begins or, if there are blank lines and
    comments before it, where the first of these begins; it is the bracket itself if others come before it on
    its line. Other text between two trees belongs to the first.

    A comment is a line whose first visible character is `#`, unless it is the word of a bracket in a line
    before.
    """

    by_line: cython.bint
    depth: cython.longlong
    n_lines: cython.longlong
    label: cython.int
    n_inner = cython.declare(cython.longlong, visibility="readonly")
    place: cython.longlong  # where the next tree can be cut off, if it begins its line
    place_lines: cython.longlong

    def __init__(self, by_line: cython.bint) -> None:
        self.by_line = by_line
        self.depth = self.n_lines = self.place = self.place_lines = 0
        self.label = NO_LABEL
        self.n_inner = 0
        """Number of lines that begin in the first column while a tree is open."""

    def skim(
        self,
        data: bytes,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        offset: cython.longlong,
        rows: cython.longlong[:, ::1],
    ) -> int:
        """Read the lines of data[start:end] and fill `rows`, at most one for each opening bracket.

        `offset` is added to all places. Returns how many rows it filled.
        """
        text: cython.p_const_uchar = data
        at: cython.Py_ssize_t
        n: cython.Py_ssize_t = 0
        c: cython.uchar
        depth: cython.longlong = self.depth
        lines: cython.longlong = self.n_lines
        is_first: cython.bint = True  # in the first column
        is_blank: cython.bint = True
        is_begun: cython.bint = False  # a bracket is on this line
        is_comment: cython.bint = False
        label: cython.int = self.label
        for at in range(start, end):
            c = text[at]
            if is_comment and c != 0x0A:
                continue
            if c == 0x28:
                label = IN_LABEL
                if is_first and depth:
                    depth = self.go_on(depth)
                if depth == 0:
                    rows[n, 0] = offset + at if is_begun else self.place
                    rows[n, 1] = lines if is_begun else self.place_lines
                    rows[n, 2] = lines
                    n += 1
                depth += 1
                is_begun = True
                is_first = is_blank = False
            elif c == 0x29:
                label = NO_LABEL
                if depth:
                    depth -= 1
                is_begun = True
                is_first = is_blank = False
            elif c == 0x0A:
                lines += 1
                if not is_blank:
                    self.place = offset + at + 1
                    self.place_lines = lines
                is_first = is_blank = True
                is_begun = is_comment = False
                label = WORD_DUE if label == IN_LABEL else label
            elif c == 0x20 or (0x09 <= c <= 0x0D):
                is_first = False
                label = WORD_DUE if label == IN_LABEL else label
            else:
                if is_blank:
                    if c == 0x23 and label != WORD_DUE:
                        is_comment = True
                        continue
                    if is_first and depth:
                        depth = self.go_on(depth)
                    is_first = is_blank = False
                label = NO_LABEL if label == WORD_DUE else label
        self.depth = depth
        self.label = label
        self.n_lines = lines
        return n

    @cython.cfunc
    @cython.exceptval(check=False)
    def go_on(self, depth: cython.longlong) -> cython.longlong:
        """Return how many of `depth` open brackets stay open at a line that begins in the first column.

        Counts the line in `n_inner`.
        """
        self.n_inner += 1
        return 0 if self.by_line else depth


def gather_words(
    data: bytes,
    starts: cython.int[::1],
    ends: cython.int[::1],
    line: cython.uchar[::1],
    cuts: cython.int[::1],
) -> None:
    """Write the words data[start:end], UTF-8, one behind the other into `line`, and their cuts into `cuts`.

    Cuts say where each word begins, and the last one ends, in characters; there is one more than there are
    words. `line` must have room for all bytes of the words.
    """
    source: cython.p_const_uchar = data
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    size: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    characters: cython.int = 0
    for i in range(len(starts)):
        cuts[i] = characters
        size = ends[i] - starts[i]
        if cython.compiled:
            if size > 0:
                memcpy(cython.address(line[at]), source + starts[i], cython.cast(cython.size_t, size))
        else:
            # Assigned to an array, bytes would be converted to a number, a bytearray is not.
            line[at : at + size] = bytearray(source[starts[i] : ends[i]])
        for k in range(at, at + size):
            # Every byte except those that continue a character.
            characters += (line[k] & 0xC0) != 0x80
        at += size
    cuts[len(starts)] = characters
