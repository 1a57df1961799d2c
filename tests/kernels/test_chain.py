"""The heaviest chain of shared stretches, against all possible chains."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from forms import both_forms

kernel = both_forms("chain_cy")

MOST, OPENS, ONE_SIDED = 300, 72, 24


@st.composite
def pieces(draw):
    """Up to seven stretches of two lines, ascending by start, no two with the same."""
    starts = st.tuples(st.integers(0, 30), st.integers(0, 30))
    chosen = sorted(draw(st.lists(starts, min_size=1, max_size=7, unique=True)))
    return [(p, q, draw(st.integers(1, 12))) for p, q in chosen]


def chain(kernel, rows, gain=64):
    """The pieces of the heaviest chain, and which of them are broken off from what is before."""
    table = np.array(rows, np.int64)
    ends = table[:, :2] + table[:, 2:]
    bits = np.arange(60, dtype=np.int64) * gain
    ranks = np.argsort(np.argsort(ends[:, 1], kind="stable"), kind="stable")
    reach = np.searchsorted(np.sort(ends[:, 1]), table[:, 1], side="right")
    scores, before = (np.empty(len(rows), np.int64) for _ in range(2))
    broken, tree = np.empty(len(rows), np.uint8), np.empty(len(rows) + 1, np.int64)
    last = kernel.chain_pieces(
        table, bits, np.argsort(ends[:, 0], kind="stable"), ranks, reach, MOST, OPENS, ONE_SIDED, scores, before, broken, tree
    )  # fmt: skip
    found = []
    while last >= 0:
        found.append(last)
        last = int(before[last])
    return found[::-1], scores, broken.astype(bool).tolist()


def weigh(rows, chosen, gain=64):
    """What a sequence of pieces has, by the definition; None where it does not ascend."""
    total, before = 0, (0, 0, 0)
    for number, k in enumerate(chosen):
        p, q, length = rows[k]
        if number and not (before[0] < p and before[1] < q):
            return None
        overlap = max(0, before[0] + before[2] - p, before[1] + before[2] - q) if number else 0
        if overlap >= length:
            return None
        shift = abs((p - q) - (before[0] - before[1]))
        total += gain * (length - overlap) - min(MOST, OPENS + ONE_SIDED * shift)
        before = rows[k]
    return total


def all_chains(n):
    for mask in range(1, 1 << n):
        yield [k for k in range(n) if mask >> k & 1]


@given(rows=pieces())
def test_the_chain_is_the_heaviest(kernel, rows):
    found, scores, _ = chain(kernel, rows)
    best = max(weight for chosen in all_chains(len(rows)) if (weight := weigh(rows, chosen)) is not None)
    if best <= 0:
        assert found == []
    else:
        assert scores[found[-1]] == best == weigh(rows, found)


def test_what_a_costly_link_leads_to_is_broken_off(kernel):
    rows = [(0, 0, 20), (25, 24, 20), (48, 20, 10)]
    found, _, broken = chain(kernel, rows[:2])
    assert (found, broken) == ([0, 1], [False, False])
    assert chain(kernel, [(0, 0, 10), (12, 40, 10)])[2] == [False, True]


@pytest.mark.parametrize(
    ("second", "joins"), [("abcdefgh", [0, 1]), ("abcXefgh", [0, 0]), ("abcdefgX", [0, 1])]
)
def test_seeds_are_one_piece_where_all_between_them_is_equal(kernel, second, joins):
    codes = [np.array(list(map(ord, text)), np.int32) for text in ("abcdefgh", second)]
    found = np.empty(2, np.uint8)
    kernel.join_seeds(*codes, np.array([0, 5]), np.array([2, 7]), np.array([0, 5]), found)
    assert found.tolist() == joins
