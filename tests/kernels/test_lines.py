"""Runs of equal characters: the best ones inside a window, good ones from window to window."""

import random
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forms import IMPLEMENTATIONS
from oracles.alignment import Run, Table, optimal_score, score_of

SMALLEST, LARGEST, BACK, SOLID = 32, 512, 16, 24


def lines(max_size=14):
    return st.sampled_from(["ab", "abc", "a", "abcdefgh"]).flatmap(
        lambda letters: st.text(letters, max_size=max_size)
    )


def codes(text):
    return np.array(list(map(ord, text)), np.int32)


def aligner(kernel, first, second, side):
    """An aligner with room for windows of `side` characters, and the table it writes runs into."""
    runs = np.zeros((min(len(first), len(second)) + 1, 3), np.int32)
    return runs, kernel.LineAligner(
        codes(first),
        codes(second),
        runs,
        np.zeros((side + 1, 3), np.int32),
        np.zeros((4, side + 1), np.int64),
        np.zeros((side + 1) * (side + 1), np.uint8),
        np.zeros((0, 5), np.int32),
    )


def fill(kernel, first, second, in_run, joins):
    table, found = aligner(kernel, first, second, max(len(first), len(second)))
    found.fill(0, len(first), 0, len(second), in_run, joins)
    return [Run(*row) for row in table[: found.count()].tolist()]


def walk(kernel, first, second, smallest=SMALLEST, largest=LARGEST, back=BACK, solid=SOLID):
    table, found = aligner(kernel, first, second, largest)
    done, i, j = found.walk(0, 0, smallest, largest, back, solid)
    return done, i, j, [Run(*row) for row in table[: found.count()].tolist()]


def check_runs(runs, first, second):
    """Runs are of equal characters, in order, none empty, and no two of them are one."""
    i = j = 0
    for number, (start, other, length) in enumerate(runs):
        assert length > 0
        assert start >= i
        assert other >= j
        assert number == 0 or (start, other) != (i, j)
        i, j = start + length, other + length
        assert first[start:i] == second[other:j]
    assert i <= len(first)
    assert j <= len(second)


def framed(runs, first, second, in_run, joins):
    """The runs with one more before and behind, where there are such, and those that meet made one."""
    runs = [Run(run.left + in_run, run.right + in_run, run.length) for run in runs]
    ends = Run(len(first) + in_run, len(second) + in_run, 1)
    joined = []
    for run in [Run(0, 0, 1)] * in_run + runs + [ends] * joins:
        last = joined[-1] if joined else Run(0, 0, 0)
        if joined and (last.left + last.length, last.right + last.length) == run[:2]:
            joined[-1] = Run(last.left, last.right, last.length + run.length)
        else:
            joined.append(run)
    return joined


@pytest.mark.parametrize("kernel", IMPLEMENTATIONS("lines_cy"))
@pytest.mark.parametrize("in_run", [True, False], ids=["after a run", "after nothing"])
@pytest.mark.parametrize("joins", [True, False], ids=["before a run", "before nothing"])
@given(first=lines(), second=lines())
@example(first="", second="")
@example(first="ab", second="")
def test_a_filled_stretch_is_the_best_between_what_is_around_it(kernel, in_run, joins, first, second):
    runs = fill(kernel, first, second, in_run, joins)
    check_runs(runs, first, second)
    # What is around it is a character that occurs nowhere else, so both lines share it.
    whole = ["<" * in_run + line + ">" * joins for line in (first, second)]
    found = score_of(framed(runs, first, second, in_run, joins), len(whole[0]), len(whole[1]))
    assert found == optimal_score(*whole)


@pytest.mark.parametrize("kernel", IMPLEMENTATIONS("lines_cy"))
@given(first=lines(), second=lines())
@example(first="ece.", second="e..")
@example(first="eaaa", second="eeeao")
@example(first="..b...b.", second="...")
@example(first="abaaa", second="abbab")
def test_in_one_window_the_walk_finds_the_best(kernel, first, second):
    done, _i, _j, runs = walk(kernel, first, second)
    assert done
    check_runs(runs, first, second)
    assert score_of(runs, len(first), len(second)) == optimal_score(first, second)


@pytest.mark.parametrize("kernel", IMPLEMENTATIONS("lines_cy"))
@given(first=lines(30), second=lines(30))
def test_in_windows_too_small_the_walk_stays_valid_and_beats_nothing(kernel, first, second):
    done, i, j, runs = walk(kernel, first, second, 4, 8, 2, 3)
    check_runs(runs, first, second)
    if runs:
        assert runs[-1].left + runs[-1].length <= i
        assert runs[-1].right + runs[-1].length <= j
    assert 0 <= i <= len(first)
    assert 0 <= j <= len(second)
    if done:
        assert i == len(first) or j == len(second)
    equal, n_runs, edits = score_of(runs, len(first), len(second))
    assert (-equal, n_runs, edits) >= Table(first, second).fresh[0, 0]


@st.composite
def noisy(draw, max_size=40):
    """A line and the same with a few characters lost, added or exchanged."""
    text = draw(st.text("abcdefgh", max_size=max_size))
    other = "".join(draw(st.sampled_from([c, c, c, c, c, c, c, "", c + "a", "b"])) for c in text)
    return text, other


@pytest.mark.parametrize("kernel", IMPLEMENTATIONS("lines_cy"))
@given(pair=noisy())
def test_small_windows_keep_the_chain_where_text_is_noisy(kernel, pair):
    *_, runs = walk(kernel, *pair, 8, 16, 4, 6)
    check_runs(runs, *pair)


@pytest.mark.parametrize("kernel", IMPLEMENTATIONS("lines_cy"))
@given(text=lines(60))
def test_a_line_against_itself_is_one_run(kernel, text):
    assert walk(kernel, text, text) == (True, len(text), len(text), [(0, 0, len(text))] * bool(text))


@cache
def noisy_lines(number, size):
    """Lines, the same with five in a hundred characters other, and the best score: it takes long to find."""
    chance = random.Random(7)
    found = []
    for _ in range(number):
        text = "".join(chance.choices("etaoinshrdlu", k=size))
        other = "".join(
            chance.choice(["", c + chance.choice("eta"), chance.choice("eta")])
            if chance.random() < 0.05
            else c
            for c in text
        )
        found.append((text, other, optimal_score(text, other)))
    return found


@pytest.mark.parametrize(("number", "size"), [(6, 200), pytest.param(12, 300, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kernel", IMPLEMENTATIONS("lines_cy"))
def test_the_walk_seldom_misses_the_best(kernel, number, size):
    """Lines far longer than the first windows."""
    missed = 0
    for text, other, best in noisy_lines(number, size):
        done, _, _, runs = walk(kernel, text, other)
        assert done
        check_runs(runs, text, other)
        equal, n_runs, edits = score_of(runs, len(text), len(other))
        assert (-equal, n_runs, edits) >= (-best[0], *best[1:])
        assert equal >= best[0] - 1
        missed += (equal, n_runs, edits) != best
    assert missed <= 1


@pytest.mark.parametrize("kernel", IMPLEMENTATIONS("lines_cy"))
def test_a_long_one_sided_stretch_ends_the_walk_where_it_begins(kernel):
    chance = random.Random(3)
    before, missing, behind = ("".join(chance.choices("etaoinshrdlu", k=size)) for size in (200, 900, 200))
    done, i, j, runs = walk(kernel, before + missing + behind, before + behind)
    assert not done
    assert runs[0][:2] == (0, 0)
    assert abs(i - 200) <= 8
    assert i == j


@pytest.mark.parametrize("kernel", IMPLEMENTATIONS("lines_cy"))
def test_a_shorter_one_sided_stretch_is_found(kernel):
    chance = random.Random(3)
    before, missing, behind = ("".join(chance.choices("etaoinshrdlu", k=size)) for size in (200, 300, 200))
    done, _, _, runs = walk(kernel, before + missing + behind, before + behind)
    assert done
    assert sum(run.length for run in runs) == 400
    assert len(runs) == 2


@pytest.mark.parametrize("kernel", IMPLEMENTATIONS("lines_cy"))
def test_runs_that_meet_are_one(kernel):
    table, found = aligner(kernel, "abcdef", "abcdef", 4)
    for run in [(0, 0, 2), (2, 2, 1), (3, 3, 0), (4, 4, 2)]:
        found.add_run(*run)
    assert found.count() == 2
    assert table[:2].tolist() == [[0, 0, 3], [4, 4, 2]]
