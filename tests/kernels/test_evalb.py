"""evalb's counts, crossing brackets and table lines: both forms against a plain reading of the rules."""

import pytest
from hypothesis import given, strategies as st

from evalign.kernels.buffers import flags, int_rows, ints, long_rows
from evalign.readers.evalb_parameters import Parameters
from forms import IMPLEMENTATIONS
from oracles.parseval import Counts, Tree, are_equal, count, read_tree
from treelines import pairs, parameters

NAMES = ("tree_scan_cy", "evalb_cy")
FORMS = [
    pytest.param([form.values[0] for form in forms], id=forms[0].id, marks=forms[0].marks)
    for forms in zip(*(IMPLEMENTATIONS(name) for name in NAMES), strict=True)
]
kernels = pytest.mark.parametrize("kernels", FORMS)


def known_labels(evalb, table, said):
    """The labels of a table as the kernel wants them."""
    names = table.labels()
    stripped = [table.add(name.partition(b"-")[0].partition(b"=")[0]) for name in names]
    stripped += range(len(stripped), len(table))
    names = table.labels()
    codes, marks, cuts, others = evalb.codes(), flags(len(names)), [0], []
    for k, name in enumerate(names):
        marks[k] = (
            codes["DELETED"] * (name in said.delete_labels)
            + codes["UNCOUNTED"] * (name in said.delete_for_length)
            + codes["QUOTE"] * (name in said.quote_labels)
            + codes["DELETED_BRACKET"]
            * any(are_equal(name, other, said.eq_labels) for other in said.delete_labels)
        )
        others += [j for j, other in enumerate(names) if j != k and are_equal(name, other, said.eq_labels)]
        cuts.append(len(others))
    columns = [column(values) for values in (stripped, cuts, others)]
    return evalb.LabelRules(marks, *columns)


def column(values):
    found = ints(len(values) + 1)
    for k, value in enumerate(values):
        found[k] = value
    return found


def count_lines(kernels, lines, said):
    """Rows of counts for pairs of lines, each with what there is to say."""
    trees, evalb = kernels
    table, sides, room = trees.LabelTable(), [], 1
    for data in (b"".join(line + b"\n" for line in side) for side in zip(*lines, strict=True)):
        scanner = trees.TreeScanner(data, table, data.count(b"("), lenient=False)
        rows = int_rows(len(lines) + 1, 7)
        assert scanner.scan_lines(0, len(data), rows, len(lines)) == len(lines)
        sides.append((data, scanner, rows))
        room = max(room, data.count(b"("))
    gold, test = (evalb.EvalbTrees(*side, room) for side in sides)
    either_way = frozenset(said.eq_words) | frozenset((b, a) for a, b in said.eq_words)
    counter = evalb.SentenceCounter(gold, test, room, labeled=said.labeled, eq_words=either_way)
    counts = int_rows(len(lines), evalb.codes()["WIDTH"])
    counter.count(0, len(lines), known_labels(evalb, table, said), counts)
    evalb.Crossing(2 * room).count(gold, test, len(lines), counts)
    return counts


def rows_of(counts, n):
    return [Counts(*(counts[k, j] for j in range(8))) for k in range(n)]


@kernels
@given(st.lists(pairs(), min_size=1, max_size=3), parameters())
def test_counts_are_those_of_the_description(kernels, lines, said):
    found = rows_of(count_lines(kernels, lines, said), len(lines))
    assert found == [count(read_tree(gold), read_tree(test), said)[0] for gold, test in lines]


def test_an_equal_label_is_not_equal_across_a_third():
    said = Parameters(eq_labels=((b"A", b"B"), (b"B", b"C")))
    for kernels in (form.values[0] for form in FORMS):
        lines = [
            (b"(A (X x))", b"(C (X x))"),
            (b"(A (X x))", b"(B (X x))"),
            (b"(A (B (X x)))", b"(B (C (X x)))"),
        ]
        assert [row.matched for row in rows_of(count_lines(kernels, lines, said), 3)] == [0, 1, 2]
        # Greedy: the first gold bracket takes the only test bracket that the second one could have.
        [row] = rows_of(count_lines(kernels, [(b"(B (A (X x)))", b"(B (C (X x)))")], said), 1)
        assert row.matched == 1


FREE, MATCHED, LEFT_OUT = 0, 1, 5
SPANS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from([FREE, FREE, MATCHED, LEFT_OUT])).filter(
        lambda span: span[0] < span[1]
    ),
    max_size=9,
)


class Spans:
    """One sentence of brackets, for `Crossing`; any spans, nested or not, each with what became of it."""

    def __init__(self, spans):
        self.cuts, self.results = column([0, len(spans)]), flags(len(spans) + 1)
        self.starts, self.ends = (column([span[k] for span in spans]) for k in (0, 1))
        for k, (_, _, result) in enumerate(spans):
            self.results[k] = result


# How patient `Crossing` is: it walks at once, it decides itself, it compares each bracket with each.
WALKS, DECIDES, COMPARES = 0, 4, 1_000_000


@kernels
@pytest.mark.parametrize("patience", [WALKS, DECIDES, COMPARES])
@given(gold=SPANS, test=SPANS, is_nested=st.booleans())
def test_crossing_brackets_are_those_that_overlap_in_part(kernels, patience, gold, test, is_nested):
    gold.sort(key=lambda span: (span[0], -span[1] if is_nested else span[1]))
    if is_nested:  # as a tree's are, unless some are never closed
        for span in list(gold):
            if any(a < span[0] < b < span[1] for a, b, _ in gold):
                gold.remove(span)
    compared = [(a, b) for a, b, result in gold if result != LEFT_OUT]
    test = [(a, b, FREE if result == MATCHED and (a, b) not in compared else result) for a, b, result in test]
    counts = int_rows(1, 11)
    counts[0, 6], counts[0, 8] = 9, not is_nested
    kernels[1].Crossing(9, patience).count(Spans(gold), Spans(test), 1, counts)
    assert counts[0, 5] == sum(
        any(a < c < b < d or c < a < d < b for a, b in compared)
        for c, d, result in test
        if result != LEFT_OUT
    )


@kernels
def test_what_becomes_of_a_bracket_has_one_number(kernels):
    codes = kernels[1].codes()
    assert (codes["FREE"], codes["MATCHED"], codes["LEFT_OUT"]) == (FREE, MATCHED, LEFT_OUT)


@kernels
@given(st.lists(st.tuples(*[st.integers(0, 300)] * 8), max_size=5), st.integers(1, 10**10))
def test_lines_of_the_table_are_printed_as_c_prints_them(kernels, rows, number):
    counts = int_rows(len(rows), 11)
    for k, row in enumerate(rows):
        for j, value in enumerate(row):
            counts[k, j] = value
    expected = ""
    for k, (length, status, matched, gold, test, crossing, words, tags) in enumerate(rows):
        recall, precision, accuracy = (
            100 * part / whole if whole else 0
            for part, whole in ((matched, gold), (matched, test), (tags, words))
        )
        expected += "%4d  %3d    %d  %6.2f %6.2f   %3d    %3d  %3d    %3d   %4d  %4d   %6.2f\n" % (  # noqa: UP031
            number + k, length, status, recall, precision, matched, gold, test, crossing, words, tags, accuracy,
        )  # fmt: skip
    assert kernels[1].print_lines(counts, 0, len(rows), number) == expected.encode()


@pytest.mark.parametrize("whole", [3, 7, 8, 16, 64, 128, 400, 800, 1000, 99_999, 2**31 - 1])
def test_ratios_are_rounded_as_c_rounds_them(whole):
    parts = sorted({*range(min(whole, 500) + 1), whole - 1, whole // 2})
    counts = int_rows(len(parts), 11)
    for k, part in enumerate(parts):
        counts[k, 2], counts[k, 3] = part, whole
    for kernels in (form.values[0] for form in FORMS):
        lines = kernels[1].print_lines(counts, 0, len(parts), 1).decode().splitlines()
        assert [line.split()[3] for line in lines] == [f"{100 * part / whole:.2f}" for part in parts]


@kernels
def test_sums_are_of_all_and_of_short_sentences(kernels):
    rows = [
        (3, 0, 2, 2, 2, 0, 3, 3),
        (9, 0, 1, 2, 3, 4, 5, 3),
        (2, 1, 1, 1, 1, 1, 1, 1),
        (1, 2, 0, 0, 0, 0, 0, 0),
    ]
    counts, sums = int_rows(4, 11), long_rows(2, 13)
    for k, row in enumerate(rows):
        for j, value in enumerate(row):
            counts[k, j] = value
    for _ in range(2):
        kernels[1].add_up(counts, 4, 3, sums)
    assert [sums[0, j] for j in range(13)] == [8, 2, 2, 4, 6, 8, 10, 8, 16, 12, 2, 2, 2]
    assert [sums[1, j] for j in range(13)] == [6, 2, 2, 2, 4, 4, 4, 0, 6, 6, 2, 2, 2]


@pytest.mark.slow
def test_a_huge_sentence_takes_no_quadratic_time():
    """Comparing each bracket with each would take hundreds of millions of steps."""
    n = 10_000
    right = b"".join(b"(R%d (A a) " % (k % 5) for k in range(n)) + b"(A a)" + b")" * n
    left = b"(L " * n + b"(A a)" + b" (A a))" * n
    chain = b"(C " * n + b"(A a)" + b")" * n
    for kernels in (form.values[0] for form in FORMS):
        lines = [(right, right), (right, left), (left, right), (chain, chain)]
        found = rows_of(count_lines(kernels, lines, Parameters()), 4)
        assert [row.matched for row in found] == [n, 0, 0, n]
        assert [row.crossing for row in found] == [0, n - 1, n - 1, 0]


def test_the_description_itself():
    """A case by hand: the comma is left out and closes up; NP crosses VP; two of three tags are right."""
    gold = read_tree(b"(S (NP (A a)) (, ,) (VP (B b) (C c)))")
    test = read_tree(b"(S (NP-SBJ (A a) (B b)) (, ,) (D c))")
    said = Parameters(delete_labels=(b",",), delete_for_length=(b",",))
    assert isinstance(gold, Tree)
    assert count(gold, test, said) == (Counts(3, 0, 1, 3, 2, 1, 3, 2), b"")
