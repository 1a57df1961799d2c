"""Equal spans of two columns are their multiset intersection."""

from collections import Counter

import numpy as np
from hypothesis import example, given, strategies as st

from forms import both_forms

spans = both_forms("match_cy")

NO_PLACE = [(-1, -1), (-1, 0), (0, -1), (-1, 7), (7, -1)]


@st.composite
def columns(draw):
    """Spans that ascend, empty and repeated ones among them, with rows without a place anywhere."""
    ends = st.tuples(st.integers(0, 6), st.integers(0, 3))
    rows = [(start, start + length) for start, length in sorted(draw(st.lists(ends, max_size=12)))]
    for row in draw(st.lists(st.sampled_from(NO_PLACE), max_size=4)):
        rows.insert(draw(st.integers(0, len(rows))), row)
    return rows


def pair(spans, gold, system):
    """The number of pairs, and the partner of every gold row."""
    partners = np.full(len(gold), 99, np.int32)
    arrays = [np.array([row[end] for row in rows], np.int32) for rows in (gold, system) for end in (0, 1)]
    return spans.pair_spans(*arrays, partners), partners.tolist()


def is_placed(row):
    return min(row) >= 0


@given(gold=columns(), system=columns())
@example(gold=[], system=[])
@example(gold=[(0, 1)], system=[(-1, -1), (0, 1)])
@example(gold=[(2, 2), (2, 2), (2, 3)], system=[(2, 2), (2, 3), (2, 3)])
def test_pairs_are_the_multiset_intersection(spans, gold, system):
    count, partners = pair(spans, gold, system)
    expected = Counter(filter(is_placed, gold)) & Counter(filter(is_placed, system))
    assert count == expected.total()
    found = [(row, system[partner]) for row, partner in zip(gold, partners, strict=True) if partner >= 0]
    assert Counter(row for row, _ in found) == expected
    assert all(mine == theirs for mine, theirs in found)
    used = [partner for partner in partners if partner >= 0]
    assert used == sorted(set(used)), "partners ascend, and serve once"


def test_rows_without_a_place_pair_with_nothing_not_even_each_other(spans):
    assert pair(spans, NO_PLACE, NO_PLACE) == (0, [-1] * len(NO_PLACE))


def test_columns_need_not_be_contiguous(spans):
    table = np.array([[0, 2], [2, 5], [5, 6]], np.int32)
    partners = np.empty(3, np.int32)
    assert spans.pair_spans(table[:, 0], table[:, 1], table[:, 0], table[:, 1], partners) == 3
    assert partners.tolist() == [0, 1, 2]
