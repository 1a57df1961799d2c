import numpy as np
import pytest

from evalign.significance.draws import BOOTSTRAP, RANDOMIZATION, draw_resamples, draw_swaps, make_generator
from oracles import resampling as oracle

SIZES = [1, 2, 3, 63, 64, 65, 1000]


@pytest.mark.parametrize("n_units", SIZES)
@pytest.mark.parametrize("key", [(), (3,)])
def test_resamples_are_those_of_the_oracle(n_units, key):
    drawn = np.concatenate(list(draw_resamples(make_generator(5, BOOTSTRAP, *key), n_units, 45)))
    expected = [np.bincount(units, minlength=n_units) for units in oracle.resamples(5, n_units, 45, *key)]
    assert (drawn == np.array(expected)).all()


@pytest.mark.parametrize("n_units", SIZES)
def test_swaps_are_those_of_the_oracle(n_units):
    drawn = np.concatenate(list(draw_swaps(make_generator(5, RANDOMIZATION), n_units, 45)))
    assert (drawn == np.array(list(oracle.swaps(5, n_units, 45)))).all()


def test_a_resample_does_not_depend_on_how_many_are_drawn():
    few, many = (
        np.concatenate(list(draw_resamples(make_generator(1, BOOTSTRAP), 9000, count))) for count in (10, 90)
    )
    assert (few == many[:10]).all()


def test_raw_numbers_of_a_seed_stay_what_they_are():
    """numpy promises this stream; found with numpy 2.4."""
    assert make_generator(12345, BOOTSTRAP).random_raw(2).tolist() == RAW


RAW = [16048646147195420845, 10346443762535315252]


def test_units_are_drawn_alike_and_systems_swap_half():
    drawn = np.concatenate(list(draw_resamples(make_generator(1, BOOTSTRAP), 10, 20_000)))
    # 200,000 draws of one unit in ten: the standard error of a share is 0.0007.
    assert np.abs(drawn.sum(axis=0) / drawn.sum() - 0.1).max() < 0.003
    swapped = np.concatenate(list(draw_swaps(make_generator(1, RANDOMIZATION), 10, 20_000)))
    assert np.abs(swapped.mean(axis=0) - 0.5).max() < 0.015
    assert np.abs(np.corrcoef(swapped.T) - np.eye(10)).max() < 0.03
