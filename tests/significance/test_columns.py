import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from evalign.significance.draws import ColumnSums, prepare_score, take_sums
from resampled import make_score


@pytest.mark.parametrize(
    ("n_units", "n_columns", "most"), [(1, 1, 9), (700, 150, 9), (9000, 3, 9), (50, 70, 2**60 // 99)]
)
def test_sums_are_exact_however_many_columns_there_are(n_units, n_columns, most):
    generator = np.random.default_rng(1)
    columns = generator.integers(-most, most, (n_units, n_columns))
    weights = generator.integers(0, 2, (5, n_units))
    pool = ColumnSums(n_units)
    places = pool.add(columns)
    sums = pool.sum_up([weights[:3].astype(float), weights[3:].astype(float)])
    assert take_sums(sums, places).tolist() == (weights @ columns).tolist()


def test_equal_columns_are_kept_once():
    pool = ColumnSums(3)
    assert pool.add(np.array([[1, 2, 1], [2, 2, 2], [3, 2, 3]])) == [[0], [1], [0]]
    assert pool.add(np.array([[2, 5], [2, 5], [2, 5]])) == [[1], [2]]


def test_a_pool_of_nothing_still_has_resamples():
    assert ColumnSums(4).sum_up([np.ones((2, 4)), np.ones((1, 4))]).shape == (3, 0)


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=8))
def test_every_unit_once_is_the_score_itself(rows):
    for average in ("micro", "document"):
        score = make_score([(*row, 0, 0) for row in rows], average=average)
        sample = prepare_score(score)
        found = sample.ratios(sample.columns.sum(axis=0, keepdims=True))
        for name, value in score.ratios.items():
            [own] = found[name].tolist()
            assert np.isnan(own) if value is None else own == pytest.approx(value, rel=0, abs=1e-14)
