"""Word pairs as the CoNLL 2018 evaluation makes them.

Zeman et al. 2018, section 5: words are aligned by their characters; where either side has a multiword token,
the words of the smallest stretch that holds whole multiword tokens on both sides are aligned by longest
common subsequence of forms. `alignment.word_pairs` and compat use it.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython


def is_compiled() -> bool:
    """Return whether this module runs as compiled code."""
    return cython.compiled


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def is_outside(
    starts: cython.int[::1],
    ends: cython.int[::1],
    multiword: cython.uchar[::1],
    k: cython.Py_ssize_t,
    span_end: cython.int,
) -> cython.bint:
    """Return whether word k lies behind a multiword span that ends at `span_end`.

    A plain word lies behind the span if it ends later; a word of a multiword token, if it also starts at
    `span_end` or later. True if there is no word k.
    """
    if k >= starts.shape[0]:
        return True
    if multiword[k]:
        # A token without characters at the end of the span is inside; otherwise the walk would never pass it.
        return starts[k] >= span_end and ends[k] > span_end
    return ends[k] > span_end


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def comes_first(
    start: cython.int, end: cython.int, other_start: cython.int, other_end: cython.int
) -> cython.bint:
    """Return whether a gold word is taken before a system word.

    The word that starts first is taken first. If both start in the same place, this is the gold word, unless
    it has characters and the system word has none.
    """
    if start != other_start:
        return start < other_start
    return start == end or other_end > other_start


@cython.cfunc
@cython.exceptval(check=False)
def find_stretch(
    gold_starts: cython.int[::1],
    gold_ends: cython.int[::1],
    gold_multiword: cython.uchar[::1],
    system_starts: cython.int[::1],
    system_ends: cython.int[::1],
    system_multiword: cython.uchar[::1],
    g: cython.Py_ssize_t,
    s: cython.Py_ssize_t,
    spans: cython.int[:, ::1],
    k: cython.Py_ssize_t,
) -> cython.void:
    """Write the stretch that a multiword token at gold word g or system word s opens to row k of `spans`."""
    n_gold: cython.Py_ssize_t = gold_starts.shape[0]
    n_system: cython.Py_ssize_t = system_starts.shape[0]
    span_end: cython.int
    if gold_multiword[g]:
        span_end = gold_ends[g]
        if not system_multiword[s] and system_starts[s] < gold_starts[g]:
            s += 1
    else:
        span_end = system_ends[s]
        if gold_starts[g] < system_starts[s]:
            g += 1
    spans[k, 0] = g
    spans[k, 2] = s
    while not is_outside(gold_starts, gold_ends, gold_multiword, g, span_end) or not is_outside(
        system_starts, system_ends, system_multiword, s, span_end
    ):
        if g < n_gold and (
            s >= n_system or comes_first(gold_starts[g], gold_ends[g], system_starts[s], system_ends[s])
        ):
            if gold_multiword[g] and gold_ends[g] > span_end:
                span_end = gold_ends[g]
            g += 1
        else:
            if system_multiword[s] and system_ends[s] > span_end:
                span_end = system_ends[s]
            s += 1
    spans[k, 1] = g
    spans[k, 3] = s


def walk_words(
    gold_starts: cython.int[::1],
    gold_ends: cython.int[::1],
    gold_multiword: cython.uchar[::1],
    system_starts: cython.int[::1],
    system_ends: cython.int[::1],
    system_multiword: cython.uchar[::1],
    partners: cython.int[::1],
    spans: cython.int[:, ::1],
) -> int:
    """Pair plain words with equal spans, and list the stretches where multiword tokens decide.

    Requires ascending spans; `partners`, as long as gold, gets the system word of each gold word or -1; a row
    of `spans` (room for as many as both sides have words) gets (gold first, gold end, system first, system
    end) of a stretch whose words are still to be paired. Returns the number of stretches. Linear.
    """
    n_gold: cython.Py_ssize_t = gold_starts.shape[0]
    n_system: cython.Py_ssize_t = system_starts.shape[0]
    g: cython.Py_ssize_t = 0
    s: cython.Py_ssize_t = 0
    n_spans: cython.Py_ssize_t = 0
    for g in range(n_gold):
        partners[g] = -1
    g = 0
    while g < n_gold and s < n_system:
        if gold_multiword[g] or system_multiword[s]:
            find_stretch(
                gold_starts,
                gold_ends,
                gold_multiword,
                system_starts,
                system_ends,
                system_multiword,
                g,
                s,
                spans,
                n_spans,
            )
            g = spans[n_spans, 1]
            s = spans[n_spans, 3]
            n_spans += 1
        elif gold_starts[g] == system_starts[s] and gold_ends[g] == system_ends[s]:
            partners[g] = s
            g += 1
            s += 1
        elif comes_first(gold_starts[g], gold_ends[g], system_starts[s], system_ends[s]):
            g += 1
        else:
            s += 1
    return n_spans


def spread_spans(
    cuts: cython.int[::1], tokens: cython.int[::1], starts: cython.int[::1], ends: cython.int[::1]
) -> None:
    """Write start and end of each word on the line: those of its token."""
    k: cython.Py_ssize_t
    for k in range(len(tokens)):
        starts[k] = cuts[tokens[k]]
        ends[k] = cuts[tokens[k] + 1]


def cut_words(tokens: cython.int[::1], sentences: cython.int[::1], cuts: cython.int[::1]) -> None:
    """Convert sentence cuts counted in tokens (`sentences`) to cuts counted in words.

    `tokens` has the token of each word, ascending.
    """
    k: cython.Py_ssize_t
    word: cython.int = 0
    for k in range(len(sentences)):
        while word < len(tokens) and tokens[word] < sentences[k]:
            word += 1
        cuts[k] = word


@cython.cfunc
@cython.exceptval(check=False)
def fill_table(
    gold_forms: cython.int[::1],
    system_forms: cython.int[::1],
    g0: cython.Py_ssize_t,
    n_gold: cython.Py_ssize_t,
    s0: cython.Py_ssize_t,
    n_system: cython.Py_ssize_t,
    lengths: cython.int[::1],
    table: cython.uchar[::1],
) -> cython.void:
    """Fill a table with a bit per pair of suffixes of gold and system forms.

    The bit says whether the longest common subsequence stays as long without the first gold form.
    """
    g: cython.Py_ssize_t
    s: cython.Py_ssize_t
    at: cython.Py_ssize_t
    below: cython.int  # the length at (g + 1, s)
    corner: cython.int  # the length at (g + 1, s + 1)
    best: cython.int
    for s in range(n_system + 1):
        lengths[s] = 0
    for g in range(n_gold - 1, -1, -1):
        corner = 0
        for s in range(n_system - 1, -1, -1):
            below = lengths[s]
            best = corner + (gold_forms[g0 + g] == system_forms[s0 + s])
            if below > best:
                best = below
            if lengths[s + 1] > best:
                best = lengths[s + 1]
            lengths[s] = best
            corner = below
            at = g * n_system + s
            if best == below:
                table[at >> 3] |= 1 << (at & 7)
            else:
                table[at >> 3] &= ~(1 << (at & 7)) & 0xFF


def size_tables(
    gold_forms: cython.int[::1],
    system_forms: cython.int[::1],
    spans: cython.int[:, ::1],
    n_spans: cython.Py_ssize_t,
) -> tuple[int, int]:
    """Return the longest system side of a stretch, and the most pairs of forms in one.

    Equal prefixes do not count, because they need no table.
    """
    k: cython.Py_ssize_t
    g: cython.Py_ssize_t
    s: cython.Py_ssize_t
    longest: cython.longlong = 0
    most: cython.longlong = 0
    for k in range(n_spans):
        g = spans[k, 0]
        s = spans[k, 2]
        while g < spans[k, 1] and s < spans[k, 3] and gold_forms[g] == system_forms[s]:
            g += 1
            s += 1
        longest = max(longest, spans[k, 3] - s)
        most = max(most, (spans[k, 1] - g) * (spans[k, 3] - s))
    return longest, most


def pair_forms(
    gold_forms: cython.int[::1],
    system_forms: cython.int[::1],
    spans: cython.int[:, ::1],
    n_spans: cython.Py_ssize_t,
    lengths: cython.int[::1],
    table: cython.uchar[::1],
    partners: cython.int[::1],
) -> None:
    """Pair the words of each stretch by longest common subsequence of forms, as in CoNLL 2018.

    Equal forms are taken at once from the left; otherwise a gold form is dropped if that loses nothing, else
    a system form. Equal prefixes are therefore pairs whatever follows, and take no table; equal suffixes are
    not ("a" against "a a" pairs the first). Requires forms as numbers; `lengths` one longer than the system
    side of the longest stretch, `table` a bit for each gold and system form of the largest. Writes the system
    word of each paired gold word into `partners`. Takes gold times system steps for each stretch.
    """
    k: cython.Py_ssize_t
    g: cython.Py_ssize_t
    s: cython.Py_ssize_t
    g0: cython.Py_ssize_t
    s0: cython.Py_ssize_t
    at: cython.Py_ssize_t
    n_gold: cython.Py_ssize_t
    n_system: cython.Py_ssize_t
    for k in range(n_spans):
        g0 = spans[k, 0]
        s0 = spans[k, 2]
        while g0 < spans[k, 1] and s0 < spans[k, 3] and gold_forms[g0] == system_forms[s0]:
            partners[g0] = s0
            g0 += 1
            s0 += 1
        n_gold = spans[k, 1] - g0
        n_system = spans[k, 3] - s0
        if n_gold == 0 or n_system == 0:
            continue
        fill_table(gold_forms, system_forms, g0, n_gold, s0, n_system, lengths, table)
        g = s = 0
        while g < n_gold and s < n_system:
            at = g * n_system + s
            if gold_forms[g0 + g] == system_forms[s0 + s]:
                partners[g0 + g] = s0 + s
                g += 1
                s += 1
            elif (table[at >> 3] >> (at & 7)) & 1:
                g += 1
            else:
                s += 1
