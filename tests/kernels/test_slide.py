"""One-sided stretches slide to boundaries, and nothing else changes."""

import itertools
from difflib import SequenceMatcher

import numpy as np
import pytest
from hypothesis import given, strategies as st

from forms import both_forms

kernel = both_forms("slide_cy")

SENTENCE, TOKEN = 4, 1


@st.composite
def aligned_lines(draw):
    """Two lines that repeat themselves, their marks, and equal runs between two empty ones."""
    first, second = draw(st.text("aab", max_size=12)), draw(st.text("aab", max_size=12))
    marks = [
        draw(st.lists(st.sampled_from([0, 0, TOKEN, SENTENCE]), min_size=size, max_size=size))
        for size in (len(first) + 1, len(second) + 1)
    ]
    runs = SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks()
    return first, second, *marks, [(0, 0, 0), *map(tuple, runs)]


def slide(kernel, first, second, first_marks, second_marks, runs, most=1 << 20, jumps=None):
    """How many stretches moved, and the runs after that."""
    table = np.array(runs, np.int32)
    codes = [np.array(list(map(ord, text)), np.int32) for text in (first, second)]
    marks = [np.array(column, np.uint8) for column in (first_marks, second_marks)]
    flags = np.array([1] * (len(runs) - 1) if jumps is None else jumps, np.uint8)
    moved = kernel.slide_gaps(*codes, *marks, table, flags, most)
    return moved, list(map(tuple, table.tolist()))


def marks_of(sentences):
    """Marks of a line whose sentences are written "ab c. d": tokens end at spaces, sentences at full stops."""
    line, marks = "", [SENTENCE]
    for character in sentences:
        if character == " ":
            marks[-1] = max(marks[-1], TOKEN)
            continue
        line += character
        marks.append(SENTENCE if character == "." else 0)
    marks[-1] = SENTENCE
    return line, marks


@given(lines=aligned_lines())
def test_runs_stay_equal_in_order_and_as_long_together(kernel, lines):
    first, second, *_, before = lines
    _, runs = slide(kernel, *lines)
    assert sum(length for *_, length in runs) == sum(length for *_, length in before)
    i = j = 0
    for start, other, length in runs:
        assert start >= i
        assert other >= j
        assert length >= 0
        i, j = start + length, other + length
        assert first[start:i] == second[other:j]
    assert (i, j) == (len(first), len(second))


@given(lines=aligned_lines())
def test_gaps_keep_their_sizes(kernel, lines):
    def gaps(runs):
        return [(b[0] - a[0] - a[2], b[1] - a[1] - a[2]) for a, b in itertools.pairwise(runs)]

    assert gaps(slide(kernel, *lines)[1]) == gaps(lines[-1])


@given(lines=aligned_lines())
def test_no_run_between_two_gaps_vanishes(kernel, lines):
    _, runs = slide(kernel, *lines)
    inner = [k for k in range(1, len(runs) - 1) if lines[-1][k][2]]
    ends = {(0, 0), (len(lines[0]), len(lines[1]))}
    for k in inner:
        start, other, length = runs[k]
        assert length or {(start, other), (start + length, other + length)} & ends


@given(lines=aligned_lines())
def test_without_boundaries_inside_nothing_says_where_to_go_but_left(kernel, lines):
    first, second, _, _, runs = lines
    _, slid = slide(kernel, first, second, [0] * (len(first) + 1), [0] * (len(second) + 1), runs)
    assert all(after[0] <= before[0] for before, after in zip(runs, slid, strict=True))


@given(
    text=st.text("aab", min_size=1, max_size=10),
    start=st.integers(0, 9),
    size=st.integers(1, 5),
    data=st.data(),
)
def test_a_lone_stretch_goes_where_most_boundaries_are(kernel, text, start, size, data):
    start = min(start, len(text) - 1)
    size = min(size, len(text) - start)
    other = text[:start] + text[start + size :]
    column = st.lists(st.sampled_from([0, TOKEN, SENTENCE]), min_size=len(text) + 1, max_size=len(text) + 1)
    marks = data.draw(column)
    runs = [(0, 0, 0), (0, 0, start), (start + size, start, len(other) - start), (len(text), len(other), 0)]
    runs = [run for k, run in enumerate(runs) if run[2] or k in (0, 3)]
    _, slid = slide(kernel, text, other, marks, [0] * (len(other) + 1), runs)
    ends = [(a[0] + a[2], b[0]) for a, b in itertools.pairwise(slid) if a[0] + a[2] != b[0]]
    possible = [k for k in range(len(other) + 1) if text[:k] + text[k + size :] == other]
    # Ways are connected: each step keeps the other line what it is.
    assert len(ends) == 1
    assert marks[ends[0][0]] + marks[ends[0][1]] == max(marks[k] + marks[k + size] for k in possible)


VECTORS = [
    # by hand: gold, system, the stretch that only gold has
    ("a sentence said twice", "the cat. the cat. the dog.", "the cat. the dog.", "thecat."),
    ("a sentence whose end is another's", "x a. b a. c.", "x a. c.", "ba."),
    ("a token, where no sentence fits", "a b b b c.", "a b b c.", "b"),
]


@pytest.mark.parametrize(("why", "gold", "system", "stretch"), VECTORS, ids=[row[0] for row in VECTORS])
def test_a_stretch_is_where_boundaries_are(kernel, why, gold, system, stretch):
    (first, marks), (second, other_marks) = marks_of(gold), marks_of(system)
    for place in range(len(second) + 1):
        # From wherever it is found first.
        if first[:place] + first[place + len(stretch) :] == second:
            size = len(second) - place
            runs = [(0, 0, 0), (0, 0, place), (len(first) - size, place, size), (len(first), len(second), 0)]
            _, slid = slide(kernel, first, second, marks, other_marks, runs)
            start, end = slid[1][0] + slid[1][2], slid[2][0]
            assert first[start:end] == stretch
            assert marks[start]
            assert marks[end]


def test_a_stretch_with_text_on_both_sides_stays(kernel):
    first, second = "aaxaa", "aayyaa"
    runs = [(0, 0, 0), (0, 0, 2), (3, 4, 2), (5, 6, 0)]
    assert slide(kernel, first, second, [4] * 6, [4] * 7, runs) == (0, runs)


def test_the_other_side_decides_among_equals(kernel):
    # "ab" + "ab" without boundaries of its own; the other line has one after "a".
    runs = [(0, 0, 0), (0, 0, 2), (4, 2, 0)]
    _, slid = slide(kernel, "abab", "ab", [0, 0, 0, 0, 0], [0, TOKEN, 0], runs)
    assert slid == [(0, 0, 0), (0, 0, 1), (3, 1, 1)]


def test_none_slides_further_than_allowed(kernel):
    first, second = "abab" * 6 + "ab", "abab" * 6
    marks = [[0] * (len(text) + 1) for text in (first, second)]
    marks[0][4] = marks[0][6] = 4  # the best place is far back
    runs = [(0, 0, 0), (0, 0, 20), (22, 20, 4), (26, 24, 0)]
    assert slide(kernel, first, second, *marks, runs)[1][1] == (0, 0, 4)
    assert slide(kernel, first, second, *marks, runs, most=3)[1][1] == (0, 0, 17)
