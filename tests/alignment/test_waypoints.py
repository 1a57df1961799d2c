"""Waypoints: stretches that occur once in each of two lines and show where these go on together."""

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from alignment.lines import fold
from evalign.alignment.character_alignment import Stretch, count_bits, find_waypoints

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def stretch(sentences):
    line = fold(sentences)
    gains = [16 * count_bits(code) for code in line.codes.tolist()]
    return Stretch(0, line.codes, np.array(gains, np.int16), line.marks)


def invent(rng, size, letters=LETTERS):
    return [["".join(rng.choices(letters, k=rng.randint(2, 7))) for _ in range(8)] for _ in range(size)]


@given(st.integers(0, 1 << 30), st.integers(1, 12), st.integers(0, 8), st.integers(0, 8))
def test_waypoints_ascend_and_lie_in_equal_text(seed, size, before, between):
    rng = random.Random(seed)
    shared = invent(rng, size)
    first, second = (
        stretch(invent(rng, before) + shared[: size // 2] + invent(rng, between) + shared[size // 2 :])
        for _ in range(2)
    )
    points = find_waypoints(first, second)
    for (i, j), (p, q) in pairwise(points):
        assert i < p
        assert j < q
    assert all(first.codes[i] == second.codes[j] for i, j in points)


def test_a_stretch_that_both_have_is_found_behind_others():
    rng = random.Random(1)
    shared = invent(rng, 20)
    first, second = stretch(invent(rng, 40) + shared), stretch(invent(rng, 90) + shared)
    shift = len(second.codes) - len(first.codes)
    points = find_waypoints(first, second)
    assert points
    assert {j - i for i, j in points} == {shift}


def test_of_two_orders_the_heavier_is_found():
    rng = random.Random(2)
    small, large = invent(rng, 20), invent(rng, 40)
    points = find_waypoints(stretch(small + large), stretch(large + small))
    assert {i - j for i, j in points} == {len(fold(small).codes)}


@pytest.mark.parametrize("glue", ["{}_NN", "|{}|", "▁{}"])
def test_first_letters_see_through_what_every_token_has(glue):
    rng = random.Random(3)
    gold = invent(rng, 80)
    system = [[glue.format(token) for token in sentence] for sentence in gold]
    assert find_waypoints(stretch(gold), stretch(system))


def test_unrelated_text_and_nothing_have_none():
    rng = random.Random(4)
    one, other = stretch(invent(rng, 50)), stretch(invent(rng, 50, "αβγδεζηθικλμν"))
    assert find_waypoints(one, other) == []
    assert find_waypoints(one, stretch([])) == []
