"""Anchors: where two lines meet again."""

import random
from itertools import combinations, pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evalign.alignment.anchors import ANCHOR, common_points, find_anchors, longest_chain, unique_hashes


def codes(text):
    return np.array(list(map(ord, text)), np.int32)


def invent(seed, size, letters="etaoinshrdlucm"):
    return "".join(random.Random(seed).choices(letters, k=size))


def meet(first, second, i, j):
    """The next point from which the lines go on together, or None."""
    return next(iter(find_anchors(first, second, i, j).points), None)


@st.composite
def points(draw):
    """Points with distinct p, ascending, and distinct q."""
    q = draw(st.permutations(range(draw(st.integers(0, 8)))))
    return np.arange(len(q), dtype=np.int32) * 3, np.array(q, np.int32)


@given(points())
def test_the_chain_is_the_longest_that_ascends(pq):
    p, q = pq
    chain = longest_chain(p, q)
    every = list(zip(p.tolist(), q.tolist(), strict=True))
    assert set(chain) <= set(every)
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(chain))
    longer = combinations(every, len(chain) + 1)
    assert not any(all(a[1] < b[1] for a, b in pairwise(c)) for c in longer)


@given(st.integers(0, 99), st.integers(0, 90))
def test_hashes_are_of_stretches_that_occur_once(seed, size):
    text = invent(seed, size, "ab") + "x" * 40
    _, starts = unique_hashes(codes(text))
    stretches = [text[k : k + ANCHOR] for k in range(len(text) - ANCHOR + 1)]
    assert sorted(starts.tolist()) == [k for k, s in enumerate(stretches) if stretches.count(s) == 1]


def test_a_line_too_short_has_no_anchor():
    for size in (0, 1, ANCHOR - 1):
        assert len(unique_hashes(codes(invent(1, size)))[0]) == 0
    assert len(unique_hashes(codes(invent(1, ANCHOR)))[0]) == 1


def test_common_points_are_equal_stretches_and_ascend_on_the_left():
    middle = [invent(seed, 60) for seed in (1, 2)]
    left = invent(3, 50) + middle[0] + invent(4, 30) + middle[1]
    right = middle[1] + invent(5, 80) + middle[0]
    p, q = common_points(codes(left), codes(right))
    assert p.tolist() == sorted(p.tolist())
    assert len(p) == 2 * (60 - ANCHOR + 1)
    for i, j in zip(p.tolist(), q.tolist(), strict=True):
        assert left[i : i + ANCHOR] == right[j : j + ANCHOR]


def test_the_lines_meet_again_behind_a_missing_stretch():
    before, missing, behind = invent(1, 500), invent(2, 20_000), invent(3, 3000)
    first, second = codes(before + missing + behind), codes(before + behind)
    assert meet(first, second, 500, 500) == (20_500, 500)
    assert meet(second, first, 500, 500) == (500, 20_500)


def test_the_lines_meet_again_behind_replaced_text():
    first = codes(invent(1, 300) + invent(2, 900) + invent(3, 3000))
    second = codes(invent(1, 300) + invent(4, 700) + invent(3, 3000))
    assert meet(first, second, 300, 300) == (1200, 1000)


def test_of_two_ways_to_go_on_the_longer_is_taken():
    long, short = invent(1, 2000), invent(2, 300)
    assert meet(codes(short + long), codes(long + short), 0, 0) == (300, 0)


def test_lines_that_never_meet_have_no_anchor():
    first, second = codes(invent(1, 6000)), codes(invent(2, 6000, "bfgjkpqvwxyz"))
    assert meet(first, second, 0, 0) is None
    assert meet(first, second, 6000, 6000) is None


def test_what_is_repeated_is_no_anchor():
    assert meet(codes("ab" * 3000), codes("ab" * 2000), 0, 0) is None


def test_a_single_short_meeting_counts_where_there_is_nothing_else():
    meeting = invent(9, ANCHOR + 3)
    first = codes(invent(1, 700) + meeting + invent(2, 700))
    second = codes(invent(3, 900, "bfgjkpqvwxyz") + meeting + invent(4, 600, "bfgjkpqvwxyz"))
    assert meet(first, second, 0, 0) == (700, 900)
