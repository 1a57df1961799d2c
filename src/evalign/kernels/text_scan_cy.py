"""Plain text and CoNLL-U: bytes read into columns of integers, or only searched for the ends of sentences.

Readers use the scanners, streaming uses the skimmers. The caller owns every array and makes it large enough
(see each docstring); a scanner fills the arrays in one pass and returns how much it used. Nothing here raises
on bad input: a scanner stops at the first line it cannot read and says which, and `readers` makes the
message. A skimmer passes over what cannot be read, because the scanner will report it.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython

if cython.compiled:
    from cython.cimports.libc.string import memchr

# What is tolerated: rows of `notes`, as (how often, first line number). `readers` gets these numbers by
# `codes`.
DOUBLED = cython.declare(cython.int, 0)  # a blank line after a blank line
EMPTY = cython.declare(cython.int, 1)  # a token of white space only
INNER_ID = cython.declare(cython.int, 2)  # a wrong word number inside a multiword token
UNENDED = cython.declare(cython.int, 3)  # no empty line after the last sentence
WORDLESS = cython.declare(cython.int, 4)  # comments or empty nodes, and no word before the empty line
INNER_NODE = cython.declare(cython.int, 5)  # an empty node among the words of a multiword token
N_NOTES = 6

# What stops the CoNLL-U scanner; the messages are in `readers.conllu`.
COLUMNS = cython.declare(cython.int, 1)
WORD_ID = cython.declare(cython.int, 2)
RANGE = cython.declare(cython.int, 3)
UNFINISHED = cython.declare(cython.int, 4)

# Kinds of comments in `marks`.
NEWDOC = cython.declare(cython.int, 1)
NEWPAR = cython.declare(cython.int, 2)
SENT_ID = cython.declare(cython.int, 3)


def is_compiled() -> bool:
    """Return whether this module runs as compiled code."""
    return cython.compiled


def codes() -> dict[str, int]:
    """Return the constants that callers need, by name."""
    return {
        "COLUMNS": COLUMNS, "WORD_ID": WORD_ID, "RANGE": RANGE, "UNFINISHED": UNFINISHED,
        "NEWDOC": NEWDOC, "NEWPAR": NEWPAR, "SENT_ID": SENT_ID, "INNER_ID": INNER_ID, "INNER_NODE": INNER_NODE,
    }  # fmt: skip


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def find_byte(
    data: cython.p_const_uchar, byte: cython.int, start: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Return the first place of a byte in data[start:end], or `end` if there is none."""
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
def count_byte(
    data: cython.p_const_uchar, byte: cython.int, start: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Return how often a byte occurs in data[start:end]."""
    if cython.compiled:
        k: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        for k in range(start, end):
            count += data[k] == byte
        return count
    else:
        return data.count(byte, start, end)


def count_bytes(data: bytes, byte: cython.int) -> int:
    """Return how often a byte occurs in the data."""
    return count_byte(data, byte, 0, len(data))


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def wide_space_width(
    data: cython.p_const_uchar, k: cython.Py_ssize_t, end: cython.Py_ssize_t, as_script: cython.bint
) -> cython.int:
    """Return how many bytes the white-space character at k has if it has several; otherwise 0."""
    c: cython.int = data[k]
    d: cython.int
    e: cython.int
    if c < 0xC2 or c > 0xE3 or k + 1 >= end:
        return 0
    d = data[k + 1]
    if c == 0xC2:
        return 2 if d == 0xA0 or (d == 0x85 and not as_script) else 0
    if c < 0xE1 or k + 2 >= end:
        return 0
    e = data[k + 2]
    if c == 0xE2:
        if d == 0x80:
            return 3 if e <= 0x8A or e == 0xAF or (not as_script and (e == 0xA8 or e == 0xA9)) else 0
        return 3 if d == 0x81 and e == 0x9F else 0
    if c == 0xE1:
        return 3 if d == 0x9A and e == 0x80 else 0
    return 3 if d == 0x80 and e == 0x80 else 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def space_width(
    data: cython.p_const_uchar, k: cython.Py_ssize_t, end: cython.Py_ssize_t, as_script: cython.bint
) -> cython.int:
    """Return how many bytes the white-space character at k has; 0 if it is none.

    White space is Unicode White_Space or, with `as_script`, only category Zs: without tab to carriage return,
    U+0085, U+2028 and U+2029.
    """
    c: cython.int = data[k]
    if c == 0x20:
        return 1
    if 0x09 <= c <= 0x0D:
        return 0 if as_script else 1
    return wide_space_width(data, k, end, as_script)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def copy_visible(
    data: cython.p_const_uchar,
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    line: cython.uchar[::1],
    used: cython.Py_ssize_t,
    as_script: cython.bint,
) -> cython.Py_ssize_t:
    """Append data[start:end] without white space to the line; returns how many of its bytes are used now."""
    k: cython.Py_ssize_t = start
    width: cython.int
    while k < end:
        width = space_width(data, k, end, as_script)
        if width:
            k += width
        else:
            line[used] = data[k]
            used += 1
            k += 1
    return used


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def count_chars(line: cython.uchar[::1], start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
    """Return how many characters line[start:end] has; it must be whole UTF-8 characters."""
    k: cython.Py_ssize_t
    chars: cython.int = 0
    for k in range(start, end):
        chars += (line[k] & 0xC0) != 0x80
    return chars


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def starts_with(
    data: cython.p_const_uchar, start: cython.Py_ssize_t, end: cython.Py_ssize_t, key: bytes
) -> cython.bint:
    """Return whether data[start:end] is `key`, or begins with it and a space, a tab or an equals sign."""
    k: cython.Py_ssize_t
    wanted: cython.p_const_uchar = key
    size: cython.Py_ssize_t = len(key)
    if end - start < size:
        return False
    for k in range(size):
        if data[start + k] != wanted[k]:
            return False
    return end - start == size or data[start + size] in (0x20, 0x09, 0x3D)


@cython.cfunc
@cython.exceptval(check=False)
def read_number(
    data: cython.p_const_uchar, start: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.longlong:
    """Return the value of data[start:end] if it consists of one to nine digits; otherwise -1."""
    k: cython.Py_ssize_t
    value: cython.longlong = 0
    if end == start or end - start > 9:
        return -1
    for k in range(start, end):
        if data[k] < 0x30 or data[k] > 0x39:
            return -1
        value = value * 10 + (data[k] - 0x30)
    return value


@cython.cfunc
@cython.exceptval(check=False)
def is_empty_node(
    data: cython.p_const_uchar, start: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.bint:
    """Return whether data[start:end] is the ID of an empty node: two numbers and a full stop between."""
    dot: cython.Py_ssize_t = find_byte(data, 0x2E, start, end)
    return dot < end and read_number(data, start, dot) >= 0 and read_number(data, dot + 1, end) >= 0


@cython.cclass
class Scanner:
    """Common base of the scanners of plain text and CoNLL-U: bytes in, tokens on a line out.

    Requires that `line` is as long as the data, `cuts` two longer than the number of tokens, and every other
    array two longer than the number of lines of the data. The line has no white space, which is Unicode
    White_Space or, with `as_script`, category Zs alone, as in the CoNLL 2018 script.
    """

    text: cython.p_const_uchar
    size: cython.Py_ssize_t
    line: cython.uchar[::1]
    cuts: cython.int[::1]
    sentences: cython.int[::1]
    linenos: cython.int[::1]
    notes: cython.longlong[:, ::1]
    as_script: cython.bint
    used: cython.Py_ssize_t
    chars: cython.int
    n_tokens: cython.int
    n_sentences: cython.int
    lineno: cython.int

    def __init__(
        self,
        data: bytes,
        line: cython.uchar[::1],
        cuts: cython.int[::1],
        sentences: cython.int[::1],
        linenos: cython.int[::1],
        notes: cython.longlong[:, ::1],
        as_script: cython.bint = False,
    ) -> None:
        self.text, self.size, self.as_script = data, len(data), as_script
        self.line, self.notes = line, notes
        self.cuts, self.sentences, self.linenos = cuts, sentences, linenos
        self.used = self.chars = self.n_tokens = self.n_sentences = self.lineno = 0
        cuts[0] = sentences[0] = 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def note(self, kind: cython.int) -> cython.void:
        """Count something tolerated on the current line."""
        if self.notes[kind, 0] == 0:
            self.notes[kind, 1] = self.lineno
        self.notes[kind, 0] += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def add_token(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.void:
        """Put data[start:end] on the line as the next token."""
        before: cython.Py_ssize_t = self.used
        self.used = copy_visible(self.text, start, end, self.line, before, self.as_script)
        self.chars += count_chars(self.line, before, self.used)
        self.n_tokens += 1
        self.cuts[self.n_tokens] = self.chars

    @cython.cfunc
    @cython.exceptval(check=False)
    def end_sentence(self) -> cython.void:
        """End a sentence, which has all tokens since the sentence before."""
        self.n_sentences += 1
        self.sentences[self.n_sentences] = self.n_tokens

    def totals(self) -> tuple[int, int, int]:
        """Return the numbers of bytes on the line, of tokens and of sentences."""
        return self.used, self.n_tokens, self.n_sentences


@cython.cclass
class PlainScanner(Scanner):
    """Scanner for plain text: a sentence per line, tokens separated by space or tab.

    Blank lines separate paragraphs. Requires valid UTF-8 with LF line ends. `linenos` has a row per sentence;
    `paragraphs` is as long, and gets the sentence with which each paragraph begins.
    """

    paragraphs: cython.int[::1]
    n_paragraphs: cython.int

    def scan(self, paragraphs: cython.int[::1]) -> int:
        """Read all the data; returns the number of paragraphs."""
        at: cython.Py_ssize_t = 0
        end: cython.Py_ssize_t
        blank: cython.bint = True
        self.paragraphs = paragraphs
        self.n_paragraphs = 0
        while at < self.size:
            self.lineno += 1
            end = find_byte(self.text, 10, at, self.size)
            if self.add_line(at, end):
                if blank:
                    self.paragraphs[self.n_paragraphs] = self.n_sentences
                    self.n_paragraphs += 1
                blank, self.linenos[self.n_sentences] = False, self.lineno
                self.end_sentence()
            else:
                if blank and self.n_sentences:
                    self.note(DOUBLED)
                blank = True
            at = end + 1
        return self.n_paragraphs

    @cython.cfunc
    @cython.exceptval(check=False)
    def add_line(self, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
        """Add the tokens of data[at:end]; if nothing in it is visible, add none and return False."""
        first: cython.int = self.n_tokens
        before: cython.Py_ssize_t = self.used
        hidden: cython.int = 0
        stop: cython.Py_ssize_t
        token_used: cython.Py_ssize_t
        while at < end:
            if self.text[at] == 0x20 or self.text[at] == 0x09:
                at += 1
                continue
            stop = at
            while stop < end and self.text[stop] != 0x20 and self.text[stop] != 0x09:
                stop += 1
            token_used = self.used
            self.add_token(at, stop)
            hidden += token_used == self.used
            at = stop
        if self.used == before:
            self.n_tokens = first
            return False
        while hidden:
            self.note(EMPTY)
            hidden -= 1
        return True


@cython.cclass
class ConlluScanner(Scanner):
    """Scanner for CoNLL-U: tokens, words, sentences, and comments for documents, paragraphs and sentence ids.

    Requires valid UTF-8 with LF line ends. `linenos` has a row per token. `rows` gets where the row of each
    word begins, `inner` (start, end) of the forms inside multiword tokens, `marks` (kind, sentence, start,
    end) of newdoc, newpar and sent_id comments, all in bytes of the data.
    """

    word_tokens: cython.int[::1]
    multiword: cython.uchar[::1]
    rows: cython.longlong[::1]
    inner: cython.longlong[:, ::1]
    marks: cython.longlong[:, ::1]
    n_words: cython.Py_ssize_t
    n_inner: cython.Py_ssize_t
    n_marks: cython.Py_ssize_t
    n_rows: cython.int  # rows of any kind seen in this sentence
    expected: cython.longlong  # the next word's number
    inside: cython.longlong  # words still to come of the multiword token

    def scan(
        self,
        word_tokens: cython.int[::1],
        multiword: cython.uchar[::1],
        rows: cython.longlong[::1],
        inner: cython.longlong[:, ::1],
        marks: cython.longlong[:, ::1],
    ) -> tuple[int, int, int]:
        """Read up to the end or the first unreadable line.

        Returns (the code of what is wrong or 0, the number of the line, the word number that was due there).
        """
        at: cython.Py_ssize_t = 0
        end: cython.Py_ssize_t
        error: cython.int = 0
        commented: cython.bint = False
        self.word_tokens, self.multiword, self.rows = word_tokens, multiword, rows
        self.inner, self.marks = inner, marks
        self.n_words = self.n_inner = self.n_marks = 0
        self.n_rows, self.inside, self.expected = 0, 0, 1
        while at < self.size:
            self.lineno += 1
            end = find_byte(self.text, 10, at, self.size)
            if end == at and self.inside:
                return UNFINISHED, self.lineno, self.expected
            if end == at:
                if not self.n_rows:
                    self.note(WORDLESS if commented else DOUBLED)
                self.end_rows()
                commented = False
            elif self.text[at] == 0x23 and not self.n_rows:
                commented = True
                self.add_comment(at + 1, end)
            else:
                error = self.add_row(at, end)
                if error:
                    return error, self.lineno, self.expected
            at = end + 1
        if self.inside:
            return UNFINISHED, self.lineno, self.expected
        if self.n_rows:
            self.note(UNENDED)
        self.end_rows()
        return 0, 0, 0

    def word_totals(self) -> tuple[int, int, int]:
        """Return the numbers of words, of forms inside multiword tokens, and of marks."""
        return self.n_words, self.n_inner, self.n_marks

    @cython.cfunc
    @cython.exceptval(check=False)
    def end_rows(self) -> cython.void:
        """End the sentence at an empty line, if it has any token."""
        if self.n_tokens > self.sentences[self.n_sentences]:
            self.end_sentence()
        elif self.n_rows:
            self.note(WORDLESS)
        self.n_rows, self.expected = 0, 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def add_comment(self, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.void:
        """Record the place of a comment that names a sentence, a document or a paragraph."""
        kind: cython.int = 0
        while at < end and self.text[at] == 0x20:
            at += 1
        if starts_with(self.text, at, end, b"sent_id"):
            kind = SENT_ID
        elif starts_with(self.text, at, end, b"newdoc"):
            kind = NEWDOC
        elif starts_with(self.text, at, end, b"newpar"):
            kind = NEWPAR
        if kind:
            self.marks[self.n_marks, 0] = kind
            self.marks[self.n_marks, 1] = self.n_sentences
            self.marks[self.n_marks, 2] = at
            self.marks[self.n_marks, 3] = end
            self.n_marks += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def add_row(self, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
        """Read a row of ten columns: a word, a multiword token or an empty node.

        Returns the code of what is wrong, or 0.
        """
        tab: cython.Py_ssize_t
        form_end: cython.Py_ssize_t
        number: cython.longlong
        if count_byte(self.text, 9, at, end) != 9:
            return COLUMNS
        self.n_rows += 1
        tab = find_byte(self.text, 9, at, end)
        form_end = find_byte(self.text, 9, tab + 1, end)
        number = read_number(self.text, at, tab)
        if number < 0:
            if is_empty_node(self.text, at, tab):
                # An empty node is not a word, not even inside a multiword token.
                if self.inside:
                    self.note(INNER_NODE)
                return 0
            if find_byte(self.text, 0x2D, at, tab) < tab:
                return self.add_multiword(at, tab, form_end)
        if self.inside:
            # As in the CoNLL 2018 script, the next rows are its words whatever their IDs; a wrong ID is
            # noted.
            if number != self.expected:
                self.note(INNER_ID)
            self.inner[self.n_inner, 0] = tab + 1
            self.inner[self.n_inner, 1] = form_end
            self.n_inner += 1
            self.inside -= 1
            self.add_word(at, 1)
            return 0
        if number != self.expected:
            return WORD_ID
        self.add_form(tab + 1, form_end)
        self.add_word(at, 0)
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def add_multiword(
        self, at: cython.Py_ssize_t, tab: cython.Py_ssize_t, form_end: cython.Py_ssize_t
    ) -> cython.int:
        """Read a row numbered a-b: its form is a token, and the next rows are the words of the token.

        Returns the code of what is wrong, or 0.
        """
        dash: cython.Py_ssize_t = find_byte(self.text, 0x2D, at, tab)
        first: cython.longlong = read_number(self.text, at, dash)
        last: cython.longlong = read_number(self.text, dash + 1, tab)
        # The CoNLL 2018 script accepts a range such as 3-2 as a token without words.
        if self.inside or first != self.expected or last < first - self.as_script:
            return RANGE
        self.inside = last - first + 1
        self.add_form(tab + 1, form_end)
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def add_form(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.void:
        """Add the form data[start:end] of a token."""
        before: cython.Py_ssize_t = self.used
        self.linenos[self.n_tokens] = self.lineno
        self.add_token(start, end)
        if before == self.used:
            self.note(EMPTY)

    @cython.cfunc
    @cython.exceptval(check=False)
    def add_word(self, at: cython.Py_ssize_t, multiword: cython.uchar) -> cython.void:
        """Add a syntactic word of the last token; its row begins at `at`."""
        self.rows[self.n_words] = at
        self.multiword[self.n_words] = multiword
        self.word_tokens[self.n_words] = self.n_tokens - 1
        self.n_words += 1
        self.expected += 1


# Skimmers find where sentences end in bytes, and how many characters they bring to the line: less than a
# reader finds, much faster.
#
# A skimmer goes over an input piece by piece, each of whole lines, and remembers its state. It finds what the
# readers find in the same lines wherever they can read them. The caller owns `rows` and says where in the
# input data[0] is (`offset`). A skimmer that has filled all rows returns before the end, and can be called
# for the rest with other rows.


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def is_visible(
    data: cython.p_const_uchar, k: cython.Py_ssize_t, end: cython.Py_ssize_t, as_script: cython.bint
) -> cython.bint:
    """Return whether a character that belongs on the line begins at k."""
    return (data[k] & 0xC0) != 0x80 and space_width(data, k, end, as_script) == 0


def read_odd_range(number: bytes) -> int:
    """Return the number of words in a range whose numbers only Python's `int` can read ("+1-1_0").

    At most 10**9; 0 if `number` is not a range.
    """
    try:
        first, last = (int(part) for part in number.decode("utf-8").split("-"))
    except ValueError:
        return 0
    return max(0, min(last - first + 1, 10**9))


@cython.cclass
class Skimmer:
    """Common base of the skimmers: the characters and lines read so far.

    `rows` get (bytes, characters on the line, lines) up to the end of each sentence.
    """

    as_script: cython.bint
    chars: cython.longlong
    n_lines: cython.longlong

    def __init__(self, as_script: cython.bint = False) -> None:
        self.as_script = as_script
        self.chars = self.n_lines = 0

    def totals(self) -> tuple[int, int]:
        """Return the numbers of characters on the line and of lines so far."""
        return self.chars, self.n_lines


@cython.cclass
class ConlluSkimmer(Skimmer):
    """Skimmer for CoNLL-U: sentences end with an empty line, tokens are the FORM of rows."""

    in_rows: cython.bint  # a row of this sentence has been read
    in_sentence: cython.bint  # and a token
    inside: cython.longlong  # words still to come of a multiword token

    def __init__(self, as_script: cython.bint = False) -> None:
        self.as_script = as_script
        self.chars = self.n_lines = 0
        self.in_rows = self.in_sentence = False
        self.inside = 0

    def is_open(self) -> bool:
        """Return whether a sentence has begun that no empty line has ended yet."""
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
        # Digits have higher codes than the hyphen and the full stop.
        while k < end and text[k] > 0x2E:
            k += 1
        if k < end and text[k] != 0x09:
            k = find_byte(text, 0x09, k, find_byte(text, 0x0A, k, end))
            if is_empty_node(text, at, k):
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
    @cython.exceptval(-1)
    def read_range(
        self, text: cython.p_const_uchar, at: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.longlong:
        """Return how many words the multiword token with the ID text[at:end] has."""
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
    """Return how many characters of text[start:end], a line of plain text, belong on the document's line.

    A tab does not count, even with `as_script`, because it separates tokens.
    """
    k: cython.Py_ssize_t
    c: cython.uchar
    n: cython.uchar
    odd: cython.uchar
    total: cython.Py_ssize_t = 0
    stop: cython.Py_ssize_t
    # For most stretches it is enough to count the bytes that are beyond the space and begin a character; odd
    # bytes are control characters, or may begin white space. The count of 240 bytes fits into a byte.
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
                elif c == 0xC2 or (c >= 0xE1 and c <= 0xE3):
                    total -= wide_space_width(text, k, end, as_script) > 0
        start = stop
    return total


@cython.cclass
class PlainSkimmer(Skimmer):
    """Skimmer for plain text: every line with a visible character is a sentence."""

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
        visible: cython.Py_ssize_t
        n: cython.Py_ssize_t = 0
        room: cython.Py_ssize_t = rows.shape[0]
        while at < end and n < room:
            self.n_lines += 1
            stop = find_byte(text, 0x0A, at, end)
            line_end = stop - 1 if at < stop < end and text[stop - 1] == 0x0D else stop
            visible = count_plain(text, at, line_end, self.as_script)
            at = min(stop + 1, end)
            if visible:
                self.chars += visible
                rows[n, 0] = offset + at
                rows[n, 1] = self.chars
                rows[n, 2] = self.n_lines
                n += 1
        return at, n
