"""Counts that only evalb needs (words, equal brackets and tags, crossing brackets), and its table.

`compat.evalb` passes in the columns of two scanners (`tree_scan_cy`) and gets a row of integers per sentence.
Nothing here is quadratic in the length of a sentence, except the repair of quotes, which few sentences need.
"""

from __future__ import annotations

from os import urandom

from evalign.kernels import buffers
from evalign.kernels.match_cy import mark_crossing

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython

if cython.compiled:
    from cython.cimports.libc.math import frexp
    from cython.cimports.libc.string import memcmp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from evalign.kernels.tree_scan_cy import TreeScanner

    # To the compiler any object with the same columns.
    BracketColumns: TypeAlias = "EvalbTrees"


# Properties of a label, as bits: words with this tag are left out; they do not count for the length; they may
# be quotes; brackets with this label are left out.
DELETED = cython.declare(cython.int, 1)
UNCOUNTED = cython.declare(cython.int, 2)
QUOTE = cython.declare(cython.int, 4)
DELETED_BRACKET = cython.declare(cython.int, 8)

# Results of a bracket: not matched (yet), equal to another, left out. UNCOMPARED: the sentences are not
# compared.
FREE = cython.declare(cython.int, 0)
MATCHED = cython.declare(cython.int, 1)
LEFT_OUT = cython.declare(cython.int, 5)
UNCOMPARED = cython.declare(cython.int, 9)

# What may be wrong with a sentence, as bits: brackets opened and closed differ in number; so do the words of
# the two sides; a word differs.
UNBALANCED = cython.declare(cython.int, 1)
OTHER_LENGTH = cython.declare(cython.int, 2)
OTHER_WORD = cython.declare(cython.int, 4)

# Columns of a row of counts: the first eight are those of evalb's table (crossing brackets are left to
# `Crossing`), then what is wrong, and two numbers that show where.
WIDTH = cython.declare(cython.int, 11)
NO_MATCH = cython.declare(cython.int, 0x7FFFFFFF)
# Any odd number, a different one in each process, so that no file can be crafted to make hashes collide.
ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
MULTIPLIER = cython.declare(cython.ulonglong, int.from_bytes(urandom(8), "little") | 1)

# Most bytes of a line: twelve numbers, and the spaces between them.
LINE_ROOM = cython.declare(cython.int, 200)
LINE = "%4d  %3d    %d  %6.2f %6.2f   %3d    %3d  %3d    %3d   %4d  %4d   %6.2f\n"


def is_compiled() -> bool:
    """Return whether this module runs as compiled code."""
    return cython.compiled


def codes() -> dict[str, int]:
    """Return the constants that callers need, by name."""
    return {
        "DELETED": DELETED, "UNCOUNTED": UNCOUNTED, "QUOTE": QUOTE, "DELETED_BRACKET": DELETED_BRACKET,
        "FREE": FREE, "MATCHED": MATCHED, "LEFT_OUT": LEFT_OUT, "UNCOMPARED": UNCOMPARED,
        "UNBALANCED": UNBALANCED, "OTHER_LENGTH": OTHER_LENGTH, "OTHER_WORD": OTHER_WORD,
        "WIDTH": WIDTH,
    }  # fmt: skip


@cython.final
@cython.cclass
class LabelRules:
    """The rules of the parameter file for each label of a table.

    `flags` has the bits of each label (DELETED and so on), `stripped` the number of the same label cut at its
    first hyphen or equals sign, `others[cuts[k]:cuts[k + 1]]` the labels that count as equal to label k.
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
        """Return whether two labels are the same, or count as equal."""
        k: cython.Py_ssize_t
        if a == b:
            return True
        for k in range(self.cuts[a], self.cuts[a + 1]):
            if self.others[k] == b:
                return True
        return False


@cython.final
@cython.cclass
class EvalbTrees:
    """One side, gold or test: its scanner's columns, the words of the sentence counted last, all brackets.

    `words[:n_words]` are the leaves that are kept; a leaf that is put back twice is listed twice. Brackets
    that are not preterminals follow each other over all sentences counted in one call, and `cuts[k]` is where
    those of the kth sentence begin. Their columns are `nodes`, `starts` and `ends` in words, `names` (label
    numbers) and `results` (FREE, MATCHED and so on). `quotes[:n_quotes]` are leaves that may be put back;
    `places` has the position of each among the words, quotes put back so far included.
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
        # A side cannot have more words put back than the other side has leaves.
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
        """Return the number of the label, the part-of-speech tag, of leaf `leaf` of the line."""
        return self.labels[self.leaf_nodes[leaf]]

    @cython.cfunc
    @cython.exceptval(check=False)
    def take(self, k: cython.Py_ssize_t, labels: LabelRules) -> cython.void:
        """Select line k as the sentence to count, and decide which of its words are kept."""
        leaf: cython.int
        self.first_leaf, self.end_leaf = self.rows[k, 3], self.rows[k + 1, 3]
        self.n_quotes = self.n_back = 0
        for leaf in range(self.first_leaf, self.end_leaf):
            self.copies[leaf - self.first_leaf] = (labels.flags[self.tag(leaf)] & DELETED) == 0
        self.list_words()

    @cython.cfunc
    @cython.exceptval(check=False)
    def find_quotes(self, labels: LabelRules) -> cython.void:
        """Find the leaves that have a quote's tag and are a single quote, a double quote or a slash."""
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
        """Add one more copy of a quote to the words; moves the quote and all behind it on by one word."""
        k: cython.int
        self.copies[self.quotes[quote] - self.first_leaf] += 1
        self.n_back += 1
        for k in range(quote, self.n_quotes):
            self.places[k] += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def list_words(self) -> cython.void:
        """List the words: each leaf as often as there are copies of it."""
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
        """List the brackets of line k, with their starts and ends among the words that are kept.

        A bracket that is never closed ends at -1, and its end moves on with each word that is put back behind
        its beginning.
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
        """Return how many words were put back from `leaf` on."""
        k: cython.int
        n: cython.int = 0
        for k in range(self.n_quotes):
            if self.quotes[k] >= leaf:
                n += self.copies[self.quotes[k] - self.first_leaf] - self.was_kept[k]
        return n

    @cython.cfunc
    @cython.exceptval(check=False)
    def leave_out(self, labels: LabelRules) -> cython.int:
        """Leave out brackets over no words and those with a deleted label; returns how many are kept."""
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
class SentenceCounter:
    """A counter for sentences of gold and test.

    Brackets are matched through a hash table. A slot holds the test brackets of one span and label as a list
    that begins with the first free one. A slot counts only if its entry in `stamps` is the number of the
    sentence, so that nothing has to be cleared.
    """

    gold: EvalbTrees
    test: EvalbTrees
    labels: LabelRules
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
        self,
        gold: EvalbTrees,
        test: EvalbTrees,
        room: int,
        *,
        labeled: bool,
        eq_words: frozenset[tuple[bytes, bytes]],
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
        self,
        first: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
        labels: LabelRules,
        counts: cython.int[:, ::1],
    ) -> list[int]:
        """Count the lines from `first` up to `last`, exclusive, into the first rows of `counts`.

        A row has the columns of evalb's table (length, status, equal, gold, test and crossing brackets,
        words, right tags), then what is wrong (UNBALANCED and so on), and two numbers that show where.
        Returns the rows in which something is wrong. Requires that `labels` knows every label of the table,
        and that no line made the scanner stop.
        """
        k: cython.Py_ssize_t
        rows: list[int] = []
        self.labels = labels
        self.gold.end_bracket = self.test.end_bracket = 0
        for k in range(first, last):
            self.count_sentence(k, counts, k - first)
            self.gold.cuts[k - first + 1] = self.gold.end_bracket
            self.test.cuts[k - first + 1] = self.test.end_bracket
            if counts[k - first, 8]:
                rows.append(k - first)
        return rows

    @cython.cfunc
    @cython.exceptval(-1)
    def count_sentence(
        self, k: cython.Py_ssize_t, counts: cython.int[:, ::1], at: cython.Py_ssize_t
    ) -> cython.int:
        """Count line k into row `at` of `counts`."""
        leaf: cython.int
        column: cython.int
        gold: EvalbTrees = self.gold
        test: EvalbTrees = self.test
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
        """Put back quotes that one side left out.

        This is done where the other side has kept a quote with another tag in its place.
        """
        i: cython.int
        j: cython.int
        gold: EvalbTrees = self.gold
        test: EvalbTrees = self.test
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
        """Record in row `at` whether the numbers of words differ, or else the first word that differs."""
        k: cython.int
        gold: EvalbTrees = self.gold
        test: EvalbTrees = self.test
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
        """Return whether two leaves have the same word, or words that count as equal."""
        gold: EvalbTrees = self.gold
        test: EvalbTrees = self.test
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
        """Return how many words have the same tag."""
        k: cython.int
        n: cython.int = 0
        for k in range(self.gold.n_words):
            n += self.labels.are_equal(self.gold.tag(self.gold.words[k]), self.test.tag(self.test.words[k]))
        return n

    @cython.cfunc
    @cython.exceptval(check=False)
    def match_brackets(self) -> cython.int:
        """Match each gold bracket, in order, with the first free test bracket that is equal.

        Returns the number of matches.
        """
        k: cython.int
        n: cython.int = 0
        at: cython.uint
        test: EvalbTrees = self.test
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
        """Match gold bracket k with the first free test bracket that is equal; false if there is none."""
        own: cython.int = self.gold.names[k]
        name: cython.int
        at: cython.uint
        best: cython.uint = 0
        partner: cython.int = NO_MATCH
        other: cython.Py_ssize_t
        for other in range(self.labels.cuts[own] - 1, self.labels.cuts[own + 1]):
            name = own if other < self.labels.cuts[own] else self.labels.others[other]
            at = self.find_slot(self.gold.starts[k], self.gold.ends[k], name)
            if self.stamps[at] == self.stamp and 0 <= self.heads[at] < partner:
                partner = self.heads[at]
                best = at
        if partner == NO_MATCH:
            return False
        self.test.results[partner] = MATCHED
        self.heads[best] = self.following[partner]
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def find_slot(self, start: cython.int, end: cython.int, name: cython.int) -> cython.uint:
        """Return the slot of a span and label, or the free slot where they belong.

        There are at least twice as many slots as brackets.
        """
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


# Crossing brackets: brackets of one side that overlap in part with a bracket of the other.


@cython.cfunc
@cython.exceptval(check=False)
def crosses_any(
    start: cython.int,
    end: cython.int,
    starts: cython.int[::1],
    ends: cython.int[::1],
    results: cython.uchar[::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.bint:
    """Return whether a bracket crosses any of those from `first` up to `last`, exclusive.

    Brackets that are left out do not count.
    """
    k: cython.Py_ssize_t
    for k in range(first, last):
        if results[k] != LEFT_OUT:
            if starts[k] < start:
                if start < ends[k] and ends[k] < end:
                    return True
            elif start < starts[k] and starts[k] < end < ends[k]:
                return True
    return False


@cython.final
@cython.cclass
class Crossing:
    """A counter for crossing brackets: one by one where they are few, else by a walk along the sentence."""

    patience: cython.Py_ssize_t
    gold_starts: cython.int[::1]
    gold_ends: cython.int[::1]
    starts: cython.int[::1]
    ends: cython.int[::1]
    inner_starts: cython.int[::1]
    inner_ends: cython.int[::1]
    stack: cython.int[::1]
    crossing: cython.uchar[::1]

    def __init__(self, room: int, patience: int = 4) -> None:
        self.patience = patience  # how many comparisons cost as much as one step of the walk
        self.gold_starts, self.gold_ends = buffers.ints(room), buffers.ints(room)
        self.starts, self.ends = buffers.ints(room), buffers.ints(room)
        self.inner_starts, self.inner_ends = buffers.ints(room + 1), buffers.ints(room + 1)
        self.stack, self.crossing = buffers.ints(room), buffers.flags(room)

    def count(
        self, gold: BracketColumns, test: BracketColumns, n: cython.Py_ssize_t, counts: cython.int[:, ::1]
    ) -> None:
        """Count the test brackets that cross a gold bracket, each once, for the first n rows of `counts`.

        Fills column 5. Reads column 6, the number of words that both sides share (0 where the sentences are
        not compared), and column 8, which is 0 where every bracket is closed: then the gold brackets nest,
        and a bracket that is equal to one of them crosses none. Where quotes were put back, a bracket that is
        never closed may cross others of its own side; such a sentence takes the square of its brackets, all
        others linear time. Requires room for the words and for the brackets, and starts that never fall from
        one bracket to the next.
        """
        k: cython.Py_ssize_t
        j: cython.Py_ssize_t
        n_left: cython.Py_ssize_t
        nests: cython.bint
        cuts: cython.int[::1] = test.cuts
        starts: cython.int[::1] = test.starts
        ends: cython.int[::1] = test.ends
        results: cython.uchar[::1] = test.results
        gold_cuts: cython.int[::1] = gold.cuts
        gold_starts: cython.int[::1] = gold.starts
        gold_ends: cython.int[::1] = gold.ends
        gold_results: cython.uchar[::1] = gold.results
        for k in range(n):
            n_left = 0
            nests = counts[k, 8] == 0 or self.do_nest(gold, k)
            for j in range(cuts[k], cuts[k + 1]):
                n_left += results[j] == FREE or (results[j] == MATCHED and not nests)
            j = gold_cuts[k + 1] - gold_cuts[k]
            if nests and n_left * j > self.patience * (counts[k, 6] + j):
                counts[k, 5] += self.walk(gold, test, k, counts[k, 6])
                continue
            for j in range(cuts[k], cuts[k + 1] if n_left else 0):
                if results[j] == FREE or (results[j] == MATCHED and not nests):
                    counts[k, 5] += crosses_any(
                        starts[j],
                        ends[j],
                        gold_starts,
                        gold_ends,
                        gold_results,
                        gold_cuts[k],
                        gold_cuts[k + 1],
                    )

    @cython.cfunc
    @cython.exceptval(-1)
    def do_nest(self, gold: BracketColumns, k: cython.Py_ssize_t) -> cython.bint:
        """Return whether no two gold brackets of sentence k cross, and each comes before those inside it."""
        i: cython.Py_ssize_t
        depth: cython.Py_ssize_t = 0
        n: cython.Py_ssize_t = choose(
            gold.starts, gold.ends, gold.results, gold.cuts, k, True, self.gold_starts, self.gold_ends
        )
        for i in range(n):
            while depth and self.gold_ends[self.stack[depth - 1]] <= self.gold_starts[i]:
                depth -= 1
            if depth and self.gold_ends[self.stack[depth - 1]] < self.gold_ends[i]:
                return False
            self.stack[depth] = cython.cast(cython.int, i)
            depth += 1
        return True

    @cython.cfunc
    @cython.exceptval(-1)
    def walk(
        self, gold: BracketColumns, test: BracketColumns, k: cython.Py_ssize_t, n_words: cython.int
    ) -> cython.int:
        """Return the number of crossing brackets of one long sentence, in which the gold brackets nest."""
        n_gold: cython.Py_ssize_t = choose(
            gold.starts, gold.ends, gold.results, gold.cuts, k, True, self.gold_starts, self.gold_ends
        )
        n_test: cython.Py_ssize_t = choose(
            test.starts, test.ends, test.results, test.cuts, k, False, self.starts, self.ends
        )
        n_crossing: cython.int = mark_crossing(
            self.gold_starts[:n_gold],
            self.gold_ends[:n_gold],
            self.starts[:n_test],
            self.ends[:n_test],
            self.inner_starts[: n_words + 1],
            self.inner_ends[: n_words + 1],
            self.stack[:n_gold],
            self.crossing[:n_test],
        )
        return n_crossing


@cython.cfunc
@cython.exceptval(check=False)
def choose(
    starts: cython.int[::1],
    ends: cython.int[::1],
    results: cython.uchar[::1],
    cuts: cython.int[::1],
    k: cython.Py_ssize_t,
    is_gold: cython.bint,
    chosen_starts: cython.int[::1],
    chosen_ends: cython.int[::1],
) -> cython.Py_ssize_t:
    """Copy the brackets of sentence k that count; returns how many.

    These are gold brackets that are not left out, or test brackets without a partner. A bracket that ends
    where it starts, or before, crosses nothing and is not copied.
    """
    n: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t
    for j in range(cuts[k], cuts[k + 1]):
        if starts[j] < ends[j] and (results[j] != LEFT_OUT if is_gold else results[j] == FREE):
            chosen_starts[n] = starts[j]
            chosen_ends[n] = ends[j]
            n += 1
    return n


# Lines and sums of evalb's table.


def add_up(
    counts: cython.int[:, ::1], n: cython.Py_ssize_t, longest: cython.int, sums: cython.longlong[:, ::1]
) -> None:
    """Add n rows of `counts` to the first row of `sums`, and those not longer than `longest` to the second.

    The columns of `sums`: sentences, errors, skipped ones, valid ones; for the valid ones, equal, gold, test
    and crossing brackets, words, right tags; how many match completely, have no crossing bracket, have at
    most two.
    """
    k: cython.Py_ssize_t
    row: cython.int
    column: cython.int
    for k in range(n):
        for row in range(2 if counts[k, 0] <= longest else 1):
            sums[row, 0] += 1
            if counts[k, 1] == 1:
                sums[row, 1] += 1
            elif counts[k, 1] == 2:
                sums[row, 2] += 1
            else:
                sums[row, 3] += 1
                for column in range(2, 8):
                    sums[row, column + 2] += counts[k, column]
                sums[row, 10] += counts[k, 2] == counts[k, 3] and counts[k, 2] == counts[k, 4]
                sums[row, 11] += counts[k, 5] == 0
                sums[row, 12] += counts[k, 5] <= 2


def print_lines(
    counts: cython.int[:, ::1], first: cython.Py_ssize_t, last: cython.Py_ssize_t, number: cython.longlong
) -> bytes:
    """Return the lines of evalb's table for the rows from `first` up to `last`, exclusive.

    `number` is the number of the first line.
    """
    if cython.compiled:
        room = buffers.flags((last - first) * LINE_ROOM)
        text: cython.uchar[::1] = room
        at: cython.Py_ssize_t = 0
        k: cython.Py_ssize_t
        for k in range(first, last):
            at = print_line(text, at, counts, k, number + k - first)
        return bytes(room[:at])
    else:
        lines = [LINE % (number + k - first, *counts_of(counts, k)) for k in range(first, last)]
        return "".join(lines).encode("ascii")


def counts_of(counts: cython.int[:, ::1], k: cython.Py_ssize_t) -> tuple[float, ...]:
    """Return the values that a line of the table shows after its number."""
    length, status, matched, gold, test, crossing, words, tags = (counts[k, column] for column in range(8))
    ratios = (percent(matched, gold), percent(matched, test), percent(tags, words))
    return (length, status, *ratios[:2], matched, gold, test, crossing, words, tags, ratios[2])


@cython.ccall
@cython.exceptval(check=False)
def percent(part: cython.longlong, whole: cython.longlong) -> cython.double:
    """Return a share in percent; 0 if `whole` is 0."""
    return 100.0 * part / whole if whole > 0 else 0.0


@cython.cfunc
@cython.exceptval(check=False)
def print_line(
    text: cython.uchar[::1],
    at: cython.Py_ssize_t,
    counts: cython.int[:, ::1],
    k: cython.Py_ssize_t,
    number: cython.longlong,
) -> cython.Py_ssize_t:
    """Write one line of the table from `at` on; returns the place after it."""
    at = put_number(text, at, number, 0, 4)
    at = put_number(text, at, counts[k, 0], 2, 3)
    at = put_number(text, at, counts[k, 1], 4, 1)
    at = put_hundredths(text, at, percent(counts[k, 2], counts[k, 3]), 2)
    at = put_hundredths(text, at, percent(counts[k, 2], counts[k, 4]), 1)
    at = put_number(text, at, counts[k, 2], 3, 3)
    at = put_number(text, at, counts[k, 3], 4, 3)
    at = put_number(text, at, counts[k, 4], 2, 3)
    at = put_number(text, at, counts[k, 5], 4, 3)
    at = put_number(text, at, counts[k, 6], 3, 4)
    at = put_number(text, at, counts[k, 7], 2, 4)
    at = put_hundredths(text, at, percent(counts[k, 7], counts[k, 6]), 3)
    text[at] = 10
    return at + 1


@cython.cfunc
@cython.exceptval(check=False)
def put_number(
    text: cython.uchar[::1],
    at: cython.Py_ssize_t,
    value: cython.longlong,
    gap: cython.int,
    width: cython.int,
) -> cython.Py_ssize_t:
    """Write `gap` spaces and a number, not negative, padded with spaces to `width`.

    Returns the place after it.
    """
    left: cython.longlong = value
    end: cython.Py_ssize_t = at + gap
    k: cython.Py_ssize_t
    while left > 0 or end == at + gap:
        left //= 10
        end += 1
    if end < at + gap + width:
        end = at + gap + width
    for k in range(end - 1, at - 1, -1):
        text[k] = cython.cast(cython.uchar, 48 + value % 10) if value > 0 or k == end - 1 else 32
        value //= 10
    return end


@cython.cfunc
@cython.exceptval(check=False)
def put_hundredths(
    text: cython.uchar[::1], at: cython.Py_ssize_t, value: cython.double, gap: cython.int
) -> cython.Py_ssize_t:
    """Write `gap` spaces and a number from 0 to 100 as `%6.2f` does, rounded exactly as C rounds it.

    Returns the place after it. The value is m / 2**k for a whole m of at most 53 bits, so a hundred times m
    fits into 64, and the bits cut off decide; half of a hundredth goes to the even neighbour.
    """
    k: cython.int = 0
    m: cython.ulonglong
    whole: cython.longlong = 0
    rest: cython.ulonglong
    if value >= 0.004:  # below, m would have to be shifted by more than 61, and the result is 0.00
        m = cython.cast(cython.ulonglong, frexp(value, cython.address(k)) * 9007199254740992.0) * 100
        k = 53 - k
        rest = m & ((cython.cast(cython.ulonglong, 1) << k) - 1)
        whole = cython.cast(cython.longlong, m >> k)
        m = cython.cast(cython.ulonglong, 1) << (k - 1)
        if rest > m or (rest == m and whole & 1):
            whole += 1
    at = put_number(text, at, whole // 100, gap, 3)
    text[at] = 46
    text[at + 1] = cython.cast(cython.uchar, 48 + whole // 10 % 10)
    text[at + 2] = cython.cast(cython.uchar, 48 + whole % 10)
    return at + 3
