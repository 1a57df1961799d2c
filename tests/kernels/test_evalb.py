"""evalb's crossing brackets, sums and table lines: both forms against a plain reading of the rules."""

import pytest
from hypothesis import given, strategies as st

from evalign.kernels.buffers import flags, int_rows, long_rows
from forms import both_forms, column

kernel = both_forms("evalb_cy")


FREE, MATCHED, LEFT_OUT = 0, 1, 5
SPANS = st.lists(
    st.tuples(st.integers(0, 8), st.integers(1, 9), st.sampled_from([FREE, FREE, MATCHED, LEFT_OUT])).map(
        lambda span: (span[0], min(9, span[0] + span[1]), span[2])
    ),
    max_size=9,
)


class Spans:
    """One sentence of brackets, for `Crossing`; any spans, nested or not, each with what became of it."""

    def __init__(self, spans):
        self.cuts, self.results = column([0, len(spans)]), flags(len(spans) + 1)
        self.starts, self.ends = (column([*(span[k] for span in spans), 0]) for k in (0, 1))
        for k, (_, _, result) in enumerate(spans):
            self.results[k] = result


# How patient `Crossing` is: it walks at once, it decides itself, it compares each bracket with each.
WALKS, DECIDES, COMPARES = 0, 4, 1_000_000


@pytest.mark.parametrize("patience", [WALKS, DECIDES, COMPARES])
@given(gold=SPANS, test=SPANS, is_nested=st.booleans())
def test_crossing_brackets_are_those_that_overlap_in_part(kernel, patience, gold, test, is_nested):
    gold.sort(key=lambda span: (span[0], -span[1] if is_nested else span[1]))
    if is_nested:  # as a tree's are, unless some are never closed
        for span in list(gold):
            if any(a < span[0] < b < span[1] for a, b, _ in gold):
                gold.remove(span)
    compared = [(a, b) for a, b, result in gold if result != LEFT_OUT]
    test = [(a, b, FREE if result == MATCHED and (a, b) not in compared else result) for a, b, result in test]
    counts = int_rows(1, 11)
    counts[0, 6], counts[0, 8] = 9, not is_nested
    kernel.Crossing(9, patience).count(Spans(gold), Spans(test), 1, counts)
    assert counts[0, 5] == sum(
        any(a < c < b < d or c < a < d < b for a, b in compared)
        for c, d, result in test
        if result != LEFT_OUT
    )


def test_what_becomes_of_a_bracket_has_one_number(kernel):
    codes = kernel.codes()
    assert (codes["FREE"], codes["MATCHED"], codes["LEFT_OUT"]) == (FREE, MATCHED, LEFT_OUT)


@given(st.lists(st.tuples(*[st.integers(0, 300)] * 8), max_size=5), st.integers(1, 10**10))
def test_lines_of_the_table_are_printed_as_c_prints_them(kernel, rows, number):
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
    assert kernel.print_lines(counts, 0, len(rows), number) == expected.encode()


@pytest.mark.parametrize("whole", [3, 7, 8, 16, 64, 128, 400, 800, 1000, 99_999, 2**31 - 1])
def test_ratios_are_rounded_as_c_rounds_them(kernel, whole):
    parts = sorted({*range(min(whole, 500) + 1), whole - 1, whole // 2})
    counts = int_rows(len(parts), 11)
    for k, part in enumerate(parts):
        counts[k, 2], counts[k, 3] = part, whole
    lines = kernel.print_lines(counts, 0, len(parts), 1).decode().splitlines()
    assert [line.split()[3] for line in lines] == [f"{100 * part / whole:.2f}" for part in parts]


def test_sums_are_of_all_and_of_short_sentences(kernel):
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
        kernel.add_up(counts, 4, 3, sums)
    assert [sums[0, j] for j in range(13)] == [8, 2, 2, 4, 6, 8, 10, 8, 16, 12, 2, 2, 2]
    assert [sums[1, j] for j in range(13)] == [6, 2, 2, 2, 4, 4, 4, 0, 6, 6, 2, 2, 2]
