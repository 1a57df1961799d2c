"""Lengths of sentences."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from evalign.bitext.statistics import DECILES, summarize_lengths
from oracles.bitext_statistics import quantile

pytestmark = pytest.mark.once


@given(st.lists(st.integers(0, 40), min_size=1, max_size=40))
def test_deciles_are_those_of_the_lengths_written_out(lengths):
    found = summarize_lengths(Counter(lengths))
    assert found["sentences"] == len(lengths)
    assert found["mean"] == round(sum(lengths) / len(lengths), 6)
    assert found["median"] == float(quantile(lengths, Fraction(1, 2)))
    expected = [float(quantile(lengths, Fraction(k, 10))) for k in range(1, 10)]
    assert [round(value, 5) for value in found["deciles"]] == [round(value, 5) for value in expected]
    assert len(DECILES) == 9


def test_a_histogram_is_in_the_order_of_lengths_and_has_no_empty_place():
    found = summarize_lengths({20: 1, 3: 2, 11: 0})
    assert list(found["histogram"].items()) == [("3", 2), ("20", 1)]


def test_no_sentence_has_no_length():
    assert summarize_lengths({}) is None
    assert summarize_lengths({10: 0}) is None


def test_millions_of_sentences_are_not_written_out():
    found = summarize_lengths({10: 10**12, 20: 10**12 + 1})
    assert found["deciles"][0] == 10.0
    assert found["median"] == found["deciles"][-1] == 20.0
