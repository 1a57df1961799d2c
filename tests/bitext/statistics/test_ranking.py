"""The area under the curve, against its definition over all pairs."""

import math

import pytest
from hypothesis import given, strategies as st

from evalign.bitext.statistics import NORMAL_QUANTILE, find_area, find_chance
from oracles.bitext_statistics import area, area_variance

pytestmark = pytest.mark.once

# Few values, so that many are equal.
scores = st.lists(st.integers(-3, 3).map(float), min_size=2, max_size=12)


@given(scores, scores)
def test_the_area_is_the_share_of_pairs_won_with_ties_by_half(planted, native):
    assert find_area(planted, native).auc == pytest.approx(float(area(planted, native)), abs=1e-12)


@given(scores, scores)
def test_the_interval_is_delongs(planted, native):
    found = find_area(planted, native)
    half = NORMAL_QUANTILE * math.sqrt(area_variance(planted, native))
    assert found.low == pytest.approx(max(0, found.auc - half), abs=1e-9)
    assert found.high == pytest.approx(min(1, found.auc + half), abs=1e-9)


@given(scores, scores)
def test_swapping_sides_turns_the_area_round(planted, native):
    there, back = find_area(planted, native), find_area(native, planted)
    assert there.auc == pytest.approx(1 - back.auc, abs=1e-12)


def test_equal_scores_say_nothing():
    assert find_area([1.0] * 5, [1.0] * 7) == (0.5, 0.5, 0.5)


def test_chance_is_the_spread_of_the_statistic_of_all_orders():
    # Of 2 and 2 scores there are six orders: 0, 1, 2, 2, 3, 4 of four pairs are won.
    won = [0, 0.25, 0.5, 0.5, 0.75, 1]
    deviation = math.sqrt(sum((share - 0.5) ** 2 for share in won) / 6)
    low, high = find_chance(20, 20)
    assert (high - low) / 2 == pytest.approx(NORMAL_QUANTILE * math.sqrt(41 / 4800))
    assert math.sqrt(5 / (12 * 4)) == pytest.approx(deviation)
    assert find_chance(2, 2) == (0.0, 1.0)
