"""Where sentences end in bytes, and how many characters they bring to the line: less than a reader finds, much faster.

A skimmer goes over an input piece by piece, each of whole lines, and remembers where it stands. What it finds is what
the readers find in the same lines wherever they can read them; what they cannot read is passed over as it comes, for
they will say what is wrong with it. Nothing here raises on bad input.

The caller owns `rows` and says where in the input data[0] stands (`offset`). A skimmer that has filled the rows
returns before the end: it goes on from there, in other rows.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython

if cython.compiled:
    from cython.cimports.libc.string import memchr


def is_compiled() -> bool:
    """Whether this module runs as compiled code."""
    return cython.compiled


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def find_byte(
    data: cython.p_const_uchar, byte: cython.int, start: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """First place of a byte in data[start:end], or end."""
    if cython.compiled:
        hit: cython.p_const_uchar = cython.cast(
            cython.p_const_uchar, memchr(data + start, byte, cython.cast(cython.size_t, end - start))
        )
        return end if hit is cython.NULL else hit - data
    else:
        place = data.find(byte, start, end)
        return end if place < 0 else place


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def is_wide_space(
    data: cython.p_const_uchar, k: cython.Py_ssize_t, end: cython.Py_ssize_t, as_script: cython.bint
) -> cython.bint:
    """Whether a white-space character of several bytes begins at k; as `scan_cy` and `text.WHITE_SPACE` have them."""
    c: cython.int = data[k]
    d: cython.int
    e: cython.int
    if c > 0xE3 or k + 1 >= end:
        return False
    d = data[k + 1]
    if c == 0xC2:
        return d == 0xA0 or (d == 0x85 and not as_script)
    if c < 0xE1 or k + 2 >= end:
        return False
    e = data[k + 2]
    if c == 0xE2:
        if d == 0x80:
            return e <= 0x8A or e == 0xAF or (not as_script and (e == 0xA8 or e == 0xA9))
        return d == 0x81 and e == 0x9F
    if c == 0xE1:
        return d == 0x9A and e == 0x80
    return d == 0x80 and e == 0x80


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def is_visible(
    data: cython.p_const_uchar, k: cython.Py_ssize_t, end: cython.Py_ssize_t, as_script: cython.bint
) -> cython.bint:
    """Whether a character that stands on the line begins at k. Requires valid UTF-8."""
    c: cython.int = data[k]
    if c > 0x20:
        return c < 0x80 or (c >= 0xC0 and not is_wide_space(data, k, end, as_script))
    return c != 0x20 and (as_script or c < 0x09 or c > 0x0D)


@cython.cfunc
@cython.exceptval(check=False)
def count_visible(
    data: cython.p_const_uchar, start: cython.Py_ssize_t, end: cython.Py_ssize_t, as_script: cython.bint
) -> cython.Py_ssize_t:
    """Characters of data[start:end] that stand on the line."""
    k: cython.Py_ssize_t
    n: cython.Py_ssize_t = 0
    for k in range(start, end):
        n += is_visible(data, k, end, as_script)
    return n


@cython.cfunc
@cython.exceptval(check=False)
def read_number(
    data: cython.p_const_uchar, start: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.longlong:
    """A number of one to nine digits, or -1."""
    k: cython.Py_ssize_t
    value: cython.longlong = 0
    if end == start or end - start > 9:
        return -1
    for k in range(start, end):
        if data[k] < 0x30 or data[k] > 0x39:
            return -1
        value = value * 10 + (data[k] - 0x30)
    return value


def read_odd_range(number: bytes) -> int:
    """How many words a range has whose numbers Python alone can read ("+1-1_0"); 0 if it is none."""
    try:
        first, last = (int(part) for part in number.decode("utf-8").split("-"))
    except ValueError:
        return 0
    return max(0, min(last - first + 1, 10**9))


@cython.cclass
class Skimmer:
    """What has been read so far; `rows` get (bytes, characters on the line, lines) up to the end of each sentence."""

    as_script: cython.bint
    chars: cython.longlong
    n_lines: cython.longlong

    def __init__(self, as_script: cython.bint = False) -> None:
        self.as_script = as_script
        self.chars = self.n_lines = 0

    def totals(self) -> tuple[int, int]:
        """Characters on the line and lines so far."""
        return self.chars, self.n_lines


@cython.cclass
class ConlluSkimmer(Skimmer):
    """CoNLL-U: sentences end with an empty line, tokens are FORM of rows."""

    in_rows: cython.bint  # a row of this sentence has been read
    in_sentence: cython.bint  # and a token
    inside: cython.longlong  # words still to come of a multiword token

    def __init__(self, as_script: cython.bint = False) -> None:
        self.as_script = as_script
        self.chars = self.n_lines = 0
        self.in_rows = self.in_sentence = False
        self.inside = 0

    def is_open(self) -> bool:
        """Whether a sentence has begun that no empty line has ended."""
        return self.in_sentence

    def skim(
        self,
        data: bytes,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        offset: cython.longlong,
        rows: cython.longlong[:, ::1],
    ) -> tuple[int, int]:
        """Read the lines of data[start:end]; returns where it stopped, and how many rows it filled.

        Costs a look at ID and FORM of each row, and `memchr` for the rest.
        """
        text: cython.p_const_uchar = data
        at: cython.Py_ssize_t = start
        n: cython.Py_ssize_t = 0
        room: cython.Py_ssize_t = rows.shape[0]
        c: cython.int
        while at < end and n < room:
            c = text[at]
            self.n_lines += 1
            if c == 0x0A or (c == 0x0D and at + 1 < end and text[at + 1] == 0x0A):
                at += 1 + (c == 0x0D)
                if self.in_sentence:
                    rows[n, 0] = offset + at
                    rows[n, 1] = self.chars
                    rows[n, 2] = self.n_lines
                    n += 1
                self.in_rows = self.in_sentence = False
                self.inside = 0
            elif c == 0x23 and not self.in_rows:
                at = find_byte(text, 0x0A, at, end) + 1
            else:
                at = self.add_row(text, at, end)
        return min(at, end), n

    @cython.cfunc
    @cython.exceptval(check=False)
    def add_row(
        self, text: cython.p_const_uchar, at: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Count the row that begins at `at`; returns where the next line begins."""
        k: cython.Py_ssize_t = at
        c: cython.int
        chars: cython.longlong = 0
        is_range: cython.bint = False
        self.in_rows = True
        # Digits are beyond the hyphen and the full stop.
        while k < end and text[k] > 0x2E:
            k += 1
        if k < end and text[k] != 0x09:
            k = find_byte(text, 0x09, k, find_byte(text, 0x0A, k, end))
            if self.is_empty_node(text, at, k):
                return find_byte(text, 0x0A, k, end) + 1
            is_range = find_byte(text, 0x2D, at, k) < k
            if is_range:
                self.inside = self.read_range(text, at, k)
        if self.inside and not is_range:
            self.inside -= 1
            return find_byte(text, 0x0A, k, end) + 1
        self.in_sentence = True
        if k < end and text[k] == 0x09:
            k += 1
            while k < end:
                c = text[k]
                if c == 0x09 or c == 0x0A:
                    break
                chars += (0x20 < c < 0x80) or is_visible(text, k, end, self.as_script)
                k += 1
            self.chars += chars
        return find_byte(text, 0x0A, k, end) + 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_empty_node(
        self, text: cython.p_const_uchar, at: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.bint:
        """Whether an ID is that of an empty node."""
        dot: cython.Py_ssize_t = find_byte(text, 0x2E, at, end)
        return dot < end and read_number(text, at, dot) >= 0 and read_number(text, dot + 1, end) >= 0

    @cython.cfunc
    @cython.exceptval(-1)
    def read_range(
        self, text: cython.p_const_uchar, at: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.longlong:
        """How many words the multiword token has whose ID this is."""
        dash: cython.Py_ssize_t = find_byte(text, 0x2D, at, end)
        first: cython.longlong = read_number(text, at, dash)
        last: cython.longlong = read_number(text, dash + 1, end)
        if first < 0 or last < 0:
            return read_odd_range(text[at:end])
        return max(0, last - first + 1)


@cython.cfunc
@cython.exceptval(check=False)
def count_plain(
    text: cython.p_const_uchar, start: cython.Py_ssize_t, end: cython.Py_ssize_t, as_script: cython.bint
) -> cython.Py_ssize_t:
    """Characters of a line of plain text that stand on the line: a tab separates tokens and never does."""
    k: cython.Py_ssize_t
    c: cython.uchar
    n: cython.uchar
    odd: cython.uchar
    total: cython.Py_ssize_t = 0
    stop: cython.Py_ssize_t
    # Of most stretches it is enough to know which bytes are beyond the space and begin a character; odd ones are
    # control characters, or may begin white space. So many are less than a byte can count.
    while start < end:
        stop = min(end, start + 240)
        n = odd = 0
        for k in range(start, stop):
            c = text[k]
            n += (c > 0x20) & ((c & 0xC0) != 0x80)
            odd |= (c < 0x20) | (c == 0xC2) | ((c >= 0xE1) & (c <= 0xE3))
        total += n
        if odd:
            for k in range(start, stop):
                c = text[k]
                if c < 0x20:
                    total += c != 0x09 and is_visible(text, k, end, as_script)
                elif c >= 0xC2 and c <= 0xE3:
                    total -= is_wide_space(text, k, end, as_script)
        start = stop
    return total


@cython.cclass
class PlainSkimmer(Skimmer):
    """Plain text: every line is a sentence that has a character on the line."""

    def skim(
        self,
        data: bytes,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        offset: cython.longlong,
        rows: cython.longlong[:, ::1],
    ) -> tuple[int, int]:
        """Read the lines of data[start:end]; returns where it stopped, and how many rows it filled.

        Costs two looks at each byte, three in lines with what may be white space beyond ASCII.
        """
        text: cython.p_const_uchar = data
        at: cython.Py_ssize_t = start
        stop: cython.Py_ssize_t
        line_end: cython.Py_ssize_t
        found: cython.Py_ssize_t
        n: cython.Py_ssize_t = 0
        room: cython.Py_ssize_t = rows.shape[0]
        while at < end and n < room:
            self.n_lines += 1
            stop = find_byte(text, 0x0A, at, end)
            line_end = stop - 1 if at < stop < end and text[stop - 1] == 0x0D else stop
            found = count_plain(text, at, line_end, self.as_script)
            at = min(stop + 1, end)
            if found:
                self.chars += found
                rows[n, 0] = offset + at
                rows[n, 1] = self.chars
                rows[n, 2] = self.n_lines
                n += 1
        return at, n


# Where a bracket is read: in its label, behind that where its word may stand, or elsewhere.
NO_LABEL = cython.declare(cython.int, 0)
IN_LABEL = cython.declare(cython.int, 1)
WORD_DUE = cython.declare(cython.int, 2)


@cython.cclass
class TreeSkimmer:
    """Trees in brackets: where outermost ones begin, by their brackets alone.

    `by_line`: in the first column nothing goes on that was begun before, so that a tree that is not closed ends there.
    `rows` get (byte where the tree can be cut off from what comes before, lines before that place, lines before its
    first bracket): where its line begins or, of blank lines and comments before it, the first; the bracket itself
    where there are others before it on its line. Other text between two trees belongs to the first.

    A comment is a line whose first visible character is `#`, unless it is the word of a bracket in a line before.
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
        """Lines that go on with a tree in the first column."""

    def skim(
        self,
        data: bytes,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        offset: cython.longlong,
        rows: cython.longlong[:, ::1],
    ) -> int:
        """Read the lines of data[start:end]; returns how many rows it filled, at most one for each opening bracket."""
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
        """So many brackets are open where something stands in the first column; returns how many still are."""
        self.n_inner += 1
        return 0 if self.by_line else depth
