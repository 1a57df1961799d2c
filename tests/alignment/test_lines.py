"""Runs of whole lines: order of the sides, unrelated text, long stretches."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment.counting import align, count
from evalign.alignment.fold import fold_line
from evalign.alignment.lines import align_lines
from oracles.alignment import Run, optimal_score, score_of


def runs_of(gold, system):
    """Runs of two lines without boundaries, and the flags of their gaps."""
    left, right = fold_line(gold), fold_line(system)
    marks = (np.zeros(len(folded.codes) + 1, np.uint8) for folded in (left, right))
    runs = align_lines(left, right, *marks)
    columns = (runs.gold.tolist(), runs.system.tolist(), runs.lengths.tolist())
    return [Run(*row) for row in zip(*columns, strict=True)], runs.unrelated.tolist()


def invent(seed, size, letters="etaoinshrdlu"):
    return "".join(random.Random(seed).choices(letters, k=size))


@given(st.text("abcé", max_size=16), st.text("abcÉ", max_size=16))
def test_short_lines_are_aligned_as_well_as_can_be(gold, system):
    runs, unrelated = runs_of(gold, system)
    assert not any(unrelated)
    equal, _, _ = optimal_score(gold, system)
    assert score_of(runs, len(gold), len(system))[0] == equal


@given(st.text("abc", max_size=30), st.text("abc", max_size=30))
def test_swapping_the_lines_swaps_the_runs(gold, system):
    there, back = runs_of(gold, system), runs_of(system, gold)
    assert there == ([Run(run.right, run.left, run.length) for run in back[0]], back[1])


@given(st.text("abc", max_size=30), st.text("abc", max_size=30))
def test_runs_say_the_same_on_both_sides(gold, system):
    runs, unrelated = runs_of(gold, system)
    assert len(unrelated) == len(runs) + 1
    for run in runs:
        assert gold[run.left : run.left + run.length] == system[run.right : run.right + run.length]


# Rule 5; the sides have no character in common but what is written here. Letters are gold's own, digits system's.
LETTERS, DIGITS = "abcdefghijklmnopqrstuvwxyz" * 3, "0123456789" * 8
SHARED = "ΑΒΓΔΕΖΗΘΙΚ"
UNRELATED = [
    # why, gold, system, unrelated places per gap
    ("twenty against twenty", LETTERS[:20], DIGITS[:20], [True]),
    ("nineteen are too few to tell", LETTERS[:19], DIGITS[:40], [False]),
    (
        "a run of ten ends the gap",
        LETTERS[:19] + SHARED + LETTERS[:19],
        DIGITS[:19] + SHARED + DIGITS[:19],
        [False] * 2,
    ),
    (
        "on either side of it",
        LETTERS[:20] + SHARED + LETTERS[:19],
        DIGITS[:20] + SHARED + DIGITS[:19],
        [True, False],
    ),
    (
        "a run of nine does not",
        LETTERS[:15] + SHARED[:9] + LETTERS[:15],
        DIGITS[:15] + SHARED[:9] + DIGITS[:15],
        [True] * 2,
    ),
    ("half in runs of three is enough", ("abΑΒΓ" * 6)[:-1], ("12ΑΒΓ" * 6)[:-1], [False] * 7),
    ("half of both sides together", "abcΑΒΓ" * 4, "123ΑΒΓ" * 4, [False] * 5),
    ("less than half is not", "abcdΑΒΓ" * 4, "1234ΑΒΓ" * 4, [True] * 5),
]


@pytest.mark.parametrize(("why", "gold", "system", "unrelated"), UNRELATED, ids=[row[0] for row in UNRELATED])
def test_unrelated_text_is_told_from_rewritten_text(why, gold, system, unrelated):
    _runs, found = runs_of(gold, system)
    # Behind a run at the very end there is a gap of nothing, which is as good as unrelated.
    assert found[: len(unrelated) - 1] == unrelated[:-1]
    assert len(found) == len(unrelated)


def test_scattered_characters_of_unrelated_text_are_not_shared():
    gold, system = "abcdefXghijklmnopYrstuv", "0123X456789012Y34567890"
    runs, unrelated = runs_of(gold, system)
    assert runs == []
    assert unrelated == [True]


def test_words_of_unrelated_text_are_shared_where_three_characters_are():
    alignment = align(["abcdefghijk and lmnopqrst ."], ["01234567890123 and 45678901234567"])
    assert [run for run in zip(*(ends.tolist() for ends in alignment.gold.places.spans), strict=True)] == [
        (-1, -1), (0, 3), (-1, -1), (-1, -1),
    ]  # fmt: skip


def test_a_sentence_replaced_by_another_is_not_credited():
    gold = ["what goes before is here .", "bcdfghjklm npqrstvwxz bcdfg .", "what goes behind is there ."]
    system = [gold[0], "aeiou0123456789 yaeiou012345 .", gold[2]]
    assert count(gold, system)["sentences"] == (2, 3, 3)


@pytest.mark.parametrize("size", [300, 700, 3000, 20_000])
@pytest.mark.parametrize("where", ["start", "middle", "end"])
def test_a_missing_stretch_of_any_length_costs_nothing_else(size, where):
    before, missing, behind = invent(1, 1500), invent(2, size), invent(3, 1500)
    before, behind = {"start": ("", behind), "middle": (before, behind), "end": (before, "")}[where]
    runs, _ = runs_of(before + missing + behind, before + behind)
    assert sum(run.length for run in runs) == len(before + behind)
    assert len(runs) <= 2


def test_one_character_said_many_times():
    runs, _ = runs_of("a" * 5000, "a" * 4900)
    assert sum(run.length for run in runs) == 4900


def test_lines_of_nothing():
    assert runs_of("", "") == ([], [False])
    assert runs_of("ab", "") == ([], [False])
    assert runs_of("", "ab") == ([], [False])
