"""Correlation and variance."""

import math

import pytest
from hypothesis import given, strategies as st

from evalign.typology.correlation import correlate, correlate_ranks, rank, spread
from oracles import typology as oracle

numbers = st.floats(-1, 1, allow_subnormal=False).map(lambda x: round(x, 3))
pairs = st.lists(st.tuples(numbers, numbers), max_size=12)
wild = st.lists(st.tuples(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300)), max_size=5)


@pytest.mark.parametrize(
    ("source", "left", "right", "r", "rho"),
    [
        ("by hand: a line", [1, 2, 3], [2, 4, 6], 1, 1),
        ("by hand: a line down", [1, 2, 3], [3, 2, 1], -1, -1),
        ("by hand: cov 1, var 2/3 and 2", [1, 2, 3], [1, 1, 4], math.sqrt(3) / 2, math.sqrt(3) / 2),
        ("by hand: monotone, no line", [1, 2, 3], [1, 10, 11], 0.90784, 1),
        ("scipy 1.17.1, pearsonr and spearmanr: ties", [1, 2, 2, 5], [4, 1, 3, 9], 0.8199160, 0.3162278),
        ("convention: one point", [1], [1], None, None),
        ("convention: none", [], [], None, None),
        ("convention: no variance", [1, 2, 3], [5, 5, 5], None, None),
        ("two points", [1, 2], [5, 3], -1, -1),
    ],
)
def test_vectors(source, left, right, r, rho):
    for value, expected in ((correlate(left, right), r), (correlate_ranks(left, right), rho)):
        assert value == (expected if expected is None else pytest.approx(expected, abs=1e-5))


@given(pairs)
def test_they_are_what_the_oracle_says(pairs):
    left, right = [a for a, _ in pairs], [b for _, b in pairs]
    for ours, theirs in (
        (correlate(left, right), oracle.pearson(left, right)),
        (correlate_ranks(left, right), oracle.spearman(left, right)),
    ):
        assert ours == (theirs if theirs is None else pytest.approx(theirs, abs=1e-6))
    assert rank(left) == pytest.approx(oracle.ranks(left))
    if left:
        assert spread(left) == pytest.approx(oracle.variance(left), abs=1e-12)


@given(wild)
def test_they_are_numbers_from_minus_1_to_1_or_nothing(pairs):
    left, right = [a for a, _ in pairs], [b for _, b in pairs]
    for value in (correlate(left, right), correlate_ranks(left, right), correlate(right, left)):
        assert value is None or -1 <= value <= 1


@given(pairs)
def test_neither_side_comes_first(pairs):
    left, right = [a for a, _ in pairs], [b for _, b in pairs]
    assert correlate(left, right) == correlate(right, left)


def test_equal_numbers_do_not_vary_however_they_are_written():
    assert correlate([0.1 + 0.2, 0.3, 0.1 + 0.2][::2], [1, 2]) is None
    assert correlate([0.1] * 10, [*range(10)]) is None


def test_variance():
    assert spread([]) is None
    assert spread([1]) == 0
    assert spread([1], "sample") is None
    assert spread([1, 2, 3, 4]) == 1.25
    assert spread([1, 2, 3, 4], "sample") == pytest.approx(5 / 3)
