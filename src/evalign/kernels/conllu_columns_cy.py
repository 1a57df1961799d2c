"""The columns of CoNLL-U other than the form: labels to numbers, heads and edges to words of the document.

`readers.conllu_columns` and compat use it. A label gets the number of its first appearance in the file,
through a hash table that the caller owns. Equal labels of two files have different numbers; the distinct ones
are few enough to be matched in Python. Heads are read as they are written, then counted from the beginning of
the document, and errors in trees are counted. No recursion.
"""

from __future__ import annotations

from os import urandom

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython

if cython.compiled:
    from cython.cimports.libc.string import memchr, memcmp, memcpy

# Heads that are not a number: `_`, and anything else, which `readers` examines again.
NO_HEAD = cython.declare(cython.int, -2)
ODD_HEAD = cython.declare(cython.int, -5)
# The source of an edge that names none: beyond any sentence.
NO_SOURCE = cython.declare(cython.int, 0x7FFFFFFF)

# For `hash_label`: any odd number, a different one in each process, so that no file can be crafted to make
# hashes collide.
MULTIPLIER = cython.declare(cython.ulonglong, int.from_bytes(urandom(8), "little") | 1)

# Parents that are not a word. `document` has the same numbers.
ROOT = cython.declare(cython.int, -1)
MISSING = cython.declare(cython.int, -2)
OUTSIDE = cython.declare(cython.int, -3)
CYCLIC = cython.declare(cython.int, -4)

# Errors: rows of `notes`, as (how often, first word). `readers.conllu_columns` has the messages.
NO_PARENT = cython.declare(cython.int, 0)  # words without a head
BEYOND = cython.declare(cython.int, 1)  # words whose head is beyond the sentence
ON_CYCLE = cython.declare(cython.int, 2)  # words on a cycle
ROOTS = cython.declare(cython.int, 3)  # sentences with several roots
ROOTLESS = cython.declare(cython.int, 4)  # sentences without a root
N_NOTES = 5


def is_compiled() -> bool:
    """Return whether this module runs as compiled code."""
    return cython.compiled


def codes() -> dict[str, int]:
    """Return the constants that callers need, by name."""
    return {
        "NO_HEAD": NO_HEAD, "ODD_HEAD": ODD_HEAD, "NO_SOURCE": NO_SOURCE, "ROOT": ROOT, "MISSING": MISSING,
        "OUTSIDE": OUTSIDE, "CYCLIC": CYCLIC, "NO_PARENT": NO_PARENT, "BEYOND": BEYOND, "ON_CYCLE": ON_CYCLE,
        "ROOTS": ROOTS, "ROOTLESS": ROOTLESS,
    }  # fmt: skip


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def after_tab(
    data: cython.p_const_uchar, start: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Return the place after the next tab. Requires that there is one before `end`."""
    if cython.compiled:
        return (
            cython.cast(
                cython.p_const_uchar, memchr(data + start, 9, cython.cast(cython.size_t, end - start))
            )
            - data
            + 1
        )
    else:
        return data.index(9, start) + 1


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def are_equal(
    data: cython.p_const_uchar, a: cython.Py_ssize_t, b: cython.Py_ssize_t, size: cython.Py_ssize_t
) -> cython.bint:
    """Return whether the `size` bytes at a and at b are the same."""
    if cython.compiled:
        return memcmp(data + a, data + b, cython.cast(cython.size_t, size)) == 0
    else:
        return data[a : a + size] == data[b : b + size]


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def hash_label(data: cython.p_const_uchar, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.uint:
    """Return a hash of data[start:end].

    Only the time of a search depends on it, so the compiled and the plain form may have hashes of their own.
    """
    if cython.compiled:
        # Eight bytes a step, with one multiplication; the bytes that are left are shifted together.
        code: cython.ulonglong = end - start
        eight: cython.ulonglong = 0
        while end - start >= 8:
            memcpy(cython.address(eight), data + start, 8)
            code = (code ^ eight) * MULTIPLIER
            code ^= code >> 32
            start += 8
        eight = 0
        while start < end:
            eight = (eight << 8) | data[start]
            start += 1
        code = (code ^ eight) * MULTIPLIER
        return cython.cast(cython.uint, code >> 33)
    else:
        return hash(data[start:end]) & 0x7FFFFFFF


@cython.cclass
class LabelNumbers:
    """A column of labels: a number per row, and where each distinct label first occurs.

    `ids` has room for every row, `spans` for (start, end) of every distinct label. `slots`, all 0, is the
    hash table: its length is a power of two, and greater than the number of distinct labels, which is at most
    that of rows; memory that is never touched costs nothing.
    """

    ids: cython.int[::1]
    spans: cython.longlong[:, ::1]
    slots: cython.int[::1]
    mask: cython.uint
    n: cython.int

    def __init__(self, ids: cython.int[::1], spans: cython.longlong[:, ::1], slots: cython.int[::1]) -> None:
        self.ids, self.spans, self.slots = ids, spans, slots
        self.mask = len(slots) - 1
        self.n = 0

    def count(self) -> int:
        """Return how many distinct labels there are."""
        return self.n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add(
        self,
        data: cython.p_const_uchar,
        size: cython.Py_ssize_t,
        start: cython.Py_ssize_t,
        row: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """Number the label from `start` to the next tab; returns the place after that tab."""
        end: cython.Py_ssize_t = after_tab(data, start, size) - 1
        self.put(data, start, end, row)
        return end + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def put(
        self,
        data: cython.p_const_uchar,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        row: cython.Py_ssize_t,
    ) -> cython.void:
        """Number the label data[start:end], in row `row` of the column."""
        entry: cython.int
        code: cython.uint = hash_label(data, start, end) & self.mask
        while True:
            entry = self.slots[code]
            if entry == 0:
                self.spans[self.n, 0] = start
                self.spans[self.n, 1] = end
                self.n += 1
                self.slots[code] = entry = self.n
                break
            if self.spans[entry - 1, 1] - self.spans[entry - 1, 0] == end - start and are_equal(
                data, self.spans[entry - 1, 0], start, end - start
            ):
                break
            code = (code + 1) & self.mask
        self.ids[row] = entry - 1


def read_columns(
    data: bytes,
    rows: cython.longlong[::1],
    lemma: LabelNumbers,
    upos: LabelNumbers,
    xpos: LabelNumbers,
    feats: LabelNumbers,
    heads: cython.int[::1],
    deprel: LabelNumbers,
) -> int:
    """Fill the columns from the rows of ten columns that begin at `rows`; returns how many heads are odd.

    `heads` gets the number in HEAD, NO_HEAD for `_`, ODD_HEAD for all that is not one to nine digits.
    """
    text: cython.p_const_uchar = data
    size: cython.Py_ssize_t = len(data)
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    start: cython.Py_ssize_t
    head: cython.int
    odd: cython.Py_ssize_t = 0
    n_rows: cython.Py_ssize_t = len(rows)
    with cython.nogil:
        for row in range(n_rows):
            at = after_tab(text, after_tab(text, rows[row], size), size)
            at = lemma.add(text, size, at, row)
            at = upos.add(text, size, at, row)
            at = xpos.add(text, size, at, row)
            at = feats.add(text, size, at, row)
            start = at
            head = 0
            while 0x30 <= text[at] <= 0x39 and at - start < 9:
                head = head * 10 + (text[at] - 0x30)
                at += 1
            if text[at] != 9 or at == start:
                head = NO_HEAD if text[start] == 0x5F and text[start + 1] == 9 else ODD_HEAD
                odd += head == ODD_HEAD
                at = after_tab(text, start, size) - 1
            heads[row] = head
            deprel.add(text, size, at + 1, row)
    return odd


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def after_digits(data: cython.p_const_uchar, at: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the place after one to nine digits, or `at` if there are none, or more."""
    end: cython.Py_ssize_t = at
    while 0x30 <= data[end] <= 0x39 and end - at < 10:
        end += 1
    return at if end - at > 9 else end


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def digits_value(data: cython.p_const_uchar, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
    """Return the value of the one to nine digits data[at:end]."""
    value: cython.int = 0
    while at < end:
        value = value * 10 + (data[at] - 0x30)
        at += 1
    return value


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def read_source_node(
    data: cython.p_const_uchar,
    at: cython.Py_ssize_t,
    heads: cython.int[::1],
    nodes: cython.int[::1],
    edge: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Read where an edge comes from, "3:" or "3.1:".

    Returns the place after the colon, or -1 for anything else.
    """
    end: cython.Py_ssize_t = after_digits(data, at)
    if end == at:
        return -1
    heads[edge] = digits_value(data, at, end)
    nodes[edge] = -1
    if data[end] == 0x2E:
        at = end + 1
        end = after_digits(data, at)
        if end == at:
            return -1
        nodes[edge] = digits_value(data, at, end)
    return end + 1 if data[end] == 0x3A else -1


def read_edges(
    data: bytes,
    rows: cython.longlong[::1],
    cuts: cython.int[::1],
    heads: cython.int[::1],
    nodes: cython.int[::1],
    paths: LabelNumbers,
) -> tuple[int, int]:
    """Read the edges in DEPS of each row; returns how many are odd, and the first row with an odd one.

    `cuts`, one longer than the rows, gets where the edges of each row begin. `heads` gets the number before
    the colon, `nodes` the number after its dot (-1 for a word, which has none), `paths` a label per edge: all
    that follows the colon. There are at most as many edges as rows and bars together. An edge without a
    number and a colon is odd: it comes from NO_SOURCE.
    """
    text: cython.p_const_uchar = data
    size: cython.Py_ssize_t = len(data)
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    _k: cython.int
    n: cython.int = 0
    odd: cython.Py_ssize_t = 0
    first_odd: cython.Py_ssize_t = 0
    n_rows: cython.Py_ssize_t = len(rows)
    with cython.nogil:
        cuts[0] = 0
        for row in range(n_rows):
            at = rows[row]
            for _k in range(8):
                at = after_tab(text, at, size)
            if text[at] == 0x5F and text[at + 1] == 9:
                cuts[row + 1] = n
                continue
            while True:
                start = read_source_node(text, at, heads, nodes, n)
                end = at if start < 0 else start
                while text[end] != 9 and text[end] != 0x7C:
                    end += 1
                if start < 0:
                    heads[n] = NO_SOURCE
                    nodes[n] = -1
                    start = at
                    if odd == 0:
                        first_odd = row
                    odd += 1
                paths.put(text, start, end, n)
                n += 1
                if text[end] == 9:
                    break
                at = end + 1
            cuts[row + 1] = n
    return odd, first_odd


def translate(ids: cython.int[::1], table: cython.int[::1], translated: cython.int[::1]) -> None:
    """Look up each number of `ids` in `table`, and write the results into `translated`.

    `translated` may be `ids` itself.
    """
    k: cython.Py_ssize_t
    for k in range(len(ids)):
        translated[k] = table[ids[k]]


def count_ids(ids: cython.int[::1], counts: cython.longlong[::1]) -> None:
    """Add to `counts` how often each number occurs in a column."""
    k: cython.Py_ssize_t
    for k in range(len(ids)):
        counts[ids[k]] += 1


# Heads as they are written, converted to words of the document; errors in trees.


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def note(notes: cython.longlong[:, ::1], kind: cython.int, word: cython.Py_ssize_t) -> cython.void:
    """Count an error of a kind, and remember the first word that has it."""
    if notes[kind, 0] == 0:
        notes[kind, 1] = word
    notes[kind, 0] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def break_cycles(
    first: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    parents: cython.int[::1],
    walks: cython.int[::1],
    notes: cython.longlong[:, ::1],
) -> cython.void:
    """Set the parents of the words of a sentence that are on a cycle to CYCLIC, and note each of them.

    Each word is visited by one walk from word to parent; `walks`, below 0 at first, gets the word where that
    walk started.
    """
    start: cython.Py_ssize_t
    word: cython.Py_ssize_t
    above: cython.Py_ssize_t
    for start in range(first, end):
        word = start
        while word >= 0 and walks[word] < 0:
            walks[word] = start
            word = parents[word]
        # Back on the path of this walk, which is a cycle: go round once more and remove each head.
        while word >= 0 and walks[word] == start and parents[word] >= 0:
            above = parents[word]
            parents[word] = CYCLIC
            note(notes, ON_CYCLE, word)
            word = above


def settle_heads(
    heads: cython.int[::1],
    cuts: cython.int[::1],
    parents: cython.int[::1],
    walks: cython.int[::1],
    notes: cython.longlong[:, ::1],
) -> None:
    """Convert heads counted in their sentence to words of the document, in linear time.

    A head is 0 for a root and below 0 for none. `cuts` cuts the words into sentences. `parents` gets a word,
    ROOT, MISSING, OUTSIDE or CYCLIC; `walks`, as long, is scratch. `notes`, all 0, counts what is wrong.
    """
    sentence: cython.Py_ssize_t
    word: cython.Py_ssize_t
    first: cython.Py_ssize_t
    end: cython.Py_ssize_t
    roots: cython.int
    unknown: cython.int
    n_sentences: cython.Py_ssize_t = len(cuts) - 1
    with cython.nogil:
        for sentence in range(n_sentences):
            first = cuts[sentence]
            end = cuts[sentence + 1]
            roots = unknown = 0
            for word in range(first, end):
                walks[word] = -1
                if heads[word] == 0:
                    parents[word] = ROOT
                    roots += 1
                elif heads[word] < 0:
                    parents[word] = MISSING
                    note(notes, NO_PARENT, word)
                    unknown += 1
                elif heads[word] > end - first:
                    parents[word] = OUTSIDE
                    note(notes, BEYOND, word)
                    unknown += 1
                else:
                    parents[word] = first + heads[word] - 1
            break_cycles(first, end, parents, walks, notes)
            if roots > 1:
                note(notes, ROOTS, first)
            elif roots == 0 and unknown == 0:
                note(notes, ROOTLESS, first)


def settle_edges(
    word_cuts: cython.int[::1],
    cuts: cython.int[::1],
    heads: cython.int[::1],
    nodes: cython.int[::1],
    paths: cython.int[::1],
    first_outside: cython.int[::1],
) -> tuple[int, int]:
    """Convert heads of edges, counted in their sentence, to words of the document.

    Edges from empty nodes are dropped. `word_cuts` cuts the words into sentences, `cuts` the edges into
    words. Writes in place: `cuts`, `heads` (a word, ROOT or OUTSIDE) and `paths` then have the edges that are
    kept. Returns how many were dropped, and how many come from outside the sentence; `first_outside` gets the
    first word with such an edge.
    """
    sentence: cython.Py_ssize_t
    word: cython.Py_ssize_t
    edge: cython.Py_ssize_t
    first: cython.int
    last: cython.int
    start: cython.Py_ssize_t = 0
    kept: cython.int = 0
    empty: cython.Py_ssize_t = 0
    outside: cython.Py_ssize_t = 0
    for sentence in range(len(word_cuts) - 1):
        first = word_cuts[sentence]
        last = word_cuts[sentence + 1] - first
        for word in range(first, first + last):
            for edge in range(start, cuts[word + 1]):
                if nodes[edge] >= 0:
                    empty += 1
                    continue
                if heads[edge] == 0:
                    heads[kept] = ROOT
                elif heads[edge] <= last:
                    heads[kept] = first + heads[edge] - 1
                else:
                    heads[kept] = OUTSIDE
                    if outside == 0:
                        first_outside[0] = word
                    outside += 1
                paths[kept] = paths[edge]
                kept += 1
            start = cuts[word + 1]
            cuts[word + 1] = kept
    return empty, outside
