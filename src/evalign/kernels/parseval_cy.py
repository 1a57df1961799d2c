"""What evalb counts in a sentence: its words, equal brackets, equal tags.

Columns of two scanners in (`brackets_cy`), a row of integers per sentence out. Nothing here is quadratic in the length
of a sentence, except the repair of quotes, which few sentences need.
"""

from __future__ import annotations

from os import urandom

from evalign.kernels import buffers

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython

if cython.compiled:
    from cython.cimports.libc.string import memcmp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.kernels.brackets_cy import TreeScanner

# What is true of a label, as bits: words with this tag are left out; they do not count for the length; they may be
# quotes; brackets with this label are left out.
DELETED = cython.declare(cython.int, 1)
UNCOUNTED = cython.declare(cython.int, 2)
QUOTE = cython.declare(cython.int, 4)
DELETED_BRACKET = cython.declare(cython.int, 8)

# What becomes of a bracket: nothing yet, equal to another, left out. UNCOMPARED: the sentences are not compared.
FREE = cython.declare(cython.int, 0)
MATCHED = cython.declare(cython.int, 1)
LEFT_OUT = cython.declare(cython.int, 5)
UNCOMPARED = cython.declare(cython.int, 9)

# What there is to say of a sentence: other brackets closed than opened; other words.
UNBALANCED = cython.declare(cython.int, 1)
OTHER_LENGTH = cython.declare(cython.int, 2)
OTHER_WORD = cython.declare(cython.int, 4)

# Columns of a row of counts: the first eight are those of evalb's table (crossing brackets are left to
# `crossing_cy`), then what there is to say, and where.
WIDTH = cython.declare(cython.int, 11)
NOWHERE = cython.declare(cython.int, 0x7FFFFFFF)
# Any odd number, another in each process, so that no file can be made to collide.
ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
MULTIPLIER = cython.declare(cython.ulonglong, int.from_bytes(urandom(8), "little") | 1)


def is_compiled() -> bool:
    """Whether this module runs as compiled code."""
    return cython.compiled


def codes() -> dict[str, int]:
    """The numbers by name."""
    return {
        "DELETED": DELETED, "UNCOUNTED": UNCOUNTED, "QUOTE": QUOTE, "DELETED_BRACKET": DELETED_BRACKET,
        "FREE": FREE, "MATCHED": MATCHED, "LEFT_OUT": LEFT_OUT, "UNCOMPARED": UNCOMPARED,
        "UNBALANCED": UNBALANCED, "OTHER_LENGTH": OTHER_LENGTH, "OTHER_WORD": OTHER_WORD,
        "WIDTH": WIDTH,
    }  # fmt: skip


@cython.final
@cython.cclass
class Labels:
    """What the parameters say of each label of a table.

    `flags` has the bits of each label, `stripped` the number of the same label cut at its first hyphen or equals
    sign, `others[cuts[k]:cuts[k + 1]]` the labels that are taken as equal to label k.
    """

    flags: cython.uchar[::1]
    stripped: cython.int[::1]
    cuts: cython.int[::1]
    others: cython.int[::1]

    def __init__(self, flags: memoryview, stripped: memoryview, cuts: memoryview, others: memoryview) -> None:
        self.flags, self.stripped, self.cuts, self.others = flags, stripped, cuts, others

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def are_equal(self, a: cython.int, b: cython.int) -> cython.bint:
        """Whether two labels are the same, or taken as such."""
        k: cython.Py_ssize_t
        if a == b:
            return True
        for k in range(self.cuts[a], self.cuts[a + 1]):
            if self.others[k] == b:
                return True
        return False


@cython.final
@cython.cclass
class Side:
    """Gold or test: the columns of its scanner, the words of the sentence counted last, and all brackets.

    `words[:n_words]` are the leaves that are kept, one that is put back twice stands twice. Brackets that are no
    preterminals follow each other over all sentences counted at once, `cuts[k]` is where those of the kth begin:
    `nodes`, `starts` and `ends` in words, `names` (label numbers), `results`. `quotes[:n_quotes]` are leaves that may
    be put back, each with its place in words when the sentence was read.
    """

    data: bytes
    text: cython.p_const_uchar
    rows: cython.int[:, ::1]
    labels: cython.int[::1]
    firsts: cython.int[::1]
    lasts: cython.int[::1]
    kinds: cython.uchar[::1]
    leaf_nodes: cython.int[::1]
    word_starts: cython.int[::1]
    word_ends: cython.int[::1]
    copies: cython.int[::1]
    before: cython.int[::1]
    first_leaf: cython.int
    end_leaf: cython.int
    words = cython.declare(cython.int[::1], visibility="readonly")
    nodes = cython.declare(cython.int[::1], visibility="readonly")
    starts = cython.declare(cython.int[::1], visibility="readonly")
    ends = cython.declare(cython.int[::1], visibility="readonly")
    names = cython.declare(cython.int[::1], visibility="readonly")
    results = cython.declare(cython.uchar[::1], visibility="readonly")
    quotes = cython.declare(cython.int[::1], visibility="readonly")
    places = cython.declare(cython.int[::1], visibility="readonly")
    was_kept: cython.uchar[::1]
    n_words = cython.declare(cython.int, visibility="readonly")
    cuts = cython.declare(cython.int[::1], visibility="readonly")
    first_bracket: cython.int
    end_bracket: cython.int
    n_quotes = cython.declare(cython.int, visibility="readonly")
    n_back = cython.declare(cython.int, visibility="readonly")

    def __init__(self, data: bytes, scanner: TreeScanner, rows: cython.int[:, ::1], room: int) -> None:
        self.data, self.rows = data, rows
        self.text = data
        self.labels, self.firsts, self.lasts = scanner.labels, scanner.firsts, scanner.lasts
        self.kinds, self.leaf_nodes = scanner.kinds, scanner.leaf_nodes
        self.word_starts, self.word_ends = scanner.word_starts, scanner.word_ends
        self.copies, self.before = buffers.ints(room + 2), buffers.ints(room + 2)
        # A sentence cannot have more words put back than the other has leaves.
        self.words = buffers.ints(2 * room + 2)
        self.nodes, self.names = buffers.ints(room), buffers.ints(room)
        self.starts, self.ends = buffers.ints(room), buffers.ints(room)
        self.results, self.cuts = buffers.flags(room), buffers.ints(len(rows) + 1)
        self.quotes, self.places = buffers.ints(room), buffers.ints(room)
        self.was_kept = buffers.flags(room)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def tag(self, leaf: cython.int) -> cython.int:
        """The number of a leaf's label."""
        return self.labels[self.leaf_nodes[leaf]]

    @cython.cfunc
    @cython.exceptval(check=False)
    def take(self, k: cython.Py_ssize_t, labels: Labels) -> cython.void:
        """Line k: which of its words are kept."""
        leaf: cython.int
        self.first_leaf, self.end_leaf = self.rows[k, 3], self.rows[k + 1, 3]
        self.n_quotes = self.n_back = 0
        for leaf in range(self.first_leaf, self.end_leaf):
            self.copies[leaf - self.first_leaf] = (labels.flags[self.tag(leaf)] & DELETED) == 0
        self.list_words()

    @cython.cfunc
    @cython.exceptval(check=False)
    def find_quotes(self, labels: Labels) -> cython.void:
        """The leaves with a quote's tag that are a single or double quote or a slash."""
        leaf: cython.int
        byte: cython.uchar
        place: cython.int = 0
        self.n_quotes = 0
        for leaf in range(self.first_leaf, self.end_leaf):
            if labels.flags[self.tag(leaf)] & QUOTE and self.word_ends[leaf] - self.word_starts[leaf] == 1:
                byte = self.text[self.word_starts[leaf]]
                if byte == 0x27 or byte == 0x22 or byte == 0x2F:
                    self.quotes[self.n_quotes] = leaf
                    self.places[self.n_quotes] = place
                    self.was_kept[self.n_quotes] = self.copies[leaf - self.first_leaf]
                    self.n_quotes += 1
            place += self.copies[leaf - self.first_leaf]

    @cython.cfunc
    @cython.exceptval(check=False)
    def put_back(self, quote: cython.int) -> cython.void:
        """One more copy of a word that was left out; it and all quotes behind it move on by one."""
        k: cython.int
        self.copies[self.quotes[quote] - self.first_leaf] += 1
        self.n_back += 1
        for k in range(quote, self.n_quotes):
            self.places[k] += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def list_words(self) -> cython.void:
        """The words: each leaf as often as there are copies of it."""
        leaf: cython.int
        _copy: cython.int
        self.n_words = 0
        for leaf in range(self.first_leaf, self.end_leaf):
            for _copy in range(self.copies[leaf - self.first_leaf]):
                self.words[self.n_words] = leaf
                self.n_words += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def list_brackets(self, k: cython.Py_ssize_t) -> cython.void:
        """The brackets of line k, over the words that are kept.

        One that is never closed ends at -1, and moves on with each word that is put back behind its beginning.
        """
        node: cython.int
        n: cython.int = self.end_bracket
        leaf: cython.int
        first: cython.int = self.first_leaf
        self.before[0] = 0
        for leaf in range(self.end_leaf - first):
            self.before[leaf + 1] = self.before[leaf] + self.copies[leaf]
        for node in range(self.rows[k, 2], self.rows[k + 1, 2]):
            if self.kinds[node] == 0:
                self.nodes[n] = node
                self.starts[n] = self.before[self.firsts[node] - first]
                if self.lasts[node] >= 0:
                    self.ends[n] = self.before[self.lasts[node] - first]
                else:
                    self.ends[n] = -1
                    if self.n_back > 0:
                        self.ends[n] += self.count_back(self.firsts[node])
                self.names[n] = self.labels[node]
                self.results[n] = UNCOMPARED
                n += 1
        self.first_bracket = self.end_bracket
        self.end_bracket = n

    @cython.cfunc
    @cython.exceptval(check=False)
    def count_back(self, leaf: cython.int) -> cython.int:
        """How many words were put back from a leaf on."""
        k: cython.int
        n: cython.int = 0
        for k in range(self.n_quotes):
            if self.quotes[k] >= leaf:
                n += self.copies[self.quotes[k] - self.first_leaf] - self.was_kept[k]
        return n

    @cython.cfunc
    @cython.exceptval(check=False)
    def leave_out(self, labels: Labels) -> cython.int:
        """Leave out brackets over nothing and those with a deleted label; returns how many are kept."""
        k: cython.int
        kept: cython.int = 0
        for k in range(self.first_bracket, self.end_bracket):
            self.results[k] = LEFT_OUT
            if self.starts[k] != self.ends[k]:
                self.names[k] = labels.stripped[self.names[k]]
                if (labels.flags[self.names[k]] & DELETED_BRACKET) == 0:
                    self.results[k] = FREE
                    kept += 1
        return kept


@cython.final
@cython.cclass
class Counter:
    """Counts sentences of gold and test, one by one.

    Brackets are matched through a hash table: a slot holds the test brackets of one span and label as a list that
    begins with the first free one. It counts only if `stamps` has the number of the sentence, so that nothing has to
    be cleared.
    """

    gold: Side
    test: Side
    labels: Labels
    eq_words: frozenset  # type: ignore[type-arg]
    labeled: cython.bint
    stamp: cython.int
    mask: cython.uint
    stamps: cython.int[::1]
    keys: cython.int[::1]
    heads: cython.int[::1]
    tails: cython.int[::1]
    following: cython.int[::1]

    def __init__(
        self, gold: Side, test: Side, room: int, *, labeled: bool, eq_words: frozenset[tuple[bytes, bytes]]
    ) -> None:
        size = 8
        while size < 2 * room:
            size *= 2
        self.gold, self.test, self.labeled, self.eq_words = gold, test, labeled, eq_words
        self.stamp = 0
        self.stamps, self.keys = buffers.ints(size), buffers.ints(size)
        self.heads, self.tails = buffers.ints(size), buffers.ints(size)
        self.following = buffers.ints(room)

    def count(
        self, first: cython.Py_ssize_t, last: cython.Py_ssize_t, labels: Labels, counts: cython.int[:, ::1]
    ) -> list[int]:
        """Count the lines first to last, without the last; `counts` gets a row for each, from its first row on.

        Returns the rows with something to say. Requires that `labels` knows every label of the table, and that all
        lines were read without a code that stops.
        """
        k: cython.Py_ssize_t
        found: list[int] = []
        self.labels = labels
        self.gold.end_bracket = self.test.end_bracket = 0
        for k in range(first, last):
            self.count_sentence(k, counts, k - first)
            self.gold.cuts[k - first + 1] = self.gold.end_bracket
            self.test.cuts[k - first + 1] = self.test.end_bracket
            if counts[k - first, 8]:
                found.append(k - first)
        return found

    @cython.cfunc
    @cython.exceptval(-1)
    def count_sentence(
        self, k: cython.Py_ssize_t, counts: cython.int[:, ::1], at: cython.Py_ssize_t
    ) -> cython.int:
        """Fill one row of counts."""
        leaf: cython.int
        column: cython.int
        gold: Side = self.gold
        test: Side = self.test
        for column in range(WIDTH):
            counts[at, column] = 0
        gold.take(k, self.labels)
        test.take(k, self.labels)
        for leaf in range(gold.first_leaf, gold.end_leaf):
            counts[at, 0] += (self.labels.flags[gold.tag(leaf)] & UNCOUNTED) == 0
        if gold.rows[k, 5] != 0 or gold.rows[k, 6] != 0 or test.rows[k, 5] != 0 or test.rows[k, 6] != 0:
            counts[at, 8] = UNBALANCED
        if test.n_words > 0:
            if gold.n_words != test.n_words:
                self.repair_quotes()
            self.compare_words(counts, at)
        counts[at, 1] = 2 if test.n_words == 0 else counts[at, 8] != 0
        gold.list_brackets(k)
        test.list_brackets(k)
        if counts[at, 1] != 2 and (counts[at, 8] & (OTHER_LENGTH | OTHER_WORD)) == 0:
            counts[at, 3] = gold.leave_out(self.labels)
            counts[at, 4] = test.leave_out(self.labels)
            counts[at, 2] = self.match_brackets()
            counts[at, 6] = test.n_words
            counts[at, 7] = self.count_tags()
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def repair_quotes(self) -> cython.void:
        """Put back quotes that one side left out, where the other has one with another tag in its place."""
        i: cython.int
        j: cython.int
        gold: Side = self.gold
        test: Side = self.test
        gold.find_quotes(self.labels)
        test.find_quotes(self.labels)
        for j in range(test.n_quotes):
            for i in range(gold.n_quotes):
                if (
                    gold.places[i] == test.places[j]
                    and gold.was_kept[i] != test.was_kept[j]
                    and gold.tag(gold.quotes[i]) != test.tag(test.quotes[j])
                ):
                    if gold.was_kept[i]:
                        test.put_back(j)
                    else:
                        gold.put_back(i)
                    break
        gold.list_words()
        test.list_words()

    @cython.cfunc
    @cython.exceptval(-1)
    def compare_words(self, counts: cython.int[:, ::1], at: cython.Py_ssize_t) -> cython.int:
        """Note whether there are as many words, and the first one that differs."""
        k: cython.int
        gold: Side = self.gold
        test: Side = self.test
        if gold.n_words != test.n_words:
            counts[at, 8] |= OTHER_LENGTH
            counts[at, 9], counts[at, 10] = gold.n_words, test.n_words
        else:
            for k in range(gold.n_words):
                if not self.are_words_equal(gold.words[k], test.words[k]):
                    counts[at, 8] |= OTHER_WORD
                    counts[at, 9], counts[at, 10] = gold.words[k], test.words[k]
                    break
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def are_words_equal(self, a: cython.int, b: cython.int) -> cython.bint:
        """Whether two leaves have the same word, or words that are taken as such."""
        gold: Side = self.gold
        test: Side = self.test
        start: cython.Py_ssize_t = gold.word_starts[a]
        size: cython.Py_ssize_t = gold.word_ends[a] - start
        other: cython.Py_ssize_t = test.word_starts[b]
        if size == test.word_ends[b] - other:
            if cython.compiled:
                if memcmp(gold.text + start, test.text + other, cython.cast(cython.size_t, size)) == 0:
                    return True
            elif gold.text[start : start + size] == test.text[other : other + size]:
                return True
        if not self.eq_words:
            return False
        return (gold.data[start : start + size], test.data[other : test.word_ends[b]]) in self.eq_words

    @cython.cfunc
    @cython.exceptval(check=False)
    def count_tags(self) -> cython.int:
        """How many words have the same tag."""
        k: cython.int
        n: cython.int = 0
        for k in range(self.gold.n_words):
            n += self.labels.are_equal(self.gold.tag(self.gold.words[k]), self.test.tag(self.test.words[k]))
        return n

    @cython.cfunc
    @cython.exceptval(check=False)
    def match_brackets(self) -> cython.int:
        """Each gold bracket in order takes the first free test bracket that is equal; returns how many find one."""
        k: cython.int
        n: cython.int = 0
        at: cython.uint
        test: Side = self.test
        self.stamp += 1
        self.mask = 7
        while self.mask < 2 * cython.cast(cython.uint, test.end_bracket - test.first_bracket):
            self.mask = 2 * self.mask + 1
        for k in range(test.first_bracket, test.end_bracket):
            if test.results[k] == FREE:
                at = self.find_slot(test.starts[k], test.ends[k], test.names[k])
                self.following[k] = -1
                if self.stamps[at] != self.stamp:
                    self.stamps[at] = self.stamp
                    self.keys[at] = self.heads[at] = k
                else:
                    self.following[self.tails[at]] = k
                self.tails[at] = k
        for k in range(self.gold.first_bracket, self.gold.end_bracket):
            if self.gold.results[k] == FREE and self.take_equal(k):
                self.gold.results[k] = MATCHED
                n += 1
        return n

    @cython.cfunc
    @cython.exceptval(check=False)
    def take_equal(self, k: cython.int) -> cython.bint:
        """Match a gold bracket with the first free test bracket; false if there is none."""
        own: cython.int = self.gold.names[k]
        name: cython.int
        at: cython.uint
        best: cython.uint = 0
        found: cython.int = NOWHERE
        other: cython.Py_ssize_t
        for other in range(self.labels.cuts[own] - 1, self.labels.cuts[own + 1]):
            name = own if other < self.labels.cuts[own] else self.labels.others[other]
            at = self.find_slot(self.gold.starts[k], self.gold.ends[k], name)
            if self.stamps[at] == self.stamp and 0 <= self.heads[at] < found:
                found = self.heads[at]
                best = at
        if found == NOWHERE:
            return False
        self.test.results[found] = MATCHED
        self.heads[best] = self.following[found]
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def find_slot(self, start: cython.int, end: cython.int, name: cython.int) -> cython.uint:
        """The slot of a span and a label, or the free one where they belong; there are twice as many as brackets."""
        k: cython.int
        at: cython.uint
        code: cython.ulonglong
        name = name if self.labeled else 0
        code = cython.cast(cython.ulonglong, start) << 32 ^ cython.cast(cython.ulonglong, end + 1)
        code = (code * MULTIPLIER) & ALL
        code = ((code ^ (code >> 29) ^ cython.cast(cython.ulonglong, name)) * MULTIPLIER) & ALL
        at = cython.cast(cython.uint, code >> 33) & self.mask
        while self.stamps[at] == self.stamp:
            k = self.keys[at]
            if (
                self.test.starts[k] == start
                and self.test.ends[k] == end
                and (self.test.names[k] == name or not self.labeled)
            ):
                break
            at = (at + 1) & self.mask
        return at
