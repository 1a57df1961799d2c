"""Matching brackets are a multiset intersection; crossing ones are those found among all pairs."""

from collections import Counter

import numpy as np
from hypothesis import example, given, strategies as st

from forms import both_forms
from oracles.constituency import crosses

kernel = both_forms("match_cy")
MOST = 7
LABELS = 3


def opening_order(row):
    return row[0], -row[1]


@st.composite
def rows(draw):
    """Spans with labels, empty and repeated ones among them, in opening order; they may cross each other."""
    ends = st.tuples(st.integers(0, MOST), st.integers(0, MOST), st.integers(0, LABELS - 1))
    drawn = [(min(a, b), max(a, b), label) for a, b, label in draw(st.lists(ends, max_size=12))]
    return sorted(drawn, key=opening_order)


@st.composite
def nested(draw):
    """Rows that nest: those of any that do not cross one before."""
    kept = []
    for row in draw(rows()):
        if not any(crosses(row[:2], other[:2]) for other in kept):
            kept.append(row)
    return kept


def columns(table, width=3):
    return [np.array([row[k] for row in table], np.int32) for k in range(width)]


def match(kernel, gold, system):
    """The number of pairs, and the partner of every gold row."""
    partners = np.full(len(gold), 99, np.int32)
    heads, following = np.full(LABELS, -1, np.int32), np.full(len(system), 99, np.int32)
    pairs = kernel.match_brackets(*columns(gold), *columns(system), heads, following, partners)
    assert (heads == -1).all()
    return pairs, partners.tolist()


def cross(kernel, gold, spans, n_places=MOST):
    """The number of spans that cross a gold one, and which do."""
    rooms = [np.full(n_places + 1, 99, np.int32) for _ in range(2)]
    stack, crossing = np.full(len(gold), 99, np.int32), np.full(len(spans), 99, np.uint8)
    found = kernel.mark_crossing(*columns(gold, 2), *columns(spans, 2), *rooms, stack, crossing)
    return found, crossing.tolist()


@given(gold=rows(), system=rows())
@example(gold=[], system=[])
@example(gold=[(0, 1, 0)] * 3, system=[(0, 1, 0)] * 2)
@example(gold=[(0, 2, 0), (0, 2, 1), (0, 2, 0)], system=[(0, 2, 1), (0, 2, 0), (0, 2, 1)])
@example(gold=[(0, 1, 0), (0, 0, 0)], system=[(0, 0, 0), (1, 1, 0)])
def test_pairs_are_the_multiset_intersection(kernel, gold, system):
    pairs, partners = match(kernel, gold, system)
    expected = Counter(gold) & Counter(system)
    assert pairs == expected.total()
    found = [(row, system[partner]) for row, partner in zip(gold, partners, strict=True) if partner >= 0]
    assert Counter(row for row, _ in found) == expected
    assert all(mine == theirs for mine, theirs in found)
    used = [partner for partner in partners if partner >= 0]
    assert len(used) == len(set(used))


def test_the_first_is_paired_with_the_first(kernel):
    gold, system = [(0, 2, 1), (0, 2, 0), (0, 2, 1)], [(0, 2, 0), (0, 2, 1), (0, 2, 1), (0, 2, 1)]
    assert match(kernel, gold, system) == (3, [1, 0, 2])


def test_a_chain_of_equal_brackets_takes_linear_time(kernel):
    gold, system = [(0, 1, 0)] * 20_000, [(0, 1, 1)] * 10_000 + [(0, 1, 0)] * 15_000
    pairs, partners = match(kernel, gold, system)
    assert pairs == 15_000
    assert partners == [*range(10_000, 25_000)] + [-1] * 5_000


@given(gold=nested(), system=rows())
@example(gold=[(0, 3, 0), (0, 1, 0), (1, 3, 0)], system=[(0, 2, 0), (1, 2, 0), (2, 3, 0)])
@example(gold=[(0, 2, 0), (2, 4, 0)], system=[(1, 3, 0), (0, 4, 0), (2, 2, 0)])
@example(gold=[(1, 5, 0), (2, 2, 0), (3, 3, 0)], system=[(2, 3, 0), (3, 6, 0)])
def test_crossing_is_what_all_pairs_say(kernel, gold, system):
    expected = [int(any(crosses(row[:2], other[:2]) for other in gold)) for row in system]
    assert cross(kernel, gold, system) == (sum(expected), expected)


def test_crossing_in_deep_trees_takes_linear_time(kernel):
    n = 20_000
    gold = [(k, n, 0) for k in range(n)]
    system = [(0, end, 0) for end in range(n, 0, -1)]
    # All but the whole and the first character end inside a gold bracket that begins within them.
    assert cross(kernel, gold, system, n)[0] == n - 2
