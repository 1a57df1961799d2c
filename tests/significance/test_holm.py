import pytest
from hypothesis import given, strategies as st

from evalign.significance.inference import adjust_p_values
from oracles import resampling as oracle

TABLE = [
    # by hand, m = number of tests: the k-th smallest times m - k + 1, never less than the one before, at most 1
    ("none", [], []),
    ("one", [0.03], [0.03]),
    ("5 × 0.001, 4 × 0.01, 3 × 0.02, 2 × 0.03 as 0.06, 1 × 0.2",
     [0.01, 0.001, 0.2, 0.02, 0.03], [0.04, 0.005, 0.2, 0.06, 0.06]),
    ("the second takes over the first's 0.12: 2 × 0.05 is less", [0.05, 0.04, 0.5], [0.12, 0.12, 0.5]),
    ("ties: 3 × 0.01 for all three", [0.01, 0.01, 0.01], [0.03, 0.03, 0.03]),
    ("at most 1", [0.6, 0.7], [1.0, 1.0]),
    ("what is undefined is no test", [None, 0.01, None, 0.02], [None, 0.02, None, 0.02]),
    ("nothing is defined", [None, None], [None, None]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "values", "expected"), TABLE, ids=[row[0] for row in TABLE])
def test_table(source, values, expected):
    assert adjust_p_values(values) == pytest.approx(expected)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_it_is_the_oracle(values):
    assert adjust_p_values(values) == oracle.holm(values)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_it_makes_no_p_smaller_and_keeps_their_order(values):
    found = adjust_p_values(values)
    assert all(own <= adjusted <= 1 for own, adjusted in zip(values, found, strict=True))
    pairs = sorted(zip(values, found, strict=True))
    assert [adjusted for _, adjusted in pairs] == sorted(found)
