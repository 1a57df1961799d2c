"""Numbers as files write them: the very ones that Python reads."""

import itertools
import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalign.bitext import WrittenScores, rank_exactly, read_digits, read_scores

pytestmark = pytest.mark.once

DECIMALS = st.from_regex(r"-?[0-9]{0,12}\.?[0-9]{0,12}", fullmatch=True)
ANY = st.one_of(DECIMALS, st.floats().map(repr), st.text("0123456789.-+eE_ \t", max_size=20))


def lay_out(texts):
    """Bytes with a line end between texts, and where each begins and ends."""
    ends = np.cumsum([len(text) + 1 for text in texts]) - 1
    return "\n".join(texts).encode(), ends - [len(text) for text in texts], ends


def python_reads(text):
    try:
        return math.nan if "_" in text else float(text.encode())
    except ValueError:
        return math.nan


@given(st.lists(ANY, min_size=1))
def test_scores_are_those_that_python_reads(texts):
    found = read_scores(*lay_out(texts))
    assert [*map(repr, found.tolist())] == [repr(python_reads(text)) for text in texts]


@pytest.mark.parametrize(
    "text", ["9007199254740993", "9007199254740992", "0.100000000000001", "9999999999999999", "-0"]
)
def test_scores_of_many_digits_are_the_nearest_floats(text):
    assert repr(read_scores(*lay_out([text])).item()) == repr(float(text))


@pytest.mark.parametrize("text", ["", "-", ".", "-.", "1..2", "1_0", "--1", "1-2", "0x1", "1,5", "١"])
def test_what_is_no_score_is_not_a_number(text):
    assert math.isnan(read_scores(text.encode(), np.array([0]), np.array([len(text.encode())])).item())


@given(st.lists(st.text("0123456789/:", min_size=9, max_size=9), min_size=1))
def test_digits_are_the_number_they_write(texts):
    data, starts, _ = lay_out(texts)
    numbers, good = read_digits(np.frombuffer(data, np.uint8), starts, 9)
    assert good.tolist() == [text.isdigit() for text in texts]
    assert [n for n, right in zip(numbers.tolist(), good, strict=True) if right] == [
        int(text) for text in texts if text.isdigit()
    ]


@given(
    st.lists(
        st.one_of(
            DECIMALS, st.from_regex(r"0\.5000000000000000000[0-9]{0,3}(e-[0-9]{1,3})?", fullmatch=True)
        ),
        min_size=1,
    )
)
def test_exact_ranks_are_in_the_order_of_the_decimals(texts):
    texts = [text for text in texts if math.isfinite(python_reads(text))]
    if not texts:
        return
    data, starts, ends = lay_out(texts)
    scores = read_scores(data, starts, ends) + 0.0
    levels = rank_exactly(scores, WrittenScores(data, starts, ends)).tolist()
    values = [Decimal(text) for text in texts]
    for one, two in itertools.combinations(range(len(texts)), 2):
        assert (levels[one] < levels[two]) is (values[one] < values[two])
        assert (levels[one] == levels[two]) is (values[one] == values[two])


def test_decimals_that_nothing_can_hold_are_zero():
    data, starts, ends = lay_out(["1e-99999999999999999999999", "0.0"])
    scores = read_scores(data, starts, ends)
    assert rank_exactly(scores, WrittenScores(data, starts, ends)).tolist() == [0, 0]
