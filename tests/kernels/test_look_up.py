"""Differences of a path whose text stands farther on in the other line."""

import random

import numpy as np
import pytest
from hypothesis import given, strategies as st

from forms import IMPLEMENTATIONS, both_forms

kernel = both_forms("look_up_cy")
EQUAL, GAP, JUMP = 0, 1, 2
LEAST, REACH = 5, 400


def look_up(kernel, first, second, pieces, reach=REACH):
    """The ends of all differences whose text stands elsewhere, and how far the lines had to be known."""
    lines = [np.array(list(map(ord, text)), np.int32) for text in (first, second)]
    # Any keys do that are equal where eight characters are.
    keys = [
        np.array([hash(text[k : k + 8]) & 0xFFFF for k in range(len(text))], np.uint16)
        for text in (first, second)
    ]
    earned = np.full(0x3000, 64, np.int16)
    scratch = np.array([*reversed(pieces), *[(0, 0, 0)] * 3], np.int32)
    finder = kernel.LookUp((lines[0], keys[0]), (lines[1], keys[1]), (earned, scratch), reach, LEAST)
    finder.begin(len(pieces), 0, 0, len(first), len(second))
    ends = []
    while finder.find():
        ends.append(finder.end())
    return ends, finder.needed()


def invent(rng, size):
    return "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=size))


@pytest.fixture
def texts():
    """A beginning, a stretch, what is between, and an end."""
    rng = random.Random(1)
    return [invent(rng, size) for size in (40, 30, 100, 60)]


@pytest.fixture
def put_in(texts):
    """Two lines that differ, the second with the stretch behind the difference once more, and the path through both."""
    beginning, stretch, between, end = texts
    one, other = (
        beginning + "1" + stretch + between + end,
        beginning + "2" + stretch + between + "1" + stretch + end,
    )
    return one, other, [(EQUAL, 40, 40), (GAP, 1, 1), (EQUAL, 130, 130), (JUMP, 0, 31), (EQUAL, 60, 60)]


@pytest.mark.parametrize("turned", [False, True])
def test_text_that_stands_farther_on_is_found_in_either_line(kernel, put_in, turned):
    one, other, pieces = put_in
    if turned:
        one, other, pieces = other, one, [(kind, b, a) for kind, a, b in pieces]
    ends, needed = look_up(kernel, one, other, pieces)
    assert ends == [(46, 46)]  # five letters behind the difference earn 20 bits
    assert needed == (40 + REACH, 40 + REACH)


def test_text_that_stands_nowhere_else_or_too_far_is_not_found(kernel, texts, put_in):
    beginning, stretch, between, end = texts
    one, other, pieces = put_in
    assert look_up(kernel, one, other, pieces, reach=100)[0] == []
    assert look_up(kernel, one, beginning + "2" + stretch + between + end, pieces[:3])[0] == []


def test_a_character_that_is_repeated_says_nothing(kernel, texts):
    line = texts[0] + "_" * 100
    other = texts[0] + "x" + "_" * 100
    assert look_up(kernel, line, other, [(EQUAL, 40, 40), (GAP, 0, 1), (EQUAL, 100, 100)])[0] == []


def test_a_difference_that_a_jump_ends_is_not_looked_up(kernel, texts):
    beginning, stretch, between, end = texts
    one, other = beginning + "1" + stretch + end, beginning + "2" + between + "1" + stretch + end
    pieces = [(EQUAL, 40, 40), (GAP, 1, 1), (JUMP, 0, 101), (EQUAL, 90, 90)]
    assert look_up(kernel, one, other, pieces)[0] == []


@given(st.integers(0, 1 << 30))
def test_both_forms_find_the_same(seed):
    rng = random.Random(seed)
    words = [invent(rng, 9) for _ in range(4)]
    first, second, pieces = "", "", []
    for _ in range(30):
        word = rng.choice(words) * rng.randint(1, 4)
        a, b = (rng.choice(words)[: rng.randint(0, 5)] for _ in range(2))
        first, second = first + word + a, second + word + b
        pieces += [
            (EQUAL, len(word), len(word)),
            *([(rng.choice([GAP, GAP, JUMP]), len(a), len(b))] if a or b else []),
        ]
    found = [look_up(kernel, first, second, pieces) for kernel in forms()]
    assert all(each == found[0] for each in found)


def forms():
    return [getattr(each, "values", [each])[0] for each in IMPLEMENTATIONS("look_up_cy")]
